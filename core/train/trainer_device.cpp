// SPDX-License-Identifier: GPL-3.0-or-later
// What a trainer does otherwise on a GPU: data and sums that stay there, graphs, an update that the device itself
// leaves out.
#include "core/engine/memory_counter.h"
#include "core/train/trainer_impl.h"

#include <cmath>
#include <utility>

namespace accumulus {
namespace {

/// Why micro-steps cannot be recorded; empty when they can.
std::string obstacle(const TrainerSetup& setup, const Model& model, const BatchSource& source) {
    const RunConfig& config = setup.config;
    if (config.batch.lean)
        return "lean accumulation adds the parameters' gradients one by one";
    if (config.numerics.nonfinite == NonfinitePolicy::SkipMicro)
        return "numerics.nonfinite = \"skip-micro\" looks at each micro-batch before it is added";
    if (config.numerics.batchNorm == BatchNormMode::Pooled && model.hasBatchNorm())
        return "pooled BatchNorm statistics depend on what was seen before";
    if (!source.isResident())
        return "the data set does not fit into the memory of the GPU";
    if (setup.bug != PlantedBug::None || setup.fault || setup.model)
        return "the engine was told to do otherwise";
    return {};
}

} // namespace

SumPlace Trainer::Impl::sumPlace(const BatchPlan& batch) const {
    return {m_device, m_setup.deferred, batch.largestSteps()};
}

void Trainer::Impl::prepareDevice(const BatchPlan& batch) {
    if (!m_window.deferred())
        return;
    const RunConfig& config = m_setup.config;
    const std::string problem = obstacle(m_setup, *m_model, m_engine.step(0).source());
    const bool capture = config.device.capture != CapturePolicy::Off && problem.empty();
    if (capture)
        m_engine.useGraph(
            std::make_unique<MicroStepGraph>(m_engine.step(0), m_window, m_statistics,
                                             MicroStepGraph::Settings{m_device, m_parameters.scalar_type(),
                                                                      m_scaler.active(), batch.largestEffective()}));
    else if (config.device.capture == CapturePolicy::On)
        throw UnusableGraph(problem);
    m_update = std::make_unique<DeviceUpdate>(m_window, m_optimizer, m_parameters, m_device, capture);
}

Status Trainer::Impl::checkGraph(TrainingObserver& observer) {
    const MicroStepGraph* graph = m_engine.graph();
    if (!graph || graph->problem().empty() || std::exchange(m_graphProblemNoted, true))
        return {};
    if (m_setup.config.device.capture == CapturePolicy::On)
        return failure("device.capture", {{"reason", graph->problem()}});
    observer.noted("info", "device.capture",
                   "Micro-steps are queued kernel by kernel; they could not be recorded: " + graph->problem(),
                   m_progress.updates);
    return {};
}

Trainer::Impl::Closed Trainer::Impl::closeOnDevice(WindowOptions& options, WindowReport& report) {
    injectUpdateFault(options.window);
    m_update->run(learningRate(m_progress.updates + 1));
    m_closed = m_window.fetchClosed();
    // An overflow of 16-bit gradients shows only here: the whole window is computed again at a lower scale. Losses that
    // are not finite are no overflow.
    const bool overflow = !m_closed->finite && m_scaler.scale() != 1.0 && std::isfinite(m_closed->loss);
    if (!overflow)
        return Closed::Done;
    if (!options.retryOverflow || report.overflows == LossScaler::mostRetries || options.lossScale <= 1.0) {
        report.overflowed = true;
        return Closed::Done;
    }
    options.lossScale /= 2;
    return Closed::Again;
}

std::int64_t Trainer::Impl::peakBytes() const {
    return m_device.is_cuda() ? gpu::peakBytes(m_device) : MemoryCounter::peak();
}

} // namespace accumulus
