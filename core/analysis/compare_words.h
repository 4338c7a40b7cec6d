// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences of a comparison. Internal to analysis.
#pragma once

#include "core/analysis/compare.h"

namespace accumulus {

/// Fills headline and sentence from the test.
void wordVerdict(Comparison& comparison, const ComparisonInput& input);

/// Warnings about the margin, settings and environment that differ unexpectedly, and pairs that saw different amounts
/// of data.
[[nodiscard]] std::vector<std::string> comparisonWarnings(const Comparison& comparison, const ComparisonInput& input);

/// "Run lenet5 32 x 8 (seed 3)".
[[nodiscard]] std::string runPhrase(const ComparedRun& run);

} // namespace accumulus
