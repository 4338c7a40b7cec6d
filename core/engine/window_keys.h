// SPDX-License-Identifier: GPL-3.0-or-later
// The samples of a window where recorded micro-steps read them. What the host has to work out for it (keys, loss units)
// may be made before the window comes, while the device still computes. The trainer's thread.
#pragma once

#include "core/data/dataset.h"
#include "core/window/window_planner.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace accumulus {

class WindowKeys {
public:
    using UnitsOf = std::function<double(const SampleKeys&)>;

    /// `largest`: samples of a window. `unitsOf`: loss units of a micro-step.
    WindowKeys(at::Device device, std::int64_t largest, UnitsOf unitsOf);

    [[nodiscard]] bool fits(const WindowPlan& plan) const;
    using WeightOf = std::function<double(double)>; ///< of loss units: of a micro-step's gradient

    /// `plan` will probably come next: what is queued already reads what lies on the device, then come the copies of
    /// that window. Where another one comes instead, they are in vain.
    void foresee(const WindowPlan& plan, std::int64_t seed, const WeightOf& weightOf);
    /// Queues the copies of a window that fits, as far as they have not been foreseen.
    void upload(const WindowPlan& plan, std::int64_t seed, const WeightOf& weightOf);
    /// Queues the copy of the keys and the weight of micro-step `row`, counted up by one.
    void select(at::Tensor& row, at::Tensor& keys, at::Tensor& weight) const;

    [[nodiscard]] at::TensorOptions options() const { return m_keys.options(); }
    /// Loss units of each micro-step of the window that was handed over.
    [[nodiscard]] const std::vector<double>& units() const { return m_units; }

private:
    /// A window as the host has it ready.
    struct Made {
        std::int64_t seed = 0;
        std::vector<std::int64_t> ids, epochs, microSizes; ///< that it was made of
        at::Tensor keys;                                   ///< int64 [samples, 2]
        at::Tensor starts;                                 ///< int64 [micro-steps]
        std::vector<double> units;
        at::Tensor weights; ///< fp64 [micro-steps]
    };
    [[nodiscard]] Made make(const WindowPlan& plan, std::int64_t seed) const;
    /// A tensor that is copied from is not written again: the copy may not have been made yet.
    void weigh(Made& made, const WeightOf& weightOf) const;
    void queue(const Made& made);

    at::Device m_device;
    UnitsOf m_unitsOf;
    std::optional<Made> m_foreseen;
    std::vector<double> m_units;
    // On the device; they stay where they are.
    at::Tensor m_keys;    ///< int64 [largest, 2]
    at::Tensor m_starts;  ///< int64 [largest]: first sample of each micro-step
    at::Tensor m_weights; ///< fp64 [largest]: of each micro-step
};

} // namespace accumulus
