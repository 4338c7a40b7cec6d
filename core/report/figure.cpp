// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/figure.h"

#include "core/report/axis.h"
#include "core/report/free_corner.h"
#include "core/report/legend.h"
#include "core/report/report_words.h"
#include "core/report/svg_canvas.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace accumulus {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double titleSize = 13.0;
constexpr double axisTitleSize = 12.0;
constexpr double tickSize = 11.0;
constexpr double bandOpacity = 0.18;
constexpr std::size_t fewPoints = 30; ///< up to here each point gets a marker

struct Range {
    double lower = infinity, upper = -infinity;
    void add(double value) {
        lower = std::min(lower, value);
        upper = std::max(upper, value);
    }
};

bool drawable(double x, double y, bool logarithmic) {
    return std::isfinite(x) && std::isfinite(y) && (!logarithmic || y > 0.0);
}

struct Ranges {
    Range x, y;
};

Ranges dataRanges(const FigureSpec& figure) {
    Ranges ranges;
    const auto add = [&](const std::vector<double>& x, const std::vector<double>& y) {
        for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
            if (drawable(x[i], y[i], figure.logY)) {
                ranges.x.add(x[i]);
                ranges.y.add(y[i]);
            }
    };
    for (const FigureCurve& curve : figure.curves)
        add(curve.points.x, curve.points.y);
    for (const FigureBand& band : figure.bands) {
        add(band.x, band.lower);
        add(band.x, band.upper);
    }
    if (figure.logY)
        return ranges;
    if (figure.zeroLine && std::isfinite(*figure.zeroLine))
        ranges.y.add(*figure.zeroLine);
    if (figure.marginBand && std::isfinite(*figure.marginBand)) {
        ranges.y.add(*figure.marginBand);
        ranges.y.add(-*figure.marginBand);
    }
    return ranges;
}

/// Where the data are drawn, and how values become places.
struct Frame {
    Box plot;
    Axis x, y;
    [[nodiscard]] Point place(double atX, double atY) const {
        const auto inside = [](double position) { return std::clamp(position, 0.0, 1.0); };
        return {plot.left + inside(x.position(atX)) * plot.width,
                plot.bottom() - inside(y.position(atY)) * plot.height};
    }
    [[nodiscard]] double level(double value) const { return place(x.lower, value).y; }
    /// One point in four per user unit: finer than any screen or printer shows at this size.
    [[nodiscard]] std::size_t columns() const { return static_cast<std::size_t>(std::max(plot.width, 1.0)); }
};

double widestLabel(const Axis& axis) {
    double width = 0.0;
    for (const Tick& tick : axis.ticks)
        width = std::max(width, textWidth(tick.label, tickSize));
    return width;
}

void setYTicks(Frame& frame) { setTicks(frame.y, static_cast<int>(frame.plot.height / 32.0), false); }

Frame makeFrame(const FigureSpec& figure) {
    Ranges ranges = dataRanges(figure);
    // Curves over samples start soon after 0: the axis then starts at 0. So it does around a single evaluation.
    if (ranges.x.lower > 0.0 && (ranges.x.lower < 0.05 * ranges.x.upper || ranges.x.lower == ranges.x.upper))
        ranges.x.lower = 0.0;
    Frame frame;
    frame.x = makeAxis(ranges.x.lower, ranges.x.upper, false, 0.0);
    frame.y = makeAxis(ranges.y.lower, ranges.y.upper, figure.logY, 0.05);
    const double top = figure.title.empty() ? 12.0 : 34.0;
    const double bottom = figure.xTitle.empty() ? 26.0 : 46.0;
    frame.plot = {0.0, top, 0.0, std::max(figure.height - top - bottom, 20.0)};
    setYTicks(frame);
    frame.plot.left = 12.0 + (figure.yTitle.empty() ? 0.0 : 20.0) + widestLabel(frame.y);
    setTicks(frame.x, 6, true);
    const double label = widestLabel(frame.x);
    frame.plot.width = std::max(figure.width - frame.plot.left - std::max(14.0, 0.5 * label + 4.0), 20.0);
    setTicks(frame.x, std::clamp(static_cast<int>(frame.plot.width / (label + 30.0)), 1, 10), true);
    return frame;
}

/// A curve in places: one list of points for each piece between gaps.
using Pieces = std::vector<std::vector<Point>>;

Pieces curvePieces(const Series& raw, const Frame& frame) {
    const std::size_t points = std::min(raw.x.size(), raw.y.size());
    Series visible;
    visible.x.reserve(points);
    visible.y.reserve(points);
    for (std::size_t i = 0; i < points; ++i)
        if (std::isfinite(raw.x[i])) {
            visible.x.push_back(raw.x[i]);
            visible.y.push_back(drawable(raw.x[i], raw.y[i], frame.y.logarithmic)
                                    ? raw.y[i]
                                    : std::numeric_limits<double>::quiet_NaN());
        }
    const Series thin = thinMinMax(visible, frame.x.lower, frame.x.upper, frame.columns());
    Pieces pieces(1);
    for (std::size_t i = 0; i < thin.size(); ++i) {
        if (std::isfinite(thin.y[i]))
            pieces.back().push_back(frame.place(thin.x[i], thin.y[i]));
        else if (!pieces.back().empty())
            pieces.emplace_back();
    }
    if (pieces.back().empty())
        pieces.pop_back();
    return pieces;
}

/// A column of a band: everything between the lowest and the highest of its points.
struct BandColumn {
    double x = 0.0, lower = 0.0, upper = 0.0;
};

/// Outline pieces of a band; dense bands are merged column by column, so that their widest places stay.
std::vector<std::vector<BandColumn>> bandPieces(const FigureBand& band, const Frame& frame) {
    const std::size_t points = std::min({band.x.size(), band.lower.size(), band.upper.size()});
    const bool dense = points > 2 * frame.columns();
    std::vector<std::vector<BandColumn>> pieces(1);
    double lastColumn = -1.0;
    for (std::size_t i = 0; i < points; ++i) {
        if (!drawable(band.x[i], band.upper[i], frame.y.logarithmic) || !std::isfinite(band.lower[i])) {
            if (!pieces.back().empty())
                pieces.emplace_back();
            continue;
        }
        const double lower = frame.y.logarithmic && band.lower[i] <= 0.0 ? frame.y.lower : band.lower[i];
        const Point low = frame.place(band.x[i], lower);
        const double upper = frame.level(band.upper[i]);
        const double column = std::floor(low.x);
        auto& piece = pieces.back();
        if (dense && !piece.empty() && column == lastColumn) {
            piece.back().lower = std::max(piece.back().lower, low.y);
            piece.back().upper = std::min(piece.back().upper, upper);
        } else {
            piece.push_back({low.x, low.y, upper});
        }
        lastColumn = column;
    }
    return pieces;
}

/// Upright lines through a band, near enough to each other that no legend fits between two.
void addBandObstacles(const std::vector<BandColumn>& piece, std::vector<Obstacle>& all) {
    for (std::size_t i = 0; i < piece.size(); ++i) {
        const BandColumn& from = piece[i > 0 ? i - 1 : 0];
        const BandColumn& to = piece[i];
        const double parts = std::ceil((to.x - from.x) / 20.0) + 1.0;
        for (double part = 1.0; part <= parts; ++part) {
            const double t = part / parts;
            const double x = std::lerp(from.x, to.x, t);
            all.push_back({{x, std::lerp(from.lower, to.lower, t)}, {x, std::lerp(from.upper, to.upper, t)}});
        }
    }
}

std::vector<Obstacle> obstacles(const FigureSpec& figure, const Frame& frame) {
    std::vector<Obstacle> all;
    for (const FigureCurve& curve : figure.curves)
        for (const auto& piece : curvePieces(curve.points, frame))
            for (std::size_t i = 0; i < piece.size(); ++i)
                all.push_back({piece[i > 0 ? i - 1 : 0], piece[i]});
    for (const FigureBand& band : figure.bands)
        for (const auto& piece : bandPieces(band, frame))
            addBandObstacles(piece, all);
    if (figure.marginBand && !figure.logY)
        for (const double edge : {-*figure.marginBand, *figure.marginBand})
            all.push_back({{frame.plot.left, frame.level(edge)}, {frame.plot.right(), frame.level(edge)}});
    return all;
}

std::vector<LegendEntry> legendEntries(const FigureSpec& figure) {
    std::vector<LegendEntry> entries;
    for (const FigureCurve& curve : figure.curves)
        if (!curve.label.empty())
            entries.push_back({curve.label, curve.colour, curve.dashed, curve.opacity, curve.width, false});
    if (figure.marginBand && !figure.logY)
        entries.push_back({say("margin ±{:.6g}", *figure.marginBand), colours::secondary, false, 0.16, 1.0, true});
    return entries;
}

void drawAxes(SvgCanvas& svg, const FigureSpec& figure, const Frame& frame) {
    const Box& plot = frame.plot;
    for (const Tick& tick : frame.x.ticks) {
        const double x = frame.place(tick.value, frame.y.lower).x;
        svg.line({x, plot.top}, {x, plot.bottom()}, colours::grid, 1.0);
        svg.text({x, plot.bottom() + 15.0}, tick.label, tickSize, Anchor::Middle, colours::secondary);
    }
    for (const Tick& tick : frame.y.ticks) {
        const double y = frame.level(tick.value);
        svg.line({plot.left, y}, {plot.right(), y}, colours::grid, 1.0);
        svg.text({plot.left - 6.0, y + 4.0}, tick.label, tickSize, Anchor::End, colours::secondary);
    }
    if (!figure.title.empty())
        svg.text({plot.left, 21.0}, fitText(figure.title, plot.width, titleSize), titleSize, Anchor::Start,
                 colours::text, true);
    if (!figure.xTitle.empty())
        svg.text({plot.left + plot.width / 2.0, figure.height - 10.0},
                 fitText(figure.xTitle, plot.width, axisTitleSize), axisTitleSize, Anchor::Middle, colours::text);
    if (!figure.yTitle.empty()) {
        const std::string factor = frame.y.factor.empty() ? "" : " (" + frame.y.factor + ")";
        const double room = figure.height - 8.0 - textWidth(factor, axisTitleSize);
        svg.text({17.0, plot.top + plot.height / 2.0}, fitText(figure.yTitle, room, axisTitleSize) + factor,
                 axisTitleSize, Anchor::Middle, colours::text, false, -90.0);
    } else if (!frame.y.factor.empty()) {
        svg.text({plot.left, plot.top - 3.0}, frame.y.factor, tickSize, Anchor::Start, colours::secondary);
    }
}

void drawBands(SvgCanvas& svg, const FigureSpec& figure, const Frame& frame) {
    if (figure.marginBand && std::isfinite(*figure.marginBand) && !figure.logY) {
        const double top = frame.level(std::abs(*figure.marginBand));
        const double bottom = frame.level(-std::abs(*figure.marginBand));
        svg.rect({frame.plot.left, top, frame.plot.width, bottom - top}, colours::secondary, "none", 0.10);
        for (const double y : {top, bottom})
            svg.line({frame.plot.left, y}, {frame.plot.right(), y}, colours::frame, 1.0, "2,3");
    }
    for (const FigureBand& band : figure.bands)
        for (const auto& piece : bandPieces(band, frame)) {
            std::vector<Point> outline;
            for (const BandColumn& column : piece)
                outline.push_back({column.x, column.upper});
            for (auto column = piece.rbegin(); column != piece.rend(); ++column)
                outline.push_back({column->x, column->lower});
            if (piece.size() > 1)
                svg.polygon(outline, band.colour, bandOpacity);
            else if (piece.size() == 1)
                svg.rect({outline[0].x - 1.0, outline[0].y, 2.0, outline[1].y - outline[0].y}, band.colour, "none",
                         bandOpacity);
        }
    if (figure.zeroLine && std::isfinite(*figure.zeroLine) && !figure.logY) {
        const double y = frame.level(*figure.zeroLine);
        svg.line({frame.plot.left, y}, {frame.plot.right(), y}, colours::zero, 1.0);
    }
}

/// True when something was drawn.
bool drawCurves(SvgCanvas& svg, const FigureSpec& figure, const Frame& frame) {
    bool any = false;
    for (const FigureCurve& curve : figure.curves) {
        const bool markers = curve.points.size() <= fewPoints;
        for (const auto& piece : curvePieces(curve.points, frame)) {
            any = true;
            if (piece.size() > 1)
                svg.polyline(piece, curve.colour, curve.width, curve.dashed, curve.opacity);
            if (!markers && piece.size() > 1)
                continue;
            for (const Point& point : piece)
                svg.circle(point, std::max(2.5, curve.width), curve.dashed ? "#FFFFFF" : curve.colour, curve.colour,
                           curve.width, curve.opacity);
        }
    }
    return any || !figure.bands.empty();
}

} // namespace

std::string figureSvg(const FigureSpec& figure) {
    SvgCanvas svg(figure.width, figure.height, figure.description);
    svg.rect({0.0, 0.0, figure.width, figure.height}, "#FFFFFF");
    Frame frame = makeFrame(figure);
    Legend legend(legendEntries(figure), frame.plot.width, false);
    std::optional<Point> corner =
        legend.empty() ? std::nullopt
                       : freeCorner(frame.plot, legend.width(), legend.height(), obstacles(figure, frame));
    if (!legend.empty() && !corner) { // no free corner: rows above the curves
        legend = Legend(legendEntries(figure), frame.plot.width, true);
        frame.y.addHeadroom(std::min(0.5, (legend.height() + 6.0) / frame.plot.height));
        setYTicks(frame);
        corner = Point{frame.plot.left + 4.0, frame.plot.top + 2.0};
    }
    drawAxes(svg, figure, frame);
    drawBands(svg, figure, frame);
    const bool any = drawCurves(svg, figure, frame);
    svg.rect(frame.plot, "none", colours::frame);
    if (!any)
        svg.text({frame.plot.left + frame.plot.width / 2.0, frame.plot.top + frame.plot.height / 2.0}, say("No data"),
                 axisTitleSize, Anchor::Middle, colours::secondary);
    if (corner)
        legend.draw(svg, *corner);
    return svg.finish();
}

} // namespace accumulus
