// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tile_convolution.h"

#include "core/model/float_data.h"
#include "core/model/sixteen_bits.h"
#include "core/model/tile_convolution_kernels.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/autocast_mode.h>
#include <ATen/record_function.h>
#include <algorithm>
#include <array>
#include <optional>
#include <torch/csrc/autograd/custom_function.h>
#include <utility>
#include <vector>

namespace accumulus {
namespace {

struct Shape {
    std::int64_t samples, channels, outputs, kernel, stride, height, width;

    [[nodiscard]] std::int64_t padding() const { return kernel / 2; }
    [[nodiscard]] std::int64_t outHeight() const { return (height + 2 * padding() - kernel) / stride + 1; }
    [[nodiscard]] std::int64_t outWidth() const { return (width + 2 * padding() - kernel) / stride + 1; }
    [[nodiscard]] std::int64_t taps() const { return kernel * kernel; }
    /// For larger images oneDNN is faster, but for the gradient of the weights.
    [[nodiscard]] bool small() const {
        constexpr std::int64_t fewOutputs = 64;
        return outHeight() * outWidth() <= fewOutputs;
    }
};

Shape shapeOf(const at::Tensor& input, const at::Tensor& weight, std::int64_t stride) {
    return {input.size(0), weight.size(1), weight.size(0), weight.size(2), stride, input.size(2), input.size(3)};
}

// Tensors of bfloat16 without gaps, in channels-last order.
const BfloatBits* bits(const at::Tensor& tensor) {
    return reinterpret_cast<const BfloatBits*>(tensor.const_data_ptr<at::BFloat16>());
}
BfloatBits* bits(at::Tensor& tensor) { return reinterpret_cast<BfloatBits*>(tensor.mutable_data_ptr<at::BFloat16>()); }
at::Tensor imagesLike(const at::Tensor& like, at::IntArrayRef shape) {
    return at::empty(shape, like.options(), channelsLast);
}
at::Tensor roomOf(std::int64_t count) { return at::empty({count + tileOverhang}, at::kBFloat16); }

/// So many samples at a time that a row of outputs fills the tiles, and what fits the second-level cache.
std::int64_t samplesAtOnce(const TileRoom& ofOne, std::int64_t width, std::int64_t samples) {
    constexpr std::int64_t cached = 1 << 20;
    const std::int64_t bytes = ofOne.phases * ofOne.rows * ofOne.columns * ofOne.channels * 2;
    const std::int64_t fitting = std::max((tileBlock + width - 1) / width, cached / bytes);
    return std::min(samples, std::max<std::int64_t>(2, fitting / 2 * 2));
}

// What kernels make of images, on the threads of this lane.
at::Tensor inRows(const TileRoom& room, const BfloatBits* images) {
    at::Tensor gathered = roomOf(room.size());
    at::parallel_for(0, room.planes(), 1, [&, to = bits(gathered)](std::int64_t begin, std::int64_t end) {
        gatherRows(room, images, begin, end, to);
    });
    return gathered;
}
at::Tensor inPairs(const TileRoom& room, const BfloatBits* images) {
    at::Tensor gathered = roomOf(room.size());
    gathered.narrow(0, room.size(), tileOverhang).zero_(); // is multiplied with zeros
    at::parallel_for(0, room.planes(), 1, [&, to = bits(gathered)](std::int64_t begin, std::int64_t end) {
        gatherPairs(room, images, begin, end, to);
    });
    return gathered;
}
at::Tensor turned(const TileRoom& room, const BfloatBits* images) {
    at::Tensor result = roomOf(room.height * turnedBlocks(room) * tileBlock * room.channels);
    at::parallel_for(0, room.channels / tileBlock, 1, [&, to = bits(result)](std::int64_t begin, std::int64_t end) {
        turnImages(room, images, begin, end, to);
    });
    return result;
}

/// Calls `each(first, count)` for groups of samples.
template <class Each>
void eachGroup(std::int64_t samples, std::int64_t atOnce, const Each& each) {
    for (std::int64_t first = 0; first < samples; first += atOnce)
        each(first, std::min(atOnce, samples - first));
}

/// The room of the input's images: a kernel position is a phase and an offset in it.
TileRoom inputRoom(const Shape& shape) {
    const std::int64_t beyond = (shape.kernel - 1) / shape.stride;
    return {.height = shape.height,
            .width = shape.width,
            .channels = shape.channels,
            .stride = shape.stride,
            .margin = shape.padding(),
            .phases = shape.kernel == 1 ? 1 : shape.stride * shape.stride,
            .rows = shape.outHeight() + beyond,
            .columns = shape.outWidth() + beyond,
            .filled = 0,
            .samples = 0};
}

/// Of each kernel position, where the `numbers` of a position lie beside each other.
std::vector<std::int64_t> inputOffsets(const Shape& shape, const TileRoom& room, std::int64_t numbers) {
    const std::int64_t phaseSize = room.positions() * room.channels, stride = shape.stride;
    std::vector<std::int64_t> offsets;
    for (std::int64_t down = 0; down < shape.kernel; ++down)
        for (std::int64_t right = 0; right < shape.kernel; ++right)
            offsets.push_back((down % stride * stride + right % stride) * phaseSize +
                              (down / stride * room.columns + right / stride) * room.samples * numbers);
    return offsets;
}

/// Where the results of a row lie: `step` pixels from column to column, `sampleSize` from sample to sample.
std::vector<std::int64_t> placesOf(std::int64_t columns, std::int64_t samples, std::int64_t step,
                                   std::int64_t sampleSize) {
    std::vector<std::int64_t> places;
    for (std::int64_t column = 0; column < columns; ++column)
        for (std::int64_t sample = 0; sample < samples; ++sample)
            places.push_back(sample * sampleSize + column * step);
    return places;
}

at::Tensor convolve(const Shape& shape, const at::Tensor& input, const at::Tensor& weight,
                    const std::optional<at::Tensor>& bias) {
    const std::int64_t blocks = shape.outputs / tileBlock, rowSize = shape.outWidth() * shape.outputs;
    at::Tensor packed = roomOf(weight.numel());
    at::parallel_for(0, blocks, 1, [&, from = bits(weight), to = bits(packed)](std::int64_t begin, std::int64_t end) {
        packWeight(from, shape.taps(), shape.channels, begin, end, to);
    });
    TileRoom room = inputRoom(shape);
    const at::Tensor shift = bias ? inFloat(*bias).contiguous() : at::Tensor();
    at::Tensor output = imagesLike(input, {shape.samples, shape.outputs, shape.outHeight(), shape.outWidth()});
    eachGroup(
        shape.samples, samplesAtOnce(room, shape.outWidth(), shape.samples),
        [&](std::int64_t first, std::int64_t count) {
            room.filled = room.samples = count;
            const at::Tensor gathered = inRows(room, bits(input) + first * shape.height * shape.width * shape.channels);
            const auto offsets = inputOffsets(shape, room, tileBlock);
            const auto places = placesOf(shape.outWidth(), count, shape.outputs, shape.outHeight() * rowSize);
            const TapSum sum{.room = bits(gathered),
                             .planes = shape.channels / tileBlock,
                             .planeSize = room.positions() * tileBlock,
                             .offsets = offsets.data(),
                             .taps = shape.taps(),
                             .rows = shape.outHeight(),
                             .rowStep = room.columns * count * tileBlock,
                             .width = shape.outWidth() * count,
                             .weight = bits(std::as_const(packed)),
                             .shift = shift.defined() ? shift.const_data_ptr<float>() : nullptr,
                             .results = bits(output) + first * shape.outHeight() * rowSize,
                             .resultStep = rowSize,
                             .places = places.data()};
            at::parallel_for(0, blocks, 1, [&](std::int64_t begin, std::int64_t end) { sumTaps(sum, begin, end); });
        });
    return output;
}

/// The pixels of the input that lie alike within a stride, and the kernel positions that reach them: pixel
/// (stride row + down, stride column + right) is the sum over these of the gradient at (row + tapRow - margin,
/// column + tapColumn - margin).
struct Phase {
    std::int64_t down, right;
    std::vector<std::int64_t> taps, tapRows, tapColumns;
    const BfloatBits* weight; ///< of these kernel positions, packed
};

std::vector<Phase> phasesOf(const Shape& shape, std::int64_t margin) {
    std::vector<Phase> phases;
    for (std::int64_t down = 0; down < shape.stride; ++down)
        for (std::int64_t right = 0; right < shape.stride; ++right) {
            Phase phase{down, right, {}, {}, {}, nullptr};
            for (std::int64_t tap = 0; tap < shape.taps(); ++tap) {
                const std::int64_t row = down + shape.padding() - tap / shape.kernel;
                const std::int64_t column = right + shape.padding() - tap % shape.kernel;
                if (row % shape.stride != 0 || column % shape.stride != 0)
                    continue;
                phase.taps.push_back(tap);
                phase.tapRows.push_back(row / shape.stride + margin);
                phase.tapColumns.push_back(column / shape.stride + margin);
            }
            phases.push_back(std::move(phase));
        }
    return phases;
}

/// The room of the gradient's images. Kernel positions reach `margin` before them and as far behind.
TileRoom gradientRoom(const Shape& shape, std::int64_t margin) {
    const std::int64_t behind = shape.kernel == 1 ? 0 : 1;
    return {.height = shape.outHeight(),
            .width = shape.outWidth(),
            .channels = shape.outputs,
            .stride = 1,
            .margin = margin,
            .phases = 1,
            .rows = margin + (shape.height + shape.stride - 1) / shape.stride + behind,
            .columns = margin + (shape.width + shape.stride - 1) / shape.stride + behind,
            .filled = 0,
            .samples = 0};
}

/// The weights of each phase, behind each other.
at::Tensor packPhases(const Shape& shape, const at::Tensor& weight, std::vector<Phase>& phases) {
    at::Tensor packed = roomOf(weight.numel());
    for (BfloatBits* to = bits(packed); Phase & phase : phases) {
        const TurnedWeight turning{bits(weight),   shape.outputs,     shape.taps(),
                                   shape.channels, phase.taps.data(), static_cast<std::int64_t>(phase.taps.size())};
        at::parallel_for(0, shape.channels / tileBlock, 1,
                         [&](std::int64_t begin, std::int64_t end) { packTurnedWeight(turning, begin, end, to); });
        phase.weight = to;
        to += turning.count * shape.outputs * shape.channels;
    }
    return packed;
}

/// The part of `result` [samples, channels, height, width], from sample `first` on, that `room` reaches by the phase.
void sumPhase(const Shape& shape, const Phase& phase, const TileRoom& room, const at::Tensor& gathered,
              std::int64_t first, at::Tensor& result) {
    const std::int64_t rowSize = shape.width * shape.channels, stride = shape.stride;
    const std::int64_t columns = (shape.width - phase.right + stride - 1) / stride;
    std::vector<std::int64_t> offsets;
    for (std::size_t tap = 0; tap < phase.taps.size(); ++tap)
        offsets.push_back((phase.tapRows[tap] * room.columns + phase.tapColumns[tap]) * room.samples * tileBlock);
    const auto places = placesOf(columns, room.samples, stride * shape.channels, shape.height * rowSize);
    const TapSum sum{.room = bits(gathered),
                     .planes = shape.outputs / tileBlock,
                     .planeSize = room.positions() * tileBlock,
                     .offsets = offsets.data(),
                     .taps = static_cast<std::int64_t>(offsets.size()),
                     .rows = (shape.height - phase.down + stride - 1) / stride,
                     .rowStep = room.columns * room.samples * tileBlock,
                     .width = columns * room.samples,
                     .weight = phase.weight,
                     .shift = nullptr,
                     .results =
                         bits(result) + (first * shape.height + phase.down) * rowSize + phase.right * shape.channels,
                     .resultStep = stride * rowSize,
                     .places = places.data()};
    at::parallel_for(0, shape.channels / tileBlock, 1,
                     [&](std::int64_t begin, std::int64_t end) { sumTaps(sum, begin, end); });
}

at::Tensor inputGradient(const Shape& shape, const at::Tensor& gradient, const at::Tensor& weight) {
    const std::int64_t margin = shape.stride == 1 ? shape.padding() : 0;
    std::vector<Phase> phases = phasesOf(shape, margin);
    const at::Tensor packed = packPhases(shape, weight, phases);
    TileRoom room = gradientRoom(shape, margin);
    at::Tensor result = imagesLike(gradient, {shape.samples, shape.channels, shape.height, shape.width});
    const std::int64_t columns = (shape.width + shape.stride - 1) / shape.stride;
    eachGroup(shape.samples, samplesAtOnce(room, columns, shape.samples), [&](std::int64_t first, std::int64_t count) {
        room.filled = room.samples = count;
        const at::Tensor gathered = inRows(room, bits(gradient) + first * room.height * room.width * room.channels);
        for (const Phase& phase : phases)
            sumPhase(shape, phase, room, gathered, first, result);
    });
    return result;
}

at::Tensor onednnInputGradient(const Shape& shape, const at::Tensor& gradient, const at::Tensor& input,
                               const at::Tensor& weight) {
    const std::int64_t padding = shape.padding();
    return std::get<0>(at::convolution_backward(gradient, input, weight, at::OptionalIntArrayRef(),
                                                {shape.stride, shape.stride}, {padding, padding}, /*dilation=*/{1, 1},
                                                /*transposed=*/false, /*output_padding=*/{0, 0}, /*groups=*/1,
                                                std::array<bool, 3>{true, false, false}));
}

at::Tensor weightGradient(const Shape& shape, const at::Tensor& gradient, const at::Tensor& input) {
    const std::int64_t count = shape.outputs * shape.taps() * shape.channels, blocks = shape.outputs / tileBlock;
    TileRoom room = inputRoom(shape), outputs = gradientRoom(shape, 0);
    at::Tensor sums = at::empty({count}, at::kFloat);
    eachGroup(shape.samples, samplesAtOnce(room, shape.outWidth(), shape.samples),
              [&](std::int64_t first, std::int64_t samples) {
                  room.filled = outputs.filled = samples;
                  room.samples = outputs.samples = samples + samples % 2;
                  const at::Tensor pairs =
                      inPairs(room, bits(input) + first * shape.height * shape.width * shape.channels);
                  const at::Tensor rows =
                      turned(outputs, bits(gradient) + first * outputs.height * outputs.width * shape.outputs);
                  constexpr std::int64_t numbers = tileBlock / 2; // of a position and plane of pairs
                  const auto offsets = inputOffsets(shape, room, numbers);
                  const PositionSum sum{.gradient = bits(rows),
                                        .pairs = bits(pairs),
                                        .planeSize = room.positions() * numbers,
                                        .channels = shape.channels,
                                        .offsets = offsets.data(),
                                        .taps = shape.taps(),
                                        .rows = shape.outHeight(),
                                        .rowStep = room.columns * room.samples * numbers,
                                        .blocks = turnedBlocks(outputs),
                                        .sums = sums.mutable_data_ptr<float>(),
                                        .add = first > 0};
                  at::parallel_for(0, blocks, 1,
                                   [&](std::int64_t begin, std::int64_t end) { sumPositions(sum, begin, end); });
              });
    at::Tensor result = imagesLike(input, {shape.outputs, shape.channels, shape.kernel, shape.kernel});
    roundToBfloat(sums.const_data_ptr<float>(), count, bits(result));
    return result;
}

/// Of kernels of 1x1: one product of matrices, and LibTorch's is faster.
at::Tensor pointwiseWeightGradient(const Shape& shape, const at::Tensor& gradient, const at::Tensor& input) {
    const at::Tensor seen = input.slice(2, 0, std::nullopt, shape.stride).slice(3, 0, std::nullopt, shape.stride);
    const at::Tensor rows = gradient.permute({0, 2, 3, 1}).reshape({-1, shape.outputs});
    return at::mm(rows.t(), seen.permute({0, 2, 3, 1}).reshape({-1, shape.channels}))
        .view({shape.outputs, shape.channels, 1, 1});
}

struct TileConvolution final : torch::autograd::Function<TileConvolution> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                              const at::Tensor& weight, const std::optional<at::Tensor>& bias, std::int64_t stride) {
        context->save_for_backward({input, weight});
        context->saved_data["stride"] = stride;
        context->saved_data["shifts"] = bias.has_value();
        const Shape shape = shapeOf(input, weight, stride);
        return shape.small() ? convolve(shape, input, weight, bias)
                             : at::conv2d(input, weight, bias, stride, shape.padding());
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const Shape shape = shapeOf(saved[0], saved[1], context->saved_data["stride"].toInt());
        const at::Tensor gradient = gradients[0].contiguous(channelsLast);
        at::Tensor ofInput, ofWeight, ofBias;
        if (context->needs_input_grad(0))
            ofInput = shape.small() ? inputGradient(shape, gradient, saved[1])
                                    : onednnInputGradient(shape, gradient, saved[0], saved[1]);
        if (context->needs_input_grad(1))
            ofWeight = shape.kernel == 1 ? pointwiseWeightGradient(shape, gradient, saved[0])
                                         : weightGradient(shape, gradient, saved[0]);
        if (context->saved_data["shifts"].toBool() && context->needs_input_grad(2))
            ofBias = gradient.sum({0, 2, 3});
        return {ofInput, ofWeight, ofBias, at::Tensor()};
    }
};

bool inBfloat16(const at::Tensor& input, const at::Tensor& weight) {
    if (at::autocast::is_autocast_enabled(at::kCPU))
        return at::autocast::get_autocast_dtype(at::kCPU) == at::kBFloat16;
    return input.scalar_type() == at::kBFloat16 && weight.scalar_type() == at::kBFloat16;
}

} // namespace

at::Tensor tileConvolution(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                           std::int64_t stride) {
    // Whoever watches operators (LayerWatch) sees this one with the layer's own weights.
    RECORD_FUNCTION("accumulus::convolution", (std::vector<c10::IValue>{input, weight, bias}));
    const RoundedProducts bfloat(/*evenWhereFast=*/true);
    const at::Tensor images = bfloat.cast(input).contiguous(channelsLast), shift = bfloat.cast(bias);
    const at::Tensor kernels = bfloat.cast(weight).contiguous(channelsLast);
    return TileConvolution::apply(images, kernels, shift.defined() ? std::optional(shift) : std::nullopt, stride);
}

bool tilesTake(const at::Tensor& input, const at::Tensor& weight, std::int64_t stride, std::int64_t padding) {
    if (!matrixTilesWork() || !input.is_cpu() || !weight.is_cpu() || input.dim() != 4 || weight.dim() != 4 ||
        input.numel() == 0 || input.size(1) != weight.size(1) || !inBfloat16(input, weight) ||
        !input.is_contiguous(channelsLast))
        return false;
    const std::int64_t kernel = weight.size(2);
    return kernel == weight.size(3) && (kernel == 1 || kernel == 3) && padding == kernel / 2 &&
           (stride == 1 || stride == 2) && weight.size(0) % tileBlock == 0 && weight.size(1) % tileBlock == 0;
}

} // namespace accumulus
