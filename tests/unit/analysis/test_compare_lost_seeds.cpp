// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that diverged: they are told with their reasons, and pairs that are left because of the outcome show no
// equivalence.
#include "core/analysis/compare_family.h"
#include "core/base/kept_message.h"

#include "tests/unit/analysis/compared_runs.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace test_compare_lost_seeds {
using namespace accumulus;
using accumulus::test::makeInput;
using accumulus::test::makeRun;

namespace {

bool anyContains(const std::vector<Message>& messages, const std::string& part) {
    return std::ranges::any_of(
        messages, [&](const Message& message) { return messageText(message).find(part) != std::string::npos; });
}

void fail(ComparedRun& run) {
    run.complete = false;
    run.failed = true;
    run.ends.testAccuracy.reset();
    run.reason = messagesArgument({Error{"training.all-skipped", {{"windows", "3"}}}});
}

/// Five seeds that agree.
ComparisonInput agreeing() { return makeInput({0.0001, -0.0001, 0.0, 0.0001, -0.0001}, 0.01); }

} // namespace

class TestCompareLostSeeds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSeedThatDivergedInOneGroupBarsEquivalence() {
        ComparisonInput input = agreeing();
        QVERIFY(compareGroups(input).test.verdict == Verdict::Equivalent);
        fail(input.groupA[3]);
        fail(input.groupA[4]);
        const Comparison comparison = compareGroups(input);
        QCOMPARE(comparison.pairs.size(), std::size_t{3});
        QVERIFY(comparison.test.pEquivalence < 0.05);
        QVERIFY(comparison.test.verdict == Verdict::Inconclusive);
        QVERIFY(judgeGroups(input) == Verdict::Inconclusive);
        QVERIFY(comparison.lost.a == (std::vector<std::int64_t>{3, 4}) && comparison.lost.b.empty());
        QVERIFY(anyContains(comparison.unpaired, "(seed 3) failed: 3 windows in a row had no finite gradient."));
        QVERIFY(anyContains(comparison.warnings, "Runs of group A diverged or failed"));
        QVERIFY(anyContains(comparison.warnings, "(seeds: 3, 4)"));
        QVERIFY(anyContains(comparison.sentences, "cannot show equivalence"));
        QVERIFY(!anyContains(comparison.sentences, "Smallest margin"));
    }

    void whatIsNotFiniteAtTheEndDivergedAsWell() {
        ComparisonInput input = agreeing();
        input.groupB[0].ends.testAccuracy = std::numeric_limits<double>::quiet_NaN();
        const Comparison comparison = compareGroups(input);
        QVERIFY(comparison.test.verdict == Verdict::Inconclusive);
        QVERIFY(comparison.lost.b == std::vector<std::int64_t>{0});
    }

    void aDifferenceStaysOne() {
        ComparisonInput input = makeInput({0.0040, 0.0044, 0.0041, 0.0049, 0.0044}, 0.01);
        QVERIFY(compareGroups(input).test.verdict == Verdict::DifferentWithinMargin);
        fail(input.groupB[2]);
        QVERIFY(compareGroups(input).test.verdict == Verdict::Different);
    }

    void otherSeedsThatAreLeftOutBarNothing() {
        ComparisonInput input = agreeing();
        input.groupA[0].complete = false; // goes on
        fail(input.groupA[1]);
        fail(input.groupB[1]); // both arms: that is no difference between them
        input.groupA.push_back(makeRun(Arm::Accumulated, 7, 0.5));
        fail(input.groupA.back());
        input.groupA.back().reason.clear(); // no partner
        const Comparison comparison = compareGroups(input);
        QVERIFY(comparison.test.verdict == Verdict::Equivalent);
        QVERIFY(!comparison.lost.any());
        QVERIFY(anyContains(comparison.unpaired, "(seed 7) failed."));
        // Another run of the seed that completed is a pair.
        fail(input.groupA[2]);
        input.groupA.push_back(makeRun(Arm::Accumulated, 2, 0.952));
        input.groupA.back().id = "again";
        QVERIFY(compareGroups(input).test.verdict == Verdict::Equivalent);
    }

    void metricsAndGroupsThatAreJudgedTogetherAreBarredAsWell() {
        ComparisonInput input = agreeing();
        input.together = {{CompareMetric::TestLoss, 0.01, true}};
        input.groupA[4].ends.testLoss = std::numeric_limits<double>::infinity();
        const Comparison comparison = compareGroups(input);
        QVERIFY(comparison.together[0].test.verdict == Verdict::Equivalent);
        QVERIFY(comparison.together[1].test.verdict == Verdict::Inconclusive);

        ComparisonInput groups = agreeing();
        groups.further = {groups.groupA};
        for (ComparedRun& run : groups.further.front())
            run.id += "c";
        fail(groups.groupA[0]);
        const FamilyComparison family = compareFamily(groups);
        QVERIFY(family.members[0].comparison.test.verdict == Verdict::Inconclusive);
        QVERIFY(family.members[1].comparison.test.verdict == Verdict::Equivalent);
    }
};

QTEST_APPLESS_MAIN(TestCompareLostSeeds)
} // namespace test_compare_lost_seeds
#include "test_compare_lost_seeds.moc"
