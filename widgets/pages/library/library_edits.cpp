// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/library_edits.h"

#include "core/base/clock.h"
#include "core/store/study_names.h"

#include <QUndoCommand>
#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace accumulus::ui {
namespace {

/// Of an edit that was written already: the stack's first redo does nothing.
class EditCommand : public QUndoCommand {
public:
    using Step = std::function<void(const std::shared_ptr<bool>& failed)>;
    EditCommand(const QString& text, Step redo, Step undo)
        : QUndoCommand(text), m_redo(std::move(redo)), m_undo(std::move(undo)) {}

    void redo() override { step(m_redo); }
    void undo() override { step(m_undo); }

private:
    void step(const Step& step) {
        if (*m_failed)
            setObsolete(true);
        else if (!std::exchange(m_new, false))
            step(m_failed);
    }

    Step m_redo, m_undo;
    bool m_new = true;
    std::shared_ptr<bool> m_failed = std::make_shared<bool>(false); ///< one of its steps was not written
};

std::vector<std::string> standardStrings(const QStringList& texts) {
    std::vector<std::string> result;
    for (const QString& text : texts)
        result.push_back(text.toStdString());
    return result;
}

/// What differs between `from` and `to`, in one transaction.
Status putAll(RunStore& store, const std::vector<RunRecord>& from, const std::vector<RunRecord>& to) {
    const auto put = [&](const RunRecord& before, const RunRecord& run) -> Status {
        if (before.tags != run.tags)
            ACCUMULUS_TRY(store.setTags(run.id, run.tags));
        if (before.notes != run.notes)
            ACCUMULUS_TRY(store.setNotes(run.id, run.notes));
        if (before.color != run.color)
            ACCUMULUS_TRY(store.setColor(run.id, run.color));
        if (before.isProtected != run.isProtected)
            ACCUMULUS_TRY(store.setProtected(run.id, run.isProtected));
        return {};
    };
    ACCUMULUS_TRY(store.begin());
    for (std::size_t i = 0; i < to.size(); ++i)
        if (Status status = put(from[i], to[i]); !status) {
            store.rollback();
            return status;
        }
    return store.commit();
}

} // namespace

void LibraryEdits::Change::applyTo(RunRecord& run) const {
    for (const QString& tag : removeTags)
        std::erase(run.tags, tag.toStdString());
    for (const QString& tag : addTags)
        if (const std::string text = tag.toStdString(); std::ranges::find(run.tags, text) == run.tags.end())
            run.tags.push_back(text);
    std::ranges::sort(run.tags);
    if (notes)
        run.notes = notes->toStdString();
    if (color)
        run.color = color->toStdString();
    run.isProtected = isProtected.value_or(run.isProtected);
}

LibraryEdits::LibraryEdits(LibraryGateway& library) : m_library(library) {
    connect(&m_library, &LibraryGateway::opened, &m_stack, &QUndoStack::clear);
    connect(&m_library, &LibraryGateway::opened, this, &LibraryEdits::expireTrash);
    if (m_library.isOpen())
        expireTrash();
}

void LibraryEdits::write(const QString& text, const Edit& redo, const Edit& undo, Written written) {
    const auto step = [this](const Edit& edit) -> EditCommand::Step {
        return [this, edit](const std::shared_ptr<bool>& broken) {
            m_library.edit(this, edit, [this, broken](const Status& status) {
                *broken = !status;
                if (!status)
                    Q_EMIT failed(status.error());
            });
        };
    };
    m_library.edit(this, redo,
                   [this, text, again = step(redo), back = step(undo), written = std::move(written),
                    file = m_library.path()](const Status& status) {
                       if (status && file == m_library.path()) // of another library, it can no longer be undone
                           m_stack.push(new EditCommand(text, again, back));
                       if (!status)
                           Q_EMIT failed(status.error());
                       if (written)
                           written(status.has_value());
                   });
}

void LibraryEdits::moveToTrash(const QStringList& runs) {
    const auto ids = standardStrings(runs);
    const auto count = static_cast<int>(runs.size());
    write(
        tr("Move %n run(s) to Trash", nullptr, count),
        [ids](RunStore& store) { return store.moveToTrash(ids, unixTime()); },
        [ids](RunStore& store) { return store.restoreFromTrash(ids); },
        [this, count](bool moved) {
            if (moved)
                Q_EMIT movedToTrash(count);
        });
}

void LibraryEdits::restore(const QStringList& runs) {
    const auto ids = standardStrings(runs);
    write(
        tr("Restore %n run(s)", nullptr, static_cast<int>(runs.size())),
        [ids](RunStore& store) { return store.restoreFromTrash(ids); },
        [ids](RunStore& store) { return store.moveToTrash(ids, unixTime()); });
}

void LibraryEdits::setNotes(const RunRecord& run, const QString& notes, Written written) {
    write(
        tr("Edit notes"),
        [id = run.id, text = notes.toStdString()](RunStore& store) { return store.setNotes(id, text); },
        [id = run.id, text = run.notes](RunStore& store) { return store.setNotes(id, text); }, std::move(written));
}

void LibraryEdits::setTags(const RunRecord& run, const QStringList& tags, Written written) {
    write(
        tr("Edit tags"), [id = run.id, now = standardStrings(tags)](RunStore& store) { return store.setTags(id, now); },
        [id = run.id, before = run.tags](RunStore& store) { return store.setTags(id, before); }, std::move(written));
}

void LibraryEdits::rename(const RunRecord& run, const QString& name, Written written) {
    write(
        tr("Rename"), [id = run.id, now = name.toStdString()](RunStore& store) { return store.rename(id, now); },
        [id = run.id, before = run.name](RunStore& store) { return store.rename(id, before); }, std::move(written));
}

void LibraryEdits::renameStudy(const QString& study, const QString& before, const QString& name) {
    const auto put = [id = study.toStdString()](const QString& wanted) {
        return [id, text = wanted.toStdString()](RunStore& store) { return accumulus::renameStudy(store, id, text); };
    };
    write(tr("Rename"), put(name), put(before));
}

void LibraryEdits::setBaseline(const Baseline& before, const Baseline& baseline) {
    const auto put = [](const Baseline& wanted) {
        return [text = wanted.text().toStdString()](RunStore& store) { return store.putNote(baselineNote, text); };
    };
    write(baseline.kind == Baseline::Kind::None ? tr("Unpin baseline") : tr("Pin baseline"), put(baseline),
          put(before));
}

void LibraryEdits::change(const std::vector<RunRecord>& runs, const Change& change, Written written) {
    std::vector<RunRecord> changed = runs;
    for (RunRecord& run : changed)
        change.applyTo(run);
    const auto put = [](const std::vector<RunRecord>& from, const std::vector<RunRecord>& to) {
        return [from, to](RunStore& store) { return putAll(store, from, to); };
    };
    write(tr("Edit %n run(s)", nullptr, static_cast<int>(runs.size())), put(runs, changed), put(changed, runs),
          std::move(written));
}

void LibraryEdits::expireTrash() {
    if (m_library.readOnly())
        return;
    auto removed = std::make_shared<qint64>(0);
    m_library.edit(
        this,
        [removed](RunStore& store) -> Status {
            ACCUMULUS_TRY_ASSIGN(const auto emptied, store.emptyTrash(unixTime() - trashDays * 86'400.0));
            *removed = emptied.removed;
            return {};
        },
        [this, removed](const Status&) { // what could not be removed now goes the next time
            if (*removed > 0)
                Q_EMIT trashExpired(*removed);
        });
}

void LibraryEdits::emptyTrash(const QStringList& runs) {
    m_stack.clear(); // what is removed for good cannot come back by undoing its way into the trash
    auto removed = std::make_shared<qint64>(0);
    m_library.edit(
        this,
        [removed, ids = standardStrings(runs)](RunStore& store) -> Status {
            ACCUMULUS_TRY_ASSIGN(const auto emptied, store.emptyTrash(std::span<const std::string>(ids)));
            *removed = emptied.removed;
            return emptied.problems.empty() ? Status() : failure(emptied.problems.front());
        },
        [this, removed](const Status& status) {
            m_stack.clear();
            if (status || *removed > 0)
                Q_EMIT trashEmptied(*removed);
            if (!status)
                Q_EMIT failed(status.error());
        });
}

} // namespace accumulus::ui
