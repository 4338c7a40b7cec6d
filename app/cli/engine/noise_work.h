// SPDX-License-Identifier: GPL-3.0-or-later
// The verb noise: its options, and what it does.
#pragma once

#include "app/cli/console.h"

#include <cstdint>
#include <string>

namespace accumulus::cli {

struct NoiseOptions {
    std::string target, library, checkpoint = "last";
    std::int64_t windows = 20;
    bool byLayer = false, json = false;
};

/// Returns the exit code.
int noiseOf(const NoiseOptions& options, Console& console);

} // namespace accumulus::cli
