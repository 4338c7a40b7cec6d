// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/library_page.h"

#include "widgets/pages/library/library_page_impl.h"
#include "widgets/style/format.h"

#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QThreadPool>
#include <chrono>
#include <set>
#include <string>
#include <utility>

namespace accumulus::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto refreshPause = 700ms; // while a run trains the library changes all the time

std::set<std::string> idsOf(const std::vector<RunRow>& rows) {
    std::set<std::string> ids;
    for (const RunRow& row : rows)
        ids.insert(row.record.id);
    return ids;
}

} // namespace

void LibraryPage::Impl::refresh() {
    if (reading || !services.library.isOpen())
        return;
    reading = true;
    stale = false;
    services.library.query<LibraryRows>(
        &page, QStringLiteral("library"), [known = memory](RunReader& reader) { return readRows(reader, *known); },
        [this](LibraryRows read) {
            reading = false;
            if (read.error)
                notice->showNotice(NoticeLevel::Error, format::error(*read.error));
            const bool known = !read.error;
            LibraryRows earlier = std::exchange(rows, read.error ? rows : std::move(read));
            if (known && editor->waitingRuns() > 0)
                editor->keepOnly(idsOf(*rows.kept));
            showRows();
            // Thousands of rows take their time to go.
            QThreadPool::globalInstance()->start([gone = std::move(earlier)] {});
            refreshSoon.start(refreshPause);
        },
        [this](const Error& error) {
            reading = false;
            stale = true;
            if (error.code == "library.cancelled") // another library was opened meanwhile
                refreshSoon.start(refreshPause);
            else
                notice->showNotice(NoticeLevel::Error, format::error(error));
        });
}

void LibraryPage::Impl::showRows() {
    model.setGrouping(showTrash ? RunGrouping::None
                                : static_cast<RunGrouping>(grouping->currentData().toInt())); // few runs, each its own
    model.setSharedRows(showTrash ? rows.trashed : rows.kept);
    model.setBaseline(showTrash ? Baseline() : Baseline::fromText(rows.baseline));
    trashButton->setText(rows.trashed->empty() ? LibraryPage::tr("Trash")
                                               : LibraryPage::tr("Trash (%1)").arg(rows.trashed->size()));
    updateCount();
    updateEmptyState();
    updateSelection();
}

void LibraryPage::Impl::updateCount() {
    const auto shown = static_cast<qint64>(model.matchingCount());
    const auto all = static_cast<qint64>(model.totalCount());
    const QString runs = shown == all ? LibraryPage::tr("%n run(s)", nullptr, static_cast<int>(all))
                                      : LibraryPage::tr("%1 of %2 runs").arg(format::count(shown), format::count(all));
    count->setText(model.grouping() == RunGrouping::None
                       ? runs
                       : LibraryPage::tr("%1 in %n group(s)", nullptr, static_cast<int>(model.groupCount())).arg(runs));
}

void LibraryPage::Impl::updateEmptyState() {
    inspectorCard->setVisible(model.matchingCount() > 0);
    if (model.matchingCount() > 0) {
        stack->setCurrentIndex(0);
        return;
    }
    if (model.totalCount() > 0)
        empty->setTexts(
            LibraryPage::tr("0 of %1 runs match.").arg(format::count(static_cast<qint64>(model.totalCount()))),
            LibraryPage::tr("The filter hides every run."), LibraryPage::tr("Clear filter"));
    else if (showTrash)
        empty->setTexts(
            LibraryPage::tr("The Trash is empty."),
            LibraryPage::tr("Runs that you move to the Trash stay here for 30 days, or until you empty it."),
            LibraryPage::tr("Back to the runs"));
    else
        empty->setTexts(
            LibraryPage::tr("No runs yet."),
            LibraryPage::tr(
                "Every run is kept here with its curves, settings and checkpoints, to filter, compare and export."),
            LibraryPage::tr("Set up a run"));
    stack->setCurrentIndex(1);
}

void LibraryPage::Impl::emptyStateAction() {
    if (model.totalCount() > 0)
        filter->clear();
    else if (showTrash)
        runsButton->setChecked(true);
    else
        Q_EMIT page.setupRequested();
}

LibraryPage::LibraryPage(Services services, QWidget* parent)
    : Page(parent), m_impl(std::make_unique<Impl>(*this, services)) {
    m_impl->build();
    m_impl->connectAll();
    m_impl->updateEmptyState();
    m_impl->updateSelection();
    m_menus.runs = runActions();
    m_menus.exports = exportActions();
    m_menus.edit = {m_impl->trash, m_impl->restore, m_impl->emptyTrash};
    m_menus.tools = {m_impl->check, m_impl->backUp, m_impl->restoreAll};
    m_menus.view = {m_impl->openGroups, m_impl->closeGroups, m_impl->columnMenu};
}

LibraryPage::~LibraryPage() {
    m_impl->saveLayout();
    saveEdits();
    // The widgets look at the model, which ends with m_impl.
    delete m_impl->splitter;
}

void LibraryPage::activated() {
    if (m_impl->stale)
        m_impl->refresh();
    if (m_impl->model.rowCount() > 0)
        m_impl->table->setFocus();
}

void LibraryPage::saveEdits() { m_impl->inspector->saveEdits(); }
bool LibraryPage::hasUnsaved() const { return m_impl->inspector->hasUnsaved() || m_impl->editor->hasUnsaved(); }

QUndoStack& LibraryPage::undoStack() { return m_impl->edits.stack(); }

QList<QAction*> LibraryPage::runActions() const {
    return {m_impl->resume, m_impl->newFrom, m_impl->compare,  m_impl->addGroup,     m_impl->curves,
            m_impl->audit,  m_impl->report,  m_impl->rename,   m_impl->pin,          m_impl->tags,
            m_impl->color,  m_impl->protect, m_impl->copyRows, m_impl->copyMarkdown, m_impl->copyCommand};
}
QList<QAction*> LibraryPage::exportActions() const { return m_impl->exportList; }
void LibraryPage::importRuns() { m_impl->imports.ask(); }
void LibraryPage::focusFilter() { m_impl->filter->focusLine(); }
void LibraryPage::selectRuns(const QStringList& runs) { m_impl->table->selectRuns(runs); }
void LibraryPage::setFilter(const QString& query) { m_impl->filter->setText(query); }

void LibraryPage::showEvents(const QString& run) {
    m_impl->runsButton->setChecked(true);
    m_impl->inspector->showEvents();
    selectRuns({run});
    if (m_impl->table->selectedRuns() == QStringList{run})
        return;
    m_impl->table->keepSelected({run}); // it has not been read yet
    m_impl->refresh();
}

void LibraryPage::setComparedGroups(const QList<QStringList>& groups) {
    m_impl->compared = groups;
    m_impl->updateAddGroup(m_impl->selectedPointers());
}

void LibraryPage::Impl::saveLayout() const {
    table->saveColumns();
    QSettings().setValue(QLatin1String(splitterKey), splitter->saveState());
    QSettings().setValue(QLatin1String(groupingKey), grouping->currentData());
    QSettings().setValue(QLatin1String(expandedKey), expanded());
}

namespace {
struct LibraryPageState {
    QString filter;
    QStringList selected; ///< runs
    bool showTrash = false;
    QVariant drafts; ///< of the editor of several runs
    QVariantMap columns;
    QByteArray splitter;
    QVariant grouping, inspector;
    QStringList expanded; ///< keys of groups
};
} // namespace

QVariant LibraryPage::state() const {
    return QVariant::fromValue(
        LibraryPageState{m_impl->filter->text(), m_impl->table->selectedRuns(), m_impl->showTrash,
                         m_impl->editor->drafts(), m_impl->table->layoutState(), m_impl->splitter->saveState(),
                         m_impl->grouping->currentData(), m_impl->inspector->state(), m_impl->expanded()});
}

void LibraryPage::setState(const QVariant& state) {
    const auto kept = state.value<LibraryPageState>();
    m_impl->table->setLayoutState(kept.columns);
    m_impl->splitter->restoreState(kept.splitter);
    m_impl->setGrouping(static_cast<RunGrouping>(kept.grouping.toInt()));
    m_impl->setExpanded(kept.expanded);
    m_impl->editor->takeOver(kept.drafts);
    m_impl->inspector->setState(kept.inspector);
    m_impl->filter->setText(kept.filter);
    (kept.showTrash ? m_impl->trashButton : m_impl->runsButton)->setChecked(true);
    m_impl->table->keepSelected(kept.selected);
    m_impl->refresh();
}

void LibraryPage::resetLayout() {
    m_impl->table->resetColumns();
    m_impl->splitter->setSizes({800, Impl::inspectorWidth});
    m_impl->setGrouping(Impl::usualGrouping);
}

} // namespace accumulus::ui
