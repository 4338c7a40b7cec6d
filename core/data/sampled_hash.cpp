// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sampled_hash.h"

#include <algorithm>

namespace accumulus {

void addSampled(Hasher& hasher, std::span<const std::byte> bytes, std::size_t whole) {
    if (bytes.size() <= whole) {
        hasher.add(bytes);
        return;
    }
    constexpr std::size_t blocks = 1024;
    const std::size_t size = std::max<std::size_t>(1, whole / (4 * blocks));
    const std::size_t last = bytes.size() - size;
    // last / (blocks - 1) apart, without a product that could overflow.
    const std::size_t step = last / (blocks - 1);
    const std::size_t rest = last % (blocks - 1);
    for (std::size_t block = 0; block < blocks; ++block)
        hasher.add(bytes.subspan(block * step + block * rest / (blocks - 1), size));
}

} // namespace accumulus
