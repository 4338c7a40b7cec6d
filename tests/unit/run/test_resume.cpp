// SPDX-License-Identifier: GPL-3.0-or-later
// What a person could lose: checkpoints, results and time, when files are gone or damaged, a library is moved,
// shared or somebody else's, or two programs go on with one run.
#include "core/base/kept_message.h"
#include "core/run/checkpoint_noise.h"
#include "core/run/gradient_audits.h"
#include "tests/support/numeric.h"
#include "tests/support/study_fixture.h"
#include "tests/unit/run/stopped_runs.h"

#include <atomic>
#include <fstream>
#include <thread>

namespace test_resume {
using namespace accumulus;
using namespace accumulus::test;
using namespace std::chrono_literals;

namespace {

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

private:
    std::string m_whole; // weights of shortStudy, never stopped

private Q_SLOTS:
    void initTestCase() {
        m_whole = wholeHash(shortStudy());
        QCOMPARE(m_whole.size(), std::size_t{32});
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
        // What was wrong with each is said in the language of whoever reads it later.
        const auto kept = reader.events(run).value();
        const auto event = std::ranges::find(kept, note->event.code, &EventRecord::code);
        QVERIFY(event != kept.end() && event->arguments);
        const auto reasons = messagesOf(Message{event->code, *event->arguments}.argument("reasons"));
        QCOMPARE(reasons.size(), std::size_t{2});
        const Message gone{"run.bundle-missing", {{"file", "update-00000030.resume"}}};
        QCOMPARE(std::ranges::count(reasons, gone, &KeptMessage::message), 1);
        for (const auto& [reason, text] : reasons)
            QVERIFY2(!messageWords(reason.code).empty() && !text.empty(), reason.code.c_str());
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
        QVERIFY(messagesOf(refused.error().argument("reasons")).size() > 1);
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

    // The bundle that is read stands beside the weights for a moment: no part of training, and no reason to refuse what
    // trains within its limit.
    void memoryAndSpeedAreThoseOfAnUnbrokenRun() {
        ExperimentConfig experiment = shortStudy();
        const TemporaryLibrary whole, library;
        RunControl control;
        const auto unbroken = runStudy(experiment, whole.file(), control, {});
        REQUIRE(unbroken);
        const std::int64_t peak = unbroken->runs.front().summary.peakBytes;
        experiment.run.device.memoryLimit = std::to_string(peak + peak / 50);
        const std::string run = stoppedAt(experiment, library.file(), 20);
        QVERIFY(!run.empty());
        const RunSummary before = rowOf(library, run).summary;
        QCOMPARE(before.peakBytes, peak);
        execute(library.file(), "UPDATE runs SET others_share = 1");
        const auto resumed = resume(run, library.file());
        REQUIRE(resumed);
        const RunSummary after = rowOf(library, run).summary;
        QCOMPARE(after.peakBytes, peak);
        const auto windows = library.reader().windows(run, 0).value();
        QVERIFY(!windows.empty());
        for (const WindowRecord& window : windows)
            QVERIFY2(window.peakBytes <= peak, std::to_string(window.peakBytes).c_str());
        QVERIFY(after.activeSeconds > before.activeSeconds);
        QVERIFY(compareRel(after.samplesPerSecond, static_cast<double>(after.samples) / after.activeSeconds, 1e-12));
        QVERIFY(*after.othersShare > before.activeSeconds / after.activeSeconds - 1e-6); // all of the first session
    }

    // What the library says of a run just before its end is what it says after it.
    void figuresOfARunAreThoseOfItsEnd() {
        ExperimentConfig experiment = shortStudy();
        experiment.run.data.validation = 10;
        const TemporaryLibrary library;
        RunSummary before;
        const auto look = [&](std::span<const RunEvent> events) {
            for (const RunEvent& event : events) // the trainer waits until the checkpoint is in the library
                if (const auto* saved = std::get_if<CheckpointSaved>(&event);
                    saved && saved->checkpoint.kind == CheckpointKind::Last)
                    before = rowOf(library, saved->run).summary;
        };
        const auto check = [&](const std::string& run) {
            RunSummary after = rowOf(library, run).summary;
            QVERIFY(after.validationAccuracy && after.bestValidationAccuracy && after.samplesPerSecond > 0.0);
            before.weightsHash = after.weightsHash; // known only at the end
            before.checkpoint = after.checkpoint;
            before.othersShare = after.othersShare;
            QVERIFY(before == after);
        };
        RunControl control;
        const auto ended = runStudy(experiment, library.file(), control, look);
        REQUIRE(ended);
        check(ended->runs.front().run);
        const std::string stopped = stoppedAt(experiment, library.file(), 20);
        REQUIRE(resume(stopped, library.file(), look));
        check(stopped);
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
        QVERIFY(describe(refused.error()).find("--library " + library.file().string() + " --other-data") !=
                std::string::npos);
        QVERIFY(rowOf(library, run) == before);
        // Audits and gradient noise at its weights look at the same.
        AuditRequest audit;
        audit.config = before.config;
        audit.run = run;
        audit.checkpoint = "last";
        QCOMPARE(codeOf(auditGradients(audit, library.file())), std::string("run.data-differ"));
        RunReader reader(Library::open(library.file(), Library::Mode::Read).value());
        QCOMPARE(codeOf(checkpointNoise(reader, before, "last", 4)), std::string("run.data-differ"));
        // A library of before version 4 knows the checksum only.
        execute(library.file(), "UPDATE runs SET dataset_hash = NULL");
        QCOMPARE(codeOf(resume(run, library.file())), std::string("run.data-changed"));
        Events events;
        REQUIRE(resume(run, library.file(), into(events), {.takeOver = false, .otherData = true}));
        const auto notes = events.of<RunNoted>();
        QVERIFY(std::ranges::any_of(notes, [](const RunNoted& note) { return note.event.code == "run.other-data"; }));
        QVERIFY(rowOf(library, run).datasetHash != before.datasetHash);
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
};

QTEST_APPLESS_MAIN(TestResume)
} // namespace test_resume
#include "test_resume.moc"
