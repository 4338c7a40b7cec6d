// SPDX-License-Identifier: GPL-3.0-or-later
// Files that cannot be read or written, also where the tests run as root.
#pragma once

#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

namespace accumulus::test {

/// Runs `work` as a user without rights on other people's files (root may write everywhere) and returns its exit
/// status; 99: not possible.
template <class Work>
int asNobody(Work&& work) {
    const pid_t child = fork();
    if (child < 0)
        return 99;
    if (child == 0) {
        constexpr uid_t nobody = 65534;
        if (geteuid() == 0 && (setgroups(0, nullptr) != 0 || setresgid(nobody, nobody, nobody) != 0 ||
                               setresuid(nobody, nobody, nobody) != 0))
            _exit(99);
        _exit(work());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

} // namespace accumulus::test
