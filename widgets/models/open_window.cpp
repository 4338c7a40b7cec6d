// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/open_window.h"

#include <algorithm>

namespace accumulus::ui {
namespace {

constexpr std::int64_t mostParts = 1000;

MicroStepParts sumsOf(const WindowProgress& progress) {
    return {progress.dataSeconds, progress.forwardSeconds, progress.backwardSeconds, progress.commitSeconds};
}

} // namespace

void OpenWindow::take(const WindowProgress& look) {
    const bool goesOn = look.window == m_progress.window && look.committed >= m_progress.committed;
    if (!goesOn) { // another window, or the same one begun anew
        m_progress = {};
        m_parts.clear();
    }
    if (look.microSteps > mostParts) {
        m_progress = look;
        return;
    }
    const auto known = static_cast<std::int64_t>(m_parts.size());
    if (const std::int64_t fresh = look.committed - known; fresh > 0) {
        const MicroStepParts before = sumsOf(m_progress);
        MicroStepParts share = sumsOf(look);
        for (std::size_t part = 0; part < share.size(); ++part)
            share[part] = std::max(0.0, share[part] - before[part]) / static_cast<double>(fresh);
        m_parts.resize(static_cast<std::size_t>(look.committed), share);
    }
    m_progress = look;
}

} // namespace accumulus::ui
