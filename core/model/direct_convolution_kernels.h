// SPDX-License-Identifier: GPL-3.0-or-later
// The sum over taps itself, for convolutions with few channels: the loops of one thread, free of LibTorch. Images are
// [channels, height, width], weights [outputs, channels, kernel, kernel]. Stride 1; margins are part of the image. No
// function allocates or throws.
#pragma once

#include <cstdint>

namespace accumulus {

inline constexpr std::int64_t directLanes = 16; ///< columns that are computed at once

struct DirectConvolution {
    std::int64_t channels = 0, outputs = 0, kernel = 0;
    std::int64_t height = 0, width = 0; ///< of an image, margins included

    [[nodiscard]] std::int64_t outHeight() const { return height - kernel + 1; }
    [[nodiscard]] std::int64_t outWidth() const { return width - kernel + 1; }
    /// Floats of an image in scratch memory: whole vectors may be read beyond its last row.
    [[nodiscard]] std::int64_t imageSize() const { return channels * height * width + 2 * directLanes; }
    /// Floats of a row of the output's gradient that zeros fill up to whole vectors.
    [[nodiscard]] std::int64_t wideRow() const { return (outWidth() + directLanes - 1) / directLanes * directLanes; }
    /// weightGradientPart() computes the taps of one row between one channel and so many outputs.
    static constexpr std::int64_t outputsAtOnce = 4;
    [[nodiscard]] std::int64_t outputBlocks() const { return (outputs + outputsAtOnce - 1) / outputsAtOnce; }
    [[nodiscard]] std::int64_t parts() const { return channels * kernel * outputBlocks(); }

    // Vectors of outputs at one pixel in place of vectors of pixels.
    static constexpr std::int64_t outputsSideBySide = 16; ///< that are computed together
    static constexpr std::int64_t channelsSideBySide = 2; ///< of a part of the weights' gradient
    [[nodiscard]] bool takesSideBySide() const { return outputs % outputsSideBySide == 0; }
    /// Where rows leave a fifth of the vectors, of `lanes` floats, empty. Measured (AVX2, 6 channels, 16 outputs, 5x5):
    /// 1.2 times as fast for rows of 10, not faster for rows of 12; with AVX-512 1.5 times for rows of 10, 1.1 for rows
    /// of 24, slower for rows of 16 and 32.
    [[nodiscard]] bool rowsWasteVectors(std::int64_t lanes) const {
        return (outWidth() + lanes - 1) / lanes * lanes * 4 >= outWidth() * 5;
    }
    [[nodiscard]] std::int64_t partsSideBySide() const {
        return (channels + channelsSideBySide - 1) / channelsSideBySide * kernel;
    }
};

/// Whether weightGradientPart() is compiled for kernels of this side.
constexpr bool hasDirectKernel(std::int64_t side) { return side == 3 || side == 5; }

/// One image with a margin of zeros, and zeros behind it, up to imageSize(). `from`: without its margins.
void withMargin(const DirectConvolution& shape, std::int64_t margin, const float* from, float* to);
/// The rows of an output's gradient [outputs, outHeight, outWidth] as [outputs, outHeight, wideRow].
void widenRows(const DirectConvolution& shape, const float* from, float* to);
/// [channels, outputs, kernel, kernel], each kernel turned by 180 degrees: the weights of the input's gradient.
void turnKernels(const DirectConvolution& shape, const float* weight, float* to);

/// out [outputs, outHeight, outWidth] of one image as withMargin() writes it. bias: may be null. `wide`: with registers
/// of 512 bits.
void convolve(const DirectConvolution& shape, const float* image, const float* weight, const float* bias, bool wide,
              float* out);

/// Part `part` of the weights' gradient over `samples` images and widened gradients, which follow each other at
/// imageSize() and outputs x outHeight x wideRow floats; or, with `add`, added to what is there.
void weightGradientPart(const DirectConvolution& shape, const float* images, const float* gradients,
                        std::int64_t samples, std::int64_t part, bool add, bool wide, float* weightGradient);

/// The same as convolve(), with outputs side by side: weight [channels, kernel, kernel, outputs], out [outHeight,
/// outWidth, outputs]; equal to the bit.
void convolveSideBySide(const DirectConvolution& shape, const float* image, const float* weight, const float* bias,
                        bool wide, float* out);
/// The same as weightGradientPart() for partsSideBySide(), gradients as [outHeight, outWidth, outputs]. Measured: 3
/// times as fast with AVX2; 1.1 to 2.3 times with AVX-512, but 0.8 for 32 outputs of 3 channels with 3x3.
void weightGradientSideBySide(const DirectConvolution& shape, const float* images, const float* gradients,
                              std::int64_t samples, std::int64_t part, bool add, bool wide, float* weightGradient);

} // namespace accumulus
