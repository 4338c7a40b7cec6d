// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of an open window that a GPU computes and the host does not know yet: losses, squared norms, whether all
// of it is finite. They stay on the device until the window is closed, and then come over in one copy: the only time
// that the host waits. Belongs to a GradientWindow; one thread.
#pragma once

#include "core/cuda/device_kernels.h"
#include "core/model/parameter_arena.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <span>
#include <vector>

namespace accumulus {

class DeviceSums {
public:
    /// Room for `microSteps`; it grows when it must. `device` may be the CPU (tests).
    DeviceSums(const ParameterLayout& layout, at::Device device, std::int64_t microSteps);

    /// flat += weight x gradients; an undefined gradient adds nothing.
    void add(at::Tensor& flat, std::span<const at::Tensor> gradients, const kernels::Scalar& weight);
    /// The same for one parameter.
    void add(at::Tensor& flat, std::size_t parameter, const at::Tensor& gradient, const kernels::Scalar& weight);
    /// The gradients added since the last call belong to one micro-step with this loss (fp64, one element).
    void closeMicroStep(const at::Tensor& loss);
    /// Room for as many micro-steps in all.
    void reserve(std::int64_t microSteps);

    /// What the next close() multiplies by.
    void setFactor(double factor) { m_factor.fill_(factor); }
    /// Scales the touched parameters, measures the result and clips it. foundInf() and fetch() then tell of this
    /// window.
    void close(at::Tensor& gradient, const std::vector<bool>& touched, double clipNorm);
    /// fp32, one element: 1 when the window is not finite.
    [[nodiscard]] const at::Tensor& foundInf() const { return m_foundInf; }

    struct Values {
        double squaredNorm = 0.0;                 ///< of the scaled gradient, before clipping
        std::vector<double> squaredNorms, losses; ///< of each micro-step; norms of what was added, before its weight
    };
    /// Waits for the device.
    [[nodiscard]] Values fetch(std::int64_t microSteps) const;

    void clear();
    /// Of micro-steps that were committed by another process.
    void restore(std::span<const double> squaredNorms, std::span<const double> losses);

    /// Counts how often the memory has moved: graphs that were recorded before work on what is gone.
    [[nodiscard]] int generation() const { return m_generation; }

private:
    const ParameterLayout& m_layout;
    std::vector<std::int64_t> m_firstChunks;
    at::Tensor m_partials; ///< fp64, one for each chunk of each parameter
    at::Tensor m_cursor;   ///< int64: micro-steps committed
    at::Tensor m_results;  ///< fp64, see kernels::WindowResult
    at::Tensor m_factor;   ///< fp64
    at::Tensor m_foundInf;
    std::int64_t m_capacity;
    int m_generation = 0;
};

/// Stretches of the arena that hold touched parameters and nothing else; the gaps between parameters count as theirs.
[[nodiscard]] std::vector<kernels::Piece> touchedPieces(const ParameterLayout& layout,
                                                        const std::vector<bool>& touched);

} // namespace accumulus
