// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/time_parts.h"

#include <QCoreApplication>
#include <array>

namespace accumulus::ui {
namespace {

struct TimeParts {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::TimeParts)
};

} // namespace

QString timePartTitle(std::size_t part) {
    const std::array<QString, kTimeParts> titles{
        TimeParts::tr("data"),    TimeParts::tr("forward"),  TimeParts::tr("backward"), TimeParts::tr("adding up"),
        TimeParts::tr("waiting"), TimeParts::tr("reducing"), TimeParts::tr("update")};
    return titles[part];
}

void paintTimePart(QPainter& painter, const QRectF& area, double radius, const ThemeColors& colors, std::size_t part) {
    const std::array<QColor, kTimeParts> parts{colors.control, colors.series[2], colors.series[0], colors.series[1],
                                               colors.axis,    colors.series[3], colors.difference};
    QColor ground = parts[part];
    if (part == kWaitingPart)
        ground.setAlphaF(0.35F);
    painter.setBrush(ground);
    painter.drawRoundedRect(area, radius, radius);
    if (part != kWaitingPart)
        return;
    painter.setBrush(QBrush(parts[part], Qt::BDiagPattern));
    painter.drawRoundedRect(area, radius, radius);
}

} // namespace accumulus::ui
