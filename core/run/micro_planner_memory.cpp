// SPDX-License-Identifier: GPL-3.0-or-later
// Memory by formula: what stays is counted, activations are what the layers keep for the backward pass of one sample.
#include "core/run/micro_planner.h"

#include "core/config/batch_plan.h"
#include "core/data/dataset.h"
#include "core/engine/device_choice.h"
#include "core/engine/engine_setup.h"
#include "core/engine/standing_memory.h"
#include "core/run/environment.h"
#include "core/run/program.h"
#include "core/run/study_runner.h"
#include "core/train/checkpoint_info.h"

#include <algorithm>
#include <optional>

namespace accumulus {
namespace {

/// Kept for the backward pass: the input, both convolutions' outputs and their pooled ones, the linear layers' outputs.
/// The gradient of the first convolution, the largest tensor, comes on top while it is computed.
double lenetValues(const DatasetSizes& data) {
    constexpr double conv1 = 6 * 28 * 28, pool1 = conv1 / 4, conv2 = 16 * 10 * 10, pool2 = conv2 / 4;
    constexpr double linear = 2 * (120 + 84) + 10;
    return static_cast<double>(data.channels * data.height * data.width) + 2 * conv1 + pool1 + conv2 + pool2 + linear;
}

/// Input, and of each hidden layer the values before and after ReLU.
double mlpValues(const ModelConfig& model, const DatasetSizes& data) {
    const auto outputs = static_cast<double>(data.classes > 0 ? data.classes : data.targets.elements());
    double hidden = 0.0;
    for (const std::int64_t width : model.hidden)
        hidden += 2.0 * static_cast<double>(width);
    return static_cast<double>(data.channels * data.height * data.width) + hidden + 3.0 * outputs;
}

/// Each convolution keeps its output for the normalisation, and this its own for the ReLU behind it: twice the values
/// of a map. Maps have 64 x width x height values in the first stage; from stage to stage channels double and the area
/// is a quarter. A ResNet-18 stage has four such convolutions, a ResNet-50 stage blocks of w, w and 4 w channels; a
/// shortcut is one more. The first stage's gradient comes on top.
double resnetValues(const ModelConfig& model, const DatasetSizes& data) {
    const bool pooled = model.stem == "imagenet";
    const auto area = [&](std::int64_t reduction) {
        const auto side = [&](std::int64_t pixels) { return (pixels + reduction - 1) / reduction; };
        return static_cast<double>(side(data.height) * side(data.width));
    };
    const std::int64_t first = pooled ? 4 : 1;
    double values = 64 * area(pooled ? 2 : 1) * (pooled ? 2.5 : 2.0);
    for (int stage = 0; stage < 4; ++stage) {
        const double map = 64.0 * (1 << stage) * area(first << stage);
        constexpr int blocks50[] = {3, 4, 6, 3};
        const bool bottleneck = model.name == "resnet50";
        const double inBlocks = bottleneck ? blocks50[stage] * (1 + 1 + 4) : 2 * 2;
        const double shortcut = bottleneck ? 4 : stage > 0 ? 1 : 0;
        values += 2 * map * (inBlocks + shortcut);
    }
    return values + 64 * area(first) * 2;
}

/// Of each token a layer keeps, in units of its width: two normalised inputs and the two sums (4), query, key and value
/// (3), what attention saw and made of it (2), the feed-forward layer before and after its GELU (8). Logits, their
/// softmax and its gradient have the size of the vocabulary.
double transformerValues(const ModelConfig& model, const DatasetSizes& data) {
    constexpr double inLayer = 4 + 3 + 2 + 8;
    const double width = static_cast<double>(model.width);
    return static_cast<double>(data.block) *
           (static_cast<double>(model.layers) * inLayer * width + 3 * width + 3.0 * static_cast<double>(data.classes));
}

/// Nothing of a network from a file, whose layers are its own affair.
std::optional<double> activationsOf(const ModelConfig& model, const DatasetSizes& data) {
    if (model.name == "file")
        return std::nullopt;
    if (data.block > 0)
        return transformerValues(model, data);
    if (model.name == "lenet5")
        return lenetValues(data);
    return model.name == "mlp" ? mlpValues(model, data) : resnetValues(model, data);
}

} // namespace

Result<MemoryEstimate> estimateMemory(const RunConfig& config) {
    ACCUMULUS_TRY_ASSIGN(const auto batch, resolveBatch(config.batch));
    ACCUMULUS_TRY_ASSIGN(const auto data, inspectDataset(config.data, resourceFolder("datasets").parent_path()));
    ACCUMULUS_TRY_ASSIGN(const auto arenas, modelArenaSizes(config, data));
    const auto choice = chooseDevice(config.device.kind);
    const bool oneLane = config.batch.lean || (choice && choice->isGpu());
    const std::int64_t wanted =
        oneLane ? 1 : resolveLanes(config.device, Arm::Accumulated, batch.largestSteps(), availableCores()).lanes;
    const std::int64_t busy = std::min(wanted, batch.largestSteps());
    const NumericsConfig& numerics = config.numerics;
    const std::int64_t bytes = numerics.precision == Precision::Fp64   ? 8
                               : numerics.precision == Precision::Fp32 ? 4
                                                                       : 2;
    const StandingMemory standing = standingMemory(config, arenas, wanted, choice && choice->isGpu());
    MemoryEstimate estimate;
    estimate.parameters = standing.parameters;
    estimate.gradients = standing.gradients;
    estimate.optimizer = standing.optimizer;
    const auto perSample = activationsOf(config.model, data);
    estimate.complete = perSample.has_value();
    const double values = perSample.value_or(0.0) * static_cast<double>(batch.micro * busy);
    estimate.activations = static_cast<std::int64_t>(values * static_cast<double>(bytes));
    return estimate;
}

} // namespace accumulus
