// SPDX-License-Identifier: GPL-3.0-or-later
// The heart: what happens to gradients between the first micro-step of a window and its update. Micro-batches commit
// the gradient of the SUM of their unit losses, in micro-batch order; finish() divides once by the real N and clips
// once. One thread at a time.
#pragma once

#include "core/config/experiment_config.h"
#include "core/model/model.h"
#include "core/window/device_sums.h"
#include "core/window/micro_gradient.h"
#include "core/window/normaliser.h"
#include "core/window/planted_bug.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace accumulus {

/// Where a window's sums lie. On a GPU they are deferred: what it computes stays there until finish().
struct SumPlace {
    at::Device device = at::kCPU;
    bool deferred = false;       ///< on the CPU: tests of the deferred path. A GPU always defers
    std::int64_t microSteps = 0; ///< expected, to make room for
};

/// The closed window.
struct WindowGradient {
    std::int64_t units = 0;      ///< N
    std::int64_t microSteps = 0; ///< K, those with units only
    double loss = 0.0;           ///< sum_k n_k l_k / N
    double norm = 0.0;           ///< L2 of the divided gradient, before clipping
    bool clipped = false;
    bool finite = true;
    std::int64_t firstNonfinite = -1; ///< micro-step whose loss or gradient was not finite first
    std::int64_t leftOut = 0;         ///< micro-steps left out because they were not finite (skip-micro)
    std::optional<double> noiseS,
        noiseG2; ///< McCandlish et al. 2018, arXiv 1812.06162; any sizes, see NUMERICS section 5
};

class GradientWindow {
public:
    /// `type`: of parameters and of the finished gradient. `accumulator`: in which sums are kept, `type` or bfloat16.
    GradientWindow(const ParameterLayout& layout, at::ScalarType type, Normalise normalise, double clipNorm,
                   std::int64_t nominalUnits, PlantedBug bug = PlantedBug::None,
                   std::optional<at::ScalarType> accumulator = {}, const SumPlace& place = {});

    /// A micro-gradient that is not finite is left out and the window divided by what remains, in place of the window
    /// being marked.
    void leaveOutNonfinite(bool leaveOut) { m_leaveOutNonfinite = leaveOut; }

    /// B of the open window where a ramp changes it; only the planted bug NominalDivisor asks for it.
    void setNominalUnits(std::int64_t units) { m_nominalUnits = units; }

    /// Adds one micro-gradient, unscaled; a micro-batch without units adds nothing. One whose tensors were added by
    /// add() brings none.
    void commit(const MicroGradient& micro);
    /// Weight of a micro-gradient before it is unscaled, for add().
    [[nodiscard]] double commitWeight(std::int64_t units) const { return m_normaliser.commitWeight(units); }
    /// Lean: weight x gradient of one parameter of the micro-step that the next commit() completes.
    void add(std::size_t parameter, const at::Tensor& gradient, double weight);
    /// Divides and clips. Nothing may be committed until clear().
    [[nodiscard]] WindowGradient finish();
    /// Empties the window. O(parameters' number), not of their size: the next commit overwrites (deferred: one fill).
    void clear();

    // Deferred windows: the parts of commit() and finish() that the device does, and those of the host. A CUDA graph
    // repeats the first, the host only counts.
    [[nodiscard]] bool deferred() const { return m_sums != nullptr; }
    /// Adds weight x gradients and notes loss and norm, on the device.
    void commitOnDevice(const MicroGradient& micro, const kernels::Scalar& weight);
    /// Room for the next micro-steps; commit() sees to it by itself.
    void reserveMicroSteps(std::int64_t more);
    /// A micro-step was committed on the device.
    void countMicroStep(const std::vector<bool>& touched, std::int64_t units, double scale);
    /// Before closeOnDevice(): hands over what the host knows of the window.
    void prepareClosing();
    /// Divides and clips on the device. Queues work only.
    void closeOnDevice();
    /// What finish() returns; waits for the device.
    [[nodiscard]] WindowGradient fetchClosed();
    [[nodiscard]] const DeviceSums& sums() const { return *m_sums; }

    [[nodiscard]] bool empty() const { return m_micro.empty() && m_leftOut == 0; }
    [[nodiscard]] const at::Tensor& flat() const { return m_flat; }
    /// After finish(): what the optimizer gets, in the parameters' type.
    [[nodiscard]] const at::Tensor& gradient() const { return m_gradient; }
    /// touched()[i]: parameter i received a gradient in this window.
    [[nodiscard]] const std::vector<bool>& touched() const { return m_touched; }
    [[nodiscard]] std::int64_t units() const { return m_units; }
    [[nodiscard]] std::int64_t microSteps() const { return static_cast<std::int64_t>(m_micro.size()); }
    /// Of the committed micro-steps; 0 when there are none.
    [[nodiscard]] double smallestScale() const { return m_smallestScale; }

    /// What a resume bundle keeps of an open window.
    struct Saved {
        std::vector<std::int64_t> units;
        std::vector<double> squaredNorms, lossSums;
        std::vector<bool> touched;
        std::int64_t leftOut = 0;
        double smallestScale = 0.0;
    };
    /// Deferred: waits for the device.
    [[nodiscard]] Saved save();
    void restore(const Saved& saved, const at::Tensor& flat);

private:
    struct Micro {
        std::int64_t units;
        double squaredNorm; ///< |sum of unit gradients|^2
        double lossSum;
        double scale = 1.0; ///< deferred: of the norm that the device holds
    };
    void commitDeferred(const MicroGradient& micro, double weight);
    /// Deferred: losses and norms of the micro-steps, from the device. Returns the squared norm of the closed window.
    double fetchMicroSteps();
    [[nodiscard]] double divisor() const;
    [[nodiscard]] bool clips() const;
    [[nodiscard]] WindowGradient describe() const;
    double scaleTouched(double factor);
    [[nodiscard]] double touchedSquaredNorm() const;
    /// Adds weight x gradient; returns the squared norm of `gradient`.
    double addTo(std::size_t parameter, const at::Tensor& gradient, double weight);
    void estimateNoise(double squaredNorm, WindowGradient& result) const;

    const ParameterLayout& m_layout;
    at::Tensor m_flat;     ///< the accumulator
    at::Tensor m_gradient; ///< the same tensor unless the accumulator is of another type
    Normaliser m_normaliser;
    double m_clipNorm;
    std::int64_t m_nominalUnits;
    PlantedBug m_bug;
    std::vector<bool> m_touched;
    std::vector<Micro> m_micro;
    std::int64_t m_units = 0;
    double m_lossSum = 0.0;
    double m_openSquaredNorm = 0.0; ///< of what add() brought since the last commit
    std::int64_t m_leftOut = 0;
    double m_smallestScale = 0.0;
    bool m_leaveOutNonfinite = false;
    std::unique_ptr<DeviceSums> m_sums; ///< deferred
};

} // namespace accumulus
