// SPDX-License-Identifier: GPL-3.0-or-later
// What tells pairs of groups apart in a list where they are called alike: when, how many seeds, which verdict. Made of
// rows that were read already; any thread.
#pragma once

#include "core/run/library_views.h"

#include <QString>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace accumulus::ui {

struct PairBrief {
    double createdAt = 0.0;           ///< of the newest run, seconds since 1970
    int seeds = 0;                    ///< that both groups have; of one group alone all of them
    std::optional<Verdict> verdict{}; ///< none while a run is still to be trained, or where there is one group only
    bool operator==(const PairBrief&) const = default;
};
[[nodiscard]] PairBrief briefOf(const std::vector<const RunRecord*>& groupA,
                                const std::vector<const RunRecord*>& groupB,
                                const std::map<std::string, StudyRecord>& studies);
/// Of the two arms of a study, whose runs these are.
[[nodiscard]] PairBrief briefOfStudy(const std::vector<const RunRecord*>& runs,
                                     const std::map<std::string, StudyRecord>& studies);
/// "25 Nov 2026 22:40 · 5 seeds · Equivalent".
[[nodiscard]] QString briefText(const PairBrief& brief);

} // namespace accumulus::ui
