// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/metric_rows.h"

#include "core/base/keyed_draws.h"
#include "core/config/model_rows.h"

#include <algorithm>
#include <cmath>

namespace accumulus {
namespace {

constexpr bool rowsFollowTheirOrder() {
    for (std::size_t i = 0; i < metricRows.size(); ++i)
        if (metricRows.at(i).metric != static_cast<CompareMetric>(i))
            return false;
    return true;
}
static_assert(rowsFollowTheirOrder());

} // namespace

std::string metricName(CompareMetric metric) { return std::string(metricRow(metric).name); }

std::optional<CompareMetric> metricFromName(std::string_view name) {
    const auto found = std::ranges::find(metricRows, name, &MetricRow::name);
    return found == metricRows.end() ? std::nullopt : std::optional(found->metric);
}

bool isBetter(CompareMetric metric, double value, double than) {
    if (std::isnan(value) || std::isnan(than))
        return std::isnan(than) && !std::isnan(value);
    return metricRow(metric).higherIsBetter ? value > than : value < than;
}

std::string metricNames() {
    std::string names;
    for (const MetricRow& row : metricRows)
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

std::optional<CompareMetric> onValidation(CompareMetric metric) {
    const auto found = std::ranges::find(metricRows, std::optional(metric), &MetricRow::ofTest);
    return found == metricRows.end() ? std::nullopt : std::optional(found->metric);
}

bool hasMetric(const RunConfig& run, CompareMetric metric) {
    using enum CompareMetric;
    const LossKind kind = run.loss.kind;
    if (metricRow(metric).ofTest && run.data.validation == 0)
        return false;
    switch (onTest(metric)) {
    case TestAccuracy:
    case BestTestAccuracy:
        return kind == LossKind::CrossEntropy || kind == LossKind::BceWithLogits;
    case TestTop5:
        return kind == LossKind::CrossEntropy;
    case TestPerplexity:
        return kind == LossKind::CrossEntropy && isText(run.data);
    case TestMae:
    case TestRmse:
    case TestR2:
        return kind == LossKind::Mse || kind == LossKind::L1 || kind == LossKind::Huber;
    case TestLoss:
    case TrainLoss:
    case ValidationAccuracy: // onTest() gives none of these
    case BestValidationAccuracy:
    case ValidationLoss:
    case ValidationMae:
    case ValidationRmse:
        break;
    }
    return true;
}

CompareMetric mainMetric(const RunConfig& run) {
    switch (run.loss.kind) {
    case LossKind::CrossEntropy:
    case LossKind::BceWithLogits:
        return CompareMetric::TestAccuracy;
    case LossKind::Mse:
    case LossKind::Huber:
        return CompareMetric::TestRmse;
    case LossKind::L1:
        return CompareMetric::TestMae;
    case LossKind::Model:
        break;
    }
    return CompareMetric::TestLoss;
}

CompareMetric defaultMetric(const RunConfig& run) {
    const CompareMetric main = mainMetric(run);
    const auto validation = onValidation(main);
    return validation && hasMetric(run, *validation) ? *validation : main;
}

std::optional<CompareMetric> studyMetric(const std::string& name, const RunConfig& run) {
    return name == "auto" || name.empty() ? std::optional(mainMetric(run)) : metricFromName(name);
}

double metricStep(CompareMetric metric, const RunConfig& run, std::int64_t samples) {
    const bool counts = run.loss.kind == LossKind::CrossEntropy || run.loss.kind == LossKind::BceWithLogits;
    if (!metricRow(metric).isShare || !counts || run.data.dataset == "tensors" || samples <= 0)
        return 0.0;
    const ModelRow* model = findModel(run.model.name);
    const double asked = model && model->masksText ? maskedShare : 1.0; // on average
    return 1.0 / (asked * static_cast<double>(samples * (isText(run.data) ? run.data.block : 1)));
}

double defaultMargin(CompareMetric metric, double mean) {
    const MetricRow& row = metricRow(metric);
    return row.marginIsShare && std::isfinite(mean) && mean != 0.0 ? row.margin * std::abs(mean) : row.margin;
}

std::optional<double> metricOf(const EvaluationRecord& evaluation, CompareMetric metric) {
    using enum CompareMetric;
    switch (onTest(metric)) {
    case TestAccuracy:
        return evaluation.accuracy;
    case TestLoss:
        return evaluation.loss;
    case TestTop5:
        return evaluation.top5;
    case TestPerplexity:
        return std::exp(evaluation.loss);
    case TestMae:
        return evaluation.mae;
    case TestRmse:
        return evaluation.rmse;
    case TestR2:
        return evaluation.r2;
    case BestTestAccuracy:
    case TrainLoss:
    case ValidationAccuracy: // onTest() gives none of these
    case BestValidationAccuracy:
    case ValidationLoss:
    case ValidationMae:
    case ValidationRmse:
        break;
    }
    return std::nullopt;
}

std::optional<double> metricOf(const RunSummary& summary, CompareMetric metric) {
    using enum CompareMetric;
    switch (metric) {
    case TestAccuracy:
        return summary.testAccuracy;
    case BestTestAccuracy:
        return summary.bestTestAccuracy;
    case TestLoss:
        return summary.testLoss;
    case TrainLoss:
        return summary.finalTrainLoss;
    case TestTop5:
        return summary.testTop5;
    case TestPerplexity:
        return summary.testLoss ? std::optional(std::exp(*summary.testLoss)) : std::nullopt;
    case TestMae:
        return summary.testMae;
    case TestRmse:
        return summary.testRmse;
    case TestR2:
        return summary.testR2;
    case ValidationAccuracy:
        return summary.validationAccuracy;
    case BestValidationAccuracy:
        return summary.bestValidationAccuracy;
    case ValidationLoss:
        return summary.validationLoss;
    case ValidationMae:
        return summary.validationMae;
    case ValidationRmse:
        break;
    }
    return summary.validationRmse;
}

void takeEvaluation(RunSummary& summary, const EvaluationRecord& evaluation) {
    const auto takeBest = [&evaluation](std::optional<double>& best) {
        if (evaluation.accuracy && (!best || isBetter(CompareMetric::TestAccuracy, *evaluation.accuracy, *best)))
            best = evaluation.accuracy;
    };
    if (evaluation.split == "validation") {
        summary.validationLoss = evaluation.loss;
        summary.validationAccuracy = evaluation.accuracy;
        takeBest(summary.bestValidationAccuracy);
        summary.validationMae = evaluation.mae;
        summary.validationRmse = evaluation.rmse;
        return;
    }
    summary.testLoss = evaluation.loss;
    summary.testAccuracy = evaluation.accuracy;
    takeBest(summary.bestTestAccuracy);
    summary.testTop5 = evaluation.top5;
    summary.testMae = evaluation.mae;
    summary.testRmse = evaluation.rmse;
    summary.testR2 = evaluation.r2;
}

} // namespace accumulus
