// SPDX-License-Identifier: GPL-3.0-or-later
// Is accumulation the large batch? At fixed weights, the gradient of a few windows through the code that trains,
// against the large batch in one pass, the fp64 reference, and what the micro-batches' own gradients add up to. Changes
// nothing of a run. Blocks the calling thread, which becomes lane 0. Free of torch.
#pragma once

#include "core/analysis/gradient_audit.h"
#include "core/base/message.h"
#include "core/base/result.h"
#include "core/engine/engine_setup.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace accumulus {

struct AuditSetup {
    EngineSetup engine;               ///< settings, seed, lanes, data
    int cores = 1;                    ///< for the large batch
    std::filesystem::path weights;    ///< of a checkpoint; empty: initial
    std::optional<std::string> fault; ///< code of an AuditPattern
    std::optional<double> tolerance;
    bool reference = true;
    bool splits = true; ///< the error against K as well: for K = 2, and beyond where it takes no more than some seconds
    std::int64_t updates = 0; ///< made both ways; 0: none
    std::function<void(double share, const Message& what)> progress;
    std::stop_token stop;
};
/// Errors of planAudit(), EngineTrial and checkpoints, "audit.fault", "audit.unknown-fault", "audit.cancelled".
[[nodiscard]] Result<GradientAudit> auditTraining(const AuditSetup& setup);

} // namespace accumulus
