// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/engine_program.h"

#include "core/base/program_folder.h"
#include "core/base/thread_waits.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace accumulus::cli {

int becomeEngine(char** argv, Console& console) {
    const std::filesystem::path program = programFolder() / "accumulus-engine";
    (void)limitThreadWaits();
    execv(program.c_str(), argv);
    return console.fail({"cli.no-engine", {{"file", program.string()}, {"reason", std::strerror(errno)}}});
}

} // namespace accumulus::cli
