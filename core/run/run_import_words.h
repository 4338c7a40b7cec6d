// SPDX-License-Identifier: GPL-3.0-or-later
// What came of an import, in words for the command line and the workbench. Any thread.
#pragma once

#include "core/base/message.h"
#include "core/run/run_import.h"

#include <vector>

namespace accumulus {

/// How many runs were imported, and how many were not and why; only what there is.
[[nodiscard]] std::vector<Message> importMessages(const ImportOutcome& outcome);

} // namespace accumulus
