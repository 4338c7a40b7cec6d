// SPDX-License-Identifier: GPL-3.0-or-later
// The recorder between trainer and library: nothing is lost, everything is in order, a resume takes the place of what
// was beyond it, and runs give signs of life.
#include "core/store/run_reader.h"
#include "tests/unit/run/threads/recorder_fixture.h"

#include <atomic>
#include <thread>

namespace test_recorder {
using namespace accumulus;
using namespace accumulus::test;

class TestRecorder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Where a journal has been read to is written with its events or not at all: read again from there, none is missed
    // and none comes twice.
    void aJournalsEventsCountWithTheirPlace() {
        const LibraryFolder folder;
        LaunchRecord launch;
        launch.id = uuid(9);
        launch.name = "far";
        launch.createdAt = 1.0;
        REQUIRE(folder.store().addLaunch(launch));
        const auto read = [&](std::vector<RunEvent> events, std::int64_t bytes) {
            Recorder recorder(storeOf(folder), {});
            launch.readBytes = bytes;
            launch.study = makeStudy().id;
            (void)recorder.post(std::move(events), launch);
            return recorder.flush();
        };
        const RunRecord run = makeRun(1, makeStudy().id);
        REQUIRE(read({StudyStarted{makeStudy(), {run}}, RunStarted{run, false, 0, 0}}, 100));
        REQUIRE(read({WindowClosed{run.id, makeWindow(1)}}, 200));
        QCOMPARE(folder.reader().launches()->front().readBytes, std::int64_t{200});
        // The second of these is there already.
        QVERIFY(!read({WindowClosed{run.id, makeWindow(2)}, WindowClosed{run.id, makeWindow(1)}}, 300));
        QCOMPARE(folder.reader().launches()->front().readBytes, std::int64_t{200});
        QCOMPARE(folder.reader().windows(run.id)->size(), std::size_t{1});
        REQUIRE(read({WindowClosed{run.id, makeWindow(2)}}, 300));
        QCOMPARE(folder.reader().launches()->front().readBytes, std::int64_t{300});
        QCOMPARE(folder.reader().windows(run.id)->size(), std::size_t{2});
    }

    // Rows equal what was posted, bit for bit, and the receiver gets the events in the order of posting, each batch
    // after its rows can be read.
    void everythingIsWrittenAndPublishedInOrder() {
        const LibraryFolder folder;
        Received received;
        std::atomic<int> early = 0;
        RunEventReceiver keep = received.receiver();
        RunStore store = storeOf(folder); // creates the file
        {
            Recorder recorder(std::move(store), [&](std::span<const RunEvent> events) {
                RunReader reader = folder.reader();
                for (const RunEvent& event : events)
                    if (const auto* closed = std::get_if<WindowClosed>(&event))
                        early += reader.windowCount(closed->run).value() < closed->window.window;
                keep(events);
            });
            postStart(recorder);
            for (std::int64_t i = 1; i <= 1700; ++i) {
                REQUIRE(recorder.post(WindowClosed{uuid(1), makeWindow(i)}));
                if (i == 800)
                    REQUIRE(recorder.flush()); // more than one batch
                if (i % 500 == 0)
                    REQUIRE(recorder.post(Evaluated{uuid(1), makeEvaluation(i)}));
                if (i % 300 == 0)
                    REQUIRE(recorder.post(RunNoted{uuid(1), {double(i), "info", "test.note", "note", i}}));
            }
            REQUIRE(recorder.post(
                CheckpointSaved{uuid(1), {CheckpointKind::Last, 1700, 1700 * 250, "w", "b", "hash", 9, 1.0}}));
            RunFinished finished;
            finished.run = uuid(1);
            finished.summary.updates = 1700;
            finished.summary.weightsHash = "hash";
            REQUIRE(recorder.post(finished));
            REQUIRE(recorder.post(StudyFinished{makeStudy().id, false, std::nullopt}));
            REQUIRE(recorder.flush());
        }
        QCOMPARE(early.load(), 0);
        QVERIFY(received.batches() > 1);
        RunReader reader = folder.reader();
        QVERIFY(reader.windows(uuid(1)).value() == makeWindows(1, 1700));
        QCOMPARE(reader.evaluations(uuid(1))->size(), std::size_t{3});
        QCOMPARE(reader.events(uuid(1))->size(), std::size_t{5});
        QCOMPARE(reader.checkpoints(uuid(1))->size(), std::size_t{1});
        QCOMPARE(reader.run(uuid(1))->state, RunState::Completed);
        QCOMPARE(reader.run(uuid(1))->summary.weightsHash, std::string("hash"));
        const auto events = received.events();
        QCOMPARE(events.size(), std::size_t{1 + 1 + 1700 + 3 + 5 + 3});
        QVERIFY(std::holds_alternative<StudyStarted>(events.front()));
        QVERIFY(std::holds_alternative<StudyFinished>(events.back()));
        const auto windows = received.all<WindowClosed>();
        for (std::size_t i = 0; i < windows.size(); ++i)
            QCOMPARE(windows[i].window.window, std::int64_t(i) + 1);
    }

    // A journal may be read days after; what this process trains ends now.
    void whenARunEndedIsSaidByItsJournal() {
        for (const bool journal : {true, false}) {
            const LibraryFolder folder;
            {
                Recorder recorder(storeOf(folder), {});
                postStart(recorder);
                RunFinished finished;
                finished.run = uuid(1);
                REQUIRE(recorder.post(WindowClosed{uuid(1), makeWindow(1)}));
                REQUIRE(recorder.flush()); // with an earlier part of the journal
                if (journal)
                    REQUIRE(recorder.post({finished}, LaunchRecord{}));
                else
                    REQUIRE(recorder.post(finished));
                REQUIRE(recorder.flush());
            }
            const double finishedAt = folder.reader().run(uuid(1))->finishedAt;
            QCOMPARE(finishedAt == makeWindow(1).wallTime, journal);
            QCOMPARE(std::abs(finishedAt - unixTime()) < 600.0, !journal);
        }
    }

    // For windows in other languages: the arguments stand in the library, for a note as well as for what ended a run.
    void messagesAreKeptWithTheirArguments() {
        const LibraryFolder folder;
        const Message note{"training.skipped", {{"window", "7"}, {"place", ""}}};
        RunFinished finished;
        finished.run = uuid(1);
        finished.state = RunState::Failed;
        finished.error = Error{"training.all-skipped", {{"windows", "3"}}};
        {
            Recorder recorder(storeOf(folder), {});
            postStart(recorder);
            REQUIRE(recorder.post(RunNoted{uuid(1), {1.0, "warning", note.code, messageText(note), 6}, note}));
            REQUIRE(recorder.post(RunNoted{uuid(1), {2.0, "info", "of.another.version", "text alone", 6}}));
            REQUIRE(recorder.post(finished));
            REQUIRE(recorder.flush());
        }
        RunReader reader = folder.reader();
        const auto events = reader.events(uuid(1)).value();
        QCOMPARE(events.size(), std::size_t{2});
        QVERIFY(events[0].arguments == note.arguments);
        QVERIFY(!events[1].arguments);
        const RunRecord run = reader.run(uuid(1)).value();
        QCOMPARE(run.error, describe(*finished.error));
        QVERIFY(run.errorMessage == finished.error);
    }

    // Four trainers at once: each run has all of its rows in its own order.
    void severalThreadsPost() {
        const LibraryFolder folder;
        Received received;
        {
            Recorder recorder(storeOf(folder), received.receiver());
            postStart(recorder, 4);
            std::vector<std::thread> trainers;
            std::atomic<int> refused = 0;
            for (int run = 1; run <= 4; ++run)
                trainers.emplace_back([&, run] {
                    for (std::int64_t i = 1; i <= 3000; ++i)
                        refused += !recorder.post(WindowClosed{uuid(run), makeWindow(i)});
                    refused += !recorder.flush();
                });
            for (std::thread& trainer : trainers)
                trainer.join();
            QCOMPARE(refused.load(), 0);
        }
        RunReader reader = folder.reader();
        std::map<std::string, std::int64_t> last;
        for (const WindowClosed& closed : received.all<WindowClosed>())
            QCOMPARE(closed.window.window, ++last[closed.run]);
        for (int run = 1; run <= 4; ++run) {
            QCOMPARE(reader.windowCount(uuid(run)).value(), 3000);
            QCOMPARE(last[uuid(run)], 3000);
        }
    }

    // While data are loaded there is nothing to write yet.
    void aClaimedRunGivesSignsOfLife() {
        const LibraryFolder folder;
        RunStore store = storeOf(folder);
        REQUIRE(store.addRun(makeRun(1)));
        const auto heartbeat = [&] { return folder.reader().run(uuid(1))->heartbeat; };
        const double first = heartbeat();
        Recorder recorder(std::move(store), {});
        recorder.keepAlive(uuid(1), 1);
        QVERIFY(eventually([&] { return heartbeat() > first; }));
    }

    void theEndWritesWhatIsLeft() {
        const LibraryFolder folder;
        {
            Recorder recorder(storeOf(folder), {});
            postStart(recorder);
            for (std::int64_t i = 1; i <= 4000; ++i)
                REQUIRE(recorder.post(WindowClosed{uuid(1), makeWindow(i)}));
        } // no flush
        QCOMPARE(folder.reader().windowCount(uuid(1)).value(), 4000);
    }

    void aRunThatIsSilentStillGivesSignsOfLife() {
        const LibraryFolder folder;
        Recorder recorder(storeOf(folder), {});
        postStart(recorder);
        QVERIFY(recorder.flush());
        const auto heartbeat = [&] { return folder.reader().run(uuid(1))->heartbeat; };
        const double first = heartbeat();
        QVERIFY(eventually([&] { return heartbeat() > first; }));
        RunFinished finished;
        finished.run = uuid(1);
        finished.state = RunState::Stopped;
        REQUIRE(recorder.post(finished));
        QVERIFY(recorder.flush());
        QCOMPARE(folder.reader().run(uuid(1))->state, RunState::Stopped);
    }

    // ... and so do those that wait for their turn, until they are told to be stopped.
    void runsThatWaitGiveSignsOfLife() {
        const LibraryFolder folder;
        Recorder recorder(storeOf(folder), {});
        postStart(recorder, 3);
        REQUIRE(recorder.post(RunStateChanged{uuid(3), RunState::Stopped}));
        QVERIFY(recorder.flush());
        const auto heartbeat = [&](int run) { return folder.reader().run(uuid(run))->heartbeat; };
        const double stopped = heartbeat(3);
        for (int round = 0; round < 2; ++round) {
            const double first = heartbeat(2);
            QVERIFY(eventually([&] { return heartbeat(2) > first; }));
        }
        QVERIFY(heartbeat(3) <= stopped);
    }

    // A resumed attempt takes the place of the rows beyond its beginning.
    void aResumeSupersedesLaterRows() {
        const LibraryFolder folder;
        Recorder recorder(storeOf(folder), {});
        postStart(recorder);
        for (std::int64_t i = 1; i <= 20; ++i)
            REQUIRE(recorder.post(WindowClosed{uuid(1), makeWindow(i)}));
        RunRecord run = makeRun(1, makeStudy().id);
        run.attempt = 2;
        REQUIRE(recorder.post(RunStarted{run, true, 12, 12}));
        std::vector<WindowRecord> wanted = makeWindows(1, 12);
        for (std::int64_t i = 13; i <= 15; ++i) {
            wanted.push_back(makeWindow(i));
            wanted.back().loss = 100.0;
            REQUIRE(recorder.post(WindowClosed{uuid(1), wanted.back()}));
        }
        QVERIFY(recorder.flush());
        QVERIFY(folder.reader().windows(uuid(1)).value() == wanted);
    }
};

QTEST_APPLESS_MAIN(TestRecorder)
} // namespace test_recorder
#include "test_recorder.moc"
