// SPDX-License-Identifier: GPL-3.0-or-later
// What an engine is made of: state on the device, the sums, the lanes and their executor.
#include "core/engine/engine.h"

#include "core/config/byte_size.h"
#include "core/engine/allocator.h"
#include "core/engine/graph_executor.h"
#include "core/engine/lane_executor.h"
#include "core/engine/lean_executor.h"
#include "core/engine/standing_memory.h"
#include "core/model/batch_norm.h"
#include "core/model/initial_state.h"
#include "core/window/device_rank_sums.h"
#include "core/window/host_sums.h"
#include "core/window/precision.h"
#include "core/window/rank_sums.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <system_error>
#include <utility>

namespace accumulus {
namespace {

bool isDeferred(const EngineSetup& setup, at::Device device) { return setup.deferred || device.is_cuda(); }

MicroStepSettings microStepSettings(const EngineSetup& setup, bool deferred) {
    const RunConfig& config = setup.config;
    MicroStepSettings settings;
    settings.precision = config.numerics.precision;
    settings.loss = lossSettings(config.loss);
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

Communicator* ranksOf(const EngineSetup& setup) {
    return setup.ranks && setup.ranks->size() > 1 ? setup.ranks : nullptr;
}

bool scattersEachMicroStep(const EngineSetup& setup) {
    return setup.config.parallel.mode == ParallelMode::Zero2 ||
           setup.config.parallel.order == ReductionOrder::MicroSteps || setup.bug == PlantedBug::ReducesEachMicroStep;
}

/// Why micro-steps cannot be recorded, as a code of the catalogue; empty when they can.
std::string obstacleOf(const EngineSetup& setup, const Model& model, const BatchSource& source) {
    const RunConfig& config = setup.config;
    if (ranksOf(setup) && scattersEachMicroStep(setup))
        return "reason.capture-ranks";
    if (config.numerics.nonfinite == NonfinitePolicy::SkipMicro)
        return "reason.capture-skip-micro";
    if (config.numerics.batchNorm == BatchNormMode::Pooled && model.hasBatchNorm())
        return "reason.capture-pooled";
    if (model.drawsFromStream())
        return "reason.capture-stream";
    if (!source.isResident())
        return "reason.capture-data";
    if (config.loss.kind == LossKind::Model)
        return "reason.capture-loss";
    if (setup.bug != PlantedBug::None || setup.fault || setup.model)
        return "reason.capture-told";
    return {};
}

/// Bytes that recorded micro-steps of several sizes may hold together; 0: no bound.
std::int64_t graphMemory(const EngineSetup& setup, at::Device device) {
    if (setup.graphMemory > 0 || device.is_cpu())
        return setup.graphMemory;
    constexpr std::int64_t share = 2; // the half: there is more than graphs
    const std::int64_t total = gpu::memoryOf(device).total;
    const auto limit = parseBytes(setup.config.device.memoryLimit);
    return (limit && *limit > 0 ? std::min(*limit, total) : total) / share;
}

std::vector<FlatRange> optimizerShards(const EngineSetup& setup, const ParameterLayout& layout) {
    const Communicator* ranks = ranksOf(setup);
    return ranks && setup.config.parallel.mode != ParallelMode::Ddp ? shardsOf(layout, ranks->size())
                                                                    : std::vector<FlatRange>();
}

/// Throws ErrorThrown where not even what stays fits into memory: better than to be ended by the system.
void requireRoom(const EngineSetup& setup, const BatchPlan& batch, const ParameterLayout& layout, int lanes) {
    const std::int64_t busy = std::min<std::int64_t>(lanes, batch.largestSteps());
    Status status = checkStandingMemory(setup, layout, busy, roomOnCpu(setup.config));
    if (!status) {
        returnFreedMemory(); // of a run or trial before
        status = checkStandingMemory(setup, layout, busy, roomOnCpu(setup.config));
    }
    if (!status)
        throw ErrorThrown(std::move(status.error()));
}

/// Throws ErrorThrown.
InitialState startOf(const EngineSetup& setup, const Model& model, at::ScalarType type) {
    if (setup.weightsFollow)
        return drawnState(model, setup.config.model, setup.seed, type);
    auto state = initialState(model, setup.config.model, setup.seed, type);
    if (!state)
        throw ErrorThrown(std::move(state.error()));
    return std::move(*state);
}

/// `exchange`: of ranks on devices, else null. `own`: what of the sums micro-steps can be recorded into, if any.
std::unique_ptr<WindowSums> makeSums(const EngineSetup& setup, const BatchPlan& batch, const ParameterLayout& layout,
                                     at::Device device, TensorExchange* exchange, LanePool& lanes, DeviceSums*& own) {
    const at::ScalarType type = parameterType(setup.config.numerics.precision);
    const at::ScalarType accumulator = accumulatorType(setup.config.numerics);
    Communicator* ranks = ranksOf(setup);
    const bool whole = setup.config.parallel.mode == ParallelMode::Ddp;
    if (ranks && exchange && scattersEachMicroStep(setup))
        return std::make_unique<ScatteredDeviceSums>(layout, type, accumulator, device, *ranks, *exchange, whole);
    if (ranks && exchange) {
        auto reduced = std::make_unique<ReducedDeviceSums>(layout, type, accumulator, device, batch.largestSteps(),
                                                           *ranks, *exchange, whole);
        own = &reduced->own();
        return reduced;
    }
    if (ranks && scattersEachMicroStep(setup))
        return std::make_unique<ScatteredSums>(layout, type, accumulator, *ranks, whole, &lanes);
    if (ranks)
        return std::make_unique<ReducedSums>(layout, type, accumulator, *ranks, whole, &lanes);
    if (!isDeferred(setup, device))
        return std::make_unique<HostSums>(layout, type, accumulator, &lanes);
    auto onDevice = std::make_unique<DeviceSums>(layout, type, accumulator, device, batch.largestSteps());
    own = onDevice.get();
    return onDevice;
}

ModelState makeState(const EngineSetup& setup, const BatchPlan& batch, std::shared_ptr<const Model> model,
                     at::Device device, TensorExchange* exchange, LanePool& lanes, DeviceSums*& deviceSums,
                     std::vector<Message>& notes) {
    const RunConfig& config = setup.config;
    const ParameterLayout& layout = model->layout();
    const at::ScalarType type = parameterType(config.numerics.precision);
    if (!isDeferred(setup, device))
        requireRoom(setup, batch, layout, lanes.count());
    InitialState start = startOf(setup, *model, type); // first: it takes memory beside the weights
    notes = std::move(start.notes);
    at::Tensor parameters = start.parameters.to(device);
    std::unique_ptr<WindowSums> sums = makeSums(setup, batch, layout, device, exchange, lanes, deviceSums);
    RunningStatistics statistics(model->buffers(), config.numerics.batchNorm, type, device);
    statistics.flat().copy_(start.statistics);
    std::optional<FlatRange> shard;
    if (const Communicator* ranks = ranksOf(setup)) {
        statistics.keepForMerge();
        if (const auto shards = optimizerShards(setup, layout); !shards.empty())
            shard = shards[static_cast<std::size_t>(ranks->rank())];
    }
    const bool shares =
        device.is_cpu() && lanes.count() > 1; // with one lane, LibTorch's kernels use its threads anyway
    return {model, std::move(parameters), std::move(statistics),
            GradientWindow(layout, std::move(sums),
                           {config.loss.normalise, config.train.clipNorm,
                            config.numerics.nonfinite == NonfinitePolicy::SkipMicro, setup.bug}),
            FlatOptimizer(config.optimizer, layout, type, device, shard, shares ? &lanes : nullptr)};
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

Engine::Engine(const EngineSetup& setup, const BatchPlan& batch, std::shared_ptr<const Model> model, at::Device device)
    : m_device(device), m_fault(setup.fault), m_bug(setup.bug), m_seed(setup.seed), m_folder(setup.folder),
      m_ranks(ranksOf(setup) ? std::make_unique<RankAgreement>(*setup.ranks) : nullptr),
      m_shards(optimizerShards(setup, model->layout())),
      m_exchange(m_ranks && isDeferred(setup, device) ? makeTensorExchange(*setup.ranks, device) : nullptr),
      m_lanes(setup.config.batch.lean || isDeferred(setup, device) ? 1 : setup.lanes.lanes, setup.lanes.threads),
      m_state(makeState(setup, batch, std::move(model), device, m_exchange.get(), m_lanes, m_deviceSums, m_startNotes)),
      m_scaler(setup.config.numerics.precision, setup.config.numerics.lossScale),
      m_recovery({.resplit = setup.config.device.onOom == OnOutOfMemory::Resplit,
                  .lowersScale = m_scaler.active() && setup.config.numerics.lossScale == "dynamic",
                  .smallestPart = leastSamples(*m_state.model, setup.config.numerics.batchNorm),
                  .partMultiple = std::max<std::int64_t>(1, setup.config.numerics.ghost)}) {
    if (isDeferred(setup, device))
        m_resident = std::make_unique<ResidentData>(setup.data, m_state.parameters.scalar_type(), device);
    // Planted bugs work on gradients of the parameters' type.
    if (!isDeferred(setup, device) && setup.bug == PlantedBug::None)
        m_cast.emplace(m_state.model->layout(), setup.config.numerics.precision);
    m_executor = makeExecutor(setup, batch);
    if (m_ranks)
        m_ranks->ranks().beginWork();
}

std::unique_ptr<Executor> Engine::makeExecutor(const EngineSetup& setup, const BatchPlan& batch) {
    const RunConfig& config = setup.config;
    const bool deferred = isDeferred(setup, m_device);
    // In the lanes' own threads, so that their buffers lie in memory near them.
    std::vector<std::unique_ptr<MicroStep>> steps(static_cast<std::size_t>(m_lanes.count()));
    m_lanes.run([&](int lane) {
        BatchSource source(*setup.data, DataPart::Train, m_state.model->task(), config.data.augment == "crop-flip",
                           m_state.parameters.scalar_type(), batch.micro, m_resident.get());
        steps[static_cast<std::size_t>(lane)] = std::make_unique<MicroStep>(
            *m_state.model, m_state.parameters, m_state.statistics.flat(), std::move(source),
            microStepSettings(setup, deferred), m_cast ? m_cast->flat() : at::Tensor());
    });
    if (config.batch.lean) {
        if (deferred && config.device.capture == CapturePolicy::On)
            throw UnusableGraph("reason.capture-lean");
        return std::make_unique<LeanExecutor>(m_state, m_recovery, m_lanes, std::move(steps.front()),
                                              config.numerics.nonfinite == NonfinitePolicy::SkipMicro, setup.fault);
    }
    if (!deferred)
        return std::make_unique<LaneExecutor>(m_state, m_recovery, m_lanes, std::move(steps), setup.fault);
    GraphExecutor::Settings settings;
    settings.device = m_device;
    settings.capture = config.device.capture;
    settings.meetsRanks = m_ranks != nullptr;
    settings.obstacle = obstacleOf(setup, *m_state.model, steps.front()->source());
    settings.graph = {m_device, m_state.parameters.scalar_type(), m_scaler.active(), batch.largestEffective(),
                      graphMemory(setup, m_device)};
    return std::make_unique<GraphExecutor>(m_state, m_deviceSums, m_recovery, m_lanes, std::move(steps.front()),
                                           settings, setup.fault);
}

} // namespace accumulus
