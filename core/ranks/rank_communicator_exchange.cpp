// SPDX-License-Identifier: GPL-3.0-or-later
// What ranks own and hand out, in pieces.
#include "core/base/clock.h"
#include "core/ranks/rank_communicator.h"

#include <algorithm>
#include <utility>

namespace accumulus {
namespace {

std::size_t piecesOf(std::size_t bytes) {
    return (bytes + RankCommunicator::pieceBytes - 1) / RankCommunicator::pieceBytes;
}

} // namespace

void RankCommunicator::exchange(std::span<const std::size_t> sizes, const Give& give,
                                std::span<const std::size_t> expected, const Take& take) {
    const std::lock_guard lock(m_calls);
    throwIfOver();
    const Stopwatch watch;
    transfer(sizes, give, expected, take);
    m_traffic.exchangeSeconds += watch.seconds();
}

void RankCommunicator::collect(std::span<std::byte> whole, std::span<const std::size_t> ends) {
    const std::lock_guard lock(m_calls);
    throwIfOver();
    const Stopwatch watch;
    const auto begin = [&](std::size_t peer) { return peer == 0 ? 0 : ends[peer - 1]; };
    const auto own = static_cast<std::size_t>(m_rank);
    const Bytes part = Bytes(whole).subspan(begin(own), ends[own] - begin(own));
    std::vector<std::size_t> sizes(ends.size(), part.size());
    sizes[own] = 0; // lies there
    std::vector<std::size_t> expected;
    for (std::size_t peer = 0; peer < ends.size(); ++peer)
        expected.push_back(ends[peer] - begin(peer));
    const auto give = [&](int, std::size_t offset, std::span<std::byte> place) {
        std::ranges::copy(part.subspan(offset, place.size()), place.begin());
    };
    transfer(sizes, give, expected, [&](int from, std::size_t offset, Bytes bytes) {
        std::ranges::copy(bytes, whole.data() + begin(static_cast<std::size_t>(from)) + offset);
    });
    m_traffic.exchangeSeconds += watch.seconds();
}

/// No operation of its own: whoever leaves in its place, or in that of the next one, ends it.
void RankCommunicator::await(const std::function<bool()>& done) {
    const std::lock_guard lock(m_calls);
    throwIfOver();
    const Stopwatch watch;
    const auto step = [&] {
        if (done())
            return true;
        for (int peer = 0; peer < m_size; ++peer)
            if (leftBy(peer) != nullptr)
                failIfLeft();
        return false;
    };
    wait(step, [&](int) { return true; });
    m_traffic.exchangeSeconds += watch.seconds();
}

void RankCommunicator::countExchange(std::int64_t payloadBytes) {
    ++m_traffic.exchanges;
    m_traffic.payloadBytes += payloadBytes;
}

/// Two rounds are under way at a time: while the pieces of one are taken, those of the next arrive.
void RankCommunicator::transfer(std::span<const std::size_t> sizes, const Give& give,
                                std::span<const std::size_t> expected, const Take& take) {
    const auto own = static_cast<std::size_t>(m_rank);
    std::size_t rounds = 0;
    for (std::size_t peer = 0; peer < m_neighbours.size(); ++peer)
        rounds = std::max({rounds, piecesOf(sizes[peer]), peer == own ? 0 : piecesOf(expected[peer])});
    try {
        std::array<std::vector<Flight>, 2> flights;
        for (std::size_t round = 0; round < std::min<std::size_t>(rounds, 2); ++round)
            flights[round] = startRound(round, sizes, give, expected);
        for (std::size_t round = 0; round < rounds; ++round) {
            awaitRound(flights[round % 2]);
            const std::size_t offset = round * pieceBytes;
            for (std::size_t peer = 0; peer < m_neighbours.size(); ++peer) {
                const std::size_t whole = peer == own ? sizes[own] : expected[peer];
                if (offset >= whole)
                    continue;
                std::vector<std::byte>& place = m_neighbours[peer].incoming[round % 2];
                const std::size_t bytes = std::min(pieceBytes, whole - offset);
                if (peer == own) {
                    place.resize(std::max(place.size(), bytes));
                    give(m_rank, offset, std::span(place).first(bytes));
                }
                take(static_cast<int>(peer), offset, Bytes(place).first(bytes));
            }
            if (round + 2 < rounds)
                flights[round % 2] = startRound(round + 2, sizes, give, expected);
        }
    } catch (const std::exception& problem) {
        if (!m_failed && !m_lost) // what is under way now fits no further call
            m_failed.emplace(m_rank, problem.what());
        throw;
    }
    ++m_operation;
    ++m_traffic.exchanges;
}

/// Pieces are copied before they are sent: where the operation is given up, the caller's memory goes, and messages that
/// are under way still read theirs.
std::vector<RankCommunicator::Flight> RankCommunicator::startRound(std::size_t round,
                                                                   std::span<const std::size_t> sizes, const Give& give,
                                                                   std::span<const std::size_t> expected) {
    std::vector<Flight> flights;
    for (int step = 1; step < m_size; ++step) {
        const int peer = (m_rank + m_size - step) % m_size;
        const std::size_t offset = round * pieceBytes, whole = expected[static_cast<std::size_t>(peer)];
        if (offset >= whole)
            continue;
        std::vector<std::byte>& place = neighbour(peer).incoming[round % 2];
        const std::size_t bytes = std::min(pieceBytes, whole - offset);
        if (place.size() < bytes)
            place.resize(bytes);
        flights.push_back(received(peer, PieceTag, std::span(place).first(bytes)));
    }
    for (int step = 1; step < m_size; ++step) {
        const int peer = (m_rank + step) % m_size;
        const std::size_t offset = round * pieceBytes, whole = sizes[static_cast<std::size_t>(peer)];
        if (offset >= whole)
            continue;
        std::vector<std::byte>& place = neighbour(peer).outgoing[round % 2];
        place.resize(std::min(pieceBytes, whole - offset));
        give(peer, offset, place);
        flights.push_back(sent(peer, PieceTag, place));
        m_traffic.payloadBytes += static_cast<std::int64_t>(place.size());
    }
    return flights;
}

void RankCommunicator::awaitRound(std::vector<Flight>& flights) {
    const auto awaited = [&](int peer) {
        return std::ranges::any_of(flights,
                                   [&](const Flight& flight) { return flight.peer == peer && !flight.landed; });
    };
    const auto step = [&] {
        bool complete = true;
        for (Flight& flight : flights) {
            if (land(flight))
                continue;
            complete = false;
            if (leftBy(flight.peer) != nullptr)
                failIfLeft();
        }
        return complete;
    };
    wait(step, awaited);
}

} // namespace accumulus
