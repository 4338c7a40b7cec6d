// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the data that a run was trained on are still what they were.
#pragma once

#include "core/base/result.h"
#include "core/data/dataset.h"
#include "core/store/run_records.h"

namespace accumulus {

/// Reads the data once more. Errors "run.data-changed", and "data.changed" where a file changes meanwhile. Also fine
/// where nothing is known of them: of runs that never began.
[[nodiscard]] Status checkRunData(const RunRecord& run, const Dataset& data);

/// For what is computed at the run's weights: error "run.data-differ" instead.
[[nodiscard]] Status requireRunData(const RunRecord& run, const Dataset& data);

} // namespace accumulus
