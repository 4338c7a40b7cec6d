// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare.h"

namespace accumulus {
namespace {

template <class Member>
double meanOf(const std::vector<ComparedRun>& group, Member member) {
    double sum = 0.0;
    double count = 0.0;
    for (const ComparedRun& run : group) {
        const auto value = static_cast<double>(run.*member);
        if (value > 0.0) {
            sum += value;
            count += 1.0;
        }
    }
    return count > 0.0 ? sum / count : 0.0;
}

} // namespace

GroupCost groupCost(const std::vector<ComparedRun>& group) {
    std::vector<std::optional<RankCost>> ranks;
    for (const ComparedRun& run : group)
        ranks.push_back(run.rankCost);
    return {meanOf(group, &ComparedRun::samplesPerSecond), meanOf(group, &ComparedRun::activeSeconds),
            meanOf(group, &ComparedRun::peakBytes), groupRankCost(ranks)};
}

} // namespace accumulus
