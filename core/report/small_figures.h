// SPDX-License-Identifier: GPL-3.0-or-later
// Small pictures as SVG Tiny 1.2 text: the batch bar, the interval against the margin, the sign of a verdict. Any
// thread.
#pragma once

#include "core/analysis/statistics.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace accumulus {

/// The batch bar: B as K blocks of m, a ragged block shorter, `filled` blocks filled.
[[nodiscard]] std::string batchBarSvg(const std::vector<std::int64_t>& microSizes, std::size_t filled,
                                      double width = 480.0, double height = 28.0,
                                      const std::string& colour = "#0072B2");

/// The verdict's interval drawn against the margin, all in the unit to be shown. An infinite interval is left out and
/// said so.
[[nodiscard]] std::string intervalSvg(double lower, double mean, double upper, double margin, double width = 480.0,
                                      double height = 72.0, const std::string& unit = {},
                                      const std::string& colour = "#0072B2");
/// That of a test, its numbers times `factor`, in the verdict's colour where lying inside the margin shows no
/// equivalence: a step of the metric is larger than the margin. Empty without pairs.
[[nodiscard]] std::string intervalSvg(const EquivalenceTest& test, double factor, const std::string& unit);

/// A circle with a sign of its own for each verdict, and its colour (contrast on white at least 4.5:1): as the window
/// shows them in its light theme.
[[nodiscard]] std::string verdictIconSvg(Verdict verdict, double size = 40.0);
[[nodiscard]] std::string verdictColour(Verdict verdict);

} // namespace accumulus
