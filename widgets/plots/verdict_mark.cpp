// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/verdict_mark.h"

#include "core/report/small_shapes.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

QPainterPath pathOf(const std::vector<SignStroke>& strokes) {
    const auto at = [](const ShapePoint& point) { return QPointF(point.x, point.y); };
    QPainterPath path;
    for (const SignStroke& stroke : strokes) {
        path.moveTo(at(stroke.front()));
        if (stroke.size() == 2)
            path.lineTo(at(stroke.back()));
        for (std::size_t i = 3; i < stroke.size(); i += 3)
            path.cubicTo(at(stroke[i - 2]), at(stroke[i - 1]), at(stroke[i]));
    }
    return path;
}

} // namespace

void paintVerdictSign(QPainter& painter, const QRectF& rect, Verdict verdict, const QColor& color) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(rect.topLeft());
    painter.scale(rect.width() / signGrid, rect.height() / signGrid);
    QColor disc = color;
    disc.setAlphaF(static_cast<float>(signDiscOpacity));
    painter.setPen(QPen(color, signCirclePen));
    painter.setBrush(disc);
    painter.drawEllipse(QPointF(signGrid / 2.0, signGrid / 2.0), signRadius, signRadius);
    painter.setBrush(Qt::NoBrush);
    const VerdictSign sign = verdictSign(verdict);
    painter.setPen(QPen(color, sign.penWidth, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(pathOf(sign.strokes));
    painter.restore();
}

QColor verdictColor(const ThemeColors& colors, Verdict verdict) {
    switch (verdict) {
    case Verdict::Equivalent:
        return colors.good;
    case Verdict::Different:
        return colors.bad;
    case Verdict::DifferentWithinMargin:
    case Verdict::WithinMarginOtherMethod:
        return colors.accent;
    case Verdict::Inconclusive:
        return colors.warning;
    case Verdict::NotEnoughSeeds:
        break;
    }
    return colors.secondary;
}

QIcon verdictIcon(const ThemeColors& colors, Verdict verdict) {
    constexpr int size = 32; // sharp at twice the usual size of an icon
    QPixmap picture(size, size);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paintVerdictSign(painter, QRectF(0, 0, size, size), verdict, verdictColor(colors, verdict));
    painter.end();
    return picture;
}

AuditSign auditSign(const ThemeColors& colors, AuditVerdict verdict) {
    switch (verdict) {
    case AuditVerdict::Equivalent:
        return {Verdict::Equivalent, colors.good};
    case AuditVerdict::NotEquivalent:
        return {Verdict::Different, colors.bad};
    case AuditVerdict::Expected:
        break;
    }
    return {Verdict::DifferentWithinMargin, colors.accent};
}

void paintInterval(QPainter& painter, const QRectF& rect, const IntervalPicture& picture, const ThemeColors& colors) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF metrics(painter.font(), painter.device());
    const double labelHeight = metrics.height();
    const double stroke = labelHeight / 9.0; // line widths follow the text, on screen and on paper alike
    // From above: what the two sides mean, the band, the labels of the axis.
    const QRectF band(rect.left(), rect.top() + labelHeight + 2.0 * stroke, rect.width(),
                      rect.height() - 2.0 * labelHeight - 5.0 * stroke);

    double reach = picture.margin;
    if (picture.hasInterval)
        reach = std::max({reach, std::abs(picture.lower), std::abs(picture.upper)});
    if (picture.hasInterval && picture.wide)
        reach = std::max({reach, std::abs(picture.wide->first), std::abs(picture.wide->second)});
    reach = reach > 0.0 ? reach * 1.18 : 1.0;
    const auto x = [&](double value) { return band.center().x() + value / reach * band.width() / 2.0; };

    // The margin: a surface with its own border lines, so that it is seen without colour.
    QColor surface = colors.difference;
    surface.setAlphaF(0.18F);
    painter.fillRect(QRectF(QPointF(x(-picture.margin), band.top()), QPointF(x(picture.margin), band.bottom())),
                     surface);
    painter.setPen(QPen(colors.difference, stroke, Qt::DashLine));
    for (const double edge : {-picture.margin, picture.margin})
        painter.drawLine(QPointF(x(edge), band.top()), QPointF(x(edge), band.bottom()));
    painter.setPen(QPen(colors.axis, stroke));
    painter.drawLine(QPointF(x(0.0), band.top()), QPointF(x(0.0), band.bottom()));
    painter.drawLine(QPointF(band.left(), band.bottom()), QPointF(band.right(), band.bottom()));

    painter.setPen(colors.secondary);
    const auto label = [&](double at, const QString& text) {
        const double width = metrics.horizontalAdvance(text);
        const double left = std::clamp(x(at) - width / 2.0, rect.left(), std::max(rect.left(), rect.right() - width));
        painter.drawText(QPointF(left, rect.bottom() - metrics.descent()), text);
        return QRectF(left, 0.0, width, 1.0);
    };
    const QRectF zero = label(0.0, QStringLiteral("0"));
    const QString lower = QChar(0x2212) + picture.marginText;
    const QString upper = QLatin1Char('+') + picture.marginText;
    // A margin that is tiny beside the interval leaves no room for three labels.
    if (x(picture.margin) - metrics.horizontalAdvance(upper) / 2.0 > zero.right() + metrics.height()) {
        label(-picture.margin, lower);
        label(picture.margin, upper);
    } else {
        painter.drawText(QPointF(zero.right() + metrics.height(), rect.bottom() - metrics.descent()),
                         QStringLiteral("±") + picture.marginText);
    }
    const double top = rect.top() + metrics.ascent();
    painter.drawText(QPointF(rect.left(), top), picture.lessText);
    painter.drawText(QPointF(rect.right() - metrics.horizontalAdvance(picture.moreText), top), picture.moreText);

    if (picture.hasInterval) {
        const double y = band.center().y();
        const double cap = labelHeight / 3.0;
        if (picture.wide) {
            painter.setPen(QPen(colors.secondary, stroke, Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(QPointF(x(picture.wide->first), y), QPointF(x(picture.wide->second), y));
            for (const double end : {picture.wide->first, picture.wide->second})
                painter.drawLine(QPointF(x(end), y - 0.6 * cap), QPointF(x(end), y + 0.6 * cap));
        }
        const QColor ink = picture.coarse ? verdictColor(colors, *picture.coarse) : colors.text;
        painter.setPen(QPen(ink, 2.2 * stroke, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(QPointF(x(picture.lower), y), QPointF(x(picture.upper), y));
        for (const double end : {picture.lower, picture.upper})
            painter.drawLine(QPointF(x(end), y - cap), QPointF(x(end), y + cap));
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink);
        painter.drawEllipse(QPointF(x(picture.mean), y), cap * 0.9, cap * 0.9);
    }
    painter.restore();
}

} // namespace accumulus::ui
