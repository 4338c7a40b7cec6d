// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/patch_convolution.h"

#include "core/base/machine_features.h"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <ATen/record_function.h>
#include <array>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <optional>
#include <torch/csrc/autograd/custom_function.h>
#include <vector>

namespace accumulus {
namespace {

constexpr auto channelsLast = at::MemoryFormat::ChannelsLast;

/// Outputs along a side.
std::int64_t outputsOf(std::int64_t side, std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
    return (side + 2 * padding - kernel) / stride + 1;
}

/// [n x height' x width', kernel x kernel x channels]: what each output sees of `images`, in channels-last order.
at::Tensor patchesOf(const at::Tensor& images, std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
    at::Tensor pixels = images.permute({0, 2, 3, 1});
    if (padding > 0)
        pixels = at::constant_pad_nd(pixels, {0, 0, padding, padding, padding, padding});
    const at::Tensor patches = pixels.unfold(1, kernel, stride).unfold(2, kernel, stride); // channels before the patch
    return patches.permute({0, 1, 2, 4, 5, 3}).reshape({-1, kernel * kernel * pixels.size(3)});
}

struct PatchConvolution final : torch::autograd::Function<PatchConvolution> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                              const at::Tensor& weight, const std::optional<at::Tensor>& bias, std::int64_t stride,
                              std::int64_t padding) {
        context->save_for_backward({input, weight});
        context->saved_data["stride"] = stride;
        context->saved_data["padding"] = padding;
        context->saved_data["shifts"] = bias.has_value();
        return at::conv2d(input, weight, bias, stride, padding);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor &input = saved[0], &weight = saved[1];
        const std::int64_t stride = context->saved_data["stride"].toInt();
        const std::int64_t padding = context->saved_data["padding"].toInt();
        const at::Tensor gradient = gradients[0].contiguous(channelsLast);
        at::Tensor ofInput, ofWeight, ofBias;
        if (context->needs_input_grad(0))
            ofInput = std::get<0>(at::convolution_backward(
                gradient, input, weight, at::OptionalIntArrayRef(), {stride, stride}, {padding, padding},
                /*dilation=*/{1, 1}, /*transposed=*/false, /*output_padding=*/{0, 0}, /*groups=*/1,
                std::array<bool, 3>{true, false, false}));
        if (context->needs_input_grad(1)) {
            const std::int64_t outputs = weight.size(0), channels = weight.size(1), kernel = weight.size(2);
            const at::Tensor rows = gradient.permute({0, 2, 3, 1}).reshape({-1, outputs});
            ofWeight = at::mm(rows.t(), patchesOf(input, kernel, stride, padding))
                           .view({outputs, kernel, kernel, channels})
                           .permute({0, 3, 1, 2});
        }
        if (context->saved_data["shifts"].toBool() && context->needs_input_grad(2))
            ofBias = gradient.sum({0, 2, 3});
        return {ofInput, ofWeight, ofBias, at::Tensor(), at::Tensor()};
    }
};

/// The operand as autocast would hand it on.
at::Tensor cast(const at::Tensor& operand) {
    return operand.defined() ? at::autocast::cached_cast(at::kBFloat16, operand, at::kCPU) : operand;
}

bool inBfloat16(const at::Tensor& input, const at::Tensor& weight) {
    if (at::autocast::is_autocast_enabled(at::kCPU))
        return at::autocast::get_autocast_dtype(at::kCPU) == at::kBFloat16;
    return input.scalar_type() == at::kBFloat16 && weight.scalar_type() == at::kBFloat16;
}

#if defined(__x86_64__)
constexpr bool wasMeasured = true;
#else
constexpr bool wasMeasured = false; // instructions for bfloat16 of another kind
#endif

} // namespace

at::Tensor patchConvolution(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                            std::int64_t stride, std::int64_t padding) {
    // Whoever watches operators (LayerWatch) sees this one with the layer's own weights.
    RECORD_FUNCTION("accumulus::convolution", (std::vector<c10::IValue>{input, weight, bias}));
    const at::Tensor images = cast(input).contiguous(channelsLast), kernels = cast(weight), shift = cast(bias);
    const c10::impl::ExcludeDispatchKeyGuard withoutAutocast(c10::DispatchKey::AutocastCPU);
    return PatchConvolution::apply(images, kernels, shift.defined() ? std::optional(shift) : std::nullopt, stride,
                                   padding);
}

bool patchesWin(const at::Tensor& input, const at::Tensor& weight, std::int64_t stride, std::int64_t padding) {
    constexpr std::int64_t fewOutputs = 64;
    if (!wasMeasured || !machineFeatures().fastBf16 || !input.is_cpu() || !weight.is_cpu() || input.dim() != 4 ||
        weight.dim() != 4 || input.numel() == 0 || input.size(1) != weight.size(1) || !inBfloat16(input, weight) ||
        !input.is_contiguous(channelsLast))
        return false;
    const std::int64_t kernel = weight.size(2);
    const std::int64_t down = outputsOf(input.size(2), kernel, stride, padding);
    const std::int64_t across = outputsOf(input.size(3), kernel, stride, padding);
    return kernel == weight.size(3) && down > 0 && across > 0 &&
           (kernel == 1 || (kernel == 3 && down * across <= fewOutputs));
}

} // namespace accumulus
