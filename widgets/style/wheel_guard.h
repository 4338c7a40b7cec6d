// SPDX-License-Identifier: GPL-3.0-or-later
// Scrolling a page must not change a value the pointer happens to pass, nor one that has the focus: an event filter for
// fields inside a scroll area. GUI thread.
#pragma once

#include <QEvent>
#include <QWidget>

namespace accumulus::ui {

class WheelGuard : public QObject {
public:
    using QObject::QObject;

    void guard(QWidget* field) {
        field->setFocusPolicy(Qt::StrongFocus); // the wheel alone must not give it the focus either
        field->installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Wheel || qobject_cast<QWidget*>(watched) == nullptr)
            return false;
        event->ignore();
        return true;
    }
};

} // namespace accumulus::ui
