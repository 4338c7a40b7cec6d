// SPDX-License-Identifier: GPL-3.0-or-later
// accumulus-engine: the program with LibTorch, which understands the same command line as accumulus-cli. Loading
// LibTorch takes a third to half a second, so accumulus-cli does without it what it can and becomes that program for
// the rest.
#pragma once

#include "app/cli/console.h"

namespace accumulus::cli {

/// What work returns that this program cannot do.
inline constexpr int needsEngine = -1;

/// Replaces this program by accumulus-engine beside it, with the same arguments (argv ends with a null pointer).
/// Returns only where that fails: the exit code of "cli.no-engine".
int becomeEngine(char** argv, Console& console);

} // namespace accumulus::cli
