// SPDX-License-Identifier: GPL-3.0-or-later
// Several metrics judged together: Holm's correction, the verdicts that follow, and what is said of it.
#include "core/analysis/compare.h"
#include "tests/support/numeric.h"
#include "tests/unit/analysis/compared_run.h"

#include <QTest>

#include <algorithm>
#include <bit>
#include <random>
#include <string>
#include <vector>

namespace test_compare_together {
using namespace accumulus;
using accumulus::test::compareAbs;
using accumulus::test::compareBits;
using accumulus::test::compareRel;
using accumulus::test::completedRun;

namespace {

/// Holm's method is the closed test of Bonferroni's: a claim holds where each set of claims that holds it does, so its
/// adjusted p is the largest of (size of the set) x (smallest p in it). Independent of any sorting.
std::vector<double> closedBonferroni(const std::vector<double>& p) {
    std::vector<double> adjusted(p.size(), 0.0);
    for (unsigned set = 1; set < (1U << p.size()); ++set) {
        double smallest = 1.0;
        for (std::size_t i = 0; i < p.size(); ++i)
            if ((set >> i & 1U) != 0)
                smallest = std::min(smallest, p[i]);
        for (std::size_t i = 0; i < p.size(); ++i)
            if ((set >> i & 1U) != 0)
                adjusted[i] = std::max(adjusted[i], std::min(1.0, std::popcount(set) * smallest));
    }
    return adjusted;
}

ComparedRun makeRun(Arm arm, std::int64_t seed, double accuracy, double loss) {
    ComparedRun run = completedRun(arm, seed, accuracy, loss);
    run.ends.finalTrainLoss = 0.5 + (arm == Arm::Accumulated ? 0.001 * static_cast<double>(seed % 2) : 0.0);
    return run;
}

/// Alone, accuracy is equivalent with p between 0.025 and 0.05: too large for two metrics. The losses differ widely.
ComparisonInput borderline() {
    ComparisonInput input;
    input.margin = 0.000866;
    for (std::int64_t seed = 0; seed < 5; ++seed) {
        const double difference = 0.0005 * static_cast<double>(seed - 2);
        input.groupA.push_back(makeRun(Arm::Accumulated, seed, 0.9 + difference, 0.30 + 0.1 * difference));
        input.groupB.push_back(makeRun(Arm::LargeBatch, seed, 0.9, 0.20));
    }
    return input;
}

} // namespace

class TestCompareTogether : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void holmAgreesWithAPublishedExample() {
        // The example of Wikipedia's "Holm–Bonferroni method": of 0.01, 0.04, 0.03 and 0.005 at 0.05 the first and the
        // last are rejected. R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") gives 0.03 0.06 0.06 0.02.
        const std::vector<double> adjusted = holmAdjusted(std::vector{0.01, 0.04, 0.03, 0.005});
        const std::vector<double> expected{0.03, 0.06, 0.06, 0.02};
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY(compareRel(adjusted[i], expected[i], 1e-15)); // one product of rounded decimals
    }

    void holmIsTheClosedTestOfBonferroni() {
        std::mt19937 generator(7);
        std::uniform_real_distribution<double> uniform(0.0, 0.3);
        for (int round = 0; round < 200; ++round) {
            std::vector<double> p(1 + static_cast<std::size_t>(round) % 6);
            for (double& value : p)
                value = round % 5 == 0 ? 0.02 * static_cast<double>(generator() % 4) : uniform(generator); // with ties
            const std::vector<double> adjusted = holmAdjusted(p);
            const std::vector<double> closed = closedBonferroni(p);
            for (std::size_t i = 0; i < p.size(); ++i)
                QVERIFY(compareBits(adjusted[i], closed[i])); // the same products
        }
        QVERIFY(holmAdjusted({}).empty());
    }

    void aMetricAloneIsNotCorrected() {
        const Comparison alone = compareGroups(borderline());
        QVERIFY(alone.together.empty());
        QVERIFY2(alone.test.pEquivalence > 0.025 && alone.test.pEquivalence < 0.05,
                 std::to_string(alone.test.pEquivalence).c_str());
        QCOMPARE(alone.test.verdict, Verdict::Equivalent);
        QVERIFY(verdictText(alone).find("Holm") == std::string::npos);
        QVERIFY(verdictText(alone).find("would pass") != std::string::npos);
    }

    void severalAreCorrectedAndSaySo() {
        ComparisonInput input = borderline();
        input.together = {{CompareMetric::TestLoss, 0.01, true}, {CompareMetric::TrainLoss, 0.0, false}};
        const double alone = compareGroups(borderline()).test.pEquivalence;
        const Comparison comparison = compareGroups(input);
        QCOMPARE(comparison.together.size(), std::size_t{3});
        QVERIFY(comparison.together[0].metric == CompareMetric::TestAccuracy);
        std::vector<double> equivalence;
        std::vector<double> difference;
        for (const JudgedMetric& judged : comparison.together) {
            equivalence.push_back(judged.test.pEquivalence);
            difference.push_back(judged.test.pDifference);
        }
        QVERIFY(compareBits(equivalence[0], alone));
        equivalence = closedBonferroni(equivalence);
        difference = closedBonferroni(difference);
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY(compareBits(comparison.together[i].pEquivalence, equivalence[i]));
            QVERIFY(compareBits(comparison.together[i].pDifference, difference[i]));
        }
        // What was equivalent alone is not any more, and nobody calls it equal.
        QCOMPARE(comparison.test.verdict, Verdict::Inconclusive);
        QCOMPARE(comparison.together[0].test.verdict, Verdict::Inconclusive);
        QCOMPARE(comparison.together[1].test.verdict, Verdict::Different);
        QVERIFY(compareRel(comparison.together[1].meanA, 0.30, 1e-12));
        QVERIFY(compareRel(comparison.together[1].meanB, 0.20, 1e-12));
        QVERIFY(comparison.together[1].marginFixed && !comparison.together[2].marginFixed);
        QVERIFY(compareBits(comparison.together[1].test.margin, 0.01));
        QVERIFY(compareRel(comparison.together[2].test.margin, 0.005, 1e-12)); // 1 % of the large batch's mean
        const std::string text = verdictText(comparison);
        QVERIFY2(text.find("3 metrics are judged together: the p values are corrected by Holm's method") !=
                     std::string::npos,
                 text.c_str());
        QVERIFY2(text.find("would pass") == std::string::npos, text.c_str());
        QCOMPARE(messageText(comparison.headline), std::string("Inconclusive"));
    }

    void eachMetricHasItsOwnPairs() {
        ComparisonInput input = borderline();
        input.together = {{CompareMetric::TestLoss, 0.01, true}};
        input.groupA[1].ends.testLoss.reset();
        const Comparison comparison = compareGroups(input);
        QCOMPARE(comparison.together[0].test.n, std::size_t{5});
        QCOMPARE(comparison.together[1].test.n, std::size_t{4});
        QCOMPARE(comparison.unpaired.size(), std::size_t{1}); // the run, but not its partner
        QCOMPARE(comparison.unpaired.front().code, std::string("unpaired.no-metric"));
        QVERIFY(messageText(comparison.unpaired.front()).find("test loss") != std::string::npos);
        input.groupA[1] = borderline().groupA[1];
        QVERIFY(compareGroups(input).unpaired.empty());
    }

    void anotherMethodIsNeverEquivalentAlsoTogether() {
        ComparisonInput input = borderline();
        input.margin = 0.1;
        input.together = {{CompareMetric::TestLoss, 0.5, true}};
        QCOMPARE(compareGroups(input).test.verdict, Verdict::Equivalent);
        for (auto* group : {&input.groupA, &input.groupB})
            for (ComparedRun& run : *group)
                run.modelTraits = "couples";
        for (const JudgedMetric& judged : compareGroups(input).together)
            QVERIFY(judged.test.verdict != Verdict::Equivalent);
        QCOMPARE(compareGroups(input).test.verdict, Verdict::WithinMarginOtherMethod);
    }

    void seedsThatCameLateAreNamed() {
        ComparisonInput input = borderline();
        const auto warned = [&input] {
            return std::ranges::any_of(compareGroups(input).warnings, [](const Message& warning) {
                return messageText(warning).find("Seeds were added after results had been seen") != std::string::npos;
            });
        };
        QVERIFY(!warned());
        input.seedsAddedAfterResults = true;
        QVERIFY(warned());
    }

    void curvesRunOverTheAxisOfTheirRuns() {
        ComparisonInput input = borderline();
        const auto evaluation = [](std::int64_t update, double accuracy) {
            EvaluationRecord record;
            record.update = update;
            record.samples = 100 * update;
            record.epochPosition = 0.5 * static_cast<double>(update);
            record.activeSeconds = 2.0 * static_cast<double>(update);
            record.wallTime = 1000.0 + 3.0 * static_cast<double>(update);
            record.accuracy = accuracy;
            return record;
        };
        for (auto* group : {&input.groupA, &input.groupB})
            for (ComparedRun& run : *group) {
                run.startedAt = 1000.0;
                run.tests = {evaluation(1, 0.5), evaluation(4, 0.9)};
            }
        const std::vector<std::pair<CurveAxis, double>> ends{{CurveAxis::Samples, 400.0},
                                                             {CurveAxis::Updates, 4.0},
                                                             {CurveAxis::Epochs, 2.0},
                                                             {CurveAxis::WallTime, 12.0},
                                                             {CurveAxis::ActiveTime, 8.0}};
        for (const auto& [axis, end] : ends) {
            for (auto* group : {&input.groupA, &input.groupB})
                for (ComparedRun& run : *group)
                    run.axis = axis;
            const Comparison comparison = compareGroups(input);
            QVERIFY(comparison.axis == axis);
            QCOMPARE(comparison.metricA.x.size(), std::size_t{2});
            QVERIFY(compareBits(comparison.metricA.x.back(), end));
            QVERIFY(axisFromName(axisName(axis)) == axis);
        }
        QVERIFY(!axisFromName("steps"));
        for (const BandKind kind :
             {BandKind::MinMax, BandKind::StandardDeviation, BandKind::StandardError, BandKind::Confidence95})
            QVERIFY(bandFromCode(bandCode(kind)) == kind);
        QVERIFY(!bandFromCode(""));
    }

    /// Arms of different speed share only a part of the time: values are interpolated inside of it, and counted.
    void onlyTheOverlapIsInterpolated() {
        ComparisonInput input = borderline();
        for (auto* group : {&input.groupA, &input.groupB})
            for (ComparedRun& run : *group) {
                run.axis = CurveAxis::ActiveTime;
                const double step = run.arm == Arm::Accumulated ? 1.0 : 0.4;
                for (int window = 1; window <= 10; ++window) {
                    run.trainLoss.x.push_back(step * window);
                    run.trainLoss.y.push_back(run.arm == Arm::Accumulated ? 2.0 : 1.0);
                }
            }
        const Comparison comparison = compareGroups(input);
        QVERIFY(compareBits(comparison.lossDifference.x.back(), 4.0)); // the large batch ends there
        for (const double y : comparison.lossDifference.mean)
            QVERIFY(compareAbs(y, 1.0, 1e-12));
        // Of the first arm's 1, 2, 3 and 4 the second has 2 and 4: two values in each of five pairs.
        QCOMPARE(comparison.interpolated, std::size_t{10});
    }

    /// Each seed takes its own time: every evaluation and window is in the mean, at the mean of their times.
    void seedsMeetAfterEqualSamplesOnAnAxisOfTime() {
        ComparisonInput input = borderline();
        for (auto* group : {&input.groupA, &input.groupB})
            for (ComparedRun& run : *group) {
                run.axis = CurveAxis::ActiveTime;
                const double pace = 1.0 + 3.0 * static_cast<double>(run.seed); // the last is over before others begin
                for (int window = 1; window <= 10; ++window) {
                    run.trainLoss.x.push_back(pace * window);
                    run.trainLoss.y.push_back(1.0 / window);
                    run.seen.push_back(100.0 * window);
                }
                EvaluationRecord end;
                end.samples = 1000;
                end.activeSeconds = pace * 10.0;
                end.accuracy = 0.9;
                run.tests = {end};
            }
        const Comparison comparison = compareGroups(input, BandKind::MinMax, {});
        QCOMPARE(comparison.lossA.x.size(), std::size_t{10});
        for (std::size_t i = 0; i < comparison.lossA.x.size(); ++i) {
            const auto window = static_cast<double>(i + 1);
            QVERIFY(compareRel(comparison.lossA.x[i], 7.0 * window, 1e-12)); // the seeds' paces are 1, 4, 7, 10, 13
            QVERIFY(compareRel(comparison.lossA.mean[i], 1.0 / window, 1e-12));
            QVERIFY(compareRel(comparison.lossA.lower[i], comparison.lossA.upper[i], 1e-12));
        }
        QCOMPARE(comparison.metricB.x.size(), std::size_t{1});
        QVERIFY(compareRel(comparison.metricB.x[0], 70.0, 1e-12));
        QCOMPARE(comparison.lossDifference.x.size(), std::size_t{10}); // of each pair at equal times
        QCOMPARE(comparison.metricDifference.n, std::size_t{5});
        QVERIFY(compareRel(comparison.metricDifference.x.at(0), 70.0, 1e-12));
    }
};

QTEST_APPLESS_MAIN(TestCompareTogether)
} // namespace test_compare_together
#include "test_compare_together.moc"
