// SPDX-License-Identifier: GPL-3.0-or-later
// What the plot of settings and metric shows, as values and in words: the same for the screen, for files and for screen
// readers. GUI thread.
#pragma once

#include "core/analysis/setting_axes.h"

#include <QStringList>
#include <optional>
#include <vector>

namespace accumulus::ui {

enum class SettingsView { Scatter, Parallel };

struct SettingsFigure {
    SettingAxes axes;
    SettingsView view = SettingsView::Scatter;
    std::size_t x = 0;                      ///< of axes.axes: across the scatter plot
    QStringList groups;                     ///< titles, A first; empty for a group without runs
    ComparisonInput looks;                  ///< withoutMeasurements(): what colour and shape of the groups follow from
    std::optional<std::size_t> highlighted; ///< a run

    [[nodiscard]] bool empty() const;
    [[nodiscard]] const SettingAxis& xAxis() const { return axes.axes[x]; } ///< unless empty
    /// From left to right; of the scatter plot its x axis and the metric. None when empty.
    [[nodiscard]] std::vector<const SettingAxis*> columns() const;
};

[[nodiscard]] QString figureTitle(const SettingsFigure& figure);
[[nodiscard]] QString groupName(const SettingsFigure& figure, std::size_t group); ///< "A: accumulated 32 × 8"
/// Those with runs: what a legend names.
[[nodiscard]] std::vector<std::size_t> groupsWithRuns(const SettingsFigure& figure);
[[nodiscard]] QString emptyReason(const SettingsFigure& figure); ///< why there is nothing to see
/// Title, axes, of each group how many runs and their mean, and how many runs have a colour of their own.
[[nodiscard]] QString figureSummary(const SettingsFigure& figure);
/// Beside the mark of a run: name, group and seed, and what is not read from the axes.
[[nodiscard]] QStringList readoutLines(const SettingsFigure& figure, std::size_t run);
[[nodiscard]] QString runSummary(const SettingsFigure& figure, std::size_t run); ///< the same with every axis
/// Runs in the order in which keys reach them: from left to right, or by the metric. Those that are drawn.
[[nodiscard]] std::vector<std::size_t> runOrder(const SettingsFigure& figure);

} // namespace accumulus::ui
