// SPDX-License-Identifier: GPL-3.0-or-later
// The newest windows of a run: their mean cost, and the stairs of the parameter probe.
#include "core/analysis/rank_cost.h"
#include "tests/support/numeric.h"
#include "widgets/models/recent_windows.h"
#include "widgets/pages/live/probe_panel.h"

#include <QTest>

namespace test_recent_windows {
using namespace accumulus;
using namespace accumulus::ui;
using accumulus::test::compareBits;
using accumulus::test::compareRel;

namespace {

constexpr std::int64_t steps = 4;

WindowRecord window(std::int64_t number) {
    WindowRecord record;
    record.window = number;
    record.microSteps = steps;
    record.forwardSeconds = static_cast<double>(number);
    record.updateSeconds = 1.0;
    record.seconds = 0.5 * static_cast<double>(number);
    record.peakBytes = 1000 + number % 7;
    record.lossScale = 65536.0;
    return record;
}

/// The value is the number of updates made; `leaks`: the second micro-step already sees something else.
void addProbed(RecentWindows& recent, std::int64_t number, bool leaks = false) {
    for (std::int64_t step = 0; step <= steps; ++step) {
        const auto updates = static_cast<double>(step < steps ? number - 1 : number);
        recent.add(MicroStepRecord{number, step, {updates + (leaks && step == 1 ? 1e-15 : 0.0), 2.0 * updates}});
    }
    recent.add(window(number));
}

} // namespace

class TestRecentWindows : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void costIsTheMeanOfTheNewestWindows() {
        RecentWindows recent;
        for (std::int64_t number = 1; number <= 80; ++number)
            recent.add(window(number));
        recent.add(window(80)); // known already
        const WindowCost cost = recent.cost();
        QCOMPARE(cost.windows, RecentWindows::maxWindows);
        // Windows 31 to 80: their mean is 55.5. One rounding for each of 50 additions: 50 x 1.1e-16.
        QVERIFY(compareRel(cost.forward, 55.5, 1e-14));
        QVERIFY(compareRel(cost.whole, 27.75, 1e-14));
        QVERIFY(compareRel(cost.parts(), 56.5, 1e-14));
        QCOMPARE(cost.peakBytes, std::int64_t{1006});
        QVERIFY(compareBits(cost.lossScale, 65536.0));
        QVERIFY(RecentWindows().cost() == WindowCost());
    }

    void onlyTheNewestWindowsTellOfRanks() {
        const auto shared = [](std::int64_t number, std::size_t ranks, double waiting) {
            WindowRecord record = window(number);
            record.update = number;
            record.seconds = 1.0;
            record.ranks.resize(ranks);
            for (std::size_t rank = 0; rank < ranks; ++rank) {
                record.ranks[rank].rank = static_cast<std::int64_t>(rank);
                record.ranks[rank].waitingSeconds = rank == 0 ? waiting : 0.5;
                record.ranks[rank].reducingSeconds = 0.125;
            }
            return record;
        };
        RecentWindows recent;
        QVERIFY(recent.rankTotals() == RankTotals());
        for (std::int64_t number = 1; number <= 50; ++number)
            recent.add(shared(number, 2, 0.0)); // rank 1 waits for rank 0 ...
        QCOMPARE(rankCost(recent.rankTotals(), {}, std::nullopt)->slowest, 0);
        QVERIFY(compareBits(recent.cost().waiting, 0.0));
        for (std::int64_t number = 51; number <= 100; ++number)
            recent.add(shared(number, 2, 0.75)); // ... which is no longer the slow one
        const auto cost = rankCost(recent.rankTotals(), {}, std::nullopt);
        QCOMPARE(recent.rankTotals().windows, std::int64_t{50});
        QCOMPARE(cost->slowest, 1);
        QVERIFY(compareBits(cost->waiting, 0.625));        // (0.75 + 0.5) / 2; all exact
        QVERIFY(compareBits(recent.cost().waiting, 0.75)); // of rank 0
        QVERIFY(compareBits(recent.cost().reducing, 0.125));
        QVERIFY(compareRel(recent.cost().parts(), recent.cost().forward + 1.0 + 0.875, 1e-15));
        // On with other numbers of ranks.
        recent.add(shared(101, 3, 0.0));
        QCOMPARE(recent.rankTotals().windows, std::int64_t{1});
        QCOMPARE(recent.rankTotals().ranks.size(), std::size_t{3});
        recent.add(window(102));
        QVERIFY(recent.rankTotals() == RankTotals());
    }

    void supersededRowsLeaveAndComeAgain() {
        RecentWindows recent;
        for (std::int64_t number = 1; number <= 5; ++number)
            addProbed(recent, number);
        recent.truncate(3);
        QCOMPARE(recent.windows().back().window, std::int64_t{3});
        QCOMPARE(recent.probedWindows().back().window, std::int64_t{3});
        RecentWindows later;
        addProbed(later, 3);
        addProbed(later, 4);
        recent.append(later);
        QCOMPARE(recent.windows().size(), std::size_t{4});
        QCOMPARE(recent.probedWindows().size(), std::size_t{4});
        QCOMPARE(recent.probedWindows()[2].microSteps.size(), std::size_t{steps});
    }

    void aProbeThatMovesBeforeTheUpdateIsSeen() {
        RecentWindows recent;
        addProbed(recent, 1);
        addProbed(recent, 2, /*leaks=*/true);
        const auto windows = recent.probedWindows();
        QVERIFY(windows[0].constantUntilUpdate() && windows[0].movedByUpdate());
        QVERIFY(!windows[1].constantUntilUpdate()); // one bit is enough
    }

    void anOpenWindowHasNoUpdateYet() {
        RecentWindows recent;
        addProbed(recent, 1);
        recent.add(MicroStepRecord{2, 0, {1.0, 2.0}});
        const auto windows = recent.probedWindows();
        QVERIFY(!windows[1].updated);
        QVERIFY(!windows[1].movedByUpdate());
        // Its micro-step stands where it will stand when the window is full.
        const auto stairs = probeStairs(windows, steps);
        QVERIFY(compareBits(stairs[0].x.back(), 1.0));
    }

    void theStairsStepAtTheUpdate() {
        RecentWindows recent;
        for (std::int64_t number = 1; number <= 20; ++number)
            addProbed(recent, number);
        const auto windows = recent.probedWindows();
        QCOMPARE(windows.size(), static_cast<std::size_t>(RecentWindows::maxProbed));
        const auto stairs = probeStairs(windows, steps);
        QCOMPARE(stairs.size(), std::size_t{2}); // two elements were recorded
        for (std::size_t i = 1; i < stairs[0].x.size(); ++i) {
            QVERIFY(stairs[0].x[i] >= stairs[0].x[i - 1]);
            // The value changes only where x, the count of windows, is whole and stands still.
            if (stairs[0].y[i] != stairs[0].y[i - 1]) {
                QVERIFY(compareBits(stairs[0].x[i], stairs[0].x[i - 1]));
                QVERIFY(compareBits(stairs[0].x[i], std::floor(stairs[0].x[i])));
            }
        }
        QVERIFY(compareBits(stairs[0].y.front(), 0.0));
        QVERIFY(compareBits(stairs[0].y.back(), 6.0)); // six windows, one update each
        QVERIFY(compareBits(stairs[1].y.back(), 12.0));
        QVERIFY(compareBits(stairs[0].x.back(), 20.0));
        QVERIFY(probeStairs({}, steps).empty());
    }
};

QTEST_MAIN(TestRecentWindows)
} // namespace test_recent_windows
#include "test_recent_windows.moc"
