// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/transformer_block.h"

#include "core/model/keyed_dropout.h"
#include "core/model/linear_layer.h"

#include <ATen/ATen.h>
#include <stdexcept>

namespace accumulus {

std::size_t TransformerLayout::dense(const std::string& name, std::int64_t in, std::int64_t out, double spread) {
    m_specs.push_back({name + ".weight", {out, in}, in, false, InitialValue::normal(spread)});
    bias(name + ".bias", out);
    for (const std::size_t back : {1, 2})
        m_specs[m_specs.size() - back].autocast = true;
    return m_specs.size() - 2;
}

std::size_t TransformerLayout::layerNorm(const std::string& name, std::int64_t width) {
    m_specs.push_back({name + ".weight", {width}, width, true, InitialValue::constant(1.0)});
    bias(name + ".bias", width);
    return m_specs.size() - 2;
}

std::size_t TransformerLayout::embedding(const std::string& name, std::int64_t rows, std::int64_t width) {
    m_specs.push_back({name + ".weight", {rows, width}, width, false, InitialValue::normal(deviation)});
    return m_specs.size() - 1;
}

std::size_t TransformerLayout::bias(const std::string& name, std::int64_t size) {
    m_specs.push_back({name, {size}, size, true, InitialValue::constant(0.0)});
    return m_specs.size() - 1;
}

at::Tensor dense(const at::Tensor& x, std::span<const at::Tensor> parameters, std::size_t first) {
    return linearLayer(x, parameters[first], parameters[first + 1]);
}

at::Tensor ResidualLayers::dropped(const at::Tensor& x) { return keyedDropout(x, m_dropout, ++m_layer, m_context); }

at::Tensor ResidualLayers::added(const at::Tensor& x, const at::Tensor& input, std::size_t first,
                                 std::optional<GeluForm> gelu) {
    const at::Tensor &weight = m_parameters[first], &bias = m_parameters[first + 1];
    if (m_dropout == 0.0 || !m_context.training)
        return linearOnto(x, input, gelu, weight, bias);
    return x + dropped(gelu ? linearOfGelu(input, *gelu, weight, bias) : linearLayer(input, weight, bias));
}

at::Tensor layerNorm(const at::Tensor& x, std::span<const at::Tensor> parameters, std::size_t first, double epsilon) {
    return at::layer_norm(x, {x.size(-1)}, parameters[first], parameters[first + 1], epsilon);
}

at::Tensor embed(const at::Tensor& tokens, const at::Tensor& tokenTable, const at::Tensor& positionTable) {
    if (tokens.size(1) > positionTable.size(0))
        throw std::runtime_error("the tokens are longer than the context of the model");
    return at::embedding(tokenTable, tokens) + positionTable.narrow(0, 0, tokens.size(1));
}

} // namespace accumulus
