// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/elided_label.h"

#include <QEvent>
#include <algorithm>

namespace accumulus::ui {

namespace {
constexpr int fewLetters = 10;
constexpr int rounded = 2; ///< pixels that a text may be wider than the sum of its letters
} // namespace

ElidedLabel::ElidedLabel(const Theme& theme, TextRole role, QWidget* parent) : RoleLabel(theme, role, {}, parent) {
    setWordWrap(false);
}

void ElidedLabel::setWhole(const QString& text) {
    if (text == m_whole)
        return;
    m_whole = text;
    setAccessibleName(text);
    updateGeometry();
    showWhatFits();
}

QSize ElidedLabel::sizeHint() const {
    const QMargins margins = contentsMargins();
    return {fontMetrics().horizontalAdvance(m_whole) + rounded + margins.left() + margins.right(),
            RoleLabel::sizeHint().height()};
}

QSize ElidedLabel::minimumSizeHint() const {
    const QSize whole = sizeHint();
    return {std::min(whole.width(), fewLetters * fontMetrics().averageCharWidth()), whole.height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    RoleLabel::resizeEvent(event);
    showWhatFits();
}

void ElidedLabel::changeEvent(QEvent* event) {
    RoleLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        showWhatFits();
}

void ElidedLabel::showWhatFits() {
    const QString shown = fontMetrics().elidedText(m_whole, Qt::ElideRight, contentsRect().width());
    setText(shown);
    setToolTip(shown == m_whole ? QString() : m_whole);
}

} // namespace accumulus::ui
