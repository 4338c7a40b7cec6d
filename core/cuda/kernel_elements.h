// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of one element of each kernel, compiled for the CPU and for GPUs. Internal to core/cuda.
#pragma once

#include "core/base/keyed_draws.h"

#include <cstdint>
#include <type_traits>

namespace accumulus::kernels {

/// Extent of an image.
struct ImageShape {
    std::int64_t channels, height, width;
    [[nodiscard]] constexpr std::int64_t area() const { return height * width; }
    [[nodiscard]] constexpr std::int64_t size() const { return channels * area(); }
};

/// Value `element` (channel, y, x) of an image after crop, flip and normalisation; what lies outside is black.
template <class Real>
constexpr Real imageElement(const std::uint8_t* image, const ImageShape& shape, std::int64_t element,
                            const CropFlip& change, const Real* scaleShift) {
    const std::int64_t channel = element / shape.area();
    const std::int64_t x = element % shape.width;
    const std::int64_t row = element / shape.width % shape.height - change.down;
    const std::int64_t column = (change.mirrored ? shape.width - 1 - x : x) - change.right;
    const Real shift = scaleShift[shape.channels + channel];
    if (row < 0 || row >= shape.height || column < 0 || column >= shape.width)
        return shift;
    return static_cast<Real>(image[channel * shape.area() + row * shape.width + column]) * scaleShift[channel] + shift;
}

[[nodiscard]] constexpr CropFlip cropFlipOfKeys(const std::int64_t* key) {
    return cropFlipOf(rowKey(static_cast<std::uint64_t>(key[1]), key[0], purposeCropFlip));
}

constexpr MaskedToken tokenElement(const std::uint8_t* sample, const std::int64_t* key, std::int64_t position,
                                   bool masked, std::int64_t vocabulary) {
    if (!masked)
        return {sample[position], sample[position + 1]};
    return maskedToken(rowKey(static_cast<std::uint64_t>(key[1]), key[0], purposeMask), position, sample[position],
                       vocabulary);
}

[[nodiscard]] constexpr std::uint64_t dropoutKey(const std::int64_t* key, std::uint64_t layer) {
    return rowKey(static_cast<std::uint64_t>(key[1]), key[0], purposeDropout + (layer << 16));
}

/// What dropout multiplies a kept element by, rounded as in accumulus::keyedMask.
template <class Value>
[[nodiscard]] Value keptValue(double rate) {
    if constexpr (std::is_same_v<Value, double>)
        return 1.0 / (1.0 - rate);
    else
        return static_cast<Value>(static_cast<float>(1.0 / (1.0 - rate)));
}

/// NaN and both infinities give NaN.
[[nodiscard]] constexpr bool finite(double value) { return value - value == 0.0; }

} // namespace accumulus::kernels
