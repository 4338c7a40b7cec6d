// SPDX-License-Identifier: GPL-3.0-or-later
// Live: losses and metrics of both splits, the memory curve, and the two kinds of smoothing.
#include "core/analysis/series.h"
#include "tests/widgets/page_fixture.h"
#include "tests/widgets/screenshot.h"
#include "widgets/pages/live/live_curves.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/plots/curve_data.h"
#include "widgets/plots/plot_view.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSlider>

namespace test_live_evaluations {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

constexpr int runTimeout = 120'000;

ExperimentConfig validated() {
    ExperimentConfig experiment;
    experiment.run.data.dataset = "digits-generated";
    experiment.run.data.trainLimit = 700;
    experiment.run.data.validation = 100;
    experiment.run.data.testLimit = 100;
    experiment.run.model.name = "mlp";
    experiment.run.batch.effective = 60;
    experiment.run.batch.micro = 20;
    experiment.run.train.length = {3, Extent::Unit::Epochs};
    experiment.study.name = "validated";
    experiment.study.seeds = {0};
    return experiment;
}

/// Numbers of a curve in a CSV of the plot, by the end of its label.
std::vector<double> csvValues(const PlotView& plot, const QString& folder, const QString& labelEnd) {
    const QString file = folder + QStringLiteral("/plot.csv");
    [&] { QVERIFY(plot.saveCsv(file)); }();
    QFile csv(file);
    std::ignore = csv.open(QIODevice::ReadOnly);
    std::vector<double> values;
    for (const QString& line : QString::fromUtf8(csv.readAll()).split(QLatin1Char('\n'))) {
        const auto end = line.lastIndexOf(QLatin1Char('"'));
        if (end < 0 || !line.left(end).endsWith(labelEnd))
            continue;
        values.push_back(line.mid(end + 2).split(QLatin1Char(',')).at(1).toDouble());
    }
    return values;
}

} // namespace

class TestLiveEvaluations : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        QSettings().clear();
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    }

    void bothSplitsAreShownWhileARunTrainsAndAfterwards() {
        PageFixture fixture;
        QVERIFY(fixture.open());
        LivePage page(fixture.services());
        page.resize(1240, 780);
        page.show();
        page.activated();
        RunController& runs = fixture.services().runs;
        runs.start(validated());
        QTRY_VERIFY_WITH_TIMEOUT(runs.busy(), 1000);
        QTRY_VERIFY_WITH_TIMEOUT(!runs.busy(), runTimeout);
        QTemporaryDir folder;
        auto reader = RunReader(Library::open(fixture.file(), Library::Mode::Read).value());
        const RunRecord run = reader.runs().value().front();
        std::vector<double> test, validation, accuracy;
        const std::vector<EvaluationRecord> evaluations = reader.evaluations(run.id).value();
        for (const EvaluationRecord& evaluation : evaluations) {
            (evaluation.split == "test" ? test : validation).push_back(evaluation.loss);
            if (evaluation.split == "validation")
                accuracy.push_back(evaluation.accuracy.value() * 100.0);
        }
        QCOMPARE(test.size(), std::size_t{3});
        QCOMPARE(validation.size(), std::size_t{3});
        const auto check = [&](LivePage& shown) {
            auto* loss = child<PlotView>(shown, "liveEvaluationLoss");
            auto* judged = child<PlotView>(shown, "liveAccuracy");
            QTRY_COMPARE(loss->curveCount(), 2U);
            QCOMPARE(judged->curveCount(), 2U);
            const auto same = [](const std::vector<double>& a, const std::vector<double>& b) {
                return std::ranges::equal(a, b,
                                          [](double x, double y) { return std::abs(x - y) <= 1e-9 * std::abs(y); });
            };
            QVERIFY(same(csvValues(*loss, folder.path(), QStringLiteral("seed 0")), test));
            QVERIFY(same(csvValues(*loss, folder.path(), QStringLiteral("validation")), validation));
            QVERIFY(same(csvValues(*judged, folder.path(), QStringLiteral("validation")), accuracy));
            // Memory: a curve over the windows that ends at the run's peak.
            auto* memory = child<PlotView>(shown, "liveMemory");
            QCOMPARE(memory->curveCount(), 1U);
            const auto peaks = csvValues(*memory, folder.path(), QStringLiteral("seed 0"));
            QCOMPARE(peaks.size(), std::size_t(run.summary.updates));
            QVERIFY(std::abs(peaks.back() * 1e6 - static_cast<double>(run.summary.peakBytes)) < 1.0);
        };
        check(page);
        child<PlotView>(page, "liveLoss")->refreshNow();
        saveScreenshot(page, QStringLiteral("live_validation"));
        child<QPushButton>(page, "liveGroupMemory")->click();
        QTest::qWait(300);
        child<PlotView>(page, "liveLoss")->refreshNow();
        saveScreenshot(page, QStringLiteral("live_memory"));
        LivePage again(fixture.services()); // from the library
        again.show();
        again.activated();
        check(again);
    }

    void aResumeCutsBothSplits() {
        RunCurves curves;
        for (const std::int64_t update : {10, 20, 30})
            for (const char* split : {"validation", "test"}) {
                EvaluationRecord evaluation;
                evaluation.update = update;
                evaluation.split = split;
                evaluation.loss = static_cast<double>(update);
                curves.add(evaluation);
                curves.add(evaluation); // told twice
            }
        QCOMPARE(curves.validation.loss, (std::vector<double>{10.0, 20.0, 30.0}));
        curves.truncate(0, 20);
        QCOMPARE(curves.test.loss, (std::vector<double>{10.0, 20.0}));
        QCOMPARE(curves.validation.at.updates, (std::vector<double>{10.0, 20.0}));
        EvaluatedCurve later = curves.test;
        EvaluationRecord next;
        next.update = 25;
        next.loss = 25.0;
        later.add(next, {});
        curves.test.append(later);
        QCOMPARE(curves.test.loss, (std::vector<double>{10.0, 20.0, 25.0}));
    }

    void theMeanOfWhatArrivesInPartsIsThatOfTheWhole() {
        Series series;
        for (int i = 0; i < 3000; ++i) {
            series.x.push_back(i);
            series.y.push_back(std::sin(0.01 * i) + (i == 1234 ? 1e12 : 0.0) + (i % 17 == 0 ? 0.5 : 0.0));
        }
        for (const std::size_t half : {std::size_t{5}, std::size_t{500}}) {
            const std::vector<double> reference = centredMean(series.y, half);
            CurveData parts;
            parts.setSmoothing({.beta = 0.0, .half = half, .samples = 1});
            for (std::size_t from = 0; from < series.size(); from += 70) {
                const std::size_t count = std::min<std::size_t>(70, series.size() - from);
                parts.append(std::span(series.x).subspan(from, count), std::span(series.y).subspan(from, count));
            }
            QCOMPARE(parts.front().size(), series.size());
            for (std::size_t i = 0; i < series.size(); ++i)
                QVERIFY2(std::abs(parts.front().y[i] - reference[i]) <= 1e-12 * std::max(1.0, std::abs(reference[i])),
                         qPrintable(QString::number(i)));
        }
    }

    void theMeanIsToldInSamplesAndRemembered() {
        PageFixture fixture;
        SyntheticStudy study;
        study.seedsA = study.seedsB = {0};
        study.finalA = study.finalB = {0.98};
        fixture.add(study);
        QVERIFY(fixture.open());
        auto page = std::make_unique<LivePage>(fixture.services());
        page->show();
        page->activated();
        auto* loss = child<PlotView>(*page, "liveLoss");
        QTRY_COMPARE(loss->curveCount(), 2U);
        auto* kind = child<QComboBox>(*page, "liveSmoothingKind");
        auto* slider = child<QSlider>(*page, "liveSmoothing");
        QVERIFY(loss->smoothing() > 0.0);
        kind->setCurrentIndex(1);
        slider->setValue(20);
        QCOMPARE(loss->smoothing(), 0.0); // of the other kind
        // 11 windows of 256.
        QCOMPARE(child<QLabel>(*page, "liveSmoothingValue")->text(), QStringLiteral("2,816 samples"));
        slider->setValue(0);
        QCOMPARE(child<QLabel>(*page, "liveSmoothingValue")->text(), QStringLiteral("none"));
        page = std::make_unique<LivePage>(fixture.services());
        QCOMPARE(child<QComboBox>(*page, "liveSmoothingKind")->currentIndex(), 1);
    }
};

QTEST_MAIN(TestLiveEvaluations)
} // namespace test_live_evaluations
#include "test_live_evaluations.moc"
