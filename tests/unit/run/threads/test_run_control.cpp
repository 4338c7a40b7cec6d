// SPDX-License-Identifier: GPL-3.0-or-later
// The verbs of a run, called from several threads at once.
#include "core/base/clock.h"
#include "core/run/run_control.h"

#include <QTest>

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

namespace test_run_control {
using namespace accumulus;
using namespace std::chrono_literals;
using Request = RunControl::Request;

namespace {

/// Waits until `reached` holds; the limit only ends a test that hangs.
bool eventually(const std::function<bool()>& reached) {
    const Stopwatch stopwatch;
    while (!reached()) {
        if (stopwatch.seconds() > 60.0)
            return false;
        std::this_thread::sleep_for(1ms);
    }
    return true;
}

} // namespace

class TestRunControl : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theStrongestRequestStays() {
        RunControl control;
        QCOMPARE(control.request(), Request::None);
        control.stop();
        QCOMPARE(control.request(), Request::Stop);
        control.stopNow();
        QCOMPARE(control.request(), Request::StopNow);
        control.stop();
        QCOMPARE(control.request(), Request::StopNow);
        control.pause();
        QVERIFY(!control.paused()); // a run that ends cannot be held
        control.reset();
        QCOMPARE(control.request(), Request::None);
        control.pause();
        QVERIFY(control.paused());
        control.resume();
        QVERIFY(!control.paused());
    }

    // Pausing and resuming in other threads never undoes a stop.
    void aStopIsNeverLost() {
        for (int round = 0; round < 2000; ++round) {
            RunControl control;
            std::latch start(3);
            std::thread pauses([&] {
                start.arrive_and_wait();
                for (int i = 0; i < 20; ++i)
                    control.pause();
            });
            std::thread resumes([&] {
                start.arrive_and_wait();
                for (int i = 0; i < 20; ++i)
                    control.resume();
            });
            start.arrive_and_wait();
            control.stop();
            pauses.join();
            resumes.join();
            QCOMPARE(control.request(), Request::Stop);
            QVERIFY(!control.paused());
            control.waitWhilePaused(); // does not block
        }
    }

    void lanesWaitUntilResumed() {
        RunControl control;
        control.pause();
        std::atomic<int> arrived = 0;
        std::atomic<int> left = 0;
        std::vector<std::thread> lanes;
        for (int lane = 0; lane < 4; ++lane)
            lanes.emplace_back([&] {
                ++arrived;
                control.waitWhilePaused();
                ++left;
            });
        const bool allArrived = eventually([&] { return arrived == 4; });
        std::this_thread::sleep_for(50ms);
        const int leftBefore = left;
        control.resume();
        for (std::thread& lane : lanes)
            lane.join();
        QVERIFY(allArrived);
        QCOMPARE(leftBefore, 0);
        QCOMPARE(left.load(), 4);
    }

    void aStopReleasesWhoeverWaits_data() {
        QTest::addColumn<bool>("now");
        QTest::newRow("stop") << false;
        QTest::newRow("stop now") << true;
    }
    void aStopReleasesWhoeverWaits() {
        QFETCH(bool, now);
        RunControl control;
        control.pause();
        std::thread lane([&] { control.waitWhilePaused(); });
        now ? control.stopNow() : control.stop();
        lane.join(); // or the test hangs
        QCOMPARE(control.request(), now ? Request::StopNow : Request::Stop);
    }

    // Four lanes that wait together have paused once: at least what each slept, at most what has passed.
    void overlappingWaitsCountOnce() {
        RunControl control;
        const Stopwatch stopwatch;
        control.pause();
        std::atomic<int> told = 0;
        control.setPauseListener([&](bool waiting) { told += waiting; });
        std::vector<std::thread> lanes;
        for (int lane = 0; lane < 4; ++lane)
            lanes.emplace_back([&] { control.waitWhilePaused(); });
        const bool toldOnce = eventually([&] { return told == 1; });
        std::this_thread::sleep_for(200ms);
        control.resume();
        for (std::thread& lane : lanes)
            lane.join();
        QVERIFY(toldOnce);
        QVERIFY(control.pausedSeconds() >= 0.2);
        QVERIFY(control.pausedSeconds() <= stopwatch.seconds());
        control.reset();
        QVERIFY(!(control.pausedSeconds() > 0.0));
        control.setPauseListener({});
    }

    // However verbs and lanes interleave, the listener hears true, false, true, false, ..., and false at the end.
    void theListenerHearsTurns() {
        RunControl control;
        std::vector<bool> heard; // only the listener touches it
        std::atomic<bool> waits = false;
        control.setPauseListener([&](bool waiting) {
            heard.push_back(waiting);
            waits = waiting;
        });
        std::atomic<bool> done = false;
        std::vector<std::thread> lanes;
        for (int lane = 0; lane < 3; ++lane)
            lanes.emplace_back([&] {
                while (!done)
                    control.waitWhilePaused();
            });
        // Verbs in quick succession may pass lanes that sleep: on a busy machine only those that somebody waits for
        // are sure to be heard.
        constexpr int heardRounds = 30;
        bool eachHeard = true;
        for (int round = 0; round < 3000; ++round) {
            const bool waitForLanes = round % (3000 / heardRounds) == 0;
            control.pause();
            if (waitForLanes)
                eachHeard = eachHeard && eventually([&] { return waits.load(); });
            else if (round % 7 == 0)
                std::this_thread::sleep_for(100us);
            control.resume();
            if (waitForLanes)
                eachHeard = eachHeard && eventually([&] { return !waits; });
        }
        done = true;
        control.resume();
        for (std::thread& lane : lanes)
            lane.join();
        control.setPauseListener({});
        QVERIFY(eachHeard);
        QVERIFY(heard.size() >= std::size_t{2} * heardRounds);
        for (std::size_t i = 0; i < heard.size(); ++i)
            QCOMPARE(bool(heard[i]), i % 2 == 0);
        QCOMPARE(heard.size() % 2, std::size_t{0});
    }

    // The recorder may be late and its receiver may look at the verbs: a listener that blocks holds nobody else up.
    void aListenerThatBlocksHoldsNoVerbUp() {
        RunControl control;
        std::latch inside(1);
        std::latch release(1);
        std::atomic<bool> sawPaused = false;
        control.setPauseListener([&](bool waiting) {
            if (!waiting)
                return;
            sawPaused = control.paused(); // calling back is allowed
            inside.count_down();
            release.wait();
        });
        control.pause();
        std::thread lane([&] { control.waitWhilePaused(); });
        inside.wait();
        const bool paused = control.paused(); // all of these would hang
        const double pausedSeconds = control.pausedSeconds();
        control.stop();
        const Request request = control.request();
        release.count_down();
        lane.join();
        control.setPauseListener({});
        QVERIFY(sawPaused);
        QVERIFY(paused);
        QVERIFY(!(pausedSeconds > 0.0));
        QCOMPARE(request, Request::Stop);
    }
};

QTEST_APPLESS_MAIN(TestRunControl)
} // namespace test_run_control
#include "test_run_control.moc"
