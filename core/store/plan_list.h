// SPDX-License-Identifier: GPL-3.0-or-later
// All sweeps over the micro-batch that a library keeps. Thread: the reader's. Error "library.read".
#pragma once

#include "core/store/run_reader.h"

#include <vector>

namespace accumulus {

/// Newest first.
[[nodiscard]] Result<std::vector<PlanRecord>> storedPlans(RunReader& reader);

} // namespace accumulus
