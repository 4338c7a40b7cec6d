// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/program_folder.h"

#include <sys/auxv.h>
#include <system_error>

namespace accumulus {

std::filesystem::path programFolder() {
    std::error_code problem;
    std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", problem);
    if (problem)
        program = std::filesystem::absolute(reinterpret_cast<const char*>(getauxval(AT_EXECFN)), problem);
    return program.parent_path();
}

} // namespace accumulus
