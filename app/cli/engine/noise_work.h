// SPDX-License-Identifier: GPL-3.0-or-later
// The verb noise: its options, and what --by-layer does. Without it the verb does without LibTorch (app/cli/noise.cpp).
#pragma once

#include "app/cli/console.h"
#include "core/run/noise_views.h"
#include "core/store/run_reader.h"

#include <cstdint>
#include <string>

namespace accumulus::cli {

struct NoiseOptions {
    std::string target, library, checkpoint = "last";
    std::int64_t windows = 20;
    bool byLayer = false, json = false;
};

/// Computes the noise scale parameter by parameter, and shows `view` with it. Returns the exit code.
int noiseByLayer(RunReader& reader, const RunRecord& run, const NoiseView& view, const NoiseOptions& options,
                 Console& console);

} // namespace accumulus::cli
