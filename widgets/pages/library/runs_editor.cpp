// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/runs_editor.h"

#include "widgets/models/run_tags.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <algorithm>
#include <iterator>
#include <utility>

namespace accumulus::ui {
namespace {

/// Of all runs, then of some of them only.
std::pair<QStringList, QStringList> commonTags(const std::vector<RunRecord>& runs) {
    QStringList common, some;
    for (const RunRecord& run : runs)
        for (const std::string& tag : run.tags) {
            const QString text = format::fromUtf8(tag);
            const bool everywhere = std::ranges::all_of(
                runs, [&](const RunRecord& other) { return std::ranges::find(other.tags, tag) != other.tags.end(); });
            if (QStringList& list = everywhere ? common : some; !list.contains(text))
                list << text;
        }
    return {common, some};
}

} // namespace

RunsEditor::RunsEditor(const Theme& theme, LibraryEdits& edits, QWidget* parent) : QWidget(parent), m_edits(edits) {
    setObjectName(QStringLiteral("runsEditor"));
    setAccessibleName(tr("Tags and notes of the selected runs"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::s);
    m_title = new RoleLabel(theme, TextRole::CardTitle);
    m_title->setObjectName(QStringLiteral("runsEditorTitle"));
    column->addWidget(m_title);
    const auto addField = [&](const QString& label, QWidget* field, const char* name, int stretch) {
        auto* caption = new RoleLabel(theme, TextRole::Caption, label);
        caption->setBuddy(field);
        field->setObjectName(QString::fromLatin1(name));
        field->setAccessibleName(label);
        column->addWidget(caption);
        column->addWidget(field, stretch);
    };
    m_tags = new QLineEdit;
    m_tags->setPlaceholderText(tr("paper, first try"));
    addField(tr("Tags of all of them"), m_tags, "runsEditorTags", 0);
    m_some = new RoleLabel(theme, TextRole::Caption);
    m_some->setObjectName(QStringLiteral("runsEditorSome"));
    column->addWidget(m_some);
    m_notes = new QPlainTextEdit;
    m_notes->setTabChangesFocus(true);
    addField(tr("Notes of all of them (Markdown)"), m_notes, "runsEditorNotes", 1);
    auto* row = new QHBoxLayout;
    m_apply = primaryButton(theme, tr("Apply to all"));
    m_apply->setObjectName(QStringLiteral("runsEditorApply"));
    m_revert = new QPushButton(tr("Revert"));
    m_revert->setObjectName(QStringLiteral("runsEditorRevert"));
    row->addWidget(m_apply);
    row->addWidget(m_revert);
    row->addStretch(1);
    column->addLayout(row);

    connect(m_tags, &QLineEdit::textChanged, this, &RunsEditor::updateButtons);
    connect(m_tags, &QLineEdit::returnPressed, this, &RunsEditor::apply);
    connect(m_notes, &QPlainTextEdit::textChanged, this, &RunsEditor::updateButtons);
    connect(m_apply, &QPushButton::clicked, this, &RunsEditor::apply);
    connect(m_revert, &QPushButton::clicked, this, &RunsEditor::revert);
}

void RunsEditor::showRuns(std::vector<RunRecord> runs, bool writable) {
    m_tags->setReadOnly(!writable);
    m_notes->setReadOnly(!writable);
    const Ids before = ids();
    std::vector<RunRecord> earlier = std::exchange(m_runs, std::move(runs));
    const bool same = ids() == before;
    if (same && m_writing > 0)
        std::swap(m_runs, earlier); // read before they were written, perhaps
    m_title->setText(tr("%n runs are selected.", nullptr, static_cast<int>(m_runs.size())));
    if (same && !change().isEmpty())
        return;
    if (!same)
        keepDraft(before);
    revert();
    if (!same)
        bringDraft();
}

RunsEditor::Ids RunsEditor::ids() const {
    Ids found;
    for (const RunRecord& run : m_runs)
        found.insert(run.id);
    return found;
}

void RunsEditor::keepDraft(const Ids& runs) {
    if (!change().isEmpty())
        m_drafts[runs] = {m_tags->text(), change().notes};
}

void RunsEditor::bringDraft() {
    if (auto draft = m_drafts.extract(ids())) {
        m_tags->setText(draft.mapped().tags);
        if (draft.mapped().notes) {
            m_notes->setPlainText(*draft.mapped().notes);
            m_notes->document()->setModified(true);
        }
        updateButtons();
    }
    Q_EMIT waitingChanged();
}

void RunsEditor::leave() {
    if (m_runs.empty())
        return;
    keepDraft(ids());
    m_runs.clear();
    revert();
    Q_EMIT waitingChanged();
}

QStringList RunsEditor::waiting() const {
    QStringList runs;
    if (!m_drafts.empty())
        for (const std::string& run : m_drafts.begin()->first)
            runs << QString::fromStdString(run);
    return runs;
}

int RunsEditor::waitingRuns() const {
    Ids all;
    for (const auto& [runs, draft] : m_drafts)
        all.insert(runs.begin(), runs.end());
    return static_cast<int>(all.size());
}

void RunsEditor::discardWaiting() {
    m_drafts.clear();
    Q_EMIT waitingChanged();
}

/// What was typed for a run that is left alone has no editor any more.
void RunsEditor::keepOnly(const std::set<std::string>& listed) {
    std::map<Ids, Draft> left;
    for (const auto& [runs, draft] : m_drafts) {
        Ids known;
        std::ranges::set_intersection(runs, listed, std::inserter(known, known.end()));
        if (known.size() > 1)
            left.emplace(std::move(known), draft);
    }
    m_drafts = std::move(left);
    Q_EMIT waitingChanged();
}

bool RunsEditor::hasUnsaved() const { return !m_drafts.empty() || (!m_tags->isReadOnly() && !change().isEmpty()); }

QVariant RunsEditor::drafts() const {
    std::map<Ids, Draft> all = m_drafts;
    if (!m_tags->isReadOnly() && !change().isEmpty())
        all[ids()] = {m_tags->text(), change().notes};
    QVariantList list;
    for (const auto& [runs, draft] : all) {
        QStringList names;
        for (const std::string& run : runs)
            names << QString::fromStdString(run);
        list << QVariant(QVariantList{names, draft.tags, draft.notes ? QVariant(*draft.notes) : QVariant()});
    }
    return list;
}

void RunsEditor::takeOver(const QVariant& drafts) {
    for (const QVariant& entry : drafts.toList()) {
        const QVariantList draft = entry.toList();
        if (draft.size() != 3)
            continue;
        Ids runs;
        for (const QString& run : draft[0].toStringList())
            runs.insert(run.toStdString());
        m_drafts[runs] = {draft[1].toString(), draft[2].isValid() ? std::optional(draft[2].toString()) : std::nullopt};
    }
    Q_EMIT waitingChanged();
}

void RunsEditor::forget() {
    m_drafts.clear();
    m_runs.clear();
    revert();
    bringDraft();
}

/// What is to be changed is judged by these from now on. Returns the tags that only some of the runs have.
QStringList RunsEditor::takeTags() {
    const auto [common, some] = commonTags(m_runs);
    m_common = common;
    m_tagsShown = common.join(QStringLiteral(", "));
    return some;
}

void RunsEditor::revert() {
    const QStringList some = takeTags();
    m_tags->setText(m_tagsShown);
    m_some->setText(tr("Of some of them: %1").arg(some.join(QStringLiteral(", "))));
    m_some->setVisible(!some.isEmpty());
    const bool alike =
        std::ranges::all_of(m_runs, [this](const RunRecord& run) { return run.notes == m_runs.front().notes; });
    m_notes->setPlainText(alike && !m_runs.empty() ? format::linesFromUtf8(m_runs.front().notes) : QString());
    m_notes->setPlaceholderText(alike ? QString() : tr("Their notes differ. What you write here takes their place."));
    m_notes->document()->setModified(false);
    updateButtons();
}

LibraryEdits::Change RunsEditor::change() const {
    LibraryEdits::Change change;
    // A tag that was imported may hold a comma: what nobody has changed is not taken apart.
    const QStringList wanted = m_tags->text() == m_tagsShown ? m_common : tagsFrom(m_tags->text());
    for (const QString& tag : wanted)
        if (!m_common.contains(tag))
            change.addTags << tag;
    for (const QString& tag : m_common)
        if (!wanted.contains(tag))
            change.removeTags << tag;
    if (m_notes->document()->isModified())
        change.notes = m_notes->toPlainText();
    return change;
}

void RunsEditor::updateButtons() {
    const bool something = !change().isEmpty() && !m_tags->isReadOnly();
    m_apply->setEnabled(something);
    m_revert->setEnabled(something);
}

void RunsEditor::apply() {
    const LibraryEdits::Change wanted = change();
    if (wanted.isEmpty() || m_tags->isReadOnly())
        return;
    ++m_writing;
    m_edits.change(m_runs, wanted,
                   [guard = QPointer(this), runs = m_runs, draft = Draft{m_tags->text(), wanted.notes}](bool good) {
                       if (!guard)
                           return;
                       --guard->m_writing;
                       if (!good)
                           guard->comeBack(runs, draft);
                   });
    // As it will be.
    for (RunRecord& run : m_runs)
        wanted.applyTo(run);
    takeTags();
    m_tagsShown = m_tags->text();
    m_notes->document()->setModified(false);
    updateButtons();
}

void RunsEditor::comeBack(const std::vector<RunRecord>& runs, const Draft& draft) {
    Ids written;
    for (const RunRecord& run : runs)
        written.insert(run.id);
    if (written != ids()) {
        m_drafts.try_emplace(std::move(written), draft);
        Q_EMIT waitingChanged();
        return;
    }
    m_runs = runs; // the fields hold what was typed, or what was added to it since
    takeTags();
    if (draft.notes)
        m_notes->document()->setModified(true);
    updateButtons();
}

void RunsEditor::editTags() {
    m_tags->setFocus(Qt::ShortcutFocusReason);
    m_tags->selectAll();
}

} // namespace accumulus::ui
