// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/curve_data.h"

#include <algorithm>
#include <cmath>
#include <iterator>

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
    m_raw = std::move(series);
    m_raw.y.resize(m_raw.x.size(), kGap);
    m_nonPositive = 0;
    m_nonFiniteAt.clear();
    m_smallestPositiveX = std::numeric_limits<double>::infinity();
    m_smooth = {};
    m_weight = m_average = 0.0;
    extend(0);
}

void CurveData::append(std::span<const double> x, std::span<const double> y) {
    const std::size_t from = m_raw.size();
    const std::size_t count = std::min(x.size(), y.size());
    m_raw.x.insert(m_raw.x.end(), x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count));
    m_raw.y.insert(m_raw.y.end(), y.begin(), y.begin() + static_cast<std::ptrdiff_t>(count));
    extend(from);
}

void CurveData::setSmoothing(Smoothing smoothing) {
    smoothing.beta = std::clamp(smoothing.beta, 0.0, 0.999999);
    if (smoothing == m_smoothing)
        return;
    m_smoothing = smoothing;
    assign(std::move(m_raw));
}

void CurveData::extend(std::size_t from) {
    static std::uint64_t versions = 0;
    m_version = ++versions;
    for (std::size_t i = from; i < m_raw.size(); ++i) {
        const double y = m_raw.y[i];
        if (!std::isfinite(y))
            m_nonFiniteAt.push_back(m_raw.x[i]);
        else if (y <= 0.0)
            ++m_nonPositive;
        if (m_raw.x[i] > 0.0)
            m_smallestPositiveX = std::min(m_smallestPositiveX, m_raw.x[i]);
    }
    if (!smoothed())
        return;
    m_smooth.x.insert(m_smooth.x.end(), m_raw.x.begin() + static_cast<std::ptrdiff_t>(from), m_raw.x.end());
    if (m_smoothing.half > 0) {
        extendMean(from);
        return;
    }
    // The recurrence of debiasedEma (core/analysis/series.cpp), continued where the last call ended.
    const double beta = m_smoothing.beta;
    for (std::size_t i = from; i < m_raw.size(); ++i) {
        const double value = m_raw.y[i];
        if (!std::isfinite(value)) {
            m_smooth.y.push_back(value);
            continue;
        }
        m_weight = beta * m_weight + (1.0 - beta);
        m_average += (1.0 - beta) / m_weight * (value - m_average);
        m_smooth.y.push_back(m_average);
    }
}

/// New points change the means of those just before them, too.
void CurveData::extendMean(std::size_t from) {
    const std::size_t half = m_smoothing.half;
    const std::size_t changed = from - std::min(from, half);
    const std::size_t seen = changed - std::min(changed, half);
    const std::vector<double> means = centredMean(std::span(m_raw.y).subspan(seen), half);
    m_smooth.y.resize(changed);
    m_smooth.y.insert(m_smooth.y.end(), means.begin() + static_cast<std::ptrdiff_t>(changed - seen), means.end());
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
