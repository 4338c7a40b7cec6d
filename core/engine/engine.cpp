// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine.h"

#include "core/base/clock.h"
#include "core/engine/graph_executor.h"
#include "core/engine/input_shape.h"
#include "core/engine/lane_executor.h"
#include "core/engine/lean_executor.h"
#include "core/engine/memory_counter.h"
#include "core/model/initial_state.h"
#include "core/window/host_sums.h"
#include "core/window/precision.h"
#include "core/window/rank_sums.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <system_error>
#include <utility>

namespace accumulus {
namespace {

/// GPUs have fast kernels for it in 16 bits only.
bool wantsChannelsLast(const NumericsConfig& numerics, at::Device device) {
    const bool wins = device.is_cpu() || numerics.precision == Precision::Bf16 || numerics.precision == Precision::Fp16;
    return numerics.channelsLast == Layout::On || (numerics.channelsLast == Layout::Auto && wins);
}

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

/// Why micro-steps cannot be recorded, as a code of the catalogue; empty when they can.
std::string obstacleOf(const EngineSetup& setup, const Model& model, const BatchSource& source) {
    const RunConfig& config = setup.config;
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

/// BatchNorm over one element has no variance.
std::int64_t smallestPart(const Model& model, const NumericsConfig& numerics) {
    const bool needsTwo =
        model.hasBatchNorm() && numerics.batchNorm != BatchNormMode::Frozen && model.leastNormalisedArea() == 1;
    return needsTwo ? 2 : 1;
}

Communicator* ranksOf(const EngineSetup& setup) {
    return setup.ranks && setup.ranks->size() > 1 ? setup.ranks : nullptr;
}

bool scattersEachMicroStep(const EngineSetup& setup) {
    return setup.config.parallel.mode == ParallelMode::Zero2 ||
           setup.config.parallel.order == ReductionOrder::MicroSteps || setup.bug == PlantedBug::ReducesEachMicroStep;
}

std::vector<FlatRange> optimizerShards(const EngineSetup& setup, const ParameterLayout& layout) {
    const Communicator* ranks = ranksOf(setup);
    return ranks && setup.config.parallel.mode != ParallelMode::Ddp ? shardsOf(layout, ranks->size())
                                                                    : std::vector<FlatRange>();
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

ModelState makeState(const EngineSetup& setup, const BatchPlan& batch, std::shared_ptr<const Model> model,
                     at::Device device, DeviceSums*& deviceSums, std::vector<Message>& notes) {
    const RunConfig& config = setup.config;
    const ParameterLayout& layout = model->layout();
    const at::ScalarType type = parameterType(config.numerics.precision);
    const at::ScalarType accumulator = accumulatorType(config.numerics);
    std::unique_ptr<WindowSums> sums;
    if (Communicator* ranks = ranksOf(setup)) {
        const bool whole = config.parallel.mode == ParallelMode::Ddp;
        if (scattersEachMicroStep(setup))
            sums = std::make_unique<ScatteredSums>(layout, type, accumulator, *ranks, whole);
        else
            sums = std::make_unique<ReducedSums>(layout, type, accumulator, *ranks, whole);
    } else if (isDeferred(setup, device)) {
        auto onDevice = std::make_unique<DeviceSums>(layout, type, accumulator, device, batch.largestSteps());
        deviceSums = onDevice.get();
        sums = std::move(onDevice);
    } else {
        sums = std::make_unique<HostSums>(layout, type, accumulator);
    }
    InitialState start = startOf(setup, *model, type);
    notes = std::move(start.notes);
    at::Tensor parameters = start.parameters.to(device);
    RunningStatistics statistics(model->buffers(), config.numerics.batchNorm, type, device);
    statistics.flat().copy_(start.statistics);
    std::optional<FlatRange> shard;
    if (const Communicator* ranks = ranksOf(setup)) {
        statistics.keepForMerge();
        if (const auto shards = optimizerShards(setup, layout); !shards.empty())
            shard = shards[static_cast<std::size_t>(ranks->rank())];
    }
    return {model, std::move(parameters), std::move(statistics),
            GradientWindow(layout, std::move(sums),
                           {config.loss.normalise, config.train.clipNorm,
                            config.numerics.nonfinite == NonfinitePolicy::SkipMicro, setup.bug}),
            FlatOptimizer(config.optimizer, layout, type, device, shard)};
}

} // namespace

namespace {

/// What a network from a file returns for the first samples is what the loss needs.
Status checkFirstOutputs(const EngineSetup& setup, const Model& model) {
    constexpr std::int64_t few = 2;
    const at::NoGradGuard noGrad;
    const at::ScalarType type = parameterType(setup.config.numerics.precision);
    BatchSource source(*setup.data, DataPart::Train, model.task(), /*augment=*/false, type, few);
    std::vector<std::int64_t> ids(static_cast<std::size_t>(std::min(few, source.count())));
    std::iota(ids.begin(), ids.end(), 0);
    const std::vector<std::int64_t> epochs(ids.size(), 0);
    const SampleKeys keys{setup.seed, ids, epochs};
    const Batch batch = source.fill(keys);
    const at::Tensor parameters = model.ownWeights().to(type);
    const at::Tensor statistics = model.ownBuffers().to(type);
    const auto buffers = model.buffers().views(statistics);
    ForwardContext context;
    context.keys = keys;
    context.buffers = buffers;
    context.targets = batch.targets;
    try {
        const at::Tensor output = model.forward(model.layout().views(parameters), batch.input, context);
        return checkOutputs(output, batch, lossSettings(setup.config.loss), setup.data->classes, context.units);
    } catch (...) {
        return failure(errorOf(std::current_exception()));
    }
}

} // namespace

Result<std::shared_ptr<const Model>> modelOf(const EngineSetup& setup, at::Device device) {
    if (setup.data->kind() == SampleKind::Tensors)
        ACCUMULUS_TRY(checkTargets(setup.config.loss, setup.data->targetValues));
    if (setup.model)
        return setup.model;
    const bool isFile = setup.config.model.name == "file"; // of which only its outputs tell
    if (setup.data->classes > 0 && !isFile)
        ACCUMULUS_TRY(checkClassWeights(setup.config.loss, setup.data->classes));
    ACCUMULUS_TRY_ASSIGN(auto model, makeModel(setup.config.model, inputShape(*setup.data, setup.config.loss.kind),
                                               {.channelsLast = wantsChannelsLast(setup.config.numerics, device),
                                                .winograd = setup.config.numerics.winograd,
                                                .onlyWide = setup.config.numerics.channelsLast == Layout::Auto}));
    if (isFile)
        ACCUMULUS_TRY(checkFirstOutputs(setup, *model));
    return model;
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

Engine::Engine(const EngineSetup& setup, const BatchPlan& batch, std::shared_ptr<const Model> model, at::Device device)
    : m_device(device), m_fault(setup.fault), m_bug(setup.bug), m_seed(setup.seed),
      m_ranks(ranksOf(setup) ? std::make_unique<RankAgreement>(*setup.ranks) : nullptr),
      m_shards(optimizerShards(setup, model->layout())),
      m_state(makeState(setup, batch, std::move(model), device, m_deviceSums, m_startNotes)),
      m_scaler(setup.config.numerics.precision, setup.config.numerics.lossScale),
      m_recovery({.resplit = setup.config.device.onOom == OnOutOfMemory::Resplit,
                  .lowersScale = m_scaler.active() && setup.config.numerics.lossScale == "dynamic",
                  .smallestPart = smallestPart(*m_state.model, setup.config.numerics),
                  .partMultiple = std::max<std::int64_t>(1, setup.config.numerics.ghost)}),
      m_lanes(setup.config.batch.lean || m_deviceSums ? 1 : setup.lanes.lanes, setup.lanes.threads) {
    if (m_deviceSums)
        m_resident = std::make_unique<ResidentData>(setup.data, m_state.parameters.scalar_type(), device);
    m_executor = makeExecutor(setup, batch, m_deviceSums);
    if (m_ranks)
        m_ranks->ranks().beginWork();
}

std::unique_ptr<Executor> Engine::makeExecutor(const EngineSetup& setup, const BatchPlan& batch, DeviceSums* sums) {
    const RunConfig& config = setup.config;
    // In the lanes' own threads, so that their buffers lie in memory near them.
    std::vector<std::unique_ptr<MicroStep>> steps(static_cast<std::size_t>(m_lanes.count()));
    m_lanes.run([&](int lane) {
        BatchSource source(*setup.data, DataPart::Train, m_state.model->task(), config.data.augment == "crop-flip",
                           m_state.parameters.scalar_type(), batch.micro, m_resident.get());
        steps[static_cast<std::size_t>(lane)] =
            std::make_unique<MicroStep>(*m_state.model, m_state.parameters, m_state.statistics.flat(),
                                        std::move(source), microStepSettings(setup, sums != nullptr));
    });
    if (config.batch.lean) {
        if (sums && config.device.capture == CapturePolicy::On)
            throw UnusableGraph("reason.capture-lean");
        return std::make_unique<LeanExecutor>(m_state, m_recovery, m_lanes, std::move(steps.front()),
                                              config.numerics.nonfinite == NonfinitePolicy::SkipMicro, setup.fault);
    }
    if (!sums)
        return std::make_unique<LaneExecutor>(m_state, m_recovery, m_lanes, std::move(steps), setup.fault);
    GraphExecutor::Settings settings;
    settings.device = m_device;
    settings.capture = config.device.capture;
    settings.obstacle = obstacleOf(setup, *m_state.model, steps.front()->source());
    settings.graph = {m_device, m_state.parameters.scalar_type(), m_scaler.active(), batch.largestEffective()};
    return std::make_unique<GraphExecutor>(m_state, *sums, m_recovery, m_lanes, std::move(steps.front()), settings,
                                           setup.fault);
}

Engine::Snapshot Engine::snapshot() {
    Snapshot now{m_state.window.save(), m_state.statistics.pending()};
    if (now.window.accumulator.defined())
        now.window.accumulator = now.window.accumulator.clone();
    for (auto& [name, tensor] : now.statistics)
        tensor = tensor.clone();
    return now;
}

void Engine::restore(const Snapshot& before) {
    m_state.window.restore(before.window);
    m_state.statistics.restorePending(before.statistics);
}

WindowOutcome Engine::compute(const WindowPlan& plan, std::int64_t window, std::int64_t done, double lr,
                              const WindowHooks& hooks) {
    m_state.window.setNominal(plan.nominal, plan.nominalSteps);
    if (m_state.window.isMerged())
        m_state.window.goOn(m_ranks->ranks().rank() == 0);
    m_before = snapshot();
    const Snapshot& before = m_before;
    const auto again = [&] {
        if (m_bug != PlantedBug::RetryCommitsTwice)
            restore(before);
        if (hooks.restarted)
            hooks.restarted();
    };
    m_agreed = {};
    m_recovery.beginWindow();
    Recovery::Attempt attempt{.scale = m_scaler.scale()};
    WindowRequest request{.window = window, .seed = m_seed, .done = done};
    const auto overflowed = [&] { return m_recovery.report().overflowed || m_agreed.recovery.overflowed; };
    /// The others have to know, unless they agreed on it.
    const auto tellBroken = [&] {
        if (m_ranks && !std::exchange(m_brokeTogether, false))
            m_ranks->breakOff();
    };
    /// The loss scale falls, or what overflows at every scale goes on as it is.
    const auto lowerScale = [&] {
        const auto lower = m_recovery.afterOverflow(attempt);
        attempt = lower.value_or(attempt);
        return lower.has_value();
    };
    for (;;) {
        request.scale = attempt.scale;
        attempt.part = m_recovery.largestPart();
        try {
            WindowOutcome outcome;
            outcome.accumulated = accumulate(plan, request, hooks);
            if (outcome.accumulated.complete && plan.makesUpdate) {
                const Stopwatch watch;
                const double exchanged = ranks() ? ranks()->traffic().seconds() : 0.0;
                outcome.gradient = close(window, lr);
                outcome.closeSeconds = watch.seconds();
                if (ranks()) // sums that meet here are counted by the ranks
                    outcome.closeSeconds -= ranks()->traffic().seconds() - exchanged;
                // Where gradients are added in place or on a device, an overflow shows only now.
                const bool overflow =
                    !outcome.gradient->finite && m_scaler.scale() != 1.0 && std::isfinite(outcome.gradient->loss);
                if (overflow && agree(attempt.scale != 1.0 && !overflowed() && lowerScale())) {
                    again();
                    continue;
                }
            }
            // Left-over samples of a leaking tail are not closed: the next window starts from them.
            if (outcome.accumulated.complete && !plan.makesUpdate && m_scaler.scale() != 1.0 &&
                m_state.window.nonfiniteSince(0) == GradientWindow::Nonfinite::Gradient &&
                agree(attempt.scale != 1.0 && !overflowed() && lowerScale())) {
                again();
                continue;
            }
            // An overflow further on computes the window again at a lower scale, where small values round otherwise:
            // a stop before it keeps nothing, so that a resumed run does the same.
            if (!outcome.accumulated.complete && m_scaler.scale() != 1.0 && m_executor->seesOverflowsLate()) {
                again();
                outcome.accumulated.committed = done;
            }
            outcome.recovery = m_ranks ? m_agreed.recovery : m_recovery.report();
            const bool anyOverflowed = m_scaler.active() ? !agree(!overflowed()) : overflowed();
            outcome.recovery.overflowed = anyOverflowed;
            return outcome;
        } catch (const WindowBrokenElsewhere&) {
            again();
        } catch (const MicroStepNotFinite& found) {
            if (!found.overflow() || !lowerScale())
                request.leaveOut.insert(found.index());
            tellBroken();
            again();
        } catch (const WindowBroken& broken) {
            try {
                attempt =
                    m_recovery.afterFailure(attempt, broken.cause(), plan.microSizes.front(), Recovery::Scope::Window);
            } catch (...) {
                restore(before);
                throw;
            }
            tellBroken();
            again();
        } catch (...) {
            restore(before);
            throw;
        }
    }
}

Accumulated Engine::accumulate(const WindowPlan& plan, WindowRequest request, const WindowHooks& hooks) {
    if (m_ranks)
        return accumulateOnRanks(plan, request, hooks);
    request.end = std::ssize(plan.microSizes);
    Accumulated accumulated = m_executor->accumulate(
        plan, request, hooks.gate ? hooks.gate : [] { return true; }, hooks.afterCommit);
    accumulated.committed = request.done + accumulated.steps;
    return accumulated;
}

WindowGradient Engine::close(std::int64_t window, double lr) {
    try {
        if (m_fault)
            failTogether([&] { m_fault(FaultPoint::Update, window, 0); });
        return m_executor->close(lr);
    } catch (const UnusableGraph&) {
        throw; // nothing was changed
    } catch (const RanksInterfere&) {
        throw;
    } catch (...) {
        m_weightsBroken = m_executor->closeUpdates();
        // While sums of ranks meet, nothing can be computed again: the others are in the middle of it, too.
        if (m_weightsBroken || (m_ranks && !m_brokeTogether))
            throw;
        throw WindowBroken(std::current_exception());
    }
}

void Engine::update(double lr) {
    m_weightsBroken = true;
    m_executor->update(lr);
    if (!m_shards.empty()) {
        at::Tensor trained = m_state.parameters.narrow(0, 0, m_state.model->layout().gradientSize());
        collect(trained);
    }
    m_state.statistics.apply();
    m_weightsBroken = false;
}

void Engine::takeBack() { restore(m_before); }

void Engine::endWindow(const WindowPlan& plan, const WindowOutcome& outcome) {
    m_before = {}; // what leaked into the window, or a bundle held of it, is of no more use
    m_recovery.endWindow(plan.microSizes.empty() ? 0 : plan.microSizes.front());
    if (!plan.makesUpdate)
        return;
    m_scaler.windowClosed(m_state.window.smallestScale(), outcome.recovery.overflowed);
    m_state.window.clear();
    m_state.statistics.clear();
}

std::int64_t Engine::peakBytes() const { return m_device.is_cuda() ? gpu::peakBytes(m_device) : MemoryCounter::peak(); }

void Engine::resetPeak() {
    if (m_device.is_cuda())
        gpu::resetPeak(m_device);
    else
        MemoryCounter::resetPeak();
}

} // namespace accumulus
