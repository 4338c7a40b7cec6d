// SPDX-License-Identifier: GPL-3.0-or-later
// What the store's tests share: a library in a folder of its own, and records whose every value differs from its
// default.
#pragma once

#include "core/config/config_fields.h"
#include "core/store/run_reader.h"
#include "core/store/run_store.h"
#include "tests/support/as_nobody.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <vector>

namespace accumulus::test {

/// Fails the test with the error's words.
#define REQUIRE(result)                                                                                                \
    do {                                                                                                               \
        const auto& required = (result);                                                                               \
        QVERIFY2(required.has_value(),                                                                                 \
                 required ? "" : (required.error().code + ": " + describe(required.error())).c_str());                 \
    } while (false)

inline std::string codeOf(const auto& result) { return result.has_value() ? "no error" : result.error().code; }

class LibraryFolder {
public:
    [[nodiscard]] std::filesystem::path folder() const { return m_folder.path().toStdString(); }
    [[nodiscard]] std::filesystem::path file() const { return folder() / "library.sqlite"; }
    [[nodiscard]] RunStore store() const { return RunStore(Library::open(file(), Library::Mode::Write).value()); }
    [[nodiscard]] RunReader reader() const { return RunReader(Library::open(file(), Library::Mode::Read).value()); }

private:
    QTemporaryDir m_folder;
};

inline std::string uuid(int number) {
    return fmt::format("{:08x}-0000-4000-8000-{:012x}", 0xa0000000u + unsigned(number), number);
}

inline StudyRecord makeStudy(int number = 1) {
    StudyRecord study;
    study.id = fmt::format("{:08x}-5555-4000-8000-000000000000", number);
    study.name = fmt::format("study {}", number);
    study.config.name = study.name;
    study.config.seeds = {3, 1, 4};
    study.config.largeBatch = true;
    study.config.margin = 0.005;
    study.config.metric = "test_accuracy";
    study.createdAt = 1000.0 + number;
    return study;
}

inline RunRecord makeRun(int number = 1, const std::string& study = {}) {
    RunRecord run;
    run.id = uuid(number);
    run.study = study;
    run.name = fmt::format("run {} \"größer\" ' ; 批", number);
    run.arm = Arm::LargeBatch;
    run.seed = -7 + number;
    run.config.optimizer.name = OptimizerKind::AdamW;
    run.config.optimizer.lr = 0.1 + 0.2; // not a short decimal
    run.config.numerics.precision = Precision::Fp64;
    run.config.data.path = "/data/mnist";
    run.config.batch = {.effective = 250, .micro = 32, .ragged = RaggedPolicy::Weight, .tail = TailPolicy::Carry};
    run.config.train.length = {700, Extent::Unit::Updates};
    run.configHash = configHash(run.config, run.seed);
    run.pairHash = pairHash(run.config, run.seed);
    run.batch = resolveBatch(run.config.batch).value();
    run.lanes = 2;
    run.threads = 1;
    run.trainSamples = 60000;
    run.totalUpdates = 700;
    run.environment = {"Accumulus 0.1.0 (test)", "2.11.0", "cpu", "a machine, 2 cores", "a system", "0123abcd", "none"};
    run.state = RunState::Queued;
    run.attempt = 1;
    run.createdAt = 1700000000.25 + number;
    run.owner = {.pid = 4711, .started = 815, .host = "another computer"};
    return run;
}

inline WindowRecord makeWindow(std::int64_t number) {
    WindowRecord window;
    window.window = number;
    window.update = number;
    window.epoch = number / 100;
    window.epochPosition = double(number) / 100.0;
    window.samples = number * 250;
    window.units = 250;
    window.microSteps = 8;
    window.loss = 2.3 / double(number);
    window.lr = 0.01 / double(number);
    window.gradNorm = 1.0 / 3.0 + double(number);
    window.clipped = number % 3 == 0;
    window.noiseS = 0.5 * double(number);
    window.noiseG2 = -0.25 * double(number);
    window.seconds = 0.5;
    window.activeSeconds = 0.5 * double(number);
    window.wallTime = 1700000100.5 + double(number);
    window.peakBytes = (std::int64_t{5} << 30) + number;
    window.clippedNorm = 0.25 * window.gradNorm;
    window.microBatch = 32;
    window.lastMicroBatch = 26;
    window.leftOut = number % 2;
    window.dataSeconds = 0.01;
    window.forwardSeconds = 0.2;
    window.backwardSeconds = 0.25;
    window.commitSeconds = 0.02;
    window.updateSeconds = 0.03;
    return window;
}

/// The window as `ranks` ranks computed it.
inline WindowRecord onRanks(WindowRecord window, std::int64_t ranks) {
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        RankTimes times;
        times.window = window.window;
        times.rank = rank;
        times.microSteps = 4 + rank;
        times.dataSeconds = 0.125 * double(rank + 1); // sums of these are exact
        times.forwardSeconds = 0.25 * double(window.window);
        times.backwardSeconds = 0.5;
        times.commitSeconds = 0.0625;
        times.waitingSeconds = 0.03125;
        times.reducingSeconds = 2.0;
        times.sentBytes = (std::int64_t{1} << 40) + rank;
        times.exchanges = 2;
        window.ranks.push_back(times);
    }
    return window;
}

/// Windows first..last.
inline std::vector<WindowRecord> makeWindows(std::int64_t first, std::int64_t last) {
    std::vector<WindowRecord> windows;
    for (std::int64_t number = first; number <= last; ++number)
        windows.push_back(makeWindow(number));
    return windows;
}

inline EvaluationRecord makeEvaluation(std::int64_t update) {
    return {.update = update,
            .samples = update * 250,
            .epochPosition = double(update) / 240.0,
            .split = "test",
            .count = 10000,
            .loss = 1.0 / double(update + 3),
            .accuracy = 0.97,
            .seconds = 1.5,
            .activeSeconds = double(update) * 0.5,
            .wallTime = 1700000200.0 + double(update)};
}

inline std::vector<std::int64_t> numbersOf(const std::vector<WindowRecord>& windows) {
    std::vector<std::int64_t> numbers;
    std::ranges::transform(windows, std::back_inserter(numbers), &WindowRecord::window);
    return numbers;
}

inline std::string fileContent(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline void writeFile(const std::filesystem::path& file, const std::string& content) {
    std::ofstream stream(file, std::ios::binary | std::ios::trunc);
    stream.write(content.data(), std::streamsize(content.size()));
}

} // namespace accumulus::test
