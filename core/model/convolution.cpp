// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/convolution.h"

#include "core/base/machine_features.h"
#include "core/model/direct_convolution_kernels.h"
#include "core/model/float_data.h"
#include "core/model/matrix_kernels.h"
#include "core/model/pointwise_convolution.h"
#include "core/model/sixteen_bits.h"
#include "core/model/tile_convolution.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <ATen/record_function.h>
#include <algorithm>
#include <array>
#include <optional>
#include <torch/csrc/autograd/custom_function.h>
#include <vector>

namespace accumulus {
namespace {

DirectConvolution directShape(const at::Tensor& input, const at::Tensor& weight, std::int64_t margin) {
    return {weight.size(1), weight.size(0), weight.size(2), input.size(2) + 2 * margin, input.size(3) + 2 * margin};
}

/// Do rows of outputs waste vectors that outputs side by side would fill?
bool outputsFillVectors(const DirectConvolution& shape) {
    return machineFeatures().vectors && shape.takesSideBySide() &&
           shape.rowsWasteVectors(machineFeatures().wideVectors ? 16 : 8);
}

/// `out` [n, outputs, ...] of `images` [n, channels, ...] without their margins.
void convolveImages(const DirectConvolution& shape, std::int64_t margin, const at::Tensor& images, const float* weight,
                    const float* bias, at::Tensor& out) {
    const std::int64_t imageSize = images.numel() / images.size(0), outSize = out.numel() / out.size(0);
    const float* from = read(images);
    float* to = write(out);
    const bool sideBySide = outputsFillVectors(shape);
    const std::int64_t taps = shape.channels * shape.kernel * shape.kernel, pixels = outSize / shape.outputs;
    at::Tensor turned = scratch(sideBySide ? taps * shape.outputs : 0);
    if (sideBySide)
        transpose(weight, shape.outputs, taps, taps, write(turned), shape.outputs);
    inParallel(images.size(0), [&](std::int64_t begin, std::int64_t end) {
        at::Tensor room = scratch(shape.imageSize()), byPixel = scratch(sideBySide ? outSize : 0);
        for (std::int64_t sample = begin; sample < end; ++sample) {
            withMargin(shape, margin, from + sample * imageSize, write(room));
            if (sideBySide) {
                convolveSideBySide(shape, read(room), read(turned), bias, machineFeatures().wideVectors,
                                   write(byPixel));
                transpose(read(byPixel), pixels, shape.outputs, shape.outputs, to + sample * outSize, pixels);
            } else {
                convolve(shape, read(room), weight, bias, machineFeatures().wideVectors, to + sample * outSize);
            }
        }
    });
}

at::Tensor inputGradient(const DirectConvolution& shape, std::int64_t margin, const at::Tensor& gradient,
                         const at::Tensor& weight) {
    // The convolution of the output's gradient, with margins that let each kernel reach over its edge, with the turned
    // kernels; what falls on the input's own margin is not computed.
    const std::int64_t around = shape.kernel - 1 - margin;
    const DirectConvolution back{shape.outputs, shape.channels, shape.kernel, shape.outHeight() + 2 * around,
                                 shape.outWidth() + 2 * around};
    at::Tensor turned = scratch(weight.numel());
    turnKernels(shape, read(weight), write(turned));
    at::Tensor result =
        at::empty({gradient.size(0), shape.channels, back.outHeight(), back.outWidth()}, gradient.options());
    convolveImages(back, around, gradient, read(turned), nullptr, result);
    return result;
}

at::Tensor weightGradient(const DirectConvolution& shape, std::int64_t margin, const at::Tensor& gradient,
                          const at::Tensor& input) {
    constexpr std::int64_t samplesAtOnce = 32; // so many images are in scratch memory
    at::Tensor result = at::empty({shape.outputs, shape.channels, shape.kernel, shape.kernel}, gradient.options());
    const std::int64_t samples = input.size(0), imageSize = input.numel() / samples;
    const std::int64_t pixels = shape.outHeight() * shape.outWidth(), gradientSize = shape.outputs * pixels;
    const bool sideBySide = machineFeatures().vectors && shape.takesSideBySide();
    const std::int64_t arrangedSize = sideBySide ? gradientSize : shape.outputs * shape.outHeight() * shape.wideRow();
    at::Tensor images = scratch(std::min(samples, samplesAtOnce) * shape.imageSize());
    at::Tensor arranged = scratch(std::min(samples, samplesAtOnce) * arrangedSize);
    float *toImages = write(images), *toArranged = write(arranged), *to = write(result);
    for (std::int64_t first = 0; first < samples; first += samplesAtOnce) {
        const std::int64_t count = std::min(samplesAtOnce, samples - first);
        inParallel(count, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t sample = begin; sample < end; ++sample) {
                withMargin(shape, margin, read(input) + (first + sample) * imageSize,
                           toImages + sample * shape.imageSize());
                const float* from = read(gradient) + (first + sample) * gradientSize;
                float* place = toArranged + sample * arrangedSize;
                if (sideBySide)
                    transpose(from, shape.outputs, pixels, pixels, place, shape.outputs);
                else
                    widenRows(shape, from, place);
            }
        });
        const auto ofPart = sideBySide ? weightGradientSideBySide : weightGradientPart;
        inParallel(sideBySide ? shape.partsSideBySide() : shape.parts(), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t part = begin; part < end; ++part)
                ofPart(shape, toImages, toArranged, count, part, first > 0, machineFeatures().wideVectors, to);
        });
    }
    return result;
}

struct SmallConvolution final : torch::autograd::Function<SmallConvolution> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                              const at::Tensor& weight, const at::Tensor& bias, std::int64_t margin) {
        const DirectConvolution shape = directShape(input, weight, margin);
        context->save_for_backward({input, weight});
        context->saved_data["margin"] = margin;
        const at::Tensor images = inFloat(input), kernels = inFloat(weight), shift = inFloat(bias);
        at::Tensor output =
            at::empty({input.size(0), shape.outputs, shape.outHeight(), shape.outWidth()}, images.options());
        convolveImages(shape, margin, images, read(kernels), read(shift), output);
        return output.to(input.scalar_type());
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor input = inFloat(saved[0]), weight = inFloat(saved[1]);
        const at::ScalarType type = saved[0].scalar_type();
        const std::int64_t margin = context->saved_data["margin"].toInt();
        const DirectConvolution shape = directShape(input, weight, margin);
        const at::Tensor gradient = inFloat(gradients[0].contiguous());
        at::Tensor ofInput, ofWeight, ofBias;
        if (context->needs_input_grad(0))
            ofInput = inputGradient(shape, margin, gradient, weight).to(type);
        if (context->needs_input_grad(1))
            ofWeight = weightGradient(shape, margin, gradient, input).to(type);
        if (context->needs_input_grad(2))
            ofBias = gradient.sum({0, 2, 3}).to(type);
        return {ofInput, ofWeight, ofBias, at::Tensor()};
    }
};

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

bool plain(const at::Tensor& tensor) {
    const at::ScalarType type = tensor.scalar_type();
    return tensor.is_cpu() && (type == at::kFloat || at::isReducedFloatingType(type)) && tensor.is_contiguous();
}

bool takes(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias, std::int64_t margin) {
    constexpr std::int64_t fewInputs = 16, fewOutputs = 32, smallSide = 32;
    if (!plain(input) || !plain(weight) || !plain(bias) || input.dim() != 4 || input.numel() == 0 ||
        at::autocast::is_autocast_enabled(at::kCPU))
        return false;
    if (weight.dim() != 4 || input.size(1) != weight.size(1) || bias.dim() != 1 || bias.size(0) != weight.size(0))
        return false; // ATen's to refuse
    const std::int64_t kernel = weight.size(2);
    return kernel == weight.size(3) && hasDirectKernel(kernel) && margin < kernel && weight.size(0) <= fewOutputs &&
           weight.size(1) <= fewInputs && std::max(input.size(2), input.size(3)) <= smallSide &&
           std::min(input.size(2), input.size(3)) + 2 * margin >= kernel;
}

} // namespace

at::Tensor smallConvolution(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                            std::int64_t margin) {
    if (const RoundedProducts rounded(/*evenWhereFast=*/true); takes(input, weight, bias, margin)) {
        // Whoever watches operators (LayerWatch) sees this one, too: what it computes with is no operator of LibTorch.
        RECORD_FUNCTION("accumulus::small_convolution", (std::vector<c10::IValue>{input, weight, bias}));
        return SmallConvolution::apply(rounded.cast(input), rounded.cast(weight), rounded.cast(bias), margin);
    }
    return convolution2d(input, weight, bias, /*stride=*/1, margin);
}

at::Tensor convolution2d(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias, std::int64_t stride,
                         std::int64_t padding) {
    if (tilesTake(input, weight, stride, padding))
        return tileConvolution(input, weight, bias, stride);
    // An image without its batch is left to autocast. Whoever watches operators (LayerWatch) sees this one with the
    // layer's own weights.
    if (const RoundedProducts rounded; input.is_cpu() && input.dim() == 4) {
        const bool pointwise = pointwiseWins(input, weight, stride, padding);
        if (pointwise || rounded.active()) {
            RECORD_FUNCTION("accumulus::convolution", (std::vector<c10::IValue>{input, weight, bias}));
            const at::Tensor images = rounded.cast(input), kernels = rounded.cast(weight), shift = rounded.cast(bias);
            if (pointwise)
                return pointwiseConvolution(images, kernels, shift, stride);
            return RoundedConvolution::apply(images, kernels, shift.defined() ? std::optional(shift) : std::nullopt,
                                             stride, padding);
        }
    }
    return at::conv2d(input, weight, bias, stride, padding);
}

} // namespace accumulus
