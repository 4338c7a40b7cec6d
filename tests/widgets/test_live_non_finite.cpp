// SPDX-License-Identifier: GPL-3.0-or-later
// Live says at which micro-step and in which layer values became not finite, and marks the gap, no other one.
#include "tests/support/overflowing_weights.h"
#include "tests/widgets/page_fixture.h"
#include "tests/widgets/plots_by_hand.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/pages/live/live_panels.h"
#include "widgets/pages/live/live_recovery.h"
#include "widgets/style/controls.h"

#include <QLabel>
#include <QPushButton>
#include <QSettings>

namespace test_live_non_finite {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

constexpr int runTimeout = 120'000;

ExperimentConfig breaking(const QString& weights, NonfinitePolicy policy) {
    ExperimentConfig experiment;
    experiment.run.data.dataset = "digits-generated";
    experiment.run.data.trainLimit = 64;
    experiment.run.data.testLimit = 16;
    experiment.run.model.name = "mlp";
    experiment.run.model.hidden = {64};
    experiment.run.model.weights = weights.toStdString();
    experiment.run.batch.effective = 32;
    experiment.run.batch.micro = 8;
    experiment.run.train.length = {2, Extent::Unit::Epochs};
    experiment.run.numerics.nonfinite = policy;
    experiment.run.device.kind = "cpu";
    experiment.study.name = "breaking";
    experiment.study.seeds = {0};
    experiment.study.largeBatch = false;
    return experiment;
}

/// Every fifth window is over too soon for a speed, without an estimate of the noise and without a measured peak.
WindowRecord windowWithout(std::int64_t number) {
    WindowRecord window;
    window.window = number;
    window.update = number;
    window.samples = number * 64;
    window.loss = number == 12 ? kNaN : 1.0 / static_cast<double>(number);
    window.gradNorm = 1.0;
    if (number % 5 == 0)
        return window;
    window.seconds = 0.5;
    window.peakBytes = 5'000'000;
    window.noiseS = 2.0;
    window.noiseG2 = 1.0;
    return window;
}

EvaluationRecord evaluation(std::int64_t update, std::optional<double> accuracy) {
    EvaluationRecord record;
    record.update = update;
    record.samples = update * 64;
    record.loss = 0.5;
    record.accuracy = accuracy;
    return record;
}

} // namespace

class TestLiveNonFinite : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    void train(PageFixture& fixture, NonfinitePolicy policy) {
        RunController& runs = fixture.services().runs;
        runs.start(breaking(m_folder.filePath(QStringLiteral("huge.safetensors")), policy));
        QTRY_VERIFY_WITH_TIMEOUT(runs.busy(), 1000);
        QTRY_VERIFY_WITH_TIMEOUT(!runs.busy(), runTimeout);
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(writeOverflowingWeights(m_folder.filePath(QStringLiteral("huge.safetensors")))); }
    void init() {
        QSettings().clear();
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    }

    void aSkippedUpdateIsToldWithItsLayer() {
        PageFixture fixture;
        QVERIFY(fixture.open());
        LivePage page(fixture.services());
        page.resize(1240, 780);
        page.show();
        page.activated();
        train(fixture, NonfinitePolicy::SkipUpdate);
        auto* notice = page.findChild<NoticeBar*>(QStringLiteral("liveNotice"));
        QVERIFY(notice);
        QTRY_VERIFY(notice->isVisible());
        auto* text = notice->findChild<QLabel*>(QStringLiteral("noticeText"));
        QVERIFY(text);
        QTRY_VERIFY2(text->text().endsWith(QStringLiteral("First at micro-step 1 of 4, layer fc2.")),
                     qPrintable(text->text()));
    }

    /// WORKBENCH 3.4: a marker stands only where a value was not finite.
    void whatWasNotMeasuredBearsNoMark() {
        PageFixture fixture;
        LiveCurves curves;
        RunRecord run;
        run.id = "r";
        curves.start(StudyRecord(), {run});
        RunCurves& known = *curves.find("r");
        for (std::int64_t number = 1; number <= 20; ++number)
            known.add(windowWithout(number));
        known.add(evaluation(5, 0.5));
        known.add(evaluation(10, std::nullopt));
        known.add(evaluation(15, 0.7));
        LivePanels panels(fixture.theme(), curves);
        panels.resize(1200, 700);
        panels.show();
        panels.rebuild();
        const auto marks = [&](const char* view) {
            QCoreApplication::processEvents(); // what was hidden has its place
            return pixelsOfMarks(*child<PlotView>(panels, view), fixture.theme().colors().bad);
        };
        QVERIFY(marks("liveLoss") > 0); // of window 12
        QCOMPARE(marks("liveAccuracy"), 0);
        for (const auto& [group, view] :
             {std::pair("liveGroupGradient", "liveNoise"), std::pair("liveGroupCost", "liveSpeed"),
              std::pair("liveGroupMemory", "liveMemory")}) {
            child<QPushButton>(panels, group)->click();
            QVERIFY2(child<PlotView>(panels, view)->summaryText().contains(QStringLiteral("1 curve")), view);
            QCOMPARE(marks(view), 0);
        }
        // What was measured and is not finite is a fault also there.
        known.add(evaluation(20, kNaN));
        panels.rebuildEvaluations();
        QVERIFY(marks("liveAccuracy") > 0);
    }

    /// What can be mended by a setting, or by a look at what was set.
    void theCardOffersWhatHelps() {
        PageFixture fixture;
        LiveRecovery card(fixture.services().theme);
        ExperimentConfig wanted;
        connect(&card, &LiveRecovery::setupRequested, this, [&](const ExperimentConfig& config) { wanted = config; });
        const auto fails = [&](const char* code, const char* button) {
            card.setFailed({});
            FailedRun failed;
            failed.error = {code, {}};
            ExperimentConfig experiment;
            experiment.run.numerics.lossScale = "65536";
            wanted = {};
            card.showFailed(failed, experiment);
            auto* offered = card.findChild<QPushButton*>(QLatin1String(button));
            if (!offered || card.isHidden())
                return QString();
            offered->click();
            return QString::fromStdString(wanted.run.numerics.lossScale);
        };
        QCOMPARE(fails("training.all-skipped-scale", "liveRecoveryScale"), "dynamic");
        QCOMPARE(fails("training.nonfinite-samples", "liveRecoverySetup"), "65536");
        QCOMPARE(fails("model.memory", "liveRecoverySetup"), "65536");
        QCOMPARE(fails("training.engine", "liveRecoverySetup"), QString());
    }

    void aRunThatBrokeDownNamesItsLayer() {
        PageFixture fixture;
        QVERIFY(fixture.open());
        LivePage page(fixture.services());
        page.resize(1240, 780);
        page.show();
        page.activated();
        train(fixture, NonfinitePolicy::Stop);
        auto* text = page.findChild<QLabel*>(QStringLiteral("liveRecoveryText"));
        QVERIFY(text);
        QTRY_VERIFY2(text->text().contains(QStringLiteral("(micro-step 1 of 4, layer fc2)")), qPrintable(text->text()));
        // What the run's details and lists show is what the library holds.
        auto reader = RunReader(Library::open(fixture.file(), Library::Mode::Read).value());
        const RunRecord run = reader.runs().value().front();
        QVERIFY2(run.error.find("layer fc2") != std::string::npos, run.error.c_str());
    }
};

QTEST_MAIN(TestLiveNonFinite)
} // namespace test_live_non_finite
#include "test_live_non_finite.moc"
