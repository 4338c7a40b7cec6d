// SPDX-License-Identifier: GPL-3.0-or-later
// Bugs that only give micro-gradients wrong weights, for GradientWindow: it keeps the micro-gradients of the window and
// adds them up again when it is closed, each with the weight that the bug gives it. For lessons and tests; it costs a
// gradient per micro-step. One thread at a time.
#pragma once

#include "core/window/micro_gradient.h"
#include "core/window/planted_bug.h"
#include "core/window/window_sums.h"

#include <cstdint>
#include <span>
#include <vector>

namespace accumulus {

/// LastMicroBatchLost, OnlyLastKept, GeometricWeights, RanksAveragedAlone, GradientsNotCleared.
[[nodiscard]] bool plantsWeights(PlantedBug bug);
/// c_k of a window of K micro-batches with n_k units each; right ones of a bug that plants none.
[[nodiscard]] std::vector<double> plantedWeights(PlantedBug bug, std::span<const double> units);

class PlantedWeights {
public:
    explicit PlantedWeights(PlantedBug bug) : m_bug(bug) {}

    void keep(const MicroGradient& micro);
    /// The sums, empty, become `divisor` x sum c_k g_k.
    void addTo(WindowSums& sums, std::vector<bool>& touched, double divisor);
    /// The window was cleared.
    void clear();

private:
    struct Kept {
        std::vector<at::Tensor> gradients; ///< of the sum of unit losses, unscaled
        double units = 0.0;
        double weight = 0.0; ///< c_k, once the window was closed
    };
    PlantedBug m_bug;
    std::vector<Kept> m_earlier, m_kept;
};

} // namespace accumulus
