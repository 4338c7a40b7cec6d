// SPDX-License-Identifier: GPL-3.0-or-later
// What it costs to share a run out over ranks: the bytes that were sent beside the formula of the mode, the time that
// ranks waited and exchanged, and for whom they waited. P elements of S bytes in the parameter arena, R ranks,
// f = (R - 1) / R, K micro-steps per update and rank: each rank sends on average 2 f P S per update in ddp and zero1,
// (K + 1) f P S where gradients meet in every micro-step (zero2, and parallel.order = "micro-steps"). Sums of A bytes
// an element (numerics.accumulator) make f P (A + S) of the first. Also the mean of it over runs. Pure functions; any
// thread.
#pragma once

#include "core/base/message.h"
#include "core/base/rank_totals.h"
#include "core/config/experiment_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accumulus {

/// What one rank sends per update, on average.
struct RankTraffic {
    std::string formula; ///< "2 f P S"
    double bytes = 0.0;

    bool operator==(const RankTraffic&) const = default;
};
/// `elements`: P, gaps included. `microSteps`: K, of one rank.
[[nodiscard]] RankTraffic expectedTraffic(const RunConfig& config, std::size_t ranks, std::int64_t elements,
                                          double microSteps);

struct RankCost {
    std::int64_t ranks = 0;
    double microSteps = 0.0;             ///< K: per update and rank
    double bytes = 0.0;                  ///< sent per update and rank
    std::optional<RankTraffic> expected; ///< where P is known
    double waiting = 0.0;                ///< share of the windows' time, mean over ranks; 0..1
    double reducing = 0.0;               ///< likewise
    std::int64_t slowest = 0;            ///< the rank that waited least: the others wait for it

    bool operator==(const RankCost&) const = default;
};
/// Nothing for a run on one rank, or without an update.
[[nodiscard]] std::optional<RankCost> rankCost(const RankTotals& totals, const RunConfig& config,
                                               std::optional<std::int64_t> elements);

/// "2 ranks: sent 1.98 MB per update and rank (2 f P S: 1.98 MB), waiting 3.1 %, reducing 5.0 %; slowest: rank 1".
[[nodiscard]] Message rankCostMessage(const RankCost& cost);
[[nodiscard]] std::string rankCostText(const RankCost& cost); ///< in English

/// Means over those runs of a group that several ranks computed.
struct GroupRankCost {
    std::int64_t runs = 0;                ///< how many these are,
    std::int64_t all = 0;                 ///< of how many in the group
    std::int64_t fewest = 0, most = 0;    ///< ranks of one run
    double bytes = 0.0;                   ///< sent per update and rank
    double waiting = 0.0, reducing = 0.0; ///< shares of the windows' time; 0..1
    std::int64_t slowest = 0;             ///< the slowest rank of most of these runs; of equals the lowest
    std::int64_t slowestIn = 0;           ///< in so many of them

    bool operator==(const GroupRankCost&) const = default;
};
/// One entry for each run of the group, empty for a run on one rank. Nothing where all ran on one.
[[nodiscard]] std::optional<GroupRankCost> groupRankCost(const std::vector<std::optional<RankCost>>& runs);

/// One line of a comparison of two groups.
struct RankCostRow {
    std::string title; ///< code of the catalogue
    Message a, b;
};
/// Ranks, sent bytes, waiting, reducing, slowest rank: words for both groups. Empty where neither had several ranks.
[[nodiscard]] std::vector<RankCostRow> rankCostRows(const std::optional<GroupRankCost>& a,
                                                    const std::optional<GroupRankCost>& b);

/// "1.98 MB": three significant digits, powers of 1000.
[[nodiscard]] std::string trafficText(double bytes);

} // namespace accumulus
