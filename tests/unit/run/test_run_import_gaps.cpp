// SPDX-License-Identifier: GPL-3.0-or-later
// What a file does not hold: values that another program has not logged, and those for which JSON has no word.
#include "core/base/atomic_file.h"
#include "core/base/event_file.h"
#include "core/run/run_export.h"
#include "core/run/run_import.h"
#include "tests/support/numeric.h"
#include "tests/support/study_fixture.h"
#include "tests/unit/run/import_fixture.h"

#include <SQLiteCpp/SQLiteCpp.h>

namespace test_run_import_gaps {
using namespace accumulus;
using namespace accumulus::test;

class TestRunImportGaps : public QObject, protected ImportFixture {
    Q_OBJECT
private Q_SLOTS:
    void init() { makeLibrary(); }

    /// A learning rate at each step, the loss at some, accuracies without one: what is not there is no 0.
    void whatAFileDoesNotHoldIsMissing() {
        EventFileWriter writer(1000.0);
        const auto add = [&](std::int64_t step, std::vector<EventScalar> values) {
            writer.addScalars(1000.0 + double(step), step, values);
        };
        for (std::int64_t step = 1; step <= 20; ++step) {
            add(step, {{"lr", 0.5F / float(step)}});
            if (step % 10 == 0)
                add(step, {{"train/loss", 1.0F}, {"test/accuracy", 0.25F}});
            if (step == 10 || step == 14)
                add(step, {{step == 10 ? "val/loss" : "val/accuracy", 0.75F}});
        }
        QVERIFY(writeFileAtomically(path("sparse.tfevents"), writer.bytes()));
        const auto outcome = import({"sparse.tfevents"}, {.effective = 64});
        REQUIRE(outcome);
        auto to = reader("to.sqlite");
        const auto windows = to->windows(outcome->added[0]).value();
        QCOMPARE(windows.size(), std::size_t{2});
        QCOMPARE(windows[0].lr, double(0.05F));
        QCOMPARE(windows[0].loss, 1.0);
        const auto evaluations = to->evaluations(outcome->added[0]).value();
        for (const EvaluationRecord& evaluation : evaluations)
            QCOMPARE(std::isnan(evaluation.loss), !(evaluation.split == "validation" && evaluation.update == 10));
        const RunSummary summary = to->run(outcome->added[0])->summary;
        QVERIFY(!summary.testLoss);
        QCOMPARE(summary.testAccuracy, std::optional(0.25));
        QCOMPARE(summary.validationLoss, std::optional(0.75)); // of before the one that has no loss
        QCOMPARE(summary.validationAccuracy, std::optional(0.75));
        // One update of 64 samples a second, of which every tenth is in the file.
        QCOMPARE(summary.microSteps, std::int64_t{20});
        QVERIFY(compareRel(summary.samplesPerSecond, 64.0, 1e-9));
    }

    void evaluationsAloneHaveTheBatchThatIsSaid() {
        EventFileWriter writer(1000.0);
        const std::vector<EventScalar> values{{"val/accuracy", 0.5F}};
        writer.addScalars(1000.0, 30, values);
        QVERIFY(writeFileAtomically(path("alone.tfevents"), writer.bytes()));
        const auto outcome = import({"alone.tfevents"}, {.effective = 64});
        REQUIRE(outcome);
        const RunRecord run = reader("to.sqlite")->run(outcome->added[0]).value();
        QCOMPARE(run.batch.effective, std::int64_t{64});
        QCOMPARE(run.batch.steps, std::int64_t{1});
        QCOMPARE(run.summary.samples, std::int64_t{30 * 64});
    }

    /// A CSV names no loss: what was measured tells it, or metrics of regressions could not be chosen.
    void whatIsMeasuredTellsTheLoss() {
        const auto kindOf = [&](const std::string& name, const std::string& column) {
            [&] {
                QVERIFY(writeFileAtomically(path(name), "window,update,samples,loss,test_loss," + column +
                                                            "\n1,1,64,0.5,0.25,0.125\n"));
            }();
            const auto outcome = import({name});
            return outcome ? reader("to.sqlite")->run(outcome->added.at(0))->config.loss.kind : LossKind::BceWithLogits;
        };
        QVERIFY(kindOf("r.csv", "test_rmse") == LossKind::Mse);
        QVERIFY(kindOf("a.csv", "test_accuracy") == LossKind::CrossEntropy);
        QVERIFY(kindOf("l.csv", "lr") == LossKind::Model);
    }

    void whatIsKnownMayLieInTheTrash() {
        REQUIRE(exportRunJson(*reader("from.sqlite"), runId, path("run.json")));
        REQUIRE(import({"run.json"}));
        QCOMPARE(import({"run.json"})->knownInTrash, std::int64_t{0});
        {
            RunStore store(Library::open(path("to.sqlite"), Library::Mode::Write).value());
            QVERIFY(store.moveToTrash(std::vector<std::string>{runId}, 1.0));
        }
        for (const char* file : {"run.json", "from.sqlite"}) {
            const auto outcome = import({file});
            REQUIRE(outcome);
            QCOMPARE(outcome->known, std::int64_t{1});
            QCOMPARE(outcome->knownInTrash, std::int64_t{1});
        }
    }

    /// A run that diverged has diverged wherever it goes: JSON, and event files with their JSON, say null.
    void whatDivergedHasDivergedElsewhere_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"run.json", "run.tfevents", "from.sqlite"})
            QTest::newRow(name) << QString(name);
    }
    void whatDivergedHasDivergedElsewhere() {
        QFETCH(QString, name);
        {
            RunStore store(Library::open(path("from.sqlite"), Library::Mode::Write).value());
            EvaluationRecord broken = evaluationsOf().back();
            broken.split = "test";
            broken.update = 5;
            broken.loss = std::numeric_limits<double>::quiet_NaN();
            REQUIRE(store.addEvaluations(runId, 1, std::vector{broken}));
            RunSummary summary;
            summary.testLoss = summary.finalTrainLoss = broken.loss;
            REQUIRE(store.finishRun(runId, RunState::Completed, summary, 1'790'000'009.0));
            SQLite::Database(path("from.sqlite").string(), SQLite::OPEN_READWRITE)
                .exec("UPDATE windows SET loss = NULL WHERE window = (SELECT max(window) FROM windows)");
        }
        const auto from = reader("from.sqlite");
        REQUIRE(exportRunJson(*from, runId, path("run.json")));
        REQUIRE(exportRunEvents(*from, runId, ExportedStep::Updates, path("run.tfevents")));
        REQUIRE(import({name.toStdString()}));
        const RunSummary summary = reader("to.sqlite")->run(runId)->summary;
        QVERIFY(summary.testLoss && std::isnan(*summary.testLoss));
        QVERIFY(summary.finalTrainLoss && std::isnan(*summary.finalTrainLoss));
        QVERIFY(!summary.testAccuracy || std::isfinite(*summary.testAccuracy));
    }
};

QTEST_APPLESS_MAIN(TestRunImportGaps)
} // namespace test_run_import_gaps
#include "test_run_import_gaps.moc"
