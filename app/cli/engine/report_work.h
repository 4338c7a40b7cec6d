// SPDX-License-Identifier: GPL-3.0-or-later
// The verb report: its options, and what it does.
#pragma once

#include "app/cli/comparing.h"
#include "app/cli/console.h"

#include <string>

namespace accumulus::cli {

struct ReportOptions {
    std::string out, library, language;
    CompareTargets targets;
    CompareOptions compare;
};

/// Returns the exit code.
int reportOf(const ReportOptions& options, Console& console);

} // namespace accumulus::cli
