// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the Library page that changes what is in the library: names, the baseline, protection, the Trash.
#include "widgets/pages/library/library_page_impl.h"
#include "widgets/pages/library/trash_dialog.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPushButton>
#include <algorithm>
#include <utility>

namespace accumulus::ui {

void LibraryPage::Impl::connectRenaming() {
    connect(rename, &QAction::triggered, table, &RunTable::renameSelected);
    connect(&model, &RunListModel::runRenamed, &page, [this](const QString& run, const QString& name) {
        if (const RunRecord* record = model.find(run))
            edits.rename(*record, name);
    });
    connect(&model, &RunListModel::studyRenamed, &page, [this](const QString& study, const QString& name) {
        const auto of = [&](const RunRow& row) { return QString::fromStdString(row.record.study) == study; };
        if (const auto row = std::ranges::find_if(model.rows(), of); row != model.rows().end())
            edits.renameStudy(study, row->study, name);
    });
}

void LibraryPage::Impl::updateRename() {
    const QModelIndexList chosen = table->selectionModel()->selectedRows(static_cast<int>(RunColumn::Name));
    const bool named = chosen.size() == 1 && chosen.front().flags().testFlag(Qt::ItemIsEditable);
    rename->setEnabled(named && !showTrash && !services.library.readOnly());
    rename->setToolTip(named && chosen.front().data(RunListModel::IdRole).toString().isEmpty()
                           ? LibraryPage::tr("Rename the study; its runs that are named after it follow")
                           : LibraryPage::tr("Rename the run"));
}

void LibraryPage::Impl::pinSelected() {
    const auto row = selectedRow();
    if (!row)
        return;
    const bool pinned = model.index(*row, 0).data(RunListModel::BaselineRole).toBool();
    edits.setBaseline(model.baseline(), pinned ? Baseline() : model.asBaseline(*row));
}

void LibraryPage::Impl::protectSelected() {
    const std::vector<RunRecord> runs = selectedRecords();
    LibraryEdits::Change change;
    change.isProtected = !std::ranges::all_of(runs, &RunRecord::isProtected);
    edits.change(runs, change);
}

void LibraryPage::Impl::offerUndo(const QString& done) {
    toast->showNotice(NoticeLevel::Info, done, LibraryPage::tr("Undo"));
    toastEnd.start(toastTime);
}

void LibraryPage::Impl::askToEmptyTrash() {
    std::vector<RunRecord> runs;
    for (const RunRow& row : *rows.trashed)
        runs.push_back(row.record);
    services.library.query<std::vector<RunFiles>>(
        &page, QStringLiteral("library.trash"), [runs](RunReader& reader) { return filesOf(reader, runs); },
        [this](const std::vector<RunFiles>& found) { confirmEmptyTrash(found); });
}

void LibraryPage::Impl::confirmEmptyTrash(const std::vector<RunFiles>& runs) {
    EmptyTrashDialog dialog(services.theme, runs, &page);
    if (dialog.exec() != QDialog::Accepted)
        return;
    QStringList confirmed; // others may have come meanwhile
    for (const RunFiles& deleted : runs)
        confirmed << QString::fromStdString(deleted.run.id);
    edits.emptyTrash(confirmed);
}

NoticeBar* LibraryPage::Impl::draftsBar() {
    auto* bar = new NoticeBar(services.theme);
    bar->setObjectName(QStringLiteral("libraryDrafts"));
    auto* discard = new QPushButton(LibraryPage::tr("Discard"));
    discard->setObjectName(QStringLiteral("libraryDraftsDiscard"));
    auto* row = static_cast<QHBoxLayout*>(bar->layout());
    row->insertWidget(row->count() - 1, discard, 0, Qt::AlignVCenter); // before what closes it
    QWidget::setTabOrder(bar->findChild<QWidget*>(QStringLiteral("noticeAction")), discard);
    connect(bar, &NoticeBar::actionTriggered, &page, [this] { selectDraft(); });
    connect(discard, &QPushButton::clicked, &page, [this] { editor->discardWaiting(); });
    return bar;
}

void LibraryPage::Impl::showDrafts() {
    const int runs = editor->waitingRuns();
    const QString text =
        runs > 0 ? LibraryPage::tr("What was typed for %n run(s) is not applied yet.", nullptr, runs) : QString();
    if (std::exchange(draftsText, text) == text)
        return; // a bar that was closed stays closed
    if (runs > 0)
        drafts->showNotice(NoticeLevel::Warning, text, LibraryPage::tr("Show"));
    else
        drafts->clear();
}

/// Wherever a filter or the Trash hides them.
void LibraryPage::Impl::selectDraft() {
    const QStringList runs = editor->waiting();
    runsButton->setChecked(true);
    const auto isHidden = [this](const QString& run) { return model.find(run) == nullptr || model.rowOf(run) < 0; };
    table->selectRuns(runs);
    if (std::ranges::any_of(runs, isHidden)) {
        filter->clear();
        table->selectRuns(runs);
    }
}

} // namespace accumulus::ui
