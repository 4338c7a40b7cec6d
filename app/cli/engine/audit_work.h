// SPDX-License-Identifier: GPL-3.0-or-later
// The verb audit: its options, and what it does.
#pragma once

#include "app/cli/console.h"
#include "core/run/gradient_audits.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accumulus::cli {

struct AuditOptions {
    std::string target, library;
    std::vector<std::string> assignments;
    std::string checkpoint;
    std::string fault;
    std::optional<std::int64_t> seed;
    std::optional<double> tolerance;
    std::int64_t updates = 0;
    bool noReference = false, json = false;
    AuditFiles files;
};

/// Returns the exit code.
int auditTarget(const AuditOptions& options, Console& console);

} // namespace accumulus::cli
