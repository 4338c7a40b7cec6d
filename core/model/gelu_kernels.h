// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of GELU for one thread, free of LibTorch. No function allocates or throws.
#pragma once

#include <c10/util/BFloat16.h>
#include <cstdint>

namespace accumulus {

/// to[i] = x Phi(x) of x = from[i], with the normal distribution's function Phi = 1 - Q for positive x and Q(-x) for
/// others. Q(z) = e^(-z^2 / 2) P(t), t = 1 / (1 + 0.3 z): the form of Abramowitz and Stegun 26.2.17; a polynomial P of
/// degree 8 fitted to the least relative error, 5e-8 for z up to 9.5.
void geluExact(const float* from, std::int64_t count, float* to);
/// to[i] = gradient[i] (Phi(x) + x phi(x)), phi: the normal density.
void geluExactBack(const float* from, const float* gradient, std::int64_t count, float* to);

/// to[i] = x / (1 + e^(-2u)), u = sqrt(2 / pi) (x + 0.044715 x^3): the same as 0.5 x (1 + tanh(u)).
void geluTanh(const float* from, std::int64_t count, float* to);
void geluTanhBack(const float* from, const float* gradient, std::int64_t count, float* to);

/// geluExactBack in place of the gradient, and geluExact's bits beside it, with one exponential function for both.
void geluExactBackInPlace(const float* from, std::int64_t count, float* gradient, float* value);
void geluTanhBackInPlace(const float* from, std::int64_t count, float* gradient, float* value);

/// In bfloat16: computed in fp32 and rounded once.
void geluTanh(const c10::BFloat16* from, std::int64_t count, c10::BFloat16* to);
void geluTanhBack(const c10::BFloat16* from, const c10::BFloat16* gradient, std::int64_t count, c10::BFloat16* to);

} // namespace accumulus
