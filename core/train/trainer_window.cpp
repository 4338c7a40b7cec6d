// SPDX-License-Identifier: GPL-3.0-or-later
// One window of a run: compute, close, record.
#include "core/engine/memory_counter.h"
#include "core/train/trainer_impl.h"

#include <ATen/ATen.h>
#include <algorithm>

namespace accumulus {
namespace {

constexpr std::int64_t mostSkippedInARow = 100;
constexpr int mostFaultRestarts = 2;   // of one window, by failures while it was being changed
constexpr int mostMemoryRestarts = 32; // lean: each halves the part that is computed at once
constexpr std::int64_t probedElements = 10;

} // namespace

WindowReport Trainer::Impl::accumulate(TrainingObserver& observer, const WindowPlan& plan) {
    // What lies in the window before it starts: left-over samples of a leaking tail, micro-steps of before a resume.
    const GradientWindow::Saved saved = m_window.save();
    const at::Tensor savedSum = m_window.empty() ? at::Tensor() : m_window.flat().clone();
    auto pending = m_statistics.pending();
    for (auto& [name, tensor] : pending)
        tensor = tensor.clone();
    const auto back = [&] {
        m_window.clear();
        if (savedSum.defined())
            m_window.restore(saved, savedSum);
        m_statistics.restorePending(pending);
        m_probed.clear();
    };
    WindowOptions options;
    options.window = m_progress.windows + 1;
    options.seed = m_setup.seed;
    options.done = m_progress.openMicroSteps;
    options.lossScale = m_scaler.scale();
    options.retryOverflow = m_scaler.active() && m_setup.config.numerics.lossScale == "dynamic";
    const auto gate = [&] { return observer.proceed() != TrainingObserver::Wish::StopNow; };
    const auto afterCommit = [&](std::int64_t microStep) {
        probeParameter(options.window, microStep);
        if (m_setup.afterCommit)
            m_setup.afterCommit(microStep);
    };
    std::vector<std::string> faults;
    int overflows = 0;
    for (int faultRestarts = 0, memoryRestarts = 0;;) {
        try {
            WindowReport report = m_engine.accumulate(plan, m_window, m_statistics, options, gate, afterCommit);
            report.faults.insert(report.faults.begin(), faults.begin(), faults.end());
            report.overflows += overflows;
            if (m_update && report.complete && plan.makesUpdate && closeOnDevice(options, report) == Closed::Again) {
                overflows = report.overflows + 1;
                back();
                continue;
            }
            return report;
        } catch (const WindowBroken& broken) {
            if (m_setup.bug != PlantedBug::RetryCommitsTwice)
                back();
            const bool memory = isOutOfMemory(broken.cause());
            if (memory ? ++memoryRestarts > mostMemoryRestarts : ++faultRestarts > mostFaultRestarts)
                throw;
            if (!memory)
                faults.push_back(errorOf(broken.cause()).argument("reason"));
        } catch (...) {
            back(); // what was trained before is checkpointed
            throw;
        }
    }
}

Result<Trainer::Impl::Step> Trainer::Impl::trainWindow(TrainingObserver& observer) {
    if (lengthReached())
        return Step::Ended;
    if (observer.proceed() != TrainingObserver::Wish::GoOn)
        return Step::Stopped;
    applyMicroRequest();
    const PlannerPosition start = m_planner.position();
    const auto plan = m_planner.next(m_progress.updates);
    if (!plan)
        return Step::Ended;
    m_window.setNominalUnits(plan->nominal);
    const Stopwatch stopwatch;
    const double pausedBefore = observer.pausedSeconds();
    const auto activeSeconds = [&] { return stopwatch.seconds() - (observer.pausedSeconds() - pausedBefore); };
    const std::int64_t partBefore = m_engine.largestPart();
    WindowReport report;
    try {
        report = accumulate(observer, *plan);
    } catch (...) {
        m_planner.seek(start);
        return failure(errorOf(std::current_exception()));
    }
    noteRecoveries(observer, report, partBefore);
    ACCUMULUS_TRY(checkGraph(observer));
    if (!report.complete) { // stopped in mid-window: what it holds goes into the bundle
        m_planner.seek(start);
        m_progress.openMicroSteps = report.committed;
        m_progress.activeSeconds += activeSeconds();
        return Step::Stopped;
    }
    return closeWindow(observer, *plan, report, activeSeconds());
}

Result<Trainer::Impl::Step> Trainer::Impl::closeWindow(TrainingObserver& observer, const WindowPlan& plan,
                                                       const WindowReport& report, double seconds) {
    const TrainingProgress before = m_progress;
    WindowRecord record;
    Stopwatch stopwatch;
    m_progress.position = m_planner.position();
    m_progress.openMicroSteps = 0;
    m_progress.windows += 1;
    m_progress.microSteps += static_cast<std::int64_t>(plan.microSizes.size());
    m_progress.samples += static_cast<std::int64_t>(plan.ids.size());
    m_progress.tokens += static_cast<std::int64_t>(plan.ids.size()) * m_block;
    m_progress.epochsCompleted = plan.epochsCompleted;
    m_progress.epochPosition = plan.epochPosition;
    record.window = m_progress.windows;
    record.microBatch = plan.microSizes.front();
    record.lastMicroBatch = plan.microSizes.back();
    record.lossScale = m_scaler.scale();

    std::optional<Error> broken;
    if (plan.makesUpdate) {
        broken = applyUpdate(m_update ? *m_closed : m_window.finish(), report, record);
        m_window.clear();
        m_statistics.clear();
    } else {
        record.units = m_window.units();
        record.microSteps = static_cast<std::int64_t>(plan.microSizes.size());
        record.loss = m_lastLoss.value_or(0.0);
    }
    record.updateSeconds = stopwatch.seconds();
    record.dataSeconds = report.times.data;
    record.forwardSeconds = report.times.forward;
    record.backwardSeconds = report.times.backward;
    record.commitSeconds = report.commitSeconds;
    record.epoch = plan.epoch;
    record.epochPosition = m_progress.epochPosition;
    record.samples = m_progress.samples;
    record.tokens = m_progress.tokens;
    record.seconds = seconds + record.updateSeconds;
    m_progress.activeSeconds += record.seconds;
    record.activeSeconds = m_progress.activeSeconds;
    record.wallTime = unixTime();
    record.peakBytes = peakBytes();
    for (const MicroStepRecord& probed : m_probed)
        ACCUMULUS_TRY(observer.microStepProbed(probed));
    m_probed.clear();
    ACCUMULUS_TRY(observer.windowClosed(record));
    if (record.nonfinite)
        observer.noted("warning", "training.nonfinite",
                       "Window " + std::to_string(record.window) +
                           " had a loss or gradient that is not finite; no update was made.",
                       m_progress.updates);
    if (broken)
        return failure(*broken);
    ACCUMULUS_TRY(afterWindow(observer, before));
    return Step::Continue;
}

std::optional<Error> Trainer::Impl::applyUpdate(const WindowGradient& gradient, const WindowReport& report,
                                                WindowRecord& record) {
    record.units = gradient.units;
    record.microSteps = gradient.microSteps;
    record.leftOut = gradient.leftOut;
    record.loss = gradient.loss;
    record.gradNorm = gradient.norm;
    record.clipped = gradient.clipped;
    record.clippedNorm = gradient.clipped ? m_setup.config.train.clipNorm : gradient.norm;
    record.nonfinite = !gradient.finite;
    record.noiseS = gradient.noiseS;
    record.noiseG2 = gradient.noiseG2;
    record.lr = learningRate(m_progress.updates + 1);
    const bool applies = gradient.finite && gradient.units > 0;
    m_scaler.windowClosed(m_window.smallestScale(), report.overflowed);
    if (gradient.units > 0)
        m_lastLoss = gradient.loss;
    if (applies) {
        m_progress.updates += 1;
        m_progress.skippedInARow = 0;
        record.update = m_progress.updates;
        if (m_setup.gradientProbe)
            probeGradient(record);
        optimizerUpdate(record);
        m_statistics.apply();
        probeParameter(record.window, gradient.microSteps);
        return std::nullopt;
    }
    // An overflow of 16-bit gradients is the loss scale's business; anything else that is not finite is the policy's.
    const bool stops =
        m_setup.config.numerics.nonfinite == NonfinitePolicy::Stop && !gradient.finite && !report.overflowed;
    if (stops)
        return Error{"training.nonfinite",
                     {{"update", std::to_string(m_progress.updates + 1)},
                      {"microStep", std::to_string(gradient.firstNonfinite + 1)},
                      {"microSteps", std::to_string(gradient.microSteps)}}};
    if (++m_progress.skippedInARow >= mostSkippedInARow)
        return Error{"training.all-skipped", {{"windows", std::to_string(mostSkippedInARow)}}};
    return std::nullopt;
}

void Trainer::Impl::injectUpdateFault(std::int64_t window) const {
    if (m_setup.fault)
        try {
            m_setup.fault(FaultPoint::Update, window, 0);
        } catch (...) {
            m_setup.fault(FaultPoint::Update, window, 0); // nothing was changed yet: once more
        }
}

void Trainer::Impl::optimizerUpdate(const WindowRecord& record) {
    if (m_update) { // made when the window was closed
        m_optimizer.countUpdate(m_window.touched());
        return;
    }
    injectUpdateFault(record.window);
    m_optimizer.update(m_parameters, m_window.gradient(), m_window.touched(), record.lr);
}

void Trainer::Impl::noteRecoveries(TrainingObserver& observer, const WindowReport& report, std::int64_t partBefore) {
    const std::string window = std::to_string(m_progress.windows + 1);
    for (const std::string& fault : report.faults)
        observer.noted("warning", "training.retried",
                       "A micro-step of window " + window + " failed and was computed again: " + fault,
                       m_progress.updates);
    if (report.overflows > 0)
        observer.noted("info", "training.overflow",
                       "Window " + window + ": " + std::to_string(report.overflows) + " overflow" +
                           (report.overflows == 1 ? "" : "s") + " in 16 bits, computed again at a lower loss scale.",
                       m_progress.updates);
    const std::int64_t part = m_engine.largestPart();
    if (part == partBefore)
        return;
    if (part == 0)
        observer.noted("info", "memory.whole", "Micro-batches are computed whole again from window " + window + " on.",
                       m_progress.updates);
    else
        observer.noted(partBefore != 0 && part > partBefore ? "info" : "warning", "memory.resplit",
                       "From window " + window + " on micro-batches are computed in parts of at most " +
                           std::to_string(part) +
                           " samples, because of the memory. The effective batch stays the same.",
                       m_progress.updates);
}

void Trainer::Impl::applyMicroRequest() {
    const std::int64_t micro = m_requestedMicro.exchange(0);
    if (micro > 0 && m_progress.openMicroSteps == 0)
        m_planner.setMicro(micro);
}

void Trainer::Impl::probeParameter(std::int64_t window, std::int64_t microStep) {
    if (!m_probedParameter)
        return;
    MicroStepRecord record;
    record.window = window;
    record.microStep = microStep;
    const at::Tensor view = m_model->layout().view(m_parameters, *m_probedParameter);
    const at::Tensor values =
        view.flatten().narrow(0, 0, std::min(probedElements, view.numel())).to(at::kDouble).contiguous().cpu();
    record.values.assign(values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel());
    m_probed.push_back(std::move(record));
}

void Trainer::Impl::probeGradient(const WindowRecord& record) const {
    std::vector<double> values;
    const at::Tensor gradient = m_window.gradient().cpu();
    for (std::size_t i = 0; i < m_model->layout().size(); ++i) {
        const at::Tensor view = m_model->layout().view(gradient, i).to(at::kDouble).flatten().contiguous();
        const double* data = view.const_data_ptr<double>();
        if (m_window.touched()[i])
            values.insert(values.end(), data, data + view.numel());
        else
            values.insert(values.end(), static_cast<std::size_t>(view.numel()), 0.0);
    }
    m_setup.gradientProbe(record, values);
}

} // namespace accumulus
