// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/compared_run.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <future>
#include <numeric>
#include <system_error>
#include <thread>

namespace accumulus {
namespace {

/// Below this many windows in all a thread and a connection more gain nothing that a person notices.
constexpr std::int64_t worthAThread = 50'000;
constexpr std::size_t mostThreads = 4;

/// The last value that is a number.
std::optional<double> lastFinite(const Series& series) {
    for (auto y = series.y.rbegin(); y != series.y.rend(); ++y)
        if (std::isfinite(*y))
            return *y;
    return std::nullopt;
}

/// Of the evaluations so far: the last one, but the last loss that is a number, and the best accuracy.
void takeEvaluated(RunSummary& summary, const std::vector<EvaluationRecord>& evaluations) {
    for (const EvaluationRecord& evaluation : evaluations) {
        std::optional<double>& loss = evaluation.split == "validation" ? summary.validationLoss : summary.testLoss;
        const auto before = loss;
        takeEvaluation(summary, evaluation);
        if (!std::isfinite(evaluation.loss))
            loss = before;
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
    for (const EvaluationRecord& evaluation : evaluations)
        (evaluation.split == "validation" ? run.validations : run.tests).push_back(evaluation);
}

/// Earlier versions wrote what a run measured only at its end: of one that had none, evaluations and windows say it.
void takeSummary(ComparedRun& run, const RunSummary& summary) {
    run.ends = summary;
    if (!summary.testLoss && !summary.testAccuracy)
        takeEvaluated(run.ends, run.tests);
    if (!summary.validationLoss && !summary.validationAccuracy)
        takeEvaluated(run.ends, run.validations);
    if (!summary.finalTrainLoss)
        run.ends.finalTrainLoss = lastFinite(run.trainLoss);
    run.samplesPerSecond = summary.samplesPerSecond;
    run.activeSeconds = summary.activeSeconds;
    run.peakBytes = summary.peakBytes;
    run.samples = summary.samples;
    run.updates = summary.updates;
}

/// Earlier versions summed the speed up only at the end of a run; of one that had none its windows say it.
void takeProgress(ComparedRun& run, const WindowColumns& columns) {
    if (run.samplesPerSecond > 0.0 || columns.size() == 0)
        return;
    const double seconds = columns.activeSeconds.back();
    if (seconds > 0.0)
        run.samplesPerSecond = columns.samples.back() / seconds;
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

/// Columns that a comparison on this axis needs of a run. Of the axes all but the samples are read on demand.
unsigned neededColumns(const RunRecord& record, CurveAxis axis) {
    unsigned needed = MetricLoss | noiseColumns(record.config);
    if (record.batch.largestSteps() * record.batch.devices < 2) // one gradient has no spread
        needed &= ~static_cast<unsigned>(MetricNoise);
    if (axis == CurveAxis::Updates)
        needed |= MetricUpdate;
    if (axis == CurveAxis::Epochs)
        needed |= MetricEpochs;
    if (axis == CurveAxis::WallTime || record.startedAt <= 0.0)
        needed |= MetricWallTime;
    if (axis == CurveAxis::ActiveTime || !(record.summary.samplesPerSecond > 0.0))
        needed |= MetricActiveSeconds;
    return needed;
}

std::int64_t outlineStep(const std::vector<RunRecord>& records) {
    std::int64_t longest = 0;
    for (const RunRecord& record : records)
        longest = std::max(longest, record.totalUpdates);
    return std::max<std::int64_t>(1, longest / outlinePoints);
}

/// Takes runs that nobody has taken yet, until there are none.
class RunQueue {
public:
    RunQueue(const std::vector<RunRecord>& records, const CurveReading& reading)
        : m_records(records), m_axis(reading.axis), m_every(reading.outline ? outlineStep(records) : 1),
          m_loaded(records.size()) {}

    void work(RunReader& reader) {
        for (std::size_t i = m_next++; i < m_records.size(); i = m_next++)
            m_loaded[i] = loadComparedRun(reader, m_records[i], m_axis, m_every);
    }
    [[nodiscard]] Result<std::vector<ComparedRun>> take() {
        std::vector<ComparedRun> runs;
        runs.reserve(m_loaded.size());
        for (auto& loaded : m_loaded) {
            ACCUMULUS_TRY_ASSIGN(auto run, std::move(*loaded));
            runs.push_back(std::move(run));
        }
        return runs;
    }

private:
    const std::vector<RunRecord>& m_records;
    CurveAxis m_axis;
    std::int64_t m_every;
    std::vector<std::optional<Result<ComparedRun>>> m_loaded; ///< each written by the one that took it
    std::atomic<std::size_t> m_next = 0;
};

std::size_t helpersFor(const std::vector<RunRecord>& records) {
    const auto windows =
        std::accumulate(records.begin(), records.end(), std::int64_t{0}, [](std::int64_t sum, const RunRecord& record) {
            return sum + std::max<std::int64_t>(0, record.totalUpdates);
        });
    const std::size_t threads = std::min({static_cast<std::size_t>(windows / worthAThread), records.size(), mostThreads,
                                          static_cast<std::size_t>(std::thread::hardware_concurrency())});
    return std::max<std::size_t>(threads, 1) - 1;
}

} // namespace

unsigned noiseColumns(const RunConfig& config) {
    return lossUnit(config) == "samples" ? MetricNoise : MetricNoise | MetricUnits;
}

RunNoise runNoiseOf(const RunConfig& config, const WindowColumns& columns) {
    RunNoise noise;
    noise.unit = lossUnit(config);
    double units = 0.0;
    for (const double of : columns.units)
        units += std::isfinite(of) ? of : 0.0;
    for (std::size_t i = 0; i < columns.noiseS.size(); ++i)
        if (std::isfinite(columns.noiseS[i]) && std::isfinite(columns.noiseG2[i]))
            noise.terms.push_back({std::llround(columns.samples[i]), columns.noiseS[i], columns.noiseG2[i]});
    if (noise.unit != "samples" && columns.size() > 0 && columns.samples.back() > 0.0)
        noise.unitsPerSample = units / columns.samples.back();
    return noise;
}

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
    run.failed = record.state == RunState::Failed;
    if (run.failed)
        run.reason = record.errorMessage ? messagesArgument({*record.errorMessage}) : record.error;
    run.ends = record.summary;
    run.testCount = record.testCount;
    run.validationCount = record.validationCount;
    return run;
}

Result<ComparedRun> loadComparedRun(RunReader& reader, const RunRecord& record, CurveAxis axis, std::int64_t every) {
    const bool outlined = every > 1;
    const unsigned needed = neededColumns(record, axis);
    ACCUMULUS_TRY_ASSIGN(auto columns,
                         outlined ? reader.windowOutline(record.id, needed & ~noiseColumns(record.config), every)
                                  : reader.windowColumns(record.id, needed));
    ACCUMULUS_TRY_ASSIGN(auto evaluations, reader.evaluations(record.id));

    ComparedRun run = withoutCurves(record);
    run.environment = environmentFacts(record.environment);
    takeEvaluations(run, evaluations);
    run.outlined = outlined;
    if (!outlined)
        run.noise = runNoiseOf(record.config, columns);
    run.trainLoss.y = std::move(columns.loss);
    takeSummary(run, record.summary);
    takeProgress(run, columns);
    run.axis = axis;
    run.startedAt = record.startedAt;
    if (run.startedAt <= 0.0 && columns.size() > 0)
        run.startedAt = columns.wallTime.front();
    run.trainLoss.x = windowAxis(columns, axis, run.startedAt);
    if (isTime(axis))
        run.seen = std::move(columns.samples);
    ACCUMULUS_TRY_ASSIGN(const auto ranks, reader.rankTotals(record.id));
    run.rankCost = rankCost(ranks, record.config, std::nullopt);
    return run;
}

Result<std::vector<ComparedRun>> loadComparedRuns(RunReader& reader, const std::vector<RunRecord>& records,
                                                  const CurveReading& reading) {
    RunQueue queue(records, reading);
    std::vector<std::future<void>> helpers;
    try {
        for (std::size_t i = helpersFor(records); i > 0; --i)
            helpers.push_back(std::async(std::launch::async, [&queue, file = reader.library().path()] {
                auto opened = Library::open(file, Library::Mode::Read);
                if (!opened) // the others read all
                    return;
                RunReader another(std::move(*opened));
                queue.work(another);
            }));
    } catch (const std::system_error&) { // no more threads can be had: those that are there read all
    }
    queue.work(reader);
    for (auto& helper : helpers)
        helper.get();
    return queue.take();
}

} // namespace accumulus
