// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pooling.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <torch/csrc/autograd/custom_function.h>

// Compares and copies only: every instruction set gives the same bits, so the widest one may be taken. Sanitizers cannot stand the selection at load time.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ACCUMULUS_WIDEST __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#else
#define ACCUMULUS_WIDEST
#endif

namespace accumulus {
namespace {

constexpr std::int64_t grain = 1 << 14; // elements of a thread's share, at least

/// One row of outputs from two rows of inputs. A value that is not a number wins, as in ATen.
template <class Real>
inline void poolRow(const Real* __restrict upper, const Real* __restrict lower, std::int64_t width, Real* __restrict out) {
    for (std::int64_t x = 0; x < width; ++x) {
        Real best = 0;
        const auto consider = [&best](Real value) { best = (value > best) | (value != value) ? value : best; };
        consider(upper[2 * x]);
        consider(upper[2 * x + 1]);
        consider(lower[2 * x]);
        consider(lower[2 * x + 1]);
        out[x] = best;
    }
}

/// The gradient goes to the first of the four that is the maximum, and nowhere where ReLU cut it off.
template <class Real>
inline void unpoolRow(const Real* __restrict upper, const Real* __restrict lower, const Real* __restrict out, const Real* __restrict gradient,
                      std::int64_t width, Real* __restrict upperGradient, Real* __restrict lowerGradient) {
    for (std::int64_t x = 0; x < width; ++x) {
        const Real best = out[x];
        const Real value = best > 0 ? gradient[x] : Real(0);
        const bool a = upper[2 * x] == best;
        const bool b = !a & (upper[2 * x + 1] == best);
        const bool c = !a & !b & (lower[2 * x] == best);
        upperGradient[2 * x] = a ? value : Real(0);
        upperGradient[2 * x + 1] = b ? value : Real(0);
        lowerGradient[2 * x] = c ? value : Real(0);
        lowerGradient[2 * x + 1] = a | b | c ? Real(0) : value;
    }
}

// `rows`, `width`: of the output, all planes one after the other.
#define ACCUMULUS_POOL_ROWS(Real)                                                                                                                        \
    ACCUMULUS_WIDEST void poolRows(const Real* in, std::int64_t rows, std::int64_t width, Real* out) {                                                   \
        for (std::int64_t row = 0; row < rows; ++row, in += 4 * width, out += width)                                                                     \
            poolRow(in, in + 2 * width, width, out);                                                                                                     \
    }                                                                                                                                                    \
    ACCUMULUS_WIDEST void unpoolRows(const Real* in, const Real* out, const Real* gradient, std::int64_t rows, std::int64_t width, Real* inGradient) {   \
        for (std::int64_t row = 0; row < rows; ++row, in += 4 * width, inGradient += 4 * width, out += width, gradient += width)                         \
            unpoolRow(in, in + 2 * width, out, gradient, width, inGradient, inGradient + 2 * width);                                                     \
    }
ACCUMULUS_POOL_ROWS(float)
ACCUMULUS_POOL_ROWS(double)
#undef ACCUMULUS_POOL_ROWS

struct ReluMaxPool final : torch::autograd::Function<ReluMaxPool> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& input) {
        const std::int64_t width = input.size(3) / 2;
        const std::int64_t rows = input.numel() / (4 * width);
        at::Tensor output = at::empty({input.size(0), input.size(1), input.size(2) / 2, width}, input.options());
        AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "reluMaxPool2x2", [&] {
            const scalar_t* in = input.const_data_ptr<scalar_t>();
            scalar_t* out = output.mutable_data_ptr<scalar_t>();
            at::parallel_for(0, rows, std::max<std::int64_t>(1, grain / (4 * width)),
                             [&](std::int64_t begin, std::int64_t end) { poolRows(in + 4 * width * begin, end - begin, width, out + width * begin); });
        });
        context->save_for_backward({input, output});
        return output;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context, const torch::autograd::variable_list& gradients) {
        const auto saved = context->get_saved_variables();
        const at::Tensor gradient = gradients[0].contiguous();
        const std::int64_t width = gradient.size(3);
        const std::int64_t rows = gradient.numel() / width;
        at::Tensor result = at::empty_like(saved[0]);
        AT_DISPATCH_FLOATING_TYPES(gradient.scalar_type(), "reluMaxPool2x2Backward", [&] {
            const scalar_t* in = saved[0].const_data_ptr<scalar_t>();
            const scalar_t* out = saved[1].const_data_ptr<scalar_t>();
            const scalar_t* given = gradient.const_data_ptr<scalar_t>();
            scalar_t* to = result.mutable_data_ptr<scalar_t>();
            at::parallel_for(0, rows, std::max<std::int64_t>(1, grain / (4 * width)), [&](std::int64_t begin, std::int64_t end) {
                unpoolRows(in + 4 * width * begin, out + width * begin, given + width * begin, end - begin, width, to + 4 * width * begin);
            });
        });
        return {result};
    }
};

} // namespace

at::Tensor reluMaxPool2x2(const at::Tensor& input) {
    const bool plain = input.is_cpu() && (input.scalar_type() == at::kFloat || input.scalar_type() == at::kDouble) && input.dim() == 4 &&
                       input.is_contiguous() && input.size(2) % 2 == 0 && input.size(3) % 2 == 0 && input.numel() > 0;
    return plain ? ReluMaxPool::apply(input) : at::max_pool2d(at::relu(input), 2);
}

} // namespace accumulus
