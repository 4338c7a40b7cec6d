// SPDX-License-Identifier: GPL-3.0-or-later
// What carries bytes between ranks, for RankCommunicator alone: nonblocking messages from one rank to another, each
// with a tag. Messages of one pair and tag arrive in the order in which they were sent. One thread at a time. A call
// throws RankLost where the carrier says that the other rank cannot be reached, and std::logic_error for a message that
// is longer than its place.
#pragma once

#include "core/ranks/communicator.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace accumulus {

class Transport {
public:
    using Request = std::size_t;
    /// Bytes of one message at most.
    static constexpr std::size_t largestMessage = std::size_t{1} << 30;

    struct Arrival {
        int from = 0;
        std::size_t bytes = 0;
    };

    virtual ~Transport() = default;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;

    /// The bytes must stay as they are until test() says that the request is done.
    [[nodiscard]] virtual Request startSend(int to, int tag, std::span<const std::byte> bytes) = 0;
    /// The message may be shorter than its place.
    [[nodiscard]] virtual Request startReceive(int from, int tag, std::span<std::byte> place) = 0;
    /// The bytes of the message once it is done; the request is then forgotten.
    [[nodiscard]] virtual std::optional<std::size_t> test(Request request) = 0;

    /// A message with this tag that waits to be received, from any rank.
    [[nodiscard]] virtual std::optional<Arrival> probe(int tag) = 0;
    /// Receives what probe() has found; for short messages only.
    virtual void receive(int from, int tag, std::span<std::byte> place) = 0;

    /// Ends in order; returns only after all ranks have called it. Without it the object just goes.
    virtual void finish() noexcept = 0;
    /// Ends all ranks at once.
    [[noreturn]] virtual void abort(int code) noexcept = 0;
};

} // namespace accumulus
