// SPDX-License-Identifier: GPL-3.0-or-later
// The few loops over flat gradients, in one pass each. Sums run over fixed blocks in a fixed order, so results do not
// depend on lanes or threads.
#pragma once

#include <array>
#include <c10/util/BFloat16.h>
#include <cstdint>

namespace accumulus {

/// out = weight x in (overwrite) or out += weight x in. Returns sum in[i]^2, accumulated in double over blocks. `out`
/// and `in` do not overlap.
double commitKernel(float* out, const float* in, std::int64_t count, float weight, bool overwrite);
double commitKernel(double* out, const double* in, std::int64_t count, double weight, bool overwrite);
/// The same of a 16-bit gradient: the bits that its copy in float would give.
double commitKernel(float* out, const c10::BFloat16* in, std::int64_t count, float weight, bool overwrite);
/// The same into a bfloat16 accumulator: each sum is rounded to 8 bits (numerics.accumulator = "bf16").
double commitKernel(c10::BFloat16* out, const float* in, std::int64_t count, float weight, bool overwrite);
/// Sums are taken over blocks of so many elements.
constexpr std::int64_t kernelBlock = 4096;
/// What a block's squares add up to, in partial sums that vectors take side by side.
template <class Real>
using BlockSquares = std::array<Real, 16>;
/// data *= factor. Leaves the squares of the results, a BlockSquares for each block.
void scaleKernel(float* data, std::int64_t count, float factor, BlockSquares<float>* squares);
void scaleKernel(double* data, std::int64_t count, double factor, BlockSquares<double>* squares);
/// `sum` plus those squares, added up as commitKernel() adds its own.
double sumOf(const BlockSquares<float>* squares, std::int64_t blocks, double sum);
double sumOf(const BlockSquares<double>* squares, std::int64_t blocks, double sum);
/// out += in.
void addKernel(float* out, const float* in, std::int64_t count);
void addKernel(double* out, const double* in, std::int64_t count);
void addKernel(float* out, const c10::BFloat16* in, std::int64_t count);
double squareSumKernel(const float* data, std::int64_t count);
double squareSumKernel(const double* data, std::int64_t count);

} // namespace accumulus
