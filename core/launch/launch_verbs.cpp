// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launch/launch_verbs.h"

#include <algorithm>
#include <array>

namespace accumulus {
namespace {

constexpr std::array<std::string_view, 7> names{"pause", "resume", "stop", "stop-now", "end", "begin", "done"};

} // namespace

std::string_view launchVerbName(LaunchVerb verb) { return names[static_cast<std::size_t>(verb)]; }

std::optional<LaunchVerb> launchVerbOf(std::string_view word) {
    const auto found = std::ranges::find(names, word);
    if (found == names.end())
        return std::nullopt;
    return static_cast<LaunchVerb>(found - names.begin());
}

std::vector<LaunchVerb> LaunchWishes::next() {
    std::vector<LaunchVerb> verbs;
    const RunControl::Request request = m_control.request();
    if (request == RunControl::Request::None && m_control.paused() != m_paused) {
        m_paused = !m_paused;
        m_waits = true;
        verbs.push_back(m_paused ? LaunchVerb::Pause : LaunchVerb::Resume);
    }
    if (request == RunControl::Request::Stop && m_asked == RunControl::Request::None)
        verbs.push_back(LaunchVerb::Stop);
    const bool insisted = m_control.insisted();
    if (request == RunControl::Request::StopNow && (m_asked != request || insisted != m_insisted))
        verbs.push_back(LaunchVerb::StopNow);
    m_asked = request;
    m_insisted = insisted;
    return verbs;
}

bool LaunchWishes::heard(bool paused) {
    if (paused == m_paused) {
        m_waits = false;
        return false;
    }
    if (m_waits || m_control.request() != RunControl::Request::None)
        return false; // said before it heard
    m_paused = paused;
    paused ? m_control.pause() : m_control.resume();
    return true;
}

} // namespace accumulus
