// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/trainer.h"

#include "core/config/lr_schedule.h"
#include "core/train/trainer_impl.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <malloc.h>
#include <new>

namespace accumulus {
namespace {

constexpr std::int64_t mostSkippedInARow = 100;

at::ScalarType scalarType(Precision precision) { return precision == Precision::Fp64 ? at::kDouble : at::kFloat; }

std::int64_t epochsOf(const Extent& length) { return length.unit == Extent::Unit::Epochs ? length.count : 0; }

/// glibc returns every freed tensor to the system and faults it in again, which costs small models up to half of their speed. Harmless beside another allocator.
void tuneAllocator() {
#if defined(__GLIBC__)
    static const bool once = mallopt(M_TRIM_THRESHOLD, 512 << 20) != 0 && mallopt(M_MMAP_THRESHOLD, 256 << 20) != 0;
    (void)once;
#endif
}

Error errorOf(const std::exception& exception) {
    if (dynamic_cast<const std::bad_alloc*>(&exception))
        return {"training.memory", {{"reason", "The system refused an allocation"}}};
    const std::string text = exception.what();
    if (const auto* torchError = dynamic_cast<const c10::Error*>(&exception)) {
        const std::string message = torchError->what_without_backtrace();
        const bool memory = message.find("DefaultCPUAllocator") != std::string::npos;
        return {memory ? "training.memory" : "training.engine", {{"reason", message}}};
    }
    return {"training.engine", {{"reason", text}}};
}

} // namespace

LanePlan resolveLanes(const DeviceConfig& device, Arm arm, std::int64_t accumulationSteps, int cores) {
    LanePlan plan;
    if (device.lanes > 0)
        plan.lanes = static_cast<int>(device.lanes);
    else if (arm == Arm::Accumulated)
        plan.lanes = static_cast<int>(std::clamp<std::int64_t>(accumulationSteps, 1, cores));
    plan.threads = device.threads > 0 ? static_cast<int>(device.threads) : std::max(1, cores / plan.lanes);
    return plan;
}

bool Interval::passed(const TrainingProgress& before, const TrainingProgress& after) const {
    if (m_every.count <= 0)
        return false;
    switch (m_every.unit) {
    case Extent::Unit::Updates:
        return after.updates / m_every.count != before.updates / m_every.count;
    case Extent::Unit::Samples:
        return after.samples / m_every.count != before.samples / m_every.count;
    case Extent::Unit::Epochs:
        return after.epochsCompleted / m_every.count != before.epochsCompleted / m_every.count;
    }
    return false;
}

Trainer::Impl::Impl(TrainerSetup setup, std::shared_ptr<const Model> model, BatchPlan batch)
    : m_setup(std::move(setup)), m_model(std::move(model)),
      m_parameters(initialWeights(m_model->layout(), m_setup.config.model, m_setup.seed)
                       .to(scalarType(m_setup.config.numerics.precision))),
      m_planner(batch, m_setup.config.batch.tail, m_setup.data->train.count, m_setup.config.data.shuffle, m_setup.seed,
                epochsOf(m_setup.config.train.length), m_setup.mistake),
      m_window(m_model->layout(), m_parameters.scalar_type(), m_setup.config.loss.normalise, m_setup.config.train.clipNorm,
               batch.effective, m_setup.mistake),
      m_optimizer(m_setup.config.optimizer, m_model->layout(), m_parameters.scalar_type()),
      m_engine(m_setup.lanes.lanes, m_setup.lanes.threads) {
    const RunConfig& config = m_setup.config;
    const std::int64_t samples = m_setup.data->train.count;
    const auto updatesIn = [&](const Extent& extent) { return extentInUpdates(extent, batch, samples, config.batch.tail); };
    m_totalUpdates = accumulus::totalUpdates(batch, samples, config.batch.tail, config.train.length);
    if (m_setup.mistake == Mistake::ScheduleCountsMicroSteps)
        m_totalUpdates *= batch.steps;
    m_warmupUpdates = updatesIn(config.schedule.warmup);
    m_decayEveryUpdates = updatesIn(config.schedule.stepEvery);
    m_engine.prepare([&] {
        return std::make_unique<MicroStep>(*m_model, m_parameters, m_setup.data->train, m_setup.data->mean, m_setup.data->deviation,
                                           config.loss.labelSmoothing, batch.effective);
    });
}

double Trainer::Impl::learningRate(std::int64_t update) const {
    return scheduledLr(m_setup.config.optimizer, m_setup.config.schedule, update, m_warmupUpdates, m_totalUpdates, m_decayEveryUpdates);
}

bool Trainer::Impl::lengthReached() const {
    const Extent& length = m_setup.config.train.length;
    switch (length.unit) {
    case Extent::Unit::Updates:
        return m_progress.updates >= length.count;
    case Extent::Unit::Samples:
        return m_progress.samples >= length.count;
    case Extent::Unit::Epochs:
        return false; // the planner ends
    }
    return false;
}

void Trainer::Impl::applyMicroRequest() {
    if (m_requestedMicro > 0)
        m_planner.setMicro(m_requestedMicro);
    m_requestedMicro = 0;
}

TrainingEnd Trainer::Impl::train(TrainingObserver& observer) {
    TrainingEnd end;
    try {
        m_started = m_progress;
        Status status = m_progress.windows == 0 ? saveInitial(observer) : Status();
        Step step = Step::Continue;
        while (status && step == Step::Continue) {
            const auto result = trainWindow(observer);
            if (result)
                step = *result;
            else
                status = failure(result.error());
        }
        end.stopped = step == Step::Stopped;
        if (!status)
            end.error = status.error();
        // Evaluation and checkpoint of the end; a failed run keeps the weights of its last good boundary.
        const bool evaluate = !end.stopped && status && (!m_lastTest || m_lastTest->update != m_progress.updates);
        if (evaluate)
            status = evaluateAndTell(observer);
        if (const Status saved = saveCheckpoint(observer, CheckpointKind::Last); !saved && status)
            status = saved;
        if (!status && !end.error)
            end.error = status.error();
    } catch (const std::exception& exception) {
        end.error = errorOf(exception);
    }
    end.summary = summary();
    return end;
}

Result<Trainer::Impl::Step> Trainer::Impl::trainWindow(TrainingObserver& observer) {
    if (lengthReached())
        return Step::Ended;
    if (observer.proceed() != TrainingObserver::Wish::GoOn)
        return Step::Stopped;
    applyMicroRequest();
    const PlannerPosition start = m_planner.position();
    const auto plan = m_planner.next();
    if (!plan)
        return Step::Ended;

    // Left-over samples of a leaking tail lie in the window before it starts.
    std::optional<std::pair<GradientWindow::Saved, at::Tensor>> leftOver;
    if (!m_window.empty())
        leftOver.emplace(m_window.save(), m_window.flat().clone());
    const auto backToBoundary = [&] {
        m_window.clear();
        if (leftOver)
            m_window.restore(leftOver->first, leftOver->second);
        m_planner.seek(start);
    };
    const Stopwatch stopwatch;
    const double pausedBefore = observer.pausedSeconds();
    const auto gate = [&] { return observer.proceed() != TrainingObserver::Wish::StopNow; };
    try {
        if (!m_engine.accumulate(*plan, m_window, gate, m_setup.afterCommit)) {
            backToBoundary();
            return Step::Stopped;
        }
    } catch (const std::exception& exception) {
        backToBoundary(); // what was trained before is checkpointed
        return failure(errorOf(exception));
    }
    return closeWindow(observer, *plan, stopwatch.seconds() - (observer.pausedSeconds() - pausedBefore));
}

Result<Trainer::Impl::Step> Trainer::Impl::closeWindow(TrainingObserver& observer, const WindowPlan& plan, double seconds) {
    const TrainingProgress before = m_progress;
    WindowRecord record;
    Stopwatch stopwatch;
    m_progress.position = m_planner.position();
    m_progress.windows += 1;
    m_progress.microSteps += static_cast<std::int64_t>(plan.microSizes.size());
    m_progress.samples += static_cast<std::int64_t>(plan.ids.size());
    m_progress.epochsCompleted = plan.epochsCompleted;
    m_progress.epochPosition = plan.epochPosition;

    std::optional<Error> broken;
    if (plan.makesUpdate) {
        const WindowGradient gradient = m_window.finish();
        record.units = gradient.units;
        record.microSteps = gradient.microSteps;
        record.loss = gradient.loss;
        record.gradNorm = gradient.norm;
        record.clipped = gradient.clipped;
        record.nonfinite = !gradient.finite;
        record.noiseS = gradient.noiseS;
        record.noiseG2 = gradient.noiseG2;
        record.lr = learningRate(m_progress.updates + 1);
        m_lastLoss = gradient.loss;
        if (gradient.finite) {
            m_progress.updates += 1;
            m_progress.skippedInARow = 0;
            record.update = m_progress.updates;
            if (m_setup.gradientProbe)
                probeGradient(record);
            m_optimizer.update(m_parameters, m_window.flat(), m_window.touched(), record.lr);
        } else if (m_setup.config.numerics.nonfinite == NonfinitePolicy::Stop) {
            broken = Error{"training.nonfinite",
                           {{"update", std::to_string(m_progress.updates + 1)},
                            {"microStep", std::to_string(gradient.firstNonfinite + 1)},
                            {"microSteps", std::to_string(gradient.microSteps)}}};
        } else if (++m_progress.skippedInARow >= mostSkippedInARow) {
            broken = Error{"training.all-skipped", {{"windows", std::to_string(mostSkippedInARow)}}};
        }
        m_window.clear();
    } else {
        record.units = m_window.units();
        record.microSteps = static_cast<std::int64_t>(plan.microSizes.size());
        record.loss = m_lastLoss.value_or(0.0);
    }

    record.window = m_progress.windows;
    record.epoch = plan.epoch;
    record.epochPosition = m_progress.epochPosition;
    record.samples = m_progress.samples;
    record.seconds = seconds + stopwatch.seconds();
    m_progress.activeSeconds += record.seconds;
    record.activeSeconds = m_progress.activeSeconds;
    record.wallTime = unixTime();
    ACCUMULUS_TRY(observer.windowClosed(record));
    if (record.nonfinite)
        observer.noted("warning", "training.nonfinite",
                       "Window " + std::to_string(record.window) + " had a loss or gradient that is not finite; no update was made.",
                       m_progress.updates);
    if (broken)
        return failure(*broken);
    ACCUMULUS_TRY(afterWindow(observer, before));
    return Step::Continue;
}

Status Trainer::Impl::afterWindow(TrainingObserver& observer, const TrainingProgress& before) {
    if (Interval(m_setup.config.evaluate.every).passed(before, m_progress))
        ACCUMULUS_TRY(evaluateAndTell(observer));
    if (Interval(m_setup.config.checkpoint.every).passed(before, m_progress))
        ACCUMULUS_TRY(saveCheckpoint(observer, CheckpointKind::Periodic));
    return {};
}

void Trainer::Impl::probeGradient(const WindowRecord& record) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < m_model->layout().size(); ++i) {
        const at::Tensor view = m_model->layout().view(m_window.flat(), i).to(at::kDouble).flatten().contiguous();
        const double* data = view.const_data_ptr<double>();
        if (m_window.touched()[i])
            values.insert(values.end(), data, data + view.numel());
        else
            values.insert(values.end(), static_cast<std::size_t>(view.numel()), 0.0);
    }
    m_setup.gradientProbe(record, values);
}

RunSummary Trainer::Impl::summary() const {
    RunSummary result;
    result.updates = m_progress.updates;
    result.microSteps = m_progress.microSteps;
    result.samples = m_progress.samples;
    result.finalTrainLoss = m_lastLoss;
    if (m_lastTest) {
        result.testLoss = m_lastTest->loss;
        result.testAccuracy = m_lastTest->accuracy;
    }
    result.bestTestAccuracy = m_progress.bestTestAccuracy;
    result.activeSeconds = m_progress.activeSeconds;
    const double seconds = m_progress.activeSeconds - m_started.activeSeconds;
    if (seconds > 0.0)
        result.samplesPerSecond = static_cast<double>(m_progress.samples - m_started.samples) / seconds;
    result.weightsHash = weightsHash(m_model->layout(), m_parameters);
    if (m_lastCheckpoint)
        result.checkpoint = m_lastCheckpoint->weightsPath;
    return result;
}

// The public face.

Trainer::Trainer(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Trainer::~Trainer() = default;

Result<std::unique_ptr<Trainer>> Trainer::create(TrainerSetup setup) {
    tuneAllocator();
    const auto batch = resolveBatch(setup.config.batch);
    if (!batch)
        return failure(batch.error());
    const ImageSet& images = setup.data->train;
    if (batch->effective > images.count)
        return failure("config.batch.exceeds-data", {{"effective", std::to_string(batch->effective)}, {"samples", std::to_string(images.count)}});
    try {
        auto model = setup.model;
        if (!model) {
            auto made = makeModel(setup.config.model, {images.channels, images.height, images.width, setup.data->classes});
            if (!made)
                return failure(made.error());
            model = std::move(*made);
        }
        return std::unique_ptr<Trainer>(new Trainer(std::make_unique<Impl>(std::move(setup), std::move(model), *batch)));
    } catch (const std::exception& exception) {
        return failure(errorOf(exception));
    }
}

Status Trainer::restore(const std::filesystem::path& bundle) {
    Impl& self = *m_impl;
    auto progress = loadBundle(bundle, self.m_model->layout(), self.m_parameters, self.m_optimizer, self.m_window);
    if (!progress)
        return failure(progress.error());
    if (progress->position.sample >= self.m_setup.data->train.count)
        return failure("checkpoint.mismatch", {{"file", bundle.string()}, {"reason", "it belongs to a larger training set"}});
    self.m_progress = *progress;
    self.m_planner.seek(self.m_progress.position);
    return {};
}

std::int64_t Trainer::windowsDone() const { return m_impl->m_progress.windows; }
std::int64_t Trainer::updatesDone() const { return m_impl->m_progress.updates; }
const BatchPlan& Trainer::batch() const { return m_impl->m_planner.batch(); }
std::int64_t Trainer::totalUpdates() const { return m_impl->m_totalUpdates; }
std::int64_t Trainer::parameterCount() const { return m_impl->m_model->layout().parameterCount(); }
TrainingEnd Trainer::train(TrainingObserver& observer) { return m_impl->train(observer); }
EvaluationRecord Trainer::evaluateNow(const std::string& split) { return m_impl->evaluateSplit(split); }
std::string Trainer::hashWeights() const { return weightsHash(m_impl->m_model->layout(), m_impl->m_parameters); }
void Trainer::requestMicroBatch(std::int64_t micro) { m_impl->m_requestedMicro = micro; }

Result<std::map<std::string, std::string>> Trainer::loadWeights(const std::filesystem::path& file) {
    return accumulus::loadWeights(file, m_impl->m_model->layout(), m_impl->m_parameters);
}

std::vector<double> Trainer::weights() const {
    std::vector<double> values;
    for (std::size_t i = 0; i < m_impl->m_model->layout().size(); ++i) {
        const at::Tensor view = m_impl->m_model->layout().view(m_impl->m_parameters, i).to(at::kDouble).flatten().contiguous();
        values.insert(values.end(), view.const_data_ptr<double>(), view.const_data_ptr<double>() + view.numel());
    }
    return values;
}

} // namespace accumulus
