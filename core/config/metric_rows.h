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
    TestR2
};

struct MetricRow {
    CompareMetric metric = CompareMetric::TestAccuracy;
    std::string_view name; ///< of study.metric; its title in the message catalogue is "metric.NAME"
    bool higherIsBetter = false;
    bool isShare = false;        ///< 0 to 1, shown in per cent and points
    double margin = 0.002;       ///< default margin of equivalence,
    bool marginIsShare = false;  ///< in the metric's own unit, or of the large batch's mean
    bool fromEvaluations = true; ///< each evaluation has a value: there is a curve
};

inline constexpr std::array metricRows{
    MetricRow{.metric = CompareMetric::TestAccuracy, .name = "test_accuracy", .higherIsBetter = true, .isShare = true},
    MetricRow{.metric = CompareMetric::BestTestAccuracy,
              .name = "best_test_accuracy",
              .higherIsBetter = true,
              .isShare = true,
              .fromEvaluations = false},
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

/// Does a run with this loss have the metric? Of the top 5 only runs with more than 5 classes have a value.
[[nodiscard]] bool hasMetric(const RunConfig& run, CompareMetric metric);
/// The metric that a loss is judged by unless told otherwise, which checkpoints, the library and plots show first:
/// accuracy, RMSE (mse, huber), MAE (l1) or the loss itself.
[[nodiscard]] CompareMetric mainMetric(const RunConfig& run);
/// The metric that study.metric names; "auto": the main one. Nothing for a name that does not exist.
[[nodiscard]] std::optional<CompareMetric> studyMetric(const std::string& name, const RunConfig& run);
/// The default margin of a metric whose mean over the large batch's runs is `mean`, in the metric's own unit.
[[nodiscard]] double defaultMargin(CompareMetric metric, double mean);

/// Of one evaluation: what it measured, or what follows from it (perplexity = exp(loss)). Nothing where the loss has no
/// such metric; TestLoss always has a value. BestTestAccuracy and TrainLoss are no single evaluation's.
[[nodiscard]] std::optional<double> metricOf(const EvaluationRecord& evaluation, CompareMetric metric);
/// Of a run's last evaluation, but for the best accuracy and the training loss.
[[nodiscard]] std::optional<double> metricOf(const RunSummary& summary, CompareMetric metric);

} // namespace accumulus
