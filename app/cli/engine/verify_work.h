// SPDX-License-Identifier: GPL-3.0-or-later
// The verb verify: its options, and what it does.
#pragma once

#include "app/cli/console.h"

#include <string>

namespace accumulus::cli {

struct VerifyOptions {
    std::string target, library;
    bool json = false;
};

/// Returns the exit code.
int verifyTarget(const VerifyOptions& options, Console& console);

} // namespace accumulus::cli
