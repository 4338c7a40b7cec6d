// SPDX-License-Identifier: GPL-3.0-or-later
// Flat gradients in a host's memory, divided and measured in one pass when a window is closed.
#pragma once

#include "core/model/parameter_arena.h"
#include "core/window/shards.h"
#include "core/window/workers.h"

#include <vector>

namespace accumulus {

/// A sum of squares on its way through the arena.
struct RunningSquares {
    double squared = 0.0; ///< of parameters that are complete
    double open = 0.0;    ///< of the one that goes on in the next range
};

/// `elements` (flat, those of `range`, fp32 or fp64) *= factor where their parameter is touched. `running` takes up the
/// squares of the results in the order of the elements, so its bits do not depend on `workers` (may be null) or on how
/// the arena is cut into ranges.
void scaleTouched(at::Tensor& elements, const ParameterLayout& layout, FlatRange range,
                  const std::vector<bool>& touched, double factor, RunningSquares& running, Workers* workers);

} // namespace accumulus
