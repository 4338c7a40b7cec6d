// SPDX-License-Identifier: GPL-3.0-or-later
// The recorder where it cannot go on: a slow receiver or a locked library makes it wait and say so, and it gives up
// only when told to, or where a row can never be written.
#include "core/store/run_reader.h"
#include "tests/unit/run/threads/recorder_fixture.h"

#include <SQLiteCpp/Database.h>

#include <atomic>
#include <latch>
#include <thread>

namespace test_recorder_trouble {
using namespace accumulus;
using namespace accumulus::test;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t capacity = 8192; // of the recorder's queue

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

class TestRecorderTrouble : public QObject {
    Q_OBJECT

private Q_SLOTS:
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
        const bool full = eventually([&] { return posted >= capacity; });
        std::this_thread::sleep_for(100ms);
        const std::int64_t postedMeanwhile = posted;
        release.count_down();
        trainer.join();
        QVERIFY(full);
        QCOMPARE(postedMeanwhile, capacity); // it waits
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
        const bool waits = eventually([&] { return posted >= capacity && received.all<RunNoted>().size() == 1; });
        recorder.giveUpOnFailure();
        trainer.join(); // released with the error
        QVERIFY(waits);
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
};

QTEST_APPLESS_MAIN(TestRecorderTrouble)
} // namespace test_recorder_trouble
#include "test_recorder_trouble.moc"
