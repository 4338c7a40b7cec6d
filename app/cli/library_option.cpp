// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/library_option.h"

#include "core/store/library.h"

namespace accumulus::cli {

void addLibraryOption(CLI::App& verb, std::string& library) {
    verb.add_option("--library", library, "The library of runs (one SQLite file) instead of the default one")
        ->type_name("FILE");
}

std::filesystem::path libraryPath(const std::string& option) {
    return option.empty() ? defaultLibraryPath() : std::filesystem::path(option);
}

} // namespace accumulus::cli
