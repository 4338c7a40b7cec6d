// SPDX-License-Identifier: GPL-3.0-or-later
// A verdict on validation samples: values, curves and words are theirs, not those of the test set.
#include "core/analysis/compare.h"
#include "core/report/comparison_report.h"
#include "core/report/run_report.h"
#include "tests/support/numeric.h"

#include <QTest>

namespace test_compare_validation {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr double testAccuracy = 0.5;

EvaluationRecord evaluation(const char* split, std::int64_t samples, double accuracy) {
    EvaluationRecord record;
    record.split = split;
    record.samples = samples;
    record.accuracy = accuracy;
    record.loss = 1.0 - accuracy;
    return record;
}

/// Ends at `accuracy` on its validation samples, after a better evaluation; on the test set all runs are alike.
ComparedRun makeRun(Arm arm, std::int64_t seed, double accuracy) {
    ComparedRun run;
    run.arm = arm;
    run.seed = seed;
    run.id = run.name = armName(arm) + std::to_string(seed);
    run.complete = true;
    run.samples = 1000;
    run.updates = 10;
    run.config.data.validation = 100;
    run.config.batch.effective = 100;
    run.config.batch.micro = arm == Arm::Accumulated ? 25 : 100;
    run.batch = resolveBatch(run.config.batch).value();
    run.trainLoss = {{500.0, 1000.0}, {1.0, 0.5}};
    for (const std::int64_t samples : {500, 1000}) {
        run.tests.push_back(evaluation("test", samples, testAccuracy));
        run.validations.push_back(evaluation("validation", samples, samples == 500 ? accuracy + 0.125 : accuracy));
    }
    for (const auto* evaluations : {&run.tests, &run.validations})
        for (const EvaluationRecord& one : *evaluations)
            takeEvaluation(run.ends, one);
    return run;
}

/// Trained on all samples: nothing was evaluated on validation samples.
void keepNoValidation(ComparedRun& run) {
    run.config.data.validation = 0;
    run.validations.clear();
    run.ends = {};
    for (const EvaluationRecord& one : run.tests)
        takeEvaluation(run.ends, one);
}

ComparisonInput inputOf(CompareMetric metric) {
    ComparisonInput input;
    input.metric = metric;
    input.margin = 0.01;
    for (std::int64_t seed = 0; seed < 4; ++seed) {
        const double base = 0.75 + 0.001 * static_cast<double>(seed);
        input.groupA.push_back(makeRun(Arm::Accumulated, seed, base + 0.05 + 0.0001 * static_cast<double>(seed)));
        input.groupB.push_back(makeRun(Arm::LargeBatch, seed, base));
    }
    return input;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

} // namespace

class TestCompareValidation : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theVerdictIsThatOfTheValidationSamples() {
        QVERIFY(compareGroups(inputOf(CompareMetric::TestAccuracy)).test.verdict == Verdict::Equivalent);
        for (const auto metric : {CompareMetric::ValidationAccuracy, CompareMetric::BestValidationAccuracy}) {
            const Comparison comparison = compareGroups(inputOf(metric));
            QVERIFY(comparison.test.verdict == Verdict::Different);
            QVERIFY(compareAbs(comparison.test.meanDifference, 0.05015, 1e-15)); // accuracies near 1 carry 1e-16
            QVERIFY2(contains(verdictText(comparison), metricTitle(metric)), verdictText(comparison).c_str());
        }
        const Comparison best = compareGroups(inputOf(CompareMetric::BestValidationAccuracy));
        QVERIFY(compareAbs(best.pairs.front().b, 0.875, 1e-15));
        const Comparison loss = compareGroups(inputOf(CompareMetric::ValidationLoss));
        QVERIFY(compareAbs(loss.test.meanDifference, -0.05015, 1e-15));
    }

    void curvesAreThoseOfTheirSplit() {
        const ComparedRun run = makeRun(Arm::Accumulated, 0, 0.75);
        const Series validation = metricCurve(run, CompareMetric::ValidationAccuracy);
        QCOMPARE(validation.x, (std::vector<double>{500.0, 1000.0}));
        QCOMPARE(validation.y, (std::vector<double>{0.875, 0.75}));
        QCOMPARE(metricCurve(run, CompareMetric::ValidationLoss).y, (std::vector<double>{0.125, 0.25}));
        QCOMPARE(metricCurve(run, CompareMetric::TestAccuracy).y, (std::vector<double>{testAccuracy, testAccuracy}));
        QVERIFY(metricCurve(run, CompareMetric::BestValidationAccuracy).y.empty());
    }

    /// Beside a verdict stands the curve that belongs to it.
    void shownIsTheSameSplit() {
        using enum CompareMetric;
        const RunConfig config = makeRun(Arm::Accumulated, 0, 0.75).config;
        for (const auto judged : {ValidationAccuracy, BestValidationAccuracy, ValidationLoss})
            QVERIFY(shownMetric(judged, config) == ValidationAccuracy);
        for (const auto judged : {TestAccuracy, BestTestAccuracy, TestLoss, TrainLoss})
            QVERIFY(shownMetric(judged, config) == TestAccuracy);
        RunConfig numbers = config;
        numbers.loss.kind = LossKind::Mse;
        QVERIFY(shownMetric(ValidationLoss, numbers) == ValidationRmse);
        QVERIFY(shownMetric(ValidationMae, numbers) == ValidationMae);
        const Comparison comparison = compareGroups(inputOf(BestValidationAccuracy));
        QVERIFY(compareAbs(comparison.metricB.mean.back(), 0.7515, 1e-15));
    }

    void withoutValidationSamplesThereIsNoPair() {
        ComparisonInput input = inputOf(CompareMetric::ValidationAccuracy);
        for (ComparedRun& run : input.groupB)
            keepNoValidation(run);
        const Comparison comparison = compareGroups(input);
        QVERIFY(comparison.pairs.empty());
        QVERIFY2(contains(messagesText(comparison.unpaired, " "), "has no final validation accuracy"),
                 messagesText(comparison.unpaired, " ").c_str());
    }

    /// The margin is drawn where the curve is that of the verdict, or of the values whose best one it is on.
    void theReportDrawsTheMarginOnItsCurve() {
        ComparisonReportInput report;
        report.input = inputOf(CompareMetric::BestValidationAccuracy);
        const auto marked = [&] { // figures with a margin
            std::vector<std::string> titles;
            for (const ReportBlock& block : makeComparisonReport(report).blocks)
                if (const auto* figure = std::get_if<ReportFigure>(&block); figure && contains(figure->svg, "margin ±"))
                    titles.push_back(figure->alternative.substr(0, figure->alternative.find(',')));
            return titles;
        };
        const std::vector<std::string> onAccuracy{"Difference in validation accuracy"};
        for (const auto metric : {CompareMetric::ValidationAccuracy, CompareMetric::BestValidationAccuracy}) {
            report.input.metric = metric;
            report.comparison = compareGroups(report.input);
            QCOMPARE(marked(), onAccuracy);
        }
        report.input.metric = CompareMetric::ValidationLoss; // its unit is another one
        report.comparison = compareGroups(report.input);
        QVERIFY(marked().empty());
    }

    void theReportOfARunHasBothSplits() {
        RunReportInput report;
        report.run = makeRun(Arm::Accumulated, 0, 0.75);
        const std::string text = reportHtml(makeRunReport(report));
        for (const char* part :
             {"Test accuracy 50.00 % at the end", "Validation accuracy 75.00 % at the end, 87.50 % at best.",
              "Validation accuracy at each evaluation.", "Validation loss at each evaluation."})
            QVERIFY2(contains(text, part), part);
        keepNoValidation(report.run);
        QVERIFY(!contains(reportHtml(makeRunReport(report)), "Validation"));
    }
};

QTEST_APPLESS_MAIN(TestCompareValidation)
} // namespace test_compare_validation
#include "test_compare_validation.moc"
