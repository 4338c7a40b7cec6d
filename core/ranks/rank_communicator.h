// SPDX-License-Identifier: GPL-3.0-or-later
// The Communicator over a Transport: how messages are framed, how long one waits for whom, and what counts as a sign of
// life. The ranks that wait poll: first at once, then yielding, then with sleeps of up to 200 us, so that a waiting
// rank leaves its core to one that computes. Times in seconds. A rank of the same machine whose process is gone is lost
// at once.
//
// After RankFailed or RankLost every further call throws the same again; leave(), alive(), abort() and the destructor
// remain. The destructor waits until every rank has come to its own and then ends the transport in order; where one is
// lost meanwhile, it gives up and just lets go.
#pragma once

#include "core/ranks/transport.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace accumulus {

class RankCommunicator final : public Communicator {
public:
    /// A rank that is waited for and sends nothing for so long is lost.
    static constexpr double patience = 20.0;
    /// `patience`, or what ACCUMULUS_RANK_TIMEOUT says.
    [[nodiscard]] static double usualPatience();
    /// Bytes of one piece of exchange() and collect(). Memory: 4 pieces for each of the other ranks.
    static constexpr std::size_t pieceBytes = std::size_t{1} << 20;

    /// Tells the others where this rank runs, and waits for them. Throws RankLost.
    explicit RankCommunicator(std::unique_ptr<Transport> transport, double lostAfter = usualPatience());
    ~RankCommunicator() override;
    RankCommunicator(const RankCommunicator&) = delete;
    RankCommunicator& operator=(const RankCommunicator&) = delete;

    [[nodiscard]] int rank() const override { return m_rank; }
    [[nodiscard]] int size() const override { return m_size; }
    [[nodiscard]] const std::vector<Peer>& peers() const override { return m_peers; }
    [[nodiscard]] std::vector<std::string> gather(std::string_view message) override;
    void leave(std::string_view reason) noexcept override;
    using Communicator::exchange;
    void exchange(std::span<const std::size_t> sizes, const Give& give, std::span<const std::size_t> expected,
                  const Take& take) override;
    void collect(std::span<std::byte> whole, std::span<const std::size_t> ends) override;
    void await(const std::function<bool()>& done) override;
    void countExchange(std::int64_t payloadBytes) override;
    void watch(bool on) override;
    void alive() override;
    void beginWork() override;
    [[nodiscard]] const Traffic& traffic() const override { return m_traffic; }
    [[noreturn]] void abort(int code) override;

private:
    using Clock = std::chrono::steady_clock;
    enum Tag : int { FrameTag = 1, PieceTag = 2, SignTag = 3, NoticeTag = 4 };

    /// A message under way and the rank at its other end.
    struct Flight {
        Transport::Request request = 0;
        int peer = 0;
        bool incoming = false;
        bool landed = false;
        std::size_t bytes = 0; ///< of a message that has landed
    };
    /// A rank has left, in place of this operation; `origin` is the one that began it, of which others learn and leave.
    struct Left {
        std::uint64_t operation = 0;
        int origin = 0;
        std::string reason;
    };
    /// What this rank knows of another one.
    struct Neighbour {
        double silence = 0.0; ///< seconds since the last message, while it is waited for
        std::optional<Left> left;
        bool closed = false; ///< it has come to its destructor
        bool signPending = false;
        Transport::Request sign = 0;
        std::array<std::vector<std::byte>, 2> outgoing; ///< pieces of even and odd rounds
        std::array<std::vector<std::byte>, 2> incoming;
    };
    struct Gathering;

    /// Calls `step` until it says that all is there. Listens for signs of life meanwhile and gives them. `awaited`: is
    /// this rank still waited for? Throws RankLost.
    void wait(const std::function<bool()>& step, const std::function<bool(int)>& awaited);
    /// Has the message landed? One that comes in is a sign of life.
    bool land(Flight& flight);
    [[nodiscard]] Flight sent(int to, int tag, Bytes bytes);
    [[nodiscard]] Flight received(int from, int tag, std::span<std::byte> place);
    void listen();
    void giveSign();
    [[nodiscard]] Neighbour& neighbour(int peer) { return m_neighbours[static_cast<std::size_t>(peer)]; }
    /// Will `peer` never take part in the present operation?
    [[nodiscard]] const Left* leftBy(int peer) const;
    /// Tells all others that this rank has left, or comes to its end, and why.
    void notify(bool closing);
    void throwIfOver() const;
    /// Throws RankFailed with the lowest origin where a rank has left.
    void failIfLeft();
    void close();
    void livePeriodically(const std::stop_token& stop);
    [[nodiscard]] bool worksOn() const;
    [[nodiscard]] bool isGone(int peer) const;

    void gatherFrames();
    void transfer(std::span<const std::size_t> sizes, const Give& give, std::span<const std::size_t> expected,
                  const Take& take);
    [[nodiscard]] std::vector<Flight> startRound(std::size_t round, std::span<const std::size_t> sizes,
                                                 const Give& give, std::span<const std::size_t> expected);
    void awaitRound(std::vector<Flight>& flights);

    int m_rank = 0;
    int m_size = 1;
    double m_lostAfter = patience;
    std::vector<Peer> m_peers;
    std::vector<std::string> m_processSpaces; ///< of each rank: in which numbers of processes mean something
    Traffic m_traffic;
    std::uint64_t m_operation = 0; ///< operations that are done
    bool m_stirred = false;        ///< a message has landed since the last look
    std::optional<RankFailed> m_failed;
    std::optional<RankLost> m_lost;
    Clock::time_point m_lastSign;
    // What messages under way refer to stays until the transport is gone, whatever ends an operation.
    std::vector<Neighbour> m_neighbours;
    std::vector<std::unique_ptr<std::vector<std::byte>>> m_notices;
    std::vector<Flight> m_noticeFlights;
    std::unique_ptr<Gathering> m_gathering;
    std::unique_ptr<Transport> m_transport;
    // Between calls.
    std::mutex m_calls; ///< held by a call, and by the thread that gives signs of life between them
    std::atomic<bool> m_watched{false};
    std::atomic<std::int64_t> m_lastWork{0};    ///< nanoseconds of the clock
    std::atomic<std::int64_t> m_longestWork{0}; ///< between two calls of alive(), while watched; 0: not known yet
    std::jthread m_signs;
};

} // namespace accumulus
