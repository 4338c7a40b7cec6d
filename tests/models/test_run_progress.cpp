// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/numeric.h"
#include "widgets/models/run_progress.h"

#include <QTest>

namespace test_run_progress {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

namespace {

RunRecord planned(const char* id, Arm arm) {
    RunRecord run;
    run.id = id;
    run.arm = arm;
    run.totalUpdates = 100;
    return run;
}

/// Windows from..to of 10 samples and 4 micro-steps, one every `seconds`.
std::vector<RunEvent> windows(const char* run, int from, int to, double seconds) {
    std::vector<RunEvent> events;
    for (int i = from; i <= to; ++i) {
        WindowRecord window;
        window.window = i;
        window.update = i;
        window.samples = 10 * i;
        window.microSteps = 4;
        window.seconds = seconds;
        window.wallTime = 1000.0 + seconds * i;
        events.push_back(WindowClosed{run, window});
    }
    return events;
}

RunProgress twoArms() {
    RunProgress progress;
    const RunRecord a = planned("a", Arm::Accumulated);
    const RunRecord b = planned("b", Arm::LargeBatch);
    progress.take({StudyStarted{{}, {a, b}}, RunStarted{a}});
    return progress;
}

} // namespace

class TestRunProgress : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void countsTheUnitsOfTheCurrentRun();
    void fractionCoversTheStudy();
    void noEstimateBeforeTwentyUpdates();
    void theShownRangeStaysForASecond();
    void steadySpeedGivesANarrowRange();
    void anotherArmAtItsOwnSpeed();
    void pausesAreNoTrainingTime();
    void aResumedStudyCountsAllItsRuns();
    void aResumedRunGoesOnCounting();
    void unitsOfTheLossAreNoSamples();
};

void TestRunProgress::countsTheUnitsOfTheCurrentRun() {
    RunProgress progress = twoArms();
    progress.take(windows("a", 1, 8, 0.1));
    QCOMPARE(progress.counters().updates, 8);
    QCOMPARE(progress.counters().microSteps.value_or(-1), 32);
    QCOMPARE(progress.counters().samples, 80);
    QVERIFY(compareRel(progress.samplesPerSecond(), 100.0, 1e-12));
    // A window without an update counts its micro-steps and samples only.
    WindowRecord dropped;
    dropped.window = 9;
    dropped.samples = 84;
    dropped.microSteps = 2;
    progress.take({WindowClosed{"a", dropped}});
    QCOMPARE(progress.counters().updates, 8);
    QCOMPARE(progress.counters().microSteps.value_or(-1), 34);
    QCOMPARE(progress.counters().samples, 84);
}

void TestRunProgress::fractionCoversTheStudy() {
    RunProgress progress = twoArms();
    QVERIFY(compareAbs(progress.fraction(), 0.0, 0.0));
    progress.take(windows("a", 1, 50, 0.1));
    QVERIFY(compareRel(progress.fraction(), 0.25, 1e-12));
    RunSummary summary;
    summary.updates = 100;
    progress.take({RunFinished{"a", RunState::Completed, summary, Arm::Accumulated, 0, {}}});
    QVERIFY(compareRel(progress.fraction(), 0.5, 1e-12));
    QCOMPARE(progress.finishedRuns(), std::size_t{1});
}

void TestRunProgress::noEstimateBeforeTwentyUpdates() {
    RunProgress progress = twoArms();
    progress.take(windows("a", 1, 19, 0.1));
    QVERIFY(!progress.remaining());
    progress.take(windows("a", 20, 20, 0.1));
    QVERIFY(progress.remaining());
}

// Header and status bar ask at different moments.
void TestRunProgress::theShownRangeStaysForASecond() {
    RunProgress progress = twoArms();
    progress.take(windows("a", 1, 20, 0.1)); // 2 s of the run
    QVERIFY(progress.shownRemaining());
    const double before = progress.shownRemaining()->longest;
    progress.take(windows("a", 21, 24, 0.1));
    QVERIFY(progress.remaining()->longest < before - 0.3);
    QVERIFY(compareAbs(progress.shownRemaining()->longest, before, 0.0));
    progress.take(windows("a", 25, 31, 0.1));
    QVERIFY(progress.shownRemaining()->longest < before - 0.3);
}

void TestRunProgress::steadySpeedGivesANarrowRange() {
    RunProgress progress = twoArms();
    progress.take(windows("a", 1, 40, 0.1));
    const auto range = progress.remaining();
    QVERIFY(range);
    // 60 updates of this run and 100 of the other at 0.1 s; wall times near 1000 have an error of 1e-13, so differences
    // of 0.7 s one of 1e-12.
    QVERIFY(compareRel(range->shortest, 16.0, 1e-9));
    QVERIFY(compareRel(range->longest, 16.0, 1e-9));
}

void TestRunProgress::anotherArmAtItsOwnSpeed() {
    RunProgress progress = twoArms();
    progress.take(windows("a", 1, 100, 0.1));
    RunSummary summary;
    summary.updates = 100;
    summary.activeSeconds = 10.0;
    progress.take({RunFinished{"a", RunState::Completed, summary, Arm::Accumulated, 0, {}},
                   RunStarted{planned("b", Arm::LargeBatch)}});
    progress.take(windows("b", 1, 50, 0.4));
    const auto range = progress.remaining();
    QVERIFY(range);
    QVERIFY(compareRel(range->longest, 20.0, 1e-9)); // 50 updates at 0.4 s, none of the other arm
}

void TestRunProgress::pausesAreNoTrainingTime() {
    RunProgress progress = twoArms();
    progress.take(windows("a", 1, 30, 0.1));
    std::vector<RunEvent> after = windows("a", 31, 40, 0.1);
    for (RunEvent& event : after) // an hour of pause inside window 31
        std::get<WindowClosed>(event).window.wallTime += 3600.0;
    progress.take({RunStateChanged{"a", RunState::Paused}, RunStateChanged{"a", RunState::Running}});
    progress.take(after);
    const auto range = progress.remaining();
    QVERIFY(range);
    QVERIFY(compareRel(range->shortest, 16.0, 1e-9)); // 160 updates at 0.1 s
    QVERIFY(compareRel(range->longest, 16.0, 1e-9));
}

void TestRunProgress::aResumedStudyCountsAllItsRuns() {
    RunRecord done = planned("a", Arm::Accumulated);
    done.state = RunState::Completed;
    done.summary.updates = 100;
    RunRecord stopped = planned("b", Arm::LargeBatch);
    stopped.state = RunState::Stopped;
    stopped.summary.updates = 40;
    RunRecord notStarted = planned("c", Arm::Accumulated);
    notStarted.state = RunState::Stopped;
    notStarted.totalUpdates = 0;
    RunProgress progress;
    progress.resume({done, stopped, notStarted}, {QStringLiteral("b")});
    QCOMPARE(progress.runCount(), std::size_t{3});
    QCOMPARE(progress.finishedRuns(), std::size_t{1});
    QCOMPARE(progress.currentNumber(), std::size_t{2});
    progress.take({RunStarted{stopped, true, 40, 40}});
    QCOMPARE(progress.runCount(), std::size_t{3});
    QCOMPARE(progress.currentNumber(), std::size_t{2});
    progress.take(windows("b", 41, 70, 0.1));
    const auto range = progress.remaining();
    QVERIFY(range);
    QVERIFY(compareRel(range->longest, 3.0, 1e-9)); // 30 updates of b; c stays as it is
    QVERIFY(compareRel(progress.fraction(), 170.0 / 300.0, 1e-12));
}

void TestRunProgress::aResumedRunGoesOnCounting() {
    RunRecord run = planned("a", Arm::Accumulated);
    run.summary.updates = 40;
    run.summary.microSteps = 160;
    run.summary.samples = 400;
    RunProgress progress;
    progress.take({RunStarted{run, true, 40, 40}});
    progress.take(windows("a", 41, 42, 0.1));
    QCOMPARE(progress.counters().updates, 42);
    QCOMPARE(progress.counters().microSteps.value_or(-1), 168);
    QCOMPARE(progress.counters().samples, 420);
    // Two updates were lost with the crash: their micro-steps are not made up.
    RunProgress behind;
    behind.take({RunStarted{run, true, 38, 38}});
    behind.take(windows("a", 39, 39, 0.1));
    QCOMPARE(behind.counters().updates, 39);
    QCOMPARE(behind.counters().samples, 390);
    QVERIFY(!behind.counters().microSteps);
}

void TestRunProgress::unitsOfTheLossAreNoSamples() {
    RunRecord run = planned("a", Arm::Accumulated);
    run.summary.updates = 40; // two of them were lost with the crash
    run.summary.samples = 400;
    RunProgress progress;
    progress.take({RunStarted{run, true, 38, 38}});
    WindowRecord tokens;
    tokens.window = tokens.update.emplace(39);
    tokens.samples = 390;
    tokens.units = 640.0; // tokens, or weights of classes
    tokens.seconds = 0.1;
    progress.take({WindowClosed{"a", tokens}});
    QVERIFY(compareBits(progress.samplesPerSecond(), 0.0)); // of how many samples is not known
    progress.take(windows("a", 40, 41, 0.1));
    QVERIFY(compareRel(progress.samplesPerSecond(), 100.0, 1e-12));
}

QTEST_APPLESS_MAIN(TestRunProgress)
} // namespace test_run_progress
#include "test_run_progress.moc"
