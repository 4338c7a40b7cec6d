// SPDX-License-Identifier: GPL-3.0-or-later
// A window's sums in the host's memory: vector loops that add, scale and measure in one pass.
#pragma once

#include "core/model/parameter_arena.h"
#include "core/window/window_sums.h"
#include "core/window/workers.h"

namespace accumulus {

class HostSums final : public WindowSums {
public:
    /// `type`: of parameters and gradient. `accumulator`: of the sums, `type` or bfloat16. `workers` help to close the
    /// window; may be null.
    HostSums(const ParameterLayout& layout, at::ScalarType type, at::ScalarType accumulator,
             Workers* workers = nullptr);

    void add(std::span<const at::Tensor> gradients, double weight, const std::vector<bool>& touched) override;
    void addParameter(std::size_t parameter, const at::Tensor& gradient, double weight, bool touched) override;
    void endMicroStep(double loss, const at::Tensor& lossOnDevice) override;
    void reduce(const std::vector<bool>& here, const std::vector<bool>& touched) override;
    void close(const std::vector<bool>& touched, double factor, double clipNorm) override;
    [[nodiscard]] Values values(std::int64_t microSteps) const override;
    void settle() override;
    void clear() override;
    void restore(std::span<const double> squaredNorms, std::span<const double> losses,
                 const at::Tensor& accumulator) override;
    [[nodiscard]] const at::Tensor& accumulator() const override { return m_accumulator; }
    [[nodiscard]] const at::Tensor& gradient() const override { return m_gradient; }

private:
    [[nodiscard]] double scale(const std::vector<bool>& touched, double factor);

    const ParameterLayout& m_layout;
    Workers* m_workers;
    at::Tensor m_accumulator;
    at::Tensor m_gradient;
    Values m_values;
    double m_openSquaredNorm = 0.0; ///< of what add() brought since the last endMicroStep()
};

} // namespace accumulus
