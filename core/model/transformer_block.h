// SPDX-License-Identifier: GPL-3.0-or-later
// What the transformers (Vaswani et al. 2017) are put together from, as functions of parameters. No layer here mixes
// the samples of a batch.
#pragma once

#include "core/model/gelu.h"
#include "core/model/model.h"

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <cstdint>
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
/// As dense() of GELU(x), which is computed where it is needed and not kept.
[[nodiscard]] at::Tensor denseOfGelu(const at::Tensor& x, GeluForm form, std::span<const at::Tensor> parameters,
                                     std::size_t first);
/// LayerNorm (Ba et al. 2016) over the last dimension.
[[nodiscard]] at::Tensor layerNorm(const at::Tensor& x, std::span<const at::Tensor> parameters, std::size_t first,
                                   double epsilon);
/// Token and position embedding added up: [n, length, width] of tokens [n, length]. Throws std::runtime_error when the
/// tokens are longer than the context.
[[nodiscard]] at::Tensor embed(const at::Tensor& tokens, const at::Tensor& tokenTable, const at::Tensor& positionTable);
/// softmax(q k^T / sqrt(width / heads)) v in each head; all [n, length, width]. `causal`: a position looks at itself
/// and what lies before it. The probabilities are not dropped out: the fused kernel draws from a stream, which would
/// tie the result to the order of the calls.
[[nodiscard]] at::Tensor attend(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                                std::int64_t heads, bool causal);

} // namespace accumulus
