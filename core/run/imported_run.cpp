// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/imported_run.h"

#include "core/base/hash.h"
#include "core/config/batch_plan.h"
#include "core/config/experiment_file.h"
#include "core/config/metric_rows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>

namespace accumulus {
namespace {

constexpr std::int64_t largestCount = std::int64_t{1} << 53;

bool isCount(std::int64_t number) { return number >= 0 && number <= largestCount; }
bool isTime(double seconds) { return std::isfinite(seconds) && seconds >= 0.0; }

/// What is wrong with a window after `before`, as the code of a reason; empty: nothing.
std::string_view wrongWith(const WindowRecord& window, const WindowRecord& before) {
    for (const std::int64_t number : {window.samples, window.tokens, window.microSteps, window.microBatch,
                                      window.lastMicroBatch, window.leftOut, window.peakBytes, window.epoch})
        if (!isCount(number))
            return "reason.import-count";
    if (window.window <= before.window || window.window > largestCount)
        return "reason.import-window";
    if (window.samples < before.samples || (window.update && *window.update <= before.update.value_or(0)) ||
        (window.update && *window.update > largestCount))
        return "reason.import-order";
    for (const double seconds : {window.epochPosition, window.seconds, window.activeSeconds, window.wallTime})
        if (!isTime(seconds))
            return "reason.import-time";
    return {};
}

std::string_view wrongWith(const EvaluationRecord& evaluation) {
    for (const std::int64_t number : {evaluation.update, evaluation.samples, evaluation.count, evaluation.peakBytes})
        if (!isCount(number))
            return "reason.import-count";
    for (const double seconds :
         {evaluation.epochPosition, evaluation.seconds, evaluation.activeSeconds, evaluation.wallTime})
        if (!isTime(seconds))
            return "reason.import-time";
    return evaluation.split == "test" || evaluation.split == "validation" ? "" : "reason.import-split";
}

/// 8-4-4-4-12, as other ids.
std::string idFrom(std::string_view content) {
    std::string id = hashOf(content);
    for (const std::size_t at : {8, 13, 18, 23})
        id.insert(at, "-");
    return id;
}

BatchConfig batchOf(const std::vector<EvaluationRecord>& evaluations, std::int64_t effective) {
    BatchConfig batch;
    for (const EvaluationRecord& evaluation : evaluations)
        if (effective == 0 && evaluation.update > 0)
            effective = evaluation.samples / evaluation.update;
    if (effective > 0)
        batch.effective = batch.micro = effective;
    return batch;
}

/// The batch that the first window shows.
BatchConfig batchOf(const std::vector<WindowRecord>& windows) {
    BatchConfig batch;
    const WindowRecord& first = windows.front();
    const bool known = first.microBatch > 0 && first.microSteps > 0 && first.lastMicroBatch > 0;
    batch.effective = std::max<std::int64_t>(
        known ? first.microBatch * (first.microSteps - 1) + first.lastMicroBatch : first.samples, 1);
    batch.micro = first.microBatch > 0 ? std::min(first.microBatch, batch.effective) : batch.effective;
    batch.ragged = RaggedPolicy::Weight; // whatever it was
    return batch;
}

/// A library keeps settings that it can read again.
bool canBeRead(const RunConfig& config) { return runConfigFromJson(runConfigJson(config)).has_value(); }

constexpr std::optional<double> RunSummary::*metricsOfSummary[] = {&RunSummary::testLoss,
                                                                   &RunSummary::testAccuracy,
                                                                   &RunSummary::bestTestAccuracy,
                                                                   &RunSummary::testTop5,
                                                                   &RunSummary::testMae,
                                                                   &RunSummary::testRmse,
                                                                   &RunSummary::testR2,
                                                                   &RunSummary::validationLoss,
                                                                   &RunSummary::validationAccuracy,
                                                                   &RunSummary::bestValidationAccuracy,
                                                                   &RunSummary::validationMae,
                                                                   &RunSummary::validationRmse};

void takeMissing(RunSummary& summary, const RunSummary& from) {
    for (const auto metric : metricsOfSummary)
        if (!(summary.*metric))
            summary.*metric = from.*metric;
}

RunSummary summaryOf(const ImportedRun& imported) {
    RunSummary summary;
    for (const WindowRecord& window : imported.windows) {
        // A log may name every hundredth update only.
        const std::int64_t updates = window.update ? *window.update - summary.updates : 1;
        summary.updates = window.update.value_or(summary.updates);
        summary.microSteps += window.microSteps * std::max<std::int64_t>(1, updates);
        summary.samples = window.samples;
        summary.finalTrainLoss = window.loss;
        summary.activeSeconds = window.activeSeconds;
        summary.peakBytes = std::max(summary.peakBytes, window.peakBytes);
    }
    if (summary.activeSeconds > 0.0)
        summary.samplesPerSecond = static_cast<double>(summary.samples) / summary.activeSeconds;
    for (std::size_t i = 0; i < imported.evaluations.size(); ++i) {
        const EvaluationRecord& row = imported.evaluations[i];
        summary.evaluationPeakBytes = std::max(summary.evaluationPeakBytes, row.peakBytes);
        summary.updates = std::max(summary.updates, row.update);
        summary.samples = std::max(summary.samples, row.samples);
        // What this one does not measure, an earlier one has.
        const RunSummary before = summary;
        takeEvaluation(summary, row);
        if (imported.withoutLoss.contains(i))
            (row.split == "validation" ? summary.validationLoss : summary.testLoss).reset();
        takeMissing(summary, before);
    }
    return summary;
}

/// As far as values tell it, which are none of another kind's.
LossKind lossKindOf(const std::vector<EvaluationRecord>& evaluations) {
    const auto any = [&](const auto& has) { return std::ranges::any_of(evaluations, has); };
    if (any([](const EvaluationRecord& row) { return row.rmse || row.mae || row.r2; }))
        return LossKind::Mse;
    const bool counts = any([](const EvaluationRecord& row) { return row.accuracy.has_value(); });
    return counts || evaluations.empty() ? LossKind::CrossEntropy : LossKind::Model;
}

} // namespace

Status checkMeasured(const ImportedRun& imported, const Error& otherwise) {
    const auto wrong = [&](std::string_view reason, std::string_view kind, std::int64_t row) -> Status {
        Error error = otherwise;
        error.arguments.emplace_back("reason", reason);
        error.arguments.emplace_back("kind", kind);
        error.arguments.emplace_back("row", std::to_string(row));
        return failure(std::move(error));
    };
    WindowRecord before;
    std::int64_t row = 0;
    for (const WindowRecord& window : imported.windows) {
        ++row;
        if (const auto reason = wrongWith(window, before); !reason.empty())
            return wrong(reason, "phrase.import-window", row);
        if (window.update)
            before.update = window.update;
        before.window = window.window;
        before.samples = window.samples;
    }
    std::set<std::pair<std::int64_t, std::string>> seen;
    row = 0;
    for (const EvaluationRecord& evaluation : imported.evaluations) {
        ++row;
        const auto reason = wrongWith(evaluation);
        const bool twice = !seen.emplace(evaluation.update, evaluation.split).second;
        if (!reason.empty() || twice)
            return wrong(twice ? "reason.import-twice" : reason, "phrase.import-evaluation", row);
    }
    return {};
}

void takeNonfinite(ImportedRun& imported) {
    RunSummary measured;
    for (const EvaluationRecord& evaluation : imported.evaluations)
        takeEvaluation(measured, evaluation);
    const auto last = std::ranges::find_if(imported.windows.rbegin(), imported.windows.rend(),
                                           [](const WindowRecord& window) { return window.units > 0.0; });
    if (last != imported.windows.rend())
        measured.finalTrainLoss = last->loss;
    RunSummary& summary = imported.run.summary;
    const auto take = [&](std::optional<double> RunSummary::*metric) {
        if (!(summary.*metric) && measured.*metric && !std::isfinite(*(measured.*metric)))
            summary.*metric = measured.*metric;
    };
    for (const auto metric : metricsOfSummary)
        take(metric);
    take(&RunSummary::finalTrainLoss);
}

void describeByMeasured(ImportedRun& imported, std::string_view content, const std::filesystem::path& file,
                        std::int64_t effective) {
    RunRecord& run = imported.run;
    run.id = idFrom(content);
    run.name = file.stem().string();
    run.state = RunState::Completed;
    run.config.model.name = "file"; // another program's: neither name nor settings are known
    run.config.data.dataset = "tensors";
    run.config.batch = imported.windows.empty() ? batchOf(imported.evaluations, effective) : batchOf(imported.windows);
    run.config.loss.kind = lossKindOf(imported.evaluations);
    if (!imported.windows.empty() && imported.windows.front().lr > 0.0)
        run.config.optimizer.lr = imported.windows.front().lr;
    for (const EvaluationRecord& evaluation : imported.evaluations) // a count of 0: the file does not say it
        if (evaluation.split == "validation")
            run.config.data.validation = evaluation.count;
    if (!canBeRead(run.config)) // numbers that no setting allows
        run.config.optimizer.lr = OptimizerConfig{}.lr;
    if (!canBeRead(run.config)) {
        run.config.batch = {};
        run.config.data.validation = 0;
    }
    run.batch = resolveBatch(run.config.batch).value_or(BatchPlan{});
    run.arm = run.batch.steps > 1 ? Arm::Accumulated : Arm::LargeBatch;
    // Settings that are not known are nobody's partner.
    run.configHash = hashOf("configuration of " + run.id);
    run.pairHash = hashOf("pair of " + run.id);
    run.summary = summaryOf(imported);
    run.totalUpdates = run.summary.updates;
    if (!imported.windows.empty()) {
        run.startedAt = imported.windows.front().wallTime;
        run.finishedAt = imported.windows.back().wallTime;
    }
    run.createdAt = run.startedAt;
}

} // namespace accumulus
