// SPDX-License-Identifier: GPL-3.0-or-later
// The few loops over flat gradients, in one pass each. Sums run over fixed blocks in a fixed order, so results do not
// depend on lanes or threads.
#pragma once

#include <c10/util/BFloat16.h>
#include <cstdint>

namespace accumulus {

/// out = weight x in (overwrite) or out += weight x in. Returns sum in[i]^2, accumulated in double over blocks. `out`
/// and `in` do not overlap.
double commitKernel(float* out, const float* in, std::int64_t count, float weight, bool overwrite);
double commitKernel(double* out, const double* in, std::int64_t count, double weight, bool overwrite);
/// The same into a bfloat16 accumulator: each sum is rounded to 8 bits (numerics.accumulator = "bf16").
double commitKernel(c10::BFloat16* out, const float* in, std::int64_t count, float weight, bool overwrite);
/// data *= factor. Returns the sum of squares of the result.
double scaleKernel(float* data, std::int64_t count, float factor);
double scaleKernel(double* data, std::int64_t count, double factor);
double squareSumKernel(const float* data, std::int64_t count);
double squareSumKernel(const double* data, std::int64_t count);

} // namespace accumulus
