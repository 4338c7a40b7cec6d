// SPDX-License-Identifier: GPL-3.0-or-later
// Which samples an audit looks at. Pure; free of torch.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/config/experiment_config.h"

#include <cstdint>
#include <vector>

namespace accumulus {

/// One window of an audit.
struct AuditWindowPlan {
    std::vector<std::int64_t> ids;
    std::int64_t epoch = 0; ///< of what is drawn
    bool closes = true;     ///< false: a short window whose samples the next one takes up (batch.tail = "leak")
};

/// Which samples are audited, so that little can hide: two full windows and, where an epoch ends with one, a short one
/// of one micro-step fewer whose last micro-batch is smaller than the others, and a full one after it. A window has at
/// least three micro-steps (for that m is lowered where it must be, never B) and at most `mostSteps`.
struct AuditPlan {
    static constexpr std::int64_t mostSteps = 32;
    std::int64_t micro = 0;
    std::int64_t steps = 0;     ///< K of a full window
    std::int64_t effective = 0; ///< samples of a full window
    std::vector<AuditWindowPlan> windows;
    std::vector<Message> notes;
};
/// `least`: samples of the smallest micro-batch that the network takes, see leastSamples(). Errors "audit.micro-steps",
/// "audit.data", "model.batch-norm-one", "model.batch-norm-cut", and those of resolveBatch().
[[nodiscard]] Result<AuditPlan> planAudit(const RunConfig& config, std::int64_t seed, std::int64_t samples,
                                          std::int64_t least = 1);

/// The largest micro-batch of at most `largest` that cuts `effective` samples into `steps` parts or more, each of
/// `least` samples or more; 0: there is none.
[[nodiscard]] std::int64_t largestCut(std::int64_t effective, std::int64_t largest, std::int64_t steps,
                                      std::int64_t least);

} // namespace accumulus
