// SPDX-License-Identifier: GPL-3.0-or-later
// The driver of the GPU: a run says it, and whoever reads of the run is told.
#include "core/analysis/compare_words.h"
#include "core/report/run_report.h"
#include "core/run/library_views.h"
#include "core/run/run_json.h"
#include "tests/support/study_fixture.h"

#include <nlohmann/json.hpp>

namespace test_driver {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// What the report's table of the environment has beside `part`; empty without such a row.
std::string shownIn(const ReportDocument& document, const std::string& part) {
    for (const ReportBlock& block : document.blocks)
        if (const auto* table = std::get_if<ReportTable>(&block); table && table->header.front() == "Part")
            for (const auto& row : table->rows)
                if (row.front() == part)
                    return row.back();
    return {};
}

ComparedRun runWith(const std::string& driver) {
    ComparedRun run;
    run.batch = resolveBatch(run.config.batch).value();
    run.environment = {{"program", "Accumulus"}};
    if (!driver.empty())
        run.environment.emplace_back("driver", driver);
    return run;
}

std::vector<std::string> whatDiffers(const std::string& a, const std::string& b) {
    ComparisonInput input;
    input.groupA = {runWith(a)};
    input.groupB = {runWith(b)};
    std::vector<std::string> found;
    for (const Message& warning : comparisonWarnings(Comparison(), input))
        if (warning.code == "warning.difference")
            found.push_back(warning.argument("what"));
    return found;
}

} // namespace

class TestDriver : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunSaysWhichDriverComputedIt() {
        const TemporaryLibrary library;
        RunControl control;
        Events events;
        ExperimentConfig experiment = smallStudy();
        experiment.study.seeds = {1};
        experiment.study.largeBatch = false;
        experiment.run.train.length = {2, Extent::Unit::Updates};
        experiment.run.device.kind = "cpu";
        const auto outcome = runStudy(experiment, library.file(), control, into(events));
        REQUIRE(outcome);
        QCOMPARE(outcome->runs.size(), std::size_t{1});
        RunReader reader = library.reader();
        const RunRecord run = reader.run(outcome->runs.front().run).value();
        QCOMPARE(run.environment.device, std::string("cpu"));
        QCOMPARE(run.environment.driver, std::string("none"));
        const auto report = runReport(reader, run.id);
        REQUIRE(report);
        QCOMPARE(shownIn(*report, "driver"), std::string("none"));
    }

    void theReportNamesEachOfThem() {
        RunReportInput input;
        input.run = runWith("NVIDIA 580.65.06, CUDA 13.0");
        QCOMPARE(shownIn(makeRunReport(input), "driver"), std::string("NVIDIA 580.65.06, CUDA 13.0"));
        input.run = runWith("");
        QCOMPARE(shownIn(makeRunReport(input), "driver"), std::string()); // not known: no row
        QCOMPARE(shownIn(makeRunReport(input), "program"), std::string("Accumulus"));
    }

    void itLeavesAndComesBackWithItsRun() {
        RunRecord run;
        run.id = "11111111-0000-4000-8000-000000000000";
        run.environment.driver = "NVIDIA 580.65.06, CUDA 13.0";
        nlohmann::ordered_json json = runJson(run);
        const auto back = runFromJson(json);
        QVERIFY(back.has_value());
        QCOMPARE(back->environment.driver, run.environment.driver);
        json["environment"].erase("driver"); // as earlier versions wrote it
        const auto older = runFromJson(json);
        QVERIFY(older.has_value());
        QCOMPARE(older->environment.driver, std::string());
    }

    void anotherDriverIsAnUnexpectedDifference() {
        QVERIFY((whatDiffers("NVIDIA 580.65.06, CUDA 13.0", "NVIDIA 590.10, CUDA 13.1") ==
                 std::vector<std::string>{"driver"}));
        QVERIFY((whatDiffers("none", "NVIDIA 590.10, CUDA 13.1") == std::vector<std::string>{"driver"}));
        QVERIFY(whatDiffers("none", "none").empty());
        QVERIFY(whatDiffers("", "none").empty()); // what is not known is no difference
    }
};

QTEST_APPLESS_MAIN(TestDriver)
} // namespace test_driver
#include "test_driver.moc"
