// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/trainer.h"

#include "core/config/byte_size.h"
#include "core/config/lr_schedule.h"
#include "core/engine/allocator.h"
#include "core/engine/memory_counter.h"
#include "core/train/trainer_impl.h"
#include "core/window/precision.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <new>

namespace accumulus {
namespace {

std::int64_t epochsOf(const Extent& length) { return length.unit == Extent::Unit::Epochs ? length.count : 0; }

/// A BatchNorm layer that sees one pixel of a single sample has no variance to divide by.
Status checkBatchNorm(const Model& model, const RunConfig& config, const BatchPlan& batch, std::int64_t samples) {
    if (!model.hasBatchNorm() || config.numerics.batchNorm == BatchNormMode::Frozen || model.leastNormalisedArea() > 1)
        return {};
    const std::int64_t group = config.numerics.ghost > 0 ? config.numerics.ghost : batch.micro;
    const std::int64_t tail = config.batch.tail == TailPolicy::Drop ? 0 : samples % batch.effective;
    if (group > 1 && batch.effective % group != 1 && tail % group != 1)
        return {};
    return failure("model.batch-norm-one", {{"model", config.model.name}, {"group", std::to_string(group)}});
}

Status checkProbe(const Model& model, const std::string& parameter) {
    if (parameter.empty())
        return {};
    const auto& specs = model.layout().specs();
    if (std::ranges::any_of(specs, [&](const ParameterSpec& spec) { return spec.name == parameter; }))
        return {};
    return failure("config.probe",
                   {{"parameter", parameter}, {"first", specs.front().name}, {"last", specs.back().name}});
}

/// GPUs have fast kernels for it in 16 bits only.
bool wantsChannelsLast(const NumericsConfig& numerics, at::Device device) {
    const bool wins = device.is_cpu() || numerics.precision == Precision::Bf16 || numerics.precision == Precision::Fp16;
    return numerics.channelsLast == Layout::On || (numerics.channelsLast == Layout::Auto && wins);
}

MicroStepSettings microStepSettings(const TrainerSetup& setup, bool deferred) {
    const RunConfig& config = setup.config;
    MicroStepSettings settings;
    settings.precision = config.numerics.precision;
    settings.unit = config.loss.normalise == Normalise::Samples ? LossUnit::Sample : LossUnit::Token;
    settings.labelSmoothing = config.loss.labelSmoothing;
    settings.batchNorm = config.numerics.batchNorm;
    settings.ghost = config.numerics.ghost;
    // Deferred, an overflow shows when the window is closed.
    settings.checkFinite = (config.numerics.precision == Precision::Fp16 && !deferred) ||
                           config.numerics.nonfinite == NonfinitePolicy::SkipMicro;
    settings.deferred = deferred;
    settings.fault = setup.fault;
    settings.bug = setup.bug;
    return settings;
}

} // namespace

Error errorOf(const std::exception_ptr& problem) {
    try {
        std::rethrow_exception(problem);
    } catch (const WindowBroken& broken) {
        return errorOf(broken.cause());
    } catch (const c10::OutOfMemoryError& error) {
        return {"training.memory", {{"reason", error.what_without_backtrace()}}};
    } catch (const c10::Error& error) {
        return {"training.engine", {{"reason", error.what_without_backtrace()}}};
    } catch (const OutOfMemory& error) {
        return {"training.memory", {{"reason", error.what()}}};
    } catch (const std::bad_alloc&) {
        return {"training.memory", {{"reason", "The system refused an allocation"}}};
    } catch (const UnusableGraph& error) {
        return {"device.capture", {{"reason", error.what()}}};
    } catch (const std::exception& error) {
        return {"training.engine", {{"reason", error.what()}}};
    } catch (...) {
        return {"training.engine", {{"reason", "an unknown exception"}}};
    }
}

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

Trainer::Impl::Impl(TrainerSetup setup, std::shared_ptr<const Model> model, BatchPlan batch, DeviceChoice choice,
                    gpu::WorkStream stream)
    : m_setup(std::move(setup)), m_choice(std::move(choice)), m_device(m_choice.device), m_stream(stream),
      m_model(std::move(model)), m_parameters(initialWeights(m_model->layout(), m_setup.config.model, m_setup.seed)
                                                  .to(parameterType(m_setup.config.numerics.precision))
                                                  .to(m_device)),
      m_statistics(m_model->buffers(), m_setup.config.numerics.batchNorm, m_parameters.scalar_type(), m_device),
      m_scaler(m_setup.config.numerics.precision, m_setup.config.numerics.lossScale),
      m_planner(batch, m_setup.config.batch.tail, m_setup.data->trainCount(), m_setup.config.data.shuffle, m_setup.seed,
                epochsOf(m_setup.config.train.length), m_setup.bug,
                usedSamples(m_setup.config.data, batch, m_setup.data->trainCount())),
      m_window(m_model->layout(), m_parameters.scalar_type(), m_setup.config.loss.normalise,
               m_setup.config.train.clipNorm, batch.effective, m_setup.bug, accumulatorType(m_setup.config.numerics),
               sumPlace(batch)),
      m_optimizer(m_setup.config.optimizer, m_model->layout(), m_parameters.scalar_type(), m_device),
      m_engine({m_setup.config.batch.lean || m_window.deferred() ? 1 : m_setup.lanes.lanes, m_setup.lanes.threads,
                m_setup.config.batch.lean, m_setup.config.device.onOom == OnOutOfMemory::Resplit, m_device,
                m_setup.fault}) {
    const RunConfig& config = m_setup.config;
    const std::int64_t samples = usedSamples(config.data, batch, m_setup.data->trainCount());
    m_window.leaveOutNonfinite(config.numerics.nonfinite == NonfinitePolicy::SkipMicro);
    const auto updatesIn = [&](const Extent& extent) {
        return extentInUpdates(extent, batch, samples, config.batch.tail);
    };
    m_totalUpdates = accumulus::totalUpdates(batch, samples, config.batch.tail, config.train.length);
    if (m_setup.bug == PlantedBug::ScheduleCountsMicroSteps)
        m_totalUpdates *= batch.steps;
    m_warmupUpdates = updatesIn(config.schedule.warmup);
    m_decayEveryUpdates = updatesIn(config.schedule.stepEvery);
    m_block = m_setup.data->isText() ? m_setup.data->trainText.block : 0;
    for (std::size_t i = 0; i < m_model->layout().size(); ++i)
        if (m_model->layout().specs()[i].name == config.probe.parameter)
            m_probedParameter = i;
    if (m_window.deferred())
        m_resident = std::make_unique<ResidentData>(m_setup.data, m_parameters.scalar_type(), m_device);
    m_engine.prepare([&] {
        BatchSource source(*m_setup.data, DataPart::Train, m_model->task(), config.data.augment == "crop-flip",
                           m_parameters.scalar_type(), batch.micro, m_resident.get());
        return std::make_unique<MicroStep>(*m_model, m_parameters, m_statistics.flat(), std::move(source),
                                           microStepSettings(m_setup, m_window.deferred()));
    });
    prepareDevice(batch);
}

double Trainer::Impl::learningRate(std::int64_t update) const {
    return scheduledLr(m_setup.config.optimizer, m_setup.config.schedule, update, m_warmupUpdates, m_totalUpdates,
                       m_decayEveryUpdates);
}

bool Trainer::Impl::lengthReached() const {
    const Extent& length = m_setup.config.train.length;
    switch (length.unit) {
    case Extent::Unit::Updates:
        return m_progress.updates >= length.count;
    case Extent::Unit::Samples:
        return m_progress.samples >= length.count && m_window.empty(); // leaked samples make an update first
    case Extent::Unit::Epochs:
        return false; // the planner ends
    }
    return false;
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
    } catch (...) {
        end.error = errorOf(std::current_exception());
    }
    end.summary = summary();
    return end;
}

Status Trainer::Impl::afterWindow(TrainingObserver& observer, const TrainingProgress& before) {
    if (Interval(m_setup.config.evaluate.every).passed(before, m_progress))
        ACCUMULUS_TRY(evaluateAndTell(observer));
    if (Interval(m_setup.config.checkpoint.every).passed(before, m_progress))
        ACCUMULUS_TRY(saveCheckpoint(observer, CheckpointKind::Periodic));
    return {};
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
    result.weightsHash = hashWeights();
    result.peakBytes = peakBytes();
    if (m_lastCheckpoint)
        result.checkpoint = m_lastCheckpoint->weightsPath;
    return result;
}

// The public face.

Trainer::Trainer(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Trainer::~Trainer() = default;

Result<std::unique_ptr<Trainer>> Trainer::create(TrainerSetup setup) {
    tuneAllocator();
    MemoryCounter::install();
    MemoryCounter::resetPeak();
    ACCUMULUS_TRY_ASSIGN(const auto batch, resolveBatch(setup.config.batch));
    const std::int64_t samples = usedSamples(setup.config.data, batch, setup.data->trainCount());
    if (batch.largestEffective() > samples)
        return failure("config.batch.exceeds-data",
                       {{"effective", std::to_string(batch.largestEffective())}, {"samples", std::to_string(samples)}});
    ACCUMULUS_TRY_ASSIGN(const auto limit, parseBytes(setup.config.device.memoryLimit));
    ACCUMULUS_TRY_ASSIGN(const auto choice, chooseDevice(setup.config.device.kind));
    try {
        const at::Device device(choice.device);
        gpu::setKernelPolicy(device, setup.config.numerics.deterministic);
        MemoryCounter::setLimit(device.is_cpu() ? limit : 0);
        if (device.is_cuda()) {
            gpu::limitMemory(device, limit);
            gpu::resetPeak(device);
        }
        const gpu::WorkStream stream(device);
        const gpu::WorkStream::Scope scope(stream);
        auto model = setup.model;
        if (!model) {
            const Dataset& data = *setup.data;
            ACCUMULUS_TRY_ASSIGN(auto made, makeModel(setup.config.model,
                                                      {data.train.channels, data.train.height, data.train.width,
                                                       data.classes, data.isText() ? data.trainText.block : 0},
                                                      {wantsChannelsLast(setup.config.numerics, device),
                                                       setup.config.numerics.winograd}));
            model = std::move(made);
        }
        ACCUMULUS_TRY(checkBatchNorm(*model, setup.config, batch, samples));
        ACCUMULUS_TRY(checkProbe(*model, setup.config.probe.parameter));
        return std::unique_ptr<Trainer>(
            new Trainer(std::make_unique<Impl>(std::move(setup), std::move(model), batch, choice, stream)));
    } catch (...) {
        return failure(errorOf(std::current_exception()));
    }
}

Status Trainer::restore(const std::filesystem::path& bundle) {
    Impl& self = *m_impl;
    const auto scope = self.scope();
    ACCUMULUS_TRY_ASSIGN(auto progress, loadBundle(bundle, self.state()));
    if (progress.position.sample >= self.m_setup.data->trainCount())
        return failure("checkpoint.mismatch",
                       {{"file", bundle.string()}, {"reason", "it belongs to a larger training set"}});
    self.m_progress = progress;
    self.m_planner.seek(self.m_progress.position);
    return {};
}

std::int64_t Trainer::windowsDone() const { return m_impl->m_progress.windows; }
std::int64_t Trainer::updatesDone() const { return m_impl->m_progress.updates; }
const BatchPlan& Trainer::batch() const { return m_impl->m_planner.batch(); }
std::int64_t Trainer::totalUpdates() const { return m_impl->m_totalUpdates; }
std::int64_t Trainer::parameterCount() const { return m_impl->m_model->layout().parameterCount(); }
const DeviceChoice& Trainer::device() const { return m_impl->m_choice; }

TrainingEnd Trainer::train(TrainingObserver& observer) {
    const auto scope = m_impl->scope();
    return m_impl->train(observer);
}

EvaluationRecord Trainer::evaluateNow(const std::string& split) {
    const auto scope = m_impl->scope();
    return m_impl->evaluateSplit(split);
}

std::string Trainer::hashWeights() const {
    const auto scope = m_impl->scope();
    return m_impl->hashWeights();
}

void Trainer::requestMicroBatch(std::int64_t micro) { m_impl->m_requestedMicro = micro; }

Result<std::map<std::string, std::string>> Trainer::loadWeights(const std::filesystem::path& file) {
    const auto scope = m_impl->scope();
    return accumulus::loadWeights(file, m_impl->m_model->layout(), m_impl->m_parameters, m_impl->m_model->buffers(),
                                  m_impl->m_statistics.flat());
}

std::vector<double> Trainer::weights() const {
    const auto scope = m_impl->scope();
    const at::Tensor parameters = m_impl->m_parameters.cpu();
    std::vector<double> values;
    for (std::size_t i = 0; i < m_impl->m_model->layout().size(); ++i) {
        const at::Tensor view = m_impl->m_model->layout().view(parameters, i).to(at::kDouble).flatten().contiguous();
        values.insert(values.end(), view.const_data_ptr<double>(), view.const_data_ptr<double>() + view.numel());
    }
    return values;
}

} // namespace accumulus
