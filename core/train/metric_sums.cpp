// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/metric_sums.h"

#include "core/train/evaluator.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <cmath>

namespace accumulus {
namespace {

constexpr std::int64_t five = 5;

bool comparesNumbers(LossKind kind) { return kind == LossKind::Mse || kind == LossKind::L1 || kind == LossKind::Huber; }

std::vector<double> listOf(const at::Tensor& tensor) {
    const at::Tensor values = tensor.to(at::kCPU, at::kDouble).contiguous();
    const double* first = values.const_data_ptr<double>();
    return {first, first + values.numel()};
}

void addAnswers(MetricSums& sums, const at::Tensor& output, const Batch& batch) {
    const at::Tensor targets = classesBeside(output, batch.targets);
    sums.answers = batch.bearing.targets;
    sums.correct = output.argmax(1).eq(targets).sum().item<std::int64_t>();
    sums.hasFive = output.size(1) > five;
    if (sums.hasFive)
        sums.amongFive = std::get<1>(output.topk(five, 1)).eq(targets.unsqueeze(1)).sum().item<std::int64_t>();
}

void addNumbers(MetricSums& sums, const at::Tensor& output, const Batch& batch) {
    const at::Tensor targets = batch.targets.reshape({batch.samples, -1}).to(at::kDouble);
    const at::Tensor errors = output.reshape(targets.sizes()).to(at::kDouble) - targets;
    sums.numbers = static_cast<double>(targets.numel());
    sums.absolute = errors.abs().sum().item<double>();
    sums.squared = errors.square().sum().item<double>();
    const bool separate = targets.size(1) <= MetricSums::mostSeparate;
    const at::Tensor columns = separate ? targets : targets.reshape({-1, 1});
    const at::Tensor mean = columns.mean(0);
    sums.samples = static_cast<double>(columns.size(0));
    sums.mean = listOf(mean);
    sums.deviations = listOf((columns - mean).square().sum(0));
    sums.errors = listOf(errors.reshape(columns.sizes()).square().sum(0));
}

/// Uniform average over the numbers of a target, as scikit-learn's r2_score; nothing without two samples. Where the
/// targets do not vary there: 1 without any error, else 0.
std::optional<double> r2Of(const MetricSums& sums) {
    if (sums.samples < 2.0)
        return std::nullopt;
    double all = 0.0;
    for (std::size_t i = 0; i < sums.mean.size(); ++i)
        all += sums.deviations[i] > 0.0 ? 1.0 - sums.errors[i] / sums.deviations[i] : sums.errors[i] > 0.0 ? 0.0 : 1.0;
    return all / static_cast<double>(sums.mean.size());
}

} // namespace

void MetricSums::add(const MetricSums& next) {
    loss += next.loss;
    units += next.units;
    answers += next.answers;
    correct += next.correct;
    amongFive += next.amongFive;
    hasFive = hasFive || next.hasFive;
    numbers += next.numbers;
    absolute += next.absolute;
    squared += next.squared;
    if (mean.empty()) {
        samples = next.samples;
        mean = next.mean;
        deviations = next.deviations;
        errors = next.errors;
        return;
    }
    // Chan, Golub and LeVeque 1983: means and squared deviations of two parts.
    const double both = samples + next.samples;
    for (std::size_t i = 0; i < next.mean.size() && i < mean.size(); ++i) {
        const double apart = next.mean[i] - mean[i];
        mean[i] += apart * next.samples / both;
        deviations[i] += next.deviations[i] + apart * apart * samples * next.samples / both;
        errors[i] += next.errors[i];
    }
    samples = both;
}

void MetricSums::put(Packed& message) const {
    message.put(loss).put(units).put(answers).put(correct).put(amongFive).put(hasFive).put(numbers).put(absolute);
    message.put(squared).put(samples).put(mean).put(deviations).put(errors);
}

MetricSums MetricSums::from(Unpacked& message) {
    MetricSums sums;
    sums.loss = message.get<double>();
    sums.units = message.get<double>();
    sums.answers = message.get<std::int64_t>();
    sums.correct = message.get<std::int64_t>();
    sums.amongFive = message.get<std::int64_t>();
    sums.hasFive = message.get<bool>();
    sums.numbers = message.get<double>();
    sums.absolute = message.get<double>();
    sums.squared = message.get<double>();
    sums.samples = message.get<double>();
    sums.mean = message.getList<double>();
    sums.deviations = message.getList<double>();
    sums.errors = message.getList<double>();
    return sums;
}

void MetricSums::tell(const LossSettings& settings, Evaluation& evaluation) const {
    evaluation.loss = loss / units;
    const auto share = [this](std::int64_t of) { return static_cast<double>(of) / static_cast<double>(answers); };
    if (settings.kind == LossKind::CrossEntropy || settings.kind == LossKind::BceWithLogits)
        evaluation.accuracy = share(correct);
    if (hasFive)
        evaluation.top5 = share(amongFive);
    if (!comparesNumbers(settings.kind))
        return;
    evaluation.mae = absolute / numbers;
    evaluation.rmse = std::sqrt(squared / numbers);
    evaluation.r2 = r2Of(*this);
}

MetricSums metricSums(const at::Tensor& output, const Batch& batch, const LossSettings& settings, double modelUnits) {
    MetricSums sums;
    const BatchLoss loss = batchLoss(output, batch, settings, modelUnits);
    sums.units = loss.units;
    sums.loss = loss.units > 0.0 ? loss.sum.item<double>() : 0.0;
    if (settings.kind == LossKind::CrossEntropy) {
        addAnswers(sums, output, batch);
    } else if (settings.kind == LossKind::BceWithLogits) {
        sums.answers = batch.targets.numel();
        const at::Tensor targets = batch.targets.reshape(output.sizes());
        sums.correct = output.gt(0.0).eq(targets.gt(0.5)).sum().item<std::int64_t>();
    } else if (comparesNumbers(settings.kind)) {
        addNumbers(sums, output, batch);
    }
    return sums;
}

} // namespace accumulus
