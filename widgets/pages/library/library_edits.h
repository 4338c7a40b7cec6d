// SPDX-License-Identifier: GPL-3.0-or-later
// Changes a person makes to runs in the library: trash, notes, tags, names. Each can be undone for the rest of the
// session. Owns the undo stack. GUI thread.
#pragma once

#include "widgets/bridge/library_gateway.h"

#include <QObject>
#include <QStringList>
#include <QUndoStack>
#include <functional>

namespace accumulus::ui {

class LibraryEdits : public QObject {
    Q_OBJECT
public:
    explicit LibraryEdits(LibraryGateway& library, QObject* parent = nullptr);

    [[nodiscard]] QUndoStack& stack() { return m_stack; }

    /// Each does it at once; a failure is announced and leaves nothing to undo.
    void moveToTrash(const QStringList& runs);
    void restore(const QStringList& runs);
    void setNotes(const RunRecord& run, const QString& notes);
    void setTags(const RunRecord& run, const QStringList& tags);
    void rename(const RunRecord& run, const QString& name);
    void emptyTrash(); ///< final: clears the undo stack

Q_SIGNALS:
    void failed(const accumulus::Error& error);
    void movedToTrash(int count);
    void trashEmptied(qint64 count);

private:
    using Edit = std::function<Status(RunStore&)>;
    /// Pushes a command; true when its first execution worked.
    bool push(const QString& text, Edit redo, Edit undo);

    LibraryGateway& m_library;
    QUndoStack m_stack;
};

} // namespace accumulus::ui
