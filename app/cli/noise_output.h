// SPDX-License-Identifier: GPL-3.0-or-later
// How the verb noise shows noise scales.
#pragma once

#include "app/cli/console.h"
#include "app/cli/json_output.h"
#include "core/run/noise_views.h"

#include <string>

namespace accumulus::cli {

/// Adds b_simple with its interval, and the terms it was estimated from; null where they are not known.
void addScale(Json& json, const NoiseScale& noise);
[[nodiscard]] Json viewJson(const NoiseView& view);
void printView(const NoiseView& view, const std::string& title, Console& console);
[[nodiscard]] std::string titleOf(const NoiseView& view);

} // namespace accumulus::cli
