// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_export.h"

#include "core/base/atomic_file.h"
#include "core/base/clock.h"
#include "core/config/experiment_file.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

namespace accumulus {
namespace {

constexpr std::string_view csvHeader =
    "kind,window,update,epoch,epochs,samples,tokens,units,micro_steps,loss,accuracy,"
    "lr,grad_norm,clipped,nonfinite,loss_scale,"
    "noise_s,noise_g2,seconds,active_seconds,wall_time,peak_bytes,grad_norm_clipped,micro_batch,last_micro_batch,"
    "left_out,data_seconds,forward_seconds,backward_seconds,commit_seconds,update_seconds,split,count\n";

std::string real(double value) { return std::isnan(value) ? "nan" : fmt::format("{}", value); }

template <class T>
std::string optionalText(const std::optional<T>& value) {
    return value ? fmt::format("{}", *value) : std::string();
}

void addRow(std::string& csv, const WindowRecord& row) {
    fmt::format_to(std::back_inserter(csv),
                   "window,{},{},{},{},{},{},{},{},{},,{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},,\n",
                   row.window, optionalText(row.update), row.epoch, real(row.epochPosition), row.samples, row.tokens,
                   row.units, row.microSteps, real(row.loss), real(row.lr), real(row.gradNorm), row.clipped ? 1 : 0,
                   row.nonfinite ? 1 : 0, real(row.lossScale), optionalText(row.noiseS), optionalText(row.noiseG2),
                   real(row.seconds), real(row.activeSeconds), real(row.wallTime), row.peakBytes, real(row.clippedNorm),
                   row.microBatch, row.lastMicroBatch, row.leftOut, real(row.dataSeconds), real(row.forwardSeconds),
                   real(row.backwardSeconds), real(row.commitSeconds), real(row.updateSeconds));
}

void addRow(std::string& csv, const EvaluationRecord& row) {
    fmt::format_to(std::back_inserter(csv), "evaluation,,{},,{},{},,,,{},{},,,,,,,,{},{},{},,,,,,,,,,,{},{}\n",
                   row.update, real(row.epochPosition), row.samples, real(row.loss), real(row.accuracy),
                   real(row.seconds), real(row.activeSeconds), real(row.wallTime), row.split, row.count);
}

using Json = nlohmann::ordered_json;

template <class T>
Json optionalJson(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json timeJson(double unixSeconds) { return unixSeconds > 0 ? Json(isoTime(unixSeconds)) : Json(nullptr); }

Json summaryJson(const RunSummary& summary) {
    return {{"updates", summary.updates},
            {"micro_steps", summary.microSteps},
            {"samples", summary.samples},
            {"train_loss", optionalJson(summary.finalTrainLoss)},
            {"test_loss", optionalJson(summary.testLoss)},
            {"test_accuracy", optionalJson(summary.testAccuracy)},
            {"best_test_accuracy", optionalJson(summary.bestTestAccuracy)},
            {"active_seconds", summary.activeSeconds},
            {"samples_per_second", summary.samplesPerSecond},
            {"peak_bytes", summary.peakBytes},
            {"weights_hash", summary.weightsHash},
            {"checkpoint", summary.checkpoint}};
}

Json runJson(const RunRecord& run) {
    return {{"id", run.id},
            {"study", run.study},
            {"name", run.name},
            {"arm", armName(run.arm)},
            {"seed", run.seed},
            {"state", runStateName(run.state)},
            {"attempt", run.attempt},
            {"error", run.error},
            {"effective_batch", run.effective},
            {"micro_batch", run.micro},
            {"accumulation_steps", run.steps},
            {"lanes", run.lanes},
            {"threads_per_lane", run.threads},
            {"train_samples", run.trainSamples},
            {"planned_updates", run.totalUpdates},
            {"created", timeJson(run.createdAt)},
            {"started", timeJson(run.startedAt)},
            {"finished", timeJson(run.finishedAt)},
            {"config_hash", run.configHash},
            {"pair_hash", run.pairHash},
            {"config", Json::parse(runConfigJson(run.config))},
            {"environment",
             {{"program", run.environment.program},
              {"libtorch", run.environment.libtorch},
              {"device", run.environment.device},
              {"hardware", run.environment.hardware},
              {"system", run.environment.system},
              {"data", run.environment.data}}},
            {"summary", summaryJson(run.summary)},
            {"tags", run.tags},
            {"notes", run.notes}};
}

Json windowJson(const WindowRecord& row) {
    return {{"window", row.window},
            {"update", optionalJson(row.update)},
            {"epoch", row.epoch},
            {"epochs", row.epochPosition},
            {"samples", row.samples},
            {"tokens", row.tokens},
            {"units", row.units},
            {"micro_steps", row.microSteps},
            {"loss", row.loss},
            {"nonfinite", row.nonfinite},
            {"lr", row.lr},
            {"grad_norm", row.gradNorm},
            {"clipped", row.clipped},
            {"loss_scale", row.lossScale},
            {"noise_s", optionalJson(row.noiseS)},
            {"noise_g2", optionalJson(row.noiseG2)},
            {"seconds", row.seconds},
            {"active_seconds", row.activeSeconds},
            {"wall_time", row.wallTime},
            {"peak_bytes", row.peakBytes},
            {"grad_norm_clipped", row.clippedNorm},
            {"micro_batch", row.microBatch},
            {"last_micro_batch", row.lastMicroBatch},
            {"left_out", row.leftOut},
            {"data_seconds", row.dataSeconds},
            {"forward_seconds", row.forwardSeconds},
            {"backward_seconds", row.backwardSeconds},
            {"commit_seconds", row.commitSeconds},
            {"update_seconds", row.updateSeconds}};
}

Json evaluationJson(const EvaluationRecord& row) {
    return {{"update", row.update},     {"samples", row.samples}, {"epochs", row.epochPosition},
            {"split", row.split},       {"count", row.count},     {"loss", row.loss},
            {"accuracy", row.accuracy}, {"seconds", row.seconds}, {"active_seconds", row.activeSeconds},
            {"wall_time", row.wallTime}};
}

template <class T, class ToJson>
Json arrayJson(const std::vector<T>& rows, ToJson toJson) {
    Json array = Json::array();
    for (const T& row : rows)
        array.push_back(toJson(row));
    return array;
}

CheckpointKind kindOf(ExportedWeights which) {
    switch (which) {
    case ExportedWeights::Initial:
        return CheckpointKind::Initial;
    case ExportedWeights::Best:
        return CheckpointKind::Best;
    case ExportedWeights::Last:
        return CheckpointKind::Last;
    }
    return CheckpointKind::Last;
}

} // namespace

Status exportRunCsv(RunReader& reader, const std::string& run, const std::filesystem::path& file) {
    ACCUMULUS_TRY_ASSIGN(const auto record, reader.run(run));
    ACCUMULUS_TRY_ASSIGN(const auto windows, reader.windows(record.id));
    ACCUMULUS_TRY_ASSIGN(const auto evaluations, reader.evaluations(record.id));

    std::string csv(csvHeader);
    for (const WindowRecord& row : windows)
        addRow(csv, row);
    for (const EvaluationRecord& row : evaluations)
        addRow(csv, row);
    return writeFileAtomically(file, csv);
}

Status exportRunJson(RunReader& reader, const std::string& run, const std::filesystem::path& file) {
    ACCUMULUS_TRY_ASSIGN(const auto record, reader.run(run));
    ACCUMULUS_TRY_ASSIGN(const auto windows, reader.windows(record.id));
    ACCUMULUS_TRY_ASSIGN(const auto evaluations, reader.evaluations(record.id));
    ACCUMULUS_TRY_ASSIGN(const auto events, reader.events(record.id));
    ACCUMULUS_TRY_ASSIGN(const auto checkpoints, reader.checkpoints(record.id));

    Json json = runJson(record);
    json["windows"] = arrayJson(windows, windowJson);
    json["evaluations"] = arrayJson(evaluations, evaluationJson);
    json["events"] = arrayJson(events, [](const EventRecord& row) {
        return Json{{"time", timeJson(row.wallTime)},
                    {"level", row.level},
                    {"code", row.code},
                    {"text", row.text},
                    {"update", row.update}};
    });
    json["checkpoints"] = arrayJson(checkpoints, [](const CheckpointRecord& row) {
        return Json{{"kind", checkpointKindName(row.kind)},
                    {"update", row.update},
                    {"samples", row.samples},
                    {"weights", row.weightsPath},
                    {"bundle", row.bundlePath},
                    {"weights_hash", row.weightsHash},
                    {"bytes", row.bytes},
                    {"time", timeJson(row.wallTime)}};
    });
    // A note may hold bytes that are not UTF-8: they are replaced, the export never throws for them.
    return writeFileAtomically(file, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Status exportRunWeights(RunReader& reader, const std::string& run, ExportedWeights which,
                        const std::filesystem::path& file) {
    ACCUMULUS_TRY_ASSIGN(const auto record, reader.run(run));
    ACCUMULUS_TRY_ASSIGN(const auto checkpoints, reader.checkpoints(record.id));

    const CheckpointKind kind = kindOf(which);
    const CheckpointRecord* newest = nullptr;
    for (const CheckpointRecord& checkpoint : checkpoints)
        if (checkpoint.kind == kind && (!newest || checkpoint.update >= newest->update))
            newest = &checkpoint;
    if (!newest)
        return failure("export.no-checkpoint", {{"run", record.name}, {"kind", checkpointKindName(kind)}});

    std::filesystem::path source = newest->weightsPath;
    if (source.is_relative())
        source = reader.library().runFolder(record.id) / source;
    ACCUMULUS_TRY_ASSIGN(const auto content, readFile(source));
    return writeFileAtomically(file, content);
}

} // namespace accumulus
