// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/reference.h"

#include "core/engine/losses.h"
#include "core/train/evaluator.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <functional>
#include <string>
#include <torch/csrc/autograd/autograd.h>

namespace accumulus {
namespace {

// Own arithmetic on purpose: not the engine's gather, not its loss.

double pixelAt(const ImageSet& set, std::int64_t id, std::int64_t channel, std::int64_t row, std::int64_t column) {
    if (row < 0 || row >= set.height || column < 0 || column >= set.width)
        return 0.0; // black
    const std::int64_t place = ((id * set.channels + channel) * set.height + row) * set.width + column;
    return static_cast<double>(set.pixels[static_cast<std::size_t>(place)]);
}

struct Samples {
    at::Tensor input, targets;
};

Samples imagesOf(const Dataset& data, const SampleKeys& keys, bool augment) {
    const ImageSet& set = data.train;
    const auto count = static_cast<std::int64_t>(keys.size());
    Samples samples{at::empty({count, set.channels, set.height, set.width}, at::kDouble),
                    at::empty({count}, at::kLong)};
    double* out = samples.input.mutable_data_ptr<double>();
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const CropFlip drawn = augment ? cropFlipOf(keys.key(i, purposeCropFlip)) : CropFlip{};
        for (std::int64_t channel = 0; channel < set.channels; ++channel)
            for (std::int64_t row = 0; row < set.height; ++row)
                for (std::int64_t column = 0; column < set.width; ++column) {
                    const std::int64_t from = drawn.mirrored ? set.width - 1 - column : column;
                    const double pixel = pixelAt(set, keys.ids[i], channel, row - drawn.down, from - drawn.right);
                    const auto c = static_cast<std::size_t>(channel);
                    *out++ = (pixel / 255.0 - data.mean[c]) / data.deviation[c];
                }
        samples.targets.mutable_data_ptr<std::int64_t>()[i] = set.labels[static_cast<std::size_t>(keys.ids[i])];
    }
    return samples;
}

Samples textOf(const Dataset& data, const SampleKeys& keys, bool masked) {
    const TextSet& set = data.trainText;
    const auto count = static_cast<std::int64_t>(keys.size());
    Samples samples{at::empty({count, set.block}, at::kLong), at::empty({count * set.block}, at::kLong)};
    std::int64_t* input = samples.input.mutable_data_ptr<std::int64_t>();
    std::int64_t* target = samples.targets.mutable_data_ptr<std::int64_t>();
    for (std::size_t i = 0; i < keys.size(); ++i)
        for (std::int64_t place = 0; place < set.block; ++place, ++input, ++target) {
            const std::int64_t at = keys.ids[i] * set.block + place;
            *input = set.tokens[at];
            *target = set.tokens[at + 1];
            if (masked) {
                const MaskedToken token = maskedToken(keys.key(i, purposeMask), place, set.tokens[at], data.classes);
                *input = token.shown;
                *target = token.target;
            }
        }
    return samples;
}

/// [samples, sample...]
std::vector<std::int64_t> shapeOf(std::int64_t samples, const TensorColumn& column) {
    std::vector<std::int64_t> shape(1, samples);
    shape.insert(shape.end(), column.shape.begin(), column.shape.end());
    return shape;
}

/// Sample by sample, as the file has them.
at::Tensor columnOf(const TensorColumn& column, std::span<const std::int64_t> ids, bool whole,
                    const std::function<double(double value, std::int64_t element)>& change) {
    const std::int64_t size = column.elements();
    const at::Tensor result =
        at::empty(shapeOf(static_cast<std::int64_t>(ids.size()), column), whole ? at::kLong : at::kDouble);
    const auto count = static_cast<std::size_t>(size);
    std::vector<double> sample(whole ? 0 : count);
    for (std::int64_t next = 0; const std::int64_t id : ids) {
        if (whole) {
            readNumbers(column, id * size, std::span(result.mutable_data_ptr<std::int64_t>() + next, count));
        } else {
            readNumbers(column, id * size, std::span(sample));
            for (std::int64_t i = 0; i < size; ++i)
                result.mutable_data_ptr<double>()[next + i] = change(sample[static_cast<std::size_t>(i)], i);
        }
        next += size;
    }
    return result;
}

Samples tensorsOf(const Dataset& data, const SampleKeys& keys) {
    const TensorSet& set = data.trainTensors;
    const std::int64_t channels = set.inputs.shape.empty() ? 1 : set.inputs.shape.front();
    const auto normalised = [&](double value, std::int64_t element) {
        const auto channel = static_cast<std::size_t>(element * channels / set.inputs.elements());
        const double mean = data.mean.size() == 1 ? data.mean[0] : data.mean[channel];
        const double deviation = data.deviation.size() == 1 ? data.deviation[0] : data.deviation[channel];
        return (value - mean) / deviation;
    };
    return {
        columnOf(set.inputs, keys.ids, staysWhole(set.inputs.type), normalised),
        columnOf(set.targets, keys.ids, !isReal(set.targets.type), [](double value, std::int64_t) { return value; })};
}

Samples samplesOf(const Dataset& data, const SampleKeys& keys, bool masked, bool augment) {
    if (data.kind() == SampleKind::Tensors)
        return tensorsOf(data, keys);
    return data.isText() ? textOf(data, keys, masked) : imagesOf(data, keys, augment);
}

struct LossSum {
    at::Tensor sum;
    double units = 0.0;
};

/// Sums of `each`, and of the `weights` behind them, [samples, elements]: each element counts, or each sample with the
/// mean over those of its elements that are `asked`.
LossSum sumOf(const at::Tensor& each, const at::Tensor& weights, const at::Tensor& asked, bool meanOfSamples) {
    if (!meanOfSamples)
        return {each.sum(), weights.sum().item<double>()};
    const at::Tensor counts = asked.sum(1).clamp_min(1.0);
    return {(each.sum(1) / counts).sum(), (weights.sum(1) / counts).sum().item<double>()};
}

LossSum crossEntropyOf(const at::Tensor& logits, const at::Tensor& given, std::int64_t samples,
                       const ReferenceSettings& settings) {
    const at::Tensor targets = logits.dim() == 2 ? given.flatten() : given;
    const at::Tensor asked = targets.ne(ignoredTarget).to(at::kDouble);
    const at::Tensor classes = targets.clamp_min(0);
    const at::Tensor classWeights = settings.classWeights.empty() ? at::ones({logits.size(1)}, at::kDouble)
                                                                  : at::tensor(settings.classWeights, at::kDouble);
    // Classes last, whatever stands between them and the samples.
    const at::Tensor surprise = -at::log_softmax(logits, 1).movedim(1, -1);
    const at::Tensor weights = classWeights.take(classes) * asked;
    const at::Tensor picked = surprise.gather(-1, classes.unsqueeze(-1)).squeeze(-1) * weights;
    const at::Tensor even = (surprise * classWeights).mean(-1) * asked;
    const at::Tensor each = (1.0 - settings.labelSmoothing) * picked + settings.labelSmoothing * even;
    return sumOf(each.reshape({samples, -1}), weights.reshape({samples, -1}), asked.reshape({samples, -1}),
                 settings.meanOfSamples);
}

LossSum distanceOf(const at::Tensor& output, const at::Tensor& targets, std::int64_t samples,
                   const ReferenceSettings& settings) {
    const at::Tensor x = output.reshape({samples, -1});
    const at::Tensor y = targets.reshape({samples, -1}).to(at::kDouble);
    if (x.sizes() != y.sizes())
        throw ErrorThrown({"loss.outputs",
                           {{"outputs", std::to_string(x.size(1))},
                            {"targets", std::to_string(y.size(1))},
                            {"reason", "reason.loss-numbers"}}});
    const at::Tensor distance = (x - y).abs();
    at::Tensor each;
    if (settings.kind == LossKind::Mse)
        each = distance * distance;
    else if (settings.kind == LossKind::L1)
        each = distance;
    else if (settings.kind == LossKind::Huber)
        each = at::where(distance.le(settings.delta), 0.5 * distance * distance,
                         settings.delta * (distance - 0.5 * settings.delta));
    else
        each = at::logaddexp(x, at::zeros_like(x)) - x * y; // smooth at 0, where a network without bias starts
    const at::Tensor ones = at::ones_like(y);
    return sumOf(each, ones, ones, settings.meanOfSamples);
}

LossSum lossOf(const at::Tensor& output, const at::Tensor& targets, std::int64_t samples, double modelUnits,
               const ReferenceSettings& settings) {
    if (settings.kind == LossKind::CrossEntropy)
        return crossEntropyOf(output, targets, samples, settings);
    if (settings.kind != LossKind::Model)
        return distanceOf(output, targets, samples, settings);
    if (modelUnits >= 0.0) // it has summed up itself
        return {output.sum(), modelUnits};
    const at::Tensor each = output.reshape({samples, -1});
    const at::Tensor ones = at::ones_like(each);
    return sumOf(each, ones, ones, settings.meanOfSamples);
}

} // namespace

ReferenceGradient referenceGradient(const Model& model, const at::Tensor& parameters, const Dataset& data,
                                    std::span<const std::int64_t> ids, const ReferenceSettings& settings) {
    const at::AutoGradMode gradMode(true);
    const bool coupled = settings.training && model.hasBatchNorm() && settings.batchNorm != BatchNormMode::Frozen;
    const std::size_t chunk = coupled || settings.wholeBatch
                                  ? ids.size()
                                  : static_cast<std::size_t>(evaluationChunk(data, DataPart::Train, /*gpu=*/false));
    const at::Tensor weights = parameters.to(at::kDouble);
    const at::Tensor buffers = settings.buffers.defined() ? settings.buffers.to(at::kDouble) : at::Tensor();
    const std::vector<at::Tensor> views =
        buffers.defined() ? model.buffers().views(buffers) : std::vector<at::Tensor>();
    const std::vector<std::int64_t> epochs(ids.size(), settings.epoch);
    ReferenceGradient result;
    result.gradients.resize(model.layout().size());
    double units = 0.0;
    for (std::size_t first = 0; first < ids.size() && !settings.stop.stop_requested(); first += chunk) {
        const std::size_t count = std::min(chunk, ids.size() - first);
        const SampleKeys keys{settings.seed, ids.subspan(first, count), std::span(epochs).subspan(first, count)};
        const Samples samples = samplesOf(data, keys, model.task() == Task::MaskedToken, settings.augment);
        ForwardContext context;
        context.training = settings.training;
        context.keys = keys;
        context.batchNorm = settings.batchNorm;
        context.ghost = settings.ghost;
        context.buffers = views;
        const std::vector<at::Tensor> leaves = model.layout().leaves(weights);
        if (settings.kind == LossKind::Model)
            context.targets = samples.targets;
        const at::Tensor output = model.forward(leaves, samples.input, context);
        const LossSum loss = lossOf(output, samples.targets, static_cast<std::int64_t>(count), context.units, settings);
        std::vector<at::Tensor> trainable;
        for (const at::Tensor& leaf : leaves)
            if (leaf.requires_grad())
                trainable.push_back(leaf);
        const auto gradients = torch::autograd::grad({loss.sum}, trainable, {}, false, false, /*allow_unused=*/true);
        for (std::size_t i = 0, next = 0; i < leaves.size(); ++i) {
            if (!leaves[i].requires_grad())
                continue;
            const at::Tensor& gradient = gradients[next++];
            if (gradient.defined())
                result.gradients[i] = result.gradients[i].defined() ? result.gradients[i] + gradient : gradient;
        }
        result.loss += loss.sum.item<double>();
        units += loss.units;
    }
    if (units > 0.0) {
        result.loss /= units;
        for (at::Tensor& gradient : result.gradients)
            if (gradient.defined())
                gradient = gradient / units;
    }
    return result;
}

} // namespace accumulus
