// SPDX-License-Identifier: GPL-3.0-or-later
// What it costs to share a run out over ranks: the bytes that were sent beside the formula of the mode, the time that
// ranks waited and exchanged, and for whom they waited. P elements of S bytes in the parameter arena, R ranks,
// f = (R - 1) / R, K micro-steps per update and rank: each rank sends on average 2 f P S per update in ddp and zero1,
// (K + 1) f P S where gradients meet in every micro-step (zero2, and parallel.order = "micro-steps"). Sums of A bytes
// an element (numerics.accumulator) make f P (A + S) of the first. Pure functions; any thread.
#pragma once

#include "core/base/rank_totals.h"
#include "core/config/experiment_config.h"

#include <cstdint>
#include <optional>
#include <string>

namespace accumulus {

/// What one rank sends per update, on average.
struct RankTraffic {
    std::string formula; ///< "2 f P S"
    double bytes = 0.0;
};
/// `elements`: P, gaps included. `microSteps`: K, of one rank.
[[nodiscard]] RankTraffic expectedTraffic(const RunConfig& config, std::size_t ranks, std::int64_t elements,
                                          double microSteps);

struct RankCost {
    double microSteps = 0.0;             ///< K: per update and rank
    double bytes = 0.0;                  ///< sent per update and rank
    std::optional<RankTraffic> expected; ///< where P is known
    double waiting = 0.0;                ///< share of the windows' time, mean over ranks; 0..1
    double reducing = 0.0;               ///< likewise
    std::int64_t slowest = 0;            ///< the rank that waited least: the others wait for it
};
/// Nothing for a run on one rank, or without an update.
[[nodiscard]] std::optional<RankCost> rankCost(const RankTotals& totals, const RunConfig& config,
                                               std::optional<std::int64_t> elements);

/// "2 ranks: sent 1.98 MB per update and rank (2 f P S: 1.98 MB), waiting 3.1 %, reducing 5.0 %; slowest: rank 1".
[[nodiscard]] std::string rankCostText(const RankTotals& totals, const RankCost& cost);

/// "1.98 MB": three significant digits, powers of 1000.
[[nodiscard]] std::string trafficText(double bytes);

} // namespace accumulus
