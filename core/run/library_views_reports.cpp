// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "core/config/batch_words.h"
#include "core/config/experiment_file.h"
#include "core/config/model_rows.h"
#include "core/report/comparison_report.h"
#include "core/report/family_report.h"
#include "core/report/report_words.h"
#include "core/run/library_views.h"
#include "core/run/report_facts.h"
#include "core/run/stored_audits.h"
#include "core/run/study_runner.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace accumulus {

namespace {

std::vector<std::int64_t> seedsOf(const std::vector<ComparedRun>& group) {
    std::vector<std::int64_t> seeds;
    for (const ComparedRun& run : group)
        seeds.push_back(run.seed);
    std::sort(seeds.begin(), seeds.end());
    seeds.erase(std::unique(seeds.begin(), seeds.end()), seeds.end());
    return seeds;
}

bool areAsPlanned(const std::vector<ComparedRun>& group, const PlannedRun& planned) {
    return std::ranges::all_of(group, [&planned](const ComparedRun& run) {
        RunConfig config = run.config;
        config.batch.effective = run.batch.effective; // written out, as a study plans it
        config.batch.steps = 0;
        return run.arm == planned.arm && config == planned.config;
    });
}

/// The one study that makes both groups, where they are its two arms.
std::optional<std::string> studyCommand(const ComparisonInput& input, const Comparison& comparison) {
    const bool isFirst = input.groupA.front().arm == Arm::Accumulated;
    const auto& accumulated = isFirst ? input.groupA : input.groupB;
    const auto& large = isFirst ? input.groupB : input.groupA;
    ExperimentConfig experiment;
    experiment.run = accumulated.front().config;
    experiment.study.seeds = seedsOf(accumulated);
    experiment.study.largeBatch = true;
    experiment.study.ghost = experiment.run.numerics.ghost != large.front().config.numerics.ghost;
    experiment.study.margin = comparison.test.margin;
    experiment.study.metric = metricName(input.metric);
    const auto planned = planStudy(experiment);
    if (!planned || seedsOf(large) != experiment.study.seeds || !areAsPlanned(accumulated, planned->at(0)) ||
        !areAsPlanned(large, planned->at(1)))
        return std::nullopt;
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
