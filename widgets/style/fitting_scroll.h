// SPDX-License-Identifier: GPL-3.0-or-later
// A scroll area that asks for the height its content needs at its width, and scrolls where there is less. GUI thread.
#pragma once

#include <QEvent>
#include <QResizeEvent>
#include <QScrollArea>
#include <algorithm>

namespace accumulus::ui {

class FittingScroll : public QScrollArea {
public:
    explicit FittingScroll(QWidget* content, QWidget* parent = nullptr) : QScrollArea(parent) {
        setFrameShape(QFrame::NoFrame);
        setWidgetResizable(true);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setWidget(content);
        content->setAutoFillBackground(false);
        viewport()->setAutoFillBackground(false);
    }

    [[nodiscard]] QSize sizeHint() const override {
        const QSize size = widget()->sizeHint();
        return {size.width(),
                widget()->hasHeightForWidth() ? widget()->heightForWidth(viewport()->width()) : size.height()};
    }
    [[nodiscard]] QSize minimumSizeHint() const override {
        return {std::max(m_widest, widget()->minimumSizeHint().width()), 48};
    }

    /// From now on no narrower than what it has held: numbers that lose a digit leave their neighbours where they are.
    void keepWidth() {
        m_keepsWidth = true;
        m_widest = 0;
        updateGeometry();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == widget() && event->type() == QEvent::LayoutRequest) {
            if (m_keepsWidth)
                m_widest = std::max(m_widest, widget()->minimumSizeHint().width());
            updateGeometry();
        }
        return QScrollArea::eventFilter(watched, event);
    }
    void resizeEvent(QResizeEvent* event) override {
        QScrollArea::resizeEvent(event);
        if (event->size().width() != event->oldSize().width())
            updateGeometry();
    }

private:
    bool m_keepsWidth = false;
    int m_widest = 0;
};

} // namespace accumulus::ui
