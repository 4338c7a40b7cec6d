// SPDX-License-Identifier: GPL-3.0-or-later
// Mistakes that an audit builds into the engine on request, each a row of auditPatterns(). Free of torch.
#pragma once

#include "core/base/message.h"
#include "core/base/result.h"
#include "core/engine/engine_setup.h"

#include <string>
#include <vector>

namespace accumulus {

/// `setup` with the mistake. `clean`: what the right gradients are computed with (a loss that couples samples, and what
/// is drawn, are no matter of the loop). Errors "audit.fault", "audit.unknown-fault".
struct FaultySetup {
    EngineSetup faulty, clean;
    std::vector<Message> notes;
    bool clipsEach = false; ///< train.clip_norm is to be chosen, so that it clips
    bool couplesSamples = false;
};
[[nodiscard]] Result<FaultySetup> buildIn(const std::string& fault, const EngineSetup& setup);

} // namespace accumulus
