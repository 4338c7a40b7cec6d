// SPDX-License-Identifier: GPL-3.0-or-later
// Pairing, verdict in words, difference curves, warnings.
#include "core/analysis/compare.h"

#include "tests/support/numeric.h"
#include "tests/unit/analysis/compared_runs.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

namespace test_compare {
using namespace accumulus;
using accumulus::test::changeRuns;
using accumulus::test::compareAbs;
using accumulus::test::compareBits;
using accumulus::test::compareRel;
using accumulus::test::makeInput;
using accumulus::test::makeRun;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool anyContains(const std::vector<std::string>& texts, const std::string& part) {
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) { return contains(text, part); });
}

} // namespace

class TestCompare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pairsFollowSeedsNotOrder() {
        ComparisonInput input = makeInput({0.001, 0.002, 0.003}, 0.01);
        std::reverse(input.groupB.begin(), input.groupB.end());
        const Comparison comparison = compareGroups(input);
        QCOMPARE(comparison.pairs.size(), std::size_t{3});
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(comparison.pairs[i].seed, static_cast<std::int64_t>(i));
            // Accuracies near 1 carry rounding errors of 1e-16.
            QVERIFY(compareAbs(comparison.pairs[i].difference, 0.001 * static_cast<double>(i + 1), 1e-15));
        }
        QVERIFY(comparison.unpaired.empty());
        QVERIFY(comparison.warnings.empty());
    }

    void everyVerdictHasItsWords_data() {
        QTest::addColumn<QList<double>>("differences");
        QTest::addColumn<double>("margin");
        QTest::addColumn<QString>("headline");
        QTest::addColumn<QString>("part");
        using List = QList<double>;
        QTest::newRow("equivalent") << List{-0.0005, -0.0006, 0.0005, 0.0004, 0.0001} << 0.01
                                    << "Equivalent within ±1 points"
                                    << "lies inside ±1 points";
        QTest::newRow("different") << List{0.0491, 0.0500, 0.0507, 0.0487, 0.0495} << 0.01 << "Different"
                                   << "excludes 0 (p < 0.0001)";
        QTest::newRow("different within")
            << List{0.0040, 0.0044, 0.0041, 0.0049, 0.0044} << 0.01 << "Different, but within ±1 points"
            << "smaller than the margin";
        QTest::newRow("two pairs") << List{0.0003, 0.0002} << 0.01 << "Not enough seeds (2 of at least 3)"
                                   << "at least 3 paired seeds";
        QTest::newRow("noise") << List{-0.0093, -0.1258, -0.0269, -0.0024, 0.0057} << 0.01 << "Inconclusive"
                               << "no evidence of equality";
    }
    void everyVerdictHasItsWords() {
        QFETCH(QList<double>, differences);
        QFETCH(double, margin);
        QFETCH(QString, headline);
        QFETCH(QString, part);
        ComparisonInput input = makeInput({}, margin);
        for (qsizetype i = 0; i < differences.size(); ++i) {
            input.groupA.push_back(makeRun(Arm::Accumulated, i, 0.8 + differences[i]));
            input.groupB.push_back(makeRun(Arm::LargeBatch, i, 0.8));
        }
        const Comparison comparison = compareGroups(input);
        QCOMPARE(QString::fromStdString(messageText(comparison.headline)), headline);
        QVERIFY2(contains(verdictText(comparison), part.toStdString()), verdictText(comparison).c_str());
        QVERIFY2(contains(verdictText(comparison), "paired seeds"), verdictText(comparison).c_str());
    }

    void theSentenceCarriesTheNumbers() {
        // SciPy 1.17 (test_statistics): mean -0.00002, 90 % interval -0.000503 to 0.000463, smallest margin 0.000503.
        const Comparison comparison = compareGroups(makeInput({-0.0005, -0.0006, 0.0005, 0.0004, 0.0001}, 0.005));
        QCOMPARE(QString::fromStdString(messageText(comparison.headline)),
                 QStringLiteral("Equivalent within ±0.5 points"));
        QVERIFY2(
            contains(
                verdictText(comparison),
                "Accumulated minus large batch: mean difference in final test accuracy −0.002 points (90 % interval "
                "−0.050 to +0.046; 5 paired seeds)."),
            verdictText(comparison).c_str());
        // 0.0503 rounded up, so that the margin shown would really pass.
        QVERIFY2(contains(verdictText(comparison), "Smallest margin that would pass: 0.051 points."),
                 verdictText(comparison).c_str());
    }

    // Of accuracies the higher is better, of losses the lower: the same runs, the same better group.
    void theBetterGroupIsNamed() {
        ComparisonInput input = makeInput({0.02, 0.021, 0.022, 0.0205}, 0.005);
        QVERIFY(contains(verdictText(compareGroups(input)), "Better: accumulated (higher is better)."));
        input.metric = CompareMetric::TestLoss; // 1 - accuracy
        QVERIFY(contains(verdictText(compareGroups(input)), "Better: accumulated (lower is better)."));
        for (ComparedRun& run : input.groupA)
            run.ends.testLoss = *run.ends.testLoss + 0.1;
        QVERIFY(contains(verdictText(compareGroups(input)), "Better: large batch (lower is better)."));
    }

    void aMetricHasItsOwnMargin() {
        ComparisonInput input = makeInput({0.001, 0.002, 0.003}, 0.0);
        QVERIFY(compareBits(compareGroups(input).test.margin, 0.002));
        input.metric = CompareMetric::TestLoss; // 1 % of the large batch's mean: 0.05, 0.049, 0.048
        QVERIFY(compareRel(compareGroups(input).test.margin, 0.00049, 1e-12));
    }

    void aLossHasItsMetrics() {
        ComparisonInput input = makeInput({0.001, 0.002, 0.003}, 0.0);
        // What was measured of accuracy says nothing here.
        changeRuns(input, [](ComparedRun& run) { run.config.loss.kind = LossKind::Mse; });
        QCOMPARE(compareGroups(input).pairs.size(), std::size_t{0});
        QVERIFY(compareGroups(input).shown == CompareMetric::TestAccuracy); // asked for by name
        input.metric = CompareMetric::TestLoss;
        QCOMPARE(compareGroups(input).pairs.size(), std::size_t{3});
        QVERIFY(compareGroups(input).shown == CompareMetric::TestRmse);
    }

    void aNonSignificantDifferenceIsNeverEquality() {
        const Comparison comparison = compareGroups(makeInput({-0.0093, -0.0258, 0.0269, -0.0024, 0.0057}, 0.01));
        QVERIFY(comparison.test.pDifference > 0.5);
        QCOMPARE(static_cast<int>(comparison.test.verdict), static_cast<int>(Verdict::Inconclusive));
        QVERIFY(!contains(messageText(comparison.headline), "quivalent"));
    }

    // BatchNorm makes the large batch another method: the numbers of an equivalence do not make it one.
    void aBatchNormPairIsNeverCalledEquivalent() {
        ComparisonInput input = makeInput({-0.0005, 0.0, 0.0005, 0.0003, -0.0003}, 0.01);
        QCOMPARE(compareGroups(input).test.verdict, Verdict::Equivalent); // mlp and lenet5 have no BatchNorm
        changeRuns(input, [](ComparedRun& run) { run.config.model.name = "resnet18"; });
        const Comparison plain = compareGroups(input);
        QCOMPARE(plain.test.verdict, Verdict::WithinMarginOtherMethod);
        QVERIFY(!contains(messageText(plain.headline), "Equivalent"));
        QVERIFY(contains(verdictText(plain), "BatchNorm"));
        // Ghost-matched, frozen, or without BatchNorm it may be called so.
        const auto verdictOf = [&](BatchNormMode a, BatchNormMode b, std::int64_t ghost) {
            for (ComparedRun& run : input.groupA)
                run.config.numerics.batchNorm = a;
            for (ComparedRun& run : input.groupB) {
                run.config.numerics.batchNorm = b;
                run.config.numerics.ghost = ghost;
            }
            return compareGroups(input).test.verdict;
        };
        QCOMPARE(verdictOf(BatchNormMode::Micro, BatchNormMode::Micro, 25), Verdict::Equivalent);
        QCOMPARE(verdictOf(BatchNormMode::Frozen, BatchNormMode::Frozen, 0), Verdict::Equivalent);
        QCOMPARE(verdictOf(BatchNormMode::Frozen, BatchNormMode::Micro, 25), Verdict::WithinMarginOtherMethod);
        changeRuns(input, [](ComparedRun& run) { run.config.model.norm = "group"; });
        QCOMPARE(compareGroups(input).test.verdict, Verdict::Equivalent);
    }

    void identicalRunsAreSaidToBeIdentical() {
        const Comparison comparison = compareGroups(makeInput({0.0, 0.0, 0.0}, 0.002));
        QVERIFY2(contains(verdictText(comparison), "All 3 paired seeds gave exactly the same final test accuracy"),
                 verdictText(comparison).c_str());
        QVERIFY(compareAbs(comparison.test.pEquivalence, 0.0, 0.0));
    }

    void whatCannotBeUsedIsListed() {
        ComparisonInput input = makeInput({0.001, 0.002, 0.003, 0.004}, 0.01);
        input.groupA[0].complete = false;
        input.groupA[1].ends.testAccuracy = std::numeric_limits<double>::quiet_NaN();
        input.groupB[2].ends.testAccuracy.reset();
        input.groupA.push_back(makeRun(Arm::Accumulated, 3, 0.5));
        input.groupA.back().name = "second try";
        input.groupB.push_back(makeRun(Arm::LargeBatch, 9, 0.95));
        const Comparison comparison = compareGroups(input);
        QCOMPARE(comparison.pairs.size(), std::size_t{1});
        QVERIFY(compareAbs(comparison.pairs[0].difference, 0.004, 1e-15)); // the first run of seed 3 counts
        for (const char* part : {"(seed 0) is not complete", "(seed 1) has a final test accuracy that is not finite",
                                 "(seed 2) has no final test accuracy", "Run second try (seed 3) repeats a seed",
                                 "(seed 9) has no partner", "(seed 0) has no partner"})
            QVERIFY2(anyContains(sentencesOf(comparison.unpaired), part), part);
        QCOMPARE(comparison.unpaired.size(), std::size_t{8}); // and the lonely partners of seeds 1 and 2
    }

    void aRunIsNotComparedWithItself() {
        ComparisonInput input = makeInput({0.001, 0.002, 0.003}, 0.01);
        input.groupB = input.groupA;
        const Comparison comparison = compareGroups(input);
        QVERIFY(comparison.pairs.empty());
        QVERIFY(anyContains(sentencesOf(comparison.unpaired), "is in both groups"));
        QVERIFY(contains(verdictText(comparison), "nothing to compare"));
    }

    void emptyGroupsDoNotCrash() {
        const Comparison comparison = compareGroups({});
        QCOMPARE(static_cast<int>(comparison.test.verdict), static_cast<int>(Verdict::NotEnoughSeeds));
        QVERIFY(comparison.lossA.x.empty() && comparison.lossDifference.x.empty());
    }

    void withoutPairsTheCurvesAreStillThere() {
        ComparisonInput input = makeInput({0.001, 0.002, 0.003}, 0.01);
        for (ComparedRun& run : input.groupB)
            run.seed += 100;
        const Comparison comparison = compareGroups(input);
        QCOMPARE(comparison.lossA.n, std::size_t{3});
        QCOMPARE(comparison.lossB.n, std::size_t{3});
        QVERIFY(comparison.lossDifference.x.empty());
    }

    void differencesUseRawValuesAtEqualSamples() {
        const Comparison comparison =
            compareGroups(makeInput({0.001, 0.002, 0.003}, 0.01), BandKind::MinMax, {.beta = 0.95});
        QCOMPARE(comparison.interpolated, std::size_t{0});
        QCOMPARE(comparison.lossDifference.x.size(), std::size_t{10});
        // Built with a difference of exactly 0.25 in every window; the sums before it round at 1e-16.
        for (std::size_t i = 0; i < 10; ++i)
            QVERIFY(compareAbs(comparison.lossDifference.mean[i], 0.25, 1e-15));
        // Accuracy: 0.001, 0.002, 0.003 at both evaluations.
        QVERIFY(compareAbs(comparison.metricDifference.mean[1], 0.002, 1e-15));
        QVERIFY(compareAbs(comparison.metricDifference.lower[1], 0.001, 1e-15));
        QVERIFY(compareAbs(comparison.metricDifference.upper[1], 0.003, 1e-15));
    }

    void differentGridsAreInterpolatedAndCounted() {
        ComparisonInput input = makeInput({0.0, 0.0, 0.0}, 0.01);
        for (ComparedRun& run : input.groupB) {
            run.trainLoss = {{100.0, 1000.0}, {1.0, 10.0}}; // y = x / 100
            run.samples = 900;
        }
        for (ComparedRun& run : input.groupA)
            for (std::size_t i = 0; i < 10; ++i)
                run.trainLoss.y[i] = run.trainLoss.x[i] / 100.0 + 0.5;
        const Comparison comparison = compareGroups(input);
        QCOMPARE(comparison.interpolated, std::size_t{3 * 8});
        for (const double mean : comparison.lossDifference.mean)
            QVERIFY(compareAbs(mean, 0.5, 1e-13)); // values up to 10: 1e-15 each, a few operations
        QVERIFY(anyContains(sentencesOf(comparison.warnings), "1\u00a0000 and 900 samples"));
    }

    void smoothingIsNotAppliedToDifferences() {
        // The mutant would average the difference 1, 0, 0, ... into every later window.
        ComparisonInput input = makeInput({0.0, 0.0, 0.0}, 0.01);
        for (std::size_t i = 0; i < 3; ++i) {
            input.groupA[i].trainLoss.y = input.groupB[i].trainLoss.y;
            input.groupA[i].trainLoss.y[0] += 1.0;
        }
        const Comparison comparison = compareGroups(input, BandKind::MinMax, {.beta = 0.9});
        QVERIFY(compareAbs(comparison.lossDifference.mean[0], 1.0, 1e-15));
        QVERIFY(compareAbs(comparison.lossDifference.mean[1], 0.0, 1e-15));
        QVERIFY(comparison.lossA.mean[1] - comparison.lossB.mean[1] > 0.1);
    }

    void unexpectedDifferencesWarn() {
        ComparisonInput input = makeInput({0.001, 0.002, 0.003}, 0.01);
        const Comparison clean = compareGroups(input);
        QVERIFY(clean.warnings.empty());
        QVERIFY(std::any_of(clean.differences.begin(), clean.differences.end(),
                            [](const FieldDifference& d) { return d.key == "batch.micro" && d.expected; }));
        for (ComparedRun& run : input.groupB) {
            run.config.optimizer.lr = 0.02;
            run.environment[1].second = "2.12.0";
        }
        input.groupA[2].config.optimizer.momentum = 0.5;
        input.marginSetAfterResults = true;
        input.marginSetAt = 2.0;
        const Comparison comparison = compareGroups(input);
        for (const char* part : {"optimizer.lr is 0.01 in group A and 0.02 in group B",
                                 "libtorch is 2.11.0 in group A and 2.12.0 in group B",
                                 "The margin was set after the results", "group A do not share one configuration"})
            QVERIFY2(anyContains(sentencesOf(comparison.warnings), part), part);
        QCOMPARE(comparison.warnings.size(), std::size_t{4});
    }

    void runsThatHaveNotBegunDifferInNothing() {
        ComparisonInput input = makeInput({0.001, 0.002, 0.003}, 0.01);
        for (ComparedRun& run : input.groupB) {
            run.complete = false;
            run.environment.clear();
        }
        QVERIFY(compareGroups(input).warnings.empty());
    }

    void anotherMetricIsNoChangedMargin() {
        ComparisonInput input = makeInput({0.001, 0.002, 0.003}, 0.01);
        input.marginSetAt = 2.0;
        input.metricChosenAfterResults = true;
        auto warnings = sentencesOf(compareGroups(input).warnings);
        QCOMPARE(warnings.size(), std::size_t{1});
        QVERIFY(anyContains(warnings, "The metric was chosen after the results"));
        input.marginSetAt = 0.0;
        input.marginSetAfterResults = true;
        warnings = sentencesOf(compareGroups(input).warnings);
        QVERIFY(anyContains(warnings, "No margin was fixed for this metric"));
        QVERIFY(!anyContains(warnings, "The margin was set after"));
    }

    void accumulationsSavingOfMemoryIsTold() {
        ComparisonInput input = makeInput({0.001, 0.002, 0.003}, 0.01);
        QVERIFY(!compareGroups(input).saving); // not measured
        for (std::vector<ComparedRun>* group : {&input.groupA, &input.groupB})
            for (ComparedRun& run : *group) {
                run.peakBytes = group == &input.groupA ? 3'600'000 : 8'200'000;
                run.ends.evaluationPeakBytes = 19'700'000;
            }
        const auto text = [&input] { return messageText(compareGroups(input).saving.value_or(Message())); };
        const std::string saves = "Accumulation saves 56 % of training memory: 3.6 MB in place of 8.2 MB.";
        QCOMPARE(text(), saves);
        std::swap(input.groupA, input.groupB);
        QCOMPARE(text(), saves);
        for (ComparedRun& run : input.groupA)
            run.peakBytes = 3'000'000;
        QCOMPARE(text(), "Accumulation takes 20 % more training memory: 3.6 MB in place of 3.0 MB.");
        // Of an earlier version's runs the peak may be an evaluation's.
        input.groupB[1].ends.evaluationPeakBytes = 0;
        QVERIFY(!compareGroups(input).saving);
    }

    void aDerivedEffectiveBatchIsTheSame() {
        ComparisonInput input = makeInput({0.001, 0.002, 0.003}, 0.01);
        for (ComparedRun& run : input.groupA) {
            run.config.batch.effective = 0;
            run.config.batch.steps = 4;
        }
        QVERIFY(compareGroups(input).warnings.empty());
    }

    void seedSpreadIsPooled() {
        // Group B: 0.95, 0.951, 0.952: variance 1e-6. Group A adds 0, 0.001, 0.002: 0.95, 0.952, 0.954: variance 4e-6.
        const Comparison comparison = compareGroups(makeInput({0.0, 0.001, 0.002}, 0.01));
        QVERIFY(compareRel(comparison.seedSpread, std::sqrt(2.5e-6), 1e-12)); // differences of 1e-3 near 1: 1e-13
    }

    void metricsHaveNames() {
        for (const auto metric : {CompareMetric::TestAccuracy, CompareMetric::BestTestAccuracy, CompareMetric::TestLoss,
                                  CompareMetric::TrainLoss})
            QVERIFY(metricFromName(metricName(metric)) == metric);
        QVERIFY(!metricFromName("accuracy"));
        ComparisonInput input = makeInput({0.001, 0.002, 0.003}, 0.01);
        input.metric = CompareMetric::TestLoss;
        const Comparison comparison = compareGroups(input);
        QVERIFY(compareAbs(comparison.test.meanDifference, -0.002, 1e-15));
        QVERIFY2(contains(messageText(comparison.headline), "±0.01") &&
                     !contains(messageText(comparison.headline), "points"),
                 messageText(comparison.headline).c_str());
    }
};

QTEST_APPLESS_MAIN(TestCompare)
} // namespace test_compare
#include "test_compare.moc"
