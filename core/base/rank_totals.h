// SPDX-License-Identifier: GPL-3.0-or-later
// What the ranks of a run have spent and sent, summed over windows. Values; any thread.
#pragma once

#include "core/base/training_records.h"

namespace accumulus {

/// Over windows that were computed by as many ranks.
struct RankTotals {
    std::int64_t windows = 0;
    std::int64_t updates = 0;     ///< that these windows made
    double seconds = 0.0;         ///< active training time of these windows
    std::vector<RankTimes> ranks; ///< sums, by rank; empty: there was one rank only

    /// A run may go on with another number of ranks: then what was summed before is forgotten. What one rank computed
    /// alone changes nothing.
    void add(const RankTotals& more);
    void add(const WindowRecord& window);

    bool operator==(const RankTotals&) const = default;
};

} // namespace accumulus
