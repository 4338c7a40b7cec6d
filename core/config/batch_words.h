// SPDX-License-Identifier: GPL-3.0-or-later
// A resolved batch in figures, the same in the command line, reports and workbench: how a window is cut, and what a
// ramp makes of it. Pure functions; any thread.
#pragma once

#include "core/config/batch_plan.h"

#include <string>

namespace accumulus {

/// Signs between the numbers: plain ones for a terminal, typographic ones (in UTF-8) elsewhere.
struct BatchSigns {
    std::string times = " x ", plus = " + ", arrow = " -> ", gap = "...";
};
[[nodiscard]] const BatchSigns& plainSigns();
[[nodiscard]] const BatchSigns& fineSigns(); ///< "×", "→", "…"

/// How a window of `effective` samples is cut: "32 x 8", over two devices "32 x 4 x 2", with a shorter last micro-batch
/// "32 x 7 + 26". A window smaller than m is one micro-batch of it: "128 x 1". A plan that was never resolved: "...".
[[nodiscard]] std::string windowSplit(const BatchPlan& plan, std::int64_t effective, const BatchSigns& signs);

/// windowSplit of the first update; under a ramp also of the last change: "32 x 4 -> 32 x 16".
[[nodiscard]] std::string splitText(const BatchPlan& plan, const BatchSigns& signs);

/// B: "256"; under a ramp "128 -> 512", with many changes "128 -> ... -> 1024".
[[nodiscard]] std::string effectiveText(const BatchPlan& plan, const BatchSigns& signs);

/// "32 x 8 = 256"; under a ramp "32 x 4 = 128 -> 512".
[[nodiscard]] std::string batchEquation(const BatchPlan& plan, const BatchSigns& signs);

/// "micro-batch 32 x 8 accumulation steps x 1 device = 256 samples per update", under a ramp followed by
/// ", from update 100 on 32 x 16 = 512". English.
[[nodiscard]] std::string batchSentence(const BatchPlan& plan);

} // namespace accumulus
