// SPDX-License-Identifier: GPL-3.0-or-later
// A field keeps Ctrl+Z to itself even where nothing was typed that it could take back. With this event filter on the
// application the window gets the key then. GUI thread.
#pragma once

#include <QAbstractSpinBox>
#include <QKeyEvent>
#include <QLineEdit>

namespace accumulus::ui {

class UndoKeys : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride)
            return false;
        const auto* key = static_cast<const QKeyEvent*>(event);
        const bool undo = key->matches(QKeySequence::Undo);
        if (!undo && !key->matches(QKeySequence::Redo))
            return false;
        const auto* line = qobject_cast<const QLineEdit*>(watched);
        if (const auto* box = qobject_cast<const QAbstractSpinBox*>(watched))
            line = box->findChild<const QLineEdit*>();
        if (!line || (undo ? line->isUndoAvailable() : line->isRedoAvailable()))
            return false;
        event->ignore();
        return true;
    }
};

} // namespace accumulus::ui
