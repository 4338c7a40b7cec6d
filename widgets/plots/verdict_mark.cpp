// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/verdict_mark.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

/// Strokes of the sign on a 24 x 24 grid.
QPainterPath signPath(Verdict verdict) {
    QPainterPath path;
    switch (verdict) {
    case Verdict::Equivalent: // equals
        path.moveTo(7.5, 10.0);
        path.lineTo(16.5, 10.0);
        path.moveTo(7.5, 14.0);
        path.lineTo(16.5, 14.0);
        break;
    case Verdict::Different: // not equal
        path.moveTo(7.5, 10.0);
        path.lineTo(16.5, 10.0);
        path.moveTo(7.5, 14.0);
        path.lineTo(16.5, 14.0);
        path.moveTo(14.4, 6.6);
        path.lineTo(9.6, 17.4);
        break;
    case Verdict::WithinMarginOtherMethod:
    case Verdict::DifferentWithinMargin: // about equal
        for (const double y : {9.8, 14.2}) {
            path.moveTo(7.2, y + 0.8);
            path.cubicTo(9.2, y - 2.2, 11.0, y - 1.2, 12.0, y);
            path.cubicTo(13.0, y + 1.2, 14.8, y + 2.2, 16.8, y - 0.8);
        }
        break;
    case Verdict::Inconclusive: // question mark
        path.moveTo(9.2, 9.6);
        path.cubicTo(9.4, 5.8, 14.8, 5.8, 14.8, 9.3);
        path.cubicTo(14.8, 11.6, 12.0, 11.6, 12.0, 14.0);
        path.moveTo(12.0, 17.0);
        path.lineTo(12.0, 17.05);
        break;
    case Verdict::NotEnoughSeeds: // three dots: more to come
        for (const double x : {8.0, 12.0, 16.0}) {
            path.moveTo(x, 12.0);
            path.lineTo(x, 12.05);
        }
        break;
    }
    return path;
}

} // namespace

void paintVerdictSign(QPainter& painter, const QRectF& rect, Verdict verdict, const QColor& color) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(rect.topLeft());
    painter.scale(rect.width() / 24.0, rect.height() / 24.0);
    QColor disc = color;
    disc.setAlphaF(0.14F);
    painter.setPen(QPen(color, 1.6));
    painter.setBrush(disc);
    painter.drawEllipse(QPointF(12.0, 12.0), 10.6, 10.6);
    painter.setBrush(Qt::NoBrush);
    const double width = verdict == Verdict::NotEnoughSeeds ? 2.4 : 1.9;
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(signPath(verdict));
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
        painter.setPen(QPen(colors.text, 2.2 * stroke, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(QPointF(x(picture.lower), y), QPointF(x(picture.upper), y));
        for (const double end : {picture.lower, picture.upper})
            painter.drawLine(QPointF(x(end), y - cap), QPointF(x(end), y + cap));
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.text);
        painter.drawEllipse(QPointF(x(picture.mean), y), cap * 0.9, cap * 0.9);
    }
    painter.restore();
}

} // namespace accumulus::ui
