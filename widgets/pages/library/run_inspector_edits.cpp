// SPDX-License-Identifier: GPL-3.0-or-later
// The run's name, tags and notes: the fields, what stands in them unsaved, and its way into the library.
#include "widgets/models/run_tags.h"
#include "widgets/pages/library/notes_view.h"
#include "widgets/pages/library/run_inspector.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>

namespace accumulus::ui {
namespace {

const QString tagSeparator = QStringLiteral(", ");

QString tagLine(const RunRecord& run) {
    QStringList tags;
    for (const std::string& tag : run.tags)
        tags << format::fromUtf8(tag);
    return tags.join(tagSeparator);
}

} // namespace

RunInspector::Draft RunInspector::draftOf(const RunRecord& run) {
    return {format::fromUtf8(run.name).trimmed(), tagsFrom(tagLine(run)).join(tagSeparator),
            format::linesFromUtf8(run.notes)};
}

QWidget* RunInspector::notesTab() {
    auto* tab = new QWidget;
    auto* column = new QVBoxLayout(tab);
    column->setContentsMargins(0, space::m, 0, 0);
    column->setSpacing(space::xs);
    const auto addField = [&](const QString& caption, QWidget* field, const QString& name, int stretch) {
        auto* label = new RoleLabel(m_services.theme, TextRole::Caption, caption);
        label->setBuddy(field);
        field->setObjectName(name);
        field->setAccessibleName(caption);
        column->addWidget(label);
        column->addWidget(field, stretch);
        column->addSpacing(space::s);
    };
    m_name = new QLineEdit;
    m_tags = new QLineEdit;
    m_tags->setPlaceholderText(tr("paper, baseline"));
    m_notes = new QPlainTextEdit;
    m_notes->setPlaceholderText(tr("What was this run for? What did it show?"));
    m_notes->setTabChangesFocus(true);
    addField(tr("Name"), m_name, QStringLiteral("inspectorName"), 0);
    addField(tr("Tags, separated by commas"), m_tags, QStringLiteral("inspectorTags"), 0);
    addField(tr("Notes"), m_notes, QStringLiteral("inspectorNotes"), 1);
    new NotesView(m_services.theme, *m_notes);
    connect(&m_services.library, &LibraryGateway::opened, this, &RunInspector::forget);
    connect(m_name, &QLineEdit::editingFinished, this, &RunInspector::saveEdits);
    connect(m_tags, &QLineEdit::editingFinished, this, &RunInspector::saveEdits);
    connect(m_notes, &QPlainTextEdit::textChanged, &m_saveSoon, qOverload<>(&QTimer::start));
    return tab;
}

void RunInspector::forget() {
    m_saveSoon.stop();
    m_run.reset();
    m_unsaved.clear();
    m_saving.clear();
}

RunInspector::Draft RunInspector::draft() const {
    return {m_name->text().trimmed(), tagsFrom(m_tags->text()).join(tagSeparator), m_notes->toPlainText()};
}

void RunInspector::showDraft(const Draft& draft) {
    const QSignalBlocker quiet(m_notes);
    const Draft now = this->draft(); // what stays keeps its cursor
    if (now.name != draft.name)
        m_name->setText(draft.name);
    if (now.tags != draft.tags)
        m_tags->setText(draft.tags);
    if (now.notes != draft.notes)
        m_notes->setPlainText(draft.notes);
}

bool RunInspector::hasDraft() const {
    const Draft now = draft();
    const Draft saved = draftOf(*m_run);
    // An empty name is none.
    return now.notes != saved.notes || now.tags != saved.tags || (!now.name.isEmpty() && now.name != saved.name);
}

bool RunInspector::hasUnsaved() const { return !m_unsaved.empty() || (m_run && !m_run->trashed && hasDraft()); }

void RunInspector::saveEdits() {
    m_saveSoon.stop();
    if (!m_run || m_run->trashed)
        return;
    m_unsaved.erase(m_run->id); // it is saved now, or was taken back
    if (!hasDraft())
        return;
    // Noted as saved: what fails is noted as unsaved again. Against what was shown: a foreign name is changed by an
    // edit only, not by being made printable.
    const RunRecord before = *m_run;
    const Draft now = draft();
    const Draft saved = draftOf(before);
    const auto told = [guard = QPointer(this), before, now, save = ++m_saves](bool written) {
        if (guard)
            guard->edited(before, now, save, written);
    };
    Saving& saving = m_saving[before.id];
    saving.last = m_saves;
    if (now.notes != saved.notes) {
        ++saving.pending;
        m_run->notes = now.notes.toStdString();
        m_edits.setNotes(before, now.notes, told);
    }
    if (now.tags != saved.tags) {
        ++saving.pending;
        m_run->tags.clear();
        for (const QString& tag : tagsFrom(now.tags))
            m_run->tags.push_back(tag.toStdString());
        m_edits.setTags(before, tagsFrom(now.tags), told);
    }
    if (!now.name.isEmpty() && now.name != saved.name) {
        ++saving.pending;
        m_run->name = now.name.toStdString();
        m_edits.rename(before, now.name, told);
    }
    saving.wanted = *m_run;
}

void RunInspector::edited(const RunRecord& before, const Draft& wanted, int save, bool written) {
    const auto saving = m_saving.find(before.id);
    if (saving == m_saving.end())
        return; // of another library
    const bool newest = saving->second.last == save;
    if (--saving->second.pending == 0 || (!written && newest))
        m_saving.erase(saving);
    if (written || !newest) // a later save has what this one lacked
        return;
    if (!m_run || m_run->id != before.id) {
        m_unsaved[before.id] = wanted;
        return;
    }
    // As it was: the fields differ from it, so that the next chance is taken.
    m_run->name = before.name;
    m_run->tags = before.tags;
    m_run->notes = before.notes;
    m_unsaved[before.id] = draft();
}

} // namespace accumulus::ui
