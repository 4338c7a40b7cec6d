// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes that share a piece of work: every part is done once, on as many threads as there are, and what one of them
// throws arrives.
#include "core/engine/lane_pool.h"

#include <QTest>
#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

namespace test_lane_pool {
using namespace accumulus;

class TestLanePool : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyPartIsDoneOnce_data() {
        QTest::addColumn<int>("lanes");
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("atOnce");
        QTest::newRow("1 x 1") << 1 << 1 << 1;
        QTest::newRow("1 x 2") << 1 << 2 << 2;
        QTest::newRow("2 x 1") << 2 << 1 << 2;
        QTest::newRow("3 x 2") << 3 << 2 << 3;
    }
    void everyPartIsDoneOnce() {
        QFETCH(int, lanes);
        QFETCH(int, threads);
        LanePool pool(lanes, threads);
        QTEST(pool.atOnce(), "atOnce");
        for (const std::int64_t parts : {0, 1, 2, 7, 1000}) {
            std::vector<std::atomic<int>> done(static_cast<std::size_t>(parts));
            pool.forEach(parts, [&](std::int64_t part) { ++done[static_cast<std::size_t>(part)]; });
            QVERIFY(std::ranges::all_of(done, [](const std::atomic<int>& times) { return times == 1; }));
        }
    }

    void aFailureArrives_data() { everyPartIsDoneOnce_data(); }
    void aFailureArrives() {
        QFETCH(int, lanes);
        QFETCH(int, threads);
        LanePool pool(lanes, threads);
        const auto failing = [](std::int64_t part) {
            if (part == 5)
                throw std::runtime_error("part 5");
        };
        QVERIFY_EXCEPTION_THROWN(pool.forEach(8, failing), std::runtime_error);
        std::atomic<int> done = 0; // and it goes on working
        pool.forEach(8, [&](std::int64_t) { ++done; });
        QCOMPARE(done.load(), 8);
    }
};

QTEST_APPLESS_MAIN(TestLanePool)
} // namespace test_lane_pool
#include "test_lane_pool.moc"
