// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/library_views.h"

#include "core/base/clock.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace accumulus {

namespace {

/// The last value that is a number; a run that still trains has no summary yet.
std::optional<double> lastFinite(const Series& series) {
    for (auto y = series.y.rbegin(); y != series.y.rend(); ++y)
        if (std::isfinite(*y))
            return *y;
    return std::nullopt;
}

/// Of the evaluations so far: the last one that has the metric, and the best accuracy.
void takeEvaluated(RunSummary& summary, const std::vector<EvaluationRecord>& tests) {
    for (const EvaluationRecord& test : tests) {
        summary.testLoss = std::isfinite(test.loss) ? test.loss : summary.testLoss;
        summary.testAccuracy = test.accuracy;
        summary.testTop5 = test.top5;
        summary.testMae = test.mae;
        summary.testRmse = test.rmse;
        summary.testR2 = test.r2;
        if (test.accuracy && *test.accuracy > summary.bestTestAccuracy.value_or(-1.0))
            summary.bestTestAccuracy = test.accuracy;
    }
}

std::vector<std::pair<std::string, std::string>> environmentFacts(const Environment& environment) {
    std::vector<std::pair<std::string, std::string>> facts = {
        {"program", environment.program}, {"libtorch", environment.libtorch}, {"device", environment.device},
        {"driver", environment.driver},   {"hardware", environment.hardware}, {"system", environment.system},
        {"data", environment.data}};
    std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
    return facts;
}

void takeEvaluations(ComparedRun& run, const std::vector<EvaluationRecord>& evaluations) {
    for (const EvaluationRecord& evaluation : evaluations) {
        if (evaluation.split != "test")
            continue;
        run.tests.push_back(evaluation);
    }
}

void takeSummary(ComparedRun& run, const RunSummary& summary) {
    run.ends = summary;
    if (!summary.testLoss && !summary.testAccuracy) // it still trains
        takeEvaluated(run.ends, run.tests);
    if (!summary.finalTrainLoss)
        run.ends.finalTrainLoss = lastFinite(run.trainLoss);
    run.samplesPerSecond = summary.samplesPerSecond;
    run.activeSeconds = summary.activeSeconds;
    run.peakBytes = summary.peakBytes;
    run.samples = summary.samples;
    run.updates = summary.updates;
}

/// What a run's row says of it.
ComparedRun withoutCurves(const RunRecord& record) {
    ComparedRun run;
    run.id = record.id;
    run.name = record.name;
    run.arm = record.arm;
    run.seed = record.seed;
    run.pairHash = record.pairHash;
    run.color = record.color;
    run.config = record.config;
    run.modelTraits = record.modelTraits;
    run.batch = record.batch;
    run.complete = record.state == RunState::Completed;
    run.ends = record.summary;
    return run;
}

/// The speed is summed up only at the end of a run; until then its windows say it.
void takeProgress(ComparedRun& run, const WindowColumns& columns) {
    if (run.samplesPerSecond > 0.0 || columns.size() == 0)
        return;
    const double seconds = columns.activeSeconds.back();
    if (seconds > 0.0)
        run.samplesPerSecond = columns.samples.back() / seconds;
}

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

Result<LoadedGroup> loadGroup(RunReader& reader, const std::vector<std::string>& ids,
                              std::map<std::string, StudyRecord>& studies, CurveAxis axis) {
    LoadedGroup group;
    for (const std::string& id : ids) {
        ACCUMULUS_TRY_ASSIGN(auto record, reader.run(id));
        if (!record.study.empty() && !studies.contains(record.study)) {
            ACCUMULUS_TRY_ASSIGN(auto study, reader.study(record.study));
            studies.emplace(record.study, std::move(study));
        }
        ACCUMULUS_TRY_ASSIGN(auto run, loadComparedRun(reader, record.id, axis));
        addRun(group, record, std::move(run), studies);
    }
    return group;
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

/// x of each window on an axis; a window that made no update stands where the one before it did.
std::vector<double> windowAxis(WindowColumns& columns, CurveAxis axis, double startedAt) {
    switch (axis) {
    case CurveAxis::Updates: {
        double last = 0.0;
        for (double& update : columns.update)
            last = update = std::isfinite(update) ? update : last;
        return std::move(columns.update);
    }
    case CurveAxis::Epochs:
        return std::move(columns.epochs);
    case CurveAxis::WallTime:
        for (double& time : columns.wallTime)
            time -= startedAt;
        return std::move(columns.wallTime);
    case CurveAxis::ActiveTime:
        return std::move(columns.activeSeconds);
    case CurveAxis::Samples:
        break;
    }
    return std::move(columns.samples);
}

/// How A and B are judged, and whether that was fixed before their results.
Result<ComparisonInput> inputOf(std::vector<LoadedGroup> loaded, const std::optional<StudyRecord>& study,
                                const std::string& metric, std::optional<double> margin,
                                const ComparisonOptions& options) {
    const RunConfig config = loaded.front().runs.front().config;
    const std::string own = study ? study->config.metric : StudyConfig{}.metric;
    const auto chosen = studyMetric(metric.empty() ? own : metric, config);
    if (!chosen)
        return failure("compare.metric", {{"metric", metric.empty() ? own : metric}, {"names", metricNames()}});

    // A margin is in its metric's unit: that of a study's own metric says nothing about one of another unit.
    const auto ownMetric = studyMetric(own, config);
    Margin fixed = chooseMargin(study, margin, options.marginSetAt);
    if (!margin && (!ownMetric || !sameUnit(*chosen, *ownMetric)))
        fixed = {};
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

RunNoise runNoiseOf(const RunConfig& config, const WindowColumns& columns) {
    RunNoise noise;
    noise.unit = lossUnit(config);
    double units = 0.0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        units += std::isfinite(columns.units[i]) ? columns.units[i] : 0.0;
        if (std::isfinite(columns.noiseS[i]) && std::isfinite(columns.noiseG2[i]))
            noise.terms.push_back({std::llround(columns.samples[i]), columns.noiseS[i], columns.noiseG2[i]});
    }
    if (noise.unit != "samples" && columns.size() > 0 && columns.samples.back() > 0.0)
        noise.unitsPerSample = units / columns.samples.back();
    return noise;
}

Result<ComparedRun> loadComparedRun(RunReader& reader, const std::string& id, CurveAxis axis) {
    ACCUMULUS_TRY_ASSIGN(auto record, reader.run(id));
    ACCUMULUS_TRY_ASSIGN(auto columns, reader.windowColumns(record.id, MetricLoss | MetricNoise));
    ACCUMULUS_TRY_ASSIGN(auto evaluations, reader.evaluations(record.id));

    ComparedRun run = withoutCurves(record);
    run.environment = environmentFacts(record.environment);
    takeEvaluations(run, evaluations);
    run.noise = runNoiseOf(record.config, columns);
    run.trainLoss.y = std::move(columns.loss);
    takeSummary(run, record.summary);
    takeProgress(run, columns);
    run.axis = axis;
    run.startedAt = record.startedAt;
    if (run.startedAt <= 0.0 && columns.size() > 0)
        run.startedAt = columns.wallTime.front();
    run.trainLoss.x = windowAxis(columns, axis, run.startedAt);
    ACCUMULUS_TRY_ASSIGN(const auto ranks, reader.rankTotals(record.id));
    run.rankCost = rankCost(ranks, record.config, std::nullopt);
    return run;
}

Result<ComparisonInput> loadComparedGroups(RunReader& reader, const std::vector<std::vector<std::string>>& groups,
                                           const std::string& metric, std::optional<double> margin,
                                           const ComparisonOptions& options) {
    ACCUMULUS_TRY(checkGroups(groups, options.reference));
    if (margin && !(*margin > 0.0 && std::isfinite(*margin)))
        return failure("compare.margin", {{"margin", fmt::format("{:g}", *margin)}});

    std::map<std::string, StudyRecord> studies;
    std::vector<LoadedGroup> loaded;
    std::optional<StudyRecord> study;
    for (const auto& runs : groups) {
        ACCUMULUS_TRY_ASSIGN(auto group, loadGroup(reader, runs, studies, options.axis));
        loaded.push_back(std::move(group));
        if (loaded.size() == 2) // a group that is added does not change by what A and B are judged
            study = commonStudy(studies);
    }
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
                theirs.insert(*study);
            addRun(group, *row, withoutCurves(*row), theirs);
        }
    }
    ACCUMULUS_TRY_ASSIGN(const auto input, inputOf(std::move(groups), commonStudy(theirs), {}, {}, {}));
    return judgeGroups(input);
}

} // namespace accumulus
