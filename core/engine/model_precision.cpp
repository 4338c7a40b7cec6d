// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/model_precision.h"

#include "core/window/precision.h"

namespace accumulus {

Status checkPrecision(const Model& model, const ModelConfig& config, Precision precision) {
    const at::ScalarType type = parameterType(precision);
    if (model.computesIn(type))
        return {};
    const bool wanted64 = type == at::kDouble;
    return failure(
        "model.file-precision",
        {{"file", config.path}, {"precision", wanted64 ? "fp64" : "fp32"}, {"other", wanted64 ? "fp32" : "fp64"}});
}

} // namespace accumulus
