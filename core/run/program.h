// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself: its name and what lies beside it. Without LibTorch, so that whoever only looks into a library
// starts at once. Any thread.
#pragma once

#include <filesystem>
#include <string>

namespace accumulus {

/// "Accumulus 0.1.0 (abc1234)"; without the commit where the program was built from no checkout.
[[nodiscard]] std::string programName();

/// Where the program's resources (data sets, experiments) lie: in ACCUMULUS_RESOURCES, or at their place relative to
/// the program, which is the same when installed and in a build tree.
[[nodiscard]] std::filesystem::path resourceFolder(const std::string& name);

} // namespace accumulus
