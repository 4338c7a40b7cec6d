// SPDX-License-Identifier: GPL-3.0-or-later
// What runs cost: mean and range over those that measured it, and a machine that was busy with something else.
#include "core/analysis/compare.h"
#include "tests/support/numeric.h"

#include <QTest>

namespace test_group_cost {
using namespace accumulus;
using namespace accumulus::test;

namespace {

using Group = std::vector<ComparedRun>;

std::string textOf(const Spread& spread) {
    return messageText(spreadMessage(spread, [](double value) { return std::to_string(std::lround(value)); }));
}

std::string warningOf(const Group& a, const Group& b) {
    const auto busy = busyMachine({groupCost(a), groupCost(b)});
    return busy ? messageText(*busy) : std::string();
}

} // namespace

class TestGroupCost : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void meanAndRangeAreOfTheRunsThatMeasured() {
        Group group(3);
        QVERIFY(!groupCost(group).samplesPerSecond.isKnown());
        QCOMPARE(textOf(groupCost(group).samplesPerSecond), std::string("–"));
        group[1].samplesPerSecond = 200.0;
        QCOMPARE(textOf(groupCost(group).samplesPerSecond), std::string("200")); // one run has no range
        group[2].samplesPerSecond = 100.0;
        const Spread speed = groupCost(group).samplesPerSecond;
        QCOMPARE(speed.runs, std::size_t{2});
        QVERIFY(compareBits(speed.mean, 150.0) && compareBits(speed.lowest, 100.0) &&
                compareBits(speed.highest, 200.0));
        QCOMPARE(textOf(speed), std::string("150 (100 to 200)"));
        group[0].activeSeconds = 3.0;
        group[0].peakBytes = 5;
        QVERIFY(compareBits(groupCost(group).activeSeconds.mean, 3.0)); // each cost by itself
        QVERIFY(compareBits(groupCost(group).peakBytes.highest, 5.0));
    }

    void aBusyMachineIsTold() {
        Group a(2), b(2);
        QCOMPARE(warningOf(a, b), std::string()); // nobody knows
        a[0].ends.othersShare = 0.02;
        b[1].ends.othersShare = comparableLoad;
        QCOMPARE(warningOf(a, b), std::string());
        b[1].ends.othersShare = 0.43;
        const std::string told = "Other programs used up to 43 % of the processor while these runs trained: times are "
                                 "not comparable.";
        QCOMPARE(warningOf(a, b), told);
        QCOMPARE(warningOf(b, a), told);
    }
};

QTEST_APPLESS_MAIN(TestGroupCost)
} // namespace test_group_cost
#include "test_group_cost.moc"
