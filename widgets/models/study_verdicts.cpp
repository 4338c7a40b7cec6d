// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/study_verdicts.h"

#include "widgets/models/pair_brief.h"

#include <map>
#include <utility>

namespace accumulus::ui {

void StudyVerdicts::judge(const std::vector<RunRecord>& runs, const std::vector<StudyRecord>& studies) {
    std::unordered_map<std::string, std::vector<const RunRecord*>> members;
    for (const RunRecord& run : runs)
        members[run.study].push_back(&run);
    std::unordered_map<std::string, Judged> judged;
    for (const StudyRecord& study : studies) {
        const auto theirs = members.find(study.id);
        if (theirs == members.end())
            continue;
        std::vector<Seen> seen;
        for (const RunRecord* run : theirs->second)
            seen.push_back({run->id, run->state, run->summary});
        if (const auto known = m_judged.find(study.id);
            known != m_judged.end() && known->second.study == study && known->second.runs == seen)
            judged.insert(m_judged.extract(known));
        else
            judged.emplace(study.id,
                           Judged{study, std::move(seen), briefOfStudy(theirs->second, {{study.id, study}}).verdict});
    }
    m_judged = std::move(judged);
}

std::optional<Verdict> StudyVerdicts::of(const std::string& study) const {
    const auto found = m_judged.find(study);
    return found == m_judged.end() ? std::nullopt : found->second.verdict;
}

} // namespace accumulus::ui
