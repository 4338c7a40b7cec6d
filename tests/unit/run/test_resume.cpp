// SPDX-License-Identifier: GPL-3.0-or-later
// What a person could lose: checkpoints, results and time, when a disk is full or gone, a library is moved, shared or
// somebody else's, or two programs go on with one run.
#include "core/run/checkpoint_keeper.h"
#include "tests/support/numeric.h"
#include "tests/support/study_fixture.h"

#include <atomic>
#include <cerrno>
#include <fstream>
#include <mutex>
#include <set>
#include <sqlite3.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace accumulus;
using namespace accumulus::test;
using namespace std::chrono_literals;

namespace {

/// What the system is asked for, and a disk that is full for resume bundles.
struct System {
    std::mutex mutex;
    std::vector<std::string> synced; ///< paths, in order
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

} // namespace

// In place of the C library's, for the core that is linked into this program.
extern "C" int fsync(int file) {
    {
        const std::lock_guard lock(theSystem().mutex);
        theSystem().synced.push_back(pathOf(file));
    }
    return static_cast<int>(syscall(SYS_fsync, file));
}

extern "C" ssize_t write(int file, const void* data, size_t size) {
    if (theSystem().full && pathOf(file).find(".resume") != std::string::npos) {
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_write, file, data, size);
}

namespace {

/// 40 updates of a tenth of a millisecond's work, a checkpoint at each tenth one.
ExperimentConfig shortStudy() {
    ExperimentConfig experiment;
    RunConfig& run = experiment.run;
    run.data.dataset = "digits-generated";
    run.data.trainLimit = 100;
    run.data.testLimit = 20;
    run.model.name = "mlp";
    run.batch.effective = 8;
    run.batch.micro = 4;
    run.batch.ragged = RaggedPolicy::Weight;
    run.optimizer.lr = 0.01;
    run.train.length = {40, Extent::Unit::Updates};
    run.checkpoint.every = {10, Extent::Unit::Updates};
    run.evaluate.every = {15, Extent::Unit::Updates};
    run.device.kind = "cpu";
    run.device.lanes = run.device.threads = 1;
    experiment.study.seeds = {1};
    return experiment;
}

/// Calls `act` once, on the recorder's thread, when the checkpoint of that update is in the library. The trainer waits
/// for it to return.
RunEventReceiver atCheckpoint(std::int64_t update, std::function<void(const std::string& run)> act) {
    return [update, act = std::move(act), done = std::make_shared<bool>(false)](std::span<const RunEvent> events) {
        for (const RunEvent& event : events)
            if (const auto* saved = std::get_if<CheckpointSaved>(&event);
                saved && saved->checkpoint.update == update && !std::exchange(*done, true))
                act(saved->run);
    };
}

/// Trains until that checkpoint and stops there. Returns the run.
std::string stoppedAt(const ExperimentConfig& experiment, const fs::path& library, std::int64_t update) {
    RunControl control;
    const auto outcome =
        runStudy(experiment, library, control, atCheckpoint(update, [&](const std::string&) { control.stop(); }));
    return outcome && outcome->stopped ? outcome->runs.front().run : std::string();
}

Result<RunFinished> resume(const std::string& run, const fs::path& library, const RunEventReceiver& receive = {},
                           const ResumeOptions& options = {}) {
    RunControl control;
    return resumeRun(run, library, control, receive, options);
}

std::string codeOf(const auto& result) { return result.has_value() ? "no error" : result.error().code; }

std::string wholeHash(const ExperimentConfig& experiment) {
    const TemporaryLibrary library;
    RunControl control;
    const auto outcome = runStudy(experiment, library.file(), control, {});
    return outcome ? outcome->runs.front().summary.weightsHash : outcome.error().code;
}

/// What a resume that is refused must not change; the sign of life may be newer.
RunRecord rowOf(const TemporaryLibrary& library, const std::string& run) {
    RunRecord record = library.reader().run(run).value();
    record.heartbeat = 0.0;
    return record;
}

void execute(const fs::path& library, const std::string& sql) {
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open(library.c_str(), &database), SQLITE_OK);
    sqlite3_busy_timeout(database, 5000);
    char* problem = nullptr;
    const int code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &problem);
    sqlite3_close(database);
    QVERIFY2(code == SQLITE_OK, problem);
}

void cutOff(const fs::path& file) { fs::resize_file(file, fs::file_size(file) / 2); }

/// An IDX file: big-endian sizes behind a magic number.
void writeIdx(const fs::path& file, const std::vector<std::uint32_t>& sizes, const std::string& data) {
    std::ofstream stream(file, std::ios::binary);
    const auto word = [&](std::uint32_t value) {
        for (int shift = 24; shift >= 0; shift -= 8)
            stream.put(static_cast<char>(value >> shift & 255));
    };
    word(0x800 | static_cast<std::uint32_t>(sizes.size()));
    for (const std::uint32_t size : sizes)
        word(size);
    stream << data;
}

void writeDigits(const fs::path& folder, char firstLabel) {
    for (const auto& [name, count] : {std::pair("train", 40U), std::pair("t10k", 10U)}) {
        std::string pixels(std::size_t{count} * 28 * 28, '\0');
        for (std::size_t i = 0; i < pixels.size(); ++i)
            pixels[i] = static_cast<char>(i * 7 % 251);
        std::string labels;
        for (std::uint32_t i = 0; i < count; ++i)
            labels += static_cast<char>(i == 0 ? firstLabel : i % 10);
        writeIdx(folder / (std::string(name) + "-images-idx3-ubyte"), {count, 28, 28}, pixels);
        writeIdx(folder / (std::string(name) + "-labels-idx1-ubyte"), {count}, labels);
    }
}

} // namespace

class TestResume : public QObject {
    Q_OBJECT

    std::string m_whole; // weights of shortStudy, never stopped

private Q_SLOTS:
    void initTestCase() {
        m_whole = wholeHash(shortStudy());
        QCOMPARE(m_whole.size(), std::size_t{32});
    }

    // The library cannot be written for a while, and only one checkpoint is kept: whoever looked at it, or pulled the
    // plug, in the meantime would find every bundle that it names.
    void noBundleGoesBeforeItsSuccessorIsInTheLibrary() {
        const TemporaryLibrary library;
        ExperimentConfig experiment = shortStudy();
        experiment.run.checkpoint.keep = 1;
        std::thread watcher;
        std::optional<RunStore> other;
        std::vector<std::string> missing;
        RunControl control;
        const auto outcome =
            runStudy(experiment, library.file(), control, atCheckpoint(10, [&](const std::string& run) {
                         other.emplace(library.store());
                         QVERIFY(other->begin().has_value()); // holds the library's only write lock
                         watcher = std::thread([&, run] {
                             std::this_thread::sleep_for(1s);
                             RunReader reader = library.reader();
                             const auto checkpoints = reader.checkpoints(run).value();
                             for (const CheckpointRecord& checkpoint : checkpoints)
                                 if (!fs::exists(checkpoint.bundlePath))
                                     missing.push_back(checkpoint.bundlePath);
                             other->rollback();
                         });
                     }));
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

    // The library was moved without its files, or their disk is not mounted.
    void aRunWithoutItsFilesIsRefused() {
        const TemporaryLibrary library;
        const std::string run = stoppedAt(shortStudy(), library.file(), 20);
        QVERIFY(!run.empty());
        const RunRecord before = rowOf(library, run);
        RunReader reader = library.reader();
        const auto checkpoints = reader.checkpoints(run).value();
        const auto windows = reader.windows(run).value();
        const fs::path files = library.file().string() + ".files";
        fs::rename(files, files.string() + ".elsewhere");
        const auto refused = resume(run, library.file());
        QCOMPARE(codeOf(refused), std::string("run.no-bundle"));
        QCOMPARE(exitCode(refused.error()), 5);
        QVERIFY(describe(refused.error()).find(files.string()) != std::string::npos);
        QVERIFY(rowOf(library, run) == before);
        QVERIFY(reader.checkpoints(run).value() == checkpoints);
        QVERIFY(reader.windows(run).value() == windows);
        QVERIFY(!fs::exists(files)); // nothing was put where the disk belongs
        fs::rename(files.string() + ".elsewhere", files);
        const auto resumed = resume(run, library.file());
        REQUIRE(resumed);
        QCOMPARE(resumed->summary.weightsHash, m_whole);
    }

    // The newest bundle is damaged, the next one gone: the one before them is taken, and that is said.
    void anOlderBundleIsTaken() {
        const TemporaryLibrary library;
        const std::string run = stoppedAt(shortStudy(), library.file(), 30);
        QVERIFY(!run.empty());
        RunReader reader = library.reader();
        const fs::path folder = reader.library().runFolder(run);
        cutOff(folder / "last-00000030.resume");
        fs::remove(folder / "update-00000030.resume");
        Events events;
        const auto resumed = resume(run, library.file(), into(events));
        REQUIRE(resumed);
        QCOMPARE(resumed->summary.weightsHash, m_whole);
        QCOMPARE(events.of<RunStarted>().at(0).updatesDone, 20);
        QCOMPARE(reader.windowCount(run).value(), 40);
        const auto notes = events.of<RunNoted>();
        const auto note =
            std::ranges::find(notes, "run.bundle-passed-over", [](const RunNoted& one) { return one.event.code; });
        QVERIFY(note != notes.end());
        for (const char* name : {"last-00000030.resume", "update-00000030.resume", "update-00000020.resume"})
            QVERIFY2(note->event.text.find(name) != std::string::npos, note->event.text.c_str());
    }

    // None can be read: refused, and what is known of the run stays known.
    void aResumeThatFailsKeepsWhatIsKnown() {
        const TemporaryLibrary library;
        const std::string run = stoppedAt(shortStudy(), library.file(), 30);
        QVERIFY(!run.empty());
        const RunRecord before = rowOf(library, run);
        QVERIFY(before.summary.testAccuracy && before.summary.finalTrainLoss && before.summary.updates == 30);
        RunReader reader = library.reader();
        for (const auto& entry : fs::directory_iterator(reader.library().runFolder(run)))
            if (entry.path().extension() == ".resume")
                cutOff(entry.path());
        const auto refused = resume(run, library.file());
        QCOMPARE(codeOf(refused), std::string("run.bundles-unusable"));
        QCOMPARE(exitCode(refused.error()), 3);
        const RunRecord after = rowOf(library, run);
        QCOMPARE(QString::fromStdString(runStateName(after.state)), QString("stopped"));
        QVERIFY(after == before);
        QVERIFY(reader.events(run).value().empty());
    }

    // Stopped again before anything new was measured.
    void aStopBeforeTheNextEvaluationKeepsTheAccuracy() {
        const TemporaryLibrary library;
        const std::string run = stoppedAt(shortStudy(), library.file(), 20);
        QVERIFY(!run.empty());
        const RunSummary before = rowOf(library, run).summary;
        QVERIFY(before.testAccuracy && before.testLoss && before.bestTestAccuracy && before.finalTrainLoss);
        RunControl control;
        control.stop();
        const auto resumed = resumeRun(run, library.file(), control, {});
        REQUIRE(resumed);
        QVERIFY(resumed->state == RunState::Stopped);
        const RunSummary after = rowOf(library, run).summary;
        QVERIFY(after == resumed->summary);
        QVERIFY(compareBits(*after.testAccuracy, *before.testAccuracy));
        QVERIFY(compareBits(*after.testLoss, *before.testLoss));
        QVERIFY(compareBits(*after.bestTestAccuracy, *before.bestTestAccuracy));
        QVERIFY(compareBits(*after.finalTrainLoss, *before.finalTrainLoss));
        QCOMPARE(after.checkpoint, before.checkpoint);
        QVERIFY(after.samplesPerSecond > 0.0 && after.evaluationPeakBytes > 0);
    }

    // Two programs at once: one of them trains, the other is told so.
    void oneOfTwoResumesTrains() {
        const TemporaryLibrary library;
        const std::string run = stoppedAt(shortStudy(), library.file(), 10);
        QVERIFY(!run.empty());
        std::atomic<int> completed = 0, busy = 0, other = 0;
        std::vector<std::thread> programs;
        for (int i = 0; i < 2; ++i)
            programs.emplace_back([&] {
                // Slow, so that the second one comes while it trains.
                const auto outcome = resume(run, library.file(), [](auto) { std::this_thread::sleep_for(200ms); });
                const std::string code = codeOf(outcome);
                ++(code == "no error" ? completed : code == "run.busy" ? busy : other);
            });
        for (std::thread& program : programs)
            program.join();
        QCOMPARE(completed.load(), 1);
        QCOMPARE(busy.load(), 1);
        const RunRecord row = rowOf(library, run);
        QCOMPARE(row.attempt, 2);
        QCOMPARE(row.summary.weightsHash, m_whole);
        QCOMPARE(library.reader().windowCount(run).value(), 40);
    }

    // Somebody on another computer took the run over: this program ends it and touches nothing that is now theirs.
    void aRunThatWasTakenOverIsLeftAlone() {
        const TemporaryLibrary library;
        std::string taken;
        RunControl control;
        const auto outcome =
            runStudy(shortStudy(), library.file(), control, atCheckpoint(20, [&](const std::string& run) {
                         taken = run;
                         execute(library.file(), "UPDATE runs SET claim = 'theirs', owner_host = 'another computer'");
                     }));
        QCOMPARE(codeOf(outcome), std::string("run.taken-over"));
        RunReader reader = library.reader();
        QVERIFY(reader.run(taken)->state == RunState::Running);
        QCOMPARE(reader.windowCount(taken).value(), 20);
        for (const auto& entry : fs::directory_iterator(reader.library().runFolder(taken)))
            QVERIFY(entry.path().filename().string().find("last") == std::string::npos);
    }

    // What can never be written ends the run with an error, after a last checkpoint.
    void aLibraryThatRefusesEndsTheRun() {
        const TemporaryLibrary library;
        std::string run;
        RunControl control;
        const auto outcome =
            runStudy(shortStudy(), library.file(), control, atCheckpoint(20, [&](const std::string& id) {
                         run = id;
                         execute(library.file(), "DROP VIEW run_windows; DROP TABLE windows");
                     }));
        QCOMPARE(codeOf(outcome), std::string("library.refused"));
        QCOMPARE(exitCode(outcome.error()), 5);
        int bundles = 0;
        for (const auto& entry : fs::directory_iterator(library.file().string() + ".files/" + run))
            bundles += entry.path().filename().string().starts_with("last-") && entry.path().extension() == ".resume";
        QCOMPARE(bundles, 1);
    }

    // A library that somebody sent names a file of ours as an old checkpoint.
    void aForeignLibraryRemovesNoFile() {
        const TemporaryLibrary library;
        ExperimentConfig experiment = shortStudy();
        experiment.run.checkpoint.keep = 1;
        const std::string run = stoppedAt(experiment, library.file(), 20);
        QVERIFY(!run.empty());
        const fs::path precious = library.file().parent_path() / "precious.safetensors";
        for (const std::string& path : {precious.string(), std::string("../precious.safetensors")}) {
            std::ofstream(precious) << "ours";
            execute(library.file(), "UPDATE checkpoints SET weights_path = '" + path + "' WHERE kind = 'periodic'");
            QCOMPARE(codeOf(resume(run, library.file())), std::string("library.corrupt"));
            QVERIFY(fs::exists(precious));
        }
        // Inside LIBRARY.files, but another run's.
        const fs::path others = fs::path(library.file().string() + ".files") / "other" / "last.safetensors";
        fs::create_directories(others.parent_path());
        std::ofstream(others) << "theirs";
        execute(library.file(),
                "UPDATE checkpoints SET weights_path = 'other/last.safetensors' WHERE kind = 'periodic'");
        REQUIRE(resume(run, library.file()));
        QVERIFY(fs::exists(others));
    }

    void changedDataAreRefused() {
        const TemporaryLibrary library;
        const QTemporaryDir folder;
        const fs::path data = folder.path().toStdString();
        writeDigits(data, 0);
        ExperimentConfig experiment = shortStudy();
        experiment.run.data.dataset = "mnist";
        experiment.run.data.path = data.string();
        experiment.run.data.trainLimit = 0;
        experiment.run.data.testLimit = 0;
        const std::string run = stoppedAt(experiment, library.file(), 20);
        QVERIFY(!run.empty());
        const RunRecord before = rowOf(library, run);
        QCOMPARE(before.datasetHash.size(), std::size_t{32});
        writeDigits(data, 9); // one label
        const auto refused = resume(run, library.file());
        QCOMPARE(codeOf(refused), std::string("run.data-changed"));
        QCOMPARE(exitCode(refused.error()), 3);
        QVERIFY(rowOf(library, run) == before);
        // A library of before version 4 knows the checksum only.
        execute(library.file(), "UPDATE runs SET dataset_hash = NULL");
        QCOMPARE(codeOf(resume(run, library.file())), std::string("run.data-changed"));
        Events events;
        REQUIRE(resume(run, library.file(), into(events), {.takeOver = false, .otherData = true}));
        const auto notes = events.of<RunNoted>();
        QVERIFY(std::ranges::any_of(notes, [](const RunNoted& note) { return note.event.code == "run.other-data"; }));
        QVERIFY(rowOf(library, run).datasetHash != before.datasetHash);
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

    // What a GPU needs, one lane of one thread, says nothing about this CPU; what a CPU run has chosen is kept.
    void aRunOfAGpuChoosesItsLanesAnew() {
        for (const bool fromGpu : {true, false}) {
            const TemporaryLibrary library;
            ExperimentConfig experiment = shortStudy();
            experiment.run.device.lanes = 2;
            const std::string run = stoppedAt(experiment, library.file(), 20);
            QVERIFY(!run.empty());
            execute(library.file(),
                    std::string("UPDATE runs SET lanes = 1, threads = 1, device = '") + (fromGpu ? "cuda:0'" : "cpu'"));
            std::int64_t lanes = 0;
            REQUIRE(resume(run, library.file(), [&](std::span<const RunEvent> events) {
                for (const RunEvent& event : events)
                    if (const auto* started = std::get_if<RunStarted>(&event))
                        lanes = started->run.lanes;
            }));
            QCOMPARE(lanes, fromGpu ? 2 : 1);
        }
    }

    // Killed while it wrote a checkpoint.
    void leftoversAreRemoved() {
        const TemporaryLibrary library;
        const std::string run = stoppedAt(shortStudy(), library.file(), 20);
        QVERIFY(!run.empty());
        const fs::path folder = library.reader().library().runFolder(run);
        std::string boot;
        std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
        const std::string half = ".update-00000030.resume." + boot.substr(0, 8) + "-1-1.accumulus-tmp";
        std::ofstream(folder / half) << "half";
        std::ofstream(folder / "my notes.txt") << "kept";
        REQUIRE(resume(run, library.file()));
        QVERIFY(!fs::exists(folder / half));
        QVERIFY(fs::exists(folder / "my notes.txt"));
    }

    // The library could not be written, the person gave up; the same program goes on with the run later.
    void theSameProgramResumesWhatItGaveUp() {
        const TemporaryLibrary library;
        std::string run;
        std::optional<RunStore> other;
        RunControl control;
        const auto outcome =
            runStudy(shortStudy(), library.file(), control, atCheckpoint(20, [&](const std::string& id) {
                         run = id;
                         other.emplace(library.store());
                         QVERIFY(other->begin().has_value()); // from now on nobody else can write
                         control.stopNow();
                     }));
        QCOMPARE(codeOf(outcome), std::string("library.locked"));
        other->rollback();
        QVERIFY(isAbandoned(library.reader().run(run).value(), 0.0)); // as listings show it, at once
        const auto resumed = resume(run, library.file());
        REQUIRE(resumed);
        QCOMPARE(resumed->summary.weightsHash, m_whole);
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
        QCOMPARE(updates(keeper.saved(checkpoint(Best, 12))), Updates{7});
        QCOMPARE(updates(keeper.saved(checkpoint(Best, 12))), Updates{});
        QCOMPARE(updates(keeper.saved(checkpoint(Periodic, 15))), Updates{8});
        QCOMPARE(updates(keeper.saved(checkpoint(Last, 15))), Updates{});
        CheckpointKeeper none(0, {}); // the newest always stays
        QCOMPARE(updates(none.saved(checkpoint(Periodic, 1))), Updates{});
        QCOMPARE(updates(none.saved(checkpoint(Periodic, 2))), Updates{1});
    }
};

QTEST_APPLESS_MAIN(TestResume)
#include "test_resume.moc"
