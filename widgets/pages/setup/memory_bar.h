// SPDX-License-Identifier: GPL-3.0-or-later
// What a run needs of the memory that there is: a bar, divided as a plan or the formula divides it, with words for its
// source, its level and the last run's peak. It shows what it is given. GUI thread.
#pragma once

#include "core/config/memory_check.h"
#include "core/run/micro_planner.h"
#include "widgets/style/controls.h"

#include <QWidget>
#include <optional>

namespace accumulus::ui {

class MemoryBar : public QWidget {
    Q_OBJECT
public:
    explicit MemoryBar(const Theme& theme, QWidget* parent = nullptr);

    /// `parts`: measured where the workspace is known, else of the formula; `lastPeak`: of the newest run of this
    /// configuration.
    void showMemory(const MemoryFacts& facts, const std::optional<MemoryEstimate>& parts,
                    std::optional<std::int64_t> lastPeak);
    /// Where there is little height the parts are told by the bar's tool tip only.
    void setCompact(bool compact);
    [[nodiscard]] MemoryLevel level() const { return m_level; }

private:
    class Strip;

    const Theme& m_theme;
    Strip* m_strip;
    RoleLabel* m_amount;
    RoleLabel* m_parts;
    RoleLabel* m_peak;
    bool m_compact = false;
    MemoryLevel m_level = MemoryLevel::Unknown;
};

} // namespace accumulus::ui
