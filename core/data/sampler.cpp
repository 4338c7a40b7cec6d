// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sampler.h"

#include "core/base/hash.h"

#include <numeric>
#include <random>
#include <utility>

namespace accumulus {

std::vector<std::int64_t> epochOrder(std::int64_t samples, bool shuffle, std::int64_t seed, std::int64_t epoch) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(samples));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    if (!shuffle)
        return order;
    std::mt19937_64 engine(mixKey(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(epoch), 0x5A3B1E));
    for (std::uint64_t i = order.size(); i > 1; --i) {
        // Rejection keeps every index equally likely.
        const std::uint64_t limit = ~std::uint64_t{0} - (~std::uint64_t{0} % i);
        std::uint64_t draw = engine();
        while (draw >= limit)
            draw = engine();
        std::swap(order[i - 1], order[draw % i]);
    }
    return order;
}

} // namespace accumulus
