// SPDX-License-Identifier: GPL-3.0-or-later
// The one run or group that the others are measured against, and how far they are from it. Pure; any thread.
#pragma once

#include "widgets/models/run_row.h"

#include <QString>
#include <array>
#include <optional>

namespace accumulus::ui {

/// Of RunStore::putNote.
inline constexpr auto baselineNote = "baseline";

struct Baseline {
    enum class Kind { None, Run, Configuration, Study } kind = Kind::None;
    QString key; ///< the run's id, or the group's key
    bool operator==(const Baseline&) const = default;

    [[nodiscard]] QString text() const; ///< "run:ID"; empty: none
    [[nodiscard]] static Baseline fromText(const QString& text);
};

struct Difference {
    double value = 0.0; ///< of the other minus the baseline, in the column's unit
    int judgement = 0;  ///< 1: better, -1: worse, 0: the same
};

using RunNumbers = std::array<double, runColumnCount>;

/// Nothing where one of the two was not measured, or where two tasks would be compared: another data set, or another
/// metric. `run` and `baseline`: one run of each, for what they were trained on.
[[nodiscard]] std::optional<Difference> differenceTo(const RunRow& baseline, const RunNumbers& baselineNumbers,
                                                     const RunRow& run, const RunNumbers& numbers, RunColumn column);
/// "▲ +0.312", "▼ −2 s": the sign and the arrow say which way the number went.
[[nodiscard]] QString differenceText(const RunRow& run, RunColumn column, const Difference& difference);
[[nodiscard]] QString judgementText(const Difference& difference); ///< "better", "worse", "the same"

} // namespace accumulus::ui
