// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/live/live_curves.h"

#include "core/config/metric_rows.h"
#include "core/run/study_runner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace accumulus::ui {

namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

constexpr double kMegabyte = 1e6;

/// Nothing measured is a gap.
double megabytes(double bytes) { return bytes > 0.0 ? bytes / kMegabyte : kGap; }

constexpr auto axisColumns = {&AxisColumns::samples, &AxisColumns::updates, &AxisColumns::epochs,
                              &AxisColumns::wallTime, &AxisColumns::activeSeconds};
constexpr auto measuredColumns = {&RunCurves::loss, &RunCurves::gradNorm, &RunCurves::lr, &RunCurves::samplesPerSecond,
                                  &RunCurves::peak};

template <class T>
void cut(std::vector<T>& values, std::size_t rows) {
    if (values.size() > rows)
        values.resize(rows);
}

/// Column of an axis that never goes back: windows without an update stand where the last one was.
void fillGaps(std::vector<double>& column) {
    double last = 0.0;
    for (double& value : column) {
        if (!std::isfinite(value))
            value = last;
        last = value;
    }
}

/// The newest windows with all they measured.
void readRecent(RunReader& reader, RunCurves& curves, std::optional<Error>& error) {
    if (curves.window.empty())
        return;
    const std::int64_t last = curves.window.back();
    const std::int64_t before = last - static_cast<std::int64_t>(RecentWindows::maxWindows);
    auto windows = reader.windows(curves.run.id, before);
    const auto ranks = reader.rankTimes(curves.run.id, before);
    if (!windows || !ranks) {
        error = !windows ? windows.error() : ranks.error();
        return;
    }
    auto next = ranks->begin();
    for (WindowRecord& window : *windows) {
        for (; next != ranks->end() && next->window <= window.window; ++next)
            window.ranks.push_back(*next);
        curves.recent.add(window);
    }
    if (curves.run.config.probe.parameter.empty())
        return;
    const auto microSteps = reader.microSteps(curves.run.id, last - RecentWindows::maxProbed);
    if (!microSteps) {
        error = microSteps.error();
        return;
    }
    for (const MicroStepRecord& microStep : *microSteps)
        curves.recent.add(microStep);
}

RunCurves curvesOf(RunReader& reader, const RunRecord& run, std::optional<Error>& error) {
    RunCurves curves;
    curves.run = run;
    auto columns = reader.windowColumns(run.id);
    auto evaluations = reader.evaluations(run.id);
    if (!columns || !evaluations) {
        error = !columns ? columns.error() : evaluations.error();
        return curves;
    }
    curves.window = std::move(columns->window);
    fillGaps(columns->update);
    const double start = run.startedAt > 0.0 ? run.startedAt : (columns->wallTime.empty() ? 0.0 : columns->wallTime[0]);
    for (double& time : columns->wallTime)
        time -= start;
    curves.at = {std::move(columns->samples), std::move(columns->update), std::move(columns->epochs),
                 std::move(columns->wallTime), std::move(columns->activeSeconds)};
    curves.loss = std::move(columns->loss);
    curves.gradNorm = std::move(columns->gradNorm);
    curves.lr = std::move(columns->lr);
    curves.samplesPerSecond = std::move(columns->samplesPerSecond);
    curves.noiseS = std::move(columns->noiseS);
    curves.noiseG2 = std::move(columns->noiseG2);
    curves.units = std::move(columns->units);
    std::ranges::transform(columns->peakBytes, columns->peakBytes.begin(), megabytes);
    curves.peak = std::move(columns->peakBytes);
    curves.averageNoise();
    for (const EvaluationRecord& evaluation : *evaluations)
        curves.add(evaluation);
    readRecent(reader, curves, error);
    return curves;
}

} // namespace

const SharedColumn& AxisColumns::of(LiveAxis axis) const {
    switch (axis) {
    case LiveAxis::Updates:
        return updates;
    case LiveAxis::Epochs:
        return epochs;
    case LiveAxis::WallTime:
        return wallTime;
    case LiveAxis::ActiveTime:
        return activeSeconds;
    case LiveAxis::Samples:
        break;
    }
    return samples;
}

void AxisColumns::truncate(std::size_t rows) {
    for (const auto column : axisColumns)
        (this->*column).truncate(rows);
}

void AxisColumns::append(const AxisColumns& later, std::size_t from) {
    for (const auto column : axisColumns)
        (this->*column).append(std::span((later.*column).values()).subspan(from));
}

const SharedColumn& RunCurves::of(LiveMetric metric) const {
    switch (metric) {
    case LiveMetric::GradNorm:
        return gradNorm;
    case LiveMetric::Lr:
        return lr;
    case LiveMetric::SamplesPerSecond:
        return samplesPerSecond;
    case LiveMetric::NoiseScale:
        return noiseScale;
    case LiveMetric::Memory:
        return peak;
    case LiveMetric::Loss:
        break;
    }
    return loss;
}

void RunCurves::add(const WindowRecord& record) {
    if (!window.empty() && record.window <= window.back())
        return; // read from the library already
    const double before = at.samples.empty() ? 0.0 : at.samples.back();
    window.push_back(record.window);
    at.samples.push_back(static_cast<double>(record.samples));
    at.updates.push_back(record.update ? static_cast<double>(*record.update)
                                       : (at.updates.empty() ? 0.0 : at.updates.back()));
    at.epochs.push_back(record.epochPosition);
    at.wallTime.push_back(record.wallTime - run.startedAt);
    at.activeSeconds.push_back(record.activeSeconds);
    loss.push_back(record.loss);
    gradNorm.push_back(record.gradNorm);
    lr.push_back(record.lr);
    samplesPerSecond.push_back(record.seconds > 0.0 ? (static_cast<double>(record.samples) - before) / record.seconds
                                                    : kGap);
    units.push_back(record.units);
    peak.push_back(megabytes(static_cast<double>(record.peakBytes)));
    addNoise(record.noiseS.value_or(kGap), record.noiseG2.value_or(kGap));
    recent.add(record);
}

/// A window without terms keeps the average and leaves a gap.
void RunCurves::addNoise(double s, double g2) {
    noiseS.push_back(s);
    noiseG2.push_back(g2);
    noiseScale.push_back(std::isfinite(s) && std::isfinite(g2) ? m_noiseAverage.add(s, g2).value_or(kGap) : kGap);
}

void RunCurves::averageNoise() {
    m_noiseAverage = NoiseScaleAverage(noiseScaleBeta);
    noiseScale = {};
    const std::vector<double> s = std::exchange(noiseS, {});
    const std::vector<double> g2 = std::exchange(noiseG2, {});
    for (std::size_t i = 0; i < s.size(); ++i)
        addNoise(s[i], g2[i]);
}

bool RunCurves::hasNoise() const {
    return std::ranges::any_of(noiseS, [](double s) { return std::isfinite(s); });
}

NoiseScale RunCurves::recentNoise(std::size_t windows) const {
    std::vector<NoiseTerms> terms;
    for (std::size_t i = noiseS.size(); i > 0 && terms.size() < windows; --i)
        if (std::isfinite(noiseS[i - 1]) && std::isfinite(noiseG2[i - 1]))
            terms.push_back({std::llround(at.samples[i - 1]), noiseS[i - 1], noiseG2[i - 1]});
    return estimateNoiseScale(terms);
}

double RunCurves::noiseEffective() const {
    const auto update = at.updates.empty() || !std::isfinite(at.updates.back()) ? 1.0 : at.updates.back();
    const auto samples = static_cast<double>(run.batch.effectiveAt(std::max<std::int64_t>(1, std::llround(update))));
    if (lossUnit(run.config) == "samples" || at.samples.empty() || !(at.samples.back() > 0.0))
        return samples;
    return samples * std::accumulate(units.begin(), units.end(), 0.0) / at.samples.back();
}

void RunCurves::append(const RunCurves& live) {
    const std::int64_t last = window.empty() ? 0 : window.back();
    const auto from = std::ranges::upper_bound(live.window, last) - live.window.begin();
    const auto first = static_cast<std::size_t>(from);
    window.insert(window.end(), live.window.begin() + from, live.window.end());
    at.append(live.at, first);
    for (const auto column : measuredColumns)
        (this->*column).append(std::span((live.*column).values()).subspan(first));
    units.insert(units.end(), live.units.begin() + from, live.units.end());
    for (std::size_t row = first; row < live.noiseS.size(); ++row)
        addNoise(live.noiseS[row], live.noiseG2[row]);
    recent.append(live.recent);
    test.append(live.test);
    validation.append(live.validation);
    evaluationPeak = std::max(evaluationPeak, live.evaluationPeak);
}

void RunCurves::add(const EvaluationRecord& record) {
    evaluationPeak = std::max(evaluationPeak, record.peakBytes);
    (record.split == "validation" ? validation : test).add(record, run);
}

void RunCurves::truncate(std::int64_t last, std::int64_t update) {
    const auto rows = static_cast<std::size_t>(std::upper_bound(window.begin(), window.end(), last) - window.begin());
    cut(window, rows);
    at.truncate(rows);
    for (const auto column : measuredColumns)
        (this->*column).truncate(rows);
    for (std::vector<double>* column : {&noiseS, &noiseG2, &units})
        cut(*column, rows);
    averageNoise();
    recent.truncate(last);
    test.truncate(update);
    validation.truncate(update);
}

LoadedStudy loadStudy(RunReader& reader, const std::string& study) {
    LoadedStudy loaded;
    auto record = reader.study(study);
    auto runs = reader.runs({.trashed = false, .study = study});
    if (!record || !runs) {
        loaded.error = !record ? record.error() : runs.error();
        return loaded;
    }
    loaded.study = std::move(*record);
    sortAsTrained(*runs);
    for (const RunRecord& run : *runs)
        loaded.runs.push_back(curvesOf(reader, run, loaded.error));
    if (const auto shared = std::ranges::find_if(*runs, [](const RunRecord& run) { return run.batch.devices > 1; });
        shared != runs->end())
        loaded.arenaSize = arenaSizeOf(shared->config);
    return loaded;
}

std::optional<std::int64_t> arenaSizeOf(const RunConfig& config) {
    const auto elements = arenaSize(config);
    return elements ? std::optional(*elements) : std::nullopt;
}

void LiveCurves::clear() { *this = {}; }

void LiveCurves::install(LoadedStudy loaded) {
    const bool same = loaded.study.id == m_study.id;
    for (RunCurves& fresh : loaded.runs) {
        const RunCurves* live = same ? find(fresh.run.id) : nullptr;
        if (!live)
            continue;
        fresh.append(*live);
        const std::string color = fresh.run.color; // which no event tells
        fresh.run = live->run;                     // events are newer than the row that was read
        fresh.run.color = color;
    }
    m_study = std::move(loaded.study);
    m_runs = std::move(loaded.runs);
    m_arenaSize = loaded.arenaSize;
    if (!same || m_current.empty()) {
        m_current.clear();
        for (const RunCurves& curves : m_runs)
            if (curves.run.startedAt > 0.0 || !curves.window.empty())
                m_current = curves.run.id;
    }
}

void LiveCurves::start(const StudyRecord& study, const std::vector<RunRecord>& runs) {
    clear();
    m_study = study;
    for (const RunRecord& run : runs) {
        m_runs.emplace_back();
        m_runs.back().run = run;
    }
}

void LiveCurves::start(const RunStarted& event) {
    RunCurves* curves = find(event.run.id);
    if (!curves) {
        m_runs.emplace_back();
        curves = &m_runs.back();
    }
    const double startedBefore = curves->run.startedAt;
    curves->run = event.run;
    if (event.resumed && startedBefore > 0.0)
        curves->run.startedAt = startedBefore;
    curves->truncate(event.windowsDone, event.updatesDone);
    m_current = event.run.id;
}

const RunCurves* LiveCurves::find(const std::string& run) const {
    const auto found =
        std::find_if(m_runs.begin(), m_runs.end(), [&](const RunCurves& curves) { return curves.run.id == run; });
    return found == m_runs.end() ? nullptr : &*found;
}

RunCurves* LiveCurves::find(const std::string& run) { return const_cast<RunCurves*>(std::as_const(*this).find(run)); }

bool LiveCurves::takeColors(const std::vector<RunRecord>& runs) {
    bool others = false;
    for (const RunRecord& run : runs)
        if (RunCurves* curves = find(run.id))
            others = std::exchange(curves->run.color, run.color) != run.color || others;
    return others;
}

bool LiveCurves::takeNames(const std::string& study, const std::vector<RunRecord>& runs) {
    bool others = std::exchange(m_study.name, study) != study;
    for (RunCurves& curves : m_runs) {
        const auto run = std::ranges::find(runs, curves.run.id, &RunRecord::id);
        const bool gone = run == runs.end();
        others = std::exchange(curves.run.trashed, gone) != gone || others;
        if (!gone)
            others = std::exchange(curves.run.name, run->name) != run->name || others;
    }
    return others;
}

const RunCurves* LiveCurves::shared() const {
    const auto found =
        std::ranges::find_if(m_runs, [](const RunCurves& curves) { return curves.run.batch.devices > 1; });
    return found == m_runs.end() ? nullptr : &*found;
}

const RunCurves* LiveCurves::current() const { return find(m_current); }

} // namespace accumulus::ui
