// SPDX-License-Identifier: GPL-3.0-or-later
// Runs from files bring what they measured on validation samples, so that they can be judged by it.
#include "core/base/atomic_file.h"
#include "core/config/metric_rows.h"
#include "core/run/compared_run.h"
#include "core/run/run_export.h"
#include "core/run/run_import.h"
#include "core/run/run_json.h"
#include "tests/support/numeric.h"
#include "tests/support/study_fixture.h"
#include "tests/unit/run/import_fixture.h"

#include <SQLiteCpp/SQLiteCpp.h>

namespace test_validation_import {
using namespace accumulus;
using namespace accumulus::test;

class TestValidationImport : public QObject, protected ImportFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { makeLibrary(); }

    void aTableSaysHowManyThereWere() {
        REQUIRE(exportRunCsv(*reader("from.sqlite"), runId, path("run.csv")));
        const auto outcome = import({"run.csv"});
        REQUIRE(outcome);
        const RunRecord run = reader("to.sqlite")->run(outcome->added.at(0)).value();
        QCOMPARE(run.config.data.validation, std::int64_t{100});
        QVERIFY(hasMetric(run.config, CompareMetric::ValidationAccuracy));
        isSummedUp(run);
    }

    /// A table of elsewhere, too: it is judged by what it has.
    void withoutTheNumberTheyAreMetricsAllTheSame() {
        REQUIRE(exportRunCsv(*reader("from.sqlite"), runId, path("run.csv")));
        auto outcome = import({"run.csv"});
        REQUIRE(outcome);
        SQLite::Database(path("to.sqlite").string(), SQLite::OPEN_READWRITE)
            .exec("UPDATE runs SET config = json_set(config, '$.data.validation', 0)");
        auto to = reader("to.sqlite");
        const RunRecord record = to->run(outcome->added.at(0)).value();
        QCOMPARE(record.config.data.validation, std::int64_t{0});
        const auto run = loadComparedRun(*to, record);
        REQUIRE(run);
        QVERIFY(metricValue(*run, CompareMetric::ValidationAccuracy) == evaluationsOf().back().accuracy);
        QCOMPARE(metricCurve(*run, CompareMetric::ValidationLoss).size(), std::size_t{3});
        QVERIFY(!metricValue(*run, CompareMetric::ValidationRmse));
    }

    /// Programs of before wrote the evaluations only.
    void anOlderExportIsSummedUp() {
        REQUIRE(exportRunJson(*reader("from.sqlite"), runId, path("run.json")));
        auto json = nlohmann::ordered_json::parse(readFile(path("run.json")).value());
        QVERIFY(json["summary"].contains("validation_loss"));
        for (const char* name : {"validation_loss", "validation_accuracy", "best_validation_accuracy", "validation_mae",
                                 "validation_rmse"})
            QCOMPARE(json["summary"].erase(name), std::size_t{1});
        writeFast("older.json", json.dump());
        REQUIRE(import({"older.json"}));
        isSummedUp(reader("to.sqlite")->run(runId).value());
    }

    void anExportBringsItBack() {
        SQLite::Database(path("from.sqlite").string(), SQLite::OPEN_READWRITE)
            .exec("UPDATE runs SET validation_loss = 0.25, best_validation_accuracy = 0.75, not_a_number = "
                  "'validation_accuracy', validation_rmse = 3.5");
        REQUIRE(exportRunJson(*reader("from.sqlite"), runId, path("run.json")));
        REQUIRE(import({"run.json"}));
        const RunSummary summary = reader("to.sqlite")->run(runId).value().summary;
        QVERIFY(compareBits(summary.validationLoss.value(), 0.25));
        QVERIFY(compareBits(summary.bestValidationAccuracy.value(), 0.75));
        QVERIFY(compareBits(summary.validationRmse.value(), 3.5) && !summary.validationMae);
    }

private:
    static void isSummedUp(const RunRecord& run) {
        const EvaluationRecord last = evaluationsOf().back();
        QVERIFY(compareBits(run.summary.validationLoss.value(), last.loss));
        QVERIFY(run.summary.validationAccuracy == last.accuracy);
        QVERIFY(run.summary.bestValidationAccuracy == last.accuracy); // it rises
    }
};

QTEST_APPLESS_MAIN(TestValidationImport)
} // namespace test_validation_import
#include "test_validation_import.moc"
