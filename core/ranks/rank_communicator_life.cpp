// SPDX-License-Identifier: GPL-3.0-or-later
// Whether this rank's work goes on, and whether the other ranks' processes do.
#include "core/ranks/rank_communicator.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <thread>

namespace accumulus {
namespace {

using namespace std::chrono_literals;

/// Work that has gone silent for this part of the patience, or ten times as long as ever before, hangs.
constexpr double silentPart = 0.4;
constexpr double silentTimes = 10.0;
/// Before it is known how long pieces of work take: this many times the patience.
constexpr double firstTimes = 15.0;

} // namespace

void RankCommunicator::livePeriodically(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(100ms);
        const std::unique_lock lock(m_calls, std::try_to_lock);
        if (!lock || m_lost || !worksOn()) // a call gives signs itself
            continue;
        try {
            listen();
            giveSign();
        } catch (const RankLost& lost) {
            m_lost = lost; // the next operation says so
        }
    }
}

bool RankCommunicator::worksOn() const {
    if (!m_watched)
        return true;
    const double silent = 1e-9 * static_cast<double>(Clock::now().time_since_epoch().count() - m_lastWork);
    const double longest = 1e-9 * static_cast<double>(m_longestWork);
    return silent <
           (longest > 0.0 ? std::max(silentPart * m_lostAfter, silentTimes * longest) : firstTimes * m_lostAfter);
}

void RankCommunicator::watch(bool on) {
    if (on)
        m_lastWork = Clock::now().time_since_epoch().count();
    m_watched = on;
}

void RankCommunicator::beginWork() { m_longestWork = 0; }

void RankCommunicator::alive() {
    const std::int64_t now = Clock::now().time_since_epoch().count();
    const std::int64_t took = now - m_lastWork.exchange(now);
    if (!m_watched)
        return;
    for (std::int64_t longest = m_longestWork; took > longest && !m_longestWork.compare_exchange_weak(longest, took);) {
    }
}

/// Has its process ended, on this machine?
bool RankCommunicator::isGone(int peer) const {
    const auto at = static_cast<std::size_t>(peer);
    const auto self = static_cast<std::size_t>(m_rank);
    return at < m_peers.size() && self < m_peers.size() && m_peers[at].host == m_peers[self].host &&
           m_processSpaces[at] == m_processSpaces[self] && kill(static_cast<pid_t>(m_peers[at].pid), 0) != 0 &&
           errno == ESRCH;
}

} // namespace accumulus
