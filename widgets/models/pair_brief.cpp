// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/pair_brief.h"

#include "widgets/models/comparison_text.h"
#include "widgets/style/format.h"

#include <QCoreApplication>
#include <algorithm>
#include <iterator>
#include <set>

namespace accumulus::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::pair_brief)
};

using Rows = std::vector<const RunRecord*>;

std::set<std::int64_t> seedsOf(const Rows& group) {
    std::set<std::int64_t> seeds;
    for (const RunRecord* run : group)
        seeds.insert(run->seed);
    return seeds;
}

} // namespace

PairBrief briefOf(const Rows& groupA, const Rows& groupB, const std::map<std::string, StudyRecord>& studies) {
    PairBrief brief;
    bool trains = false;
    for (const Rows* group : {&groupA, &groupB})
        for (const RunRecord* run : *group) {
            brief.createdAt = std::max(brief.createdAt, run->createdAt);
            trains = trains || run->state == RunState::Queued || isActive(run->state);
        }
    std::set<std::int64_t> seeds = seedsOf(groupA.empty() ? groupB : groupA);
    if (!groupA.empty() && !groupB.empty()) {
        const std::set<std::int64_t> others = seedsOf(groupB);
        std::erase_if(seeds, [&others](std::int64_t seed) { return !others.contains(seed); });
        if (!trains)
            if (const auto verdict = judgeRows(groupA, groupB, studies))
                brief.verdict = *verdict;
    }
    brief.seeds = static_cast<int>(seeds.size());
    return brief;
}

PairBrief briefOfStudy(const Rows& runs, const std::map<std::string, StudyRecord>& studies) {
    Rows accumulated;
    Rows large;
    for (const RunRecord* run : runs)
        (run->arm == Arm::Accumulated ? accumulated : large).push_back(run);
    return briefOf(accumulated, large, studies);
}

QString briefText(const PairBrief& brief) {
    QStringList parts{format::dateTime(brief.createdAt), Words::tr("%n seed(s)", nullptr, brief.seeds)};
    if (brief.verdict)
        parts << comparison_text::verdictTitle(*brief.verdict);
    return parts.join(QStringLiteral(" · "));
}

} // namespace accumulus::ui
