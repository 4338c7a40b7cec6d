// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/rank_cost.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace accumulus {
namespace {

double parameterBytes(const NumericsConfig& numerics) { return numerics.precision == Precision::Fp64 ? 8.0 : 4.0; }

double accumulatorBytes(const NumericsConfig& numerics) {
    if (numerics.accumulator == AccumulatorKind::Bf16)
        return 2.0;
    return numerics.accumulator == AccumulatorKind::Fp32 ? 4.0 : parameterBytes(numerics);
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

std::string rankCostText(const RankTotals& totals, const RankCost& cost) {
    std::string formula;
    if (cost.expected)
        formula = fmt::format(" ({}: {})", cost.expected->formula, trafficText(cost.expected->bytes));
    return fmt::format("{} ranks: sent {} per update and rank{}, waiting {:.1f} %, reducing {:.1f} %; slowest: rank {}",
                       totals.ranks.size(), trafficText(cost.bytes), formula, 100.0 * cost.waiting,
                       100.0 * cost.reducing, cost.slowest);
}

std::string trafficText(double bytes) {
    constexpr std::array units{"B", "kB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit) // what would round to 1000
        bytes /= 1000.0;
    return fmt::format("{:.3g} {}", bytes, units[unit]);
}

} // namespace accumulus
