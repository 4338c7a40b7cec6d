// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of recovery by themselves: parts, scales, what is tried again and what is given up.
#include "core/engine/recovery.h"

#include <QTest>
#include <new>
#include <numeric>
#include <stdexcept>

namespace test_recovery {
using namespace accumulus;

namespace {

std::exception_ptr problem(bool memory) {
    return memory ? std::make_exception_ptr(std::bad_alloc()) : std::make_exception_ptr(std::runtime_error("planted"));
}

} // namespace

class TestRecovery : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void partsAddUpAndNoneIsTooSmall() {
        using Parts = std::vector<std::int64_t>;
        QCOMPARE(partsOf(8, 0, 1), (Parts{8}));
        QCOMPARE(partsOf(8, 3, 1), (Parts{3, 3, 2}));
        QCOMPARE(partsOf(5, 2, 2), (Parts{2, 3}));
        QCOMPARE(partsOf(3, 2, 2), (Parts{3})); // rather one that is too large than one without a variance
        for (std::int64_t samples = 1; samples <= 40; ++samples)
            for (std::int64_t largest = 0; largest <= 40; ++largest)
                for (std::int64_t smallest = 1; smallest <= 4; ++smallest) {
                    const auto parts = partsOf(samples, largest, smallest);
                    QCOMPARE(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}), samples);
                    for (const std::int64_t part : parts)
                        QVERIFY(part >= std::min(samples, smallest));
                }
    }

    void aFaultIsTriedOnceMoreAndAWindowTwice() {
        for (const auto& [scope, retries] :
             {std::pair(Recovery::Scope::MicroStep, 1), std::pair(Recovery::Scope::Window, 2)}) {
            Recovery recovery({});
            recovery.beginWindow();
            Recovery::Attempt attempt;
            for (int i = 0; i < retries; ++i)
                attempt = recovery.afterFailure(attempt, problem(false), 8, scope);
            QCOMPARE(static_cast<int>(recovery.report().faults.size()), retries);
            QVERIFY_THROWS_EXCEPTION(std::runtime_error,
                                     attempt = recovery.afterFailure(attempt, problem(false), 8, scope));
        }
    }

    void memoryHalvesThePartsDownToTheSmallest() {
        Recovery recovery({.smallestPart = 2});
        recovery.beginWindow();
        Recovery::Attempt attempt;
        for (const std::int64_t expected : {8, 4, 2}) {
            attempt = recovery.afterFailure(attempt, problem(true), 16, Recovery::Scope::MicroStep);
            QVERIFY(attempt.alone);
            QCOMPARE(recovery.largestPart(), expected);
            attempt.part = expected;
        }
        QVERIFY_THROWS_EXCEPTION(
            std::bad_alloc, attempt = recovery.afterFailure(attempt, problem(true), 16, Recovery::Scope::MicroStep));
        Recovery stops({.resplit = false});
        QVERIFY_THROWS_EXCEPTION(std::bad_alloc,
                                 attempt = stops.afterFailure({}, problem(true), 16, Recovery::Scope::MicroStep));
    }

    // Two lanes run out of memory at the same size: the part is halved once.
    void aPartThatAnotherLaneHasHalvedIsNotHalvedAgain() {
        Recovery recovery({});
        recovery.beginWindow();
        (void)recovery.afterFailure({}, problem(true), 16, Recovery::Scope::MicroStep);
        (void)recovery.afterFailure({}, problem(true), 16, Recovery::Scope::MicroStep);
        QCOMPARE(recovery.largestPart(), 8);
    }

    void partsKeepGroupsWhole() {
        Recovery recovery({.smallestPart = 1, .partMultiple = 4});
        recovery.beginWindow();
        Recovery::Attempt attempt = recovery.afterFailure({}, problem(true), 12, Recovery::Scope::MicroStep);
        QCOMPARE(recovery.largestPart(), 8); // half would cut a group of four
        attempt.part = 8;
        attempt = recovery.afterFailure(attempt, problem(true), 12, Recovery::Scope::MicroStep);
        QCOMPARE(recovery.largestPart(), 4);
        attempt.part = 4;
        QVERIFY_THROWS_EXCEPTION(
            std::bad_alloc, attempt = recovery.afterFailure(attempt, problem(true), 12, Recovery::Scope::MicroStep));
    }

    void partsGrowAgainAfterWindowsThatFit() {
        Recovery recovery({});
        recovery.beginWindow();
        Recovery::Attempt attempt = recovery.afterFailure({}, problem(true), 16, Recovery::Scope::MicroStep);
        attempt.part = 8;
        (void)recovery.afterFailure(attempt, problem(true), 16, Recovery::Scope::MicroStep);
        recovery.endWindow(16);
        QCOMPARE(recovery.largestPart(), 4);
        for (int window = 0; window < Recovery::windowsBeforeGrowth; ++window) {
            recovery.beginWindow();
            recovery.endWindow(16);
        }
        QCOMPARE(recovery.largestPart(), 8);
        for (int window = 0; window < Recovery::windowsBeforeGrowth; ++window) {
            recovery.beginWindow();
            recovery.endWindow(16);
        }
        QCOMPARE(recovery.largestPart(), 0);
    }

    void theScaleFallsUntilItCannot() {
        Recovery recovery({.lowersScale = true});
        recovery.beginWindow();
        Recovery::Attempt attempt{.scale = 4.0};
        for (const double expected : {2.0, 1.0}) {
            const auto lower = recovery.afterOverflow(attempt);
            QVERIFY(lower && lower->scale == expected);
            attempt = *lower;
        }
        QVERIFY(!recovery.report().overflowed);
        QVERIFY(!recovery.afterOverflow(attempt));
        QVERIFY(recovery.report().overflowed);
        QCOMPARE(recovery.report().overflows, 2);
        Recovery fixed({});
        QVERIFY(!fixed.afterOverflow({.scale = 4.0}));
    }
};

QTEST_APPLESS_MAIN(TestRecovery)
} // namespace test_recovery
#include "test_recovery.moc"
