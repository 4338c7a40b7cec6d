// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in each event of the stream, once for writing and reading. For event_stream.cpp.
#pragma once

#include "core/base/measured_values.h"
#include "core/run/run_events.h"

#include <concepts>
#include <type_traits>
#include <variant>

namespace accumulus::eventstream {

template <class R, class T>
concept Is = std::same_as<std::remove_const_t<R>, T>;

/// Micro-batches of a window, of which nearly all are equal: pairs of a size and how often it follows.
template <class Sizes>
struct Repeated {
    Sizes& sizes;
};

// What stands in an event, once for writing and reading. Each type is taken apart whole, so that a new member does not
// compile until it is named here.

template <Is<Error> R>
void visitMembers(R& record, auto&& visit) {
    auto& [code, arguments] = record;
    visit("code", code);
    visit("arguments", arguments);
}

template <Is<StudyRecord> R>
void visitMembers(R& record, auto&& visit) {
    auto& [id, name, config, createdAt] = record;
    visit("id", id);
    visit("name", name);
    visit("config", config);
    visit("created_at", createdAt);
}

template <Is<Environment> R>
void visitMembers(R& record, auto&& visit) {
    auto& [program, libtorch, device, hardware, system, data, driver] = record;
    visit("program", program);
    visit("libtorch", libtorch);
    visit("device", device);
    visit("hardware", hardware);
    visit("system", system);
    visit("data", data);
    visit("driver", driver);
}

template <Is<BatchPlan> R>
void visitMembers(R& record, auto&& visit) {
    auto& [effective, micro, steps, devices, sizes, ramp] = record;
    visit("effective", effective);
    visit("micro", micro);
    visit("steps", steps);
    visit("devices", devices);
    visit("micro_sizes", Repeated<std::remove_reference_t<decltype(sizes)>>{sizes});
    visit("ramp", ramp);
}

template <Is<RampPoint> R>
void visitMembers(R& record, auto&& visit) {
    auto& [update, effective] = record;
    visit("update", update);
    visit("effective", effective);
}

template <Is<RunOwner> R>
void visitMembers(R& record, auto&& visit) {
    auto& [pid, started, host, claim] = record;
    visit("pid", pid);
    visit("started", started);
    visit("host", host);
    visit("claim", claim);
}

template <Is<RunSummary> R>
void visitMembers(R& record, auto&& visit) {
    auto& [updates, microSteps, samples, finalTrainLoss, testLoss, testAccuracy, bestTestAccuracy, testTop5, testMae,
           testRmse, testR2, validationLoss, validationAccuracy, bestValidationAccuracy, validationMae, validationRmse,
           activeSeconds, samplesPerSecond, peakBytes, evaluationPeakBytes, weightsHash, checkpoint, othersShare] =
        record;
    visit("updates", updates);
    visit("micro_steps", microSteps);
    visit("samples", samples);
    visit("final_train_loss", finalTrainLoss);
    visit("test_loss", testLoss);
    visit("test_accuracy", testAccuracy);
    visit("best_test_accuracy", bestTestAccuracy);
    visit("test_top5", testTop5);
    visit("test_mae", testMae);
    visit("test_rmse", testRmse);
    visit("test_r2", testR2);
    visit("validation_loss", validationLoss);
    visit("validation_accuracy", validationAccuracy);
    visit("best_validation_accuracy", bestValidationAccuracy);
    visit("validation_mae", validationMae);
    visit("validation_rmse", validationRmse);
    visit("active_seconds", activeSeconds);
    visit("samples_per_second", samplesPerSecond);
    visit("peak_bytes", peakBytes);
    visit("evaluation_peak_bytes", evaluationPeakBytes);
    visit("weights_hash", weightsHash);
    visit("checkpoint", checkpoint);
    visit("others_share", othersShare);
}

template <Is<RunRecord> R>
void visitMembers(R& record, auto&& visit) {
    // Why it failed comes as a message with RunFinished. Colour, protection and what is worked out from other rows
    // belong to the library that a run lies in.
    auto& [id, study, name, arm, seed, config, configHash, pairHash, batch, lanes, threads, trainSamples, totalUpdates,
           environment, datasetHash, modelFileHash, initialWeightsHash, modelTraits, state, attempt, createdAt,
           startedAt, finishedAt, heartbeat, owner, error, errorMessage, summary, tags, notes, color, isProtected,
           imported, lowestLoss, testCount, validationCount, checkpointBytes, trashed, trashedAt] = record;
    visit("id", id);
    visit("study", study);
    visit("name", name);
    visit("arm", arm);
    visit("seed", seed);
    visit("config", config);
    visit("config_hash", configHash);
    visit("pair_hash", pairHash);
    visit("batch", batch);
    visit("lanes", lanes);
    visit("threads", threads);
    visit("train_samples", trainSamples);
    visit("total_updates", totalUpdates);
    visit("environment", environment);
    visit("dataset_hash", datasetHash);
    visit("model_file_hash", modelFileHash);
    visit("initial_weights_hash", initialWeightsHash);
    visit("model_traits", modelTraits);
    visit("state", state);
    visit("attempt", attempt);
    visit("created_at", createdAt);
    visit("started_at", startedAt);
    visit("finished_at", finishedAt);
    visit("heartbeat_at", heartbeat);
    visit("owner", owner);
    visit("error", error);
    visit("summary", summary);
    visit("tags", tags);
    visit("notes", notes);
    visit("trashed", trashed);
    visit("trashed_at", trashedAt);
}

template <class R>
requires Is<R, WindowRecord> || Is<R, EvaluationRecord>
void visitMembers(R& record, auto&& visit) {
    const auto values = [] {
        if constexpr (Is<R, WindowRecord>)
            return windowValues();
        else
            return evaluationValues();
    }();
    for (const auto& value : values)
        std::visit([&](auto member) { visit(value.name, record.*member); }, value.member);
    if constexpr (Is<R, WindowRecord>)
        visit("ranks", record.ranks);
}

template <Is<RankTimes> R>
void visitMembers(R& record, auto&& visit) {
    for (const RankValue& value : rankValues())
        std::visit([&](auto member) { visit(value.name, record.*member); }, value.member);
}

template <Is<MicroStepRecord> R>
void visitMembers(R& record, auto&& visit) {
    auto& [window, microStep, values] = record;
    visit("window", window);
    visit("micro_step", microStep);
    visit("values", values);
}

template <Is<CheckpointRecord> R>
void visitMembers(R& record, auto&& visit) {
    auto& [kind, update, samples, weightsPath, bundlePath, weightsHash, bytes, wallTime] = record;
    visit("kind", kind);
    visit("update", update);
    visit("samples", samples);
    visit("weights_path", weightsPath);
    visit("bundle_path", bundlePath);
    visit("weights_hash", weightsHash);
    visit("bytes", bytes);
    visit("wall_time", wallTime);
}

template <Is<EventRecord> R>
void visitMembers(R& record, auto&& visit) {
    auto& [wallTime, level, code, text, update, arguments] = record; // the last comes with the note's message
    visit("wall_time", wallTime);
    visit("level", level);
    visit("code", code);
    visit("text", text);
    visit("update", update);
}

template <Is<StudyStarted> R>
void visitMembers(R& event, auto&& visit) {
    auto& [study, runs, notes] = event;
    visit("study", study);
    visit("runs", runs);
    visit("notes", notes);
}

template <Is<RunStarted> R>
void visitMembers(R& event, auto&& visit) {
    auto& [run, resumed, windowsDone, updatesDone] = event;
    visit("run", run);
    visit("resumed", resumed);
    visit("windows_done", windowsDone);
    visit("updates_done", updatesDone);
}

template <Is<WindowClosed> R>
void visitMembers(R& event, auto&& visit) {
    auto& [run, window] = event;
    visit("run", run);
    visit("window", window);
}

template <Is<MicroStepProbed> R>
void visitMembers(R& event, auto&& visit) {
    auto& [run, microStep] = event;
    visit("run", run);
    visit("micro_step", microStep);
}

template <Is<Evaluated> R>
void visitMembers(R& event, auto&& visit) {
    auto& [run, evaluation] = event;
    visit("run", run);
    visit("evaluation", evaluation);
}

template <Is<CheckpointSaved> R>
void visitMembers(R& event, auto&& visit) {
    auto& [run, checkpoint] = event;
    visit("run", run);
    visit("checkpoint", checkpoint);
}

template <Is<CheckpointRemoved> R>
void visitMembers(R& event, auto&& visit) {
    auto& [run, weightsPath] = event;
    visit("run", run);
    visit("weights_path", weightsPath);
}

template <Is<RunStateChanged> R>
void visitMembers(R& event, auto&& visit) {
    auto& [run, state] = event;
    visit("run", run);
    visit("state", state);
}

template <Is<RunNoted> R>
void visitMembers(R& event, auto&& visit) {
    auto& [run, record, message] = event;
    visit("run", run);
    visit("note", record);
    visit("message", message);
}

template <Is<RunFinished> R>
void visitMembers(R& event, auto&& visit) {
    auto& [run, state, summary, arm, seed, error] = event;
    visit("run", run);
    visit("state", state);
    visit("summary", summary);
    visit("arm", arm);
    visit("seed", seed);
    visit("error", error);
}

template <Is<StudyFinished> R>
void visitMembers(R& event, auto&& visit) {
    auto& [study, stopped, error] = event;
    visit("study", study);
    visit("stopped", stopped);
    visit("error", error);
}

} // namespace accumulus::eventstream
