// SPDX-License-Identifier: GPL-3.0-or-later
// What each study has shown, as Home and the lists of pairs tell it: worked out once, and anew only where its runs have
// changed. Owned by one thread at a time.
#pragma once

#include "core/analysis/statistics.h"
#include "core/store/run_records.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace accumulus::ui {

class StudyVerdicts {
public:
    /// All runs that count, and all studies.
    void judge(const std::vector<RunRecord>& runs, const std::vector<StudyRecord>& studies);
    /// Nothing where a run is still to be trained, or where one arm has no completed run.
    [[nodiscard]] std::optional<Verdict> of(const std::string& study) const;

private:
    struct Seen { ///< what changes of a run
        std::string id;
        RunState state;
        RunSummary summary;
        bool operator==(const Seen&) const = default;
    };
    struct Judged {
        StudyRecord study;
        std::vector<Seen> runs;
        std::optional<Verdict> verdict;
    };
    std::unordered_map<std::string, Judged> m_judged; ///< by study
};

} // namespace accumulus::ui
