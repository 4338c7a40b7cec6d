// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/quit_signals.h"

#include <QSocketNotifier>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace accumulus::ui {
namespace {

constexpr std::array handledSignals{SIGINT, SIGTERM, SIGHUP};

// A handler knows nothing but what is global.
std::array<int, 2> pipeEnds{-1, -1};
std::array<struct sigaction, handledSignals.size()> before;

void tellPipe(int /*signal*/) {
    const int kept = errno;
    const char byte = 1;
    // A pipe that is full has enough to say already.
    [[maybe_unused]] const auto written = write(pipeEnds[1], &byte, 1);
    errno = kept;
}

} // namespace

QuitSignals::QuitSignals(QObject* parent) : QObject(parent) {
    if (pipe2(pipeEnds.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    m_notifier = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &QuitSignals::readPipe);
    struct sigaction action {};
    action.sa_handler = tellPipe;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < handledSignals.size(); ++i) {
        sigaction(handledSignals[i], nullptr, &before[i]);
        if (handledSignals[i] != SIGHUP || before[i].sa_handler != SIG_IGN) // as nohup sees to
            sigaction(handledSignals[i], &action, nullptr);
    }
}

QuitSignals::~QuitSignals() {
    if (!m_notifier)
        return;
    for (std::size_t i = 0; i < handledSignals.size(); ++i)
        sigaction(handledSignals[i], &before[i], nullptr);
    delete m_notifier;
    for (int& end : pipeEnds) {
        close(end);
        end = -1;
    }
}

void QuitSignals::readPipe() {
    char byte = 0;
    while (read(pipeEnds[0], &byte, 1) == 1)
        Q_EMIT received(++m_count);
}

} // namespace accumulus::ui
