// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pointwise_convolution.h"

#include "core/model/float_data.h"
#include "core/model/linear_layer.h"
#include "core/model/microkernel.h"

#include <ATen/ATen.h>

namespace accumulus {
namespace {

std::int64_t pixelsBehind(const at::Tensor& images, std::int64_t stride) {
    return images.size(0) * ((images.size(2) + stride - 1) / stride) * ((images.size(3) + stride - 1) / stride);
}

} // namespace

at::Tensor pointwiseConvolution(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                                std::int64_t stride) {
    // The mean over a single pixel is every stride-th pixel, kept in channels-last order both ways.
    const at::Tensor images = stride == 1 ? input : at::avg_pool2d(input, 1, stride);
    return linearLayer(images.permute({0, 2, 3, 1}), weight.view({weight.size(0), weight.size(1)}), bias)
        .permute({0, 3, 1, 2});
}

bool pointwiseWins(const at::Tensor& input, const at::Tensor& weight, std::int64_t stride, std::int64_t padding) {
    constexpr std::int64_t fewPixels = 2048, fewPixelsStrided = 4096;
    return padding == 0 && weight.size(2) == 1 && weight.size(3) == 1 && input.size(1) == weight.size(1) &&
           microkernelTakes(input) && microkernelTakes(weight) && input.numel() > 0 &&
           input.is_contiguous(channelsLast) &&
           pixelsBehind(input, stride) <= (stride == 1 ? fewPixels : fewPixelsStrided);
}

} // namespace accumulus
