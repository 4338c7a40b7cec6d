// SPDX-License-Identifier: GPL-3.0-or-later
// The evidence of an audit, and what can be computed from it: with which weights c_k do the micro-gradients stand in
// the accumulated gradient, G = sum c_k g_k? A linear relation between tensors holds between any of their elements, so
// the evidence holds some of each tensor. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accumulus {

/// Elements of one tensor, the same ones of each gradient.
struct GradientElements {
    std::string name;
    std::vector<double> accumulated;        ///< of G
    std::vector<std::vector<double>> micro; ///< of g_k, the gradient of the MEAN loss of micro-batch k
    std::vector<double> weights{};          ///< of the parameter; empty: not known
};

/// One window of a loop, in the order in which the loop computed them.
struct WindowEvidence {
    std::vector<double> units;               ///< n_k; no micro-batch without units
    std::vector<double> norms;               ///< |g_k| over all parameters; empty: not known
    std::vector<std::vector<double>> gram{}; ///< <g_j, g_k> over all parameters; empty: not known
    std::vector<std::int64_t> ranks{};       ///< that computed micro-batch k; empty: not known
    std::int64_t nominalSteps = 0;           ///< K of a full window; 0: not known
    bool closed = true;                      ///< made an update: `accumulated` is what the optimizer got
    std::vector<GradientElements> tensors;   ///< the same tensors in each window
    std::vector<double> scales{};            ///< that their errors are measured by; see measureScales()
    [[nodiscard]] std::size_t steps() const { return units.size(); }
    [[nodiscard]] double totalUnits() const;
    /// Shorter than a full window.
    [[nodiscard]] bool isRemainder() const { return nominalSteps > static_cast<std::int64_t>(steps()); }
};

struct GradientEvidence {
    std::vector<WindowEvidence> windows;
    double lossScale = 1.0;  ///< that the loop multiplies its loss by; 1: none, or not known
    double clipNorm = 0.0;   ///< that the loop clips to; 0: not known
    double tolerance = 1e-5; ///< of errorOf(), up to which sums are right
};

/// Fills the scales of each window, which are computed anew for every error otherwise.
void measureScales(GradientEvidence& evidence);

/// Weights of micro-gradients in one window's gradient.
struct WindowWeights {
    std::vector<double> own;
    /// Of the windows before, [window][k]; empty: all 0.
    std::vector<std::vector<double>> earlier{};
    double decay = 0.0; ///< of the parameters themselves
};
/// n_k / N.
[[nodiscard]] WindowWeights rightWeights(const WindowEvidence& window);

/// A tensor whose gradients are smaller than this share of the whole model's is measured by that share. Some vanish but
/// for rounding (a key's bias, a bias before BatchNorm): in fp32 up to 1.6e-7 of the whole was seen.
inline constexpr double shareOfWhole = 0.03;

/// Largest over the tensors, and their root mean square: |G - sum c_k g_k| / max(s, shareOfWhole |s of all tensors|),
/// s = sum (n_k / N) |g_k|. Against this norm the rounding of K additions is at most some K u, also where the
/// micro-gradients cancel.
struct WeightsError {
    double worst = 0.0;
    double rms = 0.0;
    std::size_t worstTensor = 0;
};
[[nodiscard]] WeightsError errorOf(const GradientEvidence& evidence, std::size_t window, const WindowWeights& weights);
/// Of one tensor.
[[nodiscard]] double errorOf(const GradientEvidence& evidence, std::size_t window, const WindowWeights& weights,
                             std::size_t tensor);

struct FittedWeights {
    WindowWeights weights;
    double residual = 0.0;  ///< |G - sum c_k g_k| / |G|
    bool identified = true; ///< the micro-gradients are linearly independent
};
/// Least squares over all tensors, each scaled by sum (n_k / N) |g_k|. `earlier`: with the micro-gradients of so
/// many windows before; `decay`: and the weights.
[[nodiscard]] FittedWeights fitWeights(const GradientEvidence& evidence, std::size_t window, std::size_t earlier = 0,
                                       bool decay = false);

} // namespace accumulus
