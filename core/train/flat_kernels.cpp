// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/flat_kernels.h"

#include <algorithm>
#include <array>

namespace accumulus {
namespace {

constexpr std::int64_t block = 4096; // partial sums in the compute type stay short, the total is a double
constexpr std::int64_t width = 16;   // independent partial sums, so that the compiler may use vectors without reordering a sum

/// Applies `element(i)`, which stores and returns the value to square, to [0, count) and sums the squares.
template <class Real, class Element>
inline double squareSum(std::int64_t count, Element element) {
    double total = 0.0;
    for (std::int64_t start = 0; start < count; start += block) {
        const std::int64_t end = std::min(count, start + block);
        std::array<Real, width> partial{};
        std::int64_t i = start;
        for (; i + width <= end; i += width)
            for (std::int64_t j = 0; j < width; ++j) {
                const Real value = element(i + j);
                partial[static_cast<std::size_t>(j)] += value * value;
            }
        for (std::int64_t j = 0; i < end; ++i, ++j) {
            const Real value = element(i);
            partial[static_cast<std::size_t>(j)] += value * value;
        }
        for (const Real part : partial)
            total += static_cast<double>(part);
    }
    return total;
}

} // namespace

template <class Real>
double commitKernel(Real* out, const Real* in, std::int64_t count, Real weight, bool overwrite) {
    if (overwrite)
        return squareSum<Real>(count, [=](std::int64_t i) {
            out[i] = weight * in[i];
            return in[i];
        });
    return squareSum<Real>(count, [=](std::int64_t i) {
        out[i] += weight * in[i];
        return in[i];
    });
}

double commitKernel(c10::BFloat16* out, const float* in, std::int64_t count, float weight, bool overwrite) {
    return squareSum<float>(count, [=](std::int64_t i) {
        out[i] = overwrite ? weight * in[i] : static_cast<float>(out[i]) + weight * in[i];
        return in[i];
    });
}

template <class Real>
double scaleKernel(Real* data, std::int64_t count, Real factor) {
    return squareSum<Real>(count, [=](std::int64_t i) { return data[i] *= factor; });
}

template <class Real>
double squareSumKernel(const Real* data, std::int64_t count) {
    return squareSum<Real>(count, [=](std::int64_t i) { return data[i]; });
}

template double commitKernel<float>(float*, const float*, std::int64_t, float, bool);
template double commitKernel<double>(double*, const double*, std::int64_t, double, bool);
template double scaleKernel<float>(float*, std::int64_t, float);
template double scaleKernel<double>(double*, std::int64_t, double);
template double squareSumKernel<float>(const float*, std::int64_t);
template double squareSumKernel<double>(const double*, std::int64_t);

} // namespace accumulus
