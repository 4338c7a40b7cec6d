// SPDX-License-Identifier: GPL-3.0-or-later
// One spike in a million points: seen at full range, smoothed or not, and at every zoom; counted as the one outlier. A
// smoothed curve does not depend on what comes after. A logarithmic axis shows decades. The real window over a library
// that was written through the store.
#include "core/config/config_fields.h"
#include "core/store/run_store.h"
#include "tests/workbench/window_by_hand.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/qcp.h"

#include <QComboBox>
#include <QFile>
#include <QPushButton>
#include <QSlider>
#include <QToolButton>
#include <QWheelEvent>
#include <span>

namespace acceptance_a08 {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr std::int64_t points = 1'000'000;
constexpr std::int64_t firstTenth = points / 10;
constexpr std::int64_t spikeAt = 612'345;
constexpr double spike = 50.0;
constexpr int loadTimeout = 120'000;
constexpr double beta = 0.99;
constexpr int betaSlider = 40; // each 20 steps multiply the averaged stretch by 10

/// Falls over two decades, with a little noise that is the same in every run.
double lossAt(std::int64_t update) {
    const auto at = static_cast<double>(update);
    return update == spikeAt ? spike : 3.0 * std::exp(-at / 2e5) + 0.02 + 0.002 * std::sin(at * 0.7);
}

/// A completed run of `windows` updates of one sample each, a study by itself.
Status addRun(RunStore& store, const std::string& id, const std::string& name, std::int64_t windows) {
    StudyRecord study;
    study.id = "study-" + id;
    study.name = name;
    study.config.seeds = {0};
    ACCUMULUS_TRY(store.addStudy(study));
    RunRecord run;
    run.id = id;
    run.study = study.id;
    run.name = name;
    run.config.batch.effective = 1;
    run.config.batch.micro = 1;
    run.config.train.length = {windows, Extent::Unit::Updates};
    ACCUMULUS_TRY_ASSIGN(run.batch, resolveBatch(run.config.batch));
    run.configHash = configHash(run.config, 0);
    run.pairHash = pairHash(run.config, 0);
    run.totalUpdates = windows;
    run.createdAt = run.startedAt = 1.79e9;
    ACCUMULUS_TRY(store.addRun(run));
    ACCUMULUS_TRY(store.updateStarted(run));
    ACCUMULUS_TRY(store.setState(id, RunState::Running));
    std::vector<WindowRecord> block;
    for (std::int64_t i = 1; i <= windows; ++i) {
        WindowRecord& window = block.emplace_back();
        window.window = i;
        window.update = i;
        window.samples = i;
        window.epochPosition = static_cast<double>(i) / 60'000.0;
        window.units = 1;
        window.microSteps = 1;
        window.loss = lossAt(i);
        window.lr = 0.01;
        window.gradNorm = 1.0;
        window.seconds = 0.001;
        window.activeSeconds = 0.001 * static_cast<double>(i);
        window.wallTime = run.startedAt + window.activeSeconds;
        if (block.size() == 10'000 || i == windows) {
            ACCUMULUS_TRY(store.addWindows(id, 1, block));
            block.clear();
        }
    }
    RunSummary summary;
    summary.updates = summary.microSteps = summary.samples = windows;
    return store.finishRun(id, RunState::Completed, summary, run.startedAt + 1e3);
}

/// The last two columns of an exported plot: raw and smoothed values.
struct ExportedCurve {
    std::vector<double> raw, smoothed;
};

ExportedCurve readCurve(const QString& name) {
    ExportedCurve curve;
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly))
        return curve;
    file.readLine(); // titles
    while (!file.atEnd()) {
        const QList<QByteArray> cells = file.readLine().trimmed().split(',');
        curve.raw.push_back(cells.value(cells.size() - 2).toDouble());
        curve.smoothed.push_back(cells.value(cells.size() - 1).toDouble());
    }
    return curve;
}

/// s_t = (1 - b) sum b^(t-i) y_i / (1 - b^t), summed up as it stands.
std::vector<double> debiased(std::span<const double> y) {
    std::vector<double> smooth;
    double sum = 0.0, weight = 0.0;
    for (const double value : y) {
        sum = beta * sum + (1.0 - beta) * value;
        weight = beta * weight + (1.0 - beta);
        smooth.push_back(sum / weight);
    }
    return smooth;
}

double worstDifference(std::span<const double> a, std::span<const double> b) {
    double worst = 0.0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        worst = std::max(worst, std::abs(a[i] - b[i]));
    return worst;
}

QString listed(const QList<int>& numbers) {
    QStringList words;
    for (const int number : numbers)
        words << QString::number(number);
    return words.join(QLatin1Char(' '));
}

} // namespace

class AcceptanceA08 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        RunStore store(Library::open(m_folder.filePath("long.sqlite").toStdString(), Library::Mode::Write).value());
        QVERIFY(addRun(store, "long", "a million updates", points));
        QVERIFY(addRun(store, "tenth", "its first tenth", firstTenth));
    }

    void aSpikeInAMillionPointsIsNeverLost() {
        WorkbenchFixture fixture;
        openLong(fixture);
        showRun(fixture, "long");
        auto* plot = fixture.find<PlotView>("liveLoss");
        QTRY_VERIFY_WITH_TIMEOUT(plot->xMax() >= points, loadTimeout);
        QCOMPARE(fixture.find<QComboBox>("liveXAxis")->currentData().toString(), QStringLiteral("samples"));
        setSmoothing(fixture, 0);
        plot->refreshNow();

        // Far above the rest: left out of the y range, and counted.
        auto* badge = plot->findChild<QToolButton*>(QStringLiteral("plotOutlierBadge"));
        QVERIFY(badge->isVisible());
        QCOMPARE(badge->text(), QStringLiteral("1 point above"));
        QCOMPARE(plot->outliers(), std::size_t{1});
        QVERIFY(plot->yMax() < 0.2 * spike);
        const QPoint corner = badge->geometry().topLeft() - QPoint(space::xs, space::xs); // of the plot area
        spikeIsSeen(fixture, corner, false, "outliers left out");
        setSmoothing(fixture, betaSlider);
        QCOMPARE(badge->text(), QStringLiteral("1 point above"));
        spikeIsSeen(fixture, corner, true, "outliers left out, smoothed");

        // Shown whole, at full range.
        QTest::mouseClick(badge, Qt::LeftButton);
        plot->refreshNow();
        QVERIFY(!badge->isVisible());
        QVERIFY(plot->yMax() > spike);
        spikeIsSeen(fixture, corner, true, "whole, smoothed");
        setSmoothing(fixture, 0);
        spikeIsSeen(fixture, corner, false, "whole");

        // Zoom with the wheel, where the spike stands, until single points can be told.
        const int middle = plot->height() / 2;
        while (plot->xMax() - plot->xMin() > 100.0) {
            const double before = plot->xMax() - plot->xMin();
            const QPointF at(spikeColumn(*plot, corner), middle);
            QWheelEvent wheel(at, plot->mapToGlobal(at), {}, {0, 480}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                              false);
            plot->setFocus();
            QCoreApplication::sendEvent(plot, &wheel);
            plot->refreshNow();
            QVERIFY(plot->xMax() - plot->xMin() < before);
            spikeIsSeen(fixture, corner, false, "zoomed");
        }
        QVERIFY(plot->xMin() < spikeAt && spikeAt < plot->xMax());
        QTest::keyClick(plot, Qt::Key_F);
        plot->refreshNow();
        QVERIFY(plot->xMax() >= points);

        // Every point of it counts, and only those before it.
        setSmoothing(fixture, betaSlider);
        const ExportedCurve whole = exported(fixture, "whole.csv");
        QCOMPARE(whole.raw.size(), std::size_t{points});
        QVERIFY(whole.raw[spikeAt - 1] == spike);
        QVERIFY(worstDifference(whole.smoothed, debiased(whole.raw)) <= 1e-9);
        showRun(fixture, "tenth");
        QTRY_VERIFY2_WITH_TIMEOUT(plot->xMax() < points / 2 && plot->xMax() >= firstTenth,
                                  qPrintable(QString::number(plot->xMax())), loadTimeout);
        const ExportedCurve tenth = exported(fixture, "tenth.csv");
        QCOMPARE(tenth.smoothed.size(), std::size_t{firstTenth});
        const double worst = worstDifference(tenth.smoothed, whole.smoothed);
        QVERIFY2(worst <= 1e-9, qPrintable(QString::number(worst)));
        // The check can fail: unsmoothed, the two differ.
        QVERIFY(worstDifference(tenth.raw, whole.smoothed) > 1e-3);
    }

    void aLogarithmicAxisShowsDecades() {
        WorkbenchFixture fixture;
        openLong(fixture);
        showRun(fixture, "long");
        auto* plot = fixture.find<PlotView>("liveLoss");
        QTRY_VERIFY_WITH_TIMEOUT(plot->xMax() >= points, loadTimeout);
        fixture.click("liveLogY");
        QVERIFY(plot->logY());
        plot->refreshNow();
        QTest::qWait(200); // the picture is painted after it was laid out
        const auto* picture = plot->findChild<QCustomPlot*>();
        QVERIFY(picture);
        auto* panel = dynamic_cast<QCPAxisRect*>(picture->plotLayout()->element(1, 0));
        QVERIFY(panel);
        const QCPAxis* axis = panel->axis(QCPAxis::atLeft);
        const QVector<double> ticks = axis->tickVector();
        const QVector<QString> labels = axis->tickVectorLabels();
        QCOMPARE(labels.size(), ticks.size());
        QList<double> decades;
        for (qsizetype i = 0; i < ticks.size(); ++i) {
            bool isNumber = false;
            const double read = QLocale().toDouble(labels[i], &isNumber);
            QVERIFY2(isNumber && std::abs(read - ticks[i]) <= 1e-9 * ticks[i], qPrintable(labels[i]));
            const double power = std::log10(ticks[i]);
            if (std::abs(power - std::round(power)) < 1e-9)
                decades << ticks[i];
        }
        // From 0.02 to 50 (the spike) lie 0.1, 1 and 10, each ten times the one before and as far from it in pixels.
        QVERIFY2(decades.size() >= 3, qPrintable(QStringList(labels.begin(), labels.end()).join(' ')));
        for (qsizetype i = 1; i < decades.size(); ++i)
            QVERIFY(std::abs(decades[i] / decades[i - 1] - 10.0) < 1e-9);
        const double one = axis->coordToPixel(decades[0]) - axis->coordToPixel(decades[1]);
        QVERIFY(one > 10.0);
        for (qsizetype i = 2; i < decades.size(); ++i)
            QVERIFY(std::abs(axis->coordToPixel(decades[i - 1]) - axis->coordToPixel(decades[i]) - one) < 0.01);
        QVERIFY(plot->hiddenValues() == 0);
    }

private:
    QTemporaryDir m_folder;

    void openLong(WorkbenchFixture& fixture) {
        fixture.window().resize(1600, 1000);
        fixture.workbench().theme().setMode(ThemeMode::Light);
        const auto file = m_folder.filePath("long.sqlite");
        Q_EMIT fixture.window().libraryRequested(file);
        QTRY_COMPARE(fixture.workbench().library().path(), std::filesystem::path(file.toStdString()));
    }

    void showRun(WorkbenchFixture& fixture, const char* run) {
        fixture.window().showPage(QStringLiteral("library"));
        auto* page = fixture.window().findChild<LibraryPage*>();
        auto* curves = fixture.find<QToolButton>("libraryCurvesButton");
        const auto select = [&] {
            page->selectRuns({QLatin1String(run)});
            return curves->isEnabled();
        };
        QTRY_VERIFY_WITH_TIMEOUT(select(), loadTimeout);
        QTest::mouseClick(curves, Qt::LeftButton);
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("live"));
    }

    static void setSmoothing(WorkbenchFixture& fixture, int steps) {
        auto* slider = fixture.find<QSlider>("liveSmoothing");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Home);
        for (int step = 0; step < steps; ++step)
            QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(slider->value(), steps);
        auto* plot = fixture.find<PlotView>("liveLoss");
        QCOMPARE(plot->smoothing(), steps == 0 ? 0.0 : beta);
        plot->refreshNow();
    }

    /// Of the plot area, between its left corner and the margin at its right.
    static double spikeColumn(const PlotView& plot, QPoint corner) {
        const double width = plot.width() - space::l - corner.x();
        return corner.x() + width * (spikeAt - plot.xMin()) / (plot.xMax() - plot.xMin());
    }

    /// In the grabbed picture: in the upper part of the panel, where nothing else is, the spike's columns and no
    /// others.
    static void spikeIsSeen(WorkbenchFixture& fixture, QPoint corner, bool behind, const char* when) {
        auto* plot = fixture.find<PlotView>("liveLoss");
        plot->refreshNow();
        QTest::qWait(50);
        QTest::mouseMove(plot, QPoint(2, 2)); // no crosshair
        const QImage image = plot->grab().toImage();
        const ThemeColors colors = lightColors();
        constexpr double faint = 0.30; // where its two sides meet in one column, twice
        const QColor color = behind ? blended(colors.card, colors.accumulated, faint) : colors.accumulated;
        const QColor twice = blended(color, colors.accumulated, behind ? faint : 0.0);
        const double wanted = spikeColumn(*plot, corner);
        // The curve itself reaches up at the left, the legend stands at the right.
        const int from = static_cast<int>(std::lround(wanted)) - 120;
        const QRect upper(from, corner.y() + 12, 240, 12);
        const QList<int> columns = columnsLike(image, color, upper, 40) + columnsLike(image, twice, upper, 40);
        QVERIFY2(!columns.isEmpty(), when);
        for (const int column : columns)
            QVERIFY2(std::abs(column - wanted) <= 3.0,
                     qPrintable(QStringLiteral("%1: %2, wanted %3").arg(when, listed(columns)).arg(wanted)));
    }

    ExportedCurve exported(WorkbenchFixture& fixture, const char* name) {
        const QString file = fixture.file(QLatin1String(name));
        auto* plot = fixture.find<PlotView>("liveLoss");
        plot->setFocus();
        const bool asked = answerFileDialog(file, [plot] { QTest::keyClick(plot, Qt::Key_E, Qt::ControlModifier); });
        if (!asked)
            qWarning("no file dialog came");
        if (!QTest::qWaitFor([plot] { return !plot->saving(); }, loadTimeout)) // written on another thread
            qWarning("the file was not finished");
        return readCurve(file);
    }
};

QTEST_MAIN(AcceptanceA08)
} // namespace acceptance_a08
#include "acceptance_a08.moc"
