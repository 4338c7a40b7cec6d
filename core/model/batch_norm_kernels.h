// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of BatchNorm for one thread, free of tensors. Images are [rows, channels]: a row is a pixel, as in
// channels-last order. Channels are a multiple of batchNormLanes. Images in bfloat16 are read as floats, and results
// rounded once; all that is by channel is in fp32. No function allocates or throws.
#pragma once

#include <c10/util/BFloat16.h>
#include <cstdint>

namespace accumulus {

inline constexpr std::int64_t batchNormLanes = 16;

struct PixelRows {
    std::int64_t rows = 0, channels = 0;
};

/// Sums around the first row: sums[channel] of (x - first row), squares[channel] of its square. Taken around a value of
/// their own kind they do not cancel (Chan, Golub and LeVeque 1983, "Algorithms for computing the sample variance").
void sumsAroundFirst(const PixelRows& shape, const float* x, float* sums, float* squares);
void sumsAroundFirst(const PixelRows& shape, const c10::BFloat16* x, float* sums, float* squares);

/// y = x scale + shift, plus `added` where that is not null, negative values cut off with `rectify`; NaN stays.
void scaleAndShift(const PixelRows& shape, const float* x, const float* scale, const float* shift, const float* added,
                   bool rectify, float* y);
void scaleAndShift(const PixelRows& shape, const c10::BFloat16* x, const float* scale, const float* shift,
                   const c10::BFloat16* added, bool rectify, c10::BFloat16* y);

/// Of the gradient of y, zero where `y`, if not null, is not positive: sums[channel] of it, products[channel] of it
/// times (x - mean). Where `kept` is not null it is written there.
void gradientSums(const PixelRows& shape, const float* gradient, const float* y, const float* x, const float* mean,
                  float* sums, float* products, float* kept);
void gradientSums(const PixelRows& shape, const c10::BFloat16* gradient, const c10::BFloat16* y, const c10::BFloat16* x,
                  const float* mean, float* sums, float* products, c10::BFloat16* kept);

/// result = a gradient + b x + c with a, b, c by channel; the gradient zero where `y`, if not null, is not positive.
void inputGradient(const PixelRows& shape, const float* gradient, const float* y, const float* x, const float* a,
                   const float* b, const float* c, float* result);
void inputGradient(const PixelRows& shape, const c10::BFloat16* gradient, const c10::BFloat16* y,
                   const c10::BFloat16* x, const float* a, const float* b, const float* c, c10::BFloat16* result);

} // namespace accumulus
