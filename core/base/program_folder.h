// SPDX-License-Identifier: GPL-3.0-or-later
// Where the running program lies: other programs, modules and resources are found beside it, installed or in a build
// tree. Any thread.
#pragma once

#include <filesystem>

namespace accumulus {

/// Of the program itself, whatever link it was started by; where there is no /proc, as it was started.
[[nodiscard]] std::filesystem::path programFolder();

} // namespace accumulus
