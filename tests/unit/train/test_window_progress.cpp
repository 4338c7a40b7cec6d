// SPDX-License-Identifier: GPL-3.0-or-later
// What a run tells of its open window is what was committed: micro-step by micro-step, on one lane and on several,
// through a window that is computed anew and one that was stopped in its middle.
#include "core/engine/fault_injection.h"
#include "tests/support/training.h"

#include <QTest>

namespace test_window_progress {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Stops in the middle of window 2, if it is to.
struct Listener final : RecordingObserver {
    Wish proceed() override { return stopAt > 0 && told.size() >= stopAt ? Wish::StopNow : Wish::GoOn; }
    void windowProgressed(const WindowProgress& progress) override { told.push_back(progress); }
    std::vector<WindowProgress> told; ///< the turnstile keeps lanes apart
    std::size_t stopAt = 0;
};

TrainerSetup setupIn(const QTemporaryDir& folder, int lanes) {
    TrainerSetup setup;
    setup.config = tinyConfig(40, 16, 4); // windows of 4, 4 and 2 micro-steps
    setup.config.data.testLimit = 10;
    setup.lanes = {lanes, 1};
    setup.data = loadDataset(setup.config.data, {}).value();
    setup.folder = folder.path().toStdString();
    return setup;
}

struct Stand {
    std::int64_t window = 0, committed = 0;
    bool closed = false;
    bool operator==(const Stand&) const = default;
};

std::vector<Stand> standsOf(const std::vector<WindowProgress>& told) {
    std::vector<Stand> stands;
    for (const WindowProgress& one : told)
        stands.push_back({one.window, one.committed, one.closed});
    return stands;
}

std::vector<Stand> standsOfWindow(std::int64_t window, std::int64_t from, std::int64_t microSteps) {
    std::vector<Stand> stands;
    for (std::int64_t committed = from; committed <= microSteps; ++committed)
        stands.push_back({window, committed, false});
    stands.push_back({window, microSteps, true});
    return stands;
}

std::vector<Stand> joined(std::vector<std::vector<Stand>> parts) {
    std::vector<Stand> all;
    for (const std::vector<Stand>& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

} // namespace

class TestWindowProgress : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isWhatWasCommitted_data() {
        QTest::addColumn<int>("lanes");
        for (const int lanes : {1, 2})
            QTest::addRow("%d lanes", lanes) << lanes;
    }
    void isWhatWasCommitted() {
        QFETCH(int, lanes);
        QTemporaryDir folder;
        TrainerSetup setup = setupIn(folder, lanes);
        std::vector<std::int64_t> committed;
        Listener listener;
        setup.afterCommit = [&](std::int64_t microStep) {
            committed.push_back(microStep + 1);
            if (listener.told.back().committed != microStep + 1)
                committed.push_back(-1);
        };
        QVERIFY(!Trainer::create(setup).value()->train(listener).error);
        QVERIFY((committed == std::vector<std::int64_t>{1, 2, 3, 4, 1, 2, 3, 4, 1, 2}));
        QVERIFY(standsOf(listener.told) ==
                joined({standsOfWindow(1, 0, 4), standsOfWindow(2, 0, 4), standsOfWindow(3, 0, 2)}));
        for (const WindowProgress& one : listener.told) {
            QCOMPARE(one.update, one.window);
            QCOMPARE(one.samples, std::int64_t{one.window < 3 ? 16 : 8});
            QCOMPARE(one.microSteps, std::int64_t{one.window < 3 ? 4 : 2});
        }
    }

    void timesAreThoseOfTheWindow() {
        QTemporaryDir folder;
        Listener listener;
        QVERIFY(!Trainer::create(setupIn(folder, 1)).value()->train(listener).error);
        std::size_t window = 0;
        for (const WindowProgress& one : listener.told) {
            if (!one.closed)
                continue;
            const WindowRecord& record = listener.windows.at(window++);
            QVERIFY(one.forwardSeconds > 0.0);
            QVERIFY(one.dataSeconds == record.dataSeconds && one.forwardSeconds == record.forwardSeconds); // same sums
            QVERIFY(one.backwardSeconds == record.backwardSeconds && one.commitSeconds == record.commitSeconds);
        }
        QCOMPARE(window, 3U);
    }

    void aWindowThatIsStoppedGoesOnWhereItStood() {
        QTemporaryDir folder;
        Listener listener;
        listener.stopAt = standsOfWindow(1, 0, 4).size() + 3; // window 2: begun, and two micro-steps
        QVERIFY(Trainer::create(setupIn(folder, 1)).value()->train(listener).stopped);
        QVERIFY((standsOf(listener.told).back() == Stand{2, 2, false}));
        const auto trainer = Trainer::create(setupIn(folder, 1)).value();
        QVERIFY(trainer->restore(listener.checkpoints.back().bundlePath).has_value());
        Listener rest;
        QVERIFY(!trainer->train(rest).error);
        QVERIFY(standsOf(rest.told) == joined({standsOfWindow(2, 2, 4), standsOfWindow(3, 0, 2)}));
    }

    void aWindowThatIsComputedAnewBeginsAnew() {
        QTemporaryDir folder;
        TrainerSetup setup = setupIn(folder, 1);
        setup.config.batch.lean = true; // added in place: a fault in it takes the whole window back
        bool failed = false;
        setup.fault = [&](FaultPoint point, std::int64_t window, std::int64_t microStep) {
            if (point == FaultPoint::Backward && window == 1 && microStep == 2 && !std::exchange(failed, true))
                throw std::runtime_error("injected");
        };
        Listener listener;
        QVERIFY(!Trainer::create(setup).value()->train(listener).error);
        QVERIFY(failed);
        const std::vector<Stand> before{{1, 0, false}, {1, 1, false}, {1, 2, false}};
        QVERIFY(standsOf(listener.told) ==
                joined({before, standsOfWindow(1, 0, 4), standsOfWindow(2, 0, 4), standsOfWindow(3, 0, 2)}));
    }
};

QTEST_GUILESS_MAIN(TestWindowProgress)
} // namespace test_window_progress
#include "test_window_progress.moc"
