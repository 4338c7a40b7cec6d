// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of the window that is being computed, gathered from looks at it: how far it is, and where the time of
// each micro-step went. Plain arithmetic; GUI thread.
#pragma once

#include "core/base/training_records.h"

#include <array>
#include <vector>

namespace accumulus::ui {

/// Seconds of one micro-step: data, forward, backward, adding up. All 0 where nothing is known.
using MicroStepParts = std::array<double, 4>;

class OpenWindow {
public:
    void take(const WindowProgress& look);

    [[nodiscard]] const WindowProgress& progress() const { return m_progress; }
    [[nodiscard]] bool isTold() const { return m_progress.window > 0; }
    /// Of each committed micro-step; empty where there are too many to be seen one by one. Those between two looks have
    /// equal shares of what passed between them.
    [[nodiscard]] const std::vector<MicroStepParts>& parts() const { return m_parts; }

private:
    WindowProgress m_progress;
    std::vector<MicroStepParts> m_parts;
};

} // namespace accumulus::ui
