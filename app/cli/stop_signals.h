// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>

namespace accumulus::cli {

/// Ctrl+C and its kin, to be blocked and waited for. Not a SIGHUP that is ignored, as nohup sees to: a signal that is
/// blocked comes also where it is ignored.
inline sigset_t stopSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    struct sigaction hangup {};
    if (sigaction(SIGHUP, nullptr, &hangup) != 0 || hangup.sa_handler != SIG_IGN)
        sigaddset(&signals, SIGHUP);
    return signals;
}

} // namespace accumulus::cli
