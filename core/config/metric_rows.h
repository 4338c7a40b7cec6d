// SPDX-License-Identifier: GPL-3.0-or-later
// THE table of metrics: one row each. What a loss is measured by, which direction is better, its unit and its margin
// all come from it, for comparisons, the library, plots, reports and the choices of study.metric. Pure; any thread.
#pragma once

#include "core/base/training_records.h"
#include "core/config/experiment_config.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accumulus {

/// Metrics that a verdict may be given on; in the order of metricRows.
enum class CompareMetric {
    TestAccuracy,
    BestTestAccuracy,
    TestLoss,
    TrainLoss,
    TestTop5,
    TestPerplexity,
    TestMae,
    TestRmse,
    TestR2,
    ValidationAccuracy,
    BestValidationAccuracy,
    ValidationLoss,
    ValidationMae,
    ValidationRmse
};

struct MetricRow {
    CompareMetric metric = CompareMetric::TestAccuracy;
    std::string_view name; ///< of study.metric; its title in the message catalogue is "metric.NAME"
    bool higherIsBetter = false;
    bool isShare = false;                  ///< 0 to 1, shown in per cent and points
    double margin = 0.002;                 ///< default margin of equivalence,
    bool marginIsShare = false;            ///< in the metric's own unit, or of the large batch's mean
    bool fromEvaluations = true;           ///< each evaluation has a value: there is a curve
    std::optional<CompareMetric> ofTest{}; ///< measured on the validation samples: the same on the test set
    std::optional<CompareMetric> bestOf{}; ///< the best of all evaluations' values of this one
};

inline constexpr std::array metricRows{
    MetricRow{.metric = CompareMetric::TestAccuracy, .name = "test_accuracy", .higherIsBetter = true, .isShare = true},
    MetricRow{.metric = CompareMetric::BestTestAccuracy,
              .name = "best_test_accuracy",
              .higherIsBetter = true,
              .isShare = true,
              .fromEvaluations = false,
              .bestOf = CompareMetric::TestAccuracy},
    MetricRow{.metric = CompareMetric::TestLoss, .name = "test_loss", .margin = 0.01, .marginIsShare = true},
    MetricRow{.metric = CompareMetric::TrainLoss,
              .name = "train_loss",
              .margin = 0.01,
              .marginIsShare = true,
              .fromEvaluations = false},
    MetricRow{.metric = CompareMetric::TestTop5, .name = "test_top5", .higherIsBetter = true, .isShare = true},
    MetricRow{
        .metric = CompareMetric::TestPerplexity, .name = "test_perplexity", .margin = 0.01, .marginIsShare = true},
    MetricRow{.metric = CompareMetric::TestMae, .name = "test_mae", .margin = 0.01, .marginIsShare = true},
    MetricRow{.metric = CompareMetric::TestRmse, .name = "test_rmse", .margin = 0.01, .marginIsShare = true},
    MetricRow{.metric = CompareMetric::TestR2, .name = "test_r2", .higherIsBetter = true},
    MetricRow{.metric = CompareMetric::ValidationAccuracy,
              .name = "validation_accuracy",
              .higherIsBetter = true,
              .isShare = true,
              .ofTest = CompareMetric::TestAccuracy},
    MetricRow{.metric = CompareMetric::BestValidationAccuracy,
              .name = "best_validation_accuracy",
              .higherIsBetter = true,
              .isShare = true,
              .fromEvaluations = false,
              .ofTest = CompareMetric::BestTestAccuracy,
              .bestOf = CompareMetric::ValidationAccuracy},
    MetricRow{.metric = CompareMetric::ValidationLoss,
              .name = "validation_loss",
              .margin = 0.01,
              .marginIsShare = true,
              .ofTest = CompareMetric::TestLoss},
    MetricRow{.metric = CompareMetric::ValidationMae,
              .name = "validation_mae",
              .margin = 0.01,
              .marginIsShare = true,
              .ofTest = CompareMetric::TestMae},
    MetricRow{.metric = CompareMetric::ValidationRmse,
              .name = "validation_rmse",
              .margin = 0.01,
              .marginIsShare = true,
              .ofTest = CompareMetric::TestRmse},
};

[[nodiscard]] constexpr const MetricRow& metricRow(CompareMetric metric) {
    return metricRows[static_cast<std::size_t>(metric)];
}
[[nodiscard]] std::string metricName(CompareMetric metric); ///< "test_accuracy", ...
[[nodiscard]] std::optional<CompareMetric> metricFromName(std::string_view name);
/// A value that is not a number is better than none, and worse than any other.
[[nodiscard]] bool isBetter(CompareMetric metric, double value, double than);
/// All names, for messages: "test_accuracy, best_test_accuracy, ...".
[[nodiscard]] std::string metricNames();

/// The same on the test set; of a metric that is not measured on the validation samples itself.
[[nodiscard]] constexpr CompareMetric onTest(CompareMetric metric) { return metricRow(metric).ofTest.value_or(metric); }
/// The same on the validation samples, of those metrics that are measured there.
[[nodiscard]] std::optional<CompareMetric> onValidation(CompareMetric metric);

/// Does a run with this loss and these samples have the metric? Of the top 5 only runs with more than 5 classes have a
/// value.
[[nodiscard]] bool hasMetric(const RunConfig& run, CompareMetric metric);
/// The metric that a loss is judged by unless told otherwise, which checkpoints, the library and plots show first:
/// accuracy, RMSE (mse, huber), MAE (l1) or the loss itself, on the test set.
[[nodiscard]] CompareMetric mainMetric(const RunConfig& run);
/// The metric of a verdict where nobody has chosen one: the main one, on the validation samples where there are some.
[[nodiscard]] CompareMetric defaultMetric(const RunConfig& run);
/// The metric that study.metric of a stored study names; "auto": the main one, for where it is another one (the
/// default metric) the study says its name. Nothing for a name that does not exist.
[[nodiscard]] std::optional<CompareMetric> studyMetric(const std::string& name, const RunConfig& run);
/// What one answer more or less changes of a share: 1 / answers to `samples` evaluated ones. 0 where that is not known
/// (no samples; tensors, whose targets may ask for several), and for metrics that are no share.
[[nodiscard]] double metricStep(CompareMetric metric, const RunConfig& run, std::int64_t samples);
/// Can values that differ by such steps tell whether they lie within the margin? Shares of 50 test samples (0.02 each)
/// agree by chance when they differ by 0.002: with ties there is no spread, and p says nothing then. With steps as
/// large as the margin the error of "equivalent" is 6 % at most in place of 5 (test_compare_steps simulates it).
[[nodiscard]] inline bool stepTellsMargin(double step, double margin) { return step <= margin * (1.0 + 1e-9); }
/// The default margin of a metric whose mean over the large batch's runs is `mean`, in the metric's own unit.
[[nodiscard]] double defaultMargin(CompareMetric metric, double mean);

/// Of one evaluation, whatever its split: what it measured, or what follows from it (perplexity = exp(loss)). Nothing
/// where the loss has no such metric; a loss always has a value. The best accuracies and TrainLoss are no single
/// evaluation's.
[[nodiscard]] std::optional<double> metricOf(const EvaluationRecord& evaluation, CompareMetric metric);
/// Of a run's last evaluation, but for the best accuracies and the training loss.
[[nodiscard]] std::optional<double> metricOf(const RunSummary& summary, CompareMetric metric);
/// The metrics of a run after one evaluation more, of either split.
void takeEvaluation(RunSummary& summary, const EvaluationRecord& evaluation);

} // namespace accumulus
