// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/series.h"

#include "core/analysis/series_index.h"
#include "core/analysis/statistics.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>

namespace accumulus {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

// In the order of their enums.
constexpr std::array<std::string_view, 5> axisNames{"samples", "updates", "epochs", "wall-time", "active-time"};
constexpr std::array<std::string_view, 4> bandCodes{"min-max", "sd", "se", "ci95"};
constexpr std::string_view noSmoothingCode = "none", emaCode = "ema ", meanCode = "mean ";
constexpr std::size_t longestHalf = 1'000'000; // what is stored may come from anybody

/// Between points `left` and `left + 1`; a gap when one of them is.
double between(const Series& series, std::size_t left, double at) {
    const double y0 = series.y[left];
    const double y1 = series.y[left + 1];
    if (!std::isfinite(y0) || !std::isfinite(y1))
        return gap;
    return y0 + (y1 - y0) * (at - series.x[left]) / (series.x[left + 1] - series.x[left]);
}

/// Values of `series` on the ascending grid `x`, which lies inside its range; one walk over both.
std::vector<double> resample(const Series& series, const std::vector<double>& x, std::size_t& interpolated) {
    std::vector<double> y;
    y.reserve(x.size());
    std::size_t index = 0;
    for (const double at : x) {
        while (index + 1 < series.size() && series.x[index + 1] <= at)
            ++index;
        if (series.x[index] == at) {
            y.push_back(series.y[index]);
            continue;
        }
        y.push_back(between(series, index, at));
        ++interpolated;
    }
    return y;
}

} // namespace

std::vector<double> debiasedEma(std::span<const double> y, double beta) {
    std::vector<double> smooth(y.begin(), y.end());
    if (!(beta > 0.0))
        return smooth;
    // s_t = s_(t-1) + (1-b)/(1-b^t) (y_t - s_(t-1)) is the same average; a constant stays exactly constant.
    // 1 - b^t is summed up as b w + (1-b), which does not cancel for b near 1.
    double weight = 0.0;
    double average = 0.0;
    for (double& value : smooth) {
        if (!std::isfinite(value))
            continue;
        weight = beta * weight + (1.0 - beta);
        average += (1.0 - beta) / weight * (value - average);
        value = average;
    }
    return smooth;
}

std::vector<double> centredMean(std::span<const double> y, std::size_t half) {
    std::vector<double> means(y.begin(), y.end());
    if (half == 0 || y.empty())
        return means;
    // A window is as long as a block, so it is the end of one block and the beginning of the next: two sums that only
    // grow.
    struct Sum {
        double value = 0.0;
        double count = 0.0;
    };
    const std::size_t length = 2 * half + 1;
    const std::size_t size = y.size() + 2 * half; // with nothing before the first point and after the last
    const auto at = [&](std::size_t i) -> Sum {
        if (i < half || i >= half + y.size() || !std::isfinite(y[i - half]))
            return {};
        return {y[i - half], 1.0};
    };
    const auto plus = [](const Sum& a, const Sum& b) { return Sum{a.value + b.value, a.count + b.count}; };
    std::vector<Sum> toHere(size), fromHere(size);
    for (std::size_t i = 0; i < size; ++i)
        toHere[i] = i % length == 0 ? at(i) : plus(toHere[i - 1], at(i));
    for (std::size_t i = size; i-- > 0;)
        fromHere[i] = i + 1 == size || (i + 1) % length == 0 ? at(i) : plus(at(i), fromHere[i + 1]);
    for (std::size_t i = 0; i < y.size(); ++i) {
        if (!std::isfinite(y[i]))
            continue;
        const std::size_t last = i + 2 * half;
        const Sum sum = i % length == 0 ? toHere[last] : plus(fromHere[i], toHere[last]);
        means[i] = sum.value / sum.count;
    }
    return means;
}

Series thinMinMax(const Series& series, double xMin, double xMax, std::size_t columns) {
    if (columns == 0 || series.size() < 4 * columns || !(xMin < xMax))
        return series;
    const auto position = [](auto iterator, const std::vector<double>& x) {
        return static_cast<std::size_t>(std::distance(x.begin(), iterator));
    };
    const std::size_t begin = position(std::lower_bound(series.x.begin(), series.x.end(), xMin), series.x);
    const std::size_t end = position(std::upper_bound(series.x.begin(), series.x.end(), xMax), series.x);
    Series out;
    out.x.reserve(4 * columns + 2);
    out.y.reserve(4 * columns + 2);
    if (begin > 0) {
        out.x.push_back(series.x[begin - 1]);
        out.y.push_back(series.y[begin - 1]);
    }
    const double scale = static_cast<double>(columns) / (xMax - xMin);
    Extremes kept;
    std::size_t column = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const auto here = std::min(static_cast<std::size_t>((series.x[i] - xMin) * scale), columns - 1);
        if (here != column) {
            appendPoints(series, kept, out);
            kept = {};
            column = here;
        }
        kept.add(series.y, i);
    }
    appendPoints(series, kept, out);
    if (end < series.size()) {
        out.x.push_back(series.x[end]);
        out.y.push_back(series.y[end]);
    }
    return out;
}

double interpolate(const Series& series, double at) {
    const auto after = std::upper_bound(series.x.begin(), series.x.end(), at);
    if (after == series.x.begin() || std::isnan(at))
        return gap;
    const auto left = static_cast<std::size_t>(std::distance(series.x.begin(), after)) - 1;
    if (series.x[left] == at)
        return series.y[left];
    return after == series.x.end() ? gap : between(series, left, at);
}

Aligned align(const std::vector<Series>& curves) {
    Aligned aligned;
    aligned.y.resize(curves.size());
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();
    for (const Series& curve : curves) {
        if (curve.x.empty())
            return aligned;
        from = std::max(from, curve.x.front());
        to = std::min(to, curve.x.back());
    }
    if (curves.empty() || from > to)
        return aligned;
    const std::vector<double>& grid = curves.front().x;
    aligned.x.assign(std::lower_bound(grid.begin(), grid.end(), from), std::upper_bound(grid.begin(), grid.end(), to));
    for (std::size_t i = 0; i < curves.size(); ++i)
        aligned.y[i] = resample(curves[i], aligned.x, aligned.interpolated);
    return aligned;
}

Band meanBand(const Aligned& curves, BandKind kind) {
    Band band;
    band.n = curves.y.size();
    if (band.n == 0)
        return band;
    const std::size_t points = curves.x.size();
    band.x = curves.x;
    band.mean.reserve(points);
    band.lower.reserve(points);
    band.upper.reserve(points);
    const auto n = static_cast<double>(band.n);
    const double errors =
        kind == BandKind::StandardDeviation || band.n < 2
            ? 1.0
            : (kind == BandKind::StandardError ? 1.0 : studentQuantile(0.975, n - 1.0)) / std::sqrt(n);
    std::vector<double> column(band.n);
    for (std::size_t i = 0; i < points; ++i) {
        for (std::size_t curve = 0; curve < band.n; ++curve)
            column[curve] = curves.y[curve][i];
        const Moments spread = moments(column);
        band.mean.push_back(std::isfinite(spread.mean) ? spread.mean : gap);
        if (!std::isfinite(spread.mean)) {
            band.lower.push_back(gap);
            band.upper.push_back(gap);
        } else if (kind == BandKind::MinMax) {
            const auto [lowest, highest] = std::minmax_element(column.begin(), column.end());
            band.lower.push_back(*lowest);
            band.upper.push_back(*highest);
        } else {
            band.lower.push_back(spread.mean - errors * spread.sd);
            band.upper.push_back(spread.mean + errors * spread.sd);
        }
    }
    return band;
}

std::string bandName(BandKind kind) {
    switch (kind) {
    case BandKind::MinMax:
        return "min to max";
    case BandKind::StandardDeviation:
        return "mean ± SD";
    case BandKind::StandardError:
        return "mean ± SE";
    case BandKind::Confidence95:
        break;
    }
    return "95 % confidence";
}

std::string axisName(CurveAxis axis) { return std::string(axisNames[static_cast<std::size_t>(axis)]); }

std::optional<CurveAxis> axisFromName(std::string_view name) {
    const auto found = std::find(axisNames.begin(), axisNames.end(), name);
    return found == axisNames.end() ? std::nullopt : std::optional(static_cast<CurveAxis>(found - axisNames.begin()));
}

bool isTime(CurveAxis axis) { return axis == CurveAxis::WallTime || axis == CurveAxis::ActiveTime; }

std::vector<double> smoothed(std::span<const double> y, const CurveSmoothing& smoothing) {
    return smoothing.half > 0 ? centredMean(y, smoothing.half) : debiasedEma(y, smoothing.beta);
}

std::string smoothingCode(const CurveSmoothing& smoothing) {
    if (smoothing.half > 0)
        return fmt::format("{}{}", meanCode, smoothing.half);
    return smoothing.beta > 0.0 ? fmt::format("{}{}", emaCode, smoothing.beta) : std::string(noSmoothingCode);
}

std::optional<CurveSmoothing> smoothingFromCode(std::string_view code) {
    const auto read = [&code](std::string_view kind, auto& value) {
        const char* end = code.data() + code.size();
        return code.starts_with(kind) && std::from_chars(code.data() + kind.size(), end, value).ptr == end;
    };
    CurveSmoothing smoothing;
    if (code == noSmoothingCode)
        return smoothing;
    if (read(emaCode, smoothing.beta) && smoothing.beta > 0.0 && smoothing.beta < 1.0)
        return smoothing;
    smoothing.beta = 0.0;
    const bool isMean = read(meanCode, smoothing.half) && smoothing.half > 0 && smoothing.half <= longestHalf;
    return isMean ? std::optional(smoothing) : std::nullopt;
}

std::string bandCode(BandKind kind) { return std::string(bandCodes[static_cast<std::size_t>(kind)]); }

std::optional<BandKind> bandFromCode(std::string_view code) {
    const auto found = std::find(bandCodes.begin(), bandCodes.end(), code);
    return found == bandCodes.end() ? std::nullopt : std::optional(static_cast<BandKind>(found - bandCodes.begin()));
}

RobustRange robustRange(std::span<const double> y, double quantile) {
    std::vector<double> finite;
    finite.reserve(y.size());
    std::copy_if(y.begin(), y.end(), std::back_inserter(finite), [](double value) { return std::isfinite(value); });
    if (finite.empty())
        return {};
    const auto at = [&](double q) {
        const double rank = std::clamp(q, 0.0, 1.0) * static_cast<double>(finite.size() - 1);
        const auto nth = finite.begin() + static_cast<std::ptrdiff_t>(std::llround(rank));
        std::nth_element(finite.begin(), nth, finite.end());
        return *nth;
    };
    const double low = at(quantile);
    const double high = at(1.0 - quantile);
    const double reach = high > low ? high - low : (high != 0.0 ? std::abs(high) : 1.0);
    RobustRange range{high, low, 0, 0};
    for (const double value : finite) {
        if (value > high + reach)
            ++range.above;
        else if (value < low - reach)
            ++range.below;
        else {
            range.lower = std::min(range.lower, value);
            range.upper = std::max(range.upper, value);
        }
    }
    const double widening = range.upper > range.lower ? 0.1 * (range.upper - range.lower) : 0.1 * reach;
    range.lower -= widening;
    range.upper += widening;
    return range;
}

} // namespace accumulus
