// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/losses.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace accumulus {
namespace {

std::int64_t perSample(const Batch& batch) { return batch.targets.numel() / std::max<std::int64_t>(1, batch.samples); }

/// Each sample's mean over its `counts` elements, summed. `each`: any shape with as many elements for each sample.
at::Tensor sumOfMeans(const at::Tensor& each, std::int64_t samples, const at::Tensor& counts) {
    return (each.reshape({samples, -1}).sum(1) / counts.clamp_min(1)).sum();
}

at::Tensor bearingCounts(const at::Tensor& targets, std::int64_t samples) {
    return targets.reshape({samples, -1}).ne(ignoredTarget).sum(1);
}

at::Tensor crossEntropy(const at::Tensor& output, const Batch& batch, const LossSettings& settings) {
    const at::Tensor weights = settings.placed(output).weightsThere;
    const at::Tensor targets = classesBeside(output, batch.targets);
    const auto loss = [&](at::Reduction::Reduction reduction) {
        return at::cross_entropy_loss(output, targets, weights, reduction, ignoredTarget, settings.labelSmoothing);
    };
    if (settings.unit == LossUnit::Token || perSample(batch) == 1) {
        // Of images of targets, LibTorch's kernel for GPUs adds up in any order, and refuses to be deterministic.
        if (output.is_cuda() && output.dim() > 2)
            return loss(at::Reduction::None).sum();
        return loss(at::Reduction::Sum);
    }
    return sumOfMeans(loss(at::Reduction::None), batch.samples, bearingCounts(batch.targets, batch.samples));
}

Error wrongSize(const at::Tensor& output, const Batch& batch, LossKind kind) {
    const auto each = [&](const at::Tensor& tensor) {
        return std::to_string(tensor.numel() / std::max<std::int64_t>(1, batch.samples));
    };
    return {"loss.outputs",
            {{"outputs", each(output)},
             {"targets", each(batch.targets)},
             {"reason", kind == LossKind::CrossEntropy ? "reason.loss-scores" : "reason.loss-numbers"}}};
}

/// Of losses between two numbers.
at::Tensor distance(const at::Tensor& output, const Batch& batch, const LossSettings& settings) {
    if (output.numel() != batch.targets.numel())
        throw ErrorThrown(wrongSize(output, batch, settings.kind));
    const at::Tensor target = batch.targets.reshape(output.sizes()).to(output.scalar_type());
    at::Tensor sum;
    switch (settings.kind) {
    case LossKind::Mse:
        sum = at::mse_loss(output, target, at::Reduction::Sum);
        break;
    case LossKind::L1:
        sum = at::l1_loss(output, target, at::Reduction::Sum);
        break;
    case LossKind::Huber:
        sum = at::huber_loss(output, target, at::Reduction::Sum, settings.delta);
        break;
    default:
        sum = at::binary_cross_entropy_with_logits(output, target, {}, {}, at::Reduction::Sum);
        break;
    }
    return settings.unit == LossUnit::Token ? sum : sum / static_cast<double>(perSample(batch));
}

/// Of a model that computes its losses itself.
at::Tensor ofModel(const at::Tensor& output, const Batch& batch, const LossSettings& settings, double units) {
    if (units >= 0.0)
        return output.sum();
    if (output.dim() == 0 || output.numel() == 0 || output.size(0) % std::max<std::int64_t>(1, batch.samples) != 0)
        throw ErrorThrown({"loss.units",
                           {{"outputs", std::to_string(output.dim() == 0 ? 1 : output.size(0))},
                            {"samples", std::to_string(batch.samples)}}});
    const at::Tensor sum = output.sum();
    const std::int64_t each = output.numel() / std::max<std::int64_t>(1, batch.samples);
    return settings.unit == LossUnit::Token ? sum : sum / static_cast<double>(each);
}

double unitsOfModel(const at::Tensor& output, const Batch& batch, const LossSettings& settings, double units) {
    if (units >= 0.0)
        return units;
    return static_cast<double>(settings.unit == LossUnit::Token ? output.numel() : batch.samples);
}

/// As few digits as tell it from other numbers.
std::string shortestText(double number) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    return {text.data(), end};
}

Error wrongWeights(std::int64_t weights, std::int64_t classes) {
    return {"loss.class-weights", {{"weights", std::to_string(weights)}, {"classes", std::to_string(classes)}}};
}

} // namespace

LossSettings LossSettings::placed(const at::Tensor& like) const {
    LossSettings settings = *this;
    if (classWeights.defined() && !(weightsThere.defined() && weightsThere.device() == like.device() &&
                                    weightsThere.scalar_type() == like.scalar_type()))
        settings.weightsThere = classWeights.to(like.device(), like.scalar_type());
    return settings;
}

at::Tensor classesBeside(const at::Tensor& output, const at::Tensor& targets) {
    return output.dim() == 2 ? targets.flatten() : targets;
}

LossSettings lossSettings(const LossConfig& config) {
    LossSettings settings;
    settings.kind = config.kind;
    settings.unit = config.normalise == Normalise::Samples ? LossUnit::Sample : LossUnit::Token;
    settings.delta = config.delta;
    if (config.kind != LossKind::CrossEntropy)
        return settings;
    settings.labelSmoothing = config.labelSmoothing;
    if (!config.classWeights.empty())
        settings.classWeights = at::tensor(config.classWeights, at::kDouble);
    return settings;
}

at::Tensor lossSum(const at::Tensor& output, const Batch& batch, const LossSettings& settings, double modelUnits) {
    switch (settings.kind) {
    case LossKind::CrossEntropy:
        return crossEntropy(output, batch, settings);
    case LossKind::Model:
        return ofModel(output, batch, settings, modelUnits);
    default:
        return distance(output, batch, settings);
    }
}

double lossUnits(const Batch& batch, const LossSettings& settings) {
    const bool ofTokens = settings.unit == LossUnit::Token;
    if (settings.kind != LossKind::CrossEntropy)
        return static_cast<double>(ofTokens ? batch.targets.numel() : batch.samples);
    if (!settings.classWeights.defined())
        return static_cast<double>(ofTokens ? batch.bearing.targets : batch.bearing.samples);
    const at::NoGradGuard noGrad;
    const at::Tensor targets = batch.targets.to(at::kCPU).reshape({batch.samples, -1});
    const at::Tensor bearing = targets.ne(ignoredTarget);
    const at::Tensor weights = settings.classWeights.index_select(0, targets.clamp_min(0).flatten());
    const at::Tensor borne = weights.view_as(targets) * bearing;
    if (ofTokens)
        return borne.sum().item<double>();
    return (borne.sum(1) / bearing.sum(1).clamp_min(1)).sum().item<double>();
}

BatchLoss batchLoss(const at::Tensor& output, const Batch& batch, const LossSettings& settings, double modelUnits) {
    const double units = settings.kind == LossKind::Model ? unitsOfModel(output, batch, settings, modelUnits)
                                                          : lossUnits(batch, settings);
    if (!(units > 0.0))
        return {};
    return {lossSum(output, batch, settings, modelUnits), units};
}

Status checkTargets(const LossConfig& config, const TargetValues& targets) {
    if (config.kind == LossKind::CrossEntropy || config.kind == LossKind::Model)
        return {};
    if (targets.ignored > 0)
        return failure("loss.targets-ignored", {{"ignored", std::to_string(targets.ignored)}});
    // Two classes are 0 and 1, as bce-with-logits takes them.
    if (!targets.words.empty() && config.kind != LossKind::BceWithLogits)
        return failure("loss.targets-words", {{"words", targets.words}});
    if (config.kind == LossKind::BceWithLogits && (targets.least < 0.0 || targets.largest > 1.0))
        return failure("loss.targets-beyond",
                       {{"least", shortestText(targets.least)}, {"largest", shortestText(targets.largest)}});
    return {};
}

Status checkClassWeights(const LossConfig& config, std::int64_t classes) {
    const auto weights = static_cast<std::int64_t>(config.classWeights.size());
    if (config.kind == LossKind::CrossEntropy && weights > 0 && weights != classes)
        return failure(wrongWeights(weights, classes));
    return {};
}

Status checkOutputs(const at::Tensor& output, const Batch& batch, const LossSettings& settings, std::int64_t classes,
                    double modelUnits) {
    if (settings.kind == LossKind::Model) {
        try {
            static_cast<void>(ofModel(output, batch, settings, modelUnits));
        } catch (const ErrorThrown& mismatch) {
            return failure(mismatch.error());
        }
        return {};
    }
    if (settings.kind != LossKind::CrossEntropy) {
        if (output.numel() != batch.targets.numel())
            return failure(wrongSize(output, batch, settings.kind));
        return {};
    }
    const std::int64_t outputs = output.dim() > 1 ? output.size(1) : 1;
    if (output.dim() < 2 || output.numel() != outputs * batch.targets.numel())
        return failure(wrongSize(output, batch, settings.kind));
    if (outputs < classes)
        return failure("loss.classes", {{"outputs", std::to_string(outputs)}, {"classes", std::to_string(classes)}});
    if (settings.classWeights.defined() && settings.classWeights.numel() != outputs)
        return failure(wrongWeights(settings.classWeights.numel(), outputs));
    return {};
}

} // namespace accumulus
