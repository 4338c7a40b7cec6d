// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/direct_convolution_kernels.h"

#include "core/base/widest_vectors.h"
#include "core/model/vector_math.h"
#include "core/model/vectors.h"

#include <algorithm>
#include <type_traits>

namespace accumulus {
namespace {

/// Where a tile of outputs begins.
struct Tile {
    std::int64_t output, row, column;
};

/// `Outputs` x `Rows` vectors of the result.
template <int Lanes, int Outputs, int Rows>
ACCUMULUS_PART_OF_CALLER void convolveTile(const DirectConvolution& shape, const Tile& tile, const float* image,
                                           const float* weight, const float* bias, float* out) {
    const std::int64_t taps = shape.kernel * shape.kernel, perOutput = shape.channels * taps;
    VectorOf<Lanes> sums[Outputs][Rows];
#pragma GCC unroll 8
    for (int o = 0; o < Outputs; ++o)
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r)
            sums[o][r] = VectorOf<Lanes>{} + (bias ? bias[tile.output + o] : 0.0F);
    const float* factor = weight + tile.output * perOutput;
    for (std::int64_t channel = 0; channel < shape.channels; ++channel)
        for (std::int64_t y = 0; y < shape.kernel; ++y) {
            const float* from = image + (channel * shape.height + tile.row + y) * shape.width + tile.column;
            for (std::int64_t x = 0; x < shape.kernel; ++x, ++factor) {
                VectorOf<Lanes> pixels[Rows];
#pragma GCC unroll 8
                for (int r = 0; r < Rows; ++r)
                    load(from + r * shape.width + x, pixels[r]);
#pragma GCC unroll 8
                for (int o = 0; o < Outputs; ++o) {
                    const float scale = factor[o * perOutput];
#pragma GCC unroll 8
                    for (int r = 0; r < Rows; ++r)
                        sums[o][r] += scale * pixels[r];
                }
            }
        }
    const std::int64_t height = shape.outHeight(), width = shape.outWidth();
#pragma GCC unroll 8
    for (int o = 0; o < Outputs; ++o)
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) {
            float* to = out + ((tile.output + o) * height + tile.row + r) * width + tile.column;
            if (width >= Lanes || (tile.row + r) * width + Lanes <= height * width) {
                store(sums[o][r], to); // what lies beyond a short row is written after it
            } else {
                float row[Lanes]; // NOLINT
                store(sums[o][r], row);
                std::copy_n(row, width, to);
            }
        }
}

template <int Lanes, int Outputs, int Rows>
ACCUMULUS_PART_OF_CALLER void convolveOutputs(const DirectConvolution& shape, std::int64_t output, const float* image,
                                              const float* weight, const float* bias, float* out) {
    const std::int64_t height = shape.outHeight(), width = shape.outWidth();
    std::int64_t row = 0;
    // The last vector of a row ends with it: what two vectors share is computed twice.
    for (; row + Rows <= height; row += Rows)
        for (std::int64_t column = 0; column < width; column += Lanes)
            convolveTile<Lanes, Outputs, Rows>(
                shape, {output, row, std::max<std::int64_t>(0, std::min(column, width - Lanes))}, image, weight, bias,
                out);
    for (; row < height; ++row)
        for (std::int64_t column = 0; column < width; column += Lanes)
            convolveTile<Lanes, Outputs, 1>(shape,
                                            {output, row, std::max<std::int64_t>(0, std::min(column, width - Lanes))},
                                            image, weight, bias, out);
}

/// `Most` outputs and `Rows` rows at once: as many as the registers hold, 32 of 16 floats or 16 of 8.
template <int Lanes, int Most, int Rows>
ACCUMULUS_PART_OF_CALLER void convolveAll(const DirectConvolution& shape, const float* image, const float* weight,
                                          const float* bias, float* out) {
    std::int64_t output = 0;
    for (; output + Most <= shape.outputs; output += Most)
        convolveOutputs<Lanes, Most, Rows>(shape, output, image, weight, bias, out);
    for (; output + 4 <= shape.outputs; output += 4)
        convolveOutputs<Lanes, 4, Rows>(shape, output, image, weight, bias, out);
    for (; output + 2 <= shape.outputs; output += 2)
        convolveOutputs<Lanes, 2, Rows>(shape, output, image, weight, bias, out);
    for (; output < shape.outputs; ++output)
        convolveOutputs<Lanes, 1, Rows>(shape, output, image, weight, bias, out);
}

template <int Lanes, int Outputs, int Side>
ACCUMULUS_PART_OF_CALLER void sumTaps(const DirectConvolution& shape, const float* images, const float* gradients,
                                      std::int64_t samples, std::int64_t output, std::int64_t channel, std::int64_t y,
                                      bool add, float* weightGradient) {
    const std::int64_t height = shape.outHeight(), wide = shape.wideRow(), plane = height * wide;
    VectorOf<Lanes> sums[Outputs][Side];
#pragma GCC unroll 8
    for (int o = 0; o < Outputs; ++o)
#pragma GCC unroll 8
        for (int x = 0; x < Side; ++x)
            sums[o][x] = VectorOf<Lanes>{};
    for (std::int64_t sample = 0; sample < samples; ++sample) {
        const float* rows = gradients + (sample * shape.outputs + output) * plane;
        const float* image = images + sample * shape.imageSize() + (channel * shape.height + y) * shape.width;
        for (std::int64_t row = 0; row < height; ++row)
            for (std::int64_t column = 0; column < wide; column += Lanes) {
                VectorOf<Lanes> pixels[Side];
#pragma GCC unroll 8
                for (int x = 0; x < Side; ++x)
                    load(image + row * shape.width + column + x, pixels[x]);
#pragma GCC unroll 8
                for (int o = 0; o < Outputs; ++o) {
                    VectorOf<Lanes> gradient;
                    load(rows + o * plane + row * wide + column, gradient);
#pragma GCC unroll 8
                    for (int x = 0; x < Side; ++x)
                        sums[o][x] += gradient * pixels[x];
                }
            }
    }
    for (int o = 0; o < Outputs; ++o)
        for (int x = 0; x < Side; ++x) {
            float& to = weightGradient[(((output + o) * shape.channels + channel) * shape.kernel + y) * Side + x];
            to = (add ? to : 0.0F) + sumOf<Lanes>(sums[o][x]);
        }
}

template <int Lanes, int Side>
ACCUMULUS_PART_OF_CALLER void sumPart(const DirectConvolution& shape, const float* images, const float* gradients,
                                      std::int64_t samples, std::int64_t part, bool add, float* weightGradient) {
    const std::int64_t first = part % shape.outputBlocks() * DirectConvolution::outputsAtOnce;
    const std::int64_t y = part / shape.outputBlocks() % shape.kernel;
    const std::int64_t channel = part / shape.outputBlocks() / shape.kernel;
    const std::int64_t last = std::min(shape.outputs, first + DirectConvolution::outputsAtOnce);
    std::int64_t output = first;
    if constexpr (Lanes == 16) // 20 registers for the sums
        for (; output + 4 <= last; output += 4)
            sumTaps<Lanes, 4, Side>(shape, images, gradients, samples, output, channel, y, add, weightGradient);
    for (; output + 2 <= last; output += 2)
        sumTaps<Lanes, 2, Side>(shape, images, gradients, samples, output, channel, y, add, weightGradient);
    for (; output < last; ++output)
        sumTaps<Lanes, 1, Side>(shape, images, gradients, samples, output, channel, y, add, weightGradient);
}

/// A block of outputs at one pixel.
template <int Lanes>
using Outputs = VectorOf<Lanes>[DirectConvolution::outputsSideBySide / Lanes]; // NOLINT: in registers

/// All outputs of one block at `Pixels` neighbours of a row.
template <int Lanes, int Pixels>
ACCUMULUS_PART_OF_CALLER void convolvePixels(const DirectConvolution& shape, const float* from, const float* weight,
                                             const Outputs<Lanes>& bias, float* out) {
    constexpr int vectors = DirectConvolution::outputsSideBySide / Lanes;
    Outputs<Lanes> sums[Pixels];
#pragma GCC unroll 16
    for (int p = 0; p < Pixels; ++p)
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v)
            sums[p][v] = bias[v];
    for (std::int64_t channel = 0; channel < shape.channels; ++channel)
        for (std::int64_t y = 0; y < shape.kernel; ++y) {
            const float* row = from + (channel * shape.height + y) * shape.width;
            for (std::int64_t x = 0; x < shape.kernel; ++x, weight += shape.outputs)
                addOuterProduct(row + x, 1, weight, sums);
        }
#pragma GCC unroll 16
    for (int p = 0; p < Pixels; ++p)
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v)
            store(sums[p][v], out + p * shape.outputs + v * Lanes);
}

/// As many neighbours at once as the registers hold and no more than are left, from `column` on.
template <int Lanes, int Pixels>
ACCUMULUS_PART_OF_CALLER void convolveRow(const DirectConvolution& shape, const float* from, const float* weight,
                                          const Outputs<Lanes>& bias, std::int64_t& column, float* out) {
    for (; column + Pixels <= shape.outWidth(); column += Pixels)
        convolvePixels<Lanes, Pixels>(shape, from + column, weight, bias, out + column * shape.outputs);
}

template <int Lanes>
ACCUMULUS_PART_OF_CALLER void convolveByOutputs(const DirectConvolution& shape, const float* image, const float* weight,
                                                const float* bias, float* out) {
    for (std::int64_t first = 0; first < shape.outputs; first += DirectConvolution::outputsSideBySide) {
        Outputs<Lanes> start = {};
        for (int v = 0; v < DirectConvolution::outputsSideBySide / Lanes && bias; ++v)
            load(bias + first + v * Lanes, start[v]);
        for (std::int64_t row = 0; row < shape.outHeight(); ++row) {
            const float* from = image + row * shape.width;
            float* to = out + row * shape.outWidth() * shape.outputs + first;
            std::int64_t column = 0;
            if constexpr (Lanes == 16)
                convolveRow<Lanes, 10>(shape, from, weight + first, start, column, to);
            convolveRow<Lanes, 5>(shape, from, weight + first, start, column, to);
            convolveRow<Lanes, 2>(shape, from, weight + first, start, column, to);
            convolveRow<Lanes, 1>(shape, from, weight + first, start, column, to);
        }
    }
}

/// The taps of row `y` between `Channels` channels from `channel` on and the outputs from `first` on.
template <int Lanes, int Channels, int Side>
ACCUMULUS_PART_OF_CALLER void sumOutputs(const DirectConvolution& shape, const float* images, const float* gradients,
                                         std::int64_t samples, std::int64_t first, std::int64_t channel, std::int64_t y,
                                         bool add, float* weightGradient) {
    constexpr int vectors = DirectConvolution::outputsSideBySide / Lanes;
    const std::int64_t height = shape.outHeight(), width = shape.outWidth(), plane = shape.height * shape.width;
    Outputs<Lanes> sums[Channels][Side];
#pragma GCC unroll 8
    for (int c = 0; c < Channels; ++c)
#pragma GCC unroll 8
        for (int x = 0; x < Side; ++x)
#pragma GCC unroll 8
            for (int v = 0; v < vectors; ++v)
                sums[c][x][v] = VectorOf<Lanes>{};
    const float* gradient = gradients + first;
    for (std::int64_t sample = 0; sample < samples; ++sample) {
        const float* image = images + sample * shape.imageSize() + (channel * shape.height + y) * shape.width;
        for (std::int64_t row = 0; row < height; ++row, image += shape.width)
            for (std::int64_t column = 0; column < width; ++column, gradient += shape.outputs)
#pragma GCC unroll 8
                for (int c = 0; c < Channels; ++c)
                    addOuterProduct(image + c * plane + column, 1, gradient, sums[c]);
    }
    for (int c = 0; c < Channels; ++c)
        for (int x = 0; x < Side; ++x)
            for (int v = 0; v < vectors; ++v) {
                float values[Lanes]; // NOLINT
                store(sums[c][x][v], values);
                for (int i = 0; i < Lanes; ++i) {
                    const std::int64_t output = first + v * Lanes + i;
                    float& to = weightGradient[((output * shape.channels + channel + c) * shape.kernel + y) * Side + x];
                    to = (add ? to : 0.0F) + values[i];
                }
            }
}

/// Several channels at once where one alone has too few sums to keep the processor busy.
template <int Lanes, int Side>
ACCUMULUS_PART_OF_CALLER void sumChannels(const DirectConvolution& shape, const float* images, const float* gradients,
                                          std::int64_t samples, std::int64_t part, bool add, float* weightGradient) {
    constexpr std::int64_t most = DirectConvolution::channelsSideBySide;
    const std::int64_t y = part % shape.kernel;
    for (std::int64_t first = 0; first < shape.outputs; first += DirectConvolution::outputsSideBySide) {
        std::int64_t channel = part / shape.kernel * most;
        const std::int64_t last = std::min(shape.channels, channel + most);
        if constexpr (Lanes == 16)
            for (; channel + most <= last; channel += most)
                sumOutputs<Lanes, most, Side>(shape, images, gradients, samples, first, channel, y, add,
                                              weightGradient);
        for (; channel < last; ++channel)
            sumOutputs<Lanes, 1, Side>(shape, images, gradients, samples, first, channel, y, add, weightGradient);
    }
}

/// work(lanes, side) for the kernels that hasDirectKernel() names.
template <class Work>
ACCUMULUS_PART_OF_CALLER void withSizes(std::int64_t kernel, bool wide, const Work& work) {
    using std::integral_constant;
    if (kernel == 3 && wide)
        work(integral_constant<int, 16>(), integral_constant<int, 3>());
    else if (kernel == 3)
        work(integral_constant<int, 8>(), integral_constant<int, 3>());
    else if (wide)
        work(integral_constant<int, 16>(), integral_constant<int, 5>());
    else
        work(integral_constant<int, 8>(), integral_constant<int, 5>());
}

} // namespace

void withMargin(const DirectConvolution& shape, std::int64_t margin, const float* from, float* to) {
    const std::int64_t height = shape.height - 2 * margin, width = shape.width - 2 * margin;
    const std::int64_t pixels = shape.channels * height * width;
    if (margin == 0) {
        std::copy_n(from, pixels, to);
        std::fill(to + pixels, to + shape.imageSize(), 0.0F);
        return;
    }
    std::fill_n(to, shape.imageSize(), 0.0F);
    for (std::int64_t channel = 0; channel < shape.channels; ++channel)
        for (std::int64_t row = 0; row < height; ++row)
            std::copy_n(from + (channel * height + row) * width, width,
                        to + (channel * shape.height + margin + row) * shape.width + margin);
}

void widenRows(const DirectConvolution& shape, const float* from, float* to) {
    const std::int64_t rows = shape.outputs * shape.outHeight(), width = shape.outWidth(), wide = shape.wideRow();
    for (std::int64_t row = 0; row < rows; ++row) {
        std::copy_n(from + row * width, width, to + row * wide);
        std::fill_n(to + row * wide + width, wide - width, 0.0F);
    }
}

void turnKernels(const DirectConvolution& shape, const float* weight, float* to) {
    const std::int64_t taps = shape.kernel * shape.kernel;
    for (std::int64_t output = 0; output < shape.outputs; ++output)
        for (std::int64_t channel = 0; channel < shape.channels; ++channel)
            std::reverse_copy(weight + (output * shape.channels + channel) * taps,
                              weight + (output * shape.channels + channel + 1) * taps,
                              to + (channel * shape.outputs + output) * taps);
}

ACCUMULUS_WIDEST void convolve(const DirectConvolution& shape, const float* image, const float* weight,
                               const float* bias, bool wide, float* out) {
    if (wide && shape.outputs % 8 != 0 && shape.outputs % 6 == 0)
        convolveAll<16, 6, 2>(shape, image, weight, bias, out);
    else if (wide)
        convolveAll<16, 8, 2>(shape, image, weight, bias, out);
    else
        convolveAll<8, 6, 2>(shape, image, weight, bias, out);
}

ACCUMULUS_WIDEST void weightGradientPart(const DirectConvolution& shape, const float* images, const float* gradients,
                                         std::int64_t samples, std::int64_t part, bool add, bool wide,
                                         float* weightGradient) {
    withSizes(
        shape.kernel, wide, [&](auto lanes, auto side) __attribute__((always_inline)) {
            sumPart<lanes, side>(shape, images, gradients, samples, part, add, weightGradient);
        });
}

ACCUMULUS_WIDEST void convolveSideBySide(const DirectConvolution& shape, const float* image, const float* weight,
                                         const float* bias, bool wide, float* out) {
    if (wide)
        convolveByOutputs<16>(shape, image, weight, bias, out);
    else
        convolveByOutputs<8>(shape, image, weight, bias, out);
}

ACCUMULUS_WIDEST void weightGradientSideBySide(const DirectConvolution& shape, const float* images,
                                               const float* gradients, std::int64_t samples, std::int64_t part,
                                               bool add, bool wide, float* weightGradient) {
    withSizes(
        shape.kernel, wide, [&](auto lanes, auto side) __attribute__((always_inline)) {
            sumChannels<lanes, side>(shape, images, gradients, samples, part, add, weightGradient);
        });
}

} // namespace accumulus
