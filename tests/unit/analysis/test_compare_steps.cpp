// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts on shares of few answers: what steps that are larger than the margin allow to say.
#include "core/analysis/compare.h"

#include "tests/support/numeric.h"
#include "tests/unit/analysis/compared_runs.h"

#include <QTest>
#include <cmath>
#include <random>
#include <string>

namespace test_compare_steps {
using namespace accumulus;
using accumulus::test::changeRuns;
using accumulus::test::compareAbs;
using accumulus::test::compareRel;
using accumulus::test::makeInput;
using accumulus::test::makeRun;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

class TestCompareSteps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Ties of shares of few answers are no evidence.
    void fewTestSamplesShowNoEquivalence() {
        ComparisonInput input = makeInput({0.0, 0.0, 0.0}, 0.002);
        const auto evaluated = [&input](std::int64_t count) {
            changeRuns(input, [count](ComparedRun& run) { run.testCount = count; });
            return compareGroups(input);
        };
        const Comparison few = evaluated(50);
        QVERIFY(few.test.verdict == Verdict::Inconclusive);
        QVERIFY2(
            contains(verdictText(few), "changes final test accuracy by 2 points, more than the margin of ±0.2 points"),
            verdictText(few).c_str());
        QVERIFY2(contains(verdictText(few), "Smallest margin that would pass: 2"), verdictText(few).c_str());
        QVERIFY(judgeGroups(input) == few.test.verdict);
        QVERIFY(evaluated(499).test.verdict == Verdict::Inconclusive);
        QVERIFY(evaluated(500).test.verdict == Verdict::Equivalent);
        const Comparison many = evaluated(10000);
        QVERIFY(many.test.verdict == Verdict::Equivalent);
        QVERIFY2(contains(verdictText(many), "A single prediction changes it by 0.01 points:"),
                 verdictText(many).c_str());
        QVERIFY(!contains(verdictText(many), "any other margin"));
        QVERIFY(evaluated(0).test.verdict == Verdict::Equivalent); // imported, perhaps: nobody knows
        // Text has an answer for each token; a loss is no share; a wide margin can be told.
        changeRuns(input, [](ComparedRun& run) {
            run.testCount = 50;
            run.config.data.dataset = "tinyshakespeare";
            run.config.data.block = 64;
        });
        QVERIFY(compareGroups(input).test.verdict == Verdict::Equivalent);
        changeRuns(input, [](ComparedRun& run) { run.config.data = {}; });
        input.margin = 0.03;
        QVERIFY(evaluated(50).test.verdict == Verdict::Equivalent);
        input.margin = 0.0;
        input.metric = CompareMetric::TestLoss;
        QVERIFY(evaluated(50).test.verdict == Verdict::Equivalent);
    }

    /// Yes and no are answers as well. Tensors may ask for several a sample, unless all shares are of whole samples.
    void answersOfEveryKindAreCounted() {
        const auto verdict = [](LossKind kind, const char* dataset, double accuracy) {
            ComparisonInput input = makeInput({0.0, 0.0, 0.0}, 0.002);
            changeRuns(input, [&](ComparedRun& run) {
                run.testCount = 20;
                run.config.loss.kind = kind;
                run.config.data.dataset = dataset;
                run.ends.testAccuracy = accuracy;
            });
            return compareGroups(input).test;
        };
        for (const LossKind kind : {LossKind::CrossEntropy, LossKind::BceWithLogits})
            for (const char* dataset : {"table", "tensors"}) {
                const EquivalenceTest test = verdict(kind, dataset, 11.0 / 20.0);
                QVERIFY(test.verdict == Verdict::Inconclusive);
                QVERIFY(compareRel(test.step, 0.05, 1e-12));
            }
        QVERIFY(verdict(LossKind::BceWithLogits, "tensors", 0.5125).verdict == Verdict::Equivalent);
        QVERIFY(verdict(LossKind::BceWithLogits, "table", 0.5125).verdict == Verdict::Inconclusive);
    }

    /// Runs whose true difference is the margin: "equivalent" is an error then, of nominally 5 %. Steps no larger than
    /// the margin make 6 % of it at most; without the rule, of 100 samples, ties make it say so most of the time.
    void theRuleKeepsTheError() {
        constexpr double margin = 0.002, spread = 0.002;
        const auto errors = [](std::int64_t samples, int pairs, bool known) {
            constexpr int studies = 4000;
            std::mt19937_64 generator(7);
            std::normal_distribution<double> difference(margin, spread);
            int equivalent = 0;
            ComparisonInput input = makeInput({}, margin);
            for (int seed = 0; seed < pairs; ++seed) {
                input.groupA.push_back(makeRun(Arm::Accumulated, seed, 0.9));
                input.groupB.push_back(makeRun(Arm::LargeBatch, seed, 0.9));
            }
            changeRuns(input, [&](ComparedRun& run) { run.testCount = known ? samples : 0; });
            for (int study = 0; study < studies; ++study) {
                for (ComparedRun& run : input.groupA) {
                    const auto counted = static_cast<double>(samples);
                    run.ends.testAccuracy = 0.9 + std::round(difference(generator) * counted) / counted;
                }
                equivalent += judgeGroups(input) == Verdict::Equivalent ? 1 : 0;
            }
            return static_cast<double>(equivalent) / studies;
        };
        // 4000 studies: a standard error of 0.38 points at 6 %.
        constexpr double allowed = 0.06 + 3.0 * 0.0038;
        for (const int pairs : {3, 5, 10})
            for (const std::int64_t samples : {500, 1000}) {
                const double error = errors(samples, pairs, true);
                QVERIFY2(error <= allowed,
                         qPrintable(QStringLiteral("%1 samples, %2 pairs: %3").arg(samples).arg(pairs).arg(error)));
            }
        QCOMPARE(errors(100, 3, true), 0.0);
        QVERIFY(errors(100, 3, false) > 0.5);
    }

    /// The mistake that this is to catch: no spread among differences of one answer each, taken for certainty.
    void differencesThatAgreeToTheStepHaveASpread() {
        ComparisonInput input = makeInput({0.01, 0.01, 0.01}, 0.05);
        changeRuns(input, [](ComparedRun& run) { run.testCount = 100; });
        const EquivalenceTest test = compareGroups(input).test;
        // t = step / (step / sqrt(12 * 3)) = 6 with 2 degrees of freedom; SciPy: 2 * t.sf(6, 2) = 0.026671.
        QVERIFY(compareRel(test.standardError, 0.01 / 6.0, 1e-9)); // accuracies near 1 carry rounding errors of 1e-16
        QVERIFY(compareAbs(test.pDifference, 0.026671, 1e-6));     // the digits given
        QVERIFY(test.ci95Lower < test.meanDifference && test.meanDifference < test.ci95Upper);
        changeRuns(input, [](ComparedRun& run) { run.testCount = 0; });
        QVERIFY(compareGroups(input).test.pDifference < 1e-6);
    }

    void fewTestSamplesStillShowADifference() {
        ComparisonInput input = makeInput({0.04, 0.04, 0.04}, 0.05);
        changeRuns(input, [](ComparedRun& run) { run.testCount = 50; });
        QVERIFY(compareGroups(input).test.verdict == Verdict::DifferentWithinMargin);
        input = makeInput({}, 0.09);
        for (int seed = 0; seed < 20; ++seed) { // every other one differs by one answer of ten
            input.groupA.push_back(makeRun(Arm::Accumulated, seed, seed % 2 == 0 ? 0.9 : 0.8));
            input.groupB.push_back(makeRun(Arm::LargeBatch, seed, 0.8));
        }
        QVERIFY(compareGroups(input).test.verdict == Verdict::DifferentWithinMargin);
        changeRuns(input, [](ComparedRun& run) { run.testCount = 10; }); // 10 points are more than the margin
        QVERIFY(compareGroups(input).test.verdict == Verdict::Different);
    }

    void fewSamplesCountForMetricsJudgedTogether() {
        ComparisonInput input = makeInput({0.0, 0.0, 0.0}, 0.002);
        input.together = {{CompareMetric::TestLoss, 0.0, true}};
        changeRuns(input, [](ComparedRun& run) { run.testCount = 50; });
        const Comparison comparison = compareGroups(input);
        QVERIFY(comparison.together[0].test.verdict == Verdict::Inconclusive);
        QVERIFY(comparison.together[1].test.verdict == Verdict::Equivalent);
    }
};

QTEST_APPLESS_MAIN(TestCompareSteps)
} // namespace test_compare_steps
#include "test_compare_steps.moc"
