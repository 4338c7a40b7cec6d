// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fused_batch_norm.h"

#include "core/model/batch_norm_kernels.h"
#include "core/model/float_data.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/record_function.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <torch/csrc/autograd/custom_function.h>
#include <vector>

namespace accumulus {
namespace {

template <class Number>
const Number* readIf(const at::Tensor& tensor) {
    return tensor.defined() ? tensor.const_data_ptr<Number>() : nullptr;
}

/// The pixels of images, and how they are divided: by their number alone, so that sums do not depend on the threads.
struct Pixels : PixelRows {
    std::int64_t blockRows, blocks;

    explicit Pixels(const at::Tensor& images)
        : PixelRows{images.numel() / images.size(1), images.size(1)},
          blockRows(std::clamp<std::int64_t>(rows / 32, 64, 256)), blocks((rows + blockRows - 1) / blockRows) {}

    [[nodiscard]] PixelRows block(std::int64_t number) const {
        return {std::min(blockRows, rows - number * blockRows), channels};
    }
    [[nodiscard]] std::int64_t place(std::int64_t number) const { return number * blockRows * channels; }
};

/// work(block, rows of it, where it begins in the images) for each block of rows, shared by the threads of this lane.
template <class Work>
void forEachBlock(const Pixels& all, const Work& work) {
    const std::int64_t worthAThread = std::max<std::int64_t>(1, (1 << 15) / (all.blockRows * all.channels));
    at::parallel_for(0, all.blocks, worthAThread, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t number = begin; number < end; ++number)
            work(number, all.block(number), all.place(number));
    });
}

/// Two sums by channel and block, and how they are joined in the order of the blocks.
class BlockSums {
public:
    BlockSums(const Pixels& all, const at::Tensor& like)
        : m_channels(all.channels),
          m_parts(at::empty({all.blocks, 2, all.channels}, like.options().dtype(at::kFloat).requires_grad(false),
                            at::MemoryFormat::Contiguous)),
          m_data(write(m_parts)) {}

    [[nodiscard]] float* first(std::int64_t block) const { return m_data + 2 * block * m_channels; }
    [[nodiscard]] float* second(std::int64_t block) const { return first(block) + m_channels; }

private:
    std::int64_t m_channels;
    at::Tensor m_parts;
    float* m_data;
};

struct Moments {
    std::vector<double> mean, squares; ///< squares: the sum of squared deviations
};

/// Of each channel: those of the blocks, joined in their order (Chan, Golub and LeVeque 1983).
template <class Number>
Moments momentsOf(const at::Tensor& images) {
    const Pixels all(images);
    const BlockSums parts(all, images);
    const auto* x = images.const_data_ptr<Number>();
    forEachBlock(all, [&](std::int64_t block, const PixelRows& rows, std::int64_t place) {
        sumsAroundFirst(rows, x + place, parts.first(block), parts.second(block));
    });
    const auto channels = static_cast<std::size_t>(all.channels);
    Moments moments{std::vector<double>(channels), std::vector<double>(channels)};
    for (std::int64_t block = 0; block < all.blocks; ++block) {
        const Number* around = x + all.place(block);
        const float *sums = parts.first(block), *squares = parts.second(block);
        const auto count = static_cast<double>(all.block(block).rows);
        const double before = static_cast<double>(block * all.blockRows), share = count / (before + count);
        for (std::size_t c = 0; c < channels; ++c) {
            const double part = sums[c] / count, step = static_cast<double>(around[c]) + part - moments.mean[c];
            moments.mean[c] += step * share;
            moments.squares[c] += std::max(0.0, squares[c] - sums[c] * part) + step * step * before * share;
        }
    }
    return moments;
}

template <class Number>
struct FusedBatchNorm final : torch::autograd::Function<FusedBatchNorm<Number>> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input,
                              const at::Tensor& weight, const at::Tensor& bias, const std::optional<at::Tensor>& added,
                              bool rectify, NormStatistics* seen) {
        const Pixels all(input);
        const Moments moments = momentsOf<Number>(input);
        const auto perChannel = weight.options().requires_grad(false);
        at::Tensor inverse = at::empty({all.channels}, perChannel), scaling = at::empty({2, all.channels}, perChannel);
        *seen = {at::empty({all.channels}, perChannel), at::empty({all.channels}, perChannel), all.rows};
        float *mean = write(seen->mean), *variance = write(seen->variance), *deviation = write(inverse);
        float *scale = write(scaling), *shift = scale + all.channels;
        const float *w = read(weight), *b = read(bias);
        const auto count = static_cast<double>(all.rows);
        for (std::int64_t c = 0; c < all.channels; ++c) {
            const double middle = moments.mean[static_cast<std::size_t>(c)];
            const double squares = moments.squares[static_cast<std::size_t>(c)];
            const double one = 1.0 / std::sqrt(squares / count + normEpsilon);
            mean[c] = static_cast<float>(middle);
            variance[c] = static_cast<float>(squares / (count - 1.0));
            deviation[c] = static_cast<float>(one);
            scale[c] = static_cast<float>(w[c] * one);
            shift[c] = static_cast<float>(b[c] - middle * w[c] * one);
        }
        at::Tensor output = at::empty(input.sizes(), input.options(), channelsLast);
        const Number *x = input.const_data_ptr<Number>(), *more = added ? added->const_data_ptr<Number>() : nullptr;
        auto* y = output.mutable_data_ptr<Number>();
        forEachBlock(all, [&](std::int64_t, const PixelRows& rows, std::int64_t place) {
            scaleAndShift(rows, x + place, scale, shift, more ? more + place : nullptr, rectify, y + place);
        });
        context->save_for_backward({input, weight, seen->mean, inverse, rectify ? output : at::Tensor()});
        context->saved_data["adds"] = added.has_value();
        return output;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor &input = saved[0], &weight = saved[1], &mean = saved[2], &inverse = saved[3];
        const at::Tensor gradient = gradients[0].contiguous(channelsLast);
        const bool keeps = context->saved_data["adds"].toBool() && saved[4].defined();
        const Pixels all(input);
        at::Tensor kept = keeps ? at::empty_like(input) : at::Tensor();
        at::Tensor ofWeight = at::empty_like(weight), ofBias = at::empty_like(weight), ofInput = at::empty_like(input);
        const BlockSums parts(all, weight);
        const Number *g = gradient.const_data_ptr<Number>(), *x = input.const_data_ptr<Number>();
        const Number* y = readIf<Number>(saved[4]);
        const float* middle = read(mean);
        Number* passed = keeps ? kept.mutable_data_ptr<Number>() : nullptr;
        forEachBlock(all, [&](std::int64_t block, const PixelRows& rows, std::int64_t place) {
            gradientSums(rows, g + place, y ? y + place : nullptr, x + place, middle, parts.first(block),
                         parts.second(block), passed ? passed + place : nullptr);
        });
        const at::Tensor factors = factorsOf(parts, all, weight, mean, inverse, ofWeight, ofBias);
        const float* factor = read(factors);
        auto* result = ofInput.mutable_data_ptr<Number>();
        // What was kept is masked already.
        const Number* from = keeps ? passed : g;
        const Number* mask = keeps ? nullptr : y;
        forEachBlock(all, [&](std::int64_t, const PixelRows& rows, std::int64_t place) {
            inputGradient(rows, from + place, mask ? mask + place : nullptr, x + place, factor, factor + all.channels,
                          factor + 2 * all.channels, result + place);
        });
        const at::Tensor ofAdded = keeps ? kept : context->saved_data["adds"].toBool() ? gradient : at::Tensor();
        return {ofInput, ofWeight, ofBias, ofAdded, at::Tensor(), at::Tensor()};
    }

private:
    /// The gradients of weight w and bias, and by channel a, b, c of the input's gradient a g + b x + c. With d = 1 /
    /// standard deviation and G, P the sums over the n pixels of g and of g (x - mean):
    /// w d (g - G / n - (x - mean) d^2 P / n).
    static at::Tensor factorsOf(const BlockSums& parts, const Pixels& all, const at::Tensor& weight,
                                const at::Tensor& mean, const at::Tensor& inverse, at::Tensor& ofWeight,
                                at::Tensor& ofBias) {
        const auto channels = static_cast<std::size_t>(all.channels);
        std::vector<double> sums(channels), products(channels);
        for (std::int64_t block = 0; block < all.blocks; ++block)
            for (std::size_t i = 0; i < channels; ++i) {
                sums[i] += parts.first(block)[i];
                products[i] += parts.second(block)[i];
            }
        at::Tensor factors = at::empty({3, all.channels}, weight.options().requires_grad(false));
        float *a = write(factors), *b = a + all.channels, *c = b + all.channels;
        float *toWeight = write(ofWeight), *toBias = write(ofBias);
        const float *w = read(weight), *middle = read(mean), *one = read(inverse);
        const auto count = static_cast<double>(all.rows);
        for (std::size_t i = 0; i < channels; ++i) {
            const double deviation = one[i], scale = w[i] * deviation;
            const double ofValue = -scale * deviation * deviation * products[i] / count;
            toBias[i] = static_cast<float>(sums[i]);
            toWeight[i] = static_cast<float>(products[i] * deviation);
            a[i] = static_cast<float>(scale);
            b[i] = static_cast<float>(ofValue);
            c[i] = static_cast<float>(-scale * sums[i] / count - ofValue * middle[i]);
        }
        return factors;
    }
};

bool plainImages(const at::Tensor& images) {
    return images.is_cpu() && (images.scalar_type() == at::kFloat || images.scalar_type() == at::kBFloat16) &&
           images.dim() == 4 && images.numel() > 0 && images.is_contiguous(channelsLast);
}

} // namespace

bool fusedBatchNormTakes(const at::Tensor& input, const AfterNorm& after) {
    return plainImages(input) && input.size(1) % batchNormLanes == 0 &&
           (!after.added.defined() || (plainImages(after.added) && after.added.sizes() == input.sizes() &&
                                       after.added.scalar_type() == input.scalar_type()));
}

at::Tensor fusedBatchNorm(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias,
                          const AfterNorm& after, NormStatistics& seen) {
    // Whoever watches operators (LayerWatch) sees this one, too: what it computes with is no operator of LibTorch.
    RECORD_FUNCTION("accumulus::batch_norm", (std::vector<c10::IValue>{input, weight, bias, after.added}));
    const auto added = after.added.defined() ? std::optional(after.added) : std::nullopt;
    if (input.scalar_type() == at::kBFloat16)
        return FusedBatchNorm<c10::BFloat16>::apply(input, weight, bias, added, after.rectify, &seen);
    return FusedBatchNorm<float>::apply(input, weight, bias, added, after.rectify, &seen);
}

} // namespace accumulus
