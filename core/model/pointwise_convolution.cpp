// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pointwise_convolution.h"

#include "core/base/machine_features.h"
#include "core/model/linear_layer.h"
#include "core/model/microkernel.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

namespace accumulus {
namespace {

constexpr auto channelsLast = at::MemoryFormat::ChannelsLast;

/// A view of every stride-th pixel in both directions.
at::Tensor everyPixel(const at::Tensor& images, std::int64_t stride) {
    return images.slice(2, 0, images.size(2), stride).slice(3, 0, images.size(3), stride);
}

/// A copy of every stride-th pixel; the others' gradient is 0.
struct EveryPixel final : torch::autograd::Function<EveryPixel> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& images,
                              std::int64_t stride) {
        context->saved_data["shape"] = images.sizes();
        context->saved_data["stride"] = stride;
        return everyPixel(images, stride).contiguous(channelsLast);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        at::Tensor result = at::empty(context->saved_data["shape"].toIntVector(), gradients[0].options(), channelsLast);
        everyPixel(result.zero_(), context->saved_data["stride"].toInt()).copy_(gradients[0]);
        return {result, at::Tensor()};
    }
};

std::int64_t pixelsBehind(const at::Tensor& images, std::int64_t stride) {
    return images.size(0) * ((images.size(2) + stride - 1) / stride) * ((images.size(3) + stride - 1) / stride);
}

} // namespace

at::Tensor pointwiseConvolution(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                                std::int64_t stride) {
    const at::Tensor images = stride == 1 ? input : EveryPixel::apply(input, stride);
    return linearLayer(images.permute({0, 2, 3, 1}), weight.view({weight.size(0), weight.size(1)}), bias)
        .permute({0, 3, 1, 2});
}

bool pointwiseWins(const at::Tensor& input, const at::Tensor& weight, std::int64_t stride, std::int64_t padding) {
    constexpr std::int64_t fewPixels = 2048, fewPixelsStrided = 4096;
    return padding == 0 && weight.size(2) == 1 && weight.size(3) == 1 && !machineFeatures().wideVectors &&
           microkernelTakes(input) && microkernelTakes(weight) && input.numel() > 0 &&
           input.is_contiguous(channelsLast) &&
           pixelsBehind(input, stride) <= (stride == 1 ? fewPixels : fewPixelsStrided);
}

} // namespace accumulus
