// SPDX-License-Identifier: GPL-3.0-or-later
// The points of one curve with their smoothed twin, kept up to date point by point: appending costs only the new
// points. Values only, implicitly shared: a copy costs nothing and may be read by another thread while this one goes
// on; the first change of one that has copies copies what it changes.
#pragma once

#include "core/analysis/series.h"
#include "core/analysis/series_index.h"

#include <QSharedData>
#include <QSharedDataPointer>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace accumulus::ui {

/// A visible interval of an axis. A logarithmic one has lower > 0.
struct AxisRange {
    double lower = std::numeric_limits<double>::infinity();
    double upper = -std::numeric_limits<double>::infinity();
    [[nodiscard]] bool valid() const { return lower <= upper; }
    void include(double value);
    void include(const AxisRange& other);
    bool operator==(const AxisRange&) const = default;
};

/// None, the debiased EMA, or the centred mean; of all points, never of thinned ones.
struct Smoothing {
    double beta = 0.0;        ///< of the EMA; 0: none
    std::size_t half = 0;     ///< of the centred mean: points at each side; 0: none
    std::int64_t samples = 0; ///< that the mean spans, for the legend
    [[nodiscard]] bool any() const { return beta > 0.0 || half > 0; }
    bool operator==(const Smoothing&) const = default;
};

/// Points, and where the extremes of each stretch lie.
struct CurvePoints : Series {
    ExtremesIndex extremes; ///< of y
};

class CurveData {
public:
    CurveData() : m_raw(new Raw), m_smooth(new Smooth) {}

    void assign(Series series); ///< x ascending
    void append(std::span<const double> x, std::span<const double> y);
    /// The EMA equals, bit for bit, debiasedEma of the whole series. Copies keep the points in common.
    void setSmoothing(Smoothing smoothing);
    void setSmoothing(double beta) { setSmoothing(Smoothing{.beta = beta}); }

    [[nodiscard]] const CurvePoints& raw() const { return m_raw->points; }
    [[nodiscard]] const Smoothing& smoothing() const { return m_smoothing; }
    [[nodiscard]] bool smoothed() const { return m_smoothing.any(); }
    /// The smoothed series, or the raw one without smoothing.
    [[nodiscard]] const CurvePoints& front() const { return smoothed() ? m_smooth->points : m_raw->points; }
    [[nodiscard]] const ValueIndex& values() const { return m_raw->values; } ///< of the raw points
    [[nodiscard]] std::size_t size() const { return m_raw->points.size(); }
    [[nodiscard]] std::size_t nonPositive() const { return m_raw->nonPositive; } ///< finite raw values <= 0
    /// Finite raw values at x <= 0: all of them, and those that are positive themselves.
    [[nodiscard]] std::size_t atNonPositiveX() const { return m_raw->atNonPositiveX; }
    [[nodiscard]] std::size_t positiveAtNonPositiveX() const { return m_raw->positiveAtNonPositiveX; }
    [[nodiscard]] const std::vector<double>& nonFiniteAt() const { return m_raw->nonFiniteAt; } ///< x of gaps
    /// Infinity when there is none.
    [[nodiscard]] double smallestPositiveX() const { return m_raw->smallestPositiveX; }
    /// Of these points and this smoothing; no curve with others ever has the same.
    [[nodiscard]] std::uint64_t version() const { return m_version; }

private:
    struct Raw : QSharedData {
        CurvePoints points;
        ValueIndex values;
        std::size_t nonPositive = 0;
        std::size_t atNonPositiveX = 0, positiveAtNonPositiveX = 0;
        std::vector<double> nonFiniteAt;
        double smallestPositiveX = std::numeric_limits<double>::infinity();
    };
    struct Smooth : QSharedData {
        CurvePoints points;   ///< none without smoothing
        double weight = 0.0;  ///< 1 - beta^t of the points so far
        double average = 0.0; ///< smoothed value of the last point
    };
    void extendRaw(std::size_t from);
    void extendSmooth(std::size_t from);

    QSharedDataPointer<Raw> m_raw;
    QSharedDataPointer<Smooth> m_smooth;
    Smoothing m_smoothing;
    std::uint64_t m_version = 0;
};

/// Indices [begin, end) of the points with x inside the range.
struct IndexRange {
    std::size_t begin = 0, end = 0;
    bool operator==(const IndexRange&) const = default;
};
[[nodiscard]] IndexRange pointsInside(const Series& series, const AxisRange& x);

/// What is drawn of a series: min-max thinned to `columns` pixel columns of the visible range, one more point at each
/// side. On a logarithmic x axis the columns are equal in log x; on a logarithmic y axis values <= 0 become gaps.
[[nodiscard]] Series visiblePoints(const Series& series, const AxisRange& x, std::size_t columns, bool logX, bool logY);
/// The same points by their index, without a walk over all of them. On a logarithmic y axis that would hide some it
/// walks.
[[nodiscard]] Series visiblePoints(const CurvePoints& points, const AxisRange& x, std::size_t columns, bool logX,
                                   bool logY);

/// The polyline cut to a rectangle, with gaps where it leaves it: for painters that cannot clip.
[[nodiscard]] Series clippedLine(const Series& line, const AxisRange& x, const AxisRange& y);

} // namespace accumulus::ui
