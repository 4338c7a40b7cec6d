// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of few significant bits, as a 16-bit accumulator makes them: no weights describe those. Pure; any thread.
#pragma once

#include "core/analysis/gradient_fit.h"

namespace accumulus {

/// Error as errorOf(): of sums that are rounded to so many significant bits after each addition (bf16: 8, fp16: 11),
/// the best of the ways in which loops scale what they add.
[[nodiscard]] WeightsError errorOfRoundedSums(const GradientEvidence& evidence, std::size_t window, int bits);

} // namespace accumulus
