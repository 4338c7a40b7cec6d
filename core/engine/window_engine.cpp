// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/window_engine.h"

#include "core/base/clock.h"
#include "core/cuda/device.h"
#include "core/engine/memory_counter.h"
#include "core/window/loss_scale.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <algorithm>
#include <numeric>

namespace accumulus {
namespace {

std::string textOf(const std::exception_ptr& problem) {
    try {
        std::rethrow_exception(problem);
    } catch (const c10::Error& error) {
        return error.what_without_backtrace();
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "an unknown exception";
    }
}

} // namespace

bool isOutOfMemory(const std::exception_ptr& problem) {
    try {
        std::rethrow_exception(problem);
    } catch (const std::bad_alloc&) { // OutOfMemory, too
        return true;
    } catch (const c10::OutOfMemoryError&) {
        return true;
    } catch (...) {
        return false;
    }
}

/// One call of accumulate(). What several lanes write is written in the turnstile's order, or under the mutex.
struct WindowEngine::Job {
    const WindowPlan& plan;
    GradientWindow& window;
    RunningStatistics& statistics;
    const WindowOptions& options;
    const Gate& gate;
    const AfterCommit& afterCommit;
    std::vector<std::size_t> starts{};
    std::atomic<std::uint32_t> next{0};
    std::atomic<bool> abandoned{false};
    std::atomic<bool> fitted{true};
    std::mutex mutex{};
    WindowReport report{};

    [[nodiscard]] SampleKeys keys(std::uint32_t index) const {
        const auto size = static_cast<std::size_t>(plan.microSizes[index]);
        return {options.seed, std::span(plan.ids).subspan(starts[index], size),
                std::span(plan.epochs).subspan(starts[index], size)};
    }
    [[nodiscard]] MicroStepPlace place(std::uint32_t index) const { return {options.window, index}; }
    /// Turns count from the first micro-step of this call.
    [[nodiscard]] std::uint32_t turn(std::uint32_t index) const {
        return index - static_cast<std::uint32_t>(options.done);
    }
    void noteFault(const std::exception_ptr& problem) {
        const std::lock_guard lock(mutex);
        report.faults.push_back(textOf(problem));
    }
};

WindowEngine::WindowEngine(Settings settings)
    : m_settings(std::move(settings)), m_lanes(m_settings.lanes,
                                               [threads = m_settings.threads](int) {
                                                   at::set_num_threads(threads);
                                                   at::globalContext().setFlushDenormal(true); // per thread
                                               }),
      m_steps(static_cast<std::size_t>(m_settings.lanes)) {}

void WindowEngine::prepare(const std::function<std::unique_ptr<MicroStep>()>& make) {
    m_lanes.run([&](int lane) { m_steps[static_cast<std::size_t>(lane)] = make(); });
}

WindowReport WindowEngine::accumulate(const WindowPlan& plan, GradientWindow& window, RunningStatistics& statistics,
                                      const WindowOptions& options, const Gate& gate, const AfterCommit& afterCommit) {
    Job job{plan, window, statistics, options, gate, afterCommit};
    job.starts.resize(plan.microSizes.size());
    std::exclusive_scan(plan.microSizes.begin(), plan.microSizes.end(), job.starts.begin(), std::size_t{0},
                        [](auto sum, auto size) { return sum + static_cast<std::size_t>(size); });
    job.next = static_cast<std::uint32_t>(options.done);
    job.report.committed = options.done;
    m_turnstile.reset();
    takeCallingThread();
    if (m_graph)
        m_graph->begin(plan, options, /*wanted=*/m_part == 0); // a micro-batch that did not fit is computed in parts
    m_lanes.run([&](int lane) {
        try {
            work(job, lane);
        } catch (...) {
            job.abandoned = true;
            m_turnstile.breakOff(); // nobody waits for a turn that never comes
            throw;
        }
    });
    job.report.complete = job.report.committed == static_cast<std::int64_t>(plan.microSizes.size());
    growBack(job.fitted, plan.microSizes.empty() ? 0 : plan.microSizes.front());
    return std::move(job.report);
}

/// The calling thread is lane 0 of this engine; it may have been that of another one (calibration) since.
void WindowEngine::takeCallingThread() const {
    if (at::get_num_threads() != m_settings.threads)
        at::set_num_threads(m_settings.threads);
}

void WindowEngine::run(const std::function<void(int)>& work) {
    takeCallingThread();
    m_lanes.run(work);
}

void WindowEngine::work(Job& job, int lane) {
    MicroStep& step = *m_steps[static_cast<std::size_t>(lane)];
    for (;;) {
        // Whoever has taken a micro-step commits it: a window that is broken off holds micro-steps 0 to k without a
        // hole.
        if (job.abandoned || !job.gate()) {
            job.abandoned = true;
            return;
        }
        const std::uint32_t index = job.next.fetch_add(1, std::memory_order_relaxed);
        if (index >= job.plan.microSizes.size())
            return;
        if (m_settings.lean) {
            computeLean(job, step, index);
        } else if (m_graph && m_graph->takes(index)) {
            m_graph->run(index);
            job.report.tokens += step.source().block() * job.plan.microSizes[index];
        } else {
            MicroGradient micro = computeRobustly(job, step, index);
            if (!m_turnstile.wait(job.turn(index)))
                return;
            Stopwatch watch;
            try {
                job.window.commit(micro);
                job.statistics.commit(micro.statistics);
                if (m_settings.fault)
                    m_settings.fault(FaultPoint::Commit, job.options.window, index);
            } catch (...) {
                throw WindowBroken(std::current_exception());
            }
            job.report.tokens += micro.tokens;
            job.report.times += micro.times;
            job.report.commitSeconds += watch.seconds();
        }
        job.report.committed = index + 1;
        if (job.afterCommit)
            job.afterCommit(index);
        m_turnstile.next();
    }
}

/// At falling loss scales, until nothing overflows.
MicroGradient WindowEngine::compute(Job& job, MicroStep& step, std::uint32_t index) {
    double scale = job.options.lossScale;
    for (int retry = 0;; ++retry, scale /= 2) {
        const std::int64_t part = m_part;
        MicroGradient micro = part > 0 ? step.gradientInParts(job.keys(index), job.place(index), scale, part)
                                       : step.gradient(job.keys(index), job.place(index), scale);
        const bool overflow = !micro.finite && std::isfinite(micro.lossSum) && job.options.lossScale != 1.0;
        if (!overflow)
            return micro;
        const std::lock_guard lock(job.mutex);
        if (!job.options.retryOverflow || retry == LossScaler::mostRetries || scale <= 1.0) {
            job.report.overflowed = true;
            return micro;
        }
        ++job.report.overflows;
    }
}

MicroGradient WindowEngine::computeRobustly(Job& job, MicroStep& step, std::uint32_t index) {
    std::exception_ptr problem;
    try {
        return compute(job, step, index);
    } catch (...) {
        problem = std::current_exception();
    }
    if (isOutOfMemory(problem)) {
        if (!m_settings.resplit)
            std::rethrow_exception(problem);
        return computeInLessMemory(job, step, index);
    }
    job.noteFault(problem);
    return compute(job, step, index); // nothing of it was committed; what fails twice is no accident
}

MicroGradient WindowEngine::computeInLessMemory(Job& job, MicroStep& step, std::uint32_t index) {
    job.fitted = false;
    releaseUnusedMemory();
    if (!m_turnstile.wait(job.turn(index))) // the micro-steps before this one have given their memory back
        return {};                          // broken off by another lane: nobody will look at it
    for (;;) {
        const std::int64_t before = m_part > 0 ? m_part.load() : job.plan.microSizes[index];
        const std::int64_t largest = std::min(before, job.plan.microSizes[index]);
        m_part = (largest + 1) / 2;
        try {
            return compute(job, step, index);
        } catch (...) {
            if (largest <= 1 || !isOutOfMemory(std::current_exception()))
                throw;
        }
        releaseUnusedMemory();
    }
}

void WindowEngine::computeLean(Job& job, MicroStep& step, std::uint32_t index) {
    const SampleKeys keys = job.keys(index);
    const auto part = static_cast<std::size_t>(m_part > 0 ? m_part.load() : job.plan.microSizes[index]);
    try {
        for (std::size_t first = 0; first < keys.size(); first += part) {
            const std::size_t count = std::min(part, keys.size() - first);
            const MicroGradient micro = step.gradientInto(
                job.window, {keys.seed, keys.ids.subspan(first, count), keys.epochs.subspan(first, count)},
                job.place(index), job.options.lossScale);
            job.window.commit(micro);
            job.statistics.commit(micro.statistics);
            job.report.tokens += micro.tokens;
            job.report.times += micro.times;
        }
        if (m_settings.fault)
            m_settings.fault(FaultPoint::Commit, job.options.window, index);
    } catch (...) {
        const auto problem = std::current_exception();
        if (isOutOfMemory(problem)) {
            if (!m_settings.resplit || part <= 1)
                throw;
            m_part = static_cast<std::int64_t>((part + 1) / 2);
            job.fitted = false;
            releaseUnusedMemory();
        }
        throw WindowBroken(problem);
    }
}

/// What a GPU's allocator keeps for sizes that are not asked for any more.
void WindowEngine::releaseUnusedMemory() const {
    if (m_settings.device.is_cuda())
        gpu::releaseUnused(m_settings.device);
}

void WindowEngine::growBack(bool fitted, std::int64_t micro) {
    if (m_part == 0)
        return;
    m_windowsThatFitted = fitted ? m_windowsThatFitted + 1 : 0;
    if (m_windowsThatFitted < windowsBeforeGrowth)
        return;
    m_windowsThatFitted = 0;
    m_part = m_part * 2 >= micro ? 0 : m_part * 2;
}

} // namespace accumulus
