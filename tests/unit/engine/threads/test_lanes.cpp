// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes and the turnstile under load. What they hand over is plain memory on purpose: ThreadSanitizer sees a missing
// hand-over that a lucky run would hide.
#include "core/engine/lanes.h"

#include <QTest>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace test_lanes {
using namespace accumulus;

namespace {

constexpr int laneCount = 4;
constexpr std::uint32_t rounds = 5'000; // four lanes on two busy cores wake each other through the kernel

} // namespace

class TestLanes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyLaneWorksInEveryRound() {
        Lanes lanes(laneCount, [](int) {});
        QCOMPARE(lanes.count(), laneCount);
        std::vector<std::uint64_t> done(laneCount * 16); // a cache line each
        std::uint64_t seen = 0;
        for (std::uint32_t round = 0; round < rounds; ++round) {
            lanes.run([&](int lane) { ++done[std::size_t(lane) * 16]; });
            // run() has returned, so what the lanes wrote is here.
            seen +=
                std::accumulate(done.begin(), done.end(), std::uint64_t{0}) == (round + 1) * std::uint64_t{laneCount};
        }
        QCOMPARE(seen, std::uint64_t{rounds});
    }

    // Whatever lane finishes first, turns pass in order.
    void turnsPassInOrder() {
        Lanes lanes(laneCount, [](int) {});
        Turnstile turnstile;
        std::vector<std::uint32_t> order; // guarded by the turnstile alone
        constexpr std::uint32_t turns = 13;
        std::uint32_t wrong = 0;
        for (std::uint32_t round = 0; round < rounds / turns; ++round) {
            turnstile.reset();
            order.clear();
            std::atomic<std::uint32_t> next = 0;
            lanes.run([&](int) {
                for (std::uint32_t turn = next++; turn < turns; turn = next++) {
                    if (!turnstile.wait(turn))
                        return;
                    order.push_back(turn);
                    turnstile.next();
                }
            });
            for (std::uint32_t turn = 0; turn < turns; ++turn)
                wrong += order.size() != turns || order[turn] != turn;
        }
        QCOMPARE(wrong, 0U);
    }

    // A lane that fails breaks the turnstile off; nobody waits for ever, and the next round works.
    void aBrokenRoundEndsAndTheNextOneWorks() {
        Lanes lanes(laneCount, [](int) {});
        Turnstile turnstile;
        int caught = 0;
        int whole = 0;
        for (std::uint32_t round = 0; round < 4000; ++round) {
            turnstile.reset();
            const bool breaks = round % 2 == 0;
            std::atomic<std::uint32_t> next = 0;
            std::uint32_t passed = 0;
            try {
                lanes.run([&](int) {
                    for (std::uint32_t turn = next++; turn < 12; turn = next++) {
                        if (breaks && turn == 5) {
                            turnstile.breakOff();
                            throw std::runtime_error("turn 5");
                        }
                        if (!turnstile.wait(turn))
                            return;
                        ++passed;
                        turnstile.next();
                    }
                });
                whole += passed == 12;
            } catch (const std::runtime_error& error) {
                caught += breaks && passed <= 5 && std::string(error.what()) == "turn 5";
            }
        }
        QCOMPARE(caught, 2000);
        QCOMPARE(whole, 2000);
    }

    void theLowestFailingLaneIsTold() {
        Lanes lanes(laneCount, [](int) {});
        for (int round = 0; round < 200; ++round) {
            std::string told;
            try {
                lanes.run([](int lane) {
                    if (lane != 0)
                        throw std::runtime_error(std::to_string(lane));
                });
            } catch (const std::runtime_error& error) {
                told = error.what();
            }
            QCOMPARE(told, std::string("1"));
        }
        int done = 0;
        lanes.run([&](int lane) { // the errors are forgotten
            if (lane == 0)
                ++done;
        });
        QCOMPARE(done, 1);
    }

    void setUpRunsOnceInEachLanesThread() {
        std::mutex mutex;
        std::vector<std::thread::id> setUp(laneCount);
        std::vector<std::thread::id> worked(laneCount);
        {
            Lanes lanes(laneCount, [&](int lane) {
                const std::lock_guard lock(mutex);
                setUp[std::size_t(lane)] = std::this_thread::get_id();
            });
            for (int round = 0; round < 3; ++round)
                lanes.run([&](int lane) { worked[std::size_t(lane)] = std::this_thread::get_id(); });
        }
        QVERIFY(setUp == worked);
        QVERIFY(setUp[0] == std::this_thread::get_id());
        QCOMPARE(std::set<std::thread::id>(setUp.begin(), setUp.end()).size(), std::size_t{laneCount});
    }

    void oneLaneIsTheCaller() {
        Lanes lanes(1, [](int) {});
        int sum = 0;
        for (int round = 0; round < 1000; ++round)
            lanes.run([&](int lane) { sum += lane + 1; });
        QCOMPARE(sum, 1000);
    }

    void lanesComeAndGo() {
        std::atomic<int> setUp = 0;
        std::atomic<int> worked = 0;
        for (int round = 0; round < 300; ++round) {
            Lanes lanes(laneCount, [&](int) { ++setUp; });
            if (round % 3 == 0)
                lanes.run([&](int) { ++worked; });
        } // destroyed while its threads may still be starting
        QCOMPARE(worked.load(), 100 * laneCount);
        QCOMPARE(setUp.load(), 300 * laneCount);
    }

    // Threads that the system does not give are an exception, not the end of the program. In a process of its own: the
    // limit on its address space leaves no room for the threads' stacks.
    void threadsThatCannotBeCreatedAreAnException() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("sanitizers need the address space that this test takes away");
#else
        const pid_t child = fork();
        QVERIFY(child >= 0);
        if (child == 0) {
            std::ifstream statistics("/proc/self/statm");
            rlim_t pages = 0;
            statistics >> pages;
            const rlim_t room = pages * 4096 + (40 << 20); // a few stacks
            const rlimit limit{room, room};
            if (setrlimit(RLIMIT_AS, &limit) != 0)
                _exit(3);
            try {
                const Lanes lanes(64, [](int) {});
                _exit(1);
            } catch (const std::system_error&) {
                _exit(0);
            } catch (...) {
                _exit(2);
            }
        }
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY2(WIFEXITED(status), "it was killed by a signal");
        QCOMPARE(WEXITSTATUS(status), 0);
#endif
    }
};

QTEST_APPLESS_MAIN(TestLanes)
} // namespace test_lanes
#include "test_lanes.moc"
