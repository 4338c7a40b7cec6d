// SPDX-License-Identifier: GPL-3.0-or-later
// How the verb report ends.
#pragma once

#include "app/cli/console.h"
#include "core/base/result.h"
#include "core/report/report_document.h"

#include <string>

namespace accumulus::cli {

/// Writes the document to the file `out` and prints its name, or prints what went wrong. Returns the exit code.
int writeDocument(const Result<ReportDocument>& document, const std::string& out, Console& console);

} // namespace accumulus::cli
