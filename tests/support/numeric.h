// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons of numbers for tests. Never QCOMPARE on doubles: say which tolerance, and derive it beside the call.
#pragma once

#include <cmath>
#include <span>

namespace accumulus::test {

/// |a - b| <= tolerance x max(|a|, |b|); equal values (also two infinities) pass at once; NaN never passes.
[[nodiscard]] bool compareRel(double a, double b, double tolerance);
[[nodiscard]] bool compareAbs(double a, double b, double tolerance);
/// The same bit pattern.
[[nodiscard]] bool compareBits(double a, double b);
/// |a - b|_2 / |b|_2.
[[nodiscard]] double relativeL2(std::span<const double> a, std::span<const double> b);

} // namespace accumulus::test
