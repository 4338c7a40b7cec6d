// SPDX-License-Identifier: GPL-3.0-or-later
// The option --library FILE, the same for every verb that needs a library.
#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <string>

namespace accumulus::cli {

/// --library FILE; empty stands for the default library until libraryPath() resolves it.
void addLibraryOption(CLI::App& verb, std::string& library);
[[nodiscard]] std::filesystem::path libraryPath(const std::string& option);

} // namespace accumulus::cli
