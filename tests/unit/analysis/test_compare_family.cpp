// SPDX-License-Identifier: GPL-3.0-or-later
// Several groups compared with one: pairs against the reference, Holm's correction over all of them, curves of each.
#include "core/analysis/compare_family.h"
#include "tests/support/numeric.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

namespace test_compare_family {
using namespace accumulus;
using accumulus::test::compareAbs;
using accumulus::test::compareBits;
using accumulus::test::compareRel;

namespace {

ComparedRun makeRun(Arm arm, const std::string& name, std::int64_t seed, double accuracy) {
    ComparedRun run;
    run.arm = arm;
    run.seed = seed;
    run.id = name + std::to_string(seed);
    run.name = run.id;
    run.complete = true;
    run.config.model.name = "mlp";
    run.config.batch.effective = 100;
    run.config.batch.micro = arm == Arm::Accumulated ? 25 : 100;
    run.batch = resolveBatch(run.config.batch).value();
    run.ends.testAccuracy = accuracy;
    run.ends.testLoss = 1.0 - accuracy;
    run.trainLoss = {{100.0, 200.0}, {accuracy, accuracy / 2.0}};
    return run;
}

/// Five seeds whose accuracies lie `shift` above 0.9, spread by 0.0005.
std::vector<ComparedRun> makeGroup(Arm arm, const std::string& name, double shift, std::int64_t seeds = 5) {
    std::vector<ComparedRun> group;
    for (std::int64_t seed = 0; seed < seeds; ++seed) {
        const double spread = arm == Arm::LargeBatch ? 0.0 : 0.0005 * static_cast<double>(seed - 2);
        group.push_back(makeRun(arm, name, seed, 0.9 + shift + spread));
    }
    return group;
}

/// A and C against the large batch B: A alone is equivalent with p between 0.025 and 0.05, C is far away.
ComparisonInput borderline() {
    ComparisonInput input;
    input.margin = 0.000866;
    input.groupA = makeGroup(Arm::Accumulated, "a", 0.0);
    input.groupB = makeGroup(Arm::LargeBatch, "b", 0.0);
    input.further = {makeGroup(Arm::Accumulated, "c", 0.02)};
    return input;
}

const std::string* argumentOf(const Message& message, const std::string& name) {
    for (const auto& [key, value] : message.arguments)
        if (key == name)
            return &value;
    return nullptr;
}

bool says(const Comparison& comparison, const std::string& code) {
    return std::ranges::any_of(comparison.sentences, [&](const Message& message) { return message.code == code; });
}

} // namespace

class TestCompareFamily : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// What is drawn behind the smoothed means: the same runs as they are.
    void theRawLossIsKeptBesideASmoothedOne() {
        ComparisonInput input = borderline();
        input.groupA.push_back(makeRun(Arm::Accumulated, "alone", 77, 5.0)); // in no pair, so not drawn
        const FamilyComparison smooth = compareFamily(input, BandKind::MinMax, {.half = 1});
        const FamilyComparison plain = compareFamily(input, BandKind::MinMax, {});
        QCOMPARE(smooth.curves.size(), std::size_t{3});
        for (std::size_t i = 0; i < smooth.curves.size(); ++i) {
            QVERIFY(plain.curves[i].rawLoss.y.empty());
            QVERIFY(smooth.curves[i].rawLoss.x == plain.curves[i].loss.x);
            QVERIFY(smooth.curves[i].rawLoss.y == plain.curves[i].loss.mean);
            QVERIFY(smooth.curves[i].loss.mean != plain.curves[i].loss.mean);
        }
    }

    void twoGroupsAreAFamilyOfOnePair() {
        ComparisonInput input = borderline();
        input.further.clear();
        const Comparison alone = compareGroups(input);
        const FamilyComparison family = compareFamily(input);
        QCOMPARE(family.members.size(), std::size_t{1});
        const Comparison& pair = family.members.front().comparison;
        QCOMPARE(family.members.front().group, std::size_t{0});
        QVERIFY(!pair.family);
        QVERIFY(compareBits(pair.test.meanDifference, alone.test.meanDifference));
        QVERIFY(pair.test.verdict == Verdict::Equivalent && alone.test.verdict == Verdict::Equivalent);
        QCOMPARE(verdictText(pair), verdictText(alone));
        QVERIFY(pair.warnings == alone.warnings);
        QCOMPARE(family.curves.size(), std::size_t{2});
        QVERIFY(family.curves[0].loss.mean == alone.lossA.mean && family.curves[1].loss.mean == alone.lossB.mean);
        QVERIFY(family.curves[1].loss.upper == alone.lossB.upper);
    }

    void eachGroupIsComparedWithTheReference() {
        const FamilyComparison family = compareFamily(borderline());
        QCOMPARE(family.members.size(), std::size_t{2});
        QCOMPARE(family.members[1].group, std::size_t{2});
        // C - B, not B - C and not C - A: five times 0.02, up to rounding of numbers near 1.
        QVERIFY(compareAbs(family.members[1].comparison.test.meanDifference, 0.02, 1e-12));
        QCOMPARE(family.members[1].comparison.pairs.front().runA, std::string("c0"));
        QCOMPARE(family.members[1].comparison.pairs.front().runB, std::string("b0"));
    }

    void theReferenceCanBeAnyGroup() {
        ComparisonInput input = borderline();
        input.reference = 2;
        const FamilyComparison family = compareFamily(input);
        QCOMPARE(family.members.size(), std::size_t{2});
        QCOMPARE(family.members[0].group, std::size_t{0});
        QCOMPARE(family.members[1].group, std::size_t{1});
        for (const FamilyMember& member : family.members)
            QVERIFY(compareAbs(member.comparison.test.meanDifference, -0.02, 1e-12));
        // A and C have the same arm: they go by their letters, not by those of the first two groups.
        const Message& finding = family.members[0].comparison.sentences.front();
        QCOMPARE(*argumentOf(finding, "a"), std::string("group.a"));
        QCOMPARE(*argumentOf(finding, "b"), std::string("group.c"));
    }

    /// The mistake that this is to catch: each pair judged as if it were alone, by which A would be equivalent.
    void holmCorrectsOverAllPairs() {
        const ComparisonInput input = borderline();
        const Comparison alone = compareGroups(pairInput(input, 0));
        QVERIFY(alone.test.verdict == Verdict::Equivalent);
        QVERIFY(alone.test.pEquivalence > 0.025 && alone.test.pEquivalence < 0.05);
        const FamilyComparison family = compareFamily(input);
        const Comparison& a = family.members[0].comparison;
        const Comparison& c = family.members[1].comparison;
        QVERIFY(compareBits(a.test.pEquivalence, alone.test.pEquivalence)); // that of the test stays as it is
        // C's p of equivalence is near 1: A's is the smaller of two, hence twice as large.
        QVERIFY(c.test.pEquivalence > 0.9);
        QVERIFY(compareRel(a.family->pEquivalence, 2.0 * alone.test.pEquivalence, 1e-12));
        QVERIFY(a.test.verdict == Verdict::Inconclusive);
        QVERIFY(c.test.verdict == Verdict::Different);
        QVERIFY(compareRel(c.family->pDifference, 2.0 * c.test.pDifference, 1e-12));
        for (const Comparison* pair : {&a, &c}) {
            QVERIFY(says(*pair, "verdict.holm-groups"));
            QVERIFY(!says(*pair, smallestMarginCode)); // which margin would pass depends on the other pairs
            QVERIFY(verdictText(*pair).find("2 pairs of groups are judged together") != std::string::npos);
        }
        QCOMPARE(a.headline.code, std::string("verdict.inconclusive"));
    }

    void pairsAndMetricsAreOneFamily() {
        ComparisonInput input = borderline();
        input.together = {{.metric = CompareMetric::TestLoss, .margin = 0.01, .marginFixed = false}};
        const FamilyComparison family = compareFamily(input);
        std::vector<double> p;
        for (const FamilyMember& member : family.members)
            for (const JudgedMetric& judged : member.comparison.together)
                p.push_back(judged.test.pEquivalence);
        QCOMPARE(p.size(), std::size_t{4});
        const std::vector<double> expected = holmAdjusted(p);
        std::size_t at = 0;
        for (const FamilyMember& member : family.members)
            for (const JudgedMetric& judged : member.comparison.together)
                QVERIFY(compareBits(judged.pEquivalence, expected[at++]));
        const Comparison& a = family.members[0].comparison;
        QCOMPARE(a.family->metrics, std::size_t{2});
        QVERIFY(compareBits(a.family->pEquivalence, a.together.front().pEquivalence));
        QVERIFY(a.test.verdict == a.together.front().test.verdict);
        QVERIFY(says(a, "verdict.holm-groups-metrics"));
    }

    void otherMethodsAreNeverEquivalent() {
        ComparisonInput input = borderline();
        input.margin = 0.1; // all would pass
        input.further = {makeGroup(Arm::Accumulated, "c", 0.0)};
        for (ComparedRun& run : input.further.front())
            run.modelTraits = "batch-norm"; // of micro-batches of 25 against 100
        const FamilyComparison family = compareFamily(input);
        QVERIFY(family.members[0].comparison.test.verdict == Verdict::Equivalent);
        QVERIFY(family.members[1].comparison.test.verdict == Verdict::WithinMarginOtherMethod);
    }

    void curvesAreOverTheRunsThatFormPairs() {
        ComparisonInput input = borderline();
        input.groupA.resize(3); // seeds 0 to 2
        input.further = {makeGroup(Arm::Accumulated, "c", 0.02)};
        input.further.front().erase(input.further.front().begin(), input.further.front().begin() + 2); // seeds 2 to 4
        const FamilyComparison family = compareFamily(input);
        QCOMPARE(family.curves.size(), std::size_t{3});
        QCOMPARE(family.curves[0].loss.n, std::size_t{3});
        QCOMPARE(family.curves[1].loss.n, std::size_t{5}); // with A or with C
        QCOMPARE(family.curves[2].loss.n, std::size_t{3});
        QCOMPARE(family.curves[2].group, std::size_t{2});
    }

    void aGroupWithoutRunsWaits() {
        ComparisonInput input = borderline();
        input.further = {{}, makeGroup(Arm::Accumulated, "d", 0.0)};
        QCOMPARE(groupCount(input), std::size_t{4});
        const FamilyComparison family = compareFamily(input);
        QCOMPARE(family.members.size(), std::size_t{2});
        QCOMPARE(family.members[1].group, std::size_t{3});
        QCOMPARE(family.curves.size(), std::size_t{3});
    }
};

QTEST_APPLESS_MAIN(TestCompareFamily)
} // namespace test_compare_family
#include "test_compare_family.moc"
