// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/convolution.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <array>
#include <torch/csrc/autograd/custom_function.h>

namespace accumulus {
namespace {

struct ValidConvolution final : torch::autograd::Function<ValidConvolution> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                              const at::Tensor& weight, const at::Tensor& bias) {
        context->save_for_backward({input, weight});
        return at::conv2d(input, weight, bias);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor& input = saved[0];
        const at::Tensor& weight = saved[1];
        const at::Tensor& gradient = gradients[0];
        at::Tensor inputGradient;
        if (context->needs_input_grad(0))
            inputGradient = std::get<0>(at::convolution_backward(
                gradient, input, weight, {weight.size(0)}, {1, 1}, {0, 0}, {1, 1}, /*transposed=*/false, {0, 0},
                /*groups=*/1, std::array<bool, 3>{true, false, false}));
        const auto samplesAsChannels = [](const at::Tensor& x) { return x.transpose(0, 1).contiguous(); };
        return {inputGradient, at::conv2d(samplesAsChannels(input), samplesAsChannels(gradient)).transpose(0, 1),
                gradient.sum({0, 2, 3})};
    }
};

} // namespace

at::Tensor validConvolution(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias) {
    const bool plain = input.is_cpu() && input.scalar_type() == at::kFloat && weight.scalar_type() == at::kFloat &&
                       weight.requires_grad() && bias.requires_grad() && at::GradMode::is_enabled() &&
                       !at::autocast::is_autocast_enabled(at::kCPU);
    return plain ? ValidConvolution::apply(input, weight, bias) : at::conv2d(input, weight, bias);
}

} // namespace accumulus
