// SPDX-License-Identifier: GPL-3.0-or-later
// Training on files that need not fit into memory: the bits of what was in memory, read ahead of training and of
// evaluations, whose chunks fit; a file that changes ends it.
#include "core/data/mapped_file.h"
#include "core/train/evaluator.h"
#include "tests/unit/train/tensor_training_fixture.h"

#include <QDeadlineTimer>
#include <QTest>
#include <atomic>
#include <thread>

namespace test_large_file_training {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Tokens of 16 bits, in samples of 8.
RunConfig textConfig(const QTemporaryDir& folder) {
    std::vector<std::uint16_t> tokens;
    for (std::uint16_t i = 0; i < 6000; ++i)
        tokens.push_back(static_cast<std::uint16_t>((i * i + 3 * i) % 300));
    const std::string file = folder.filePath("data.bin").toStdString();
    std::filesystem::remove(file);
    std::ofstream(file, std::ios::binary) << bytesOf(tokens);
    RunConfig config = smallConfig(0, 16, 4);
    config.data.dataset = "text";
    config.data.testLimit = 0;
    config.data.path = file;
    config.data.block = 8;
    config.model.name = "char-gpt";
    config.model.layers = 1;
    config.model.heads = 2;
    config.model.width = 8;
    config.train.length = {6, Extent::Unit::Updates};
    return config;
}

/// In the third window, after its first micro-step or two.
struct StopsInMidWindow : RecordingObserver {
    Wish proceed() override { return committed >= 9 ? Wish::StopNow : Wish::GoOn; }
    std::atomic<std::int64_t> committed{0};
};

} // namespace

class TestLargeFileTraining : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Files larger than memory are read sample by sample and ahead of training: the bits of what was in memory. So on
    // several lanes, and where a run goes on in mid-window.
    void largeFilesHaveTheSameBits_data() {
        QTest::addColumn<bool>("text");
        QTest::newRow("tensors") << false;
        QTest::newRow("tokens") << true;
    }
    void largeFilesHaveTheSameBits() {
        QFETCH(bool, text);
        const QTemporaryDir folder;
        const RunConfig config = text ? textConfig(folder) : configOf(folder, npz());
        const std::string whole = hashOfRun(config, folder);
        QCOMPARE(whole.size(), std::size_t{32});
        const OtherFileLimits limits({.touched = 4096, .scanned = 4096, .ahead = 4096});
        for (const int lanes : {1, 3})
            QCOMPARE(hashOfRun(config, folder, {lanes, 1}), whole);
        TrainerSetup setup = makeSetup(config, folder);
        const TensorColumn inputs = text ? setup.data->trainText.samples() : setup.data->trainTensors.inputs;
        QVERIFY(!inputs.file->isSmall());
        StopsInMidWindow first;
        const auto askedBeyond = [&](std::int64_t bytes) { // by a thread of its own
            const QDeadlineTimer limit(60'000);
            while (inputs.file->bytesAsked() <= bytes && !limit.hasExpired())
                std::this_thread::yield();
            return inputs.file->bytesAsked() > bytes;
        };
        setup.afterCommit = [&](std::int64_t) {
            ++first.committed;
            static_cast<void>(askedBeyond(0));
        };
        QVERIFY(Trainer::create(setup).value()->train(first).stopped);
        const std::int64_t asked = inputs.file->bytesAsked();
        QVERIFY(asked > 0);
        setup.afterCommit = [&](std::int64_t) { static_cast<void>(askedBeyond(asked)); };
        const auto second = Trainer::create(setup).value();
        QVERIFY(second->restore(first.checkpoints.back().bundlePath));
        RecordingObserver rest;
        QCOMPARE(second->train(rest).summary.weightsHash, whole);
        QVERIFY(inputs.file->bytesAsked() > asked);
    }

    // What is evaluated is asked for, the next samples with it; of small files nothing is.
    void evaluationReadsAhead() {
        const QTemporaryDir folder;
        RunConfig config = configOf(folder, npz());
        const auto asked = [&] {
            const TrainerSetup setup = makeSetup(config, folder);
            const auto trainer = Trainer::create(setup).value();
            static_cast<void>(trainer->evaluateNow("test"));
            return setup.data->testTensors.inputs.file->bytesAsked();
        };
        QCOMPARE(asked(), 0);
        const OtherFileLimits limits({.touched = 4096, .ahead = 4096});
        QCOMPARE(asked(), madeSamples * (48 * 4 + 8)); // inputs and targets
    }

    void aFileThatChangesEndsTraining_data() { largeFilesHaveTheSameBits_data(); }
    void aFileThatChangesEndsTraining() {
        QFETCH(bool, text);
        for (const bool large : {false, true}) {
            const QTemporaryDir folder;
            const RunConfig config = text ? textConfig(folder) : configOf(folder, npz());
            TrainerSetup setup = makeSetup(config, folder);
            std::optional<OtherFileLimits> limits;
            if (large)
                limits.emplace(FileLimits{.touched = 4096, .scanned = 4096, .ahead = 4096});
            std::int64_t committed = 0;
            setup.afterCommit = [&](std::int64_t) {
                if (++committed == 6)
                    std::filesystem::resize_file(config.data.path, 100);
            };
            RecordingObserver observer;
            const TrainingEnd end = Trainer::create(setup).value()->train(observer);
            QVERIFY(end.error.has_value());
            QVERIFY2(describe(*end.error).find("changed while it was being read") != std::string::npos,
                     describe(*end.error).c_str());
            QCOMPARE(end.error->code, std::string("data.changed")); // which the command line ends with 3
            QVERIFY(describe(*end.error).find("`resume`") != std::string::npos);
            QCOMPARE(observer.windows.size(), std::size_t{1});
        }
    }

    // Touched, or copied over itself: the content is compared, and the run goes on with the same bits. A byte that
    // differs ends it, although size and inode stay.
    void aFileThatOnlyLooksYoungerDoesNot_data() { largeFilesHaveTheSameBits_data(); }
    void aFileThatOnlyLooksYoungerDoesNot() {
        QFETCH(bool, text);
        const QTemporaryDir folder;
        const RunConfig config = text ? textConfig(folder) : configOf(folder, npz());
        const std::string whole = hashOfRun(config, folder);
        const auto trained = [&](const std::function<void()>& change) {
            TrainerSetup setup = makeSetup(config, folder);
            std::int64_t committed = 0;
            setup.afterCommit = [&](std::int64_t) {
                if (++committed == 6)
                    change();
            };
            RecordingObserver observer;
            const TrainingEnd end = Trainer::create(setup).value()->train(observer);
            return end.error ? end.error->code : end.summary.weightsHash;
        };
        const std::filesystem::path file = config.data.path;
        const auto now = [] { return std::filesystem::file_time_type::clock::now(); };
        for (const bool large : {false, true}) {
            std::optional<OtherFileLimits> limits;
            if (large)
                limits.emplace(FileLimits{.touched = 4096, .scanned = 4096, .ahead = 4096});
            QCOMPARE(trained([&] { std::filesystem::last_write_time(file, now()); }), whole);
            QCOMPARE(trained([&] { std::filesystem::last_write_time(file, now() - std::chrono::hours(1)); }), whole);
        }
        QCOMPARE(trained([&] {
                     std::fstream changed(file, std::ios::in | std::ios::out | std::ios::binary);
                     changed.seekp(static_cast<std::streamoff>(std::filesystem::file_size(file) / 2));
                     changed.put('\x7');
                     changed.close();
                     std::filesystem::last_write_time(file, now() - std::chrono::hours(2));
                 }),
                 std::string("data.changed"));
    }

    // Chunks of evaluation are cut by what their tensors take, and only large ones.
    void chunksFitIntoMemory() {
        Dataset data;
        const auto onCpu = [&] { return evaluationChunk(data, DataPart::Test, false); };
        const auto onGpu = [&] { return evaluationChunk(data, DataPart::Test, true); };
        data.testText = {.count = 1000, .block = 64, .tokens = {}};
        data.trainText = data.testText;
        data.classes = 65;
        QCOMPARE(onCpu(), 32);
        QCOMPARE(onGpu(), 200);
        data.classes = 50'257; // GPT-2: 13 MB of scores each
        QCOMPARE(onCpu(), 1);
        QCOMPARE(onGpu(), 5);
        data.testText.block = data.trainText.block = 1024;
        QCOMPARE(onGpu(), 1);
        data = {};
        data.train = {.count = 1, .channels = 3, .height = 224, .width = 224, .pixels = {}, .labels = {}};
        data.test = data.train;
        QCOMPARE(onCpu(), 3);   // 2 MiB of inputs
        QCOMPARE(onGpu(), 111); // 64 MiB
        data.test.height = data.test.width = 32;
        QCOMPARE(onCpu(), 32);
        QCOMPARE(onGpu(), 200);
        data = {};
        data.trainTensors.count = data.testTensors.count = 1;
        data.testTensors.inputs.shape = {8};
        data.testTensors.targets.shape = {512, 512};
        data.classes = 21; // a class for each pixel
        QCOMPARE(onGpu(), 3);
        data.classes = 0;
        QCOMPARE(onCpu(), 2);
        QCOMPARE(onGpu(), 64);
    }
};

QTEST_GUILESS_MAIN(TestLargeFileTraining)
} // namespace test_large_file_training
#include "test_large_file_training.moc"
