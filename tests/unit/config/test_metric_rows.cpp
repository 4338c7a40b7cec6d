// SPDX-License-Identifier: GPL-3.0-or-later
// The table of metrics where a set-up has validation samples: what it offers, judges by and refuses.
#include "core/config/config_check.h"
#include "core/config/metric_rows.h"
#include "tests/support/numeric.h"

#include <QTest>

#include <cmath>
#include <string>
#include <vector>

namespace test_metric_rows {
using namespace accumulus;
using namespace accumulus::test;
using enum CompareMetric;

namespace {

RunConfig configOf(LossKind kind, std::int64_t validation) {
    RunConfig run;
    run.loss.kind = kind;
    run.data.validation = validation;
    return run;
}

EvaluationRecord evaluation(const char* split, double loss, double accuracy) {
    EvaluationRecord record;
    record.split = split;
    record.loss = loss;
    record.accuracy = accuracy;
    record.mae = 2.0 * loss;
    record.rmse = 3.0 * loss;
    return record;
}

std::vector<std::string> namesOf(const RunConfig& run) {
    std::vector<std::string> names;
    for (const MetricRow& row : metricRows)
        if (hasMetric(run, row.metric))
            names.emplace_back(row.name);
    return names;
}

} // namespace

class TestMetricRows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyMetricHasItsName() {
        for (const MetricRow& row : metricRows) {
            QVERIFY(metricFromName(row.name) == row.metric);
            QVERIFY(metricNames().find(row.name) != std::string::npos);
        }
    }

    /// What is measured on the validation samples has the direction, unit and margin of the same on the test set.
    void bothSplitsAreJudgedAlike() {
        int pairs = 0;
        for (const MetricRow& row : metricRows) {
            if (!row.ofTest) {
                QVERIFY(onTest(row.metric) == row.metric);
                continue;
            }
            const MetricRow& test = metricRow(*row.ofTest);
            QVERIFY(onTest(row.metric) == test.metric && onValidation(test.metric) == row.metric && !test.ofTest);
            QVERIFY(row.higherIsBetter == test.higherIsBetter && row.isShare == test.isShare);
            QVERIFY(compareBits(row.margin, test.margin) && row.marginIsShare == test.marginIsShare);
            QVERIFY(row.fromEvaluations == test.fromEvaluations && row.bestOf.has_value() == test.bestOf.has_value());
            ++pairs;
        }
        QCOMPARE(pairs, 5);
        QVERIFY(!onValidation(TrainLoss) && !onValidation(ValidationLoss));
    }

    void theyNeedValidationSamples() {
        using Names = std::vector<std::string>;
        QVERIFY((namesOf(configOf(LossKind::Mse, 0)) ==
                 Names{"test_loss", "train_loss", "test_mae", "test_rmse", "test_r2"}));
        QVERIFY(
            (namesOf(configOf(LossKind::Mse, 9)) == Names{"test_loss", "train_loss", "test_mae", "test_rmse", "test_r2",
                                                          "validation_loss", "validation_mae", "validation_rmse"}));
        QVERIFY((namesOf(configOf(LossKind::BceWithLogits, 9)) ==
                 Names{"test_accuracy", "best_test_accuracy", "test_loss", "train_loss", "validation_accuracy",
                       "best_validation_accuracy", "validation_loss"}));
        QVERIFY((namesOf(configOf(LossKind::Model, 9)) == Names{"test_loss", "train_loss", "validation_loss"}));
    }

    void withoutAChoiceTheVerdictIsOnThem_data() {
        QTest::addColumn<int>("loss");
        QTest::addColumn<QString>("main");
        QTest::addColumn<QString>("byDefault");
        const auto row = [](LossKind loss, const char* main, const char* byDefault) {
            QTest::newRow(byDefault) << int(loss) << main << byDefault;
        };
        row(LossKind::CrossEntropy, "test_accuracy", "validation_accuracy");
        row(LossKind::Huber, "test_rmse", "validation_rmse");
        row(LossKind::L1, "test_mae", "validation_mae");
        row(LossKind::Model, "test_loss", "validation_loss");
    }
    void withoutAChoiceTheVerdictIsOnThem() {
        QFETCH(int, loss);
        QFETCH(QString, main);
        QFETCH(QString, byDefault);
        const RunConfig without = configOf(LossKind(loss), 0);
        const RunConfig with = configOf(LossKind(loss), 9);
        QCOMPARE(metricName(defaultMetric(without)), main.toStdString());
        QCOMPARE(metricName(defaultMetric(with)), byDefault.toStdString());
        QCOMPARE(metricName(mainMetric(with)), main.toStdString());
        // A study that is stored with "auto" asks what it asked before there were these metrics.
        QVERIFY(studyMetric("auto", with) == mainMetric(with));
    }

    void evaluationsOfBothSplitsEndInTheirOwnValues() {
        RunSummary summary;
        for (const EvaluationRecord& record : {evaluation("test", 0.5, 0.6), evaluation("validation", 0.25, 0.9),
                                               evaluation("test", 0.375, 0.7), evaluation("validation", 0.125, 0.8)})
            takeEvaluation(summary, record);
        const auto is = [&summary](CompareMetric metric, double value) {
            return compareBits(metricOf(summary, metric).value(), value);
        };
        QVERIFY(is(TestAccuracy, 0.7) && is(BestTestAccuracy, 0.7) && is(TestLoss, 0.375));
        QVERIFY(is(TestMae, 0.75) && is(TestRmse, 1.125));
        QVERIFY(is(ValidationAccuracy, 0.8) && is(BestValidationAccuracy, 0.9) && is(ValidationLoss, 0.125));
        QVERIFY(is(ValidationMae, 0.25) && is(ValidationRmse, 0.375));
        const EvaluationRecord one = evaluation("validation", 0.25, 0.9);
        QVERIFY(compareBits(metricOf(one, ValidationAccuracy).value(), 0.9));
        QVERIFY(compareBits(metricOf(one, ValidationLoss).value(), 0.25));
        QVERIFY(!metricOf(one, BestValidationAccuracy));
    }

    void aNumberIsBetterThanNone() {
        RunSummary summary;
        takeEvaluation(summary, evaluation("validation", std::nan(""), std::nan("")));
        QVERIFY(std::isnan(summary.bestValidationAccuracy.value()));
        takeEvaluation(summary, evaluation("validation", 1.0, 0.5));
        takeEvaluation(summary, evaluation("validation", std::nan(""), std::nan("")));
        QVERIFY(compareBits(summary.bestValidationAccuracy.value(), 0.5));
        QVERIFY(std::isnan(summary.validationLoss.value()));
    }

    /// bert-mini is asked for 15 % of its tokens (Devlin et al. 2019), char-gpt for every one.
    void anAnswerCountsForThoseThatWereAsked() {
        RunConfig run;
        run.data.dataset = "tinyshakespeare";
        run.data.block = 64;
        run.model.name = "char-gpt";
        QCOMPARE(metricStep(TestAccuracy, run, 10), 1.0 / 640.0);
        run.model.name = "bert-mini";
        QCOMPARE(metricStep(TestAccuracy, run, 10), 1.0 / 96.0);
        QCOMPARE(metricStep(TestLoss, run, 10), 0.0);
    }

    void aSetUpWithoutThemSaysWhatItLacks() {
        ExperimentConfig experiment;
        experiment.study.metric = "validation_accuracy";
        const auto found = [&] {
            for (const Finding& finding : checkConfig(experiment, 0, {}))
                if (finding.id == "L05")
                    return describe({finding.message.code, finding.message.arguments});
            return std::string();
        };
        QVERIFY2(found().find("validation samples, and there are none") != std::string::npos, found().c_str());
        QVERIFY2(found().find("\"test_accuracy\"") != std::string::npos, found().c_str());
        experiment.run.data.validation = 100;
        QCOMPARE(found(), std::string());
        experiment.study.metric = "validation_rmse";
        QVERIFY2(found().find("loss.kind") != std::string::npos, found().c_str());
        QVERIFY2(found().find("\"validation_accuracy\"") != std::string::npos, found().c_str());
    }
};

QTEST_APPLESS_MAIN(TestMetricRows)
} // namespace test_metric_rows
#include "test_metric_rows.moc"
