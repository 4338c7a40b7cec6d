// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of a study that were paused, stopped or killed: they go on as if nothing had happened, and nobody goes on
// with a run that lives.
#include "core/config/config_fields.h"
#include "core/run/study_runner.h"
#include "core/run/verify.h"
#include "core/store/run_reader.h"
#include "core/store/run_store.h"
#include "tests/support/numeric.h"
#include "tests/support/study_fixture.h"
#include "tests/unit/run/stopped_runs.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <thread>

namespace test_study_resume {
using namespace accumulus;
using namespace accumulus::test;

class TestStudyResume : public QObject {
    Q_OBJECT

private:
    std::string m_wholeHash; // of longStudy, never stopped
    std::vector<WindowRecord> m_wholeWindows;

private Q_SLOTS:
    void initTestCase() {
        const TemporaryLibrary library;
        RunControl control;
        Events events;
        const auto outcome = runStudy(longStudy(), library.file(), control, into(events));
        REQUIRE(outcome);
        m_wholeHash = outcome->runs.front().summary.weightsHash;
        m_wholeWindows = events.windowsOf(outcome->runs.front().run);
        QCOMPARE(m_wholeWindows.size(), std::size_t{800});
    }

    // Stopped, then resumed: the same windows and the same weights as a run that was never stopped.
    void aStoppedRunIsResumed_data() {
        QTest::addColumn<bool>("now");
        QTest::newRow("at the boundary") << false;
        QTest::newRow("now") << true;
    }
    void aStoppedRunIsResumed() {
        QFETCH(bool, now);
        const TemporaryLibrary library;
        const std::string run = stoppedRun(longStudy(), library.file(), now);
        QVERIFY2(!run.empty(), "the run ended before it was stopped");
        RunReader reader = library.reader();
        QVERIFY(reader.run(run)->state == RunState::Stopped);
        const auto before = reader.windows(run).value();
        QVERIFY(!before.empty() && before.size() < 800);
        const double startedAt = reader.run(run)->startedAt;
        QVERIFY(startedAt > 0.0 && startedAt <= before.front().wallTime);
        QCOMPARE(checkpointOf(reader, run, CheckpointKind::Last).update, std::int64_t(before.size()));
        QVERIFY(verify(run, {library.file()})->weightsHashAgrees);

        RunControl control;
        const auto resumed = resumeRun(run.substr(0, 8), library.file(), control, {});
        REQUIRE(resumed);
        QVERIFY(resumed->state == RunState::Completed);
        QCOMPARE(resumed->summary.weightsHash, m_wholeHash);
        const auto windows = reader.windows(run).value();
        QCOMPARE(windows.size(), std::size_t{800});
        for (std::size_t i = 0; i < windows.size(); ++i) {
            QCOMPARE(windows[i].window, std::int64_t(i) + 1);
            QVERIFY(compareBits(windows[i].loss, m_wholeWindows[i].loss));
            QVERIFY(compareBits(windows[i].gradNorm, m_wholeWindows[i].gradNorm));
        }
        QVERIFY(std::equal(before.begin(), before.end(), windows.begin()));
        QCOMPARE(reader.run(run)->attempt, 2);
        QVERIFY(compareAbs(reader.run(run)->startedAt, startedAt, 0.0)); // the zero of the wall time
        const auto again = resumeRun(run, library.file(), control, {});
        QVERIFY(!again.has_value());
        QCOMPARE(again.error().code, std::string("run.not-resumable"));
    }

    // What is left of an epoch stays open where it leaks: at the end its loss is none of an update. Killed just before
    // its end, the run says what it would have said.
    void theTrainingLossIsOfTheLastClosedWindow() {
        const TemporaryLibrary library;
        ExperimentConfig experiment = shortStudy();
        experiment.run.batch.tail = TailPolicy::Leak;
        experiment.run.train.length = {3, Extent::Unit::Epochs}; // of 12 and a half windows
        experiment.run.checkpoint.every = {1, Extent::Unit::Epochs};
        RunControl control;
        const auto whole = runStudy(experiment, library.file(), control, {});
        REQUIRE(whole);
        const std::string run = whole->runs.front().run;
        RunReader reader = library.reader();
        const auto windows = reader.windows(run).value();
        QVERIFY(!windows.back().update && windows.back().units > 0);
        {
            RunStore store = library.store();
            REQUIRE(store.setState(run, RunState::Running));
            REQUIRE(store.heartbeat(run, 1000.0));
            const CheckpointRecord last = checkpointOf(reader, run, CheckpointKind::Last);
            REQUIRE(store.removeCheckpoint(run, last.weightsPath));
        }
        const auto resumed = resumeRun(run, library.file(), control, {});
        REQUIRE(resumed);
        QCOMPARE(resumed->summary.weightsHash, whole->runs.front().summary.weightsHash);
        QVERIFY(resumed->summary.finalTrainLoss && whole->runs.front().summary.finalTrainLoss);
        QVERIFY(compareBits(*resumed->summary.finalTrainLoss, *whole->runs.front().summary.finalTrainLoss));
        QVERIFY(compareBits(*reader.run(run)->summary.finalTrainLoss, windows.at(windows.size() - 2).loss));
    }

    // Killed: the library still says running, the last sign of life is old, rows lie beyond the newest bundle, and
    // there may be no bundle yet.
    void aKilledRunIsResumed_data() {
        QTest::addColumn<bool>("bundles");
        QTest::newRow("from its newest bundle") << true;
        QTest::newRow("from the beginning, before its first bundle") << false;
    }
    void aKilledRunIsResumed() {
        QFETCH(bool, bundles);
        const TemporaryLibrary library;
        const std::string run = stoppedRun(longStudy(), library.file(), false, bundles ? 100 : 1);
        QVERIFY2(!run.empty(), "the run ended before it was stopped");
        RunReader reader = library.reader();
        const std::int64_t stopped = reader.windowCount(run).value();
        QVERIFY(!bundles || stopped >= 100);
        constexpr std::int64_t bestOfBefore = 900; // longStudy() has 800 updates
        const fs::path beyond = reader.library().runFolder(run) / "best-00000900.safetensors";
        {
            RunStore store = library.store();
            REQUIRE(store.setState(run, RunState::Running));
            REQUIRE(store.heartbeat(run, 1000.0));
            const auto checkpoints = reader.checkpoints(run).value();
            for (const CheckpointRecord& checkpoint : checkpoints)
                if (checkpoint.kind == CheckpointKind::Last ||
                    (!bundles && checkpoint.kind == CheckpointKind::Periodic)) {
                    fs::remove(checkpoint.bundlePath);
                    fs::remove(checkpoint.weightsPath);
                    REQUIRE(store.removeCheckpoint(run, checkpoint.weightsPath));
                }
            CheckpointRecord best; // of the part that is given up
            best.kind = CheckpointKind::Best;
            best.update = bestOfBefore;
            best.weightsPath = beyond;
            std::ofstream(beyond) << "weights";
            REQUIRE(store.addCheckpoint(run, best));
        }
        RunControl control;
        Events events;
        const auto resumed = resumeRun(run, library.file(), control, into(events));
        REQUIRE(resumed);
        QCOMPARE(resumed->summary.weightsHash, m_wholeHash);
        const RunStarted started = events.of<RunStarted>().at(0);
        QVERIFY(started.resumed);
        QCOMPARE(started.windowsDone, bundles ? stopped / 100 * 100 : 0);
        const auto windows = reader.windows(run).value();
        QCOMPARE(windows.size(), std::size_t{800});
        for (std::size_t i = 0; i < windows.size(); ++i)
            QVERIFY(compareBits(windows[i].loss, m_wholeWindows[i].loss));
        const auto left = reader.checkpoints(run).value();
        QVERIFY(std::ranges::none_of(left, [](const CheckpointRecord& one) { return one.update == bestOfBefore; }));
        QVERIFY(!fs::exists(beyond));
    }

    /// A run that never began, because the program that had it in its queue was killed, begins.
    void aRunThatWaitedWhenItsProgramDiedBegins() {
        const TemporaryLibrary library;
        ExperimentConfig experiment = longStudy();
        experiment.study.seeds = {2, 1};
        QVERIFY2(!stoppedRun(experiment, library.file(), true).empty(), "the run ended before it was stopped");
        RunReader reader = library.reader();
        const auto runs = reader.runs().value();
        const auto waiting = std::ranges::find(runs, 1, &RunRecord::seed);
        QVERIFY(waiting != runs.end());
        {
            RunStore store = library.store();
            REQUIRE(store.setState(waiting->id, RunState::Queued));
            REQUIRE(store.heartbeat(waiting->id, 1000.0));
        }
        RunControl control;
        Events events;
        const auto begun = resumeRun(waiting->id, library.file(), control, into(events));
        REQUIRE(begun);
        QVERIFY(begun->state == RunState::Completed);
        QCOMPARE(begun->summary.weightsHash, m_wholeHash);
        QVERIFY(!events.of<RunStarted>().at(0).resumed);
        QCOMPARE(reader.run(waiting->id)->attempt, 1);
    }

    void aRunWhoseProcessLivesIsNotResumed() {
        const TemporaryLibrary library;
        RunControl control;
        std::string refusal;
        std::string owner;
        // Long enough to be still at work when its start is told.
        const auto outcome = runStudy(longStudy(), library.file(), control, [&](std::span<const RunEvent> events) {
            for (const RunEvent& event : events) {
                const auto* started = std::get_if<RunStarted>(&event);
                if (!started || !refusal.empty())
                    continue;
                RunControl second;
                RunReader reader = library.reader();
                owner = std::to_string(reader.run(started->run.id)->owner.pid);
                const auto again = resumeRun(started->run.id, library.file(), second, {});
                refusal = again ? "resumed" : again.error().code + " " + again.error().argument("process");
            }
        });
        REQUIRE(outcome);
        QCOMPARE(QString::fromStdString(refusal), QString("run.busy %1").arg(thisProcess().pid));
        QCOMPARE(QString::fromStdString(owner), QString::number(thisProcess().pid));
        RunReader reader = library.reader();
        const auto runs = reader.runs().value();
        for (const RunRecord& run : runs)
            QVERIFY(run.owner == RunOwner{}); // nobody answers for what has ended
    }

    /// checkpoint.keep counts over attempts; the last checkpoint of an earlier one is no longer the last.
    void oldCheckpointsGoAfterAResume() {
        const TemporaryLibrary library;
        ExperimentConfig experiment = longStudy();
        experiment.run.checkpoint.initial = true;
        experiment.run.checkpoint.keep = 2;
        experiment.run.checkpoint.every = {20, Extent::Unit::Updates};
        experiment.run.train.length = {400, Extent::Unit::Updates};
        const std::string run = stoppedRun(experiment, library.file(), false);
        QVERIFY2(!run.empty(), "the run ended before it was stopped");
        RunReader reader = library.reader();
        QVERIFY(reader.checkpoints(run).value().size() >= 2); // initial and last, and periodic ones as far as it came
        RunControl control;
        REQUIRE(resumeRun(run, library.file(), control, {}));
        std::map<CheckpointKind, std::vector<std::int64_t>> updates;
        std::set<fs::path> files;
        const auto checkpoints = reader.checkpoints(run).value();
        for (const CheckpointRecord& checkpoint : checkpoints) {
            updates[checkpoint.kind].push_back(checkpoint.update);
            files.insert(checkpoint.weightsPath);
            if (!checkpoint.bundlePath.empty())
                files.insert(checkpoint.bundlePath);
        }
        std::ranges::sort(updates[CheckpointKind::Periodic]);
        QCOMPARE(updates[CheckpointKind::Initial], std::vector<std::int64_t>{0});
        QCOMPARE(updates[CheckpointKind::Periodic], (std::vector<std::int64_t>{380, 400}));
        QCOMPARE(updates[CheckpointKind::Last], std::vector<std::int64_t>{400});
        std::set<fs::path> found;
        for (const auto& entry : fs::directory_iterator(reader.library().runFolder(run)))
            found.insert(entry.path());
        QVERIFY(found == files); // nothing lies about that the library does not know
    }

    void aStopEndsTheStudy() {
        const TemporaryLibrary library;
        ExperimentConfig experiment = longStudy();
        experiment.study.seeds = {1, 2};
        const std::string run = stoppedRun(experiment, library.file(), false);
        QVERIFY2(!run.empty(), "the run ended before it was stopped");
        RunReader reader = library.reader();
        const auto runs = reader.runs().value();
        QCOMPARE(runs.size(), std::size_t{2});
        for (const RunRecord& record : runs) {
            QVERIFY(record.state == RunState::Stopped); // the one that never began does not wait for ever
            QCOMPARE(reader.windowCount(record.id).value() > 0, record.id == run);
        }
    }

    // Paused and resumed from another thread: said so, and nothing of the result changes.
    void aPauseChangesNothing() {
        const TemporaryLibrary library;
        RunControl control;
        std::atomic<bool> paused = false;
        Events events;
        control.pause();
        std::thread person([&] {
            while (!paused)
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            control.resume();
        });
        const auto outcome = runStudy(longStudy(), library.file(), control, [&](std::span<const RunEvent> batch) {
            events(batch);
            for (const RunEvent& event : batch)
                if (const auto* changed = std::get_if<RunStateChanged>(&event);
                    changed && changed->state == RunState::Paused)
                    paused = true;
        });
        person.join();
        REQUIRE(outcome);
        QCOMPARE(outcome->runs.front().summary.weightsHash, m_wholeHash);
        const auto changes = events.of<RunStateChanged>();
        QCOMPARE(changes.size(), std::size_t{2});
        QVERIFY(changes[0].state == RunState::Paused && changes[1].state == RunState::Running);
    }
};

QTEST_APPLESS_MAIN(TestStudyResume)
} // namespace test_study_resume
#include "test_study_resume.moc"
