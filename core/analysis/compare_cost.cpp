// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare.h"
#include "core/config/byte_size.h"

#include <algorithm>
#include <cmath>

namespace accumulus {
namespace {

template <class Member>
Spread spreadOf(const std::vector<ComparedRun>& group, Member member) {
    Spread spread;
    for (const ComparedRun& run : group) {
        const auto value = static_cast<double>(run.*member);
        if (!(value > 0.0))
            continue;
        spread.lowest = spread.runs == 0 ? value : std::min(spread.lowest, value);
        spread.highest = std::max(spread.highest, value);
        spread.mean += value; // the sum, so far
        ++spread.runs;
    }
    if (spread.isKnown())
        spread.mean /= static_cast<double>(spread.runs);
    return spread;
}

/// Of an earlier version's runs only the larger of both peaks is known.
bool knowsTrainingPeak(const ComparedRun& run) {
    return run.peakBytes > 0 && (run.ends.evaluationPeakBytes > 0 || run.tests.empty());
}

bool isArm(const std::vector<ComparedRun>& group, Arm arm) {
    return !group.empty() && std::ranges::all_of(group, [arm](const ComparedRun& run) { return run.arm == arm; }) &&
           std::ranges::any_of(group, knowsTrainingPeak) && std::ranges::all_of(group, [](const ComparedRun& run) {
               return run.peakBytes == 0 || knowsTrainingPeak(run);
           });
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
    std::optional<double> others;
    for (const ComparedRun& run : group) {
        ranks.push_back(run.rankCost);
        others = std::max(others, run.ends.othersShare); // nothing is less than any share
    }
    return {spreadOf(group, &ComparedRun::samplesPerSecond), spreadOf(group, &ComparedRun::activeSeconds),
            spreadOf(group, &ComparedRun::peakBytes), groupRankCost(ranks), others};
}

Message spreadMessage(const Spread& spread, const std::function<std::string(double)>& text) {
    const std::string mean = spread.isKnown() ? text(spread.mean) : "–";
    if (spread.runs < 2)
        return {"cost.single", {{"mean", mean}}};
    return {"cost.spread", {{"mean", mean}, {"lowest", text(spread.lowest)}, {"highest", text(spread.highest)}}};
}

std::optional<Message> busyMachine(const std::vector<GroupCost>& groups) {
    std::optional<double> busiest;
    for (const GroupCost& group : groups)
        busiest = std::max(busiest, group.othersShare);
    if (!busiest || *busiest <= comparableLoad)
        return std::nullopt;
    return Message{"cost.busy-machine", {{"percent", std::to_string(std::llround(100.0 * *busiest))}}};
}

std::optional<Message> memorySaving(const ComparisonInput& input) {
    const bool inA = isArm(input.groupA, Arm::Accumulated) && isArm(input.groupB, Arm::LargeBatch);
    const bool inB = isArm(input.groupB, Arm::Accumulated) && isArm(input.groupA, Arm::LargeBatch);
    if (!inA && !inB)
        return std::nullopt;
    return memorySaving(spreadOf(inA ? input.groupA : input.groupB, &ComparedRun::peakBytes).mean,
                        spreadOf(inA ? input.groupB : input.groupA, &ComparedRun::peakBytes).mean);
}

std::optional<Message> evaluationMemory(const ComparisonInput& input) {
    const std::vector<ComparedRun>& accumulated = isArm(input.groupA, Arm::Accumulated) ? input.groupA : input.groupB;
    std::int64_t evaluation = 0;
    std::int64_t training = 0;
    for (const ComparedRun& run : accumulated) {
        evaluation = std::max(evaluation, run.ends.evaluationPeakBytes);
        training = std::max(training, run.peakBytes);
    }
    if (evaluation <= training)
        return std::nullopt;
    return Message{"cost.evaluation-memory", {{"evaluation", bytesText(evaluation)}}};
}

Message memorySaving(double accumulated, double largeBatch) {
    const long long saved = std::llround(100.0 * (1.0 - accumulated / largeBatch));
    const char* code = saved > 0 ? "cost.saves-memory" : saved < 0 ? "cost.takes-memory" : "cost.same-memory";
    return {code,
            {{"percent", std::to_string(std::abs(saved))},
             {"accumulated", bytesText(std::llround(accumulated))},
             {"large", bytesText(std::llround(largeBatch))}}};
}

} // namespace accumulus
