// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/window_engine.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <numeric>

namespace accumulus {

WindowEngine::WindowEngine(int lanes, int threads)
    : m_lanes(lanes,
              [threads](int) {
                  at::set_num_threads(threads);
                  at::globalContext().setFlushDenormal(true); // per thread
              }),
      m_steps(static_cast<std::size_t>(lanes)) {}

void WindowEngine::prepare(const std::function<std::unique_ptr<MicroStep>()>& make) {
    m_lanes.run([&](int lane) { m_steps[static_cast<std::size_t>(lane)] = make(); });
}

bool WindowEngine::accumulate(const WindowPlan& plan, GradientWindow& window, const Gate& gate, const AfterCommit& afterCommit) {
    std::vector<std::int64_t> starts(plan.microSizes.size());
    std::exclusive_scan(plan.microSizes.begin(), plan.microSizes.end(), starts.begin(), std::int64_t{0});
    std::atomic<std::uint32_t> nextStep{0};
    std::atomic<bool> abandoned{false};
    m_turnstile.reset();
    m_lanes.run([&](int lane) {
        try {
            for (;;) {
                if (abandoned || !gate()) {
                    abandoned = true;
                    m_turnstile.breakOff();
                    return;
                }
                const std::uint32_t step = nextStep.fetch_add(1, std::memory_order_relaxed);
                if (step >= plan.microSizes.size())
                    return;
                const std::span<const std::int64_t> ids(plan.ids.data() + starts[step], static_cast<std::size_t>(plan.microSizes[step]));
                const MicroGradient micro = m_steps[static_cast<std::size_t>(lane)]->gradient(ids);
                if (!m_turnstile.wait(step))
                    return;
                window.commit(micro);
                if (afterCommit)
                    afterCommit(step);
                m_turnstile.next();
            }
        } catch (...) {
            abandoned = true;
            m_turnstile.breakOff(); // nobody waits for a turn that never comes
            throw;
        }
    });
    return !abandoned;
}

} // namespace accumulus
