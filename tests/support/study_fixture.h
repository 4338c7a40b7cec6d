// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of studies share: small experiments, a library in a folder of its own, and everything that a study
// says.
#pragma once

#include "core/run/study_runner.h"
#include "core/store/run_reader.h"
#include "core/store/run_store.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace accumulus::test {

namespace fs = std::filesystem;

/// Fails the test with the error's words.
#define REQUIRE(result)                                                                                                \
    do {                                                                                                               \
        const auto& required = (result);                                                                               \
        QVERIFY2(required.has_value(), required ? "" : describe(required.error()).c_str());                            \
    } while (false)

/// 192 drawn digits, B = 32 as 8 x 4, two epochs: 12 updates of each arm.
inline ExperimentConfig smallStudy() {
    ExperimentConfig experiment;
    RunConfig& run = experiment.run;
    run.data.dataset = "digits-generated";
    run.data.trainLimit = 192;
    run.data.testLimit = 60;
    run.model.name = "lenet5";
    run.batch.effective = 32;
    run.batch.micro = 8;
    run.optimizer.lr = 0.05;
    run.train.length = {2, Extent::Unit::Epochs};
    run.device.lanes = 2;
    run.device.threads = 1;
    run.checkpoint.initial = true;
    experiment.study.name = "small";
    experiment.study.seeds = {1, 2};
    experiment.study.largeBatch = true;
    return experiment;
}

/// One arm, one seed, long enough to be stopped in the middle.
inline ExperimentConfig longStudy() {
    ExperimentConfig experiment = smallStudy();
    experiment.run.batch.effective = 8;
    experiment.run.batch.micro = 4;
    experiment.run.optimizer.lr = 0.01;
    experiment.run.train.length = {800, Extent::Unit::Updates};
    experiment.run.checkpoint.every = {100, Extent::Unit::Updates};
    experiment.run.evaluate.every = {500, Extent::Unit::Updates};
    experiment.study.seeds = {1};
    experiment.study.largeBatch = false;
    return experiment;
}

class TemporaryLibrary {
public:
    [[nodiscard]] fs::path file() const { return fs::path(m_folder.path().toStdString()) / "library.sqlite"; }
    [[nodiscard]] RunReader reader() const { return RunReader(Library::open(file(), Library::Mode::Read).value()); }
    [[nodiscard]] RunStore store() const { return RunStore(Library::open(file(), Library::Mode::Write).value()); }

private:
    QTemporaryDir m_folder;
};

/// Keeps every event; only the recorder's thread calls it while a study runs.
struct Events {
    std::vector<RunEvent> all;
    void operator()(std::span<const RunEvent> events) { all.insert(all.end(), events.begin(), events.end()); }

    template <class Event>
    [[nodiscard]] std::vector<Event> of() const {
        std::vector<Event> found;
        for (const RunEvent& event : all)
            if (const auto* one = std::get_if<Event>(&event))
                found.push_back(*one);
        return found;
    }
    [[nodiscard]] std::vector<WindowRecord> windowsOf(const std::string& run) const {
        std::vector<WindowRecord> windows;
        for (const WindowClosed& closed : of<WindowClosed>())
            if (closed.run == run)
                windows.push_back(closed.window);
        return windows;
    }
};

inline RunEventReceiver into(Events& events) {
    return [&events](std::span<const RunEvent> batch) { events(batch); };
}

/// The library's newest checkpoint of a kind.
inline CheckpointRecord checkpointOf(RunReader& reader, const std::string& run, CheckpointKind kind) {
    CheckpointRecord found;
    const auto checkpoints = reader.checkpoints(run).value();
    for (const CheckpointRecord& checkpoint : checkpoints)
        if (checkpoint.kind == kind && checkpoint.update >= found.update)
            found = checkpoint;
    return found;
}

/// Runs `experiment` and asks for a stop as soon as `window` is in the library. Returns the run's id.
inline std::string stoppedRun(const ExperimentConfig& experiment, const fs::path& library, bool now,
                              std::int64_t window = 1) {
    RunControl control;
    const auto outcome = runStudy(experiment, library, control, [&](std::span<const RunEvent> events) {
        if (std::ranges::any_of(events, [&](const RunEvent& event) {
                const auto* closed = std::get_if<WindowClosed>(&event);
                return closed && closed->window.window >= window;
            }))
            now ? control.stopNow() : control.stop();
    });
    return outcome && outcome->stopped ? outcome->runs.front().run : std::string();
}

} // namespace accumulus::test
