// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/lane_pool.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

namespace accumulus {

LanePool::LanePool(int lanes, int threads)
    : m_threads(threads), m_lanes(lanes, [threads](int) {
          at::set_num_threads(threads);
          at::globalContext().setFlushDenormal(true); // per thread
      }) {}

void LanePool::run(const std::function<void(int)>& work) {
    // The calling thread may have been lane 0 of another pool (calibration) since.
    if (at::get_num_threads() != m_threads)
        at::set_num_threads(m_threads);
    m_lanes.run(work);
}

} // namespace accumulus
