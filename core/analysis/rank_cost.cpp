// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/rank_cost.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace accumulus {
namespace {

double parameterBytes(const NumericsConfig& numerics) { return numerics.precision == Precision::Fp64 ? 8.0 : 4.0; }

double accumulatorBytes(const NumericsConfig& numerics) {
    if (numerics.accumulator == AccumulatorKind::Bf16)
        return 2.0;
    return numerics.accumulator == AccumulatorKind::Fp32 ? 4.0 : parameterBytes(numerics);
}

std::string percentText(double share) { return fmt::format("{:.1f} %", 100.0 * share); }

/// A number needs no catalogue: a code that is in none reads as itself.
Message plain(std::string text) { return {std::move(text), {}}; }

/// "1", and "1 (in 2 of 5 runs)" where it does not hold for all.
Message inRuns(std::string value, std::int64_t runs, std::int64_t all) {
    if (runs == all)
        return plain(std::move(value));
    return {"ranks.in-runs",
            {{"value", std::move(value)}, {"runs", std::to_string(runs)}, {"all", std::to_string(all)}}};
}

Message numberOfRanks(const std::optional<GroupRankCost>& group) {
    if (!group)
        return plain("1");
    std::string ranks = std::to_string(group->fewest);
    if (group->most != group->fewest)
        ranks += "–" + std::to_string(group->most);
    return inRuns(std::move(ranks), group->runs, group->all);
}

} // namespace

RankTraffic expectedTraffic(const RunConfig& config, std::size_t ranks, std::int64_t elements, double microSteps) {
    const auto size = static_cast<double>(ranks);
    const double sent = (size - 1.0) / size * static_cast<double>(elements); // f P
    const double bytes = parameterBytes(config.numerics);
    if (config.parallel.mode == ParallelMode::Zero2 || config.parallel.order == ReductionOrder::MicroSteps)
        return {fmt::format("(K + 1) f P S, K = {:.4g}", microSteps), (microSteps + 1.0) * sent * bytes};
    const double sums = accumulatorBytes(config.numerics);
    return {sums == bytes ? "2 f P S" : "f P (A + S)", sent * (sums + bytes)};
}

std::optional<RankCost> rankCost(const RankTotals& totals, const RunConfig& config,
                                 std::optional<std::int64_t> elements) {
    if (totals.ranks.size() < 2 || totals.updates == 0)
        return std::nullopt;
    RankTimes sum;
    for (const RankTimes& rank : totals.ranks) {
        sum.microSteps += rank.microSteps;
        sum.sentBytes += rank.sentBytes;
        sum.waitingSeconds += rank.waitingSeconds;
        sum.reducingSeconds += rank.reducingSeconds;
    }
    const auto ranks = static_cast<double>(totals.ranks.size());
    const double updates = ranks * static_cast<double>(totals.updates); // of all ranks
    RankCost cost;
    cost.ranks = static_cast<std::int64_t>(totals.ranks.size());
    cost.microSteps = static_cast<double>(sum.microSteps) / updates;
    cost.bytes = static_cast<double>(sum.sentBytes) / updates;
    if (elements)
        cost.expected = expectedTraffic(config, totals.ranks.size(), *elements, cost.microSteps);
    if (totals.seconds > 0.0) {
        cost.waiting = sum.waitingSeconds / (ranks * totals.seconds);
        cost.reducing = sum.reducingSeconds / (ranks * totals.seconds);
    }
    cost.slowest = std::ranges::min_element(totals.ranks, {}, &RankTimes::waitingSeconds)->rank;
    return cost;
}

Message rankCostMessage(const RankCost& cost) {
    Message message{"ranks.cost",
                    {{"ranks", std::to_string(cost.ranks)},
                     {"sent", trafficText(cost.bytes)},
                     {"waiting", percentText(cost.waiting)},
                     {"reducing", percentText(cost.reducing)},
                     {"slowest", std::to_string(cost.slowest)}}};
    if (cost.expected) {
        message.code = "ranks.cost-formula";
        message.arguments.emplace_back("formula", cost.expected->formula);
        message.arguments.emplace_back("expected", trafficText(cost.expected->bytes));
    }
    return message;
}

std::string rankCostText(const RankCost& cost) { return messageText(rankCostMessage(cost)); }

std::optional<GroupRankCost> groupRankCost(const std::vector<std::optional<RankCost>>& runs) {
    GroupRankCost group;
    std::map<std::int64_t, std::int64_t> slowest; // rank and number of runs
    for (const auto& cost : runs) {
        if (!cost)
            continue;
        group.fewest = group.runs == 0 ? cost->ranks : std::min(group.fewest, cost->ranks);
        group.most = std::max(group.most, cost->ranks);
        group.bytes += cost->bytes;
        group.waiting += cost->waiting;
        group.reducing += cost->reducing;
        ++group.runs;
        ++slowest[cost->slowest];
    }
    if (group.runs == 0)
        return std::nullopt;
    group.all = static_cast<std::int64_t>(runs.size());
    for (double* mean : {&group.bytes, &group.waiting, &group.reducing})
        *mean /= static_cast<double>(group.runs);
    for (const auto& [rank, count] : slowest) {
        if (count > group.slowestIn) {
            group.slowest = rank;
            group.slowestIn = count;
        }
    }
    return group;
}

std::vector<RankCostRow> rankCostRows(const std::optional<GroupRankCost>& a, const std::optional<GroupRankCost>& b) {
    if (!a && !b)
        return {};
    std::vector<RankCostRow> rows{{"ranks.number", numberOfRanks(a), numberOfRanks(b)}};
    const auto add = [&](const char* title, Message (*words)(const GroupRankCost&)) {
        rows.push_back({title, a ? words(*a) : plain("–"), b ? words(*b) : plain("–")});
    };
    add("ranks.sent", [](const GroupRankCost& group) { return plain(trafficText(group.bytes)); });
    add("ranks.waiting", [](const GroupRankCost& group) { return plain(percentText(group.waiting)); });
    add("ranks.reducing", [](const GroupRankCost& group) { return plain(percentText(group.reducing)); });
    add("ranks.slowest", [](const GroupRankCost& group) {
        return inRuns(fmt::format("{}", group.slowest), group.slowestIn, group.runs);
    });
    return rows;
}

std::string trafficText(double bytes) {
    constexpr std::array units{"B", "kB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit) // what would round to 1000
        bytes /= 1000.0;
    return fmt::format("{:.3g} {}", bytes, units[unit]);
}

} // namespace accumulus
