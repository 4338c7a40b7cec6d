// SPDX-License-Identifier: GPL-3.0-or-later
// More than two groups from a library: A and B are judged as they are without the others, and seeds that came late are
// told of the pair that has them.
#include "core/analysis/compare_family.h"
#include "core/config/config_fields.h"
#include "core/run/study_runner.h"
#include "tests/support/numeric.h"
#include "tests/unit/run/library_views_fixture.h"

#include <QtTest>
#include <algorithm>

namespace test_library_views_groups {
using namespace accumulus;
using namespace accumulus::test;

namespace {

bool warnsOfSeeds(const FamilyMember& member) {
    return std::ranges::any_of(member.comparison.warnings,
                               [](const Message& warning) { return warning.code == "warning.seeds-late"; });
}

/// `accumulus-cli run ...` of a report; more than one where no single study makes both groups.
std::vector<std::string> commandsOf(const ReportDocument& report) {
    std::vector<std::string> commands;
    for (const ReportBlock& block : report.blocks)
        if (const auto* code = std::get_if<ReportCode>(&block))
            commands.push_back(code->text);
    return commands;
}

/// What a command of commandLine() runs, of settings without quotes inside.
ExperimentConfig experimentOf(std::string command) {
    ExperimentConfig experiment;
    std::erase(command, '\'');
    constexpr std::string_view option = " --set ";
    for (auto at = command.find(option); at != std::string::npos;) {
        const auto begin = at + option.size();
        at = command.find(option, begin);
        if (const auto set = applyAssignment(experiment, command.substr(begin, at - begin)); !set)
            qFatal("%s", describe(set.error()).c_str());
    }
    return experiment;
}

} // namespace

class TestLibraryViewsGroups : public QObject, protected LibraryViewsFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { useNewLibrary(); }

    void metricAndMarginAreThoseOfAAndB() {
        SyntheticStudy first = studyOf(equivalentCase());
        first.metric = "best_test_accuracy";
        const SyntheticRuns a = add(first);
        SyntheticStudy other = studyOf(differentCase());
        other.name = "other";
        other.margin = 0.02;
        other.createdAt += 1000.0;
        const SyntheticRuns c = add(other);
        RunReader library = reader();
        const auto alone = loadComparedGroups(library, {a.groupA, a.groupB}, "", std::nullopt);
        const auto three = loadComparedGroups(library, {a.groupA, a.groupB, c.groupA}, "", std::nullopt);
        QVERIFY(alone.has_value() && three.has_value());
        QVERIFY(three->metric == CompareMetric::BestTestAccuracy && alone->metric == three->metric);
        QVERIFY(compareBits(three->margin, 0.01));
        QVERIFY(compareBits(three->marginSetAt, first.createdAt));
        QVERIFY(!three->marginSetAfterResults && !three->metricChosenAfterResults);
    }

    /// The mistake that this is to catch: a margin of an accuracy, said to have been fixed for the loss.
    void aMarginIsFixedForMetricsOfItsUnit() {
        const SyntheticRuns runs = add(studyOf(equivalentCase()));
        RunReader library = reader();
        const auto late = [&](const char* metric) {
            const auto input = loadComparedGroups(library, {runs.groupA, runs.groupB}, metric, 0.01);
            return !input || input->marginSetAfterResults;
        };
        QVERIFY(!late("") && !late("best_test_accuracy"));
        QVERIFY(late("test_loss"));
    }

    void failedRunsAreToldWithTheirReason() {
        const SyntheticRuns runs = add(studyOf(equivalentCase()));
        const Error error{"training.all-skipped", {{"windows", "3"}}};
        {
            RunStore store(Library::open(file(), Library::Mode::Write).value());
            QVERIFY(store.finishRun(runs.groupA[0], RunState::Failed, {}, 1.0, describe(error), error));
            QVERIFY(store.finishRun(runs.groupB[1], RunState::Failed, {}, 1.0, "Out of words."));
        }
        RunReader library = reader();
        const Comparison comparison =
            compareGroups(loadComparison(library, runs.groupA, runs.groupB, "", std::nullopt).value());
        QVERIFY(comparison.test.verdict == Verdict::Inconclusive);
        const std::string told = messagesText(comparison.unpaired, "\n");
        QVERIFY2(told.find("failed: " + describe(error)) != std::string::npos, told.c_str());
        QVERIFY2(told.find("failed: Out of words.\n") != std::string::npos, told.c_str());
        // Verdicts beside the rows of the library are the same.
        const auto rows = library.runs().value();
        std::vector<const RunRecord*> a, b;
        for (const RunRecord& run : rows)
            (run.arm == Arm::Accumulated ? a : b).push_back(&run);
        const StudyRecord study = library.study(rows.front().study).value();
        QVERIFY(judgeRows(a, b, {{study.id, study}}).value() == Verdict::Inconclusive);
    }

    /// Results of another group count: who fixed the margin may have seen them.
    void olderResultsOfAnotherGroupCount() {
        const SyntheticRuns a = add(studyOf(equivalentCase()));
        SyntheticStudy older = studyOf(differentCase());
        older.name = "older";
        older.createdAt -= 86'400.0;
        const SyntheticRuns c = add(older);
        RunReader library = reader();
        const auto three = loadComparedGroups(library, {a.groupA, a.groupB, c.groupA}, "", std::nullopt);
        QVERIFY(three.has_value());
        QVERIFY(compareBits(three->margin, 0.01));
        QVERIFY(three->marginSetAfterResults);
    }

    void theCommandOfAReportMakesTheSameRuns_data() {
        QTest::addColumn<bool>("ghost");
        QTest::addColumn<int>("largeGroup"); ///< of BatchNorm, set by hand; 0: as planned
        QTest::addColumn<std::size_t>("commands");
        QTest::newRow("plain") << false << 0 << std::size_t{1};
        QTest::newRow("ghost control") << true << 0 << std::size_t{1};
        QTest::newRow("other ghost batches") << true << 64 << std::size_t{2};
    }
    void theCommandOfAReportMakesTheSameRuns() {
        QFETCH(bool, ghost);
        QFETCH(int, largeGroup);
        QFETCH(std::size_t, commands);
        ExperimentConfig experiment;
        experiment.run.model.name = "resnet18";
        experiment.run.batch = {.effective = 256, .micro = 32};
        experiment.study.seeds = {0, 1};
        experiment.study.largeBatch = true;
        experiment.study.ghost = ghost;
        ComparisonInput groups;
        {
            RunStore store(Library::open(file(), Library::Mode::Write).value());
            const auto plannedRuns = planStudy(experiment).value();
            for (const PlannedRun& planned : plannedRuns) {
                const bool large = planned.arm == Arm::LargeBatch;
                RunRecord run;
                run.id = "run-" + armName(planned.arm) + std::to_string(planned.seed);
                run.arm = planned.arm;
                run.seed = planned.seed;
                run.config = planned.config;
                if (large && largeGroup > 0)
                    run.config.numerics.ghost = largeGroup;
                run.batch = planned.batch;
                run.pairHash = pairHash(run.config, run.seed);
                run.summary.testAccuracy = 0.5;
                run.state = RunState::Completed;
                QVERIFY(store.addRun(run).has_value());
                (large ? groups.groupB : groups.groupA).push_back(withoutCurves(run));
            }
        }
        RunReader library = reader();
        const auto found = commandsOf(comparisonReport(library, groups, compareGroups(groups)).value());
        QCOMPARE(found.size(), commands);
        const auto again = planStudy(experimentOf(found.front())).value();
        const auto stored = [&](const PlannedRun& planned) {
            return library.run("run-" + armName(planned.arm) + std::to_string(planned.seed))->config == planned.config;
        };
        QCOMPARE(again.size(), commands == 1 ? std::size_t{4} : std::size_t{2});
        QVERIFY(std::ranges::all_of(again, stored));
    }

    /// The mistakes that this is to catch: one flag for all pairs, and results of C that make seeds of A and B late.
    void lateSeedsAreToldOfTheirPair() {
        const SyntheticRuns a = add(studyOf(equivalentCase()));
        SyntheticStudy older = studyOf(differentCase());
        older.name = "older";
        older.createdAt -= 86'400.0;
        older.seedsA = older.seedsB = {0, 1};
        older.finalA.resize(2);
        older.finalB.resize(2);
        const SyntheticRuns c = add(older);
        RunReader library = reader();
        const auto input = loadComparedGroups(library, {a.groupA, a.groupB, c.groupA}, "", std::nullopt);
        QVERIFY(input.has_value());
        QVERIFY(input->seedsAddedAfterResults);
        QVERIFY(input->lateGroups == std::vector<std::size_t>{2}); // seeds 2 to 4 of B came after C's results
        const FamilyComparison family = compareFamily(*input);
        QCOMPARE(family.members.size(), std::size_t{2});
        QVERIFY(!warnsOfSeeds(family.members[0]));
        QVERIFY(warnsOfSeeds(family.members[1]));
    }
};

QTEST_APPLESS_MAIN(TestLibraryViewsGroups)
} // namespace test_library_views_groups
#include "test_library_views_groups.moc"
