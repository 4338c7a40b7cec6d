// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of one configuration, or of one study, as one row of the library's table: what they share, and mean and spread
// of what they measured. Works on rows only, never on the library. Pure; any thread.
#pragma once

#include "core/analysis/statistics.h"
#include "widgets/models/run_row.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace accumulus::ui {

enum class RunGrouping { None, Configuration, Study };

struct RunGroup {
    QString key;
    std::vector<std::size_t> runs; ///< indices of the rows, at least one
    /// Over completed runs with a finite value. Nothing (n = 0) where the runs have several configurations: a mean over
    /// both arms of a study would be nobody's.
    std::array<Moments, runColumnCount> measured{};
    std::array<double, runColumnCount> numbers{}; ///< for sorting: mean, shared value, newest date or NaN
    std::array<QString, runColumnCount> texts;    ///< for sorting: what all runs share, or empty
    std::array<bool, runColumnCount> same{};      ///< all runs have the same value
    /// How their windows are split, each once: m and K, the smaller m first.
    std::vector<std::pair<std::int64_t, std::int64_t>> splits;
    std::size_t completed = 0;
    bool oneConfiguration = true;
};

/// Which group a row belongs to. A run without a study is a group of its own.
[[nodiscard]] QString groupKey(const RunRow& row, RunGrouping by);
/// `runs`: at least one.
[[nodiscard]] RunGroup makeGroup(const std::vector<RunRow>& rows, QString key, std::vector<std::size_t> runs);
/// In the order in which their first runs come.
[[nodiscard]] std::vector<RunGroup> groupRuns(const std::vector<RunRow>& rows, const std::vector<std::size_t>& runs,
                                              RunGrouping by);
/// The study's name, with the arm where runs are grouped by configuration; of runs without a study, or of several, what
/// their names have in common: "digits, accumulated".
[[nodiscard]] QString groupName(const std::vector<RunRow>& rows, const RunGroup& group);

} // namespace accumulus::ui
