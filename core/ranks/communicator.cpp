// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/communicator.h"

#include <algorithm>

namespace accumulus {

void Communicator::exchange(std::span<const Bytes> parts, std::span<const std::size_t> expected, const Take& take) {
    std::vector<std::size_t> sizes;
    for (const Bytes& part : parts)
        sizes.push_back(part.size());
    exchange(
        sizes,
        [&](int to, std::size_t offset, std::span<std::byte> place) {
            std::ranges::copy(parts[static_cast<std::size_t>(to)].subspan(offset, place.size()), place.begin());
        },
        expected, take);
}

int Communicator::localRank() const {
    const auto self = peers().begin() + rank();
    return static_cast<int>(
        std::count_if(peers().begin(), self, [&](const Peer& peer) { return peer.host == self->host; }));
}

} // namespace accumulus
