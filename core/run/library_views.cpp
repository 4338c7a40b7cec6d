// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/library_views.h"

#include "core/base/clock.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <set>

namespace accumulus {

namespace {

/// The margin with the moment it was fixed.
struct Margin {
    double value = StudyConfig{}.margin; ///< 0: the metric's own
    double setAt = 0.0;                  ///< 0: nobody fixed it before the runs
};

/// The studies' margin and metric, when all agree: a later study that adds seeds repeats them. Nothing where one of
/// them is not known, as of a run that was imported alone.
std::optional<StudyRecord> commonStudy(const std::map<std::string, StudyRecord>& studies) {
    const auto isUnknown = [](const auto& study) { return study.second.createdAt <= 0.0; };
    if (studies.empty() || std::ranges::any_of(studies, isUnknown))
        return std::nullopt;
    StudyRecord common = studies.begin()->second;
    for (const auto& [id, study] : studies) {
        if (study.config.margin != common.config.margin || study.config.metric != common.config.metric)
            return std::nullopt;
        // The earliest one fixed the margin; the others only repeated it.
        if (study.createdAt < common.createdAt)
            common = study;
    }
    return common;
}

/// With the name of its metric: a later study that adds seeds may say what "auto" stands for in the first.
StudyRecord withMetricNamed(StudyRecord study, const RunConfig& config) {
    if (const auto metric = studyMetric(study.config.metric, config))
        study.config.metric = metricName(*metric);
    return study;
}

struct LoadedGroup {
    std::vector<ComparedRun> runs;
    std::vector<double> plannedAt; ///< of each run, with its study
    double firstResultAt = 0.0;    ///< 0: none has finished
};

void addRun(LoadedGroup& group, const RunRecord& record, ComparedRun run,
            const std::map<std::string, StudyRecord>& studies) {
    group.runs.push_back(std::move(run));
    const auto study = studies.find(record.study);
    const double planned = study == studies.end() ? 0.0 : study->second.createdAt;
    group.plannedAt.push_back(planned > 0.0 ? planned : record.createdAt);
    if (record.finishedAt > 0.0 && (group.firstResultAt == 0.0 || record.finishedAt < group.firstResultAt))
        group.firstResultAt = record.finishedAt;
}

/// Their rows, with the studies that they are of.
Result<std::vector<RunRecord>> readRows(RunReader& reader, const std::vector<std::string>& ids,
                                        std::map<std::string, StudyRecord>& studies) {
    std::vector<RunRecord> records;
    for (const std::string& id : ids) {
        ACCUMULUS_TRY_ASSIGN(auto record, reader.run(id));
        if (!record.study.empty() && !studies.contains(record.study)) {
            ACCUMULUS_TRY_ASSIGN(auto study, reader.study(record.study));
            studies.emplace(record.study, withMetricNamed(std::move(study), record.config));
        }
        records.push_back(std::move(record));
    }
    return records;
}

/// A, B and the reference are needed.
Status checkGroups(const std::vector<std::vector<std::string>>& groups, std::size_t reference) {
    for (std::size_t i = 0; i < std::max({groups.size(), std::size_t{2}, reference + 1}); ++i)
        if ((i < 2 || i == reference) && (i >= groups.size() || groups[i].empty()))
            return failure("compare.empty-group", {{"group", letterOf(i)}});
    return {};
}

/// Of two times; 0: there is none.
double earlier(double one, double other) { return one > 0.0 && other > 0.0 ? std::min(one, other) : one + other; }

/// 0: there is none.
double firstResultOf(const std::vector<LoadedGroup>& groups) {
    double first = 0.0;
    for (const LoadedGroup& group : groups)
        first = earlier(first, group.firstResultAt);
    return first;
}

Margin chooseMargin(const std::optional<StudyRecord>& study, std::optional<double> wanted, double setAt) {
    if (study && (!wanted || *wanted == study->config.margin))
        return {study->config.margin, study->createdAt};
    if (wanted)
        return {*wanted, setAt > 0.0 ? setAt : unixTime()};
    return {};
}

/// Does a distance of one metric mean the same in the other?
bool sameUnit(CompareMetric one, CompareMetric other) {
    using enum CompareMetric;
    one = onTest(one);
    other = onTest(other);
    const auto both = [&](CompareMetric a, CompareMetric b) {
        return (one == a || one == b) && (other == a || other == b);
    };
    return one == other || (metricRow(one).isShare && metricRow(other).isShare) || both(TestLoss, TrainLoss) ||
           both(TestMae, TestRmse);
}

/// A seed of which no run was planned before the first result of these two groups came.
bool addsSeedsLate(const LoadedGroup& group, const LoadedGroup& reference) {
    const double firstResult = earlier(group.firstResultAt, reference.firstResultAt);
    std::set<std::int64_t> early;
    std::set<std::int64_t> late;
    for (const LoadedGroup* one : {&group, &reference})
        for (std::size_t i = 0; i < one->runs.size(); ++i)
            (one->plannedAt[i] > firstResult ? late : early).insert(one->runs[i].seed);
    return firstResult > 0.0 &&
           std::ranges::any_of(late, [&early](std::int64_t seed) { return !early.contains(seed); });
}

/// Each group is judged with the reference alone: what the others did is no matter of theirs.
std::vector<std::size_t> lateGroups(const std::vector<LoadedGroup>& groups, std::size_t reference) {
    std::vector<std::size_t> late;
    for (std::size_t group = 0; group < groups.size(); ++group)
        if (group != reference && !groups[group].runs.empty() && addsSeedsLate(groups[group], groups[reference]))
            late.push_back(group);
    return late;
}

std::vector<FurtherMetric> furtherMetrics(const std::vector<std::string>& names, CompareMetric judged,
                                          const std::optional<StudyRecord>& study, double firstResult,
                                          const RunConfig& config) {
    std::vector<FurtherMetric> further;
    const auto own = study ? studyMetric(study->config.metric, config) : std::nullopt;
    for (const std::string& name : names) {
        const auto metric = metricFromName(name);
        const auto known = [&] { return std::ranges::find(further, *metric, &FurtherMetric::metric) != further.end(); };
        if (!metric || *metric == judged || !hasMetric(config, *metric) || known())
            continue;
        FurtherMetric& added = further.emplace_back();
        added.metric = *metric;
        if (own && sameUnit(*metric, *own)) {
            added.margin = study->config.margin;
            added.marginFixed = firstResult == 0.0 || study->createdAt <= firstResult;
        }
    }
    return further;
}

/// How A and B are judged, and whether that was fixed before their results.
Result<ComparisonInput> inputOf(std::vector<LoadedGroup> loaded, const std::optional<StudyRecord>& study,
                                const std::string& metric, std::optional<double> margin,
                                const ComparisonOptions& options) {
    const RunConfig config = loaded.front().runs.front().config;
    const std::string own = study ? study->config.metric : StudyConfig{}.metric;
    const auto ownMetric = studyMetric(own, config);
    const auto chosen = metric.empty() ? ownMetric : studyMetric(metric, config);
    if (!chosen)
        return failure("compare.metric", {{"metric", metric.empty() ? own : metric}, {"names", metricNames()}});

    // A margin is in its metric's unit: that of a study's own metric says nothing about one of another unit.
    const bool isOfStudy = ownMetric && sameUnit(*chosen, *ownMetric);
    const Margin fixed = chooseMargin(isOfStudy ? study : std::nullopt, margin, options.marginSetAt);
    const double firstResult = firstResultOf(loaded);

    ComparisonInput input;
    input.lateGroups = lateGroups(loaded, options.reference);
    input.seedsAddedAfterResults = !input.lateGroups.empty();
    input.together = furtherMetrics(options.together, *chosen, study, firstResult, config);
    input.reference = options.reference;
    input.groupA = std::move(loaded[0].runs);
    input.groupB = std::move(loaded[1].runs);
    for (std::size_t i = 2; i < loaded.size(); ++i)
        input.further.push_back(std::move(loaded[i].runs));
    input.metric = *chosen;
    input.margin = fixed.value;
    input.marginSetAt = fixed.setAt;
    input.marginSetAfterResults = firstResult > 0.0 && (fixed.setAt <= 0.0 || fixed.setAt > firstResult);
    input.metricChosenAfterResults = firstResult > 0.0 && study && *chosen != ownMetric;
    return input;
}

} // namespace

Result<ComparisonInput> loadComparedGroups(RunReader& reader, const std::vector<std::vector<std::string>>& groups,
                                           const std::string& metric, std::optional<double> margin,
                                           const ComparisonOptions& options) {
    ACCUMULUS_TRY(checkGroups(groups, options.reference));
    if (margin && !(*margin > 0.0 && std::isfinite(*margin)))
        return failure("compare.margin", {{"margin", fmt::format("{:g}", *margin)}});

    std::map<std::string, StudyRecord> studies;
    std::vector<RunRecord> records; ///< of all groups
    std::optional<StudyRecord> study;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        ACCUMULUS_TRY_ASSIGN(auto rows, readRows(reader, groups[i], studies));
        std::ranges::move(rows, std::back_inserter(records));
        if (i == 1) // a group that is added does not change by what A and B are judged
            study = commonStudy(studies);
    }
    ACCUMULUS_TRY_ASSIGN(auto runs, loadComparedRuns(reader, records, options.curves));
    std::vector<LoadedGroup> loaded(groups.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < groups.size(); ++i)
        for (const std::size_t end = next + groups[i].size(); next < end; ++next)
            addRun(loaded[i], records[next], std::move(runs[next]), studies);
    return inputOf(std::move(loaded), study, metric, margin, options);
}

Result<ComparisonInput> loadComparison(RunReader& reader, const std::vector<std::string>& groupA,
                                       const std::vector<std::string>& groupB, const std::string& metric,
                                       std::optional<double> margin, const ComparisonOptions& options) {
    return loadComparedGroups(reader, {groupA, groupB}, metric, margin, options);
}

Result<Verdict> judgeRows(const std::vector<const RunRecord*>& groupA, const std::vector<const RunRecord*>& groupB,
                          const std::map<std::string, StudyRecord>& studies) {
    std::map<std::string, StudyRecord> theirs; ///< of these runs
    std::vector<LoadedGroup> groups;
    for (const auto* rows : {&groupA, &groupB}) {
        if (rows->empty())
            return failure("compare.empty-group", {{"group", letterOf(groups.size())}});
        LoadedGroup& group = groups.emplace_back();
        for (const RunRecord* row : *rows) {
            if (const auto study = studies.find(row->study); study != studies.end())
                theirs.emplace(study->first, withMetricNamed(study->second, row->config));
            addRun(group, *row, withoutCurves(*row), theirs);
        }
    }
    ACCUMULUS_TRY_ASSIGN(const auto input, inputOf(std::move(groups), commonStudy(theirs), {}, {}, {}));
    return judgeGroups(input);
}

RunState shownState(const RunRecord& run, double now) {
    return isAbandoned(run, now) ? RunState::Interrupted : run.state;
}

} // namespace accumulus
