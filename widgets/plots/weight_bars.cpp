// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/weight_bars.h"

#include "core/base/whole_number.h"
#include "widgets/style/format.h"

#include <QHelpEvent>
#include <QPainter>
#include <QStringList>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {
namespace {

constexpr int digits = 3;
constexpr double negligible = 0.01; ///< of the largest right weight: an earlier micro-batch below it is not drawn
constexpr int swatch = 12;

QString valueList(const std::vector<double>& values) {
    QStringList texts;
    for (const double value : values)
        texts << format::number(value, digits);
    return texts.join(QStringLiteral(", "));
}

/// 1, 2 or 5 times a power of ten, so that about `lines` of them fill the span.
double niceTick(double span, int lines) {
    const double rough = span / std::max(1, lines);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough)
            return factor * power;
    return 10.0 * power;
}

bool showsEarlier(const WeightPicture& picture) {
    const auto largest = std::ranges::max_element(picture.rightWeights);
    const double right = largest == picture.rightWeights.end() ? 0.0 : *largest;
    return std::ranges::any_of(picture.earlier, [&](double weight) { return std::abs(weight) > negligible * right; });
}

void paintBar(QPainter& painter, const QRectF& bar, const QColor& color, const ThemeColors& colors, bool hatched) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRect(bar);
    if (!hatched)
        return;
    QColor light = colors.card;
    light.setAlphaF(0.45F);
    painter.setBrush(QBrush(light, Qt::BDiagPattern));
    painter.drawRect(bar);
}

} // namespace

QString weightSummary(const WeightPicture& picture) {
    if (picture.weights.empty())
        return {};
    QString text = WeightBars::tr("Fitted weights %1; right weights %2.")
                       .arg(valueList(picture.weights), valueList(picture.rightWeights));
    if (showsEarlier(picture))
        text +=
            QLatin1Char(' ') + WeightBars::tr("Micro-batches of earlier windows: %1.").arg(valueList(picture.earlier));
    return text;
}

WeightBars::WeightBars(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_fitted(tr("as accumulated (fitted c_k)")) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(tr("Weights of the micro-batches"));
    connect(&theme, &Theme::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void WeightBars::setPicture(const WeightPicture& picture) {
    m_picture = picture;
    setAccessibleDescription(weightSummary(picture));
    update();
}

void WeightBars::setFittedTitle(const QString& title) {
    m_fitted = title;
    update();
}

QSize WeightBars::sizeHint() const {
    const int line = QFontMetrics(m_theme.captionFont()).height();
    return {26 * line, 15 * line};
}

QSize WeightBars::minimumSizeHint() const {
    const int line = QFontMetrics(m_theme.captionFont()).height();
    return {18 * line, 11 * line};
}

double WeightBars::Layout::y(double value) const {
    return panel.bottom() - (value - lower) / (upper - lower) * panel.height();
}

WeightBars::Layout WeightBars::arrange() const {
    Layout layout;
    double lower = 0.0, upper = 0.0;
    for (const auto* values : {&m_picture.weights, &m_picture.rightWeights, &m_picture.earlier})
        for (const double value : *values)
            if (std::isfinite(value)) {
                lower = std::min(lower, value);
                upper = std::max(upper, value);
            }
    if (upper - lower <= 0.0)
        upper = 1.0;
    layout.tick = niceTick(upper - lower, 4);
    layout.lower = std::floor(lower / layout.tick) * layout.tick;
    layout.upper = std::ceil(upper / layout.tick) * layout.tick;

    const QFontMetricsF metrics(m_theme.captionFont());
    double widest = 0.0;
    for (double value = layout.lower; value < layout.upper + 0.5 * layout.tick; value += layout.tick)
        widest = std::max(widest, metrics.horizontalAdvance(format::number(value, digits)));
    const double line = metrics.height();
    layout.panel = QRectF(rect()).adjusted(line + space::s + widest + space::s, line + space::m, -space::s,
                                           -3.0 * line - space::s);
    layout.earlier = showsEarlier(m_picture) ? m_picture.earlier.size() : 0;
    const std::size_t slots_ = m_picture.weights.size() + layout.earlier;
    layout.slot = slots_ > 0 ? layout.panel.width() / static_cast<double>(slots_) : 0.0;
    return layout;
}

void WeightBars::paintAxes(QPainter& painter, const Layout& layout) const {
    const ThemeColors& colors = m_theme.colors();
    const QFontMetricsF metrics(painter.font());
    for (double value = layout.lower; value < layout.upper + 0.5 * layout.tick; value += layout.tick) {
        const double y = layout.y(value);
        const bool zero = std::abs(value) < 1e-9 * layout.tick;
        painter.setPen(QPen(zero ? colors.axis : colors.grid, 1.0));
        painter.drawLine(QPointF(layout.panel.left(), y), QPointF(layout.panel.right(), y));
        painter.setPen(colors.secondary);
        painter.drawText(QRectF(0.0, y - metrics.height() / 2.0, layout.panel.left() - space::s, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, format::number(zero ? 0.0 : value, digits));
    }
    // A line of another script may be taller than the font says.
    constexpr int centred = static_cast<int>(Qt::AlignCenter) | Qt::TextDontClip;
    painter.setPen(colors.secondary);
    painter.save();
    painter.translate(0.0, layout.panel.center().y());
    painter.rotate(-90.0);
    painter.drawText(QRectF(-layout.panel.height() / 2.0, 0.0, layout.panel.height(), metrics.height()), centred,
                     tr("weight in the gradient"));
    painter.restore();
    painter.drawText(QRectF(0.0, height() - metrics.height() - 3.0, width(), metrics.height()), centred,
                     tr("micro-batch k of the window, with its units n_k"));
}

void WeightBars::paintBars(QPainter& painter, const Layout& layout) const {
    const ThemeColors& colors = m_theme.colors();
    const double gap = layout.slot >= 16.0 ? layout.slot * 0.2 : 0.0;
    const double half = (layout.slot - gap) / 2.0;
    const auto paint = [&](double left, double value, const QColor& color, bool hatched) {
        if (!std::isfinite(value) || value == 0.0)
            return;
        const double a = layout.y(0.0), b = layout.y(value);
        paintBar(painter, QRectF(left, std::min(a, b), std::max(1.0, half), std::max(1.0, std::abs(a - b))), color,
                 colors, hatched);
    };
    for (std::size_t k = 0; k < layout.earlier; ++k)
        paint(layout.x(k) + gap / 2.0, m_picture.earlier[k], colors.bad, false);
    for (std::size_t k = 0; k < m_picture.weights.size(); ++k) {
        const double left = layout.x(k + layout.earlier) + gap / 2.0;
        paint(left, m_picture.weights[k], colors.accumulated, false);
        if (k < m_picture.rightWeights.size())
            paint(left + half, m_picture.rightWeights[k], colors.largeBatch, true);
    }
    if (layout.earlier > 0) {
        painter.setPen(QPen(colors.axis, 1.0, Qt::DashLine));
        const double x = layout.x(layout.earlier);
        painter.drawLine(QPointF(x, layout.panel.top()), QPointF(x, layout.panel.bottom()));
    }
}

void WeightBars::paintLabels(QPainter& painter, const Layout& layout) const {
    const QFontMetricsF metrics(painter.font());
    const auto label = [&](std::size_t slotIndex, const QString& upper, const QString& lower) {
        const double centre = layout.x(slotIndex) + layout.slot / 2.0;
        const double width = std::max(metrics.horizontalAdvance(upper), metrics.horizontalAdvance(lower)) + space::xs;
        const QRectF first(centre - width / 2.0, layout.panel.bottom() + 3.0, width, metrics.height());
        painter.drawText(first, Qt::AlignCenter, upper);
        painter.drawText(first.translated(0.0, metrics.height() - 2.0), Qt::AlignCenter, lower);
    };
    const auto units = [&](std::size_t k) {
        if (k >= m_picture.units.size())
            return QString();
        const double count = m_picture.units[k];
        const auto whole = wholeNumber(count);
        return QStringLiteral("n=%1").arg(whole ? format::count(*whole) : format::number(count));
    };
    double widest = 0.0;
    for (std::size_t k = 0; k < m_picture.weights.size(); ++k)
        widest = std::max(widest, metrics.horizontalAdvance(units(k)));
    painter.setPen(m_theme.colors().secondary);
    const std::size_t stride =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil((widest + space::s) / std::max(1.0, layout.slot))));
    for (std::size_t k = 0; k < m_picture.weights.size(); k += stride)
        label(k + layout.earlier, QString::number(k + 1), units(k));
    for (std::size_t k = 0; k < layout.earlier; k += stride)
        label(layout.earlier - 1 - k, QStringLiteral("−%1").arg(k + 1), {});
}

void WeightBars::paintLegend(QPainter& painter) const {
    const ThemeColors& colors = m_theme.colors();
    const QFontMetricsF metrics(painter.font());
    struct Entry {
        QString text;
        QColor color;
        bool hatched;
    };
    std::vector<Entry> entries{{m_fitted, colors.accumulated, false}, {tr("right n_k/N"), colors.largeBatch, true}};
    if (showsEarlier(m_picture))
        entries.insert(entries.begin(), {tr("earlier windows"), colors.bad, false});
    double x = width() - space::s;
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
        x -= metrics.horizontalAdvance(entry->text);
        painter.setPen(colors.text);
        painter.drawText(QPointF(x, metrics.ascent()), entry->text);
        x -= swatch + space::xs;
        paintBar(painter, QRectF(x, (metrics.height() - swatch) / 2.0, swatch, swatch), entry->color, colors,
                 entry->hatched);
        x -= space::l;
    }
}

void WeightBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(m_theme.captionFont());
    if (m_picture.weights.empty()) {
        painter.setPen(m_theme.colors().secondary);
        painter.drawText(rect(), static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap, tr("No weights were fitted."));
        return;
    }
    const Layout layout = arrange();
    paintAxes(painter, layout);
    painter.setRenderHint(QPainter::Antialiasing);
    paintBars(painter, layout);
    paintLabels(painter, layout);
    paintLegend(painter);
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.colors().accent, 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

bool WeightBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || m_picture.weights.empty())
        return QWidget::event(event);
    const Layout layout = arrange();
    const auto* help = static_cast<QHelpEvent*>(event);
    const double at = (help->pos().x() - layout.panel.left()) / std::max(1.0, layout.slot);
    const auto slotIndex = static_cast<std::size_t>(std::max(0.0, at));
    QString text;
    if (at >= 0.0 && slotIndex >= layout.earlier && slotIndex - layout.earlier < m_picture.weights.size()) {
        const std::size_t k = slotIndex - layout.earlier;
        text = tr("Micro-batch %1: fitted %2, right %3")
                   .arg(k + 1)
                   .arg(format::number(m_picture.weights[k], 6), format::number(m_picture.rightWeights[k], 6));
    }
    QToolTip::showText(help->globalPos(), text.isEmpty() ? weightSummary(m_picture) : text, this);
    return true;
}

} // namespace accumulus::ui
