// SPDX-License-Identifier: GPL-3.0-or-later
// A model describes its parameters and buffers and is instantiated over them, once for each lane. It owns no tensors:
// instances share the memory of the weights and nothing else.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/base/sample_keys.h"
#include "core/config/dataset_rows.h"
#include "core/config/experiment_config.h"
#include "core/model/parameter_arena.h"

#include <ATen/core/Tensor.h>
#include <memory>
#include <span>
#include <vector>

namespace accumulus {

/// What the data look like to the model.
struct InputShape {
    std::int64_t channels = 1, height = 28, width = 28; ///< of tensors of fewer dimensions the missing ones are 1
    /// Outputs for each sample: classes of images; size of the vocabulary for text; of tensors classes or, where the
    /// loss compares numbers, the numbers of a target.
    std::int64_t classes = 10;
    std::int64_t block = 0; ///< context length of text; 0 for others
    SampleKind kind = SampleKind::Images;
    std::vector<std::int64_t> sample{};     ///< of tensors: shape of one input, any number of dimensions
    bool wholeNumbers = false;              ///< of tensors: inputs are int64, not of the compute type
    std::vector<std::int64_t> target{};     ///< of tensors: shape of one target; empty: one number
    bool wholeTargets = true;               ///< targets are int64: labels, tokens
    LossKind loss = LossKind::CrossEntropy; ///< what becomes of the outputs

    bool operator==(const InputShape&) const = default;
};

/// What the model learns from a sample, and so what its targets are.
enum class Task {
    Classify,    ///< images: one label each
    NextToken,   ///< text: the next token at each position
    MaskedToken, ///< text: the tokens that were masked; the other positions bear no loss
};

/// What one BatchNorm layer saw in one group of samples.
struct NormStatistics {
    at::Tensor mean;        ///< [channels]
    at::Tensor variance;    ///< [channels], unbiased
    std::int64_t count = 0; ///< elements behind each: samples x height x width
};

/// What a forward pass needs beside parameters and input, and what it leaves behind. One per lane.
struct ForwardContext {
    bool training = false; ///< dropout draws; BatchNorm uses the micro-batch's statistics unless frozen
    SampleKeys keys;       ///< one for each row of the input; needed where training draws
    at::Tensor deviceKeys; ///< the same beside the input, where that lies on a GPU (see device_kernels.h); `keys` is
                           ///< then not looked at
    BatchNormMode batchNorm = BatchNormMode::Micro;
    std::int64_t ghost = 0;              ///< samples of a BatchNorm group; 0: all rows
    std::span<const at::Tensor> buffers; ///< follow Model::buffers().specs(); only read
    /// [layer][group], layers in the order of the buffers. The caller empties it before a forward pass; filled when
    /// training and not frozen.
    std::vector<std::vector<NormStatistics>> statistics;
    // Where the model computes its loss itself (LossKind::Model).
    at::Tensor targets;  ///< of the rows of the input
    double units = -1.0; ///< what it leaves behind where it returns a sum: their count; below 0: one loss for each unit
};

/// A model over given parameters and buffers. One thread at a time; it may own state and draw from a stream of its own.
class ModelInstance {
public:
    virtual ~ModelInstance() = default;
    /// As Model::forward(), whose `context.buffers` it does not look at.
    [[nodiscard]] virtual at::Tensor forward(const at::Tensor& input, ForwardContext& context) = 0;
};

class Model {
public:
    explicit Model(std::vector<ParameterSpec> parameters, std::vector<ParameterSpec> buffers = {})
        : m_layout(std::move(parameters)), m_buffers(std::move(buffers)) {}
    virtual ~Model() = default;

    [[nodiscard]] const ParameterLayout& layout() const { return m_layout; }
    /// From now on the parameters whose names match one of `patterns` (* and ?) are not trained. Before the model is
    /// instantiated. Error "config.freeze": a pattern matches nothing, or nothing is left to train.
    [[nodiscard]] Status freeze(std::span<const std::string> patterns);
    /// Running statistics of BatchNorm layers, in pairs: mean, variance, mean, variance, ... Saved with the weights,
    /// not trained.
    [[nodiscard]] const ParameterLayout& buffers() const { return m_buffers; }
    [[nodiscard]] bool hasBatchNorm() const { return m_buffers.size() > 0; }
    [[nodiscard]] virtual Task task() const { return Task::Classify; }
    /// The smallest number of elements per sample (height x width) that a BatchNorm layer sees. 1: a group of one
    /// sample has no variance there.
    [[nodiscard]] virtual std::int64_t leastNormalisedArea() const { return 0; }
    /// Does the model bring weights with it? Else they are drawn.
    [[nodiscard]] virtual bool bringsWeights() const { return false; }
    /// A flat copy of them; undefined where it brings none.
    [[nodiscard]] virtual at::Tensor ownWeights(at::ScalarType) const { return {}; }
    /// Statistics that it brings: flat, fp64, of buffers(). Undefined: means 0, variances 1.
    [[nodiscard]] virtual at::Tensor ownBuffers() const { return {}; }
    /// Training draws from a stream, not by sample: the arms of a pair draw differently.
    [[nodiscard]] virtual bool drawsFromStream() const { return false; }
    /// A sample's output depends on the other samples of a micro-batch, and BatchNorm is not the reason.
    [[nodiscard]] virtual bool couplesSamples() const { return false; }
    /// Statistics over a window need to know how many values stand behind those of a micro-batch.
    [[nodiscard]] virtual bool countsNormalised() const { return true; }
    /// False for a network from a file that another type is written into. Of fp32 and fp64.
    [[nodiscard]] virtual bool computesIn(at::ScalarType) const { return true; }
    /// What to tell before training, beside the number of parameters.
    [[nodiscard]] virtual std::vector<Message> facts() const { return {}; }

    /// An instance for one lane. `parameters` and `buffers` follow layout() and buffers(); the instance keeps them.
    /// Parameters are leaves of autograd where gradients are wanted. By default forward() over them.
    [[nodiscard]] virtual std::unique_ptr<ModelInstance> instantiate(std::vector<at::Tensor> parameters,
                                                                     std::vector<at::Tensor> buffers) const;

    /// Logits of `input`: [n, classes] of images [n, channels, height, width] (normalised); [n x block, vocabulary] of
    /// tokens [n, block]. `parameters` follow layout().specs(). Thread-safe.
    [[nodiscard]] virtual at::Tensor forward(std::span<const at::Tensor> parameters, const at::Tensor& input,
                                             ForwardContext& context) const = 0;

private:
    ParameterLayout m_layout;
    ParameterLayout m_buffers;
};

/// How convolutions are computed; models without them have no use for it.
struct ConvolutionChoice {
    bool channelsLast = false; ///< weights in that memory order (see ParameterSpec)
    bool winograd = false;     ///< where winogradWins (see winograd.h)
    bool onlyWide = false;     ///< channelsLast is meant for networks with wide layers

    bool operator==(const ConvolutionChoice&) const = default;
};

/// Registry: the model named in the configuration, with model.freeze applied.
/// Errors "model.unknown", "model.input", "model.setting", "config.freeze".
[[nodiscard]] Result<std::shared_ptr<const Model>> makeModel(const ModelConfig& config, const InputShape& input,
                                                             ConvolutionChoice convolutions = {});

/// Initial weights in a flat tensor of `layout` and `type`. "default" draws each parameter as its specification says
/// (InitialValue), which is what PyTorch's or the model's own reference implementation does; "normal" draws weights
/// from N(0, initStd), sets biases to zero and normalisation layers to identity. Drawn in fp64 from a generator keyed
/// by the seed and rounded to `type` parameter by parameter, so that fp32 and fp64 runs start at the same point up to
/// rounding. Runs of one seed start equal, whatever their arm. Beside the result memory holds one parameter in fp64.
[[nodiscard]] at::Tensor initialWeights(const ParameterLayout& layout, const ModelConfig& config, std::int64_t seed,
                                        at::ScalarType type = at::kDouble);
/// Those that the model brings with it where it does, whatever model.init says.
[[nodiscard]] at::Tensor initialWeights(const Model& model, const ModelConfig& config, std::int64_t seed,
                                        at::ScalarType type = at::kDouble);
/// Running means 0, running variances 1. fp64.
[[nodiscard]] at::Tensor initialBuffers(const ParameterLayout& buffers);

} // namespace accumulus
