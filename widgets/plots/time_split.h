// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time of a window goes: a stacked bar for each arm (data, forward, backward, adding up, update; on several
// ranks waiting and reducing as well) over a table of the same numbers, with the peak memory and, where it is not 1,
// the loss scale. In between what several ranks cost. Shows what it is told; GUI thread.
#pragma once

#include "core/analysis/rank_cost.h"
#include "core/config/experiment_config.h"
#include "widgets/models/recent_windows.h"
#include "widgets/plots/time_parts.h"
#include "widgets/style/controls.h"

#include <array>
#include <vector>

class QGridLayout;

namespace accumulus::ui {

class RankLine;

/// The newest windows of one run.
struct ArmCost {
    Arm arm = Arm::Accumulated;
    std::int64_t lanes = 1;
    WindowCost cost;                 ///< of the first rank
    bool trainingPeakKnown = true;   ///< apart from evaluations
    std::int64_t evaluationPeak = 0; ///< bytes; 0: none so far
    RankTotals ranks;
    std::optional<RankCost> rankCost; ///< where there are several
    bool operator==(const ArmCost&) const = default;
};

class TimeSplit : public QWidget {
    Q_OBJECT
public:
    explicit TimeSplit(const Theme& theme, QWidget* parent = nullptr);
    /// At most two, the arms of a pair; runs without measured parts are left out.
    void setArms(std::vector<ArmCost> arms);

private:
    static constexpr std::size_t kRows =
        kTimeParts + 4; ///< parts, whole window, memory, loss scale, memory of evaluations
    class Bar;
    class Swatch;

    void buildTable();
    void restyle();
    void retranslate();
    void refresh();
    void showRow(std::size_t row, bool shown);
    [[nodiscard]] QString noteText() const;
    [[nodiscard]] QString savingText() const; ///< what accumulation saves, where both arms are known

    const Theme& m_theme;
    std::vector<ArmCost> m_arms;
    QLabel* m_title;
    RoleLabel* m_note;
    RoleLabel* m_saving;
    QWidget* m_body;
    std::array<QLabel*, 2> m_barNames;
    std::array<Bar*, 2> m_bars;
    std::array<QLabel*, 2> m_heads;
    std::array<Swatch*, kTimeParts> m_swatches;
    std::array<QLabel*, kRows> m_names;
    std::array<std::array<QLabel*, 2>, kRows> m_values;
    std::array<RankLine*, 2> m_ranks;
};

} // namespace accumulus::ui
