// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace {

using Run = int (*)(int, char**);

std::map<std::string, Run>& tests() {
    static std::map<std::string, Run> entered;
    return entered;
}

std::string stem(std::string_view file) { return std::filesystem::path(file).stem().string(); }

} // namespace

accumulus::test::Registration::Registration(std::string_view file, Run run) { tests()[stem(file)] = run; }

/// The name of the test is the name that the program was started by (each test has a link to it) or its first argument.
int main(int argc, char** argv) {
    if (const auto found = tests().find(stem(argv[0])); found != tests().end())
        return found->second(argc, argv);
    if (argc > 1)
        if (const auto found = tests().find(argv[1]); found != tests().end()) {
            argv[1] = argv[0];
            return found->second(argc - 1, argv + 1);
        }
    std::fprintf(stderr, "Usage: %s TEST [FUNCTION...], where TEST is one of\n", argv[0]);
    for (const auto& [name, run] : tests())
        std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
}
