// SPDX-License-Identifier: GPL-3.0-or-later
// The planner at B = 256 on a CPU whose limit lies below m = 128: two plots with a cross there, a recommendation that
// Set up takes over, and a cancel within a second. The real window over the real engine, trials in child processes.
#include "core/run/micro_planner.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/models/micro_point_model.h"
#include "widgets/pages/planner/planner_page.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/plots/plot_view.h"
#include "widgets/style/number_box.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTableView>

namespace acceptance_a16 {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr int planTimeout = 300'000;

/// LeNet-5: its memory grows with the micro-batch, so that half of it is felt. One lane of one thread, so that nothing
/// is calibrated.
ExperimentConfig lenet(std::int64_t micro, const std::string& limit) {
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.model.name = "lenet5";
    experiment.run.batch.micro = micro;
    experiment.run.train.length = {4, Extent::Unit::Updates};
    experiment.run.device.lanes = 1;
    experiment.run.device.threads = 1;
    experiment.run.device.memoryLimit = limit;
    return experiment;
}

std::string megabytes(double bytes) { return std::to_string(bytes / 1e6) + " MB"; }

/// Peak memory of a trial, in this process; 0 when it failed.
std::int64_t peakAt(std::int64_t micro) {
    const auto config = trialConfig({.config = lenet(micro, "").run}, micro);
    const auto trial = config ? tryHere(*config, 0, false) : failure(config.error());
    return trial ? trial->point.peakBytes.value_or(0) : 0;
}

/// Plans from Set up and waits for the end.
void plan(WorkbenchFixture& fixture) {
    fixture.click("setup.plan");
    QCOMPARE(fixture.window().currentPage(), QStringLiteral("planner"));
    auto* page = fixture.window().findChild<PlannerPage*>();
    QVERIFY(page->busy());
    QTRY_VERIFY_WITH_TIMEOUT(!page->busy(), planTimeout);
}

QStringList resultsOf(WorkbenchFixture& fixture) {
    const QAbstractItemModel* model = fixture.find<QTableView>("plannerTable")->model();
    QStringList results;
    for (int row = 0; row < model->rowCount(); ++row)
        results << model->index(row, MicroPointModel::Micro).data().toString() + QLatin1Char(' ') +
                       model->index(row, MicroPointModel::Result).data().toString();
    return results;
}

} // namespace

class AcceptanceA16 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void thePlannerFindsASizeAndSetUpTakesIt() {
        WorkbenchFixture fixture;
        fixture.window().showPage(QStringLiteral("setup"));
        auto* setup = fixture.window().findChild<SetupPage*>();
        // The limit lies between what m = 64 and m = 128 take.
        const double limit = 0.5 * static_cast<double>(peakAt(64) + peakAt(128));
        QVERIFY(limit > 0.0);
        setup->setExperiment(lenet(8, megabytes(limit)));
        plan(fixture);
        auto* page = fixture.window().findChild<PlannerPage*>();
        const QStringList results = resultsOf(fixture);
        QVERIFY2(results.filter(QRegularExpression("^64 ✕")).isEmpty(), qPrintable(results.join('\n')));
        QVERIFY2(results.filter(QRegularExpression("^128 ✕")).size() == 1, qPrintable(results.join('\n')));
        for (const char* plot : {"plannerMemoryPlot", "plannerSpeedPlot"}) {
            auto* view = fixture.find<PlotView>(plot);
            QVERIFY(view->isVisible());
            QVERIFY2(view->summaryText().contains(QRegularExpression("m [≥=] 128: does not fit")),
                     qPrintable(view->summaryText()));
        }
        const QString sentence = fixture.find<QLabel>("plannerSentence")->text();
        QVERIFY2(sentence.contains(QStringLiteral("of top speed")), qPrintable(sentence));
        const auto numbers = QRegularExpression("^m = (\\d+), K = (\\d+),").match(sentence);
        QVERIFY2(numbers.hasMatch(), qPrintable(sentence));

        // The limit that counted stands beside the set-up, and its button leads to its field.
        fixture.click("plannerLimit");
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
        auto* field = fixture.find<QLineEdit>("setup.device.memory_limit");
        QTRY_VERIFY(field->isVisible());
        QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(field));
        fixture.window().showPage(QStringLiteral("planner"));

        fixture.click("plannerUse");
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
        QCOMPARE(setup->experiment().run.batch.effective, 256);
        QCOMPARE(setup->experiment().run.batch.micro, numbers.captured(1).toLongLong());
        QCOMPARE(fixture.find<NumberBox>("setup.batch.steps")->integer(),
                 std::optional<std::int64_t>(numbers.captured(2).toLongLong()));
        // What was measured is known to the bar, and to the time that the study takes.
        auto* amount = fixture.find<QLabel>("setup.memory.amount");
        QTRY_VERIFY2(amount->text().contains(QStringLiteral("(measured)")), qPrintable(amount->text()));
        QVERIFY(fixture.find<QLabel>("setup.summary.runs")->text().contains(QStringLiteral(", about ")));

        // A second sweep is cancelled within a second; what was shown stays measured in the library.
        fixture.window().showPage(QStringLiteral("planner"));
        fixture.click("plannerStart");
        QVERIFY(page->busy());
        QTest::qWait(500); // in the middle of a trial
        QElapsedTimer watch;
        watch.start();
        fixture.click("plannerCancel");
        QTRY_VERIFY_WITH_TIMEOUT(!page->busy(), 1000);
        QVERIFY(watch.elapsed() < 1000);
    }
};

QTEST_MAIN(AcceptanceA16)
} // namespace acceptance_a16
#include "acceptance_a16.moc"
