// SPDX-License-Identifier: GPL-3.0-or-later
// The verb report: its options, and what it does of a run. Comparisons are reported without LibTorch
// (app/cli/report.cpp); a run's report holds its plan, which is kept under LibTorch's version and the device.
#pragma once

#include "app/cli/comparing.h"
#include "app/cli/console.h"
#include "core/store/run_reader.h"

#include <string>

namespace accumulus::cli {

struct ReportOptions {
    std::string out, library, language;
    CompareTargets targets;
    CompareOptions compare;
};

/// Writes the report of the run. Returns the exit code.
int reportOfRun(RunReader& reader, const RunRecord& run, const ReportOptions& options, Console& console);

} // namespace accumulus::cli
