// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/lr_schedule.h"
#include "tests/support/numeric.h"

#include <QtTest>

namespace test_lr_schedule {
using namespace accumulus;
using accumulus::test::compareAbs;

namespace {

// Every value is lr times at most four roundings of numbers of order one: 1e-15 is 4 units in the last place of 0.1
// to 1.
constexpr double tolerance = 1e-15;

double rate(ScheduleKind kind, std::int64_t update, std::int64_t warmup, std::int64_t total, double floor = 0.0,
            std::int64_t every = 0) {
    OptimizerConfig optimizer;
    optimizer.lr = 0.8;
    ScheduleConfig schedule;
    schedule.kind = kind;
    schedule.finalLrFraction = floor;
    schedule.stepFactor = 0.5;
    return scheduledLr(optimizer, schedule, update, warmup, total, every);
}

} // namespace

class TestLrSchedule : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void constantKeepsTheRate() {
        for (const std::int64_t update : {1, 2, 10, 11})
            QVERIFY(compareAbs(rate(ScheduleKind::Constant, update, 0, 10), 0.8, 0.0));
    }

    void warmupRisesToTheFullRateAtItsLastUpdate() {
        for (const ScheduleKind kind :
             {ScheduleKind::Constant, ScheduleKind::Linear, ScheduleKind::Cosine, ScheduleKind::Step}) {
            QVERIFY(compareAbs(rate(kind, 1, 4, 12, 0.0, 2), 0.2, tolerance));
            QVERIFY(compareAbs(rate(kind, 2, 4, 12, 0.0, 2), 0.4, tolerance));
            QVERIFY(compareAbs(rate(kind, 3, 4, 12, 0.0, 2), 0.6, tolerance));
            QVERIFY(compareAbs(rate(kind, 4, 4, 12, 0.0, 2), 0.8, tolerance));
            // The schedule proper starts behind the warm-up, not at the start of the run: no jump.
            QVERIFY(compareAbs(rate(kind, 5, 4, 12, 0.0, 2), 0.8, tolerance));
        }
    }

    void linearFallsOverTheRemainingUpdates() {
        // 8 updates after a warm-up of 4: eighths of the way from 0.8 to 0.
        QVERIFY(compareAbs(rate(ScheduleKind::Linear, 6, 4, 12), 0.7, tolerance));
        QVERIFY(compareAbs(rate(ScheduleKind::Linear, 9, 4, 12), 0.4, tolerance));
        QVERIFY(compareAbs(rate(ScheduleKind::Linear, 12, 4, 12), 0.1, tolerance));
        QVERIFY(compareAbs(rate(ScheduleKind::Linear, 13, 4, 12), 0.0, tolerance));
        // To a quarter: 0.8 (1 - 0.75 t / 8).
        QVERIFY(compareAbs(rate(ScheduleKind::Linear, 9, 4, 12, 0.25), 0.5, tolerance));
        QVERIFY(compareAbs(rate(ScheduleKind::Linear, 13, 4, 12, 0.25), 0.2, tolerance));
    }

    void cosineMatchesHandValues() {
        // t / T = 0, 1/3, 1/2, 2/3, 1: cos = 1, 1/2, 0, -1/2, -1, so lr (1 + cos) / 2 = 0.8, 0.6, 0.4, 0.2, 0.
        QVERIFY(compareAbs(rate(ScheduleKind::Cosine, 1, 0, 6), 0.8, tolerance));
        QVERIFY(compareAbs(rate(ScheduleKind::Cosine, 3, 0, 6), 0.6, tolerance));
        QVERIFY(compareAbs(rate(ScheduleKind::Cosine, 4, 0, 6), 0.4, tolerance));
        QVERIFY(compareAbs(rate(ScheduleKind::Cosine, 5, 0, 6), 0.2, tolerance));
        QVERIFY(compareAbs(rate(ScheduleKind::Cosine, 7, 0, 6), 0.0, tolerance));
        // To a tenth: 0.8 (0.1 + 0.9 x 0.5).
        QVERIFY(compareAbs(rate(ScheduleKind::Cosine, 4, 0, 6, 0.1), 0.44, tolerance));
    }

    void beyondTheEndTheRateStaysAtItsFloor() {
        QVERIFY(compareAbs(rate(ScheduleKind::Linear, 100, 0, 6, 0.25), 0.2, tolerance));
        QVERIFY(compareAbs(rate(ScheduleKind::Cosine, 100, 0, 6, 0.25), 0.2, tolerance));
    }

    void stepDecaysOncePerInterval() {
        // Three updates each at 0.8, 0.4, 0.2.
        const double expected[] = {0.8, 0.8, 0.8, 0.4, 0.4, 0.4, 0.2};
        for (std::int64_t update = 1; update <= 7; ++update)
            QVERIFY(compareAbs(rate(ScheduleKind::Step, update, 0, 9, 0.0, 3), expected[update - 1], tolerance));
        // The interval counts from the end of the warm-up.
        QVERIFY(compareAbs(rate(ScheduleKind::Step, 5, 2, 9, 0.0, 3), 0.8, tolerance));
        QVERIFY(compareAbs(rate(ScheduleKind::Step, 6, 2, 9, 0.0, 3), 0.4, tolerance));
    }

    void degenerateLengthsStayFinite() {
        for (const ScheduleKind kind :
             {ScheduleKind::Constant, ScheduleKind::Linear, ScheduleKind::Cosine, ScheduleKind::Step}) {
            QVERIFY(compareAbs(rate(kind, 1, 0, 0), 0.8, tolerance));
            QVERIFY(compareAbs(rate(kind, 1, 0, 1), 0.8, tolerance));
            QVERIFY(compareAbs(rate(kind, 5, 4, 4), 0.8, tolerance));
            QVERIFY(compareAbs(rate(kind, 2, 4, 3), 0.4, tolerance));
        }
    }
};

QTEST_APPLESS_MAIN(TestLrSchedule)
} // namespace test_lr_schedule
#include "test_lr_schedule.moc"
