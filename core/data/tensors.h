// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of any shape from a person's own files: inputs and targets, and as many test_inputs and test_targets.
#pragma once

#include "core/data/data_source.h"

namespace accumulus {

/// Reads headers and, for the number of classes, the targets; the inputs only when the source is read. What lies in a
/// file as it is used stays there, mapped; only deflated arrays take memory. Errors "data.tensors.*", "data.no-room".
///
/// Targets must be finite, and whole ones not negative except ignoredTarget (-100). Inputs up to
/// FileLimits::scanned bytes must be finite; of larger ones training tells (numerics.nonfinite).
[[nodiscard]] Result<DataSource> openTensors(const DataConfig& config);

} // namespace accumulus
