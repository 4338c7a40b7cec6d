// SPDX-License-Identifier: GPL-3.0-or-later
// The recorder between trainer and library: nothing is lost, everything is in order, a slow receiver or a locked
// library makes it wait and say so, and it gives up only when told to.
#include "core/base/clock.h"
#include "core/run/recorder.h"
#include "core/store/run_reader.h"
#include "tests/unit/store/store_fixture.h"

#include <QTest>

#include <SQLiteCpp/Database.h>

#include <atomic>
#include <latch>
#include <mutex>
#include <thread>

using namespace accumulus;
using namespace accumulus::test;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t capacity = 8192; // of the recorder's queue

bool eventually(const std::function<bool()>& reached) {
    const Stopwatch stopwatch;
    while (!reached()) {
        if (stopwatch.seconds() > 60.0)
            return false;
        std::this_thread::sleep_for(2ms);
    }
    return true;
}

/// What the receiver got, for any thread to look at.
class Received {
public:
    RunEventReceiver receiver() {
        return [this](std::span<const RunEvent> events) {
            const std::lock_guard lock(m_mutex);
            ++m_batches;
            m_events.insert(m_events.end(), events.begin(), events.end());
        };
    }
    std::vector<RunEvent> events() const {
        const std::lock_guard lock(m_mutex);
        return m_events;
    }
    std::size_t batches() const {
        const std::lock_guard lock(m_mutex);
        return m_batches;
    }
    template <class Event>
    std::vector<Event> all() const {
        std::vector<Event> found;
        for (const RunEvent& event : events())
            if (const auto* one = std::get_if<Event>(&event))
                found.push_back(*one);
        return found;
    }

private:
    mutable std::mutex m_mutex;
    std::vector<RunEvent> m_events;
    std::size_t m_batches = 0;
};

RunStore storeOf(const LibraryFolder& folder, std::chrono::milliseconds lockTimeout = 5s) {
    RunStore store = folder.store();
    store.library().setLockTimeout(lockTimeout);
    return store;
}

/// A study of `count` runs, all known and the first one started.
void postStart(Recorder& recorder, int count = 1) {
    StudyStarted study{makeStudy(), {}};
    for (int i = 1; i <= count; ++i)
        study.runs.push_back(makeRun(i, study.study.id));
    REQUIRE(recorder.post(study));
    for (const RunRecord& run : study.runs)
        REQUIRE(recorder.post(RunStarted{run, false, 0, 0}));
}

/// Another process that writes: holds the library's write lock while it lives.
class WriteLock {
public:
    explicit WriteLock(const LibraryFolder& folder) : m_database(folder.file().string(), SQLite::OPEN_READWRITE, 5000) {
        m_database.exec("BEGIN IMMEDIATE");
    }
    ~WriteLock() { m_database.exec("ROLLBACK"); }
    WriteLock(const WriteLock&) = delete;
    WriteLock& operator=(const WriteLock&) = delete;

private:
    SQLite::Database m_database;
};

} // namespace

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

    // A receiver that does not return: the queue fills, post() waits, the wait is counted, and then nothing is missing.
    void aSlowReceiverHoldsTrainingBack() {
        const LibraryFolder folder;
        std::latch inside(1);
        std::latch release(1);
        std::atomic<bool> first = true;
        Recorder recorder(storeOf(folder), [&](std::span<const RunEvent>) {
            if (!first.exchange(false))
                return;
            inside.count_down();
            release.wait();
        });
        postStart(recorder);
        inside.wait();
        constexpr std::int64_t count = capacity + 3000;
        std::atomic<std::int64_t> posted = 0;
        std::thread trainer([&] {
            for (std::int64_t i = 1; i <= count; ++i)
                posted += recorder.post(WindowClosed{uuid(1), makeWindow(i)}).has_value();
        });
        QVERIFY(eventually([&] { return posted >= capacity; }));
        std::this_thread::sleep_for(100ms);
        QCOMPARE(posted.load(), capacity); // it waits
        release.count_down();
        trainer.join();
        QVERIFY(recorder.flush());
        QCOMPARE(posted.load(), count);
        QVERIFY(recorder.waitSeconds() >= 0.1);
        QCOMPARE(folder.reader().windowCount(uuid(1)).value(), count);
    }

    // Another process writes for two seconds: within the lock's timeout nobody hears of it.
    void aShortLockIsWaitedFor() {
        const LibraryFolder folder;
        Received received;
        RunStore store = storeOf(folder);
        Recorder recorder(std::move(store), received.receiver());
        postStart(recorder);
        QVERIFY(recorder.flush());
        {
            const WriteLock lock(folder);
            for (std::int64_t i = 1; i <= 2000; ++i)
                REQUIRE(recorder.post(WindowClosed{uuid(1), makeWindow(i)}));
            std::this_thread::sleep_for(2s);
            QCOMPARE(received.all<WindowClosed>().size(), std::size_t{0}); // published only after the commit
        }
        QVERIFY(recorder.flush());
        QCOMPARE(received.all<RunNoted>().size(), std::size_t{0});
        QVERIFY(folder.reader().windows(uuid(1)).value() == makeWindows(1, 2000));
    }

    // Beyond the timeout it says so once, keeps the batch, tries again, and nothing is lost or written twice.
    void aLongLockIsToldOnceAndOutlived() {
        const LibraryFolder folder;
        Received received;
        Recorder recorder(storeOf(folder, 50ms), received.receiver());
        postStart(recorder);
        QVERIFY(recorder.flush());
        {
            const WriteLock lock(folder);
            for (std::int64_t i = 1; i <= 700; ++i)
                REQUIRE(recorder.post(WindowClosed{uuid(1), makeWindow(i)}));
            QVERIFY(eventually([&] { return received.all<RunNoted>().size() == 1; }));
            for (std::int64_t i = 701; i <= 900; ++i)
                REQUIRE(recorder.post(WindowClosed{uuid(1), makeWindow(i)}));
            std::this_thread::sleep_for(2s); // one or two attempts more
        }
        QVERIFY(recorder.flush());
        const auto notes = received.all<RunNoted>();
        QCOMPARE(notes.size(), std::size_t{1});
        QCOMPARE(notes[0].event.code, std::string("library.locked"));
        QCOMPARE(notes[0].run, uuid(1));
        QVERIFY(folder.reader().windows(uuid(1)).value() == makeWindows(1, 900));
    }

    void givenUpOnRequest() {
        const LibraryFolder folder;
        Received received;
        Recorder recorder(storeOf(folder, 50ms), received.receiver());
        postStart(recorder);
        QVERIFY(recorder.flush());
        const WriteLock lock(folder);
        // The trainer fills the queue and waits.
        std::atomic<std::int64_t> posted = 0;
        std::atomic<bool> refused = false;
        std::thread trainer([&] {
            for (std::int64_t i = 1; !refused; ++i) {
                refused = !recorder.post(WindowClosed{uuid(1), makeWindow(i)});
                posted += !refused;
            }
        });
        QVERIFY(eventually([&] { return posted >= capacity && received.all<RunNoted>().size() == 1; }));
        recorder.giveUpOnFailure();
        trainer.join(); // released with the error
        const Status flushed = recorder.flush();
        QVERIFY(!flushed);
        QCOMPARE(flushed.error().code, std::string("library.locked"));
        QVERIFY(!recorder.post(WindowClosed{uuid(1), makeWindow(1)}));
    }

    void givenUpWhenItsQuestionSaysSo() {
        const LibraryFolder folder;
        std::atomic<bool> wantsToStop = false;
        Received received;
        Recorder recorder(storeOf(folder, 50ms), received.receiver(), [&] { return wantsToStop.load(); });
        postStart(recorder);
        QVERIFY(recorder.flush());
        const WriteLock lock(folder);
        REQUIRE(recorder.post(WindowClosed{uuid(1), makeWindow(1)}));
        QVERIFY(eventually([&] { return received.all<RunNoted>().size() == 1; }));
        REQUIRE(recorder.post(WindowClosed{uuid(1), makeWindow(2)})); // not yet
        wantsToStop = true;
        QVERIFY(!recorder.flush());
    }

    // What SQLite will never take ends the recording with an error; what came before is kept.
    void whatCanNeverBeWrittenEndsIt_data() {
        QTest::addColumn<QString>("case_");
        QTest::addColumn<QString>("code");
        QTest::newRow("a row twice") << "twice"
                                     << "library.refused";
        QTest::newRow("a run that was deleted") << "deleted"
                                                << "library.no-run";
        QTest::newRow("a run that was taken over") << "taken"
                                                   << "run.taken-over";
        QTest::newRow("a table that is gone") << "table"
                                              << "library.refused";
    }
    void whatCanNeverBeWrittenEndsIt() {
        QFETCH(QString, case_);
        QFETCH(QString, code);
        const LibraryFolder folder;
        Received received;
        Recorder recorder(storeOf(folder), received.receiver());
        StudyStarted study{makeStudy(), {makeRun(1, makeStudy().id)}};
        study.runs[0].owner.claim = "mine";
        REQUIRE(recorder.post(study));
        REQUIRE(recorder.post(RunStarted{study.runs[0], false, 0, 0}));
        REQUIRE(recorder.post(WindowClosed{uuid(1), makeWindow(1)}));
        QVERIFY(recorder.flush());
        QVERIFY(!recorder.problem());
        SQLite::Database other(folder.file().string(), SQLite::OPEN_READWRITE, 5000);
        if (case_ == "deleted")
            other.exec("PRAGMA foreign_keys = ON; DELETE FROM runs");
        else if (case_ == "taken")
            other.exec("UPDATE runs SET claim = 'theirs'");
        else if (case_ == "table")
            other.exec("DROP VIEW run_windows; DROP TABLE windows");
        REQUIRE(recorder.post(RunNoted{uuid(1), {1.0, "info", "before", "written in any case", 0}}));
        REQUIRE(recorder.post(WindowClosed{uuid(1), makeWindow(case_ == "twice" ? 1 : 2)}));
        QVERIFY(eventually([&] { return recorder.problem().has_value(); }));
        QCOMPARE(QString::fromStdString(recorder.problem()->code), code);
        QCOMPARE(QString::fromStdString(codeOf(recorder.flush())), code);
        QVERIFY(!recorder.post(WindowClosed{uuid(1), makeWindow(3)}));
        const auto notes = received.all<RunNoted>();
        QCOMPARE(QString::fromStdString(notes.back().event.code), code); // it is said
        if (case_ == "twice" || case_ == "table")
            QCOMPARE(folder.reader().events(uuid(1))->size(), std::size_t{1});
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
#include "test_recorder.moc"
