// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine/report_work.h"

#include "app/cli/report_output.h"
#include "core/run/library_views.h"

namespace accumulus::cli {

int reportOfRun(RunReader& reader, const RunRecord& run, const ReportOptions& options, Console& console) {
    return writeDocument(runReport(reader, run.id), options.out, console);
}

} // namespace accumulus::cli
