// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints and the disk below them: what is written reaches it before its row is published, no bundle goes before
// its successor, a full disk is waited for, and leftovers are removed.
#include "core/run/checkpoint_keeper.h"
#include "tests/support/study_fixture.h"
#include "tests/unit/run/stopped_runs.h"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace test_checkpoint_disk {
using namespace accumulus;
using namespace accumulus::test;
using namespace std::chrono_literals;

namespace {

/// What the system is asked for, and a disk that is full for resume bundles.
struct System {
    std::mutex mutex;
    std::vector<std::string> synced;         ///< paths, in order
    std::map<std::string, std::size_t> gone; ///< removed paths, and how much was synced before
    std::atomic<bool> full = false;
};

System& theSystem() {
    static System system;
    return system;
}

std::string pathOf(int file) {
    std::error_code gone;
    return fs::read_symlink("/proc/self/fd/" + std::to_string(file), gone).string();
}

/// Where `file` was synced, from `first` on, before `end`; `end` where it was not.
std::size_t syncOf(const std::string& file, std::size_t first, std::size_t end) {
    while (first < end && theSystem().synced[first].find(file) == std::string::npos)
        ++first;
    return std::min(first, end);
}

int synced(int file, long call) {
    {
        const std::lock_guard lock(theSystem().mutex);
        theSystem().synced.push_back(pathOf(file));
    }
    return static_cast<int>(syscall(call, file));
}

int removed(const char* file, int flags) {
    {
        const std::lock_guard lock(theSystem().mutex);
        theSystem().gone[fs::path(file).filename()] = theSystem().synced.size();
    }
    return static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, file, flags));
}

} // namespace

// In place of the C library's, for the core that is linked into this program, SQLite and the C++ library.
extern "C" int fsync(int file) { return synced(file, SYS_fsync); }
extern "C" int fdatasync(int file) { return synced(file, SYS_fdatasync); }
extern "C" int unlink(const char* file) noexcept { return removed(file, 0); }
extern "C" int remove(const char* file) noexcept {
    const int result = removed(file, 0);
    return result != 0 && errno == EISDIR ? removed(file, AT_REMOVEDIR) : result;
}

extern "C" ssize_t write(int file, const void* data, size_t size) {
    if (theSystem().full && pathOf(file).find(".resume") != std::string::npos) {
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_write, file, data, size);
}

class TestCheckpointDisk : public QObject {
    Q_OBJECT

private:
    std::string m_whole; // weights of shortStudy, never stopped

private Q_SLOTS:
    void initTestCase() {
        m_whole = wholeHash(shortStudy());
        QCOMPARE(m_whole.size(), std::size_t{32});
    }

    // Whoever goes on from a checkpoint numbers its windows from there on: by then all before it have been told, also
    // to one who hears of them on another machine, where a process was killed as it spoke.
    void aCheckpointFollowsItsWindows() {
        const TemporaryLibrary library;
        RunControl control;
        std::int64_t told = 0;                                    // windows
        std::vector<std::pair<std::int64_t, std::int64_t>> early; // update of a checkpoint, and what was told before
        std::set<std::int64_t> seen;
        const auto outcome = runStudy(shortStudy(), library.file(), control, [&](std::span<const RunEvent> events) {
            std::string run;
            for (const RunEvent& event : events) // of what is in the library by now, and not told yet
                if (const auto* closed = std::get_if<WindowClosed>(&event))
                    run = closed->run;
                else if (const auto* saved = std::get_if<CheckpointSaved>(&event))
                    run = saved->run;
            RunReader reader = library.reader();
            if (const auto stored = reader.checkpoints(run))
                for (const CheckpointRecord& checkpoint : *stored)
                    if (seen.insert(checkpoint.update).second && checkpoint.update > told)
                        early.emplace_back(checkpoint.update, told);
            for (const RunEvent& event : events)
                if (const auto* closed = std::get_if<WindowClosed>(&event))
                    told = closed->window.window; // each of them is an update
        });
        REQUIRE(outcome);
        QVERIFY(seen.contains(10) && seen.contains(40));
        QVERIFY2(early.empty(),
                 qPrintable(QString("the checkpoint of update %1 is there, and windows until %2 are told")
                                .arg(early.empty() ? 0 : early.front().first)
                                .arg(early.empty() ? 0 : early.front().second)));
    }

    // Whatever bundle a run may be resumed from, a best of before it, where there was one, is still there.
    void aBestStaysForEveryBundle() {
        const TemporaryLibrary library;
        ExperimentConfig experiment = shortStudy();
        experiment.run.data.validation = 20;
        experiment.run.evaluate.every = {1, Extent::Unit::Updates};
        experiment.run.optimizer.lr = 0.03; // soon better, and so on
        RunControl control;
        std::vector<std::int64_t> bests; // updates, of all that were saved
        std::string lost;
        const auto outcome = runStudy(experiment, library.file(), control, [&](std::span<const RunEvent> events) {
            std::string run;
            for (const RunEvent& event : events)
                if (const auto* saved = std::get_if<CheckpointSaved>(&event)) {
                    run = saved->run;
                    if (saved->checkpoint.kind == CheckpointKind::Best)
                        bests.push_back(saved->checkpoint.update);
                }
            if (run.empty())
                return;
            const auto stored = library.reader().checkpoints(run).value(); // the trainer waits: nothing goes meanwhile
            std::int64_t bundle = -1;
            for (const CheckpointRecord& one : stored)
                bundle = one.bundlePath.empty() ? bundle : std::max(bundle, one.update);
            const auto before = [&](std::int64_t update) { return update <= bundle; };
            const bool isThere = std::ranges::any_of(stored, [&](const CheckpointRecord& one) {
                return one.kind == CheckpointKind::Best && before(one.update) && fs::exists(one.weightsPath);
            });
            if (std::ranges::any_of(bests, before) && !isThere && lost.empty())
                lost = "none for the bundle of update " + std::to_string(bundle);
        });
        REQUIRE(outcome);
        QVERIFY2(lost.empty(), lost.c_str());
        // One before the first bundle and others soon after it: else it proves nothing.
        QVERIFY(bests.front() <= 10);
        QVERIFY(std::ranges::count_if(bests, [](std::int64_t best) { return best > 10 && best < 20; }) > 1);
        const auto left = library.reader().checkpoints(outcome->runs.front().run).value();
        QCOMPARE(std::ranges::count(left, CheckpointKind::Best, &CheckpointRecord::kind), 1);
    }

    // The library cannot be written for a while, and only one checkpoint is kept: whoever looked at it, or pulled the
    // plug, in the meantime would find every bundle that it names.
    void noBundleGoesBeforeItsSuccessorIsInTheLibrary() {
        const TemporaryLibrary library;
        ExperimentConfig experiment = shortStudy();
        experiment.run.checkpoint.keep = 1;
        std::optional<RunStore> other;
        std::vector<std::string> missing;
        std::jthread watcher;
        RunControl control;
        const auto outcome =
            runStudy(experiment, library.file(), control, atCheckpoint(10, [&](const std::string& run) {
                         other.emplace(library.store());
                         QVERIFY(other->begin().has_value()); // holds the library's only write lock
                         watcher = std::jthread([&, run] {
                             std::this_thread::sleep_for(1s);
                             RunReader reader = library.reader();
                             const auto checkpoints = reader.checkpoints(run).value();
                             for (const CheckpointRecord& checkpoint : checkpoints)
                                 if (!fs::exists(checkpoint.bundlePath))
                                     missing.push_back(checkpoint.bundlePath);
                             other->rollback();
                         });
                     }));
        QVERIFY(watcher.joinable());
        watcher.join();
        REQUIRE(outcome);
        QVERIFY2(missing.empty(), missing.empty() ? "" : missing.front().c_str());
        QCOMPARE(outcome->runs.front().summary.weightsHash, m_whole);
        RunReader reader = library.reader();
        std::vector<std::int64_t> left;
        const auto checkpoints = reader.checkpoints(outcome->runs.front().run).value();
        for (const CheckpointRecord& checkpoint : checkpoints)
            left.push_back(checkpoint.update);
        QCOMPARE(left, (std::vector<std::int64_t>{40, 40})); // periodic and last
    }

    // After a power failure the library is as it was when it was synced last: it must name the successor already.
    void noBundleGoesBeforeTheRowOfItsSuccessorIsOnTheDisk() {
        const TemporaryLibrary library;
        ExperimentConfig experiment = shortStudy();
        experiment.run.checkpoint.keep = 1;
        {
            const std::lock_guard lock(theSystem().mutex);
            theSystem().synced.clear();
            theSystem().gone.clear();
        }
        RunControl control;
        REQUIRE(runStudy(experiment, library.file(), control, {}));
        const std::lock_guard lock(theSystem().mutex);
        for (const int update : {10, 20, 30}) {
            const auto bundle = [](int number) { return "update-000000" + std::to_string(number) + ".resume"; };
            const auto gone = theSystem().gone.find(bundle(update));
            QVERIFY(gone != theSystem().gone.end());
            const std::size_t successor = syncOf(bundle(update + 10), 0, gone->second);
            QVERIFY(successor < gone->second);
            QVERIFY2(syncOf(library.file().string() + "-wal", successor, gone->second) < gone->second,
                     bundle(update).c_str());
        }
    }

    // Before its row is published, a bundle and its name are on the disk.
    void aBundleIsOnTheDiskBeforeItsRow() {
        const TemporaryLibrary library;
        std::vector<std::string> synced;
        std::string folder;
        RunControl control;
        {
            const std::lock_guard lock(theSystem().mutex);
            theSystem().synced.clear();
        }
        REQUIRE(runStudy(shortStudy(), library.file(), control, atCheckpoint(10, [&](const std::string& run) {
                             folder = fs::path(library.file().string() + ".files") / run;
                             const std::lock_guard lock(theSystem().mutex);
                             synced = theSystem().synced;
                         })));
        const auto bundle = std::ranges::find_if(
            synced, [](const std::string& path) { return path.find("update-00000010.resume") != std::string::npos; });
        QVERIFY(bundle != synced.end());
        QVERIFY(std::find(bundle, synced.end(), folder) != synced.end());
    }

    void aFolderThatCannotBeWrittenIsFoundFirst() {
        const TemporaryLibrary library;
        std::ofstream(library.file().string() + ".files") << "in the way";
        RunControl control;
        Events events;
        const auto outcome = runStudy(shortStudy(), library.file(), control, into(events));
        QCOMPARE(codeOf(outcome), std::string("library.folder"));
        QCOMPARE(exitCode(outcome.error()), 5);
        QVERIFY(events.all.empty());
        QVERIFY(library.reader().runs()->empty());
    }

    // Training waits for space, says so once, and goes on.
    void aFullDiskIsWaitedFor() {
        const TemporaryLibrary library;
        RunControl control;
        Events events;
        std::atomic<bool> told = false;
        theSystem().full = true;
        std::thread person([&] {
            while (!told)
                std::this_thread::sleep_for(2ms);
            std::this_thread::sleep_for(1500ms); // one attempt more
            theSystem().full = false;
        });
        const auto outcome = runStudy(shortStudy(), library.file(), control, [&](std::span<const RunEvent> batch) {
            events(batch);
            for (const RunNoted& note : events.of<RunNoted>())
                told = told || note.event.code == "checkpoint.disk-full";
        });
        told = true;
        person.join();
        REQUIRE(outcome);
        QCOMPARE(outcome->runs.front().summary.weightsHash, m_whole);
        const auto notes = events.of<RunNoted>();
        QCOMPARE(notes.size(), std::size_t{1});
        RunReader reader = library.reader();
        for (const auto& entry : fs::directory_iterator(reader.library().runFolder(outcome->runs.front().run)))
            QVERIFY2(entry.path().extension() == ".resume" || entry.path().extension() == ".safetensors",
                     entry.path().c_str()); // no leftovers of the attempts
    }

    // ... unless the person does not want to wait; then the run can be resumed when there is space.
    void aFullDiskIsNotWaitedForByWhoStops() {
        const TemporaryLibrary library;
        RunControl control;
        std::string run;
        const auto outcome = runStudy(shortStudy(), library.file(), control, [&](std::span<const RunEvent> events) {
            for (const RunEvent& event : events) {
                if (const auto* saved = std::get_if<CheckpointSaved>(&event)) {
                    run = saved->run;
                    theSystem().full = true;
                }
                if (const auto* note = std::get_if<RunNoted>(&event);
                    note && note->event.code == "checkpoint.disk-full")
                    control.stopNow();
            }
        });
        theSystem().full = false;
        REQUIRE(outcome);
        QCOMPARE(outcome->error->code, std::string("file.write"));
        QVERIFY(rowOf(library, run).state == RunState::Failed);
        const auto resumed = resume(run, library.file());
        REQUIRE(resumed);
        QCOMPARE(resumed->summary.weightsHash, m_whole);
    }

    // Killed while it wrote a checkpoint.
    void leftoversAreRemoved() {
        const TemporaryLibrary library;
        ExperimentConfig experiment = shortStudy();
        experiment.run.checkpoint.keep = 9;
        const std::string run = stoppedAt(experiment, library.file(), 20);
        QVERIFY(!run.empty());
        const fs::path folder = library.reader().library().runFolder(run);
        // Files whose row was never written, and a row whose files had gone already.
        const std::vector<fs::path> unnamed{folder / "last-00000019.safetensors", folder / "last-00000019.resume",
                                            folder / "best-00000099.safetensors"};
        for (const fs::path& file : unnamed)
            std::ofstream(file) << "whole";
        QVERIFY(fs::remove(folder / "update-00000010.safetensors") && fs::remove(folder / "update-00000010.resume"));
        std::string boot;
        std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
        const std::string half = ".update-00000030.resume." + boot.substr(0, 8) + "-1-1.accumulus-tmp";
        std::ofstream(folder / half) << "half";
        std::ofstream(folder / "my notes.txt") << "kept";
        REQUIRE(resume(run, library.file()));
        QVERIFY(!fs::exists(folder / half));
        QVERIFY(fs::exists(folder / "my notes.txt"));
        for (const fs::path& file : unnamed)
            QVERIFY2(!fs::exists(file), file.c_str());
        std::vector<std::int64_t> stored;
        const auto rows = library.reader().checkpoints(run).value();
        for (const CheckpointRecord& checkpoint : rows) {
            QVERIFY2(fs::exists(checkpoint.weightsPath), checkpoint.weightsPath.c_str());
            stored.push_back(checkpoint.update);
        }
        QVERIFY(std::ranges::find(stored, 10) == stored.end() && std::ranges::find(stored, 20) != stored.end());
    }

    void superfluousCheckpointsAreNamedInOrder() {
        const auto checkpoint = [](CheckpointKind kind, std::int64_t update) {
            CheckpointRecord record;
            record.kind = kind;
            record.update = update;
            record.weightsPath = std::to_string(update) + "-" + std::to_string(int(kind));
            return record;
        };
        const auto updates = [](const std::vector<CheckpointRecord>& records) {
            std::vector<std::int64_t> found;
            for (const CheckpointRecord& record : records)
                found.push_back(record.update);
            return found;
        };
        using enum CheckpointKind;
        using Updates = std::vector<std::int64_t>;
        CheckpointKeeper keeper(
            2, {checkpoint(Initial, 0), checkpoint(Periodic, 5), checkpoint(Best, 7), checkpoint(Last, 8)});
        QCOMPARE(updates(keeper.saved(checkpoint(Periodic, 10))), Updates{5});
        QCOMPARE(updates(keeper.saved(checkpoint(Periodic, 10))), Updates{}); // again under its name
        // Until a run that is resumed goes on behind it, the best of before may be needed again.
        QCOMPARE(updates(keeper.saved(checkpoint(Best, 12))), Updates{});
        QCOMPARE(updates(keeper.saved(checkpoint(Best, 12))), Updates{});
        QCOMPARE(updates(keeper.saved(checkpoint(Best, 13))), Updates{12});
        QVERIFY(updates(keeper.saved(checkpoint(Periodic, 15))) == (Updates{7, 8}));
        QCOMPARE(updates(keeper.saved(checkpoint(Last, 15))), Updates{});
        // Of a run that is stopped and resumed again and again.
        CheckpointKeeper often(1, {checkpoint(Best, 2), checkpoint(Last, 3), checkpoint(Best, 4), checkpoint(Last, 5)});
        QVERIFY(updates(often.saved(checkpoint(Last, 9))) == (Updates{2, 3}));
        CheckpointKeeper none(0, {}); // the newest always stays
        QCOMPARE(updates(none.saved(checkpoint(Periodic, 1))), Updates{});
        QCOMPARE(updates(none.saved(checkpoint(Periodic, 2))), Updates{1});
    }
};

QTEST_APPLESS_MAIN(TestCheckpointDisk)
} // namespace test_checkpoint_disk
#include "test_checkpoint_disk.moc"
