// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/program.h"

#include "core/base/atomic_file.h"
#include "core/base/program_folder.h"

#include <algorithm>
#include <cstdlib>

namespace accumulus {
namespace {

/// "28189a5, dirty"; empty where the program was built from no checkout. packaging/cmake/Commit.cmake writes it.
std::string commitOfSources() {
    constexpr std::size_t longest = 64;
    const auto text = readFile(resourceFolder("commit"), longest);
    const auto isPrintable = [](char byte) { return byte >= ' ' && byte <= '~'; };
    return text && std::ranges::all_of(*text, isPrintable) ? *text : std::string();
}

} // namespace

std::string programName() {
    const std::string commit = commitOfSources();
    return "Accumulus " ACCUMULUS_VERSION + (commit.empty() ? std::string() : " (" + commit + ")");
}

std::filesystem::path resourceFolder(const std::string& name) {
    const char* chosen = std::getenv("ACCUMULUS_RESOURCES");
    std::error_code ignored;
    const std::filesystem::path own = (programFolder() / ACCUMULUS_RESOURCE_FOLDER / name).lexically_normal();
    if (chosen && std::filesystem::is_directory(std::filesystem::path(chosen) / name, ignored))
        return std::filesystem::path(chosen) / name;
    return own;
}

} // namespace accumulus
