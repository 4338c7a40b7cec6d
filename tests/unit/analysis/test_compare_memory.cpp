// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of the memory of two arms: the saving is of training, of pairs, and not of evaluations that take more.
#include "tests/unit/analysis/compared_run.h"

#include <QTest>

namespace test_compare_memory {
using namespace accumulus;
using namespace accumulus::test;

namespace {

ComparedRun runOf(Arm arm, std::int64_t seed, std::int64_t training, std::int64_t evaluation) {
    ComparedRun run = completedRun(arm, seed, 0.9, 0.3);
    run.peakBytes = training;
    run.ends.evaluationPeakBytes = evaluation;
    return run;
}

Comparison compared(std::int64_t evaluation, std::int64_t largeSeed = 0) {
    ComparisonInput input;
    input.groupA = {runOf(Arm::Accumulated, 0, 10'000'000, evaluation)};
    input.groupB = {runOf(Arm::LargeBatch, largeSeed, 40'000'000, 50'000'000)};
    return compareGroups(input);
}

} // namespace

class TestCompareMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void evaluationsThatTakeMoreAreNamed() {
        const Comparison more = compared(29'700'000);
        QVERIFY(more.saving && more.evaluationMemory);
        QCOMPARE(messageText(*more.evaluationMemory),
                 std::string("That is training alone: evaluations of the accumulated arm take up to 29.7 MB."));
        const Comparison less = compared(9'000'000);
        QVERIFY(less.saving && !less.evaluationMemory);
    }

    /// Beside "there is nothing to compare" no number compares them.
    void withoutAPairNothingIsSaved() {
        const Comparison apart = compared(29'700'000, 1);
        QVERIFY(apart.pairs.empty());
        QVERIFY(!apart.saving && !apart.evaluationMemory);
    }
};

QTEST_APPLESS_MAIN(TestCompareMemory)
} // namespace test_compare_memory
#include "test_compare_memory.moc"
