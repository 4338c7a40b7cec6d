// SPDX-License-Identifier: GPL-3.0-or-later
// Enter presses the button that has the focus, as Space does. In dialogs Qt knows what Enter means: the default button,
// or the one with the focus. An event filter on the application. GUI thread.
#pragma once

#include <QDialog>
#include <QKeyEvent>
#include <QPushButton>
#include <QToolButton>

namespace accumulus::ui {

class ButtonKeys : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::KeyPress)
            return false;
        const auto* key = static_cast<const QKeyEvent*>(event);
        const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        auto* button = enter ? qobject_cast<QAbstractButton*>(watched) : nullptr;
        if (!button || (key->modifiers() & ~Qt::KeypadModifier) || qobject_cast<QDialog*>(button->window()))
            return false;
        if (!qobject_cast<QPushButton*>(button) && !qobject_cast<QToolButton*>(button))
            return false;
        if (!key->isAutoRepeat()) // a key that is held down presses once
            button->click();
        return true;
    }
};

} // namespace accumulus::ui
