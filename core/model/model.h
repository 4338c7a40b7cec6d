// SPDX-License-Identifier: GPL-3.0-or-later
// A model is a function of parameters and input; it owns no tensors. Lanes call it at the same time with their own leaves over the same memory.
#pragma once

#include "core/base/result.h"
#include "core/config/experiment_config.h"
#include "core/model/parameter_arena.h"

#include <ATen/core/Tensor.h>
#include <memory>
#include <span>

namespace accumulus {

/// What the data look like to the model.
struct InputShape {
    std::int64_t channels = 1, height = 28, width = 28;
    std::int64_t classes = 10;
};

class Model {
public:
    explicit Model(std::vector<ParameterSpec> specs) : m_layout(std::move(specs)) {}
    virtual ~Model() = default;

    [[nodiscard]] const ParameterLayout& layout() const { return m_layout; }
    /// Logits [n, classes] of input [n, channels, height, width] (already normalised). `parameters` follow layout().specs(). Thread-safe.
    [[nodiscard]] virtual at::Tensor forward(std::span<const at::Tensor> parameters, const at::Tensor& input) const = 0;

private:
    ParameterLayout m_layout;
};

/// Registry: the model named in the configuration. Errors "model.unknown", "model.input".
[[nodiscard]] Result<std::shared_ptr<const Model>> makeModel(const ModelConfig& config, const InputShape& input);

/// Initial weights into a flat fp64 tensor of `layout`: "default" draws weights and biases from U(-1/sqrt(fanIn), 1/sqrt(fanIn)) as PyTorch's Linear
/// and Conv2d do; "normal" draws weights from N(0, initStd) and sets biases to zero. Drawn in fp64 from a generator keyed by the seed, so that fp32 and fp64
/// runs start at the same point up to rounding. Runs of one seed start equal, whatever their arm.
[[nodiscard]] at::Tensor initialWeights(const ParameterLayout& layout, const ModelConfig& config, std::int64_t seed);

} // namespace accumulus
