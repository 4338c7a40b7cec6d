// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs of a library are offered for a comparison, and what stands in which group.
#include "core/config/config_fields.h"
#include "tests/unit/run/library_views_fixture.h"

#include <QtTest>

namespace test_suggested_pairs {
using namespace accumulus;
using namespace accumulus::test;

namespace {

RunRecord runOf(std::string id, std::string study, Arm arm, std::int64_t seed, std::int64_t micro,
                double createdAt = 1.0) {
    RunRecord run;
    run.id = std::move(id);
    run.study = std::move(study);
    run.arm = arm;
    run.seed = seed;
    run.config.batch.effective = 256;
    run.config.batch.micro = micro;
    run.batch = resolveBatch(run.config.batch).value();
    run.pairHash = pairHash(run.config, seed);
    run.state = RunState::Completed;
    run.createdAt = createdAt;
    return run;
}

} // namespace

class TestSuggestedPairs : public QObject, protected LibraryViewsFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { useNewLibrary(); }

    void bothArmsOfAStudyAreSuggested() {
        const SyntheticRuns runs = add(studyOf(equivalentCase()));
        RunReader library = reader();
        const auto records = library.runs();
        QVERIFY(records.has_value());
        const auto pairs = suggestPairs(*records);
        QCOMPARE(pairs.size(), std::size_t{1});
        QCOMPARE(QString::fromStdString(pairs[0].title), QString("lenet5 on mnist, B = 256: 32 x 8 against 256 x 1"));
        QCOMPARE(pairs[0].groupA, runs.groupA);
        QCOMPARE(pairs[0].groupB, runs.groupB);
    }

    /// Of the rows alone, as of all curves.
    void rowsAreJudgedAsTheirComparisonIs() {
        for (const VerdictCase& one :
             {equivalentCase(), differentCase(), differentWithinCase(), notEnoughCase(), inconclusiveCase()}) {
            useNewLibrary();
            const SyntheticRuns runs = add(studyOf(one));
            RunReader library = reader();
            const auto study = library.study(runs.study);
            QVERIFY(study.has_value());
            std::vector<RunRecord> records;
            std::vector<const RunRecord*> rowsA;
            std::vector<const RunRecord*> rowsB;
            for (const auto& id : runs.groupA)
                records.push_back(library.run(id).value());
            for (const auto& id : runs.groupB)
                records.push_back(library.run(id).value());
            for (const RunRecord& record : records)
                (record.arm == Arm::Accumulated ? rowsA : rowsB).push_back(&record);
            const auto whole = loadComparison(library, runs.groupA, runs.groupB, {}, {});
            QVERIFY(whole.has_value());
            const auto brief = judgeRows(rowsA, rowsB, {{study->id, *study}});
            QVERIFY(brief.has_value());
            QVERIFY2(*brief == compareGroups(*whole).test.verdict, one.name.c_str());
            QVERIFY(!judgeRows(rowsA, {}, {}).has_value());
        }
    }

    void otherSettingsAreNoPartners() {
        std::vector<RunRecord> runs = {runOf("a", "s", Arm::Accumulated, 0, 32),
                                       runOf("b", "s", Arm::LargeBatch, 0, 256)};
        QCOMPARE(suggestPairs(runs).size(), std::size_t{1});
        runs[1].config.optimizer.lr *= 2.0;
        QVERIFY(suggestPairs(runs).empty());
        // No seed in common.
        runs = {runOf("a", "s", Arm::Accumulated, 0, 32), runOf("b", "s", Arm::LargeBatch, 1, 256)};
        QVERIFY(suggestPairs(runs).empty());
    }

    void addedSeedsAreOfferedTogether() {
        const std::vector<RunRecord> runs = {
            runOf("a2", "later", Arm::Accumulated, 2, 32, 9.0), runOf("b2", "later", Arm::LargeBatch, 2, 256, 9.0),
            runOf("a0", "first", Arm::Accumulated, 0, 32),      runOf("a1", "first", Arm::Accumulated, 1, 32),
            runOf("b0", "first", Arm::LargeBatch, 0, 256),      runOf("b1", "first", Arm::LargeBatch, 1, 256)};
        const auto pairs = suggestPairs(runs);
        QCOMPARE(pairs.size(), std::size_t{3});
        QCOMPARE(pairs[0].groupA, (std::vector<std::string>{"a0", "a1", "a2"}));
        QCOMPARE(pairs[0].groupB, (std::vector<std::string>{"b0", "b1", "b2"}));
        QVERIFY(pairs[0].title.ends_with("(2 studies together)"));
        QCOMPARE(pairs[1].groupA, (std::vector<std::string>{"a2"}));
        QCOMPARE(pairs[2].groupA, (std::vector<std::string>{"a0", "a1"}));
    }

    void theNewestCompletedRunOfASeedIsTaken() {
        std::vector<RunRecord> runs = {
            runOf("failed", "s3", Arm::Accumulated, 0, 32, 3.0), runOf("again", "s2", Arm::Accumulated, 0, 32, 2.0),
            runOf("old", "s1", Arm::Accumulated, 0, 32, 1.0),    runOf("one", "s1", Arm::Accumulated, 1, 32, 1.0),
            runOf("b0", "s2", Arm::LargeBatch, 0, 256, 2.0),     runOf("b1", "s2", Arm::LargeBatch, 1, 256, 2.0)};
        runs[0].state = RunState::Failed;
        const auto pairs = suggestPairs(runs);
        QVERIFY(!pairs.empty());
        QCOMPARE(pairs[0].groupA, (std::vector<std::string>{"again", "one"}));
    }

    void oneMicroBatchByHandIsALargeBatch() {
        const auto pairs = suggestPairs(
            {runOf("split", "s1", Arm::Accumulated, 0, 32), runOf("whole", "s2", Arm::Accumulated, 0, 256)});
        QCOMPARE(pairs.size(), std::size_t{1});
        QCOMPARE(pairs[0].groupA, (std::vector<std::string>{"split"}));
        QCOMPARE(pairs[0].groupB, (std::vector<std::string>{"whole"}));
    }

    void trashedRunsAreNotSuggested() {
        std::vector<RunRecord> runs = {runOf("a", "s", Arm::Accumulated, 0, 32),
                                       runOf("b", "s", Arm::LargeBatch, 0, 256)};
        runs[1].trashed = true;
        QVERIFY(suggestPairs(runs).empty());
    }
};

QTEST_APPLESS_MAIN(TestSuggestedPairs)
} // namespace test_suggested_pairs
#include "test_suggested_pairs.moc"
