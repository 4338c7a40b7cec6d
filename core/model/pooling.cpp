// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pooling.h"

#include "core/base/widest_vectors.h"
#include "core/model/sixteen_bits.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <cstring>
#include <torch/csrc/autograd/custom_function.h>
#include <type_traits>
#include <utility>

namespace accumulus {
namespace {

constexpr std::int64_t fewestElements = 1 << 14; // elements of a thread's share, at least

/// N outputs that are worked on at once. Integers are of the width of the values, so that a comparison of values
/// chooses between integers.
template <class Real, int N>
struct Pack {
    using Integer = std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>;
    typedef Real Values __attribute__((vector_size(N * sizeof(Real))));      // NOLINT: the attribute wants a typedef
    typedef Integer Integers __attribute__((vector_size(N * sizeof(Real)))); // NOLINT
    typedef std::uint8_t Bytes __attribute__((vector_size(N)));              // NOLINT

    Values even, odd; ///< columns 2x and 2x + 1

    template <int... I>
    ACCUMULUS_PART_OF_CALLER void load(const Real* row, std::integer_sequence<int, I...>) {
        Values low, high;
        std::memcpy(&low, row, sizeof low);
        std::memcpy(&high, row + N, sizeof high);
        even = __builtin_shufflevector(low, high, 2 * I...);
        odd = __builtin_shufflevector(low, high, 2 * I + 1 ...);
    }
    template <int... I>
    ACCUMULUS_PART_OF_CALLER void store(Real* row, std::integer_sequence<int, I...>) const {
        const Values low = __builtin_shufflevector(even, odd, I / 2 + I % 2 * N...);
        const Values high = __builtin_shufflevector(even, odd, (N + I) / 2 + (N + I) % 2 * N...);
        std::memcpy(row, &low, sizeof low);
        std::memcpy(row + N, &high, sizeof high);
    }
};

/// Which of the four values is the maximum, in reading order: 0 to 3, or `none` where ReLU cuts all of them off. One
/// byte an output is all that is kept for the backward pass.
constexpr int none = 4;

/// N outputs from two rows of inputs. A value that is not a number wins, as in ATen.
template <class Real, int N>
ACCUMULUS_PART_OF_CALLER void pool(const Real* upper, const Real* lower, Real* out, std::uint8_t* places) {
    using P = Pack<Real, N>;
    constexpr auto all = std::make_integer_sequence<int, N>();
    P top, bottom;
    top.load(upper, all);
    bottom.load(lower, all);
    typename P::Values best{};
    typename P::Integers place = typename P::Integers{} + none;
    const auto consider = [&](const typename P::Values& value, int index) __attribute__((always_inline)) {
        const auto takes = (value > best) | (value != value);
        best = takes ? value : best;
        place = takes ? typename P::Integers{} + index : place;
    };
    consider(top.even, 0);
    consider(top.odd, 1);
    consider(bottom.even, 2);
    consider(bottom.odd, 3);
    std::memcpy(out, &best, sizeof best);
    const auto bytes = __builtin_convertvector(place, typename P::Bytes);
    std::memcpy(places, &bytes, sizeof bytes);
}

template <class Real, int N>
ACCUMULUS_PART_OF_CALLER void unpool(const std::uint8_t* places, const Real* gradient, Real* upper, Real* lower) {
    using P = Pack<Real, N>;
    constexpr auto all = std::make_integer_sequence<int, N>();
    typename P::Bytes bytes;
    std::memcpy(&bytes, places, sizeof bytes);
    const auto place = __builtin_convertvector(bytes, typename P::Integers);
    typename P::Values value;
    std::memcpy(&value, gradient, sizeof value);
    const typename P::Values zero{};
    const P top{place == 0 ? value : zero, place == 1 ? value : zero};
    const P bottom{place == 2 ? value : zero, place == 3 ? value : zero};
    top.store(upper, all);
    bottom.store(lower, all);
}

/// Covers a row with packs of N; the last one reaches back over what is done already, which gives the same again. A row
/// shorter than N takes smaller packs.
template <int N, class Work>
ACCUMULUS_PART_OF_CALLER void coverRow(std::int64_t width, const Work& work) {
    if constexpr (N > 1) {
        if (width < N) {
            coverRow<N / 2>(width, work);
            return;
        }
    }
    std::int64_t x = 0;
    for (; x + N <= width; x += N)
        work(x, std::integral_constant<int, N>());
    if (x < width)
        work(width - N, std::integral_constant<int, N>());
}

// `rows`, `width`: of the output, all planes one after the other.
#define ACCUMULUS_POOL_ROWS(Real, N)                                                                                   \
    ACCUMULUS_WIDEST void poolRows(const Real* in, std::int64_t rows, std::int64_t width, Real* out,                   \
                                   std::uint8_t* places) {                                                             \
        for (std::int64_t row = 0; row < rows; ++row, in += 4 * width, out += width, places += width)                  \
            coverRow<N>(                                                                                               \
                width, [=](std::int64_t x, auto size) __attribute__((always_inline)) {                                 \
                    pool<Real, size.value>(in + 2 * x, in + 2 * width + 2 * x, out + x, places + x);                   \
                });                                                                                                    \
    }                                                                                                                  \
    ACCUMULUS_WIDEST void unpoolRows(const std::uint8_t* places, const Real* gradient, std::int64_t rows,              \
                                     std::int64_t width, Real* to) {                                                   \
        for (std::int64_t row = 0; row < rows; ++row, to += 4 * width, places += width, gradient += width)             \
            coverRow<N>(                                                                                               \
                width, [=](std::int64_t x, auto size) __attribute__((always_inline)) {                                 \
                    unpool<Real, size.value>(places + x, gradient + x, to + 2 * x, to + 2 * width + 2 * x);            \
                });                                                                                                    \
    }
ACCUMULUS_POOL_ROWS(float, 16)
ACCUMULUS_POOL_ROWS(double, 8)
#undef ACCUMULUS_POOL_ROWS

struct ReluMaxPool final : torch::autograd::Function<ReluMaxPool> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& given) {
        const at::Tensor input = inFloat(given); // what is kept of it is kept exactly
        const std::int64_t width = input.size(3) / 2;
        const std::int64_t rows = input.numel() / (4 * width);
        at::Tensor output = at::empty({input.size(0), input.size(1), input.size(2) / 2, width}, input.options());
        at::Tensor places = at::empty(output.sizes(), at::kByte);
        AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "reluMaxPool2x2", [&] {
            const scalar_t* in = input.const_data_ptr<scalar_t>();
            scalar_t* out = output.mutable_data_ptr<scalar_t>();
            std::uint8_t* kept = places.mutable_data_ptr<std::uint8_t>();
            at::parallel_for(0, rows, std::max<std::int64_t>(1, fewestElements / (4 * width)),
                             [&](std::int64_t begin, std::int64_t end) {
                                 poolRows(in + 4 * width * begin, end - begin, width, out + width * begin,
                                          kept + width * begin);
                             });
        });
        context->save_for_backward({places});
        return output.to(given.scalar_type());
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        const at::Tensor places = context->get_saved_variables().front();
        const at::Tensor gradient = inFloat(gradients[0].contiguous());
        const std::int64_t width = gradient.size(3);
        const std::int64_t rows = gradient.numel() / width;
        at::Tensor result =
            at::empty({gradient.size(0), gradient.size(1), 2 * gradient.size(2), 2 * width}, gradient.options());
        AT_DISPATCH_FLOATING_TYPES(gradient.scalar_type(), "reluMaxPool2x2Backward", [&] {
            const std::uint8_t* kept = places.const_data_ptr<std::uint8_t>();
            const scalar_t* given = gradient.const_data_ptr<scalar_t>();
            scalar_t* to = result.mutable_data_ptr<scalar_t>();
            at::parallel_for(0, rows, std::max<std::int64_t>(1, fewestElements / (4 * width)),
                             [&](std::int64_t begin, std::int64_t end) {
                                 unpoolRows(kept + width * begin, given + width * begin, end - begin, width,
                                            to + 4 * width * begin);
                             });
        });
        return {result.to(gradients[0].scalar_type())};
    }
};

} // namespace

at::Tensor reluMaxPool2x2(const at::Tensor& input) {
    const bool plain = input.is_cpu() && at::isFloatingType(input.scalar_type()) && input.dim() == 4 &&
                       input.is_contiguous() && input.size(2) % 2 == 0 && input.size(3) % 2 == 0 && input.numel() > 0;
    return plain ? ReluMaxPool::apply(input) : at::max_pool2d(at::relu(input), 2);
}

} // namespace accumulus
