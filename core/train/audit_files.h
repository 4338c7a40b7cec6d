// SPDX-License-Identifier: GPL-3.0-or-later
// Gradients that another program has written: what an audit says of its loop. Blocks; any thread. Free of torch.
//
// Three safetensors files: the accumulated gradient as the optimizer would get it, and the large batch's, both a tensor
// for each parameter under its name; and, if there is one, the micro-gradients: "0/NAME", "1/NAME", ... of the MEAN
// loss of micro-batch k, "units" (its units: counts, or sums of weights), and if known "windows" (the number of the
// window that it belongs to; the gradients are of the largest), "ranks" (that computed it), "nominal_steps" (one
// number: K of a full window), "weights/NAME" (the parameters). Metadata that counts: "precision" (fp64, fp32, bf16,
// fp16; else that of the tensors), "batch_norm_layers", "dropout_layers", "weights_changed" and "weights_factor" (how
// far the weights moved inside the window, and their projection on what they were).
#pragma once

#include "core/analysis/gradient_audit.h"
#include "core/base/result.h"

#include <filesystem>
#include <optional>

namespace accumulus {

/// `microGradients` may be empty. Errors "audit.files", "checkpoint.open", "checkpoint.format".
[[nodiscard]] Result<GradientAudit> auditGradientFiles(const std::filesystem::path& accumulated,
                                                       const std::filesystem::path& reference,
                                                       const std::filesystem::path& microGradients,
                                                       std::optional<double> tolerance = {});

} // namespace accumulus
