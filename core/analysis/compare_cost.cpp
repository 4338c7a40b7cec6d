// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare.h"

#include <algorithm>

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

double noiseEffective(const BatchPlan& batch, std::int64_t updates, const RunNoise& noise) {
    return static_cast<double>(batch.effectiveAt(std::max<std::int64_t>(1, updates))) * noise.unitsPerSample;
}

std::optional<GroupNoise> groupNoise(const std::vector<ComparedRun>& group) {
    std::vector<const RunNoise*> noises;
    GroupNoise noise;
    for (const ComparedRun& run : group) {
        if (run.noise.terms.empty())
            continue;
        if (noises.empty()) {
            noise.unit = run.noise.unit;
            noise.effective = noiseEffective(run.batch, run.updates, run.noise);
        }
        if (run.noise.unit == noise.unit)
            noises.push_back(&run.noise);
    }
    if (noises.empty())
        return std::nullopt;
    noise.runs = noises.size();
    noise.scale = pooledNoiseScale(noises);
    return noise;
}

GroupCost groupCost(const std::vector<ComparedRun>& group) {
    std::vector<std::optional<RankCost>> ranks;
    for (const ComparedRun& run : group)
        ranks.push_back(run.rankCost);
    return {meanOf(group, &ComparedRun::samplesPerSecond), meanOf(group, &ComparedRun::activeSeconds),
            meanOf(group, &ComparedRun::peakBytes), groupRankCost(ranks)};
}

} // namespace accumulus
