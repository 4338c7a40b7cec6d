// SPDX-License-Identifier: GPL-3.0-or-later
// A field keeps Ctrl+Z to itself even where nothing was typed that it could take back. With this event filter on the
// application the window gets the key then. GUI thread.
#pragma once

#include <QAbstractSpinBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>

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
        if (!isField(watched) || hasHistory(watched, undo))
            return false;
        event->ignore();
        return true;
    }

private:
    static const QLineEdit* lineOf(const QObject* watched) {
        const auto* box = qobject_cast<const QAbstractSpinBox*>(watched);
        return box ? box->findChild<const QLineEdit*>() : qobject_cast<const QLineEdit*>(watched);
    }
    static bool isField(const QObject* watched) {
        return lineOf(watched) || qobject_cast<const QPlainTextEdit*>(watched);
    }
    static bool hasHistory(const QObject* field, bool undo) {
        if (const auto* text = qobject_cast<const QPlainTextEdit*>(field))
            return undo ? text->document()->isUndoAvailable() : text->document()->isRedoAvailable();
        const QLineEdit* line = lineOf(field);
        return undo ? line->isUndoAvailable() : line->isRedoAvailable();
    }
};

} // namespace accumulus::ui
