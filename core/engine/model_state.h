// SPDX-License-Identifier: GPL-3.0-or-later
// What training changes, and all that a window needs to be computed and applied. The trainer's thread; lanes only read
// weights and buffers while a window is open.
#pragma once

#include "core/model/model.h"
#include "core/window/flat_optimizer.h"
#include "core/window/gradient_window.h"
#include "core/window/running_statistics.h"

#include <ATen/core/Tensor.h>
#include <memory>

namespace accumulus {

struct ModelState {
    std::shared_ptr<const Model> model;
    at::Tensor parameters; ///< flat
    RunningStatistics statistics;
    GradientWindow window;
    FlatOptimizer optimizer;
};

} // namespace accumulus
