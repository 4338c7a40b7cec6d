// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/curve_data.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <utility>

namespace accumulus::ui {

namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

/// The part of the segment a-b inside the rectangle (Liang and Barsky, 1984), as parameters of the segment; false when
/// it misses.
bool clipSegment(double ax, double ay, double bx, double by, const AxisRange& x, const AxisRange& y, double& from,
                 double& to) {
    const double dx = bx - ax;
    const double dy = by - ay;
    from = 0.0;
    to = 1.0;
    const double edges[4][2] = {{-dx, ax - x.lower}, {dx, x.upper - ax}, {-dy, ay - y.lower}, {dy, y.upper - ay}};
    for (const auto& [direction, distance] : edges) {
        if (direction == 0.0) {
            if (distance < 0.0)
                return false;
            continue;
        }
        const double at = distance / direction;
        if (direction < 0.0)
            from = std::max(from, at);
        else
            to = std::min(to, at);
    }
    return from <= to;
}

} // namespace

void AxisRange::include(double value) {
    if (!std::isfinite(value))
        return;
    lower = std::min(lower, value);
    upper = std::max(upper, value);
}

void AxisRange::include(const AxisRange& other) {
    if (!other.valid())
        return;
    include(other.lower);
    include(other.upper);
}

void CurveData::assign(Series series) {
    m_raw = new Raw;
    static_cast<Series&>(m_raw->points) = std::move(series);
    m_raw->points.y.resize(m_raw->points.x.size(), kGap);
    extendRaw(0);
    m_smooth = new Smooth;
    extendSmooth(0);
}

void CurveData::append(std::span<const double> x, std::span<const double> y) {
    const std::size_t count = std::min(x.size(), y.size());
    if (count == 0)
        return;
    const std::size_t from = size();
    CurvePoints& points = m_raw->points;
    points.x.insert(points.x.end(), x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count));
    points.y.insert(points.y.end(), y.begin(), y.begin() + static_cast<std::ptrdiff_t>(count));
    extendRaw(from);
    extendSmooth(from);
}

void CurveData::setSmoothing(Smoothing smoothing) {
    smoothing.beta = std::clamp(smoothing.beta, 0.0, 0.999999);
    if (smoothing == m_smoothing)
        return;
    m_smoothing = smoothing;
    m_smooth = new Smooth;
    extendSmooth(0);
}

void CurveData::extendRaw(std::size_t from) {
    Raw& raw = *m_raw;
    const std::vector<double>& x = raw.points.x;
    const std::vector<double>& y = raw.points.y;
    for (std::size_t i = from; i < y.size(); ++i) {
        const bool finite = std::isfinite(y[i]);
        if (!finite)
            raw.nonFiniteAt.push_back(x[i]);
        else if (y[i] <= 0.0)
            ++raw.nonPositive;
        if (x[i] > 0.0) {
            raw.smallestPositiveX = std::min(raw.smallestPositiveX, x[i]);
        } else if (finite) {
            ++raw.atNonPositiveX;
            raw.positiveAtNonPositiveX += y[i] > 0.0 ? 1 : 0;
        }
    }
    raw.points.extremes.update(y, from);
    raw.values.update(y);
}

/// New points change the centred means of those just before them, too.
void CurveData::extendSmooth(std::size_t from) {
    static std::atomic<std::uint64_t> versions = 0;
    m_version = ++versions;
    if (!smoothed())
        return;
    const Series& raw = std::as_const(m_raw)->points;
    Smooth& smooth = *m_smooth;
    std::vector<double>& y = smooth.points.y;
    smooth.points.x.insert(smooth.points.x.end(), raw.x.begin() + static_cast<std::ptrdiff_t>(from), raw.x.end());
    if (const std::size_t half = m_smoothing.half; half > 0) {
        const std::size_t changed = from - std::min(from, half);
        const std::size_t seen = changed - std::min(changed, half);
        const std::vector<double> means = centredMean(std::span(raw.y).subspan(seen), half);
        y.resize(changed);
        y.insert(y.end(), means.begin() + static_cast<std::ptrdiff_t>(changed - seen), means.end());
        smooth.points.extremes.update(y, changed);
        return;
    }
    // The recurrence of debiasedEma (core/analysis/series.cpp), continued where the last call ended.
    const double beta = m_smoothing.beta;
    for (std::size_t i = from; i < raw.size(); ++i) {
        const double value = raw.y[i];
        if (!std::isfinite(value)) {
            y.push_back(value);
            continue;
        }
        smooth.weight = beta * smooth.weight + (1.0 - beta);
        smooth.average += (1.0 - beta) / smooth.weight * (value - smooth.average);
        y.push_back(smooth.average);
    }
    smooth.points.extremes.update(y, from);
}

IndexRange pointsInside(const Series& series, const AxisRange& x) {
    const auto begin = std::lower_bound(series.x.begin(), series.x.end(), x.lower);
    const auto end = std::upper_bound(begin, series.x.end(), x.upper);
    return {static_cast<std::size_t>(std::distance(series.x.begin(), begin)),
            static_cast<std::size_t>(std::distance(series.x.begin(), end))};
}

Series visiblePoints(const Series& series, const AxisRange& x, std::size_t columns, bool logX, bool logY) {
    IndexRange inside = pointsInside(series, x);
    const bool hides = logY && std::any_of(series.y.begin() + static_cast<std::ptrdiff_t>(inside.begin),
                                           series.y.begin() + static_cast<std::ptrdiff_t>(inside.end),
                                           [](double y) { return !(y > 0.0); });
    const bool few = inside.end - inside.begin < 4 * columns;
    if (!few && !logX && !hides)
        return thinMinMax(series, x.lower, x.upper, columns);

    inside.begin -= inside.begin > 0 ? 1 : 0;
    inside.end += inside.end < series.size() ? 1 : 0;
    Series part;
    part.x.assign(series.x.begin() + static_cast<std::ptrdiff_t>(inside.begin),
                  series.x.begin() + static_cast<std::ptrdiff_t>(inside.end));
    part.y.assign(series.y.begin() + static_cast<std::ptrdiff_t>(inside.begin),
                  series.y.begin() + static_cast<std::ptrdiff_t>(inside.end));
    if (logX && !part.x.empty() && part.x.front() <= 0.0) { // x ascends: only the first points can be <= 0
        const auto positive = std::upper_bound(part.x.begin(), part.x.end(), 0.0) - part.x.begin();
        part.x.erase(part.x.begin(), part.x.begin() + positive);
        part.y.erase(part.y.begin(), part.y.begin() + positive);
    }
    if (logY)
        std::replace_if(
            part.y.begin(), part.y.end(), [](double y) { return !(y > 0.0); }, kGap);
    if (few)
        return part;
    if (!logX)
        return thinMinMax(part, x.lower, x.upper, columns);
    std::transform(part.x.begin(), part.x.end(), part.x.begin(), [](double value) { return std::log10(value); });
    Series thinned = thinMinMax(part, std::log10(x.lower), std::log10(x.upper), columns);
    std::transform(thinned.x.begin(), thinned.x.end(), thinned.x.begin(),
                   [](double value) { return std::pow(10.0, value); });
    return thinned;
}

Series visiblePoints(const CurvePoints& points, const AxisRange& x, std::size_t columns, bool logX, bool logY) {
    const IndexRange inside = pointsInside(points, x);
    const bool few = inside.end - inside.begin < 4 * columns;
    if (few || (logX && x.lower <= 0.0))
        return visiblePoints(static_cast<const Series&>(points), x, columns, logX, logY);
    if (logY) {
        const std::size_t lowest = points.extremes.of(points.y, inside.begin, inside.end).minimum;
        if (lowest != Extremes::none && points.y[lowest] <= 0.0)
            return visiblePoints(static_cast<const Series&>(points), x, columns, logX, logY);
    }
    return thinMinMax(points, points.extremes, x.lower, x.upper, columns, logX);
}

Series clippedLine(const Series& line, const AxisRange& x, const AxisRange& y) {
    Series out;
    const auto add = [&out](double px, double py) {
        if (!out.x.empty() && out.x.back() == px &&
            (out.y.back() == py || (std::isnan(out.y.back()) && std::isnan(py))))
            return;
        out.x.push_back(px);
        out.y.push_back(py);
    };
    if (line.size() == 1 && x.lower <= line.x[0] && line.x[0] <= x.upper && y.lower <= line.y[0] &&
        line.y[0] <= y.upper)
        return line;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const double ax = line.x[i], ay = line.y[i], bx = line.x[i + 1], by = line.y[i + 1];
        double from = 0.0;
        double to = 1.0;
        if (!std::isfinite(ay) || !std::isfinite(by) || !clipSegment(ax, ay, bx, by, x, y, from, to)) {
            if (!out.x.empty())
                add(out.x.back(), kGap);
            continue;
        }
        if (from > 0.0 && !out.x.empty())
            add(out.x.back(), kGap);
        add(ax + (bx - ax) * from, ay + (by - ay) * from);
        add(ax + (bx - ax) * to, ay + (by - ay) * to);
    }
    return out;
}

} // namespace accumulus::ui
