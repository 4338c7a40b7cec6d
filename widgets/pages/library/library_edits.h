// SPDX-License-Identifier: GPL-3.0-or-later
// Changes a person makes to runs in the library: trash, notes, tags, names. Written on the gateway's thread; each that
// was written can be undone for the rest of the session. Owns the undo stack, which outlives the window. GUI thread.
#pragma once

#include "widgets/bridge/library_gateway.h"
#include "widgets/models/run_baseline.h"

#include <QObject>
#include <QStringList>
#include <QUndoStack>
#include <functional>
#include <optional>
#include <vector>

namespace accumulus::ui {

class LibraryEdits : public QObject {
    Q_OBJECT
public:
    explicit LibraryEdits(LibraryGateway& library);

    [[nodiscard]] QUndoStack& stack() { return m_stack; }

    /// Whether it is in the library now.
    using Written = std::function<void(bool)>;

    using Edit = std::function<Status(RunStore&)>;
    /// Writes it, then makes a command of it. A failure is announced and leaves nothing to undo, here and below.
    void write(const QString& text, const Edit& redo, const Edit& undo, Written written = {});

    void moveToTrash(const QStringList& runs);
    void restore(const QStringList& runs);
    /// Of many runs at once: what is not given stays as it is.
    struct Change {
        QStringList addTags, removeTags;
        std::optional<QString> notes; ///< Markdown, instead of what there is
        std::optional<QString> color; ///< "#rrggbb", or empty for none
        std::optional<bool> isProtected;
        void applyTo(RunRecord& run) const;
        [[nodiscard]] bool isEmpty() const {
            return addTags.isEmpty() && removeTags.isEmpty() && !notes && !color && !isProtected;
        }
    };
    /// One step to undo, and one transaction: all of them or none.
    void change(const std::vector<RunRecord>& runs, const Change& change, Written written = {});
    void setBaseline(const Baseline& before, const Baseline& baseline);
    void setNotes(const RunRecord& run, const QString& notes, Written written = {});
    void setTags(const RunRecord& run, const QStringList& tags, Written written = {});
    void rename(const RunRecord& run, const QString& name, Written written = {});
    /// Its runs that are named after it follow.
    void renameStudy(const QString& study, const QString& before, const QString& name);
    void emptyTrash(const QStringList& runs); ///< of these, finally: clears the undo stack
    void expireTrash(); ///< what has been in the trash for trashDays is removed; so whenever a library is opened

Q_SIGNALS:
    void failed(const accumulus::Error& error);
    void movedToTrash(int count);
    void trashEmptied(qint64 count);
    void trashExpired(qint64 count);

private:
    LibraryGateway& m_library;
    QUndoStack m_stack;
};

} // namespace accumulus::ui
