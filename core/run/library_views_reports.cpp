// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/noise_words.h"
#include "core/analysis/number_text.h"
#include "core/base/clock.h"
#include "core/config/batch_words.h"
#include "core/config/experiment_file.h"
#include "core/config/model_rows.h"
#include "core/report/comparison_report.h"
#include "core/report/family_report.h"
#include "core/report/report_parts.h"
#include "core/report/report_words.h"
#include "core/report/run_report.h"
#include "core/run/gradient_audits.h"
#include "core/run/library_views.h"
#include "core/run/micro_planner.h"
#include "core/run/study_runner.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <utility>

namespace accumulus {

namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

std::string percent(std::optional<double> fraction) {
    return fraction ? fmt::format("{:.2f} %", 100.0 * *fraction) : say("not measured");
}

std::string fourDigits(std::optional<double> value) {
    return value ? fmt::format("{:.4g}", *value) : say("not measured");
}

Facts factsOf(const RunRecord& run, bool severalRanks) {
    const RunSummary& summary = run.summary;
    Facts facts = {
        {say("State"), say(runStateName(run.state))},
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
                           countText(std::llround(summary.samplesPerSecond)), summary.activeSeconds)},
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

Facts settingsOf(const RunConfig& config) {
    ExperimentConfig experiment;
    experiment.run = config;
    Facts settings;
    for (const ConfigField& field : configFields())
        if (!field.key.starts_with("study.") && field.applies(experiment))
            settings.emplace_back(field.key, fieldText(field.get(experiment)));
    return settings;
}

/// One run alone: no second arm, its own seed.
std::string commandFor(const RunConfig& config, std::vector<std::int64_t> seeds) {
    ExperimentConfig experiment;
    experiment.run = config;
    experiment.study.seeds = std::move(seeds);
    experiment.study.largeBatch = false;
    return commandLine(experiment);
}

std::vector<std::int64_t> seedsOf(const std::vector<ComparedRun>& group) {
    std::vector<std::int64_t> seeds;
    for (const ComparedRun& run : group)
        seeds.push_back(run.seed);
    std::sort(seeds.begin(), seeds.end());
    seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
    return seeds;
}

/// The one study that makes both groups, where they are its two arms.
std::optional<std::string> studyCommand(const ComparisonInput& input, const Comparison& comparison) {
    const ComparedRun& a = input.groupA.front();
    const ComparedRun& b = input.groupB.front();
    const auto unexpected = [](const FieldDifference& difference) { return !difference.expected; };
    if (a.arm == b.arm || seedsOf(input.groupA) != seedsOf(input.groupB) ||
        std::any_of(comparison.differences.begin(), comparison.differences.end(), unexpected))
        return std::nullopt;
    ExperimentConfig experiment;
    experiment.run = a.arm == Arm::Accumulated ? a.config : b.config;
    experiment.study.seeds = seedsOf(input.groupA);
    experiment.study.largeBatch = true;
    experiment.study.margin = comparison.test.margin;
    experiment.study.metric = metricName(input.metric);
    return commandLine(experiment);
}

std::string questionOf(const ComparisonInput& input) {
    const ComparedRun& a = input.groupA.front();
    const ComparedRun& b = input.groupB.front();
    return say("Does {} on {} with an effective batch of {} end the same when each update is accumulated as {} "
               "and when it is made as {}?",
               say(modelTitle(a.config.model)), say(datasetTitle(a.config.data)), effectiveText(a.batch, fineSigns()),
               splitText(a.batch, fineSigns()), splitText(b.batch, fineSigns()));
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

Facts commonSettings(const RunConfig& a, const RunConfig& b) {
    Facts common = settingsOf(a);
    const Facts others = settingsOf(b);
    std::erase_if(common,
                  [&others](const auto& setting) { return std::ranges::find(others, setting) == others.end(); });
    return common;
}

/// Of all groups, A first.
Result<std::vector<RunRecord>> recordsOf(RunReader& reader, const ComparisonInput& input) {
    std::vector<RunRecord> records;
    for (std::size_t group = 0; group < groupCount(input); ++group)
        for (const ComparedRun& run : groupAt(input, group)) {
            ACCUMULUS_TRY_ASSIGN(auto record, reader.run(run.id));
            records.push_back(std::move(record));
        }
    return records;
}

/// Each once, joined by commas; empty where no run has a study with a name.
Result<std::string> studyNames(RunReader& reader, const std::vector<RunRecord>& runs) {
    std::vector<std::string> seen;
    std::vector<std::string> names;
    for (const RunRecord& run : runs) {
        if (run.study.empty() || std::ranges::find(seen, run.study) != seen.end())
            continue;
        seen.push_back(run.study);
        ACCUMULUS_TRY_ASSIGN(const auto study, reader.study(run.study));
        if (!study.name.empty() && std::ranges::find(names, study.name) == names.end())
            names.push_back(study.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

Facts notesOf(const std::vector<RunRecord>& runs) {
    Facts notes;
    for (const RunRecord& run : runs)
        if (!run.notes.empty())
            notes.emplace_back(run.name.empty() ? run.id : run.name, run.notes);
    return notes;
}

/// Group A against group B. `study`: its name, for the title.
Result<ReportDocument> pairReport(RunReader& reader, const ComparisonInput& input, const Comparison& comparison,
                                  const std::string& study) {
    if (input.groupA.empty() || input.groupB.empty())
        return failure("compare.empty-group", {{"group", input.groupA.empty() ? "A" : "B"}});
    ComparisonReportInput report;
    report.input = input;
    report.comparison = comparison;
    report.study = study;
    report.question = questionOf(input);
    const RunConfig& first = input.groupA.front().config;
    const RunConfig& second = input.groupB.front().config;
    report.commonSettings = commonSettings(first, second);
    if (const auto command = studyCommand(input, comparison)) {
        report.commandA = *command;
    } else {
        report.commandA = commandFor(first, seedsOf(input.groupA));
        report.commandB = commandFor(second, seedsOf(input.groupB));
    }
    ACCUMULUS_TRY_ASSIGN(const auto records, recordsOf(reader, input));
    ACCUMULUS_TRY_ASSIGN(report.audits, auditsOf(reader, records.front()));
    report.notes = notesOf(records);
    report.createdAt = unixTime();
    return makeComparisonReport(report);
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
    input.facts = factsOf(record, !input.rankTotals.ranks.empty());
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

Result<ReportDocument> comparisonReport(RunReader& reader, const ComparisonInput& input, const Comparison& comparison) {
    ACCUMULUS_TRY_ASSIGN(const auto records, recordsOf(reader, input));
    ACCUMULUS_TRY_ASSIGN(const auto study, studyNames(reader, records));
    return pairReport(reader, input, comparison, study);
}

Result<ReportDocument> familyReport(RunReader& reader, const ComparisonInput& input, const FamilyComparison& family) {
    ACCUMULUS_TRY_ASSIGN(const auto records, recordsOf(reader, input));
    ACCUMULUS_TRY_ASSIGN(const auto study, studyNames(reader, records));
    const bool several = family.members.size() > 1;
    std::vector<ReportDocument> chapters;
    for (const FamilyMember& member : family.members) {
        ACCUMULUS_TRY_ASSIGN(auto chapter, pairReport(reader, pairInput(input, member.group), member.comparison,
                                                      several ? std::string() : study));
        chapters.push_back(std::move(chapter));
    }
    return makeFamilyReport(input, family, std::move(chapters), study);
}

} // namespace accumulus
