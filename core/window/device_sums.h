// SPDX-License-Identifier: GPL-3.0-or-later
// A window's sums on a device: losses, squared norms and whether all of it is finite stay there until values() brings
// them over in one copy, the only time that the host waits.
#pragma once

#include "core/cuda/device_kernels.h"
#include "core/model/parameter_arena.h"
#include "core/window/window_sums.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <span>
#include <vector>

namespace accumulus {

class DeviceSums final : public WindowSums {
public:
    /// Room for `microSteps`; it grows when it must. `device` may be the CPU (tests). Types as HostSums.
    DeviceSums(const ParameterLayout& layout, at::ScalarType type, at::ScalarType accumulator, at::Device device,
               std::int64_t microSteps);

    void add(std::span<const at::Tensor> gradients, double weight, const std::vector<bool>& touched) override;
    void addParameter(std::size_t parameter, const at::Tensor& gradient, double weight, bool touched) override;
    void endMicroStep(double loss, const at::Tensor& lossOnDevice) override;
    void reduce(const std::vector<bool>& here, const std::vector<bool>& touched) override;
    void reduce();
    void close(const std::vector<bool>& touched, double factor, double clipNorm) override;
    [[nodiscard]] Values values(std::int64_t microSteps) const override;
    void settle() override;
    void clear() override;
    void restore(std::span<const double> squaredNorms, std::span<const double> losses,
                 const at::Tensor& accumulator) override;
    [[nodiscard]] const at::Tensor& accumulator() const override { return m_accumulator; }
    [[nodiscard]] const at::Tensor& gradient() const override { return m_gradient; }

    // What a CUDA graph repeats: work that is queued, with numbers that lie on the device.
    /// add() and endMicroStep() of one micro-step, for which reserve() has made room.
    void queueMicroStep(std::span<const at::Tensor> gradients, const at::Tensor& weight, const at::Tensor& loss);
    /// A queued micro-step was repeated.
    void countMicroStep() {
        ++m_microSteps;
        m_fromTheFirst = false;
    }
    /// Of a closed window, before the host waits for it: the next one's micro-steps are counted from the first.
    void queueRestart();
    /// reduce() and close(), with the factor of setFactor().
    void queueClose(const std::vector<bool>& touched, double clipNorm);
    void setFactor(double factor) { m_factor.fill_(factor); }
    /// Room for so many micro-steps in all, those of before included.
    void reserve(std::int64_t microSteps);
    [[nodiscard]] std::int64_t microSteps() const { return m_microSteps; } ///< that the open window holds
    /// fp32, one element: 1 when the closed window is not finite.
    [[nodiscard]] const at::Tensor& foundInf() const { return m_foundInf; }
    /// Counts how often the memory has moved: graphs that were recorded before work on what is gone.
    [[nodiscard]] int generation() const { return m_generation; }

private:
    [[nodiscard]] kernels::Piece pieceOf(std::size_t parameter, const at::Tensor& gradient) const;
    void commit(std::span<const at::Tensor> gradients, const kernels::Scalar& weight);
    void queueScaling(const std::vector<bool>& touched, double clipNorm);

    const ParameterLayout& m_layout;
    at::Tensor m_accumulator;
    at::Tensor m_gradient;
    std::vector<std::int64_t> m_firstChunks;
    at::Tensor m_partials; ///< fp64, one for each chunk of each parameter
    at::Tensor m_cursor;   ///< int64: micro-steps committed
    at::Tensor m_results;  ///< fp64, see kernels::WindowResult
    at::Tensor m_factor;   ///< fp64
    at::Tensor m_foundInf;
    mutable at::Tensor m_fetched;  ///< of m_results, in page-locked memory where the device is a GPU
    std::int64_t m_capacity;       ///< micro-steps
    std::int64_t m_microSteps = 0; ///< of the open window
    int m_generation = 0;
    // What is queued leaves them so.
    bool m_fromTheFirst = true; ///< m_cursor is 0
    bool m_settled = true;      ///< m_partials are 0
};

/// Stretches of the arena that hold touched parameters and nothing else; the gaps between parameters count as theirs.
[[nodiscard]] std::vector<kernels::Piece> touchedPieces(const ParameterLayout& layout,
                                                        const std::vector<bool>& touched);

} // namespace accumulus
