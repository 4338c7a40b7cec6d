// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lane_pool.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <atomic>

namespace accumulus {

LanePool::LanePool(int lanes, int threads)
    : m_threads(threads), m_lanes(lanes, [threads](int) {
          at::set_num_threads(threads);
          at::globalContext().setFlushDenormal(true); // per thread
      }) {}

void LanePool::setThreads() const {
    // The calling thread may have been lane 0 of another pool (calibration) since.
    if (at::get_num_threads() != m_threads)
        at::set_num_threads(m_threads);
}

void LanePool::run(const std::function<void(int)>& work) {
    setThreads();
    m_lanes.run(work);
}

void LanePool::forEach(std::int64_t parts, const std::function<void(std::int64_t)>& work) {
    if (count() > 1) {
        std::atomic<std::int64_t> next{0};
        run([&](int) {
            for (std::int64_t part = next++; part < parts; part = next++)
                work(part);
        });
        return;
    }
    setThreads();
    at::parallel_for(0, parts, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t part = begin; part < end; ++part)
            work(part);
    });
}

} // namespace accumulus
