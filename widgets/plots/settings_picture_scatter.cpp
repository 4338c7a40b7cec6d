// SPDX-License-Identifier: GPL-3.0-or-later
// The metric over one setting.
#include "widgets/models/setting_axis_text.h"
#include "widgets/plots/plot_ticker.h"
#include "widgets/plots/settings_picture.h"

#include <algorithm>
#include <set>

namespace accumulus::ui {

namespace {

constexpr double kAir = 0.06;           ///< beyond the ends of an axis, as a share of it
constexpr std::size_t kMostValues = 10; ///< more values of a setting get round numbers
constexpr double kWidestShift = 10.0;
constexpr double kMeanBar = 11.0; ///< half of its width
constexpr int kPixelsPerXTick = 95;

/// Words stand in the middle of equal parts.
double airOf(const SettingAxis& axis) {
    return axis.scale == AxisScale::Words ? 0.5 / std::max(1.0, axis.upper - axis.lower) : kAir;
}

/// Share of the panel, from its left or lower end.
double shareOf(const SettingAxis& axis, double value) {
    const double air = airOf(axis);
    return (axis.placeOf(value) + air) / (1.0 + 2.0 * air);
}

/// Round numbers of what is shown, which is `factor` times the value.
std::vector<Tick> roundTicks(const SettingAxis& axis, double factor, int wanted) {
    const AxisRange shown{axis.valueAt(-kAir) * factor, axis.valueAt(1.0 + kAir) * factor};
    std::vector<Tick> ticks =
        axis.scale == AxisScale::Logarithmic ? logTicks(shown, wanted) : linearTicks(shown, wanted);
    for (Tick& tick : ticks)
        tick.value /= factor;
    return ticks;
}

std::vector<Tick> xTicks(const SettingAxes& axes, const SettingAxis& axis, int wanted) {
    std::vector<Tick> ticks;
    if (axis.scale == AxisScale::Words) {
        for (std::size_t word = 0; word < axis.examples.size(); ++word)
            ticks.push_back({static_cast<double>(word), setting_axis_text::word(axes, axis, word)});
        return ticks;
    }
    std::set<double> values;
    for (const auto& value : axis.values)
        if (value)
            values.insert(*value);
    if (values.size() > kMostValues)
        return roundTicks(axis, setting_axis_text::factor(axes, axis), wanted);
    for (const double value : values)
        ticks.push_back({value, setting_axis_text::number(axes, axis, value)});
    return ticks;
}

} // namespace

void SettingsPicture::layOutScatter() {
    const SettingAxis& metric = m_figure.axes.metric;
    const double line = m_metrics.height();
    const auto wanted = static_cast<int>(std::max(2.0, m_body.height() / (3.0 * line)));
    std::vector<Tick> ticks = roundTicks(metric, setting_axis_text::factor(m_figure.axes, metric), wanted);
    if (ticks.empty()) // all runs have the same
        ticks.push_back({metric.lower, setting_axis_text::number(m_figure.axes, metric, metric.lower)});
    double widest = 0.0;
    for (const Tick& tick : ticks)
        widest = std::max(widest, widthOf(tick.label));
    m_panel =
        m_body.adjusted(line + space::s + widest + space::s, space::s, -space::m, -(2.0 * line + space::s + space::xs));
    for (const Tick& tick : ticks)
        m_yLabels.push_back({yPixel(tick.value), tick.label});
    layOutScatterLabels();
    for (std::size_t run = 0; run < m_figure.axes.runs.size(); ++run)
        if (const auto value = m_figure.xAxis().values[run])
            m_points[run].emplace_back(
                QPointF(xPixel(*value, m_figure.axes.runs[run].group), yPixel(m_figure.axes.runs[run].metric)));
        else
            m_points[run].emplace_back();
}

/// Of the x axis: those that have room.
void SettingsPicture::layOutScatterLabels() {
    const SettingAxis& axis = m_figure.xAxis();
    const auto wanted = std::max(2, static_cast<int>(m_panel.width()) / kPixelsPerXTick);
    const std::vector<Tick> ticks = xTicks(m_figure.axes, axis, wanted);
    m_slot = m_panel.width() / static_cast<double>(std::max<std::size_t>(1, ticks.size())) - space::s;
    const bool words = axis.scale == AxisScale::Words;
    const double narrowest = 4.0 * m_metrics.averageCharWidth();
    double taken = -1.0;
    for (const Tick& tick : ticks) {
        const double at = m_panel.left() + shareOf(axis, tick.value) * m_panel.width();
        const QString text = words ? elided(tick.label, std::max(m_slot, narrowest)) : tick.label;
        const double half = widthOf(text) / 2.0;
        const bool room = at - half > taken;
        m_xLabels.push_back({at, room ? text : QString()});
        if (room)
            taken = at + half + space::xs;
    }
}

/// Of words the groups stand side by side: many runs share a place.
double SettingsPicture::xPixel(double value, std::size_t group) const {
    const SettingAxis& axis = m_figure.xAxis();
    const double at = m_panel.left() + shareOf(axis, value) * m_panel.width();
    if (axis.scale != AxisScale::Words)
        return at;
    const double slot = m_panel.width() / (axis.upper - axis.lower + 1.0);
    const auto steps = static_cast<double>(std::max<qsizetype>(2, m_figure.groups.size()) - 1);
    const double widest = std::min(kWidestShift * steps, 0.4 * slot * steps / (steps + 1.0));
    return at + (2.0 * static_cast<double>(group) / steps - 1.0) * widest;
}

double SettingsPicture::yPixel(double metric) const {
    return m_panel.bottom() - shareOf(m_figure.axes.metric, metric) * m_panel.height();
}

void SettingsPicture::paintScatter(QPainter& painter) const {
    paintScatterAxes(painter);
    paintMeans(painter);
    for (std::size_t run = 0; run < m_points.size(); ++run)
        if (m_points[run].front() && !isHighlighted(run))
            paintMark(painter, *m_points[run].front(), lookOfRun(run), false);
    if (!m_figure.highlighted || !m_points[*m_figure.highlighted].front())
        return;
    const std::size_t run = *m_figure.highlighted;
    const QPointF at = *m_points[run].front();
    paintCross(painter, at);
    paintMark(painter, at, lookOfRun(run), true);
    paintReadout(painter, at, readoutLines(m_figure, run));
}

void SettingsPicture::paintScatterAxes(QPainter& painter) const {
    const ThemeColors& colors = m_style.colors;
    const double line = m_metrics.height();
    constexpr int centred = static_cast<int>(Qt::AlignCenter) | Qt::TextDontClip;
    for (const Label& label : m_yLabels) {
        painter.setPen(QPen(colors.grid, 1.0));
        painter.drawLine(QPointF(m_panel.left(), label.at), QPointF(m_panel.right(), label.at));
        painter.setPen(colors.secondary);
        painter.drawText(QRectF(m_body.left(), label.at - line / 2.0, m_panel.left() - space::s - m_body.left(), line),
                         static_cast<int>(Qt::AlignRight | Qt::AlignVCenter) | Qt::TextDontClip, label.text);
    }
    for (const Label& label : m_xLabels) {
        painter.setPen(QPen(colors.axis, 1.0));
        painter.drawLine(QPointF(label.at, m_panel.bottom()), QPointF(label.at, m_panel.bottom() + space::xs));
        painter.setPen(colors.secondary);
        const double width = widthOf(label.text);
        painter.drawText(QRectF(label.at - width / 2.0, m_panel.bottom() + space::xs, width, line), centred,
                         label.text);
    }
    painter.setPen(QPen(colors.axis, 1.0));
    painter.drawLine(m_panel.bottomLeft(), m_panel.bottomRight());
    painter.drawLine(m_panel.bottomLeft(), m_panel.topLeft());
    painter.setPen(colors.secondary);
    const QString x = elided(setting_axis_text::title(m_figure.axes, m_figure.xAxis()), m_panel.width());
    painter.drawText(QRectF(m_panel.left(), m_body.bottom() - line, m_panel.width(), line), centred, x);
    painter.save();
    painter.translate(m_body.left(), m_panel.center().y());
    painter.rotate(-90.0);
    const QString y = elided(setting_axis_text::title(m_figure.axes, m_figure.axes.metric), m_panel.height());
    painter.drawText(QRectF(-m_panel.height() / 2.0, 0.0, m_panel.height(), line), centred, y);
    painter.restore();
}

void SettingsPicture::paintMeans(QPainter& painter) const {
    for (const GroupMean& mean : groupMeans(m_figure.axes, m_figure.xAxis())) {
        painter.setPen(QPen(lookOf(mean.group).color, 3.0, Qt::SolidLine, Qt::FlatCap));
        const QPointF at(xPixel(mean.value, mean.group), yPixel(mean.metric));
        painter.drawLine(at - QPointF(kMeanBar, 0.0), at + QPointF(kMeanBar, 0.0));
    }
}

void SettingsPicture::paintCross(QPainter& painter, const QPointF& at) const {
    painter.setPen(QPen(m_style.colors.secondary, 1.0, Qt::DashLine));
    painter.drawLine(QPointF(m_panel.left(), at.y()), QPointF(m_panel.right(), at.y()));
    painter.drawLine(QPointF(at.x(), m_panel.top()), QPointF(at.x(), m_panel.bottom()));
}

} // namespace accumulus::ui
