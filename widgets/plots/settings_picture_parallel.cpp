// SPDX-License-Identifier: GPL-3.0-or-later
// One upright axis for each setting and for the metric, one line for each run.
#include "widgets/models/setting_axis_text.h"
#include "widgets/plots/settings_picture.h"

#include <QTextLayout>
#include <QTextOption>
#include <algorithm>

namespace accumulus::ui {

namespace {

constexpr int kMostTitleLines = 3;
constexpr float kLineOpacity = 0.75F;
constexpr float kBehindOpacity = 0.22F; ///< while another run is highlighted

constexpr int leftFlags = static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
constexpr int centredFlags = static_cast<int>(Qt::AlignCenter) | Qt::TextDontClip;

} // namespace

void SettingsPicture::layOutParallel() {
    const double line = m_metrics.height();
    m_slot = m_body.width() / static_cast<double>(m_columns.size());
    qsizetype lines = 1;
    for (const SettingAxis* axis : m_columns)
        lines = std::max(lines, titleLines(*axis).size());
    m_titleHeight = line * static_cast<double>(lines);
    m_panel = m_body.adjusted(0.0, m_titleHeight + space::xs + line + space::xs, 0.0, -(line + space::xs));
    for (std::size_t run = 0; run < m_points.size(); ++run)
        for (std::size_t column = 0; column < m_columns.size(); ++column) {
            auto& point = m_points[run].emplace_back();
            if (const auto value = m_columns[column]->values[run])
                point =
                    QPointF(columnX(column), m_panel.bottom() - m_columns[column]->placeOf(*value) * m_panel.height());
        }
}

double SettingsPicture::columnX(std::size_t column) const {
    return m_body.left() + (static_cast<double>(column) + 0.5) * m_slot;
}

/// As wide as its column; the last line ends with dots where there is more.
QStringList SettingsPicture::titleLines(const SettingAxis& axis) const {
    const QString text = setting_axis_text::title(m_figure.axes, axis);
    const double width = std::max(1.0, m_slot - space::s);
    QTextLayout layout(text, m_style.label, m_style.device);
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    layout.beginLayout();
    QStringList lines;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        if (lines.size() + 1 == kMostTitleLines) {
            lines << elided(text.mid(line.textStart()), width);
            break;
        }
        lines << text.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    return lines;
}

void SettingsPicture::paintParallel(QPainter& painter) const {
    for (std::size_t run = 0; run < m_points.size(); ++run)
        if (!isHighlighted(run))
            paintLine(painter, run);
    for (std::size_t column = 0; column < m_columns.size(); ++column)
        paintParallelAxis(painter, column);
    if (!m_figure.highlighted)
        return;
    const std::size_t run = *m_figure.highlighted;
    paintLine(painter, run);
    for (const auto& point : m_points[run])
        if (point)
            paintMark(painter, *point, lookOfRun(run), true);
    paintValues(painter, run);
    paintReadout(painter, m_points[run].back().value_or(m_panel.center()), readoutLines(m_figure, run));
}

/// Broken where a setting does not matter.
void SettingsPicture::paintLine(QPainter& painter, std::size_t run) const {
    const bool highlighted = isHighlighted(run);
    QPen pen = lookOfRun(run).pen(highlighted ? 2.5 : 1.2);
    QColor color = pen.color();
    if (!highlighted)
        color.setAlphaF(m_figure.highlighted ? kBehindOpacity : kLineOpacity);
    pen.setColor(color);
    painter.setPen(pen);
    const auto& points = m_points[run];
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
        if (points[i] && points[i + 1])
            painter.drawLine(*points[i], *points[i + 1]);
}

void SettingsPicture::paintParallelAxis(QPainter& painter, std::size_t column) const {
    const SettingAxis& axis = *m_columns[column];
    const double x = columnX(column), line = m_metrics.height();
    const QRectF room(x - m_slot / 2.0, 0.0, m_slot, line);
    painter.setPen(QPen(m_style.colors.axis, 1.5));
    painter.drawLine(QPointF(x, m_panel.top()), QPointF(x, m_panel.bottom()));
    painter.setPen(m_style.colors.text);
    const QStringList title = titleLines(axis);
    double y = m_body.top() + m_titleHeight - line * static_cast<double>(title.size());
    for (const QString& words : title) {
        painter.drawText(room.translated(0.0, y), centredFlags, words);
        y += line;
    }
    painter.setPen(m_style.colors.secondary);
    if (axis.scale == AxisScale::Words) {
        double taken = m_panel.bottom() + 2.0 * line;
        for (std::size_t word = 0; word < axis.examples.size(); ++word) {
            const double at = m_panel.bottom() - axis.placeOf(static_cast<double>(word)) * m_panel.height();
            if (taken - at < line)
                continue;
            taken = at;
            const QString text = elided(setting_axis_text::word(m_figure.axes, axis, word), m_slot - 2.0 * space::s);
            paintOnCard(painter, QRectF(x + space::s, at - line / 2.0, widthOf(text), line), leftFlags, text);
        }
        return;
    }
    const auto end = [&](double value) {
        return elided(setting_axis_text::number(m_figure.axes, axis, value), m_slot - space::xs);
    };
    painter.drawText(room.translated(0.0, m_panel.top() - line - space::xs), centredFlags, end(axis.upper));
    if (axis.upper > axis.lower)
        painter.drawText(room.translated(0.0, m_panel.bottom() + space::xs), centredFlags, end(axis.lower));
}

/// Beside the line of a run, on the axes that show only their ends; the readout has the metric.
void SettingsPicture::paintValues(QPainter& painter, std::size_t run) const {
    const double line = m_metrics.height();
    painter.setPen(m_style.colors.text);
    for (std::size_t column = 0; column + 1 < m_columns.size(); ++column) {
        const auto& point = m_points[run][column];
        if (!point || m_columns[column]->scale == AxisScale::Words)
            continue;
        const QString text =
            elided(setting_axis_text::number(m_figure.axes, *m_columns[column], *m_columns[column]->values[run]),
                   m_slot - 2.0 * space::s);
        paintOnCard(painter, QRectF(point->x() + space::s, point->y() - line / 2.0, widthOf(text), line), leftFlags,
                    text);
    }
}

} // namespace accumulus::ui
