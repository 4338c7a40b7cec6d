// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/library_edits.h"

#include "core/base/clock.h"

#include <QUndoCommand>
#include <utility>
#include <vector>

namespace accumulus::ui {
namespace {

class EditCommand : public QUndoCommand {
public:
    using Step = std::function<bool()>;
    EditCommand(const QString& text, Step redo, Step undo)
        : QUndoCommand(text), m_redo(std::move(redo)), m_undo(std::move(undo)) {}

    void redo() override { setObsolete(!m_redo()); }
    void undo() override { setObsolete(!m_undo()); }

private:
    Step m_redo, m_undo;
};

std::vector<std::string> standardStrings(const QStringList& texts) {
    std::vector<std::string> result;
    for (const QString& text : texts)
        result.push_back(text.toStdString());
    return result;
}

} // namespace

LibraryEdits::LibraryEdits(LibraryGateway& library, QObject* parent) : QObject(parent), m_library(library) {
    connect(&m_library, &LibraryGateway::opened, &m_stack, &QUndoStack::clear);
}

bool LibraryEdits::push(const QString& text, Edit redo, Edit undo) {
    auto worked = std::make_shared<bool>(false);
    const auto step = [this, worked](Edit edit) -> EditCommand::Step {
        return [this, worked, edit = std::move(edit)] {
            const Status status = m_library.edit(edit);
            *worked = status.has_value();
            if (!status)
                Q_EMIT failed(status.error());
            return *worked;
        };
    };
    m_stack.push(new EditCommand(text, step(std::move(redo)), step(std::move(undo))));
    return *worked;
}

void LibraryEdits::moveToTrash(const QStringList& runs) {
    const auto ids = standardStrings(runs);
    const bool moved = push(
        tr("Move %n run(s) to Trash", nullptr, static_cast<int>(runs.size())),
        [ids](RunStore& store) { return store.moveToTrash(ids, unixTime()); },
        [ids](RunStore& store) { return store.restoreFromTrash(ids); });
    if (moved)
        Q_EMIT movedToTrash(static_cast<int>(runs.size()));
}

void LibraryEdits::restore(const QStringList& runs) {
    const auto ids = standardStrings(runs);
    push(
        tr("Restore %n run(s)", nullptr, static_cast<int>(runs.size())),
        [ids](RunStore& store) { return store.restoreFromTrash(ids); },
        [ids](RunStore& store) { return store.moveToTrash(ids, unixTime()); });
}

void LibraryEdits::setNotes(const RunRecord& run, const QString& notes) {
    push(
        tr("Edit notes"),
        [id = run.id, text = notes.toStdString()](RunStore& store) { return store.setNotes(id, text); },
        [id = run.id, text = run.notes](RunStore& store) { return store.setNotes(id, text); });
}

void LibraryEdits::setTags(const RunRecord& run, const QStringList& tags) {
    push(
        tr("Edit tags"), [id = run.id, now = standardStrings(tags)](RunStore& store) { return store.setTags(id, now); },
        [id = run.id, before = run.tags](RunStore& store) { return store.setTags(id, before); });
}

void LibraryEdits::rename(const RunRecord& run, const QString& name) {
    push(
        tr("Rename"), [id = run.id, now = name.toStdString()](RunStore& store) { return store.rename(id, now); },
        [id = run.id, before = run.name](RunStore& store) { return store.rename(id, before); });
}

void LibraryEdits::emptyTrash() {
    qint64 removed = 0;
    const Status status = m_library.edit([&](RunStore& store) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto emptied, store.emptyTrash());
        removed = emptied.removed;
        return emptied.problems.empty() ? Status() : failure(emptied.problems.front());
    });
    m_stack.clear(); // what was removed for good cannot come back by undoing its way into the trash
    if (status || removed > 0)
        Q_EMIT trashEmptied(removed);
    if (!status)
        Q_EMIT failed(status.error());
}

} // namespace accumulus::ui
