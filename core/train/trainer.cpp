// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/trainer.h"

#include "core/config/byte_size.h"
#include "core/config/lr_schedule.h"
#include "core/config/metric_rows.h"
#include "core/engine/allocator.h"
#include "core/engine/memory_counter.h"
#include "core/model/batch_norm.h"
#include "core/train/trainer_impl.h"

#include <ATen/ATen.h>
#include <algorithm>

namespace accumulus {
namespace {

std::int64_t epochsOf(const Extent& length) { return length.unit == Extent::Unit::Epochs ? length.count : 0; }

/// A BatchNorm layer that sees one pixel of a single sample has no variance to divide by.
Status checkBatchNorm(const Model& model, const RunConfig& config, const BatchPlan& batch, std::int64_t samples) {
    if (config.numerics.batchNorm == BatchNormMode::Pooled && !model.countsNormalised())
        return failure("model.file-pooled", {{"file", config.model.path}});
    if (leastSamples(model, config.numerics.batchNorm) < 2)
        return {};
    const std::int64_t updates = totalUpdates(batch, samples, config.batch.tail, config.train.length);
    const bool wholeEpochs = config.train.length.unit == Extent::Unit::Epochs;
    for (const std::int64_t size : microSizesOfRun(batch, config.batch.tail, samples, updates, wholeEpochs)) {
        const std::int64_t group = config.numerics.ghost > 0 ? std::min(config.numerics.ghost, size) : size;
        if (group == 1 || size % group == 1)
            return failure(
                "model.batch-norm-one",
                {{"model", config.model.name},
                 {"group", std::to_string(config.numerics.ghost > 0 ? config.numerics.ghost : batch.micro)}});
    }
    return {};
}

/// The batch, where the data suffice for it.
Result<BatchPlan> checkedBatch(const TrainerSetup& setup) {
    ACCUMULUS_TRY_ASSIGN(auto batch, resolveBatch(setup.config.batch));
    const std::int64_t samples = usedSamples(setup.config.data, batch, setup.data->trainCount());
    const std::int64_t multiple = setup.config.data.dropMultiple > 0 ? setup.config.data.dropMultiple : batch.micro;
    if (samples == 0 && setup.data->trainCount() > 0)
        return failure("config.batch.drops-all",
                       {{"samples", std::to_string(setup.data->trainCount())}, {"multiple", std::to_string(multiple)}});
    if (batch.largestEffective() > samples)
        return failure("config.batch.exceeds-data",
                       {{"effective", std::to_string(batch.largestEffective())}, {"samples", std::to_string(samples)}});
    return batch;
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

Status checkModel(const Model& model, const TrainerSetup& setup, const BatchPlan& batch) {
    const std::int64_t samples = usedSamples(setup.config.data, batch, setup.data->trainCount());
    ACCUMULUS_TRY(checkBatchNorm(model, setup.config, batch, samples));
    return checkProbe(model, setup.config.probe.parameter);
}

} // namespace

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

Trainer::Impl::Impl(TrainerSetup setup, std::shared_ptr<const Model> model, const BatchPlan& batch, DeviceChoice choice,
                    gpu::WorkStream stream)
    : m_setup(std::move(setup)), m_choice(std::move(choice)), m_stream(stream),
      m_planner(batch, m_setup.config.batch.tail, m_setup.data->trainCount(), m_setup.config.data.shuffle, m_setup.seed,
                epochsOf(m_setup.config.train.length), m_setup.bug,
                usedSamples(m_setup.config.data, batch, m_setup.data->trainCount())),
      m_engine(m_setup, batch, std::move(model), at::Device(m_choice.device)) {
    const RunConfig& config = m_setup.config;
    const std::int64_t samples = usedSamples(config.data, batch, m_setup.data->trainCount());
    const auto updatesIn = [&](const Extent& extent) {
        return extentInUpdates(extent, batch, samples, config.batch.tail);
    };
    m_counts = {accumulus::totalUpdates(batch, samples, config.batch.tail, config.train.length),
                updatesIn(config.schedule.warmup), updatesIn(config.schedule.stepEvery)};
    if (m_setup.bug == PlantedBug::ScheduleCountsMicroSteps)
        m_counts.total *= batch.steps;
    const Dataset& data = *m_setup.data;
    const TensorColumn inputs = data.isText() ? data.trainText.samples() : data.trainTensors.inputs;
    ResidentData* resident = m_engine.residentData();
    if (ReadAhead::helps(inputs, data.trainCount()) && !(resident && resident->part(DataPart::Train)))
        m_windowsAhead =
            std::make_unique<WindowsAhead>(inputs, ranks() ? ranks()->rank() : 0, ranks() ? ranks()->size() : 1);
    const auto& specs = m_engine.state().model->layout().specs();
    for (std::size_t i = 0; i < specs.size(); ++i)
        if (specs[i].name == config.probe.parameter)
            m_probedParameter = i;
}

double Trainer::Impl::learningRate(std::int64_t update) const {
    return scheduledLr(m_setup.config.optimizer, m_setup.config.schedule, update, m_counts.warmup, m_counts.total,
                       m_counts.decayEvery);
}

std::string Trainer::Impl::hashWeights() const {
    const ModelState& state = m_engine.state();
    return weightsHash(state.model->layout(), state.parameters, state.model->buffers(), state.statistics.flat());
}

TrainingState Trainer::Impl::state() {
    ModelState& state = m_engine.state();
    return {state.model->layout(), state.parameters, state.model->buffers(), state.statistics,
            state.optimizer,       state.window,     m_engine.scaler()};
}

bool Trainer::Impl::lengthReached() const {
    const Extent& length = m_setup.config.train.length;
    switch (length.unit) {
    case Extent::Unit::Updates:
        return m_progress.updates >= length.count;
    case Extent::Unit::Samples:
        return m_progress.samples >= length.count &&
               m_engine.state().window.empty(); // leaked samples make an update first
    case Extent::Unit::Epochs:
        return false; // the planner ends
    }
    return false;
}

/// Where the data are larger than memory, this window and those after it are read ahead.
std::optional<WindowPlan> Trainer::Impl::nextPlan() {
    auto plan = m_planner.next(m_progress.updates);
    if (plan && m_windowsAhead)
        m_windowsAhead->begin(*plan, m_progress.openMicroSteps, m_planner, m_progress.updates);
    return plan;
}

std::int64_t Trainer::Impl::peakBytes() const { return std::max(m_peakBefore, m_engine.peakBytes()); }

RunSummary Trainer::Impl::summary() const {
    RunSummary result;
    result.updates = m_progress.updates;
    result.microSteps = m_progress.microSteps;
    result.samples = m_progress.samples;
    result.finalTrainLoss = m_lastLoss;
    for (const auto& last : {m_lastTest, m_lastValidation})
        if (last)
            takeEvaluation(result, *last);
    result.bestTestAccuracy = m_progress.bestTestAccuracy;
    if (hasMetric(m_setup.config, CompareMetric::BestValidationAccuracy))
        result.bestValidationAccuracy = m_progress.bestMetric;
    result.activeSeconds = m_progress.activeSeconds;
    if (result.activeSeconds > 0.0)
        result.samplesPerSecond = static_cast<double>(result.samples) / result.activeSeconds;
    result.weightsHash = hashWeights();
    result.peakBytes = peakBytes();
    result.evaluationPeakBytes = m_evaluationPeak;
    if (m_lastCheckpoint)
        result.checkpoint = m_lastCheckpoint->weightsPath;
    return result;
}

// The public face.

Trainer::Trainer(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Trainer::~Trainer() = default;

Status Trainer::check(const TrainerSetup& setup) {
    ACCUMULUS_TRY_ASSIGN(const auto batch, checkedBatch(setup));
    try {
        ACCUMULUS_TRY_ASSIGN(const auto model, modelOf(setup, at::kCPU));
        return checkModel(*model, setup, batch);
    } catch (...) {
        return failure(errorOf(std::current_exception()));
    }
}

Result<std::unique_ptr<Trainer>> Trainer::create(TrainerSetup setup) {
    tuneAllocator();
    MemoryCounter::install();
    MemoryCounter::resetPeak();
    ACCUMULUS_TRY_ASSIGN(const auto batch, checkedBatch(setup));
    ACCUMULUS_TRY_ASSIGN(const auto limit, parseBytes(setup.config.device.memoryLimit));
    ACCUMULUS_TRY_ASSIGN(const auto choice,
                         chooseDevice(setup.config.device.kind, setup.ranks ? setup.ranks->localRank() : 0));
    try {
        const at::Device device(choice.device);
        MemoryCounter::setLimit(device.is_cpu() ? limit : 0);
        if (device.is_cuda()) {
            gpu::limitMemory(device, limit);
            gpu::resetPeak(device);
        }
        const gpu::WorkStream stream(device, setup.config.numerics.deterministic);
        const gpu::WorkStream::Scope scope(stream);
        ACCUMULUS_TRY_ASSIGN(auto model, modelOf(setup, device));
        ACCUMULUS_TRY(checkModel(*model, setup, batch));
        return std::unique_ptr<Trainer>(
            new Trainer(std::make_unique<Impl>(std::move(setup), std::move(model), batch, choice, stream)));
    } catch (...) {
        return failure(errorOf(std::current_exception()));
    }
}

Status Trainer::restore(const std::filesystem::path& bundle) {
    Impl& self = *m_impl;
    const auto scope = self.scope();
    const auto load = [&]() -> Result<TrainingProgress> {
        try {
            return loadBundle(bundle, self.state(), self.ranks());
        } catch (...) {
            return failure(errorOf(std::current_exception(), self.ranks()));
        }
    };
    auto loaded = load();
    self.m_engine.resetPeak(); // the bundle beside the weights is no part of training
    ACCUMULUS_TRY_ASSIGN(const auto progress, std::move(loaded));
    const std::int64_t used = usedSamples(self.m_setup.config.data, batch(), self.m_setup.data->trainCount());
    self.m_planner.seek(progress.position);
    if (progress.position.sample >= used)
        return failure("checkpoint.mismatch", {{"file", bundle.string()}, {"reason", "reason.larger-training-set"}});
    if (progress.openMicroSteps > 0) {
        const auto open = self.m_planner.next(progress.updates);
        self.m_planner.seek(progress.position);
        if (!open || progress.openMicroSteps > std::ssize(open->microSizes))
            return failure("checkpoint.mismatch", {{"file", bundle.string()}, {"reason", "reason.open-window"}});
    }
    self.m_progress = progress;
    return {};
}

std::int64_t Trainer::windowsDone() const { return m_impl->m_progress.windows; }
std::int64_t Trainer::updatesDone() const { return m_impl->m_progress.updates; }
const BatchPlan& Trainer::batch() const { return m_impl->m_planner.batch(); }
std::int64_t Trainer::totalUpdates() const { return m_impl->m_counts.total; }
std::int64_t Trainer::parameterCount() const { return m_impl->m_engine.state().model->layout().parameterCount(); }
std::vector<Message> Trainer::modelNotes() const {
    const Model& model = *m_impl->m_engine.state().model;
    std::vector<Message> notes;
    if (model.drawsFromStream())
        notes.push_back({"run.model-draws", {}});
    if (model.couplesSamples())
        notes.push_back({"run.model-couples", {}});
    for (const Message& fact : model.facts())
        if (fact.code == "fact.file-unreached")
            notes.push_back({"run.model-unreached", fact.arguments});
    return notes;
}
std::int64_t Trainer::frozenCount() const { return m_impl->m_engine.state().model->layout().frozenCount(); }
const std::vector<Message>& Trainer::startNotes() const { return m_impl->m_engine.startNotes(); }
std::string Trainer::modelTraits() const {
    if (m_impl->m_setup.config.model.name != "file")
        return {};
    const Model& model = *m_impl->m_engine.state().model;
    std::string traits;
    const auto add = [&](bool holds, const char* trait) {
        if (holds)
            traits.append(traits.empty() ? "" : " ").append(trait);
    };
    add(model.hasBatchNorm(), "batch-norm");
    add(model.drawsFromStream(), "draws");
    add(model.couplesSamples(), "couples");
    return traits;
}
const DeviceChoice& Trainer::device() const { return m_impl->m_choice; }
bool Trainer::ranksLeft() const { return m_impl->ranksLeft(); }

TrainingEnd Trainer::train(TrainingObserver& observer) {
    const auto scope = m_impl->scope();
    return m_impl->train(observer);
}

EvaluationRecord Trainer::evaluateNow(const std::string& split, const EvaluationWatch& watch) {
    const auto scope = m_impl->scope();
    return m_impl->evaluateSplit(split, watch);
}

std::string Trainer::hashWeights() const {
    const auto scope = m_impl->scope();
    return m_impl->hashWeights();
}

Result<std::map<std::string, std::string>> Trainer::loadWeights(const std::filesystem::path& file) {
    const auto scope = m_impl->scope();
    return accumulus::loadWeights(file, m_impl->m_engine.state().model->layout(), m_impl->m_engine.state().parameters,
                                  m_impl->m_engine.state().model->buffers(),
                                  m_impl->m_engine.state().statistics.flat());
}

std::vector<double> Trainer::weights() const {
    const auto scope = m_impl->scope();
    const ModelState& state = m_impl->m_engine.state();
    std::vector<double> values;
    for (const at::Tensor& parameter : state.model->layout().views(state.parameters.cpu())) {
        const at::Tensor view = parameter.to(at::kDouble).flatten().contiguous();
        values.insert(values.end(), view.const_data_ptr<double>(), view.const_data_ptr<double>() + view.numel());
    }
    return values;
}

} // namespace accumulus
