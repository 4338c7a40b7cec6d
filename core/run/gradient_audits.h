// SPDX-License-Identifier: GPL-3.0-or-later
// Audits as applications ask for them: of a set-up, of a run's checkpoint, of another program's gradients. Blocks; call
// it from a worker thread. Free of torch.
#pragma once

#include "core/analysis/gradient_audit.h"
#include "core/base/result.h"
#include "core/config/experiment_config.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace accumulus {

struct AuditRequest {
    RunConfig config;
    std::int64_t seed = 0;
    std::string run;                    ///< UUID; empty: the set-up at its initial weights
    std::string checkpoint = "initial"; ///< initial | best | last, of that run
    std::optional<std::string> fault;   ///< code of an AuditPattern that can be planted
    std::optional<double> tolerance;    ///< instead of the precision's
    bool reference = true;              ///< compare with the fp64 reference as well
    std::int64_t updates = 0;           ///< of the second part; 0: none
};

/// 0..1, and what is being computed (a code of the catalogue).
using AuditProgress = std::function<void(double share, const Message& what)>;

/// Error "audit.cancelled" after the micro-step in which a stop was requested (the large batch is one);
/// "audit.micro-steps" (a window of fewer than two samples), "audit.no-targets",
/// "audit.fault" (a pattern that cannot be built in here),
/// and those of configuration, data, model, device and checkpoints.
[[nodiscard]] Result<GradientAudit> auditGradients(const AuditRequest& request, const std::filesystem::path& library,
                                                   const AuditProgress& progress = {}, std::stop_token stop = {});

/// safetensors files of another program; `microGradients` may be empty. Errors "audit.files", "checkpoint.open",
/// "checkpoint.format".
struct AuditFiles {
    std::filesystem::path accumulated, reference, microGradients;
    std::optional<double> tolerance;
};
[[nodiscard]] Result<GradientAudit> auditFiles(const AuditFiles& files);

[[nodiscard]] Status storeAudit(const std::filesystem::path& library, const AuditRequest& request,
                                const GradientAudit& audit);

} // namespace accumulus
