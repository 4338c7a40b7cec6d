// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a network can compute as the configuration asks for. Any thread.
#pragma once

#include "core/base/result.h"
#include "core/config/experiment_config.h"
#include "core/model/model.h"

namespace accumulus {

/// Error "model.file-precision": the file has another type written into it than parameterType(precision).
[[nodiscard]] Status checkPrecision(const Model& model, const ModelConfig& config, Precision precision);

} // namespace accumulus
