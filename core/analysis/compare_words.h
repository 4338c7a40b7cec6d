// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences of a comparison. Internal to analysis.
#pragma once

#include "core/analysis/compare.h"

namespace accumulus {

/// Fills headline and sentences from the test. `codes`: groupCodes().
void wordVerdict(Comparison& comparison, const std::pair<std::string, std::string>& codes);

/// Warnings about the margin, settings and environment that differ unexpectedly, and pairs that saw different amounts
/// of data.
[[nodiscard]] std::vector<Message> comparisonWarnings(const Comparison& comparison, const ComparisonInput& input);

/// A message about a run, with its name and seed.
[[nodiscard]] Message aboutRun(std::string code, const ComparedRun& run);

} // namespace accumulus
