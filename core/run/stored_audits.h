// SPDX-License-Identifier: GPL-3.0-or-later
// The audits that a library holds. Free of torch.
#pragma once

#include "core/analysis/gradient_audit.h"
#include "core/base/result.h"
#include "core/store/run_reader.h"

#include <vector>

namespace accumulus {

/// Newest first, without lessons. Audits of a set-up belong to all runs of that configuration, whatever their seed.
[[nodiscard]] Result<std::vector<GradientAudit>> auditsOf(RunReader& reader, const RunRecord& run);

} // namespace accumulus
