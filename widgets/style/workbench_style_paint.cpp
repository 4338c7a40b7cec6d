// SPDX-License-Identifier: GPL-3.0-or-later
// The painting of WorkbenchStyle, one control each.
#include "widgets/style/icons.h"
#include "widgets/style/workbench_style.h"

#include <QComboBox>
#include <QPainter>
#include <QPainterPath>
#include <QStyleOption>

namespace accumulus::ui {

namespace {

constexpr qreal kRadius = 6.0;

QColor mixed(const QColor& a, const QColor& b, qreal share) {
    return QColor::fromRgbF(static_cast<float>(a.redF() * (1 - share) + b.redF() * share),
                            static_cast<float>(a.greenF() * (1 - share) + b.greenF() * share),
                            static_cast<float>(a.blueF() * (1 - share) + b.blueF() * share));
}

QRectF sharp(const QRect& rect) { return QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5); }

bool is(const QStyleOption* option, QStyle::StateFlag flag) { return option->state.testFlag(flag); }

/// What a bar or a slider has not filled: a surface, so not of a border's colour, which may be a strong one.
QColor grooveColor(const ThemeColors& colors) { return mixed(colors.grid, colors.secondary, 0.2); }

/// A field of the background colour needs a border that is seen; plain separators may be fainter.
QColor fieldBorder(const ThemeColors& colors) { return mixed(colors.border, colors.secondary, 0.65); }

void chevron(QPainter* painter, const QPointF& centre, qreal width, bool up, const QColor& color) {
    const qreal height = width / 2 * (up ? -1 : 1);
    QPen pen(color, 1.6);
    pen.setCapStyle(Qt::RoundCap);
    pen.setJoinStyle(Qt::RoundJoin);
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(QPolygonF({centre + QPointF(-width / 2, -height / 2), centre + QPointF(0, height / 2),
                                     centre + QPointF(width / 2, -height / 2)}));
}

/// Views of items show the keyboard at their current item.
bool isTextBox(const QWidget* widget) {
    return widget && (widget->inherits("QPlainTextEdit") || widget->inherits("QTextEdit"));
}

/// Saves the painter and smooths its edges until the end of the scope.
class Smooth {
public:
    explicit Smooth(QPainter* painter) : m_painter(painter) {
        m_painter->save();
        m_painter->setRenderHint(QPainter::Antialiasing);
    }
    ~Smooth() { m_painter->restore(); }
    Smooth(const Smooth&) = delete;
    Smooth& operator=(const Smooth&) = delete;

private:
    QPainter* m_painter;
};

} // namespace

void WorkbenchStyle::paintFocusRing(QPainter* painter, const QRect& rect, qreal radius) const {
    const Smooth smooth(painter);
    painter->setPen(QPen(m_colors.accent, 2.0));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), radius, radius);
}

/// Of a view or box: one pixel wide, and in the accent's colour around a text that has the keyboard.
void WorkbenchStyle::paintFrame(QPainter* painter, const QStyleOption* option, const QWidget* widget) const {
    const Smooth smooth(painter);
    painter->setPen(is(option, State_HasFocus) && isTextBox(widget) ? m_colors.accent : m_colors.border);
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(sharp(option->rect));
}

void WorkbenchStyle::paintField(QPainter* painter, const QRect& rect, const QStyleOption* option) const {
    const Smooth smooth(painter);
    const bool enabled = is(option, State_Enabled);
    const bool focused = enabled && is(option, State_HasFocus);
    const bool hovered = enabled && is(option, State_MouseOver);
    QColor border = hovered ? m_colors.secondary : fieldBorder(m_colors);
    if (!enabled)
        border = m_colors.border;
    painter->setBrush(enabled ? m_colors.card : m_colors.cardAlternate);
    painter->setPen(QPen(focused ? m_colors.accent : border, focused ? 2.0 : 1.0));
    painter->drawRoundedRect(focused ? QRectF(rect).adjusted(1, 1, -1, -1) : sharp(rect), kRadius, kRadius);
}

void WorkbenchStyle::paintPushButton(QPainter* painter, const QStyleOption* option, const QWidget* widget) const {
    const Smooth smooth(painter);
    const bool enabled = is(option, State_Enabled);
    const bool pressed = is(option, State_Sunken) || is(option, State_On);
    const bool hovered = enabled && is(option, State_MouseOver);
    const bool primary = widget && widget->property(kPrimaryProperty).toBool();
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    const bool flat = button && button->features.testFlag(QStyleOptionButton::Flat);
    QColor fill = m_colors.card;
    QColor border = fieldBorder(m_colors);
    if (!enabled) {
        fill = m_colors.cardAlternate;
        border = m_colors.border;
    } else if (primary) {
        fill = m_colors.accent;
        if (pressed || hovered)
            fill = mixed(fill, m_colors.dark ? QColor(Qt::white) : QColor(Qt::black), pressed ? 0.22 : 0.10);
        border = fill;
    } else if (pressed) {
        fill = mixed(m_colors.card, m_colors.accent, 0.16);
        border = m_colors.accent;
    } else if (hovered) {
        fill = m_colors.cardAlternate;
        border = m_colors.secondary;
    }
    if (!flat || pressed || hovered) {
        painter->setBrush(fill);
        painter->setPen(QPen(border, 1.0));
        painter->drawRoundedRect(sharp(option->rect), kRadius, kRadius);
    }
    if (!is(option, State_HasFocus) || !is(option, State_KeyboardFocusChange))
        return;
    paintFocusRing(painter, option->rect, kRadius);
    if (primary && enabled) { // its fill is the ring's colour
        painter->setPen(QPen(m_colors.card, 2.0));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option->rect).adjusted(3, 3, -3, -3), kRadius - 2, kRadius - 2);
    }
}

void WorkbenchStyle::paintToolButton(QPainter* painter, const QStyleOption* option, const QWidget* widget) const {
    const Smooth smooth(painter);
    const bool rail = widget && widget->property(kRailProperty).toBool();
    const bool on = is(option, State_On) || is(option, State_Sunken);
    const bool hovered = is(option, State_Enabled) && is(option, State_MouseOver);
    if (on || hovered) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(on ? mixed(m_colors.card, m_colors.accent, m_colors.dark ? 0.22 : 0.12)
                             : mixed(m_colors.window, m_colors.secondary, 0.14));
        painter->drawRoundedRect(sharp(option->rect), kRadius, kRadius);
    }
    if (rail && is(option, State_On)) {
        painter->setBrush(m_colors.accent);
        painter->setPen(Qt::NoPen);
        const QRectF rect = option->rect;
        painter->drawRoundedRect(QRectF(rect.left(), rect.top() + 8, 3, rect.height() - 16), 1.5, 1.5);
    }
    if (is(option, State_HasFocus) && is(option, State_KeyboardFocusChange))
        paintFocusRing(painter, option->rect, kRadius);
}

void WorkbenchStyle::paintIndicator(QPainter* painter, const QStyleOption* option, bool round) const {
    const Smooth smooth(painter);
    const bool enabled = is(option, State_Enabled);
    const bool on = is(option, State_On);
    const bool partial = is(option, State_NoChange);
    const int side = qMin(option->rect.width(), option->rect.height());
    QRectF box(0, 0, side, side);
    box.moveCenter(QRectF(option->rect).center());
    box.adjust(0.5, 0.5, -0.5, -0.5);
    const qreal radius = round ? box.width() / 2 : 4.0;
    const bool filled = on || partial;
    const QColor accent = enabled ? m_colors.accent : m_colors.control;
    painter->setBrush(filled ? accent : (enabled ? m_colors.card : m_colors.cardAlternate));
    painter->setPen(
        QPen(filled ? accent : (is(option, State_MouseOver) && enabled ? m_colors.accent : m_colors.axis), 1.0));
    painter->drawRoundedRect(box, radius, radius);
    if (!filled)
        return;
    if (round) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(m_colors.onAccent);
        painter->drawEllipse(box.center(), box.width() * 0.22, box.width() * 0.22);
        return;
    }
    QPen pen(m_colors.onAccent, 2.0);
    pen.setCapStyle(Qt::RoundCap);
    pen.setJoinStyle(Qt::RoundJoin);
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);
    const auto at = [&box](qreal x, qreal y) {
        return QPointF(box.left() + box.width() * x, box.top() + box.height() * y);
    };
    if (partial)
        painter->drawLine(at(0.28, 0.5), at(0.72, 0.5));
    else
        painter->drawPolyline(QPolygonF({at(0.25, 0.52), at(0.43, 0.70), at(0.76, 0.32)}));
}

void WorkbenchStyle::paintComboBox(QPainter* painter, const QStyleOptionComplex* option, const QWidget* widget) const {
    const bool enabled = is(option, State_Enabled);
    paintField(painter, option->rect, option);
    const Smooth smooth(painter);
    const QRect arrow = subControlRect(CC_ComboBox, option, SC_ComboBoxArrow, widget);
    chevron(painter, QRectF(arrow).center(), 9.0, false, enabled ? m_colors.secondary : m_colors.axis);
}

void WorkbenchStyle::paintSpinBox(QPainter* painter, const QStyleOptionComplex* option, const QWidget* widget) const {
    const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
    if (!spin)
        return;
    if (spin->frame)
        paintField(painter, option->rect, option);
    if (spin->buttonSymbols == QAbstractSpinBox::NoButtons)
        return;
    const Smooth smooth(painter);
    for (const bool up : {true, false}) {
        const SubControl part = up ? SC_SpinBoxUp : SC_SpinBoxDown;
        const QRectF rect = subControlRect(CC_SpinBox, option, part, widget);
        const bool possible =
            is(option, State_Enabled) &&
            spin->stepEnabled.testFlag(up ? QAbstractSpinBox::StepUpEnabled : QAbstractSpinBox::StepDownEnabled);
        const bool active = possible && option->activeSubControls.testFlag(part) && is(option, State_MouseOver);
        QColor color = possible ? (active ? m_colors.accent : m_colors.secondary) : m_colors.border;
        chevron(painter, rect.center() + QPointF(0, up ? 1.5 : -1.5), 7.0, up, color);
    }
}

void WorkbenchStyle::paintSlider(QPainter* painter, const QStyleOptionComplex* option, const QWidget* widget) const {
    const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (!slider)
        return;
    const Smooth smooth(painter);
    const QRectF groove = subControlRect(CC_Slider, option, SC_SliderGroove, widget);
    const QRectF handle = subControlRect(CC_Slider, option, SC_SliderHandle, widget);
    const bool enabled = is(option, State_Enabled);
    const QColor accent = enabled ? m_colors.accent : m_colors.axis;
    const bool horizontal = slider->orientation == Qt::Horizontal;
    const QPointF centre = handle.center();
    QRectF track = horizontal ? QRectF(groove.left() + 2, centre.y() - 2, groove.width() - 4, 4)
                              : QRectF(centre.x() - 2, groove.top() + 2, 4, groove.height() - 4);
    painter->setPen(Qt::NoPen);
    painter->setBrush(grooveColor(m_colors));
    painter->drawRoundedRect(track, 2, 2);
    QRectF done = track;
    if (horizontal)
        slider->upsideDown ? done.setLeft(centre.x()) : done.setRight(centre.x());
    else
        slider->upsideDown ? done.setBottom(centre.y()) : done.setTop(centre.y());
    painter->setBrush(accent);
    painter->drawRoundedRect(done, 2, 2);
    const bool lively = enabled && (is(option, State_MouseOver) || is(option, State_Sunken));
    painter->setBrush(m_colors.card);
    painter->setPen(QPen(accent, lively ? 3.0 : 2.0));
    painter->drawEllipse(centre, 7.0, 7.0);
    if (is(option, State_HasFocus) && enabled) {
        painter->setBrush(Qt::NoBrush);
        QColor halo = accent;
        halo.setAlpha(90);
        painter->setPen(QPen(halo, 3.0));
        painter->drawEllipse(centre, 10.0, 10.0);
    }
}

void WorkbenchStyle::paintScrollBar(QPainter* painter, const QStyleOptionComplex* option, const QWidget* widget) const {
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (!bar || bar->maximum <= bar->minimum)
        return;
    const Smooth smooth(painter);
    QRectF handle = subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget);
    const bool lively = option->activeSubControls.testFlag(SC_ScrollBarSlider) &&
                        (is(option, State_MouseOver) || is(option, State_Sunken));
    handle.adjust(3, 3, -3, -3);
    painter->setPen(Qt::NoPen);
    painter->setBrush(lively ? m_colors.secondary : mixed(m_colors.border, m_colors.secondary, 0.5));
    const qreal radius = qMin(handle.width(), handle.height()) / 2;
    painter->drawRoundedRect(handle, radius, radius);
}

void WorkbenchStyle::paintProgress(QPainter* painter, const QStyleOption* option) const {
    const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option);
    if (!bar)
        return;
    const Smooth smooth(painter);
    QRectF track(option->rect);
    constexpr qreal kHeight = 6.0;
    track = QRectF(track.left(), track.center().y() - kHeight / 2, track.width(), kHeight);
    painter->setPen(Qt::NoPen);
    painter->setBrush(grooveColor(m_colors));
    painter->drawRoundedRect(track, kHeight / 2, kHeight / 2);
    const qint64 range = qint64(bar->maximum) - bar->minimum;
    if (range <= 0) // busy without a known end: a standing half-tone bar, no motion
        painter->setBrush(mixed(m_colors.card, m_colors.accent, 0.45));
    else {
        const qreal share = static_cast<qreal>(qint64(bar->progress) - bar->minimum) / static_cast<qreal>(range);
        track.setWidth(track.width() * qBound(0.0, share, 1.0));
        painter->setBrush(m_colors.accent);
    }
    if (track.width() >= 1.0)
        painter->drawRoundedRect(track, kHeight / 2, kHeight / 2);
}

void WorkbenchStyle::paintHeaderSection(QPainter* painter, const QStyleOption* option) const {
    painter->fillRect(option->rect, m_colors.cardAlternate);
    painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), m_colors.border);
}

void WorkbenchStyle::paintTab(QPainter* painter, const QStyleOption* option) const {
    const Smooth smooth(painter);
    const QRectF rect = option->rect;
    if (is(option, State_Selected)) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(m_colors.accent);
        painter->drawRoundedRect(QRectF(rect.left() + 6, rect.bottom() - 3, rect.width() - 12, 3), 1.5, 1.5);
    } else if (is(option, State_MouseOver)) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(m_colors.cardAlternate);
        painter->drawRoundedRect(rect.adjusted(2, 3, -2, -4), kRadius, kRadius);
    }
}

} // namespace accumulus::ui
