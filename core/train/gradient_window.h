// SPDX-License-Identifier: GPL-3.0-or-later
// The heart: what happens to gradients between the first micro-step of a window and its update. Micro-batches commit the gradient of the SUM of
// their unit losses, in micro-batch order; finish() divides once by the real N and clips once. One thread at a time.
#pragma once

#include "core/config/experiment_config.h"
#include "core/model/parameter_arena.h"
#include "core/train/mistake.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace accumulus {

/// What a micro-step hands over. `gradients` follow the layout; an undefined tensor belongs to a parameter that the micro-batch did not touch.
struct MicroGradient {
    std::vector<at::Tensor> gradients; ///< of the SUM of unit losses
    std::int64_t units = 0;            ///< n_k
    double lossSum = 0.0;
};

/// Weight of one committed micro-gradient and divisor of the whole: the named policies of loss.normalise.
class Normaliser {
public:
    explicit Normaliser(Normalise policy) : m_policy(policy) {}
    [[nodiscard]] double commitWeight(std::int64_t units) const;
    [[nodiscard]] double divisor(std::int64_t units, std::int64_t microSteps) const;
    /// The divided gradient is the mean over units, so norms and noise estimates mean what they say.
    [[nodiscard]] bool isMean() const { return m_policy == Normalise::Samples || m_policy == Normalise::Tokens; }

private:
    Normalise m_policy;
};

/// The closed window.
struct WindowGradient {
    std::int64_t units = 0;      ///< N
    std::int64_t microSteps = 0; ///< K, those with units only
    double loss = 0.0;           ///< sum_k n_k l_k / N
    double norm = 0.0;           ///< L2 of the divided gradient, before clipping
    bool clipped = false;
    bool finite = true;
    std::int64_t firstNonfinite = -1;    ///< micro-step whose loss or gradient was not finite first
    std::optional<double> noiseS, noiseG2; ///< McCandlish et al. 2018, arXiv 1812.06162; any sizes, see NUMERICS section 5
};

class GradientWindow {
public:
    GradientWindow(const ParameterLayout& layout, at::ScalarType type, Normalise normalise, double clipNorm, std::int64_t nominalUnits,
                   Mistake mistake = Mistake::None);

    /// Adds one micro-gradient; a micro-batch without units adds nothing.
    void commit(const MicroGradient& micro);
    /// Divides and clips in place. Nothing may be committed until clear().
    [[nodiscard]] WindowGradient finish();
    /// Empties the window. O(parameters' number), not of their size: the next commit overwrites.
    void clear();

    [[nodiscard]] bool empty() const { return m_units == 0; }
    [[nodiscard]] const at::Tensor& flat() const { return m_flat; }
    /// touched()[i]: parameter i received a gradient in this window.
    [[nodiscard]] const std::vector<bool>& touched() const { return m_touched; }
    [[nodiscard]] std::int64_t units() const { return m_units; }
    [[nodiscard]] std::int64_t microSteps() const { return static_cast<std::int64_t>(m_micro.size()); }

    /// What a resume bundle keeps when a window is open at a boundary (leaking tail).
    struct Saved {
        std::vector<std::int64_t> units;
        std::vector<double> squaredNorms, lossSums;
        std::vector<bool> touched;
    };
    [[nodiscard]] Saved save() const;
    void restore(const Saved& saved, const at::Tensor& flat);

private:
    struct Micro {
        std::int64_t units;
        double squaredNorm; ///< |sum of unit gradients|^2
        double lossSum;
    };
    double scaleTouched(double factor);
    [[nodiscard]] double touchedSquaredNorm() const;
    void estimateNoise(double squaredNorm, WindowGradient& result) const;

    const ParameterLayout& m_layout;
    at::Tensor m_flat;
    Normaliser m_normaliser;
    double m_clipNorm;
    std::int64_t m_nominalUnits;
    Mistake m_mistake;
    std::vector<bool> m_touched;
    std::vector<Micro> m_micro;
    std::int64_t m_units = 0;
    double m_lossSum = 0.0;
};

} // namespace accumulus
