// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/synthetic_library.h"

#include "core/base/printable.h"
#include "core/config/config_fields.h"
#include "core/store/library.h"
#include "core/store/run_store.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <random>

namespace accumulus::test {

namespace {

/// Uniform in [-1, 1); the standard's distributions differ between libraries, the engine does not.
double noise(std::mt19937_64& engine) { return static_cast<double>(engine() >> 11) * 0x1.0p-52 - 1.0; }

std::string idOf(const std::string& study, Arm arm, std::int64_t seed) {
    std::string id = study; // run ids name folders: the store takes letters, digits and dashes only
    std::ranges::replace_if(
        id, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '-');
    return id + (arm == Arm::Accumulated ? "-a-" : "-b-") + std::to_string(seed);
}

/// Rises from 0.1 and is exactly `last` at the end.
double accuracyAt(double progress, double last) {
    return progress >= 1.0 ? last : last - (last - 0.1) * std::exp(-6.0 * progress) * (1.0 - progress);
}

RunRecord runRecord(const SyntheticStudy& study, const std::string& studyId, Arm arm, std::int64_t seed) {
    RunRecord run;
    run.id = idOf(studyId, arm, seed);
    run.study = studyId;
    run.name = study.name + ", seed " + std::to_string(seed);
    run.arm = arm;
    run.seed = seed;
    run.config.batch.effective = 256;
    run.config.batch.micro = arm == Arm::Accumulated ? study.micro : 256;
    if (arm == Arm::Accumulated)
        run.config.batch.devices = study.ranks;
    run.config.optimizer.lr = study.learningRate;
    run.config.loss.kind = study.loss;
    run.config.train.length = Extent{study.windows, Extent::Unit::Updates};
    run.config.probe.parameter = study.probe;
    run.config.batch.ramp = study.ramp;
    for (const RampPoint& point : study.ramp)
        if (arm == Arm::LargeBatch) { // as a study plans it: the largest window whole, smaller ones as a smaller one
            run.config.batch.micro = std::max(run.config.batch.micro, point.effective);
            run.config.batch.ragged = RaggedPolicy::Weight;
        }
    run.configHash = configHash(run.config, seed);
    run.pairHash = pairHash(run.config, seed);
    run.batch = resolveBatch(run.config.batch).value();
    run.lanes = arm == Arm::Accumulated ? 2 : 1;
    run.threads = arm == Arm::Accumulated ? 1 : 2;
    run.trainSamples = 60'000;
    run.totalUpdates = study.windows;
    run.environment = {
        "Accumulus 0.1.0 (test)", "2.11.0", "cpu", "Test CPU, 2 cores", "Test system", "checksum", "none"};
    run.createdAt = study.createdAt;
    run.startedAt = study.createdAt + 1.0;
    return run;
}

/// Of a window of 10 ms: the last rank computes all the time, the others wait 2 ms for it; all exchange for 0.5 ms.
std::vector<RankTimes> ranksOf(std::int64_t ranks, const WindowRecord& window) {
    std::vector<RankTimes> times;
    for (std::int64_t rank = 0; ranks > 1 && rank < ranks; ++rank) {
        RankTimes& one = times.emplace_back();
        one.window = window.window;
        one.rank = rank;
        one.microSteps = window.microSteps / ranks;
        one.forwardSeconds = rank + 1 < ranks ? 0.003 : 0.004;
        one.backwardSeconds = rank + 1 < ranks ? 0.004 : 0.005;
        one.waitingSeconds = rank + 1 < ranks ? 0.002 : 0.0;
        one.reducingSeconds = 0.0005;
        one.sentBytes = 100'000;
        one.exchanges = 2;
    }
    return times;
}

std::vector<WindowRecord> windowsOf(const SyntheticStudy& study, const RunRecord& run, std::mt19937_64& engine) {
    std::vector<WindowRecord> windows;
    for (std::int64_t i = 1; i <= study.windows; ++i) {
        WindowRecord window;
        window.window = i;
        window.update = i;
        window.samples = 256 * i;
        window.epochPosition = static_cast<double>(window.samples) / static_cast<double>(run.trainSamples);
        window.epoch = (window.samples - 1) / run.trainSamples;
        window.units = 256;
        window.microSteps = run.batch.steps * run.batch.devices;
        window.loss = 0.12 + 2.2 * std::exp(-static_cast<double>(i) / 30.0) + 0.03 * noise(engine);
        window.lr = run.config.optimizer.lr;
        window.gradNorm = 0.5 + 2.0 * std::exp(-static_cast<double>(i) / 60.0) + 0.1 * noise(engine);
        window.seconds = run.arm == Arm::Accumulated ? 0.010 : 0.012;
        window.dataSeconds = 0.02 * window.seconds;
        window.forwardSeconds = 0.36 * window.seconds;
        window.backwardSeconds = 0.54 * window.seconds;
        window.commitSeconds = run.arm == Arm::Accumulated ? 0.05 * window.seconds : 0.01 * window.seconds;
        window.updateSeconds = 0.04 * window.seconds;
        window.peakBytes = run.arm == Arm::Accumulated ? 21'000'000 : 64'000'000;
        window.lossScale = study.lossScale;
        if (run.batch.steps > 1) { // a noise scale that grows from 40 to 400
            const double progress = static_cast<double>(i) / static_cast<double>(study.windows);
            window.noiseG2 = 1.0 + 0.3 * noise(engine);
            window.noiseS = 40.0 * std::pow(10.0, progress) * (1.0 + 0.3 * noise(engine));
        }
        window.activeSeconds = static_cast<double>(i) * window.seconds;
        window.wallTime = run.startedAt + window.activeSeconds;
        window.ranks = ranksOf(run.batch.devices, window);
        windows.push_back(window);
    }
    return windows;
}

/// Values that stay for all micro-steps of a window and move with its update.
std::vector<MicroStepRecord> probesOf(const RunRecord& run, const std::vector<WindowRecord>& windows) {
    std::vector<MicroStepRecord> records;
    const auto valuesAfter = [](std::int64_t updates) {
        std::vector<double> values;
        for (int element = 0; element < 10; ++element)
            values.push_back(0.1 * element - 1e-3 * static_cast<double>(updates) * (element % 3 - 1));
        return values;
    };
    for (const WindowRecord& window : windows)
        for (std::int64_t step = 0; step <= run.batch.steps; ++step)
            records.push_back(
                {window.window, step, valuesAfter(step < run.batch.steps ? window.window - 1 : window.window)});
    return records;
}

std::vector<EvaluationRecord> evaluationsOf(const SyntheticStudy& study, const std::vector<WindowRecord>& windows,
                                            double last, std::mt19937_64& engine) {
    std::vector<EvaluationRecord> evaluations;
    for (const WindowRecord& window : windows) {
        const bool isLast = window.window == study.windows;
        if (window.window % study.evaluateEvery != 0 && !isLast)
            continue;
        EvaluationRecord evaluation;
        evaluation.update = window.window;
        evaluation.samples = window.samples;
        evaluation.epochPosition = window.epochPosition;
        evaluation.count = 10'000;
        const double progress = static_cast<double>(window.window) / static_cast<double>(study.windows);
        const double value = accuracyAt(progress, last) + (isLast ? 0.0 : 0.002 * noise(engine));
        if (study.loss == LossKind::Mse) {
            evaluation.rmse = value;
            evaluation.mae = 0.75 * value;
            evaluation.r2 = 0.5;
            evaluation.loss = value * value;
        } else {
            evaluation.accuracy = value;
            evaluation.loss = -std::log(value);
        }
        evaluation.activeSeconds = window.activeSeconds;
        evaluation.peakBytes = 80'000'000;
        evaluation.wallTime = window.wallTime;
        evaluations.push_back(evaluation);
    }
    return evaluations;
}

Status addRunRows(RunStore& store, const SyntheticStudy& study, const RunRecord& run, double last, RunState state) {
    std::mt19937_64 engine(static_cast<std::uint64_t>(run.seed) * 2 + (run.arm == Arm::Accumulated ? 0 : 1));
    auto windows = windowsOf(study, run, engine);
    auto evaluations = evaluationsOf(study, windows, last, engine);
    const bool complete = state == RunState::Completed;
    if (!complete) { // stopped half way
        windows.resize(windows.size() / 2);
        std::erase_if(evaluations, [&](const EvaluationRecord& e) { return e.update > windows.back().window; });
    }
    ACCUMULUS_TRY(store.addRun(run));
    ACCUMULUS_TRY(store.updateStarted(run));
    ACCUMULUS_TRY(store.setState(run.id, RunState::Running));
    ACCUMULUS_TRY(store.addWindows(run.id, 1, windows));
    ACCUMULUS_TRY(store.addEvaluations(run.id, 1, evaluations));
    if (!study.probe.empty())
        ACCUMULUS_TRY(store.addMicroSteps(run.id, 1, probesOf(run, windows)));
    if (!study.events.empty())
        ACCUMULUS_TRY(store.addEvents(run.id, study.events));
    if (!complete && isActive(state))
        return store.heartbeat(run.id, windows.back().wallTime);
    RunSummary summary;
    summary.updates = windows.back().window;
    summary.microSteps = summary.updates * run.batch.steps * run.batch.devices;
    summary.samples = windows.back().samples;
    summary.finalTrainLoss = windows.back().loss;
    summary.testLoss = evaluations.back().loss;
    summary.testAccuracy = evaluations.back().accuracy;
    summary.testRmse = evaluations.back().rmse;
    summary.testMae = evaluations.back().mae;
    summary.testR2 = evaluations.back().r2;
    for (const EvaluationRecord& evaluation : evaluations)
        if (evaluation.accuracy)
            summary.bestTestAccuracy = std::max(summary.bestTestAccuracy.value_or(0.0), *evaluation.accuracy);
    summary.activeSeconds = windows.back().activeSeconds;
    summary.samplesPerSecond = static_cast<double>(summary.samples) / summary.activeSeconds;
    summary.peakBytes = run.arm == Arm::Accumulated ? 21'000'000 : 64'000'000;
    summary.evaluationPeakBytes = 80'000'000;
    summary.weightsHash = "0123456789abcdef0123456789abcdef";
    return store.finishRun(run.id, state, summary, run.startedAt + summary.activeSeconds);
}

VerdictCase shifted(std::string name, double shift, const std::vector<double>& differences) {
    const std::vector<double> base = {0.9712, 0.9745, 0.9698, 0.9730, 0.9721};
    VerdictCase result;
    result.name = std::move(name);
    for (std::size_t i = 0; i < differences.size(); ++i) {
        result.b.push_back(base[i] - 0.05);
        result.a.push_back(base[i] - 0.05 + shift + differences[i]);
    }
    return result;
}

} // namespace

std::vector<std::int64_t> firstSeeds(std::size_t count) {
    std::vector<std::int64_t> seeds(count);
    for (std::size_t i = 0; i < count; ++i)
        seeds[i] = static_cast<std::int64_t>(i);
    return seeds;
}

Result<SyntheticRuns> addSyntheticStudy(const std::filesystem::path& library, const SyntheticStudy& study) {
    auto opened = Library::open(library, Library::Mode::Write);
    if (!opened)
        return failure(std::move(opened).error());
    RunStore store(std::move(*opened));

    SyntheticRuns result;
    result.study = "study-" + (study.id.empty() ? study.name : study.id);
    StudyRecord record;
    record.id = result.study;
    record.name = study.name;
    record.config.name = printable(study.name); // settings hold no control characters, names of a foreign library may
    record.config.seeds = study.seedsA;
    record.config.largeBatch = true;
    record.config.margin = study.margin;
    record.config.metric = study.metric;
    record.createdAt = study.createdAt;
    ACCUMULUS_TRY(store.addStudy(record));
    for (std::size_t i = 0; i < study.seedsA.size(); ++i) {
        const RunRecord run = runRecord(study, result.study, Arm::Accumulated, study.seedsA[i]);
        ACCUMULUS_TRY(addRunRows(store, study, run, study.finalA[i], RunState::Completed));
        result.groupA.push_back(run.id);
    }
    for (std::size_t i = 0; i < study.seedsB.size(); ++i) {
        const RunRecord run = runRecord(study, result.study, Arm::LargeBatch, study.seedsB[i]);
        const bool isLast = i + 1 == study.seedsB.size();
        ACCUMULUS_TRY(addRunRows(store, study, run, study.finalB[i], isLast ? study.lastState : RunState::Completed));
        result.groupB.push_back(run.id);
    }
    return result;
}

VerdictCase equivalentCase() { return shifted("equal", 0.0, {0.0011, -0.0008, 0.0004, -0.0013, 0.0007}); }
VerdictCase differentCase() { return shifted("shifted", 0.05, {0.0011, -0.0008, 0.0004, -0.0013, 0.0007}); }
VerdictCase differentWithinCase() { return shifted("within", 0.005, {0.0005, -0.0004, 0.0002, -0.0006, 0.0003}); }
VerdictCase notEnoughCase() { return shifted("two pairs", 0.0, {0.0011, -0.0008}); }
VerdictCase inconclusiveCase() { return shifted("noisy", 0.0, {0.052, -0.047, 0.018, -0.061, 0.039}); }

SyntheticStudy studyOf(const VerdictCase& verdictCase) {
    SyntheticStudy study;
    study.name = verdictCase.name;
    study.seedsA = firstSeeds(verdictCase.a.size());
    study.seedsB = firstSeeds(verdictCase.b.size());
    study.finalA = verdictCase.a;
    study.finalB = verdictCase.b;
    study.margin = verdictCase.margin;
    return study;
}

} // namespace accumulus::test
