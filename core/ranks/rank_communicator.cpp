// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/rank_communicator.h"

#include "core/base/clock.h"
#include "core/base/real_number.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sched.h>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <utility>

namespace accumulus {
namespace {

using namespace std::chrono_literals;

/// Between two looks for signs of life and at the silence of those who are waited for.
constexpr auto glance = 1ms;
constexpr auto signEvery = 1s;
/// Between two looks whether the processes of this machine still run.
constexpr auto processGlance = 250ms;
/// A rank that was itself stopped for a while does not take its own absence for the others' silence.
constexpr double longestGlance = 0.5;

/// The first message of a frame: its length and as much of the text as every carrier sends at once.
constexpr std::size_t firstBytes = 4000;
constexpr std::size_t lengthBytes = sizeof(std::uint64_t);

/// A notice: is the rank at its end, which rank began it, in place of which operation, the reason. Short enough to be
/// sent at once.
constexpr std::size_t noticeBytes = 3 * sizeof(std::uint64_t);

std::uint64_t numberAt(const std::byte* bytes) {
    std::uint64_t number = 0;
    std::memcpy(&number, bytes, sizeof(number));
    return number;
}

/// At most `longestReason` bytes of it, and no half of a UTF-8 character.
std::string_view cut(std::string_view reason) {
    if (reason.size() <= Communicator::longestReason)
        return reason;
    std::size_t end = Communicator::longestReason;
    while (end > 0 && (static_cast<unsigned char>(reason[end]) & 0xC0U) == 0x80U)
        --end;
    return reason.substr(0, end);
}

/// The longer nothing happens, the longer the core is left to others.
void rest(int looks) {
    constexpr int spins = 200, yields = 100;
    if (looks < spins)
        return;
    if (looks < spins + yields)
        sched_yield();
    else
        std::this_thread::sleep_for(std::min(200us, 5us * (looks - spins - yields + 1)));
}

} // namespace

/// The frames of one gather().
struct RankCommunicator::Gathering {
    struct Incoming {
        std::array<std::byte, firstBytes> first{};
        std::string text;
        Flight firstFlight;
        std::vector<Flight> restFlights;
    };
    std::vector<std::byte> frame;
    std::vector<Incoming> incoming; ///< of each rank
    std::vector<Flight> sends;
};

double RankCommunicator::usualPatience() {
    if (const char* said = std::getenv("ACCUMULUS_RANK_TIMEOUT"))
        if (const double seconds = realNumber(said); seconds > 0.0)
            return seconds;
    return patience;
}

RankCommunicator::RankCommunicator(std::unique_ptr<Transport> transport, double lostAfter)
    : m_rank(transport->rank()), m_size(transport->size()), m_lostAfter(lostAfter), m_lastSign(Clock::now()),
      m_neighbours(static_cast<std::size_t>(m_size)), m_gathering(std::make_unique<Gathering>()),
      m_transport(std::move(transport)) {
    m_gathering->incoming.resize(m_neighbours.size());
    char host[HOST_NAME_MAX + 1] = {};
    gethostname(host, HOST_NAME_MAX);
    std::error_code ignored;
    const std::string processes = std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string();
    for (const std::string& said : gather(std::to_string(getpid()) + ' ' + processes + ' ' + host)) {
        const std::size_t space = said.find(' ');
        const std::size_t next = said.find(' ', space + 1);
        m_processSpaces.push_back(said.substr(space + 1, next - space - 1));
        m_peers.push_back({said.substr(next + 1), std::strtoll(said.c_str(), nullptr, 10)});
    }
    m_traffic = {};
    if (m_size > 1)
        m_signs = std::jthread([this](const std::stop_token& stop) { livePeriodically(stop); });
}

RankCommunicator::~RankCommunicator() {
    if (m_signs.joinable()) {
        m_signs.request_stop();
        m_signs.join();
    }
    close();
}

std::vector<std::string> RankCommunicator::gather(std::string_view message) {
    const std::lock_guard lock(m_calls);
    throwIfOver();
    const Stopwatch watch;
    Gathering& gathering = *m_gathering;
    const std::uint64_t length = message.size();
    gathering.frame.resize(lengthBytes + message.size());
    std::memcpy(gathering.frame.data(), &length, lengthBytes);
    std::copy_n(reinterpret_cast<const std::byte*>(message.data()), message.size(),
                gathering.frame.data() + lengthBytes);
    gatherFrames();
    std::vector<std::string> messages;
    for (Gathering::Incoming& incoming : gathering.incoming)
        messages.push_back(std::move(incoming.text));
    messages[static_cast<std::size_t>(m_rank)] = message;
    ++m_operation;
    ++m_traffic.messages;
    m_traffic.messageBytes += static_cast<std::int64_t>(message.size()) * (m_size - 1);
    m_traffic.waitSeconds += watch.seconds();
    return messages;
}

void RankCommunicator::gatherFrames() {
    Gathering& gathering = *m_gathering;
    const Bytes frame = gathering.frame;
    gathering.sends.clear();
    for (int peer = 0; peer < m_size; ++peer) {
        if (peer == m_rank)
            continue;
        Gathering::Incoming& incoming = gathering.incoming[static_cast<std::size_t>(peer)];
        incoming.text.clear();
        incoming.restFlights.clear();
        incoming.firstFlight = received(peer, FrameTag, incoming.first);
    }
    for (int step = 1; step < m_size; ++step) {
        const int peer = (m_rank + step) % m_size;
        gathering.sends.push_back(sent(peer, FrameTag, frame.first(std::min(frame.size(), firstBytes))));
        for (std::size_t at = firstBytes; at < frame.size(); at += Transport::largestMessage)
            gathering.sends.push_back(
                sent(peer, FrameTag, frame.subspan(at, std::min(Transport::largestMessage, frame.size() - at))));
    }
    const auto open = [&](int peer) {
        const Gathering::Incoming& incoming = gathering.incoming[static_cast<std::size_t>(peer)];
        const auto flies = [](const Flight& flight) { return !flight.landed; };
        return !incoming.firstFlight.landed || std::ranges::any_of(incoming.restFlights, flies) ||
               std::ranges::any_of(gathering.sends,
                                   [&](const Flight& flight) { return flight.peer == peer && flies(flight); });
    };
    const auto awaited = [&](int peer) { return peer != m_rank && open(peer) && leftBy(peer) == nullptr; };
    const auto step = [&] {
        for (Flight& flight : gathering.sends)
            land(flight);
        bool complete = true;
        for (int peer = 0; peer < m_size; ++peer) {
            if (peer == m_rank)
                continue;
            Gathering::Incoming& incoming = gathering.incoming[static_cast<std::size_t>(peer)];
            if (!incoming.firstFlight.landed && land(incoming.firstFlight)) {
                const std::uint64_t length = numberAt(incoming.first.data());
                const std::size_t there = incoming.firstFlight.bytes - lengthBytes;
                incoming.text.resize(length);
                std::memcpy(incoming.text.data(), incoming.first.data() + lengthBytes, there);
                const auto rest = std::as_writable_bytes(std::span(incoming.text)).subspan(there);
                for (std::size_t at = 0; at < rest.size(); at += Transport::largestMessage)
                    incoming.restFlights.push_back(received(
                        peer, FrameTag, rest.subspan(at, std::min(Transport::largestMessage, rest.size() - at))));
            }
            for (Flight& flight : incoming.restFlights)
                land(flight);
            complete = complete && !awaited(peer);
        }
        return complete;
    };
    try {
        wait(step, awaited);
    } catch (const RankLost&) {
        // Who has said why it left is a better answer than who fell silent after it.
        failIfLeft();
        throw;
    }
    failIfLeft();
}

void RankCommunicator::leave(std::string_view reason) noexcept {
    try {
        const std::lock_guard lock(m_calls);
        if (!m_failed || m_failed->rank() == m_rank)
            m_failed.emplace(m_rank, std::string(cut(reason)));
        notify(false);
    } catch (...) {
        // The others see that this rank is gone when it gives no more signs of life.
        m_lost.emplace(m_rank);
    }
}

void RankCommunicator::abort(int code) {
    m_transport->abort(code);
    std::_Exit(code); // never reached: of a virtual function the compiler does not see that it ends all
}

void RankCommunicator::wait(const std::function<bool()>& step, const std::function<bool(int)>& awaited) {
    for (Neighbour& each : m_neighbours)
        each.silence = 0.0;
    Clock::time_point last = Clock::now();
    Clock::time_point lastProcesses = last;
    try {
        for (int looks = 0; !step(); ++looks) {
            if (std::exchange(m_stirred, false))
                looks = 0;
            rest(looks);
            const Clock::time_point now = Clock::now();
            if (now - last < glance)
                continue;
            const double passed = std::min(longestGlance, std::chrono::duration<double>(now - last).count());
            last = now;
            for (Neighbour& each : m_neighbours)
                each.silence += passed;
            listen();
            giveSign();
            for (int peer = 0; peer < m_size; ++peer)
                if (peer != m_rank && neighbour(peer).silence >= m_lostAfter && awaited(peer))
                    throw RankLost(peer);
            if (now - lastProcesses < processGlance)
                continue;
            lastProcesses = now;
            for (int peer = 0; peer < m_size; ++peer)
                if (peer != m_rank && awaited(peer) && isGone(peer) && !step())
                    throw RankLost(peer);
        }
    } catch (const RankLost& lost) {
        m_lost = lost;
        throw;
    }
}

bool RankCommunicator::land(Flight& flight) {
    if (flight.landed)
        return true;
    const std::optional<std::size_t> bytes = m_transport->test(flight.request);
    if (!bytes)
        return false;
    flight.landed = true;
    m_stirred = true;
    if (flight.incoming) {
        flight.bytes = *bytes;
        neighbour(flight.peer).silence = 0.0;
    }
    return true;
}

RankCommunicator::Flight RankCommunicator::sent(int to, int tag, Bytes bytes) {
    return {m_transport->startSend(to, tag, bytes), to};
}

RankCommunicator::Flight RankCommunicator::received(int from, int tag, std::span<std::byte> place) {
    return {m_transport->startReceive(from, tag, place), from, true};
}

void RankCommunicator::listen() {
    while (const auto arrival = m_transport->probe(SignTag)) {
        std::byte sign{};
        m_transport->receive(arrival->from, SignTag, std::span(&sign, 1));
        neighbour(arrival->from).silence = 0.0;
    }
    while (const auto arrival = m_transport->probe(NoticeTag)) {
        std::vector<std::byte> notice(arrival->bytes);
        m_transport->receive(arrival->from, NoticeTag, notice);
        Neighbour& from = neighbour(arrival->from);
        from.silence = 0.0;
        from.closed = numberAt(notice.data()) != 0;
        if (!from.left)
            from.left = Left{
                numberAt(notice.data() + 2 * sizeof(std::uint64_t)),
                static_cast<int>(numberAt(notice.data() + sizeof(std::uint64_t))),
                std::string(reinterpret_cast<const char*>(notice.data()) + noticeBytes, notice.size() - noticeBytes)};
    }
}

/// To a rank that has not taken the last sign yet none is sent.
void RankCommunicator::giveSign() {
    static constexpr std::byte sign{1};
    const Clock::time_point now = Clock::now();
    if (now - m_lastSign < signEvery)
        return;
    m_lastSign = now;
    for (int peer = 0; peer < m_size; ++peer) {
        Neighbour& to = neighbour(peer);
        if (peer == m_rank || to.closed || (to.signPending && !m_transport->test(to.sign)))
            continue;
        to.sign = m_transport->startSend(peer, SignTag, std::span(&sign, 1));
        to.signPending = true;
    }
}

const RankCommunicator::Left* RankCommunicator::leftBy(int peer) const {
    const std::optional<Left>& left = m_neighbours[static_cast<std::size_t>(peer)].left;
    return left && left->operation <= m_operation ? &*left : nullptr;
}

void RankCommunicator::notify(bool closing) {
    const std::string reason = m_failed ? m_failed->what() : "";
    const auto origin = static_cast<std::uint64_t>(m_failed ? m_failed->rank() : m_rank);
    const std::array<std::uint64_t, 3> numbers{closing ? 1U : 0U, origin, m_operation};
    static_assert(sizeof(numbers) == noticeBytes);
    m_notices.push_back(std::make_unique<std::vector<std::byte>>(noticeBytes + reason.size()));
    std::vector<std::byte>& notice = *m_notices.back();
    std::memcpy(notice.data(), numbers.data(), noticeBytes);
    std::memcpy(notice.data() + noticeBytes, reason.data(), reason.size());
    for (int peer = 0; peer < m_size; ++peer)
        if (peer != m_rank)
            m_noticeFlights.push_back(sent(peer, NoticeTag, notice));
}

void RankCommunicator::throwIfOver() const {
    if (m_failed)
        throw RankFailed(*m_failed);
    if (m_lost)
        throw RankLost(*m_lost);
}

void RankCommunicator::failIfLeft() {
    const Left* first = nullptr;
    for (int peer = 0; peer < m_size; ++peer)
        if (const Left* left = leftBy(peer); left != nullptr && (first == nullptr || left->origin < first->origin))
            first = left;
    if (first == nullptr)
        return;
    m_lost.reset();
    m_failed.emplace(first->origin, first->reason);
    throw RankFailed(*m_failed);
}

void RankCommunicator::close() {
    if (m_lost)
        return;
    try {
        notify(true);
        const auto awaited = [&](int peer) { return peer != m_rank && !neighbour(peer).closed; };
        const auto step = [&] {
            bool complete = true;
            for (Flight& flight : m_noticeFlights)
                complete = land(flight) && complete;
            for (int peer = 0; peer < m_size; ++peer)
                complete = complete && !awaited(peer);
            return complete;
        };
        wait(step, awaited);
        m_transport->finish();
    } catch (...) {
        // A rank is lost: whoever waited for all to finish would wait for ever.
    }
}

} // namespace accumulus
