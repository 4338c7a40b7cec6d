// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plan_plots.h"

#include "widgets/style/format.h"

#include <QHBoxLayout>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

namespace accumulus::ui {

namespace {

constexpr int fitPoints = 48;     ///< a line is a curve over log m
constexpr double limitNear = 2.5; ///< a limit beyond so many times the largest peak would press the points to the axis

double largestPeak(const MicroPlan& plan) {
    double largest = 0.0;
    for (const MicroPoint& point : plan.points)
        if (point.fits && point.peakBytes)
            largest = std::max(largest, static_cast<double>(*point.peakBytes));
    return largest;
}

/// Is the limit drawn, as a line? Where a size lacks memory it is near, whatever the others took.
bool drawsLimit(const MicroPlan& plan) {
    return plan.memoryLimit > 0 && (std::ranges::any_of(plan.points, lacksMemory) ||
                                    static_cast<double>(plan.memoryLimit) <= limitNear * largestPeak(plan));
}

/// MB below a gigabyte, else GB: the unit of the axis.
double unitOf(const MicroPlan& plan) {
    const double limit = drawsLimit(plan) ? static_cast<double>(plan.memoryLimit) : 0.0;
    return std::max(limit, largestPeak(plan)) >= 1e9 ? 1e9 : 1e6;
}

PlotCurve curveOf(const QString& id, const QString& label, const QColor& color) {
    PlotCurve curve;
    curve.id = id;
    curve.label = label;
    curve.color = color;
    return curve;
}

/// Words for the first cross; where no larger size fits either they speak for all of them.
QString crossWords(const MicroPlan& plan, std::size_t first) {
    const QString micro = format::count(plan.points[first].micro);
    if (!lacksMemory(plan.points[first])) // why stands in the table
        return PlanPlots::tr("m = %1: cannot be trained").arg(micro);
    const auto rest = plan.points.begin() + static_cast<std::ptrdiff_t>(first);
    const bool all = std::none_of(rest, plan.points.end(), [](const MicroPoint& point) { return point.fits; });
    return all && first + 1 < plan.points.size() ? PlanPlots::tr("m ≥ %1: does not fit").arg(micro)
                                                 : PlanPlots::tr("m = %1: does not fit").arg(micro);
}

/// The first size that lacks memory, and the first that fails for another reason, where there are such.
std::vector<std::size_t> toldCrosses(const MicroPlan& plan) {
    std::vector<std::size_t> told;
    for (const bool memory : {true, false}) {
        const auto isIt = [memory](const MicroPoint& point) { return !point.fits && lacksMemory(point) == memory; };
        if (const auto found = std::ranges::find_if(plan.points, isIt); found != plan.points.end())
            told.push_back(static_cast<std::size_t>(found - plan.points.begin()));
    }
    return told;
}

/// Into the panel, not over its edge.
Qt::Alignment sideOf(const MicroPlan& plan, std::size_t point) {
    return point * 2 < plan.points.size() ? Qt::AlignRight : Qt::AlignLeft;
}

/// The memory fit over the sizes that it speaks of; it ends where it would only press the points down.
Series fitCurve(const MicroPlan& plan, double unit, double top) {
    Series curve;
    const auto lanes = fittedLanes(plan.points);
    const auto line = memoryLine(plan.points);
    if (!plan.memory || !lanes || !line)
        return curve;
    const auto isFitted = [&](const MicroPoint& point) {
        return point.fits && point.peakBytes && computingLanes(point) == *lanes;
    };
    const auto first = std::ranges::find_if(plan.points, isFitted);
    const auto behind = std::find_if(plan.points.rbegin(), plan.points.rend(), isFitted).base();
    // Beyond the last one it promises what was not measured.
    const auto end = std::find_if(behind, plan.points.end(), [](const MicroPoint& point) { return point.fits; });
    const double lower = static_cast<double>(std::max(first->micro, line->from)) / std::sqrt(2.0);
    const double upper = static_cast<double>(std::prev(end)->micro) * std::sqrt(2.0);
    for (int i = 0; i <= fitPoints; ++i) {
        const double m = lower * std::pow(upper / lower, static_cast<double>(i) / fitPoints);
        const double y = (plan.memory->a + plan.memory->b * m) / unit;
        if (top > 0.0 && y > 1.25 * top)
            break;
        curve.x.push_back(m);
        curve.y.push_back(y);
    }
    return curve;
}

/// So that the axis has air on both sides, whatever is drawn: markers stand at the first and the last size.
void widen(PlotCurve& curve, double lower, double upper) {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    curve.series.x.insert(curve.series.x.begin(), lower);
    curve.series.y.insert(curve.series.y.begin(), nothing);
    curve.series.x.push_back(upper);
    curve.series.y.push_back(nothing);
    curve.gapsAreNoFault = true;
}

/// A curve for each number of lanes that compute: more of them hold more activations, so they lie on other lines.
std::vector<PlotCurve> peakCurves(const MicroPlan& plan, double unit, const QColor& color) {
    std::map<std::int64_t, Series> byLanes;
    for (const MicroPoint& point : plan.points)
        if (point.fits && point.peakBytes) {
            Series& series = byLanes[computingLanes(point)];
            series.x.push_back(static_cast<double>(point.micro));
            series.y.push_back(static_cast<double>(*point.peakBytes) / unit);
        }
    std::vector<PlotCurve> curves;
    for (auto& [lanes, series] : byLanes) {
        PlotCurve curve =
            curveOf(QStringLiteral("points%1").arg(lanes),
                    byLanes.size() > 1 ? PlanPlots::tr("measured, %n lane(s)", nullptr, static_cast<int>(lanes))
                                       : PlanPlots::tr("measured"),
                    color);
        curve.points = true;
        curve.triangles = lanes != byLanes.rbegin()->first;
        curve.series = std::move(series);
        curves.push_back(std::move(curve));
    }
    return curves;
}

} // namespace

PlanPlots::PlanPlots(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_memory(new PlotView(theme, this)), m_speed(new PlotView(theme, this)) {
    m_memory->setObjectName(QStringLiteral("plannerMemoryPlot"));
    m_speed->setObjectName(QStringLiteral("plannerSpeedPlot"));
    m_memory->setLegendAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_speed->setLegendVisible(false);
    m_memory->linkWith({m_speed});
    m_memory->setLogX(true);
    for (PlotView* plot : {m_memory, m_speed})
        plot->setShowAll(true); // few points, none of them an outlier
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::l);
    row->addWidget(m_memory, 1);
    row->addWidget(m_speed, 1);
    connect(&theme, &Theme::changed, this, &PlanPlots::refresh);
    refresh();
}

void PlanPlots::showPlan(const MicroPlan& plan) {
    m_plan = plan;
    refresh();
}

void PlanPlots::refresh() {
    m_memory->setTitle(tr("Peak memory"));
    m_memory->setAxisTitles(tr("micro-batch m"),
                            unitOf(m_plan) > 1e8 ? tr("peak memory (GB)") : tr("peak memory (MB)"));
    m_speed->setTitle(tr("Speed"));
    m_speed->setAxisTitles(tr("micro-batch m"), tr("samples per second"));
    std::vector<double> ticks;
    for (const MicroPoint& point : m_plan.points)
        ticks.push_back(static_cast<double>(point.micro));
    for (PlotView* plot : {m_memory, m_speed})
        plot->setXTicks(ticks);
    const double lower = ticks.empty() ? 1.0 : ticks.front() / std::sqrt(2.0);
    const double upper = ticks.empty() ? 1.0 : ticks.back() * std::sqrt(2.0);
    showMemory(lower, upper);
    showSpeed();
}

void PlanPlots::showMemory(double lower, double upper) {
    const ThemeColors& colors = m_theme.colors();
    const double unit = unitOf(m_plan);
    const double limit = drawsLimit(m_plan) ? static_cast<double>(m_plan.memoryLimit) / unit : 0.0;
    const double top = std::max(limit, largestPeak(m_plan) / unit);
    std::vector<PlotCurve> peaks = peakCurves(m_plan, unit, colors.accumulated);
    PlotCurve fit = curveOf(QStringLiteral("fit"), {}, colors.difference);
    fit.series = fitCurve(m_plan, unit, top);
    if (!fit.series.x.empty())
        fit.label = peaks.size() > 1
                        ? tr("fit of %n lane(s)", nullptr, static_cast<int>(fittedLanes(m_plan.points).value_or(0)))
                        : tr("fit a + b m");
    if (!m_plan.points.empty())
        widen(fit, lower, upper);
    PlotCurve line = curveOf(QStringLiteral("limit"), tr("limit"), colors.bad);
    line.dashed = true;
    std::vector<PlotCurve> curves;
    if (limit > 0.0) {
        line.series = {{lower, upper}, {limit, limit}};
        curves.push_back(std::move(line));
    }
    PlotCurve crosses = curveOf(QStringLiteral("crosses"), {}, colors.bad);
    crosses.crosses = true;
    for (const MicroPoint& point : m_plan.points)
        if (lacksMemory(point)) { // of other failures nothing is known about memory
            crosses.series.x.push_back(static_cast<double>(point.micro));
            crosses.series.y.push_back(top);
        }
    std::vector<PlotNote> notes;
    bool crossesLeft = false;
    for (const std::size_t told : toldCrosses(m_plan))
        if (lacksMemory(m_plan.points[told])) {
            const Qt::Alignment side = sideOf(m_plan, told);
            crossesLeft = side == Qt::AlignRight;
            notes.push_back(
                {crosses.series.x.front(), top, crossWords(m_plan, told), colors.bad, side | Qt::AlignBottom});
        }
    if (limit <= 0.0 && m_plan.memoryLimit > 0 && top > 0.0)
        notes.push_back({std::sqrt(lower * upper), top, tr("limit %1 ↑").arg(format::bytes(m_plan.memoryLimit)),
                         colors.secondary, Qt::AlignRight | Qt::AlignBottom});
    m_memory->setLegendAlignment(crossesLeft ? Qt::AlignBottom | Qt::AlignRight : Qt::AlignTop | Qt::AlignLeft);
    m_memory->setSummary(memorySummary());
    m_memory->setNotes(std::move(notes));
    curves.push_back(std::move(fit));
    std::ranges::move(peaks, std::back_inserter(curves));
    curves.push_back(std::move(crosses));
    m_memory->setCurves(std::move(curves));
}

QString PlanPlots::memorySummary() const {
    QStringList words;
    std::vector<std::int64_t> peaks;
    for (const MicroPoint& point : m_plan.points)
        if (point.fits && point.peakBytes)
            peaks.push_back(*point.peakBytes);
    if (!peaks.empty())
        words << tr("%1 sizes measured, from %2 to %3")
                     .arg(format::count(static_cast<qint64>(peaks.size())), format::bytes(peaks.front()),
                          format::bytes(peaks.back()));
    if (m_plan.memoryLimit > 0)
        words << tr("limit %1").arg(format::bytes(m_plan.memoryLimit));
    for (const std::size_t told : toldCrosses(m_plan))
        words << crossWords(m_plan, told);
    return words.isEmpty() ? QString() : QStringLiteral("%1: %2").arg(tr("Peak memory"), words.join(tr("; ")));
}

void PlanPlots::showSpeed() {
    const ThemeColors& colors = m_theme.colors();
    const auto best = fastestPoint(m_plan.points);
    // Above the axis, which would hide the lower half of a cross.
    const double crossHeight = best ? 0.06 * *m_plan.points[*best].samplesPerSecond : 0.0;
    PlotCurve points = curveOf(QStringLiteral("points"), tr("measured"), colors.accumulated);
    points.points = true;
    PlotCurve crosses = curveOf(QStringLiteral("crosses"), {}, colors.bad);
    crosses.crosses = true;
    for (const MicroPoint& point : m_plan.points)
        if (point.fits && point.samplesPerSecond) {
            points.series.x.push_back(static_cast<double>(point.micro));
            points.series.y.push_back(*point.samplesPerSecond);
        } else if (!point.fits) {
            crosses.series.x.push_back(static_cast<double>(point.micro));
            crosses.series.y.push_back(crossHeight);
        }
    std::vector<PlotCurve> curves{points, crosses};
    std::vector<PlotNote> notes;
    QStringList words;
    const auto knee = kneePoint(m_plan.points);
    if (knee && best) {
        const MicroPoint& at = m_plan.points[*knee];
        const double m = static_cast<double>(at.micro);
        const QString micro = format::count(at.micro);
        PlotCurve mark = curveOf(QStringLiteral("knee"), tr("95 % of the best"), colors.difference);
        mark.dashed = true;
        mark.series = {{m, m}, {0.0, *at.samplesPerSecond}};
        curves.push_back(std::move(mark));
        words << tr("best %1 at m = %2")
                     .arg(format::rate(*m_plan.points[*best].samplesPerSecond),
                          format::count(m_plan.points[*best].micro))
              << tr("smallest m with 95 % of it: %1").arg(micro);
        // Beside the curve, which rises to this point and stays high behind it.
        const Qt::Alignment side = sideOf(m_plan, *knee);
        const double height = side == Qt::AlignLeft ? 1.03 : 0.3;
        notes.push_back({m, height * *at.samplesPerSecond, tr("m = %1 reaches 95 % of the best").arg(micro),
                         colors.text, side | Qt::AlignVCenter});
    }
    for (const std::size_t told : toldCrosses(m_plan)) {
        const MicroPoint& point = m_plan.points[told];
        notes.push_back({static_cast<double>(point.micro), crossHeight, crossWords(m_plan, told), colors.bad,
                         sideOf(m_plan, told) | (lacksMemory(point) ? Qt::AlignTop : Qt::AlignVCenter)});
        words << notes.back().text;
    }
    m_speed->setZeroLine(true);
    m_speed->setSummary(words.isEmpty() ? QString() : QStringLiteral("%1: %2").arg(tr("Speed"), words.join(tr("; "))));
    m_speed->setNotes(std::move(notes));
    m_speed->setCurves(std::move(curves));
}

} // namespace accumulus::ui
