// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/plot_overlay.h"

#include "widgets/plots/plot_ticker.h"
#include "widgets/style/format.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

constexpr std::size_t kMostRows = 8;
constexpr std::size_t kMostMarks = 200;
constexpr int kSwatch = 18;

/// x values are counters or times: whole numbers stay whole.
QString xText(double x) {
    return x == std::floor(x) && std::abs(x) < 1e15 ? format::count(static_cast<qint64>(x)) : format::number(x, 5);
}

QString valueText(const ReadoutRow& row) {
    const QString value = withMinusSign(format::number(row.y));
    return row.interpolated ? QStringLiteral("≈ ") + value : value;
}

QString rawText(const ReadoutRow& row) {
    return row.raw ? PlotOverlay::tr("raw %1").arg(withMinusSign(format::number(*row.raw))) : QString();
}

/// What a readout says, and the widths of its columns.
struct Readout {
    QString head, more;
    std::vector<ReadoutRow> rows; ///< that it shows
    int labels = 0, values = 0, raws = 0;
    [[nodiscard]] int wide() const { return kSwatch + space::s + labels + space::m + values + rawColumn(); }
    [[nodiscard]] int rawColumn() const { return raws > 0 ? space::m + raws : 0; }
};

/// The first `shown` rows; labels that are wider than `room` lets them be are cut short.
Readout readoutOf(const std::vector<ReadoutRow>& rows, std::size_t shown, const QString& head,
                  const QFontMetrics& metrics, int room) {
    Readout readout;
    readout.head = metrics.elidedText(head, Qt::ElideRight, room);
    readout.rows.assign(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown));
    if (rows.size() > shown)
        readout.more = PlotOverlay::tr("and %1 more").arg(format::count(static_cast<qint64>(rows.size() - shown)));
    for (const ReadoutRow& row : readout.rows) {
        readout.labels = std::max(readout.labels, metrics.horizontalAdvance(row.label));
        readout.values = std::max(readout.values, metrics.horizontalAdvance(valueText(row)));
        readout.raws = std::max(readout.raws, metrics.horizontalAdvance(rawText(row)));
    }
    readout.labels -= std::clamp(readout.wide() - room, 0, readout.labels);
    for (ReadoutRow& row : readout.rows)
        row.label = metrics.elidedText(row.label, Qt::ElideMiddle, readout.labels);
    return readout;
}

} // namespace

std::vector<ReadoutRow> readoutAt(const PlotModel& model, const PlotCanvas& canvas, double x,
                                  std::optional<double> near, std::optional<std::size_t> selected) {
    std::vector<ReadoutRow> rows;
    for (std::size_t i = 0; i < model.curves.size(); ++i) {
        const ModelCurve& curve = model.curves[i];
        if (curve.look.label.isEmpty() || !model.shows(curve))
            continue;
        ReadoutRow row;
        row.y = interpolate(curve.data.front(), x);
        if (!std::isfinite(row.y))
            continue;
        row.label = curve.look.label;
        row.color = curve.look.color;
        row.run = curve.look.run;
        row.dashed = curve.look.dashed || !curve.look.dashes.isEmpty();
        const std::vector<double>& points = curve.data.raw().x;
        row.interpolated = !std::binary_search(points.begin(), points.end(), x);
        if (curve.drawsRawBehind())
            row.raw = interpolate(curve.data.raw(), x);
        const bool drawable = !model.logY || row.y > 0.0;
        row.pixelDistance = near && drawable ? std::abs(canvas.yPixel(row.y) - *near) : static_cast<double>(i);
        if (selected == i)
            row.pixelDistance = -1.0;
        rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const ReadoutRow& a, const ReadoutRow& b) { return a.pixelDistance < b.pixelDistance; });
    return rows;
}

QString readoutText(const QString& xTitle, double x, const std::vector<ReadoutRow>& rows) {
    QStringList parts{xTitle.isEmpty() ? xText(x) : QStringLiteral("%1 %2").arg(xTitle, xText(x))};
    for (const ReadoutRow& row : rows)
        parts << QStringLiteral("%1 %2").arg(row.label, valueText(row));
    return parts.join(QStringLiteral("; "));
}

PlotOverlay::PlotOverlay(const Theme& theme, const PlotModel& model, const PlotCanvas& canvas, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_model(model), m_canvas(canvas) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
}

void PlotOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = m_theme.colors();
    const QRect area = m_canvas.plotArea();
    if (m_model.empty()) {
        painter.setPen(colors.secondary);
        painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, waiting ? QString() : emptyText);
    } else {
        paintMarks(painter);
        if (pin)
            paintCrosshair(painter, *pin, false);
        if (crosshair)
            paintCrosshair(painter, *crosshair, true);
        else if (pin)
            paintCrosshair(painter, *pin, true);
    }
    if (!rubberBand.isEmpty()) {
        QColor fill = colors.accent;
        fill.setAlpha(36);
        painter.setPen(QPen(colors.accent, 1));
        painter.setBrush(fill);
        painter.drawRect(QRectF(rubberBand).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (focused) {
        painter.setPen(QPen(colors.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
    }
}

/// Of x in ascending order those inside the panel: a curve may be nothing but gaps.
std::span<const double> PlotOverlay::visibleGaps(std::span<const double> x) const {
    const QRect area = m_canvas.plotArea();
    const auto first = std::ranges::lower_bound(x, m_canvas.xAt(area.left() - 1));
    const auto after = std::upper_bound(first, x.end(), m_canvas.xAt(area.right() + 1));
    return {first, after};
}

void PlotOverlay::paintMarks(QPainter& painter) {
    const ThemeColors& colors = m_theme.colors();
    const QRect area = m_canvas.plotArea();
    constexpr double kHalf = 4.0;
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.warning);
    const auto arrow = [&](double x, double tip, double direction) {
        const double px = m_canvas.xPixel(x);
        painter.drawPolygon(QPolygonF({QPointF(px, tip), QPointF(px - kHalf, tip + direction * 7.0),
                                       QPointF(px + kHalf, tip + direction * 7.0)}));
    };
    for (const double x : fit.aboveAt)
        arrow(x, area.top() + 1.0, 1.0);
    for (const double x : fit.belowAt)
        arrow(x, area.bottom() - 1.0, -1.0);
    painter.setPen(QPen(colors.bad, 1.6));
    std::size_t drawn = 0;
    for (const ModelCurve& curve : m_model.curves) {
        if (curve.look.gapsAreNoFault || !m_model.shows(curve))
            continue;
        for (const double x : visibleGaps(curve.data.nonFiniteAt())) {
            const double px = m_canvas.xPixel(x);
            if (px < area.left() || px > area.right())
                continue;
            if (++drawn > kMostMarks)
                return;
            const QPointF centre(px, area.bottom() - 7.0);
            painter.drawLine(centre + QPointF(-3.5, -3.5), centre + QPointF(3.5, 3.5));
            painter.drawLine(centre + QPointF(-3.5, 3.5), centre + QPointF(3.5, -3.5));
        }
    }
}

void PlotOverlay::paintCrosshair(QPainter& painter, double x, bool withReadout) {
    const ThemeColors& colors = m_theme.colors();
    const QRect area = m_canvas.plotArea();
    const double px = m_canvas.xPixel(x);
    if (!(px >= area.left() - 0.5 && px <= area.right() + 0.5))
        return;
    painter.setPen(QPen(colors.secondary, 1, Qt::SolidLine));
    painter.drawLine(QPointF(std::round(px) + 0.5, area.top()), QPointF(std::round(px) + 0.5, area.bottom()));
    if (!withReadout)
        return;
    const std::vector<ReadoutRow> rows = readoutAt(m_model, m_canvas, x, cursorY, selected);
    for (const ReadoutRow& row : rows) {
        if (m_model.logY && row.y <= 0.0)
            continue;
        const QPointF at(px, m_canvas.yPixel(row.y));
        if (!QRectF(area).adjusted(-1, -1, 1, 1).contains(at))
            continue;
        painter.setPen(QPen(colors.card, 1.5));
        painter.setBrush(row.color);
        painter.drawEllipse(at, 4.0, 4.0);
    }
    paintReadout(painter, x, rows);
}

std::optional<QRect> readoutPlace(const QRect& area, const QRect& legend, int x, std::optional<int> y,
                                  const QSize& size) {
    const int wanted = y ? *y - size.height() / 2 : area.top();
    const int lowest = area.bottom() + 1 - size.height();
    const int tops[] = {std::clamp(wanted, area.top(), std::max(area.top(), lowest)), legend.bottom() + 1 + space::xs,
                        legend.top() - space::xs - size.height()};
    for (const int left : {x + space::m, x - space::m - size.width()})
        for (const int top : tops) {
            const QRect box(QPoint(left, top), size);
            if (area.contains(box) && !box.intersects(legend))
                return box;
        }
    return std::nullopt;
}

/// As many rows as have a place.
void PlotOverlay::paintReadout(QPainter& painter, double x, const std::vector<ReadoutRow>& rows) {
    const QFont font = m_theme.captionFont();
    const QFontMetrics metrics(font);
    const int lineHeight = metrics.height() + 2;
    const QString head = m_model.xTitle.isEmpty() ? xText(x) : QStringLiteral("%1 %2").arg(xText(x), m_model.xTitle);
    const QRect area = m_canvas.plotArea();
    const int px = static_cast<int>(m_canvas.xPixel(x));
    const int room = std::max(px - area.left(), area.right() - px) - space::m - 2 * space::s;
    const auto at = cursorY ? std::optional(static_cast<int>(*cursorY)) : std::nullopt;
    Readout readout;
    std::optional<QRect> box;
    for (std::size_t shown = std::min(rows.size(), kMostRows) + 1; !box && shown-- > 0;) {
        readout = readoutOf(rows, shown, head, metrics, room);
        const int lines = 1 + static_cast<int>(shown) + (readout.more.isEmpty() ? 0 : 1);
        const int words = std::max(metrics.horizontalAdvance(readout.head), metrics.horizontalAdvance(readout.more));
        const QSize size(std::max(shown > 0 ? readout.wide() : 0, words) + 2 * space::s,
                         lines * lineHeight + 2 * space::xs);
        box = readoutPlace(area, m_canvas.legendRect(), px, at, size);
    }
    if (!box)
        return; // the panel is too small for a word; a screen reader and the table have the values
    const ThemeColors& colors = m_theme.colors();
    QColor fill = colors.card;
    fill.setAlphaF(0.94F);
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(*box).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);

    painter.setFont(font);
    const int left = box->left() + space::s;
    int line = box->top() + space::xs;
    const auto text = [&](int from, int width, Qt::Alignment alignment, const QColor& color, const QString& words) {
        painter.setPen(color);
        painter.drawText(QRect(from, line, width, lineHeight), alignment | Qt::AlignVCenter | Qt::TextSingleLine,
                         words);
    };
    text(left, box->width(), Qt::AlignLeft, colors.secondary, readout.head);
    for (const ReadoutRow& row : readout.rows) {
        line += lineHeight;
        QPen pen(row.color, 2);
        if (row.dashed)
            pen.setDashPattern({2.5, 1.5});
        painter.setPen(pen);
        painter.drawLine(left, line + lineHeight / 2, left + kSwatch, line + lineHeight / 2);
        const int from = left + kSwatch + space::s;
        const int valuesFrom = from + readout.labels + space::m;
        text(from, readout.labels, Qt::AlignLeft, colors.text, row.label);
        text(valuesFrom, readout.values, Qt::AlignRight, colors.text, valueText(row));
        text(valuesFrom + readout.values + space::m, readout.raws, Qt::AlignRight, colors.secondary, rawText(row));
    }
    line += lineHeight;
    text(left, box->width(), Qt::AlignLeft, colors.secondary, readout.more);
}

} // namespace accumulus::ui
