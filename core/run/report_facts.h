// SPDX-License-Identifier: GPL-3.0-or-later
// What the reports of runs and of comparisons tell alike: settings and commands. Free of torch.
#pragma once

#include "core/config/experiment_config.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace accumulus {

/// Names and values.
using Facts = std::vector<std::pair<std::string, std::string>>;

/// Every setting that applies, but those of a study.
[[nodiscard]] Facts settingsOf(const RunConfig& config);

/// The command that trains it again, with these seeds and without a second arm.
[[nodiscard]] std::string commandFor(const RunConfig& config, std::vector<std::int64_t> seeds);

} // namespace accumulus
