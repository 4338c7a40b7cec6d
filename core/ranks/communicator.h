// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks: processes that compute one run together. Whatever they exchange passes through here, counted. Sums over ranks
// are added by the owner of the elements, in the order of the ranks, so a run on R ranks repeats its bits. No torch, no
// MPI. One thread at a time, and on all ranks the same calls in the same order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accumulus {

/// What ends the common work, or takes it back, for the sake of other ranks. Nothing that this rank could mend:
/// whoever recovers from failures lets it pass.
class RanksInterfere : public std::exception {};

/// Another rank has left the common work; its reason is what it said.
class RankFailed : public RanksInterfere {
public:
    RankFailed(int rank, std::string reason) : m_rank(rank), m_reason(std::move(reason)) {}
    [[nodiscard]] const char* what() const noexcept override { return m_reason.c_str(); }
    [[nodiscard]] int rank() const { return m_rank; }

private:
    int m_rank;
    std::string m_reason;
};

/// A rank gives no sign of life any more.
class RankLost : public RanksInterfere {
public:
    explicit RankLost(int rank) : m_rank(rank) {}
    [[nodiscard]] const char* what() const noexcept override { return "a rank gives no sign of life"; }
    [[nodiscard]] int rank() const { return m_rank; }

private:
    int m_rank;
};

class Communicator {
public:
    using Bytes = std::span<const std::byte>;

    /// What this rank has sent so far, and the time it took.
    struct Traffic {
        std::int64_t exchanges = 0;    ///< calls of exchange(), collect() and countExchange()
        std::int64_t payloadBytes = 0; ///< sent by them
        std::int64_t messages = 0;     ///< calls of gather()
        std::int64_t messageBytes = 0; ///< sent by gather()
        double waitSeconds = 0.0;      ///< in gather(): for the slowest rank
        double exchangeSeconds = 0.0;  ///< in exchange(), collect() and await()
        [[nodiscard]] double seconds() const { return waitSeconds + exchangeSeconds; }
    };

    virtual ~Communicator() = default;

    [[nodiscard]] virtual int rank() const = 0; ///< 0 .. size() - 1
    [[nodiscard]] virtual int size() const = 0;
    /// Where a rank runs.
    struct Peer {
        std::string host;
        std::int64_t pid = 0;
    };
    [[nodiscard]] virtual const std::vector<Peer>& peers() const = 0;
    /// How many ranks before this one run on its machine.
    [[nodiscard]] int localRank() const;

    /// Every rank gives a message and gets those of all, by rank; their lengths may differ. Where ranks agree on what
    /// to do next. Throws RankFailed where another rank has called leave() instead, RankLost.
    [[nodiscard]] virtual std::vector<std::string> gather(std::string_view message) = 0;
    /// In place of the next gather(): the others get RankFailed with this reason, of which no more than longestReason
    /// bytes are told. This rank takes no further part. Does not throw.
    static constexpr std::size_t longestReason = 3000;
    virtual void leave(std::string_view reason) noexcept = 0;
    /// sizes[s] bytes go to rank s, which give(s, offset, place) fills in piece by piece; take(s, offset, bytes) is
    /// called with what rank s has sent, piece by piece: for every piece in the order of the ranks, this rank's own
    /// part included, the offsets in bytes and rising. Pieces are whole megabytes but for the last one. `expected`:
    /// bytes that come from each rank; this rank's own entry is ignored. What is given may be overwritten as soon as it
    /// is taken, but for parts that are still to be given. Throws RankFailed where a rank has left, RankLost.
    using Give = std::function<void(int to, std::size_t offset, std::span<std::byte> place)>;
    using Take = std::function<void(int from, std::size_t offset, Bytes bytes)>;
    virtual void exchange(std::span<const std::size_t> sizes, const Give& give, std::span<const std::size_t> expected,
                          const Take& take) = 0;
    /// The same with parts that lie there already: parts[s] goes to rank s.
    void exchange(std::span<const Bytes> parts, std::span<const std::size_t> expected, const Take& take);
    /// All-gather: `whole` consists of one part a rank, which ends at ends[rank]; this rank's is filled, and on return
    /// all are. Throws as exchange().
    virtual void collect(std::span<std::byte> whole, std::span<const std::size_t> ends) = 0;
    /// For what ranks exchange on a way of their own (GPUs, by NCCL): waits until `done`, gives signs of life and
    /// listens for those of all others meanwhile. All ranks call it. Throws as exchange(), and what `done` throws.
    virtual void await(const std::function<bool()>& done) = 0;
    /// Counts what this rank has sent on such a way as one exchange.
    virtual void countExchange(std::int64_t payloadBytes) = 0;
    /// Between calls a thread of its own tells the others that this rank lives. While it is watched it does so only as
    /// long as alive() is called often enough, so that a rank whose work hangs is found; what often means is learned
    /// from the work itself.
    virtual void watch(bool on) = 0;
    /// A piece of the work is done. Any thread; costs a glance at the clock.
    virtual void alive() = 0;
    /// Other work begins, whose pieces may take another time.
    virtual void beginWork() = 0;

    [[nodiscard]] virtual const Traffic& traffic() const = 0;

    /// Ends all ranks at once, on all machines. For a rank that was lost.
    [[noreturn]] virtual void abort(int code) = 0;
};

} // namespace accumulus
