// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_program.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace accumulus::cli {

int becomeEngine(char** argv, Console& console) {
    std::error_code ignored;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / "accumulus-engine";
    execv(program.c_str(), argv);
    return console.fail({"cli.no-engine", {{"file", program.string()}, {"reason", std::strerror(errno)}}});
}

} // namespace accumulus::cli
