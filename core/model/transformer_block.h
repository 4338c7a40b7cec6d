// SPDX-License-Identifier: GPL-3.0-or-later
// What the transformers (Vaswani et al. 2017) are put together from, as functions of parameters. No layer here mixes
// the samples of a batch.
#pragma once

#include "core/model/gelu.h"
#include "core/model/model.h"

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace accumulus {

/// Collects the specifications of a transformer's parameters, and says where each part begins.
class TransformerLayout {
public:
    static constexpr double deviation = 0.02; ///< of initial weights, as GPT-2 and BERT

    /// weight [out, in] from N(0, spread), bias [out] zero. Index of the weight; the bias follows it.
    std::size_t dense(const std::string& name, std::int64_t in, std::int64_t out, double spread = deviation);
    /// weight [width] one, bias [width] zero. Index of the weight; the bias follows it.
    std::size_t layerNorm(const std::string& name, std::int64_t width);
    /// [rows, width] from N(0, deviation).
    std::size_t embedding(const std::string& name, std::int64_t rows, std::int64_t width);
    /// [size] zero.
    std::size_t bias(const std::string& name, std::int64_t size);

    [[nodiscard]] const std::vector<ParameterSpec>& specs() const { return m_specs; }

private:
    std::vector<ParameterSpec> m_specs;
};

/// x W^T + b with W, b = parameters[first], parameters[first + 1].
[[nodiscard]] at::Tensor dense(const at::Tensor& x, std::span<const at::Tensor> parameters, std::size_t first);

/// The layers of one forward pass that end in the residual stream, behind dropout where there is any.
class ResidualLayers {
public:
    ResidualLayers(std::span<const at::Tensor> parameters, double dropout, const ForwardContext& context)
        : m_parameters(parameters), m_dropout(dropout), m_context(context) {}

    /// dropout(x). Each call is a layer of dropout of its own.
    [[nodiscard]] at::Tensor dropped(const at::Tensor& x);
    /// x + dropout(dense(input)), of GELU(input) where `gelu` says so; without dropout in one pass.
    [[nodiscard]] at::Tensor added(const at::Tensor& x, const at::Tensor& input, std::size_t first,
                                   std::optional<GeluForm> gelu = std::nullopt);

private:
    std::span<const at::Tensor> m_parameters;
    double m_dropout;
    const ForwardContext& m_context;
    std::uint64_t m_layer = 0; ///< of dropout
};

/// LayerNorm (Ba et al. 2016) over the last dimension.
[[nodiscard]] at::Tensor layerNorm(const at::Tensor& x, std::span<const at::Tensor> parameters, std::size_t first,
                                   double epsilon);
/// Token and position embedding added up: [n, length, width] of tokens [n, length]. Throws std::runtime_error when the
/// tokens are longer than the context.
[[nodiscard]] at::Tensor embed(const at::Tensor& tokens, const at::Tensor& tokenTable, const at::Tensor& positionTable);

} // namespace accumulus
