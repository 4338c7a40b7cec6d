// SPDX-License-Identifier: GPL-3.0-or-later
// The loop of a run.
#include "core/base/clock.h"
#include "core/ranks/packed.h"
#include "core/train/trainer_impl.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

namespace accumulus {
namespace {

constexpr std::int64_t maxSkippedInARow = 100;

} // namespace

TrainingEnd Trainer::Impl::train(TrainingObserver& observer) {
    TrainingEnd end;
    const auto guarded = [this](auto work) -> decltype(work()) {
        try {
            return work();
        } catch (...) {
            return failure(errorOf(std::current_exception(), ranks()));
        }
    };
    Status status = guarded([&] { return m_progress.windows == 0 ? saveInitial(observer) : Status(); });
    Loop loop = Loop::Continue;
    while (status && loop == Loop::Continue) {
        const auto result = guarded([&] { return trainWindow(observer); });
        if (result)
            loop = *result;
        else
            status = failure(result.error());
    }
    end.stopped = loop == Loop::Stopped;
    // Evaluation and checkpoint of the end; a failed run keeps the weights of its last good boundary.
    if (loop == Loop::Ended && status && (!m_lastTest || m_lastTest->update != m_progress.updates))
        status = guarded([&] { return evaluateAndTell(observer); });
    status = guarded([&] { return endTogether(observer, status); });
    if (!status)
        end.error = status.error();
    try {
        end.summary = summary();
    } catch (...) { // a device that failed for good
        if (!end.error)
            end.error = errorOf(std::current_exception(), ranks());
    }
    return end;
}

/// Between windows. The strongest wish of any rank is that of all.
TrainingObserver::Wish Trainer::Impl::wishOfAll(TrainingObserver& observer) {
    TrainingObserver::Wish wish = observer.proceed();
    if (!ranks())
        return wish;
    for (const std::string& told : ranks()->gather(Packed().put(wish).bytes()))
        wish = std::max(wish, Unpacked(told).get<TrainingObserver::Wish>());
    return wish;
}

Result<Trainer::Impl::Loop> Trainer::Impl::trainWindow(TrainingObserver& observer) {
    if (lengthReached())
        return Loop::Ended;
    if (wishOfAll(observer) != TrainingObserver::Wish::GoOn)
        return Loop::Stopped;
    const TrainingProgress before = m_progress;
    const auto plan = nextPlan();
    if (!plan)
        return Loop::Ended;

    if (ranks())
        m_trafficBefore = ranks()->traffic();
    const Stopwatch stopwatch;
    const double pausedBefore = observer.pausedSeconds();
    const auto active = [&] { return stopwatch.seconds() - (observer.pausedSeconds() - pausedBefore); };
    ACCUMULUS_TRY_ASSIGN(const WindowOutcome outcome, compute(observer, *plan));
    if (!outcome.accumulated.complete)
        return stopInMidWindow(observer, outcome, active());

    advance(*plan);
    WindowRecord record = describe(*plan, outcome);
    const Stopwatch updating;
    const double exchanged = ranks() ? ranks()->traffic().seconds() : 0.0;
    const Status applied = outcome.gradient ? applyUpdate(*plan, *outcome.gradient, outcome, record) : Status();
    applied ? m_engine.endWindow(*plan, outcome) : m_engine.takeBack();
    record.updateSeconds = outcome.closeSeconds + updating.seconds();
    if (ranks()) // weights that are handed out
        record.updateSeconds -= ranks()->traffic().seconds() - exchanged;
    const double seconds = active();
    std::exception_ptr lost; // a rank that is gone; the window was computed all the same
    try {
        record.ranks = timesOfRanks(record, outcome.accumulated, observer.pausedSeconds() - pausedBefore);
    } catch (...) {
        lost = std::current_exception();
    }
    if (lost)
        m_probed.clear(); // nobody to put them together with
    if (!applied) {
        m_planner.seek(before.position); // a run that goes on later takes this window again
        m_progress = before;
    }
    ACCUMULUS_TRY(tell(observer, outcome, record, seconds, lost != nullptr));
    if (!applied) {
        m_failedTogether = true;
        return failure(applied.error());
    }
    if (lost)
        std::rethrow_exception(lost);

    m_open.closed = true;
    observer.windowProgressed(m_open);
    if (Interval(m_setup.config.evaluate.every).passed(before, m_progress))
        ACCUMULUS_TRY(evaluateAndTell(observer));
    if (Interval(m_setup.config.checkpoint.every).passed(before, m_progress))
        ACCUMULUS_TRY(saveCheckpoint(observer, CheckpointKind::Periodic));
    return Loop::Continue;
}

Result<WindowOutcome> Trainer::Impl::compute(TrainingObserver& observer, const WindowPlan& plan) {
    const std::int64_t window = m_progress.windows + 1;
    WindowHooks hooks;
    hooks.gate = [&] { return observer.proceed() != TrainingObserver::Wish::StopNow; };
    hooks.afterCommit = [&](std::int64_t microStep, const Accumulated& sofar) {
        m_open.committed = microStep + 1;
        m_open.dataSeconds = sofar.times.data;
        m_open.forwardSeconds = sofar.times.forward;
        m_open.backwardSeconds = sofar.times.backward;
        m_open.commitSeconds = sofar.commitSeconds;
        observer.windowProgressed(m_open);
        probeParameter(window, microStep);
        if (m_windowsAhead)
            m_windowsAhead->committed(microStep);
        if (m_setup.afterCommit)
            m_setup.afterCommit(microStep);
    };
    hooks.next = [&] { return m_planner.foresee(m_progress.updates + 1); };
    hooks.restarted = [&] {
        m_probed.clear();
        beginProgress(observer, plan);
        if (m_setup.afterRestart)
            m_setup.afterRestart();
    };
    beginProgress(observer, plan);
    try {
        WindowOutcome outcome =
            m_engine.compute(plan, window, m_progress.openMicroSteps, learningRate(m_progress.updates + 1), hooks);
        noteRecoveries(observer, outcome.recovery);
        noteGraphProblem(observer);
        noteExchange(observer);
        return outcome;
    } catch (...) {
        m_planner.seek(m_progress.position);
        m_probed.clear();
        return failure(errorOf(std::current_exception(), ranks()));
    }
}

/// On each rank; a window that was stopped in its middle goes on where it stood.
void Trainer::Impl::beginProgress(TrainingObserver& observer, const WindowPlan& plan) {
    m_open = {m_progress.windows + 1, m_progress.updates + 1, std::ssize(plan.ids), std::ssize(plan.microSizes),
              m_progress.openMicroSteps};
    observer.windowProgressed(m_open);
}

/// What the window holds goes into the bundle; what was seen of it is told.
Result<Trainer::Impl::Loop> Trainer::Impl::stopInMidWindow(TrainingObserver& observer, const WindowOutcome& outcome,
                                                           double seconds) {
    m_planner.seek(m_progress.position);
    m_progress.openMicroSteps = outcome.accumulated.committed;
    m_progress.activeSeconds += seconds;
    ACCUMULUS_TRY(tellProbes(observer));
    return Loop::Stopped;
}

void Trainer::Impl::advance(const WindowPlan& plan) {
    const auto samples = static_cast<std::int64_t>(plan.ids.size());
    m_progress.position = m_planner.position();
    m_progress.openMicroSteps = 0;
    m_progress.windows += 1;
    m_progress.microSteps += static_cast<std::int64_t>(plan.microSizes.size());
    m_progress.samples += samples;
    if (m_setup.data->isText())
        m_progress.tokens += samples * m_setup.data->trainText.block;
    m_progress.epochsCompleted = plan.epochsCompleted;
    m_progress.epochPosition = plan.epochPosition;
}

WindowRecord Trainer::Impl::describe(const WindowPlan& plan, const WindowOutcome& outcome) {
    GradientWindow& window = m_engine.state().window;
    WindowRecord record;
    record.window = m_progress.windows;
    record.epoch = plan.epoch;
    record.epochPosition = m_progress.epochPosition;
    record.samples = m_progress.samples;
    record.tokens = m_progress.tokens;
    record.microBatch = plan.microSizes.front();
    record.lastMicroBatch = plan.microSizes.back();
    record.lossScale = m_engine.scaler().scale();
    record.dataSeconds = outcome.accumulated.times.data;
    record.forwardSeconds = outcome.accumulated.times.forward;
    record.backwardSeconds = outcome.accumulated.times.backward;
    record.commitSeconds = outcome.accumulated.commitSeconds;
    record.loss = std::numeric_limits<double>::quiet_NaN(); // where no target bears loss there is none
    if (!outcome.gradient) {
        record.units = window.units();
        record.microSteps = window.microSteps();
        record.loss = window.meanLoss().value_or(record.loss);
        return record;
    }
    const WindowGradient& gradient = *outcome.gradient;
    record.units = gradient.units;
    record.microSteps = gradient.microSteps;
    record.leftOut = gradient.leftOut;
    if (gradient.units > 0)
        record.loss = gradient.loss;
    record.gradNorm = gradient.norm;
    record.clipped = gradient.clipped;
    record.clippedNorm = gradient.clipped ? m_setup.config.train.clipNorm : gradient.norm;
    record.nonfinite = !gradient.finite;
    record.noiseS = gradient.noiseS;
    record.noiseG2 = gradient.noiseG2;
    record.lr = learningRate(m_progress.updates + 1);
    return record;
}

Status Trainer::Impl::applyUpdate(const WindowPlan& plan, const WindowGradient& gradient, const WindowOutcome& outcome,
                                  WindowRecord& record) {
    if (gradient.units > 0)
        m_lastLoss = gradient.loss;
    if (gradient.finite && gradient.units > 0) {
        m_progress.updates += 1;
        m_progress.skippedInARow = 0;
        record.update = m_progress.updates;
        if (m_setup.gradientProbe)
            probeGradient(record);
        m_engine.update(record.lr);
        probeParameter(record.window, std::ssize(plan.microSizes));
        return {};
    }
    // An overflow of 16-bit gradients is the loss scale's business; anything else that is not finite is the policy's.
    if (m_setup.config.numerics.nonfinite == NonfinitePolicy::Stop && !gradient.finite && !outcome.recovery.overflowed)
        return failure(brokenDown(outcome));
    if (++m_progress.skippedInARow >= maxSkippedInARow)
        return failure(allSkipped(outcome));
    return {};
}

/// What each rank has spent on the window and sent, on all ranks. Telling it is no part of it; neither are evaluations
/// and checkpoints before the window.
std::vector<RankTimes> Trainer::Impl::timesOfRanks(const WindowRecord& record, const Accumulated& accumulated,
                                                   double pausedSeconds) {
    if (!ranks())
        return {};
    const Communicator::Traffic& traffic = ranks()->traffic();
    RankTimes own;
    own.window = record.window;
    own.rank = ranks()->rank();
    own.microSteps = accumulated.steps;
    own.dataSeconds = record.dataSeconds;
    own.forwardSeconds = record.forwardSeconds;
    own.backwardSeconds = record.backwardSeconds;
    own.commitSeconds = record.commitSeconds;
    own.waitingSeconds = traffic.waitSeconds - m_trafficBefore.waitSeconds;
    own.reducingSeconds = traffic.exchangeSeconds - m_trafficBefore.exchangeSeconds;
    own.sentBytes = traffic.payloadBytes - m_trafficBefore.payloadBytes;
    own.exchanges = traffic.exchanges - m_trafficBefore.exchanges;
    std::vector<RankTimes> all;
    std::vector<double> paused;
    for (const std::string& told : ranks()->gather(Packed().put(own).put(pausedSeconds).bytes())) {
        Unpacked from(told);
        all.push_back(from.get<RankTimes>());
        paused.push_back(from.get<double>());
    }
    // While one rank was paused the others waited for nothing that costs time.
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        const double others = std::ranges::max(paused) - paused[rank];
        all[rank].waitingSeconds = std::max(0.0, all[rank].waitingSeconds - others);
    }
    return all;
}

Status Trainer::Impl::tell(TrainingObserver& observer, const WindowOutcome& outcome, WindowRecord& record,
                           double seconds, bool lost) {
    record.seconds = seconds;
    m_progress.activeSeconds += seconds;
    record.activeSeconds = m_progress.activeSeconds;
    record.wallTime = unixTime();
    record.peakBytes = peakBytes();
    if (!lost)
        ACCUMULUS_TRY(tellProbes(observer));
    ACCUMULUS_TRY(observer.windowClosed(record));
    noteNonfinite(observer, record, outcome);
    return {};
}

/// What each rank has seen of the probed parameter, in micro-step order; after the update all see the same.
Status Trainer::Impl::tellProbes(TrainingObserver& observer) {
    if (!m_probedParameter)
        return {};
    std::vector<MicroStepRecord> probed = std::exchange(m_probed, {});
    if (ranks()) {
        Packed own;
        own.put(std::uint64_t{probed.size()});
        for (const MicroStepRecord& record : probed)
            own.put(record.window).put(record.microStep).put(record.values);
        probed.clear();
        for (const std::string& told : ranks()->gather(own.bytes())) {
            Unpacked from(told);
            for (auto count = from.get<std::uint64_t>(); count > 0; --count) {
                const auto window = from.get<std::int64_t>();
                const auto microStep = from.get<std::int64_t>();
                probed.push_back({window, microStep, from.getList<double>()});
            }
        }
        std::ranges::stable_sort(probed, {}, &MicroStepRecord::microStep);
        const auto twice = std::ranges::unique(probed, {}, &MicroStepRecord::microStep);
        probed.erase(twice.begin(), twice.end());
    }
    for (const MicroStepRecord& record : probed)
        ACCUMULUS_TRY(observer.microStepProbed(record));
    return {};
}

void Trainer::Impl::noteRecoveries(TrainingObserver& observer, const Recovery::Report& report) {
    const std::string window = std::to_string(m_progress.windows + 1);
    for (const auto& [reason, rank] : report.faults) {
        Message retried{"training.retried", {{"window", window}, {"fault", rank ? "phrase.rank-fault" : reason}}};
        if (rank)
            retried.arguments.insert(retried.arguments.end(), {{"rank", std::to_string(*rank)}, {"reason", reason}});
        observer.noted("warning", retried, m_progress.updates);
    }
    if (report.overflows > 0)
        observer.noted("info",
                       {"training.overflow", {{"window", window}, {"overflows", std::to_string(report.overflows)}}},
                       m_progress.updates);
    const std::int64_t part = ranks() ? report.part : m_engine.largestPart(); // one rank may have less memory
    const std::int64_t partBefore = std::exchange(m_notedPart, part);
    if (part == partBefore)
        return;
    if (part == 0) {
        observer.noted("info", {"memory.whole", {{"window", window}}}, m_progress.updates);
        return;
    }
    const NumericsConfig& numerics = m_setup.config.numerics;
    const Model& model = *m_engine.state().model;
    const bool changesGroups =
        model.hasBatchNorm() && numerics.batchNorm != BatchNormMode::Frozen && numerics.ghost == 0;
    const char* change = changesGroups             ? "phrase.parts-normalised"
                         : model.couplesSamples()  ? "phrase.parts-mixed"
                         : model.drawsFromStream() ? "phrase.parts-drawn"
                                                   : "";
    observer.noted(partBefore != 0 && part > partBefore ? "info" : "warning",
                   {"memory.resplit", {{"window", window}, {"samples", std::to_string(part)}, {"batchNorm", change}}},
                   m_progress.updates);
}

void Trainer::Impl::noteGraphProblem(TrainingObserver& observer) {
    const std::string problem = m_engine.graphProblem();
    if (problem.empty() || std::exchange(m_graphProblemNoted, true))
        return;
    observer.noted("info", {"device.not-captured", {{"reason", problem}}}, m_progress.updates);
}

void Trainer::Impl::noteExchange(TrainingObserver& observer) {
    const auto note = m_engine.exchangeNote();
    if (note && !std::exchange(m_exchangeNoted, true))
        observer.noted("info", *note, m_progress.updates);
}

} // namespace accumulus
