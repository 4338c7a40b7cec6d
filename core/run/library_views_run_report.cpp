// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/noise_words.h"
#include "core/analysis/number_text.h"
#include "core/base/clock.h"
#include "core/config/batch_words.h"
#include "core/config/model_rows.h"
#include "core/report/report_parts.h"
#include "core/report/report_words.h"
#include "core/report/run_report.h"
#include "core/run/library_views.h"
#include "core/run/micro_planner.h"
#include "core/run/report_facts.h"
#include "core/run/stored_audits.h"
#include "core/run/study_runner.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace accumulus {
namespace {

std::string percent(std::optional<double> fraction) {
    if (!fraction)
        return say("not measured");
    return saidNumber(numberText(100.0 * *fraction, 2)) + (std::isfinite(*fraction) ? " %" : "");
}

std::string fourDigits(std::optional<double> value) {
    return value ? saidNumber(shortText(*value)) : say("not measured");
}

/// What was measured comes from `compared`, as in the paragraph and the figures beside it.
Facts factsOf(const RunRecord& run, const ComparedRun& compared, bool severalRanks) {
    const RunSummary& summary = compared.ends;
    Facts facts = {
        {say("Status"), say(runStateName(shownState(run, unixTime())))},
        {say("Arm"), say(armName(run.arm))},
        {say("Seed"), std::to_string(run.seed)},
        {say("Batch"),
         &reportLanguage() == &english() ? batchSentence(run.batch) : batchEquation(run.batch, fineSigns())},
        {say("Updates"), countText(summary.updates)},
        {say("Micro-steps"), countText(summary.microSteps)},
        {say("Training samples seen"), countText(summary.samples)},
    };
    const Facts after = {
        {say("Training loss, last window"), fourDigits(summary.finalTrainLoss)},
        {say("Speed"), say("{} samples/s over {:.1f} s of active training",
                           countText(std::llround(compared.samplesPerSecond)), compared.activeSeconds)},
        {say("Lanes and threads"), fmt::format("{} x {}", run.lanes, run.threads)},
    };
    // What its loss is measured by, after the samples.
    for (const MetricRow& row : metricRows)
        if (row.metric != CompareMetric::TrainLoss && hasMetric(run.config, row.metric))
            if (const auto value = metricOf(summary, row.metric); value || row.metric == mainMetric(run.config))
                facts.emplace_back(capitalised(saidOf(metricCode(row.metric))),
                                   row.isShare ? percent(value) : fourDigits(value));
    facts.insert(facts.end(), after.begin(), after.end());
    const auto megabytes = [](std::int64_t bytes) {
        return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
    };
    if (summary.peakBytes > 0)
        facts.emplace_back(severalRanks ? say("Peak tensor memory, training, of rank 0")
                                        : say("Peak tensor memory, training"),
                           megabytes(summary.peakBytes));
    if (summary.evaluationPeakBytes > 0)
        facts.emplace_back(severalRanks ? say("Peak tensor memory, evaluations, of rank 0")
                                        : say("Peak tensor memory, evaluations"),
                           megabytes(summary.evaluationPeakBytes));
    if (run.attempt > 1)
        facts.emplace_back(say("Resumed"), counted(run.attempt - 1, "{} time", "{} times"));
    if (run.startedAt > 0.0)
        facts.emplace_back(say("Started"), isoTime(run.startedAt));
    if (run.finishedAt > 0.0)
        facts.emplace_back(say("Finished"), isoTime(run.finishedAt));
    if (!run.error.empty())
        facts.emplace_back(say("Why it ended"), runErrorText(run, reportLanguage()));
    if (!summary.weightsHash.empty())
        facts.emplace_back(say("Weights hash"), summary.weightsHash);
    facts.emplace_back(say("Configuration hash"), run.configHash);
    facts.emplace_back(say("Run"), run.id);
    return facts;
}

/// Only where windows had at least two micro-batches.
void addNoiseScale(Facts& facts, const ComparedRun& run) {
    const RunNoise& noise = run.noise;
    if (noise.terms.empty())
        return;
    const NoiseScale recent = recentNoiseScale(noise.terms);
    facts.emplace_back(say("Gradient noise scale, second half of the run"),
                       said(noiseScaleMessage(recent, noise.unit)));
    if (const auto cost = noiseCostMessage(recent, noiseEffective(run.batch, run.updates, noise), noise.unit))
        facts.emplace_back(say("What the batch costs by it"), said(*cost));
    const NoiseCourse course = noiseCourse(noise.terms);
    facts.emplace_back(say("Gradient noise scale, start of the run"),
                       said(noiseScaleMessage(course.start, noise.unit)));
    if (course.average)
        facts.emplace_back(say("Gradient noise scale, mean over the run"),
                           said(noiseAverageMessage(course, noise.unit)));
}

} // namespace

Result<ReportDocument> runReport(RunReader& reader, const std::string& id) {
    ACCUMULUS_TRY_ASSIGN(auto record, reader.run(id));
    ACCUMULUS_TRY_ASSIGN(auto run, loadComparedRun(reader, record));
    ACCUMULUS_TRY_ASSIGN(auto columns, reader.windowColumns(record.id, MetricGradNorm | MetricLr));

    RunReportInput input;
    input.run = std::move(run);
    ACCUMULUS_TRY_ASSIGN(input.rankTotals, reader.rankTotals(record.id));
    input.notes = record.notes;
    input.facts = factsOf(record, input.run, !input.rankTotals.ranks.empty());
    input.settings = settingsOf(record.config);
    addNoiseScale(input.facts, input.run);
    input.gradNorm = Series{columns.samples, std::move(columns.gradNorm)};
    input.learningRate = Series{std::move(columns.samples), std::move(columns.lr)};
    if (!input.rankTotals.ranks.empty()) {
        const auto elements = arenaSize(record.config); // not known without the data set
        input.rankCost = rankCost(input.rankTotals, record.config, elements ? std::optional(*elements) : std::nullopt);
    }
    ACCUMULUS_TRY_ASSIGN(input.audits, auditsOf(reader, record));
    ACCUMULUS_TRY_ASSIGN(input.plan, planOf(reader, {.config = record.config, .seed = record.seed}));
    input.lanes = record.lanes;
    input.command = commandFor(record.config, {record.seed});
    input.createdAt = unixTime();
    return makeRunReport(input);
}

} // namespace accumulus
