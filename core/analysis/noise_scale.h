// SPDX-License-Identifier: GPL-3.0-or-later
// The gradient noise scale B_simple = tr Sigma / |G|^2 (McCandlish et al. 2018, arXiv 1812.06162) from the two
// estimates that every window with at least two micro-batches leaves: S of tr Sigma and G2 of |G|^2. Numerator and
// denominator are averaged, never the ratios. An order of magnitude, in the loss's own unit: samples, or tokens (those
// of one sequence are not independent). Pure functions; any thread.
#pragma once

#include "core/base/training_records.h"
#include "core/config/experiment_config.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace accumulus {

struct NoiseTerms {
    std::int64_t samples = 0; ///< training samples seen after the window
    double s = 0.0;           ///< estimate of tr Sigma, not negative
    double g2 = 0.0;          ///< estimate of |G|^2, may be negative
    bool operator==(const NoiseTerms&) const = default;
};

/// Of the windows that have finite terms; the others (a single micro-batch, not finite) give none.
[[nodiscard]] std::vector<NoiseTerms> noiseTerms(std::span<const WindowRecord> windows);

/// EMA(S) / EMA(G2), window by window: both with the same `beta` in [0, 1) and bias-corrected.
class NoiseScaleAverage {
public:
    explicit NoiseScaleAverage(double beta) : m_beta(beta) {}
    /// One more window with finite terms; the ratio after it, nothing while EMA(G2) <= 0.
    std::optional<double> add(double s, double g2);

private:
    double m_beta;
    double m_s = 0.0, m_g2 = 0.0;
    double m_weight = 0.0; ///< 1 - beta^t: of both averages
};

/// The average over how many windows a picture of the noise scale shows: about the last hundred.
inline constexpr double noiseScaleBeta = 0.99;

/// NoiseScaleAverage after each window.
[[nodiscard]] std::vector<std::optional<double>> noiseScaleSeries(std::span<const NoiseTerms> terms, double beta);

/// Ratio of the plain means with Fieller's interval (Fieller 1954, J. R. Stat. Soc. B 16): from the raw windows, with
/// the covariance of S and G2, taking windows as independent.
struct NoiseScale {
    std::size_t windows = 0;
    double meanS = 0.0, meanG2 = 0.0;
    std::optional<double> value;     ///< meanS / meanG2; nothing while meanG2 <= 0
    double confidence = 0.95;        ///< of the interval
    bool identified = false;         ///< |G|^2 is distinguishable from 0; if not, the interval is unbounded
    double lower = 0.0, upper = 0.0; ///< when identified
};
[[nodiscard]] NoiseScale estimateNoiseScale(std::span<const NoiseTerms> terms, double confidence = 0.95);

/// Of the second half of the windows that have terms: the noise scale grows while a run learns, so its end says more
/// than the whole.
[[nodiscard]] NoiseScale recentNoiseScale(std::span<const NoiseTerms> terms, double confidence = 0.95);

/// How it moves over a run.
struct NoiseCourse {
    NoiseScale start; ///< of the first hundredth of the windows, at least 20
    /// Mean over the run's parts of equal numbers of windows, each the ratio of its means; parts that do not identify
    /// it are left out. Not the ratio over all windows, in which the large gradients of the beginning stand for the
    /// whole.
    std::optional<double> average;
    double least = 0.0, most = 0.0; ///< of the parts
    std::size_t parts = 0;          ///< that identify it
};
[[nodiscard]] NoiseCourse noiseCourse(std::span<const NoiseTerms> terms);

/// What the windows of one run leave.
struct RunNoise {
    std::string unit = "samples";    ///< lossUnit()
    double unitsPerSample = 1.0;     ///< measured where the unit is not samples
    std::vector<NoiseTerms> terms{}; ///< in the order of the windows
    bool operator==(const RunNoise&) const = default;
};
/// Of several runs together: the second half of each (see recentNoiseScale).
[[nodiscard]] NoiseScale pooledNoiseScale(std::span<const RunNoise* const> runs, double confidence = 0.95);

/// What the noise scale of a run is counted in: "samples"; for text whose loss is divided by tokens "tokens"; "units"
/// where a sample counts as its class weights, as its targets or as what the network says.
[[nodiscard]] std::string lossUnit(const RunConfig& config);

/// What a run at effective batch B costs against the best in its kind: samples against tiny batches, updates against
/// huge ones.
[[nodiscard]] double samplesMultiplier(double effective, double noiseScale); ///< 1 + B / B_simple
[[nodiscard]] double updatesMultiplier(double effective, double noiseScale); ///< 1 + B_simple / B

} // namespace accumulus
