// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the Library page that acts: what its actions do, and with which runs.
#include "core/config/experiment_file.h"
#include "core/run/checkpoint_files.h"
#include "core/store/library.h"
#include "widgets/models/run_copy.h"
#include "widgets/models/run_groups.h"
#include "widgets/pages/library/library_page_impl.h"
#include "widgets/style/format.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>
#include <QUndoStack>
#include <algorithm>
#include <array>
#include <set>

namespace accumulus::ui {
namespace {

QStringList idsOf(const std::vector<const RunRecord*>& runs) {
    QStringList ids;
    for (const RunRecord* run : runs)
        ids << QString::fromStdString(run->id);
    return ids;
}

/// Why the selected runs cannot become one more group; empty: they can.
QString whyNoGroup(FurtherGroup found) {
    switch (found) {
    case FurtherGroup::NoRuns:
        return LibraryPage::tr("Select runs to add them to the comparison as one more group.");
    case FurtherGroup::NothingCompared:
        return LibraryPage::tr("Nothing is compared yet. Compare two groups first.");
    case FurtherGroup::AllCompared:
        return LibraryPage::tr("These runs are compared already.");
    case FurtherGroup::TooMany:
        return LibraryPage::tr("Eight groups are compared already. Remove one in Compare first.");
    case FurtherGroup::Possible:
        break;
    }
    return {};
}

} // namespace

void LibraryPage::Impl::connectAll() {
    connectCare();
    refreshSoon.setSingleShot(true);
    connect(&refreshSoon, &QTimer::timeout, &page, [this] {
        if (stale && page.isVisible()) // else activated() reads it
            refresh();
    });
    toastEnd.setSingleShot(true);
    connect(&toastEnd, &QTimer::timeout, toast, &NoticeBar::clear);
    connect(toast, &NoticeBar::actionTriggered, &page, [this] {
        toast->clear();
        edits.stack().undo();
    });
    connect(&edits.stack(), &QUndoStack::indexChanged, toast,
            [this] { toast->clear(); }); // what it would undo is no more the last
    const auto changed = [this] {
        stale = true;
        if (page.isVisible() && !refreshSoon.isActive() && !reading)
            refresh();
    };
    connect(&services.library, &LibraryGateway::changed, &page, changed);
    connect(&services.library, &LibraryGateway::opened, &page, [this] { // read before anybody asks for the page
        stale = true;
        editor->forget();
        refresh();
    });
    connect(&edits, &LibraryEdits::failed, &page,
            [this](const Error& error) { notice->showNotice(NoticeLevel::Error, format::error(error)); });
    connect(&edits, &LibraryEdits::movedToTrash, &page,
            [this](int moved) { offerUndo(LibraryPage::tr("%n run(s) moved to Trash.", nullptr, moved)); });
    connect(&edits, &LibraryEdits::trashEmptied, &page, [this](qint64 removed) {
        toast->showNotice(NoticeLevel::Info, LibraryPage::tr("%n run(s) deleted.", nullptr, static_cast<int>(removed)));
        toastEnd.start(toastTime);
    });
    connect(&edits, &LibraryEdits::trashExpired, &page, [this](qint64 removed) {
        toast->showNotice(NoticeLevel::Info, LibraryPage::tr("%n run(s) were deleted after 30 days in the Trash.",
                                                             nullptr, static_cast<int>(removed)));
        toastEnd.start(toastTime);
    });
    connect(&imports, &RunImports::imported, table, &RunTable::keepSelected);
    connect(&exports, &RunExports::running, &page, [this](int files) { showExporting(files); });
    showExporting(exports.files()); // asked for on a page before this one
    connect(exporting, &NoticeBar::actionTriggered, &exports, &RunExports::cancel);
    connect(&exports, &RunExports::failed, &page,
            [this](const Error& error) { notice->showNotice(NoticeLevel::Error, format::error(error)); });
    connect(&exports, &RunExports::written, &page, [this](const QStringList& files) {
        toast->showNotice(NoticeLevel::Success, files.size() == 1 ? LibraryPage::tr("Saved as %1.").arg(files.front())
                                                                  : LibraryPage::tr("%n files saved.", nullptr,
                                                                                    static_cast<int>(files.size())));
        toastEnd.start(toastTime);
    });
    connect(filter, &FilterLine::queryChanged, &page, [this](const RunQuery& query) {
        model.setQuery(query);
        updateCount();
        updateEmptyState();
    });
    connect(grouping, &QComboBox::currentIndexChanged, &page, [this] { showRows(); });
    connect(openGroups, &QAction::triggered, &page, [this] { model.setAllExpanded(true); });
    connect(closeGroups, &QAction::triggered, &page, [this] { model.setAllExpanded(false); });
    filter->setRows([this]() -> const std::vector<RunRow>& { return model.rows(); });
    connect(table, &RunTable::shown, columnMenu, &QAction::setEnabled);
    connect(columnMenu, &QAction::triggered, table, qOverload<>(&RunTable::showColumnMenu));
    connect(table, &RunTable::columnMenuOpening, &page,
            [this](RunColumn column, QMenu* menu) { addFilterChoices(column, *menu); });
    connect(table, &RunTable::selectionSettled, &page, [this] { updateSelection(); });
    connect(table, &QAbstractItemView::doubleClicked, inspector, [this](const QModelIndex& index) {
        if (const int expanded = index.data(RunListModel::ExpandedRole).toInt(); expanded >= 0)
            model.setExpanded(index.row(), expanded == 0);
        else
            openInspector();
    });
    connect(empty, &EmptyState::actionTriggered, &page, [this] { emptyStateAction(); });
    connect(trashButton, &QPushButton::toggled, &page, [this](bool on) {
        showTrash = on;
        table->showTrash(on);
        grouping->setEnabled(!on);
        runBar->setVisible(!on);
        trashBar->setVisible(on);
        showRows();
    });
    connect(resume, &QAction::triggered, &page, [this] {
        QStringList runs;
        for (const RunRecord* run : selectedPointers())
            if (canResume(*run))
                runs << QString::fromStdString(run->id);
        Q_EMIT page.resumeRequested(runs);
    });
    connect(newFrom, &QAction::triggered, &page, [this] { newFromSelected(); });
    connect(compare, &QAction::triggered, &page, [this] {
        if (const auto groups = groupForComparison(selectedPointers()))
            Q_EMIT page.compareRequested(groups->a, groups->b);
    });
    connect(addGroup, &QAction::triggered, &page, [this] { Q_EMIT page.groupRequested(idsOf(selectedPointers())); });
    connect(curves, &QAction::triggered, &page, [this] {
        const auto runs = selectedPointers();
        if (runs.empty())
            return;
        const std::string study = runs.front()->study;
        const auto belongs = [&study](const RunRecord& run) { return run.study == study; };
        QStringList chosen;
        for (const RunRecord* run : runs)
            if (belongs(*run))
                chosen << QString::fromStdString(run->id);
        if (std::ranges::count_if(model.rows(), belongs, &RunRow::record) == chosen.size())
            chosen.clear();
        Q_EMIT page.showCurvesRequested(QString::fromStdString(study), chosen);
    });
    // What a menu does from another page is seen, and can be undone, on this one.
    for (QAction* action : {tags, pin, protect, trash, restore})
        connect(action, &QAction::triggered, &page, [this] {
            if (!page.isVisible())
                Q_EMIT page.frontRequested();
        });
    connect(report, &QAction::triggered, &page, [this] {
        if (const QStringList runs = table->selectedRuns(); runs.size() == 1)
            Q_EMIT page.reportRequested(runs.front());
        else if (const auto groups = groupForComparison(selectedPointers()))
            Q_EMIT page.comparisonReportRequested(groups->a, groups->b);
    });
    connect(audit, &QAction::triggered, &page, [this] { Q_EMIT page.auditRequested(table->selectedRuns().value(0)); });
    connect(editor, &RunsEditor::waitingChanged, &page, [this] { showDrafts(); });
    connect(tags, &QAction::triggered, inspector, [this] {
        if (editor->isVisible())
            editor->editTags();
        else
            inspector->editTags();
    });
    connectRenaming();
    connect(pin, &QAction::triggered, &page, [this] { pinSelected(); });
    connect(protect, &QAction::triggered, &page, [this] { protectSelected(); });
    connect(copyRows, &QAction::triggered, &page, [this] { copySelected(false); });
    connect(copyCommand, &QAction::triggered, &page, [this] { copySelectedCommand(); });
    connect(copyMarkdown, &QAction::triggered, &page, [this] { copySelected(true); });
    connect(trash, &QAction::triggered, &page, [this] { edits.moveToTrash(table->selectedRuns()); });
    connect(restore, &QAction::triggered, &page, [this] { edits.restore(table->selectedRuns()); });
    connect(emptyTrash, &QAction::triggered, &page, [this] { askToEmptyTrash(); });
}

void LibraryPage::Impl::showExporting(int files) {
    if (files == 0)
        return exporting->clear();
    exporting->showNotice(NoticeLevel::Info, LibraryPage::tr("Exporting %n file(s)…", nullptr, files),
                          LibraryPage::tr("Cancel"));
}

void LibraryPage::Impl::openInspector() {
    if (const QList<int> sizes = splitter->sizes(); sizes[1] == 0)
        splitter->setSizes({sizes[0] - inspectorWidth, inspectorWidth});
    inspector->focusTab();
}

std::vector<const RunRecord*> LibraryPage::Impl::selectedPointers() const {
    std::vector<const RunRecord*> records;
    for (const QString& run : table->selectedRuns())
        if (const RunRecord* record = model.find(run))
            records.push_back(record);
    return records;
}

std::vector<RunRecord> LibraryPage::Impl::selectedRecords() const {
    std::vector<RunRecord> records;
    for (const RunRecord* record : selectedPointers())
        records.push_back(*record);
    return records;
}

void LibraryPage::Impl::updateSelection() {
    const auto selected = selectedPointers();
    const bool one = selected.size() == 1;
    const bool some = !selected.empty();
    const bool writable = !services.library.readOnly();
    const auto resumable = std::ranges::count_if(selected, [](const RunRecord* run) { return canResume(*run); });
    const bool imported = std::ranges::any_of(selected, [](const RunRecord* run) { return run->imported; });
    resume->setEnabled(resumable > 0 && !showTrash && writable);
    resume->setToolTip(resumable > 1 ? LibraryPage::tr("Resume %n run(s)", nullptr, static_cast<int>(resumable))
                       : resumable == 0 && imported
                           ? LibraryPage::tr("Imported runs go on only where they were trained.")
                           : LibraryPage::tr("Resume"));
    newFrom->setEnabled(one);
    const bool comparable = !showTrash && groupForComparison(selected).has_value();
    compare->setEnabled(comparable);
    compare->setToolTip(compare->isEnabled()
                            ? LibraryPage::tr("Compare the two groups (Enter)")
                            : LibraryPage::tr("Select accumulated and large-batch runs to compare them"));
    updateAddGroup(selected);
    updateCurves(some && !selected.front()->study.empty());
    report->setEnabled(one || comparable);
    report->setToolTip(one          ? LibraryPage::tr("Report of the run")
                       : comparable ? LibraryPage::tr("Report of the comparison of both groups")
                                    : LibraryPage::tr("Select one run, or accumulated and large-batch runs"));
    audit->setEnabled(one && !showTrash);
    tags->setEnabled(some && !showTrash && writable);
    updateRename();
    openGroups->setEnabled(model.grouping() != RunGrouping::None);
    closeGroups->setEnabled(model.grouping() != RunGrouping::None);
    const auto row = selectedRow();
    const bool pinned = row && model.index(*row, 0).data(RunListModel::BaselineRole).toBool();
    pin->setEnabled(row.has_value() && !showTrash && writable);
    pin->setText(pinned ? LibraryPage::tr("Unpin baseline") : LibraryPage::tr("Pin as baseline"));
    const bool allProtected = some && std::ranges::all_of(selected, &RunRecord::isProtected);
    protect->setEnabled(some && !showTrash && writable);
    protect->setText(allProtected ? LibraryPage::tr("Unprotect") : LibraryPage::tr("Protect"));
    color->setEnabled(some && !showTrash && writable);
    copyRows->setEnabled(some);
    copyMarkdown->setEnabled(some);
    copyCommand->setEnabled(one);
    exportButton->setEnabled(some);
    for (QAction* action : std::as_const(exportList))
        action->setEnabled(some && !weightExports.contains(action));
    findWeights(selected);
    trash->setEnabled(some && !showTrash && writable);
    restore->setEnabled(some && showTrash && writable);
    check->setEnabled(services.library.isOpen());
    backUp->setEnabled(services.library.isOpen());
    restoreAll->setEnabled(services.library.isOpen() && writable);
    emptyTrash->setEnabled(showTrash && model.totalCount() > 0 && writable);
    showSelected(selected);
}

void LibraryPage::Impl::showSelected(const std::vector<const RunRecord*>& selected) {
    if (selected.size() == 1)
        inspector->showRun(*selected.front());
    else
        inspector->showNothing(static_cast<int>(selected.size()));
    const bool several = selected.size() > 1 && !showTrash;
    inspector->setVisible(!several);
    editor->setVisible(several);
    if (several)
        editor->showRuns(selectedRecords(), !services.library.readOnly());
    else
        editor->leave();
}

void LibraryPage::Impl::updateCurves(bool some) {
    const QString why =
        showTrash ? LibraryPage::tr("Curves of runs in the Trash are not shown. Restore them first.") : QString();
    curves->setEnabled(some && why.isEmpty());
    curves->setProperty(kWhyNotProperty, why);
    curves->setToolTip(why.isEmpty() ? LibraryPage::tr("Show curves") : why);
}

void LibraryPage::Impl::updateAddGroup(const std::vector<const RunRecord*>& selected) {
    const QString why = showTrash ? LibraryPage::tr("Runs in the Trash are not compared. Restore them first.")
                                  : whyNoGroup(furtherGroup(idsOf(selected), compared));
    addGroup->setEnabled(why.isEmpty());
    addGroup->setProperty(kWhyNotProperty, why);
    addGroup->setToolTip(why.isEmpty() ? LibraryPage::tr("Add the selected runs to Compare as one more group (G)")
                                       : why);
}

/// Only checkpoints that each of the runs has can be exported.
void LibraryPage::Impl::findWeights(const std::vector<const RunRecord*>& selected) {
    using Kinds = std::set<CheckpointKind>;
    std::vector<std::string> runs;
    for (const RunRecord* run : selected)
        runs.push_back(run->id);
    services.library.query<Kinds>(
        &page, QStringLiteral("library.weights"),
        [runs](RunReader& reader) {
            Kinds common{CheckpointKind::Initial, CheckpointKind::Best, CheckpointKind::Last};
            for (const std::string& run : runs) {
                const auto checkpoints = reader.checkpoints(run);
                std::erase_if(common, [&](CheckpointKind kind) {
                    return !checkpoints ||
                           std::ranges::none_of(*checkpoints, [kind](const CheckpointRecord& checkpoint) {
                               return standsFor(checkpoint.kind, kind);
                           });
                });
                if (common.empty())
                    break;
            }
            return runs.empty() ? Kinds() : common;
        },
        [this](const Kinds& found) {
            const std::array kinds{CheckpointKind::Best, CheckpointKind::Last, CheckpointKind::Initial};
            for (qsizetype i = 0; i < weightExports.size(); ++i) {
                const bool there = found.contains(kinds[static_cast<std::size_t>(i)]);
                weightExports[i]->setEnabled(there);
                weightExports[i]->setToolTip(there ? weightExports[i]->text()
                                                   : LibraryPage::tr("The selected runs have no such checkpoint."));
            }
        });
}

std::optional<int> LibraryPage::Impl::selectedRow() const {
    const QModelIndexList chosen = table->selectionModel()->selectedRows();
    return chosen.size() == 1 ? std::optional(chosen.front().row()) : std::nullopt;
}

void LibraryPage::Impl::setGrouping(RunGrouping wanted) {
    grouping->setCurrentIndex(grouping->findData(static_cast<int>(wanted)));
}

void LibraryPage::Impl::copySelected(bool markdown) {
    QList<int> chosen;
    for (const QModelIndex& index : table->selectionModel()->selectedRows())
        chosen << index.row();
    std::ranges::sort(chosen);
    const auto columns = table->shownColumns();
    QGuiApplication::clipboard()->setText(markdown ? rowsAsMarkdown(model, chosen, columns)
                                                   : rowsAsTsv(model, chosen, columns));
}

void LibraryPage::Impl::copySelectedCommand() {
    const auto selected = selectedPointers();
    if (selected.size() != 1)
        return;
    ExperimentConfig experiment{selected.front()->config, {}};
    experiment.study.seeds = {selected.front()->seed};
    experiment.study.largeBatch = false; // its own settings are those of its arm
    QGuiApplication::clipboard()->setText(
        QString::fromStdString(commandLine(experiment) + libraryArgument(services.library.path())));
    toast->showNotice(NoticeLevel::Info, LibraryPage::tr("Command copied."));
    toastEnd.start(toastTime);
}

void LibraryPage::Impl::newFromSelected() {
    const auto selected = selectedPointers();
    if (selected.size() != 1)
        return;
    const RunRecord& run = *selected.front();
    ExperimentConfig experiment{run.config, {}};
    experiment.study.seeds = {run.seed};
    if (const auto study = services.library.reader().study(run.study))
        experiment.study = study->config;
    Q_EMIT page.newFromRunRequested(experiment);
}

} // namespace accumulus::ui
