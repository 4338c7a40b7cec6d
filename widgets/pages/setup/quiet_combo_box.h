// SPDX-License-Identifier: GPL-3.0-or-later
// The choices of Set up's form. GUI thread.
#pragma once

#include <QComboBox>
#include <QStyleOptionComboBox>
#include <QWheelEvent>

namespace accumulus::ui {

inline constexpr int rowHeight = 32; ///< of a field

/// Leaves the wheel to the form that scrolls, and makes its list when it is opened.
class QuietComboBox : public QComboBox {
public:
    explicit QuietComboBox(QWidget* parent) : QComboBox(parent) {
        setFocusPolicy(Qt::StrongFocus);
        setMinimumHeight(rowHeight);
    }

    // As QComboBox::AdjustToMinimumContentsLengthWithIcon has it, which would make every list before it is opened.
    QSize sizeHint() const override {
        QStyleOptionComboBox option;
        initStyleOption(&option);
        const QFontMetrics metrics = fontMetrics();
        const int letters = leastLetters * metrics.horizontalAdvance(QLatin1Char('X'));
        const QSize content(letters + iconSize().width() + iconGap, metrics.height());
        return style()->sizeFromContents(QStyle::CT_ComboBox, &option, content, this);
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }

private:
    static constexpr int leastLetters = 6; ///< of a choice that are seen
    static constexpr int iconGap = 4;      ///< beside an icon, as QComboBox has it
};

} // namespace accumulus::ui
