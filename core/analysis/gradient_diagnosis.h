// SPDX-License-Identifier: GPL-3.0-or-later
// The diagnosis of an audit: which mistake explains the evidence, and the verdict in words. Pure functions; any thread.
#pragma once

#include "core/analysis/gradient_audit.h"
#include "core/analysis/gradient_fit.h"

#include <optional>
#include <string>
#include <vector>

namespace accumulus {

struct GradientDiagnosis {
    bool sumsAreRight = true;           ///< G = sum (n_k / N) g_k in every window
    std::optional<std::string> pattern; ///< of what explains it if not
    Message sentence;                   ///< of the pattern, or of what is known where none fits
    bool weightsIdentified = true;      ///< one answer only
    std::vector<AuditedWindow> windows;
    std::size_t judgedWindow = 0; ///< the first whose error is among the largest
};
/// At least one window with a micro-batch, and one tensor.
[[nodiscard]] GradientDiagnosis diagnose(GradientEvidence evidence);
/// Of two whole gradients alone: is the one a multiple of the other?
[[nodiscard]] GradientDiagnosis diagnoseFactor(const std::vector<GradientElements>& accumulatedAndReference,
                                               double tolerance);

/// What an audit knows beside the weights.
struct AuditFacts {
    bool reproducible = true;
    std::int64_t batchNormLayers = 0;  ///< that mix the samples of a micro-batch
    std::int64_t dropoutLayers = 0;    ///< that draw from a stream
    std::optional<bool> ghostAgrees{}; ///< with BatchNorm: the large batch in groups of the micro-batches is the same
    bool flipSized =
        false; ///< what is left is no larger than a ReLU that rounding switched, and nothing finer is known
    bool roundingOnly = false; ///< the same in fp64 agrees: rounding moved some ReLU or maximum to its other side
};
/// Fills verdict, pattern, headline, notes, windows and the worst tensor of an audit that has its tensors.
void conclude(GradientAudit& audit, const GradientDiagnosis& diagnosis, const AuditFacts& facts);

/// 8.00, 0.25, 0.0625
[[nodiscard]] std::string factorText(double factor);
/// 3.1e-07
[[nodiscard]] std::string errorText(double error);

} // namespace accumulus
