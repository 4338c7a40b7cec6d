// SPDX-License-Identifier: GPL-3.0-or-later
// The verb plan: its options, and what it does.
#pragma once

#include "app/cli/console.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accumulus::cli {

struct PlanOptions {
    std::string target, library;
    std::vector<std::string> assignments;
    std::vector<std::int64_t> sizes;
    std::optional<double> noiseScale;
    bool ragged = false, fresh = false, json = false;
    // For the processes that planMicroBatch() starts.
    bool trial = false, confirm = false;
    std::int64_t seed = 0;
};

/// Returns the exit code.
int planFor(const PlanOptions& options, Console& console);

} // namespace accumulus::cli
