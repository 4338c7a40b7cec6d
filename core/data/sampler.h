// SPDX-License-Identifier: GPL-3.0-or-later
// The order of samples: a permutation keyed by (seed, epoch). It never sees micro-batch, accumulation steps, lanes or
// devices, so every split of an effective batch trains on the same samples.
#pragma once

#include <cstdint>
#include <vector>

namespace accumulus {

/// Sample ids of one epoch: a Fisher-Yates permutation of [0, samples) by mt19937_64 keyed with (seed, epoch), or 0, 1,
/// 2, ... without shuffling. The same on every machine.
[[nodiscard]] std::vector<std::int64_t> epochOrder(std::int64_t samples, bool shuffle, std::int64_t seed,
                                                   std::int64_t epoch);

} // namespace accumulus
