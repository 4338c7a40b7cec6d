// SPDX-License-Identifier: GPL-3.0-or-later
// What ranks exchange, on 1 to 4 of them: every byte arrives where it belongs, in the order that sums rely on, and is
// counted.
#include "core/ranks/launch.h"
#include "core/ranks/rank_communicator.h"
#include "tests/support/rank_test.h"

#include <QElapsedTimer>
#include <QTest>

#include <cstring>
#include <random>
#include <set>
#include <thread>
#include <tuple>
#include <unistd.h>

namespace test_communicator {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr std::size_t piece = RankCommunicator::pieceBytes;

/// Lengths around every border: nothing, a byte, one below, at and above what the first message and a piece take.
constexpr std::size_t lengths[] = {0, 1, 3991, 3992, 3993, 4000, 4001, piece - 1, piece, piece + 1, 3 * piece + 17};
constexpr std::size_t lengthCount = std::size(lengths);

/// A byte that differs for every sender, receiver and place.
std::byte byteOf(int from, int to, std::size_t at) {
    std::uint64_t mixed =
        (static_cast<std::uint64_t>(from) * 31 + static_cast<std::uint64_t>(to)) * 0x9E3779B97F4A7C15U;
    mixed ^= at * 0xD1B54A32D192ED03U;
    return static_cast<std::byte>(mixed >> 56U);
}

std::vector<std::byte> partOf(int from, int to, std::size_t bytes) {
    std::vector<std::byte> part(bytes);
    for (std::size_t at = 0; at < bytes; ++at)
        part[at] = byteOf(from, to, at);
    return part;
}

std::string textOf(int rank, std::size_t bytes) {
    std::string text(bytes, '\0');
    for (std::size_t at = 0; at < bytes; ++at)
        text[at] = static_cast<char>(byteOf(rank, 99, at));
    return text;
}

} // namespace

class TestCommunicator : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Communicator> m_ranks;

    [[nodiscard]] int rank() const { return m_ranks->rank(); }
    [[nodiscard]] int size() const { return m_ranks->size(); }

    /// Everyone sends length(from, to) bytes to everyone; checks bytes, order and counters.
    void exchangeAll(const std::function<std::size_t(int from, int to)>& length) {
        std::vector<std::vector<std::byte>> own;
        std::vector<Communicator::Bytes> parts;
        std::vector<std::size_t> expected;
        std::int64_t toOthers = 0;
        for (int peer = 0; peer < size(); ++peer) {
            own.push_back(partOf(rank(), peer, length(rank(), peer)));
            expected.push_back(peer == rank() ? 12345 : length(peer, rank())); // its own entry is ignored
            toOthers += peer == rank() ? 0 : static_cast<std::int64_t>(own.back().size());
        }
        for (const auto& part : own)
            parts.emplace_back(part);
        using Call = std::tuple<int, std::size_t, std::size_t>; // from, offset, bytes
        std::vector<Call> calls, wanted;
        std::size_t wrong = 0;
        const Communicator::Traffic before = m_ranks->traffic();
        m_ranks->exchange(parts, expected, [&](int from, std::size_t offset, Communicator::Bytes bytes) {
            calls.emplace_back(from, offset, bytes.size());
            for (std::size_t at = 0; at < bytes.size(); ++at)
                wrong += bytes[at] != byteOf(from, rank(), offset + at);
        });
        for (std::size_t offset = 0; offset < 4 * piece; offset += piece)
            for (int from = 0; from < size(); ++from)
                if (const std::size_t whole = length(from, rank()); offset < whole)
                    wanted.emplace_back(from, offset, std::min(piece, whole - offset));
        QCOMPARE(wrong, std::size_t{0});
        QVERIFY(calls == wanted);
        QCOMPARE(m_ranks->traffic().exchanges, before.exchanges + 1);
        QCOMPARE(m_ranks->traffic().payloadBytes, before.payloadBytes + toOthers);
        QCOMPARE(m_ranks->traffic().messageBytes, before.messageBytes);
    }

private Q_SLOTS:
    void initTestCase() {
        m_ranks = joinTestRanks();
        QVERIFY(m_ranks != nullptr);
    }
    void cleanup() {
        if (m_ranks)
            endAllIfFailed(*m_ranks);
    }
    void cleanupTestCase() { m_ranks.reset(); }

    void theRanksAreThoseThatWereStarted() {
        const auto launch = launched();
        QCOMPARE(launch.has_value(), size() > 1);
        if (launch) {
            QCOMPARE(launch->by, std::string("mpirun"));
            QCOMPARE(launch->rank, rank());
            QCOMPARE(launch->size, size());
        }
        QCOMPARE(qEnvironmentVariable("ACCUMULUS_TEST_RANKS").toInt(), size());
        QCOMPARE(m_ranks->peers().size(), static_cast<std::size_t>(size()));
        QCOMPARE(m_ranks->peers()[static_cast<std::size_t>(rank())].pid, std::int64_t{getpid()});
        QCOMPARE(m_ranks->localRank(), rank()); // all of them run here
        std::set<std::int64_t> processes;
        for (const Communicator::Peer& peer : m_ranks->peers()) {
            QVERIFY(!peer.host.empty());
            processes.insert(peer.pid);
        }
        QCOMPARE(processes.size(), static_cast<std::size_t>(size()));
        QCOMPARE(m_ranks->traffic().messages, std::int64_t{0}); // the introduction does not count
        QCOMPARE(m_ranks->traffic().messageBytes, std::int64_t{0});
    }

    void gatherTakesAnyLengths() {
        const auto lengthOf = [](int of, std::size_t round) {
            if (round == lengthCount) // the largest, of one rank
                return of == 0 ? std::size_t{5'000'000} : std::size_t{0};
            return lengths[(round + 3 * static_cast<std::size_t>(of)) % lengthCount];
        };
        for (std::size_t round = 0; round <= lengthCount; ++round) {
            const Communicator::Traffic before = m_ranks->traffic();
            const std::string own = textOf(rank(), lengthOf(rank(), round));
            const std::vector<std::string> all = m_ranks->gather(own);
            QCOMPARE(all.size(), static_cast<std::size_t>(size()));
            for (int of = 0; of < size(); ++of)
                QVERIFY2(all[static_cast<std::size_t>(of)] == textOf(of, lengthOf(of, round)),
                         qPrintable(QString("round %1, rank %2").arg(round).arg(of)));
            QCOMPARE(m_ranks->traffic().messages, before.messages + 1);
            QCOMPARE(m_ranks->traffic().messageBytes,
                     before.messageBytes + static_cast<std::int64_t>(own.size()) * (size() - 1));
            QCOMPARE(m_ranks->traffic().payloadBytes, before.payloadBytes);
        }
    }

    void exchangeTakesAnyLengths() {
        exchangeAll([](int, int) { return std::size_t{0}; });
        exchangeAll([](int, int) { return 2 * piece + 5; });
        exchangeAll([](int from, int) { return from == 0 ? 3 * piece + 1 : std::size_t{0}; });
        exchangeAll([](int, int to) { return to == 0 ? 3 * piece + 1 : std::size_t{0}; });
        exchangeAll([](int from, int to) { return from == to ? 2 * piece : std::size_t{7}; });
        for (std::size_t round = 0; round < lengthCount; ++round)
            exchangeAll([&](int from, int to) {
                return lengths[(round + 3 * static_cast<std::size_t>(from) + 4 * static_cast<std::size_t>(to)) %
                               lengthCount];
            });
    }

    /// What exchange() is for: sums over ranks that the owner adds in the order of the ranks. The values make every
    /// other order of four show: 1e20 swallows what is added to it.
    void sumsAreThoseOfTheOrder() {
        constexpr float values[] = {1e20F, -1e20F, 1.0F, 1e-8F};
        const std::size_t count = piece / sizeof(float) + 100;
        const std::vector<float> own(count, values[rank()]);
        const std::vector<Communicator::Bytes> parts(static_cast<std::size_t>(size()), std::as_bytes(std::span(own)));
        const std::vector<std::size_t> expected(parts.size(), count * sizeof(float));
        std::vector<float> sums(count, 0.0F);
        m_ranks->exchange(parts, expected, [&](int, std::size_t offset, Communicator::Bytes bytes) {
            for (std::size_t at = 0; at < bytes.size(); at += sizeof(float)) {
                float value = 0.0F;
                std::memcpy(&value, bytes.data() + at, sizeof(value));
                sums[(offset + at) / sizeof(float)] += value;
            }
        });
        float wanted = 0.0F;
        for (int of = 0; of < size(); ++of)
            wanted += values[of];
        QVERIFY(std::ranges::all_of(sums, [&](float sum) { return std::memcmp(&sum, &wanted, sizeof(sum)) == 0; }));
    }

    void collectTakesAnyLengths() {
        for (std::size_t round = 0; round < lengthCount; ++round) {
            std::vector<std::size_t> ends;
            std::vector<std::byte> wanted, whole;
            for (int of = 0; of < size(); ++of) {
                const auto part = partOf(of, 7, lengths[(round + 5 * static_cast<std::size_t>(of)) % lengthCount]);
                wanted.insert(wanted.end(), part.begin(), part.end());
                ends.push_back(wanted.size());
                if (of == rank())
                    whole.insert(whole.end(), part.begin(), part.end());
                else
                    whole.insert(whole.end(), part.size(), std::byte{0xEE});
            }
            const Communicator::Traffic before = m_ranks->traffic();
            m_ranks->collect(whole, ends);
            QVERIFY(whole == wanted);
            const auto own = static_cast<std::size_t>(rank());
            const std::size_t part = ends[own] - (own == 0 ? 0 : ends[own - 1]);
            QCOMPARE(m_ranks->traffic().exchanges, before.exchanges + 1);
            QCOMPARE(m_ranks->traffic().payloadBytes,
                     before.payloadBytes + static_cast<std::int64_t>(part) * (size() - 1));
        }
    }

    /// For what ranks exchange elsewhere: it lasts as long on each rank as its own work does, and disturbs no message.
    void whatIsAwaitedLastsAsLong() {
        for (int round = 0; round < 20; ++round) {
            int asked = 0;
            const Communicator::Traffic before = m_ranks->traffic();
            m_ranks->await([&] { return ++asked > 50 * (rank() + round % 3); });
            QCOMPARE(asked, 50 * (rank() + round % 3) + 1);
            QCOMPARE(m_ranks->traffic().exchanges, before.exchanges);
            m_ranks->countExchange(1000 + rank());
            QCOMPARE(m_ranks->traffic().exchanges, before.exchanges + 1);
            QCOMPARE(m_ranks->traffic().payloadBytes, before.payloadBytes + 1000 + rank());
            QCOMPARE(m_ranks->gather(std::to_string(round)).back(), std::to_string(round));
        }
        QVERIFY_EXCEPTION_THROWN(m_ranks->await([]() -> bool { throw std::runtime_error("broken"); }),
                                 std::runtime_error);
        QCOMPARE(m_ranks->gather("on").front(), std::string("on"));
    }

    /// Ranks that are early or late by turns: what one of them sends early is not taken for something else.
    void ranksMayBeLate() {
        std::mt19937 random(static_cast<unsigned>(rank()));
        for (std::size_t round = 0; round < 60; ++round) {
            if (random() % 3 == 0)
                std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
            const std::vector<std::string> all = m_ranks->gather(textOf(rank(), round * 100));
            for (int of = 0; of < size(); ++of)
                QVERIFY(all[static_cast<std::size_t>(of)] == textOf(of, round * 100));
            m_ranks->alive();
            exchangeAll([&](int from, int to) { return (round * 7 + static_cast<std::size_t>(from + 2 * to)) * 50; });
        }
    }

    void manySmallGathers() {
        constexpr int times = 1000;
        QElapsedTimer watch;
        const double waited = m_ranks->traffic().waitSeconds;
        watch.start();
        for (int at = 0; at < times; ++at) {
            const std::string said = std::to_string(at * 10 + rank());
            const std::vector<std::string> all = m_ranks->gather(said);
            QCOMPARE(all[static_cast<std::size_t>(rank())], said);
            QCOMPARE(all.front(), std::to_string(at * 10));
            QCOMPARE(all.back(), std::to_string(at * 10 + size() - 1));
        }
        const double seconds = static_cast<double>(watch.nsecsElapsed()) * 1e-9;
        QVERIFY(m_ranks->traffic().waitSeconds > waited);
        if (rank() == 0)
            qInfo("a small gather of %d ranks: %.1f us", size(), seconds * 1e6 / times);
    }

    void muchIsExchanged() {
        const std::vector<std::byte> own(16 * piece, std::byte{1});
        const std::vector<Communicator::Bytes> parts(static_cast<std::size_t>(size()), own);
        const std::vector<std::size_t> expected(parts.size(), own.size());
        QElapsedTimer watch;
        watch.start();
        std::size_t taken = 0;
        m_ranks->exchange(parts, expected, [&](int, std::size_t, Communicator::Bytes bytes) { taken += bytes.size(); });
        const double seconds = static_cast<double>(watch.nsecsElapsed()) * 1e-9;
        QCOMPARE(taken, own.size() * parts.size());
        if (rank() == 0)
            qInfo("16 MiB to each of %d others: %.1f ms", size() - 1, seconds * 1e3);
    }
};

QTEST_GUILESS_MAIN(TestCommunicator)
} // namespace test_communicator
#include "test_communicator.moc"
