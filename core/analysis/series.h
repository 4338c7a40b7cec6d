// SPDX-License-Identifier: GPL-3.0-or-later
// Curves: smoothing over all points, thinning that keeps every spike, alignment of two curves. Pure functions on
// vectors; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace accumulus {

/// What curves run over. Times are seconds since the start of the run.
enum class CurveAxis { Samples, Updates, Epochs, WallTime, ActiveTime };
/// "samples", "updates", "epochs", "wall-time", "active-time", as stored.
[[nodiscard]] std::string axisName(CurveAxis axis);
[[nodiscard]] std::optional<CurveAxis> axisFromName(std::string_view name);
[[nodiscard]] bool isTime(CurveAxis axis); ///< its x is another one in each run, however alike they are

/// y over x; x ascending. NaN in y is a gap.
struct Series {
    std::vector<double> x;
    std::vector<double> y;
    [[nodiscard]] std::size_t size() const { return x.size(); }
    bool operator==(const Series&) const = default;
};

/// Exponential moving average with bias correction over all points: s_t = (1-b) sum b^(t-i) y_i / (1 - b^t). beta in
/// [0, 1); 0 returns the input. Gaps and infinite values stay as they are and do not move the average. Depends on the
/// past only: smoothing a truncated series equals truncating the smoothed one, bit for bit.
[[nodiscard]] std::vector<double> debiasedEma(std::span<const double> y, double beta);

/// Mean of the finite points from `half` before to `half` after each point, of fewer at the ends. Gaps and infinite
/// values stay as they are. No sum ever loses what was added to it, so a spike leaves nothing behind.
[[nodiscard]] std::vector<double> centredMean(std::span<const double> y, std::size_t half);

/// How a drawn curve is smoothed, on all of its points.
struct CurveSmoothing {
    double beta = 0.0;    ///< of the debiased EMA; 0: none
    std::size_t half = 0; ///< of the centred mean, which then counts: points at each side; 0: none
    [[nodiscard]] bool any() const { return beta > 0.0 || half > 0; }
    bool operator==(const CurveSmoothing&) const = default;
};
/// Of the training loss of a comparison, until a person has chosen.
inline constexpr CurveSmoothing usualLossSmoothing{.beta = 0.95, .half = 0};
[[nodiscard]] std::vector<double> smoothed(std::span<const double> y, const CurveSmoothing& smoothing);
/// "none", "ema 0.95", "mean 5", as stored.
[[nodiscard]] std::string smoothingCode(const CurveSmoothing& smoothing);
[[nodiscard]] std::optional<CurveSmoothing> smoothingFromCode(std::string_view code);

/// At most four points (first, minimum, maximum, last) for each of `columns` equal intervals of [xMin, xMax]: no spike
/// vanishes. The points just outside are kept so that lines run to the border. Of the gaps (non-finite values) in an
/// interval the first and the last are kept too. Input of fewer points than 4 x columns, or an empty range, is returned
/// as it is.
[[nodiscard]] Series thinMinMax(const Series& series, double xMin, double xMax, std::size_t columns);

/// y of `series` at `at` by linear interpolation inside its range; NaN outside or beside a gap. Of several points with
/// the same x the last counts.
[[nodiscard]] double interpolate(const Series& series, double at);

/// Several curves on one x grid. Without a common range all is empty.
struct Aligned {
    std::vector<double> x;              ///< points of the first curve inside the overlap of all
    std::vector<std::vector<double>> y; ///< one vector per curve
    std::size_t interpolated = 0;       ///< how many values had to be interpolated
};
[[nodiscard]] Aligned align(const std::vector<Series>& curves);

enum class BandKind { MinMax, StandardDeviation, StandardError, Confidence95 };
/// Mean curve and band over aligned curves (n = curves.y.size()). With n = 1 the band is empty (lower = upper = mean).
/// Where one curve has a gap the mean has one: an average over fewer seeds than n says would mislead.
struct Band {
    std::vector<double> x, mean, lower, upper;
    std::size_t n = 0;
};
[[nodiscard]] Band meanBand(const Aligned& curves, BandKind kind);
/// "min to max", "mean ± SD", "mean ± SE", "95 % confidence".
[[nodiscard]] std::string bandName(BandKind kind);
/// "min-max", "sd", "se", "ci95", as stored.
[[nodiscard]] std::string bandCode(BandKind kind);
[[nodiscard]] std::optional<BandKind> bandFromCode(std::string_view code);

/// A y range that a few spikes do not flatten, and how many points lie above and below it. A spike lies further outside
/// the quantiles [q, 1 - q] than these are apart; the range spans all other points, widened by 10 %. So plain noise is
/// never cut.
struct RobustRange {
    double lower = 0.0, upper = 1.0;
    std::size_t above = 0, below = 0;
};
[[nodiscard]] RobustRange robustRange(std::span<const double> y, double quantile = 0.005);

} // namespace accumulus
