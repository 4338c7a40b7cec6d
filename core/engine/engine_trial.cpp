// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/engine_trial.h"

#include "core/base/clock.h"
#include "core/config/byte_size.h"
#include "core/engine/allocator.h"
#include "core/engine/memory_counter.h"
#include "core/model/weights_file.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <utility>

namespace accumulus {

/// Holds the first micro-step of each lane back until all lanes have one, between the forward pass and the backward
/// pass: their activations are there at once.
class EngineTrial::Rendezvous {
public:
    /// For the next window; so many lanes will get a micro-step of it. 0: nobody is held back.
    void open(std::int64_t lanes) {
        m_lanes = lanes;
        m_arrived = 0;
        m_refusals = MemoryCounter::refusals();
    }

    void arrive(FaultPoint point, std::int64_t microStep) {
        std::unique_lock lock(m_mutex);
        if (point != FaultPoint::Backward || microStep >= m_lanes)
            return;
        if (++m_arrived == m_lanes)
            m_complete.notify_all();
        const Stopwatch watch;
        while (m_arrived < m_lanes && MemoryCounter::refusals() == m_refusals && watch.seconds() < longestWait)
            m_complete.wait_for(lock, untilNextLook);
    }

private:
    // A lane that failed never comes: mostly, because its forward pass was refused memory.
    static constexpr double longestWait = 30.0; ///< seconds
    static constexpr std::chrono::milliseconds untilNextLook{5};

    std::mutex m_mutex;
    std::condition_variable m_complete;
    std::int64_t m_lanes = 0;
    std::int64_t m_arrived = 0;
    std::int64_t m_refusals = 0; ///< when it was opened
};

EngineTrial::EngineTrial()
    : m_rendezvous(std::make_unique<Rendezvous>()), m_stream(at::kCPU, false), m_device(at::kCPU) {}

Result<std::unique_ptr<EngineTrial>> EngineTrial::create(EngineSetup setup, const Settings& settings) {
    tuneAllocator();
    MemoryCounter::install();
    if (settings.micro > 0) {
        setup.config.batch.micro = settings.micro;
        setup.config.batch.effective = std::max(setup.config.batch.effective, settings.micro);
        setup.config.batch.steps = 0;
        setup.config.batch.ragged = RaggedPolicy::Weight;
    }
    setup.lanes = settings.lanes;
    setup.config.device.onOom = OnOutOfMemory::Stop;
    setup.config.device.capture = CapturePolicy::Off; // a graph keeps what its micro-step takes at most
    ACCUMULUS_TRY_ASSIGN(const auto batch, resolveBatch(setup.config.batch));
    ACCUMULUS_TRY_ASSIGN(const auto choice, chooseDevice(setup.config.device.kind));
    const at::Device device(choice.device);
    std::unique_ptr<EngineTrial> trial(new EngineTrial);
    trial->m_memoryLimit = device.is_cpu() ? settings.memoryLimit : 0;
    trial->m_device = device;
    trial->m_goOn = settings.goOn;
    trial->m_stream = gpu::WorkStream(device, setup.config.numerics.deterministic);
    trial->m_samples = setup.data->trainCount();
    trial->m_micro = batch.micro;
    trial->m_steps = batch.largestSteps();
    if (!setup.fault)
        setup.fault = [rendezvous = trial->m_rendezvous.get()](FaultPoint point, std::int64_t, std::int64_t microStep) {
            rendezvous->arrive(point, microStep);
        };
    ACCUMULUS_TRY_ASSIGN(const auto limit, parseBytes(setup.config.device.memoryLimit));
    try {
        const MemoryLimit limited(trial->m_memoryLimit);
        if (device.is_cuda())
            gpu::limitMemory(device, limit); // of a run before it is none of this
        const gpu::WorkStream::Scope scope(trial->m_stream);
        ACCUMULUS_TRY_ASSIGN(auto model, modelOf(setup, device));
        trial->m_engine = std::make_unique<Engine>(setup, batch, std::move(model), device);
        return trial;
    } catch (...) {
        return failure(errorOf(std::current_exception()));
    }
}

EngineTrial::~EngineTrial() = default;

Status EngineTrial::loadWeights(const std::filesystem::path& safetensors) {
    try {
        const gpu::WorkStream::Scope scope(m_stream);
        ModelState& state = m_engine->state();
        at::Tensor parameters = state.parameters.clone();
        at::Tensor statistics = state.statistics.flat().clone();
        ACCUMULUS_TRY(
            accumulus::loadWeights(safetensors, state.model->layout(), parameters, state.model->buffers(), statistics));
        state.parameters.copy_(parameters); // in place: the lanes' leaves are views of it
        state.statistics.flat().copy_(statistics);
        return {};
    } catch (...) {
        return failure(errorOf(std::current_exception()));
    }
}

WindowPlan EngineTrial::planOf(std::span<const std::int64_t> ids, std::int64_t epoch) const {
    WindowPlan plan;
    plan.epoch = epoch;
    plan.ids.assign(ids.begin(), ids.end());
    plan.epochs.assign(ids.size(), epoch);
    plan.microSizes = microSizes(std::ssize(plan.ids), m_micro);
    plan.nominal = std::ssize(plan.ids);
    plan.nominalSteps = std::ssize(plan.microSizes);
    return plan;
}

/// As many samples as there are, up to `steps` micro-batches.
WindowPlan EngineTrial::firstSamples(std::int64_t steps) const {
    std::vector<std::int64_t> ids(static_cast<std::size_t>(std::min(m_samples, steps * m_micro)));
    std::iota(ids.begin(), ids.end(), 0);
    return planOf(ids, 0);
}

std::int64_t EngineTrial::usualSteps() const { return std::min<std::int64_t>(m_steps, 2 * m_engine->lanes().count()); }

Result<WindowGradient> EngineTrial::compute(std::span<const std::int64_t> ids, std::int64_t epoch) {
    ACCUMULUS_TRY_ASSIGN(const auto closed, compute(Window{.ids = ids, .epoch = epoch}));
    return *closed;
}

Result<std::optional<WindowGradient>> EngineTrial::compute(const Window& window) {
    try {
        const MemoryLimit limited(m_memoryLimit);
        const gpu::WorkStream::Scope scope(m_stream);
        m_rendezvous->open(0);
        if (!std::exchange(m_leftOpen, window.leftOpen))
            m_engine->state().window.clear();
        m_engine->state().statistics.clear();
        WindowPlan plan = planOf(window.ids, window.epoch);
        plan.makesUpdate = false; // an executor whose close() updates is not to
        if (window.nominal > 0) {
            plan.nominal = window.nominal;
            plan.nominalSteps = window.nominalSteps;
        }
        if (!m_engine->compute(plan, 1, 0, 0.0, {.gate = m_goOn}).accumulated.complete)
            return failure("audit.cancelled");
        m_engine->state().statistics.clear();
        if (window.leftOpen)
            return std::nullopt;
        return m_engine->state().window.close();
    } catch (...) {
        return failure(errorOf(std::current_exception()));
    }
}

Status EngineTrial::update(std::span<const std::int64_t> ids, std::int64_t epoch, double lr) {
    try {
        const MemoryLimit limited(m_memoryLimit);
        const gpu::WorkStream::Scope scope(m_stream);
        m_rendezvous->open(0);
        const WindowPlan plan = planOf(ids, epoch);
        const WindowOutcome outcome = m_engine->compute(plan, 1, 0, lr, {.gate = m_goOn});
        if (!outcome.accumulated.complete)
            return failure("audit.cancelled");
        if (outcome.gradient && outcome.gradient->units > 0 && outcome.gradient->finite)
            m_engine->update(lr);
        m_engine->endWindow(plan, outcome);
        return {};
    } catch (...) {
        return failure(errorOf(std::current_exception()));
    }
}

Result<double> EngineTrial::secondsPerSample(double enough) {
    try {
        const MemoryLimit limited(m_memoryLimit);
        const gpu::WorkStream::Scope scope(m_stream);
        m_rendezvous->open(0);
        WindowPlan plan = firstSamples(usualSteps());
        plan.makesUpdate = false;
        double seconds = 0.0;
        double samples = 0.0;
        while (seconds < enough) {
            const Stopwatch watch;
            (void)m_engine->compute(plan, 1, 0, 0.0, {});
            seconds += watch.seconds();
            samples += static_cast<double>(plan.ids.size());
            m_engine->state().window.clear();
            m_engine->state().statistics.clear();
        }
        return seconds / samples;
    } catch (...) {
        return failure(errorOf(std::current_exception()));
    }
}

Result<std::int64_t> EngineTrial::peakBytes(bool tooEarly) {
    try {
        const MemoryLimit limited(m_memoryLimit);
        const gpu::WorkStream::Scope scope(m_stream);
        if (m_device.is_cuda())
            gpu::resetPeak(m_device);
        else
            MemoryCounter::resetPeak();
        const std::int64_t lanes = m_engine->lanes().count();
        for (int window = 1; window <= (tooEarly ? 1 : 2); ++window) {
            const WindowPlan plan = firstSamples(tooEarly ? 1 : usualSteps());
            m_rendezvous->open(std::min<std::int64_t>(lanes, std::ssize(plan.microSizes))); // the data may be few
            const WindowOutcome outcome = m_engine->compute(plan, window, 0, 0.0, {});
            if (!tooEarly && outcome.gradient && outcome.gradient->units > 0)
                m_engine->update(0.0);
            m_engine->endWindow(plan, outcome);
        }
        return m_engine->peakBytes();
    } catch (...) {
        return failure(errorOf(std::current_exception()));
    }
}

} // namespace accumulus
