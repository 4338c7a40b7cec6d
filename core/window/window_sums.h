// SPDX-License-Identifier: GPL-3.0-or-later
// The sums of one open window, behind GradientWindow: where they lie, who adds to them and who divides. HostSums keeps
// them in the host's memory, DeviceSums on the device, where the host need not wait for them, ReducedSums and
// ScatteredSums (rank_sums.h) on several ranks. One thread at a time.
#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <span>
#include <vector>

namespace accumulus {

class WindowSums {
public:
    virtual ~WindowSums() = default;

    /// accumulator += weight x gradients; an undefined gradient adds nothing. `touched`: parameters that were added to
    /// in this window before; what the accumulator holds of the others is overwritten. Gradients have the parameters'
    /// type, or 16 bits where sums lie in the host's memory.
    virtual void add(std::span<const at::Tensor> gradients, double weight, const std::vector<bool>& touched) = 0;
    /// The same for one parameter, while the backward pass still goes on.
    virtual void addParameter(std::size_t parameter, const at::Tensor& gradient, double weight, bool touched) = 0;
    /// What was added since the last call belongs to one micro-step (or to a part of one) with this sum of losses:
    /// `loss`, or `lossOnDevice` (fp64, one element) where that is defined.
    virtual void endMicroStep(double loss, const at::Tensor& lossOnDevice) = 0;

    /// All micro-steps are in: makes gradient() of the accumulator, in the parameters' type. Sums over ranks add up
    /// here, once a window, in the order of the ranks; afterwards gradient() holds what this rank's optimizer needs.
    /// `here`: parameters that were touched on this rank; `touched`: on any.
    virtual void reduce(const std::vector<bool>& here, const std::vector<bool>& touched) = 0;
    /// Multiplies the touched parameters of gradient() by `factor`, then clips their norm to `clipNorm` (0: not).
    virtual void close(const std::vector<bool>& touched, double factor, double clipNorm) = 0;

    /// What the sums have measured.
    struct Values {
        double squaredNorm = 0.0;         ///< of the last close(), between factor and clipping
        std::vector<double> squaredNorms; ///< by micro-step: of what was added, before its weight
        std::vector<double> losses;       ///< by micro-step
    };
    /// Of the first `microSteps` micro-steps since settle(). Waits for a device.
    [[nodiscard]] virtual Values values(std::int64_t microSteps) const = 0;
    /// Norms and losses of the micro-steps so far are known; values() tells of those to come.
    virtual void settle() = 0;

    /// Empties the sums.
    virtual void clear() = 0;
    /// Takes up an open window: what values() and accumulator() gave.
    virtual void restore(std::span<const double> squaredNorms, std::span<const double> losses,
                         const at::Tensor& accumulator) = 0;

    [[nodiscard]] virtual const at::Tensor& accumulator() const = 0; ///< flat, or this rank's shard of it
    [[nodiscard]] virtual const at::Tensor&
    gradient() const = 0; ///< the same; the accumulator itself where types agree

    // On several ranks.
    /// Does every add() meet those of the other ranks? Then each rank adds as often, if need be nothing.
    [[nodiscard]] virtual bool couples() const { return false; }
    virtual void addNothing() {}
    /// PlantedBug: what this rank has added is scaled and clipped before the ranks' sums meet.
    virtual void closeAlone(const std::vector<bool>& /*here*/, double /*factor*/, double /*clipNorm*/) {}
};

} // namespace accumulus
