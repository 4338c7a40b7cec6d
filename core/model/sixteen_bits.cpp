// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/sixteen_bits.h"

#include "core/base/machine_features.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <ATen/record_function.h>
#include <array>
#include <torch/csrc/autograd/custom_function.h>
#include <vector>

namespace accumulus {
namespace {

/// Does this processor compute products of such numbers itself?
bool hasInstructions(at::ScalarType type) {
    return type == at::kBFloat16 ? machineFeatures().fastBf16 : machineFeatures().fastFp16;
}

struct RoundedConvolution final : torch::autograd::Function<RoundedConvolution> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                              const at::Tensor& weight, const std::optional<at::Tensor>& bias, std::int64_t stride,
                              std::int64_t padding) {
        context->save_for_backward({input, weight});
        context->saved_data["stride"] = stride;
        context->saved_data["padding"] = padding;
        context->saved_data["shifts"] = bias.has_value();
        const auto shift = bias ? std::optional(inFloat(*bias)) : std::nullopt;
        return at::conv2d(inFloat(input), inFloat(weight), shift, stride, padding).to(input.scalar_type());
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor &input = saved[0], &weight = saved[1];
        const std::int64_t stride = context->saved_data["stride"].toInt();
        const std::int64_t padding = context->saved_data["padding"].toInt();
        const std::array<bool, 3> wanted{context->needs_input_grad(0), context->needs_input_grad(1),
                                         context->saved_data["shifts"].toBool() && context->needs_input_grad(2)};
        const std::vector<std::int64_t> ofBias{weight.size(0)};
        const auto [first, second, third] =
            at::convolution_backward(inFloat(gradients[0]), inFloat(input), inFloat(weight), at::IntArrayRef(ofBias),
                                     {stride, stride}, {padding, padding}, /*dilation=*/{1, 1}, /*transposed=*/false,
                                     /*output_padding=*/{0, 0}, /*groups=*/1, wanted);
        const auto rounded = [&](const at::Tensor& gradient) {
            return gradient.defined() ? gradient.to(input.scalar_type()) : gradient;
        };
        return {rounded(first), rounded(second), rounded(third), at::Tensor(), at::Tensor()};
    }
};

} // namespace

at::Tensor inFloat(const at::Tensor& tensor) {
    return tensor.defined() && at::isReducedFloatingType(tensor.scalar_type()) ? tensor.to(at::kFloat) : tensor;
}

bool productsTake(at::ScalarType type) {
    return type == at::kFloat || (at::isReducedFloatingType(type) && !hasInstructions(type));
}

RoundedProducts::RoundedProducts() {
    if (!at::autocast::is_autocast_enabled(at::kCPU))
        return;
    if (const at::ScalarType type = at::autocast::get_autocast_dtype(at::kCPU);
        machineFeatures().vectors && productsTake(type)) {
        m_type = type;
        m_withoutAutocast.emplace(c10::DispatchKey::AutocastCPU);
    }
}

at::Tensor RoundedProducts::cast(const at::Tensor& operand) const {
    return active() && operand.defined() ? at::autocast::cached_cast(*m_type, operand, at::kCPU) : operand;
}

at::Tensor convolution2d(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias, std::int64_t stride,
                         std::int64_t padding) {
    const RoundedProducts rounded;
    if (!rounded.active() || !input.is_cpu() || input.dim() != 4) // 3: an image without its batch
        return at::conv2d(input, weight, bias, stride, padding);
    // Whoever watches operators (LayerWatch) sees this one with the layer's own weights.
    RECORD_FUNCTION("accumulus::convolution", (std::vector<c10::IValue>{input, weight, bias}));
    return RoundedConvolution::apply(rounded.cast(input), rounded.cast(weight),
                                     bias.defined() ? std::optional(rounded.cast(bias)) : std::nullopt, stride,
                                     padding);
}

} // namespace accumulus
