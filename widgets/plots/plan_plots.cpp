// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plan_plots.h"

#include "widgets/style/format.h"

#include <QHBoxLayout>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

constexpr int fitPoints = 48; ///< a line is a curve over log m

/// MB below a gigabyte, else GB: the unit of the axis.
double unitOf(const MicroPlan& plan) {
    std::int64_t largest = plan.memoryLimit;
    for (const MicroPoint& point : plan.points)
        largest = std::max(largest, point.peakBytes.value_or(0));
    return largest >= 1'000'000'000 ? 1e9 : 1e6;
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
    const auto rest = plan.points.begin() + static_cast<std::ptrdiff_t>(first);
    const bool all = std::none_of(rest, plan.points.end(), [](const MicroPoint& point) { return point.fits; });
    const QString micro = format::count(plan.points[first].micro);
    return all && first + 1 < plan.points.size() ? PlanPlots::tr("m ≥ %1: does not fit").arg(micro)
                                                 : PlanPlots::tr("m = %1: does not fit").arg(micro);
}

std::optional<std::size_t> firstCross(const MicroPlan& plan) {
    const auto found = std::ranges::find(plan.points, false, &MicroPoint::fits);
    return found == plan.points.end() ? std::nullopt
                                      : std::optional(static_cast<std::size_t>(found - plan.points.begin()));
}

/// The memory fit over the whole axis; it ends where it would only press the points down.
Series fitCurve(const MicroPlan& plan, double lower, double upper, double unit, double top) {
    Series curve;
    if (!plan.memory || plan.points.empty())
        return curve;
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
    // Air on both sides: the first and the last size have markers.
    const double lower = ticks.empty() ? 1.0 : ticks.front() / std::sqrt(2.0);
    const double upper = ticks.empty() ? 1.0 : ticks.back() * std::sqrt(2.0);
    showMemory(lower, upper);
    showSpeed();
}

void PlanPlots::showMemory(double lower, double upper) {
    const ThemeColors& colors = m_theme.colors();
    const double unit = unitOf(m_plan);
    const auto limit = static_cast<double>(m_plan.memoryLimit) / unit;
    PlotCurve points = curveOf(QStringLiteral("points"), tr("measured"), colors.accumulated);
    points.points = true;
    PlotCurve crosses = curveOf(QStringLiteral("crosses"), {}, colors.bad);
    crosses.crosses = true;
    PlotCurve fit = curveOf(QStringLiteral("fit"), tr("fit a + b m"), colors.difference);
    PlotCurve line = curveOf(QStringLiteral("limit"), tr("limit"), colors.bad);
    line.dashed = true;
    double top = limit;
    for (const MicroPoint& point : m_plan.points)
        if (point.fits && point.peakBytes) {
            points.series.x.push_back(static_cast<double>(point.micro));
            points.series.y.push_back(static_cast<double>(*point.peakBytes) / unit);
            top = std::max(top, points.series.y.back());
        }
    fit.series = fitCurve(m_plan, lower, upper, unit, top);
    if (limit > 0.0 && !m_plan.points.empty()) {
        line.series.x = {lower, upper};
        line.series.y = {limit, limit};
    }
    std::vector<PlotNote> notes;
    for (const MicroPoint& point : m_plan.points)
        if (!point.fits) {
            crosses.series.x.push_back(static_cast<double>(point.micro));
            crosses.series.y.push_back(top);
        }
    if (const auto first = firstCross(m_plan))
        notes.push_back(
            {crosses.series.x.front(), top, crossWords(m_plan, *first), colors.bad, Qt::AlignLeft | Qt::AlignBottom});
    QStringList words;
    if (!points.series.x.empty())
        words << tr("%1 sizes measured, from %2 to %3")
                     .arg(format::count(static_cast<qint64>(points.series.size())),
                          format::bytes(std::llround(points.series.y.front() * unit)),
                          format::bytes(std::llround(points.series.y.back() * unit)));
    if (m_plan.memoryLimit > 0)
        words << tr("limit %1").arg(format::bytes(m_plan.memoryLimit));
    if (!notes.empty())
        words << notes.front().text;
    m_memory->setSummary(words.isEmpty() ? QString()
                                         : QStringLiteral("%1: %2").arg(tr("Peak memory"), words.join(tr("; "))));
    m_memory->setNotes(std::move(notes));
    m_memory->setCurves({std::move(line), std::move(fit), std::move(points), std::move(crosses)});
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
        PlotCurve mark = curveOf(QStringLiteral("knee"), tr("95 % of the best"), colors.difference);
        mark.dashed = true;
        mark.series = {{m, m}, {0.0, *at.samplesPerSecond}};
        curves.push_back(std::move(mark));
        const bool right = *knee * 2 >= m_plan.points.size();
        notes.push_back({m, 0.5 * *at.samplesPerSecond, tr("m = %1: 95 % of the best").arg(format::count(at.micro)),
                         colors.text, right ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter});
        words << tr("best %1 at m = %2")
                     .arg(format::rate(*m_plan.points[*best].samplesPerSecond),
                          format::count(m_plan.points[*best].micro))
              << tr("95 % of it from m = %1 on").arg(format::count(at.micro));
    }
    if (const auto first = firstCross(m_plan)) {
        notes.push_back({static_cast<double>(m_plan.points[*first].micro), crossHeight, crossWords(m_plan, *first),
                         colors.bad, Qt::AlignLeft | Qt::AlignTop});
        words << notes.back().text;
    }
    m_speed->setZeroLine(true);
    m_speed->setSummary(words.isEmpty() ? QString() : QStringLiteral("%1: %2").arg(tr("Speed"), words.join(tr("; "))));
    m_speed->setNotes(std::move(notes));
    m_speed->setCurves(std::move(curves));
}

} // namespace accumulus::ui
