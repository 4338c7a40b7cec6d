// SPDX-License-Identifier: GPL-3.0-or-later
// A field keeps Ctrl+Z to itself even where nothing was typed that it could take back. With this event filter on the
// application the window gets the key then. Ctrl+Y redoes on every system. GUI thread.
#pragma once

#include <QAbstractSpinBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>

namespace accumulus::ui {

/// Those of all systems.
[[nodiscard]] inline bool isRedoKey(const QKeyEvent& key) {
    const QKeyCombination pressed = key.keyCombination();
    return key.matches(QKeySequence::Redo) || pressed == (Qt::CTRL | Qt::SHIFT | Qt::Key_Z) ||
           pressed == (Qt::CTRL | Qt::Key_Y);
}

class UndoKeys : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
            return false;
        const auto* key = static_cast<const QKeyEvent*>(event);
        const bool undo = key->matches(QKeySequence::Undo);
        if (!undo && !isRedoKey(*key))
            return false;
        if (!isField(watched))
            return false;
        const bool foreign = !undo && !key->matches(QKeySequence::Redo); // the field itself does not know this one
        if (hasHistory(watched, undo))
            return foreign && redoes(watched, *event);
        if (event->type() == QEvent::KeyPress)
            return false;
        event->ignore();
        return true;
    }

private:
    static bool redoes(QObject* field, QEvent& event) {
        if (event.type() == QEvent::KeyPress)
            QMetaObject::invokeMethod(qobject_cast<QAbstractSpinBox*>(field) ? field->findChild<QLineEdit*>() : field,
                                      "redo");
        event.accept();
        return true;
    }
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
