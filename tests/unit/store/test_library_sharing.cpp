// SPDX-License-Identifier: GPL-3.0-or-later
// Several connections, threads and processes on one library; killed writers; a full disk.
#include "core/store/connection.h"
#include "tests/unit/store/store_fixture.h"

#include <atomic>
#include <csignal>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace test_library_sharing {
using namespace accumulus;
using namespace accumulus::test;
using namespace std::chrono_literals;

class TestLibrarySharing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readerSeesWhatIsCommitted() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(store.addRun(makeRun()));
        auto reader = library.reader();
        REQUIRE(store.begin());
        REQUIRE(store.addWindows(uuid(1), 1, makeWindows(1, 10)));
        QCOMPARE(reader.windowCount(uuid(1)).value(), 0);
        REQUIRE(store.commit());
        QCOMPARE(reader.windowCount(uuid(1)).value(), 10);
    }

    void secondWriterWaits() {
        const LibraryFolder library;
        auto first = library.store();
        auto second = library.store();
        REQUIRE(first.addRun(makeRun()));
        REQUIRE(first.begin());
        REQUIRE(first.rename(uuid(1), "first"));
        second.library().setLockTimeout(20ms);
        const auto status = second.rename(uuid(1), "second");
        QCOMPARE(codeOf(status), std::string("library.locked"));
        QCOMPARE(codeOf(second.begin()), std::string("library.locked"));
        REQUIRE(first.commit());
        REQUIRE(second.rename(uuid(1), "second"));
        QCOMPARE(library.reader().run(uuid(1)).value().name, std::string("second"));

        // With patience it gets its turn.
        second.library().setLockTimeout(60s);
        REQUIRE(first.begin());
        Status waited = failure("still waiting");
        std::thread waiting([&] { waited = second.rename(uuid(1), "patient"); });
        std::this_thread::sleep_for(30ms);
        REQUIRE(first.rename(uuid(1), "first again"));
        REQUIRE(first.commit());
        waiting.join();
        REQUIRE(waited);
        QCOMPARE(library.reader().run(uuid(1)).value().name, std::string("patient"));
    }

    void manyOpenANewLibraryAtOnce() {
        const LibraryFolder library;
        std::atomic<int> opened = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 6; ++i)
            threads.emplace_back([&, i] {
                if (auto made = Library::open(library.file(), Library::Mode::Write))
                    opened += RunStore(std::move(*made)).addRun(makeRun(i)).has_value() ? 1 : 0;
            });
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(opened.load(), 6);
        QCOMPARE(library.reader().runs().value().size(), std::size_t{6});
    }

    /// The recorder's thread writes batches while others read: each reader sees whole batches, in order, and never an
    /// error.
    void threadsReadWhileOneWrites() {
        constexpr std::int64_t batches = 60;
        constexpr std::int64_t batchSize = 50;
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(store.addRun(makeRun()));
        std::atomic<bool> done = false;
        std::atomic<int> wrong = 0;
        std::atomic<int> reads = 0;
        const auto read = [&] {
            auto reader = library.reader();
            std::int64_t before = 0;
            for (bool last = false; !last;) {
                last = done;
                const auto columns = reader.windowColumns(uuid(1));
                const auto runs = reader.runs();
                const auto count = columns ? std::int64_t(columns->size()) : -1;
                if (!columns || !runs || count % batchSize != 0 || count < before ||
                    (count > 0 && columns->window.back() != count))
                    ++wrong;
                before = count;
                ++reads;
            }
            if (before != batches * batchSize)
                ++wrong;
        };
        std::thread writer([&] {
            for (std::int64_t batch = 0; batch < batches; ++batch) {
                const bool good =
                    store.begin() &&
                    store.addWindows(uuid(1), 1, makeWindows(batch * batchSize + 1, batch * batchSize + 20)) &&
                    store.heartbeat(uuid(1), double(batch)) &&
                    store.addWindows(uuid(1), 1, makeWindows(batch * batchSize + 21, (batch + 1) * batchSize)) &&
                    store.commit();
                wrong += good ? 0 : 1;
            }
            done = true;
        });
        std::thread first(read);
        std::thread second(read);
        writer.join();
        first.join();
        second.join();
        QCOMPARE(wrong.load(), 0);
        QVERIFY(reads.load() >= 2);
    }

    /// kill -9 in the middle of writing: the library opens, and every batch whose commit was reported is there, whole.
    void killedWriterLosesNothingCommitted() {
        constexpr std::int64_t batchSize = 100;
        for (const int batchesBeforeKill : {1, 7, 40}) {
            const LibraryFolder library;
            int ends[2];
            QCOMPARE(pipe(ends), 0);
            const pid_t child = fork();
            if (child == 0) {
                auto opened = Library::open(library.file(), Library::Mode::Write);
                if (!opened)
                    _exit(1);
                RunStore store(std::move(*opened));
                if (!store.addRun(makeRun()) || !store.setState(uuid(1), RunState::Running))
                    _exit(2);
                for (std::int64_t batch = 0; batch < 1000000; ++batch) {
                    if (!store.addWindows(uuid(1), 1, makeWindows(batch * batchSize + 1, (batch + 1) * batchSize)))
                        _exit(3);
                    if (write(ends[1], "c", 1) != 1)
                        _exit(4);
                }
                _exit(5);
            }
            QVERIFY(child > 0);
            close(ends[1]);
            std::int64_t committed = 0;
            char byte = 0;
            while (committed < batchesBeforeKill && ::read(ends[0], &byte, 1) == 1)
                ++committed;
            kill(child, SIGKILL);
            while (::read(ends[0], &byte, 1) == 1) // commits between the last report we read and the kill
                ++committed;
            close(ends[0]);
            int status = 0;
            QCOMPARE(waitpid(child, &status, 0), child);
            QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);

            auto store = library.store();
            QCOMPARE(store.library().connection().database.execAndGet("PRAGMA integrity_check").getString(),
                     std::string("ok"));
            auto reader = library.reader();
            const auto windows = reader.windows(uuid(1)).value();
            const auto count = std::int64_t(windows.size());
            QVERIFY(count >= committed * batchSize); // one more may have been committed but not reported
            QCOMPARE(count % batchSize, 0);
            QVERIFY(windows == makeWindows(1, count));
            QCOMPARE(reader.run(uuid(1)).value().summary.updates, count); // the counters belong to the same transaction
            QCOMPARE(store.markInterrupted(lastSignOfLife(reader) + 60.0).value(), std::vector{uuid(1)});
        }
    }

    void fullDiskIsSaid() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(store.addRun(makeRun()));
        REQUIRE(store.addWindows(uuid(1), 1, makeWindows(1, 100)));
        auto& database = store.library().connection().database;
        const int pages = database.execAndGet("PRAGMA page_count").getInt();
        const auto limit = [&](int count) { database.exec("PRAGMA max_page_count = " + std::to_string(count)); };
        limit(pages + 4);
        QCOMPARE(codeOf(store.addWindows(uuid(1), 1, makeWindows(101, 5000))), std::string("library.disk-full"));
        QVERIFY(library.reader().windows(uuid(1)).value() == makeWindows(1, 100));

        // In a batch: SQLite may give up all of it; then nothing after it may slip in alone.
        REQUIRE(store.begin());
        REQUIRE(store.rename(uuid(1), "in the batch"));
        QCOMPARE(codeOf(store.addWindows(uuid(1), 1, makeWindows(101, 5000))), std::string("library.disk-full"));
        if (!store.library().connection().inTransaction()) {
            QCOMPARE(codeOf(store.rename(uuid(1), "alone")), std::string("library.write"));
            QCOMPARE(codeOf(store.commit()), std::string("library.write"));
        } else {
            store.rollback();
        }
        QCOMPARE(library.reader().run(uuid(1)).value().name, makeRun().name);

        // Space again: the same call succeeds.
        limit(1 << 30);
        REQUIRE(store.addWindows(uuid(1), 1, makeWindows(101, 5000)));
        QVERIFY(library.reader().windows(uuid(1)).value() == makeWindows(1, 5000));
    }

private:
    static double lastSignOfLife(RunReader& reader) { return reader.run(uuid(1)).value().heartbeat; }
};

QTEST_APPLESS_MAIN(TestLibrarySharing)
} // namespace test_library_sharing
#include "test_library_sharing.moc"
