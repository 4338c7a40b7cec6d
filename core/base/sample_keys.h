// SPDX-License-Identifier: GPL-3.0-or-later
// Names the random draws of a micro-batch: dropout, augmentation and masking depend on (seed, epoch, sample id,
// purpose) and never on the order of calls, so every split of a window, and every lane, sees the same bits.
#pragma once

#include "core/base/keyed_draws.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace accumulus {

/// The samples of one micro-batch. `ids` and `epochs` have one entry for each row; a window that a carried tail spreads
/// over two epochs holds both.
struct SampleKeys {
    std::int64_t seed = 0;
    std::span<const std::int64_t> ids;
    std::span<const std::int64_t> epochs;

    [[nodiscard]] std::size_t size() const { return ids.size(); }
    /// Key of all draws of `row` for one purpose (a layer's number, "crop", ...).
    [[nodiscard]] std::uint64_t key(std::size_t row, std::uint64_t purpose) const {
        return rowKey(epochKey(seed, epochs[row]), ids[row], purpose);
    }
};

} // namespace accumulus
