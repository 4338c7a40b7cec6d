// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/event_pump.h"

#include <QElapsedTimer>
#include <QTest>
#include <thread>

namespace test_event_pump {
using namespace accumulus;
using namespace accumulus::ui;

class TestEventPump : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyEventArrivesOnceInOrderOnThisThread();
    void flushDeliversAtOnce();
    void aFlushUpToAnEventLeavesLaterOnes();
    void producerNeverWaitsForTheGui();
};

void TestEventPump::everyEventArrivesOnceInOrderOnThisThread() {
    EventPump pump;
    std::vector<std::int64_t> seen;
    int batches = 0;
    connect(&pump, &EventPump::arrived, this, [&](const std::vector<RunEvent>& events) {
        QCOMPARE(QThread::currentThread(), thread());
        ++batches;
        for (const RunEvent& event : events)
            seen.push_back(std::get<WindowClosed>(event).window.window);
    });
    constexpr int count = 20'000;
    QElapsedTimer timer;
    timer.start();
    std::thread producer([&] {
        for (int i = 0; i < count; ++i) {
            WindowRecord window;
            window.window = i;
            const RunEvent event = WindowClosed{"run", window};
            pump.push({&event, 1});
        }
    });
    QTRY_COMPARE_WITH_TIMEOUT(seen.size(), std::size_t{count}, 20'000);
    producer.join();
    for (int i = 0; i < count; ++i)
        QCOMPARE(seen[static_cast<std::size_t>(i)], i);
    // At most one delivery in 33 ms, and the first at once.
    QVERIFY(batches <= timer.elapsed() / 33 + 2);
}

void TestEventPump::aFlushUpToAnEventLeavesLaterOnes() {
    EventPump pump;
    std::vector<std::int64_t> seen;
    connect(&pump, &EventPump::arrived, this, [&](const std::vector<RunEvent>& events) {
        for (const RunEvent& event : events)
            seen.push_back(std::get<WindowClosed>(event).window.window);
    });
    const auto push = [&pump](std::int64_t number) {
        WindowRecord window;
        window.window = number;
        const RunEvent event = WindowClosed{"run", window};
        pump.push({&event, 1});
    };
    push(0);
    push(1);
    const std::size_t before = pump.pushed();
    push(2);
    pump.flush(before);
    QCOMPARE(seen, (std::vector<std::int64_t>{0, 1}));
    pump.flush(before); // nothing of it is left
    QCOMPARE(seen.size(), std::size_t{2});
    push(3);
    QTRY_COMPARE(seen, (std::vector<std::int64_t>{0, 1, 2, 3})); // without being asked for
}

void TestEventPump::flushDeliversAtOnce() {
    EventPump pump;
    std::size_t seen = 0;
    connect(&pump, &EventPump::arrived, this, [&](const std::vector<RunEvent>& events) { seen += events.size(); });
    const RunEvent event = WindowClosed{"run", {}};
    pump.push({&event, 1});
    QCOMPARE(seen, std::size_t{0}); // not from inside push
    pump.flush();
    QCOMPARE(seen, std::size_t{1});
    pump.flush();
    QTest::qWait(50); // the wake-up that was under way finds nothing
    QCOMPARE(seen, std::size_t{1});
}

void TestEventPump::producerNeverWaitsForTheGui() {
    EventPump pump;
    // No event loop turns while the producer works: it must come to its end all the same.
    std::thread producer([&] {
        const std::vector<RunEvent> batch(500, WindowClosed{"run", {}});
        for (int i = 0; i < 100; ++i)
            pump.push(batch);
    });
    producer.join();
    std::size_t seen = 0;
    connect(&pump, &EventPump::arrived, this, [&](const std::vector<RunEvent>& events) { seen += events.size(); });
    QTRY_COMPARE(seen, std::size_t{50'000});
}

QTEST_MAIN(TestEventPump)
} // namespace test_event_pump
#include "test_event_pump.moc"
