// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/library_page.h"

#include "widgets/models/run_audits.h"
#include "widgets/models/run_groups.h"
#include "widgets/models/run_list_model.h"
#include "widgets/pages/library/filter_line.h"
#include "widgets/pages/library/library_edits.h"
#include "widgets/pages/library/run_exports.h"
#include "widgets/pages/library/run_imports.h"
#include "widgets/pages/library/run_inspector.h"
#include "widgets/pages/library/run_table.h"
#include "widgets/pages/library/trash_dialog.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"
#include "widgets/style/icons.h"

#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <set>

namespace accumulus::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto refreshPause = 700ms; // while a run trains the library changes all the time
constexpr auto toastTime = 10s;
constexpr int inspectorWidth = 424;
const QString splitterKey = QStringLiteral("library/splitter");

struct LibraryRows {
    std::vector<RunRow> kept, trashed;
    std::optional<Error> error;
};

LibraryRows readRows(RunReader& reader, RunAudits& audits) {
    LibraryRows rows;
    auto known = reader.audits(false);
    if (!known) {
        rows.error = known.error();
        return rows;
    }
    audits.setAudits(std::move(*known));
    for (const bool trashed : {false, true}) {
        auto runs = reader.runs({trashed, {}});
        if (!runs) {
            rows.error = runs.error();
            return rows;
        }
        for (RunRecord& run : *runs) {
            const AuditRecord* audit = audits.of(run);
            (trashed ? rows.trashed : rows.kept)
                .push_back(makeRunRow(std::move(run), audit ? audit->verdict : std::string()));
        }
    }
    return rows;
}

struct FolderSize {
    qint64 files = 0, bytes = 0;
};

FolderSize sizeOf(RunReader& reader, const std::vector<RunRecord>& runs) {
    FolderSize size;
    for (const RunRecord& run : runs) {
        std::error_code error;
        for (std::filesystem::recursive_directory_iterator at(reader.library().runFolder(run.id), error), end;
             !error && at != end; at.increment(error))
            if (at->is_regular_file(error)) {
                ++size.files;
                size.bytes += static_cast<qint64>(at->file_size(error));
            }
    }
    return size;
}

} // namespace

struct LibraryPage::Impl {
    LibraryPage& page;
    Services services;
    LibraryEdits& edits;
    RunListModel model;
    RunExports exports;
    RunImports imports;
    LibraryRows rows;
    std::shared_ptr<RunAudits> audits = std::make_shared<RunAudits>(); ///< used on the query thread only
    bool showTrash = false;
    bool stale = true; ///< the library changed since it was read
    bool reading = false;
    QTimer refreshSoon, toastEnd;

    NoticeBar* notice = nullptr;
    NoticeBar* toast = nullptr;
    NoticeBar* exporting = nullptr;
    RoleLabel* count = nullptr;
    FilterLine* filter = nullptr;
    QPushButton* runsButton = nullptr;
    QPushButton* trashButton = nullptr;
    QStackedWidget* stack = nullptr;
    RunTable* table = nullptr;
    EmptyState* empty = nullptr;
    RunInspector* inspector = nullptr;
    QSplitter* splitter = nullptr;
    QAction *resume = nullptr, *newFrom = nullptr, *compare = nullptr, *curves = nullptr, *report = nullptr,
            *audit = nullptr, *tags = nullptr;
    QAction *trash = nullptr, *restore = nullptr, *emptyTrash = nullptr;
    QList<QAction*> exportList;
    QList<QAction*> weightExports; ///< of them, in the order best, last, initial
    QToolButton* exportButton = nullptr;
    Card* inspectorCard = nullptr;
    QWidget* runBar = nullptr;
    QWidget* trashBar = nullptr;

    Impl(LibraryPage& owner, Services given)
        : page(owner), services(given), edits(LibraryEdits::of(given.library)), exports(given.library, &owner),
          imports(given, owner) {}

    QAction* addAction(const QString& text, const QString& iconName, const QString& name,
                       const QKeySequence& keys = {}) {
        auto* action = new QAction(text, &page);
        action->setObjectName(name);
        if (!keys.isEmpty()) {
            action->setShortcut(keys);
            action->setShortcutContext(Qt::WidgetShortcut); // single keys act on the table only
            table->addAction(action);
        }
        const auto recolor = [this, action, iconName] {
            action->setIcon(icon(iconName, services.theme.colors().text));
        };
        connect(&services.theme, &Theme::changed, action, recolor);
        recolor();
        return action;
    }

    void addExport(const QString& text, ExportKind kind, const QString& name) {
        QAction* action = addAction(text, QStringLiteral("export"), name);
        connect(action, &QAction::triggered, &page, [this, kind] { exports.ask(selectedRecords(), kind); });
        exportList << action;
        if (isWeights(kind))
            weightExports << action;
    }

    void createActions();
    QWidget* headerRow();
    QWidget* buttonBar(const QList<QAction*>& actions, const QString& name);
    void build();
    void connectAll();

    void refresh();
    void showRows();
    void updateEmptyState();
    void updateSelection();
    void updateCount();
    void findWeights(const std::vector<const RunRecord*>& selected);
    [[nodiscard]] std::vector<RunRecord> selectedRecords() const;
    [[nodiscard]] std::vector<const RunRecord*> selectedPointers() const;
    void askToEmptyTrash();
    void confirmEmptyTrash(const std::vector<RunRecord>& runs, const FolderSize& size);
    void newFromSelected();
    void emptyStateAction();
};

void LibraryPage::Impl::createActions() {
    resume = addAction(LibraryPage::tr("Resume"), QStringLiteral("play"), QStringLiteral("libraryResume"));
    newFrom = addAction(LibraryPage::tr("New from run"), QStringLiteral("add"), QStringLiteral("libraryNewFrom"));
    compare = addAction(LibraryPage::tr("Compare"), QStringLiteral("compare"), QStringLiteral("libraryCompare"),
                        Qt::Key_Return);
    curves = addAction(LibraryPage::tr("Show curves"), QStringLiteral("live"), QStringLiteral("libraryCurves"));
    report = addAction(LibraryPage::tr("Report"), QStringLiteral("reports"), QStringLiteral("libraryReport"));
    audit = addAction(LibraryPage::tr("Audit"), QStringLiteral("audit"), QStringLiteral("libraryAudit"));
    tags = addAction(LibraryPage::tr("Edit tags"), QStringLiteral("tag"), QStringLiteral("libraryTags"), Qt::Key_T);
    trash = addAction(LibraryPage::tr("Move to Trash"), QStringLiteral("trash"), QStringLiteral("libraryTrash"),
                      QKeySequence::Delete);
    restore = addAction(LibraryPage::tr("Restore"), QStringLiteral("undo"), QStringLiteral("libraryRestore"));
    emptyTrash =
        addAction(LibraryPage::tr("Empty Trash…"), QStringLiteral("trash"), QStringLiteral("libraryEmptyTrash"));
    addExport(LibraryPage::tr("Curves as CSV…"), ExportKind::Csv, QStringLiteral("libraryExportCsv"));
    addExport(LibraryPage::tr("Curves as CSV, one row per update…"), ExportKind::WideCsv,
              QStringLiteral("libraryExportWideCsv"));
    addExport(LibraryPage::tr("Everything as JSON…"), ExportKind::Json, QStringLiteral("libraryExportJson"));
    addExport(LibraryPage::tr("TensorBoard, updates as steps…"), ExportKind::EventsByUpdates,
              QStringLiteral("libraryExportEventsByUpdates"));
    addExport(LibraryPage::tr("TensorBoard, samples as steps…"), ExportKind::EventsBySamples,
              QStringLiteral("libraryExportEventsBySamples"));
    addExport(LibraryPage::tr("Best weights as safetensors…"), ExportKind::WeightsBest,
              QStringLiteral("libraryExportBest"));
    addExport(LibraryPage::tr("Last weights as safetensors…"), ExportKind::WeightsLast,
              QStringLiteral("libraryExportLast"));
    addExport(LibraryPage::tr("Initial weights as safetensors…"), ExportKind::WeightsInitial,
              QStringLiteral("libraryExportInitial"));
}

QWidget* LibraryPage::Impl::headerRow() {
    auto* header = new QWidget;
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::m);
    auto* title = new QHBoxLayout;
    title->setSpacing(space::m);
    title->addWidget(new RoleLabel(services.theme, TextRole::PageTitle, LibraryPage::tr("Library")));
    count = new RoleLabel(services.theme, TextRole::Caption);
    count->setObjectName(QStringLiteral("libraryCount"));
    count->setWordWrap(false);
    count->setContentsMargins(0, 0, 0, 2); // on the title's base line
    title->addWidget(count, 0, Qt::AlignBottom);
    auto* named = new QWidget(header);
    title->setContentsMargins(0, 0, 0, 0);
    named->setLayout(title);
    row->addWidget(named, 0, Qt::AlignVCenter);
    row->addStretch(1);
    auto* group = new QButtonGroup(header);
    const auto addView = [&](const QString& name) {
        auto* button = new QPushButton;
        button->setObjectName(name);
        button->setCheckable(true);
        group->addButton(button);
        row->addWidget(button);
        return button;
    };
    runsButton = addView(QStringLiteral("libraryRunsView"));
    runsButton->setText(LibraryPage::tr("Runs"));
    runsButton->setChecked(true);
    trashButton = addView(QStringLiteral("libraryTrashView"));
    trashButton->setText(LibraryPage::tr("Trash"));
    return header;
}

QWidget* LibraryPage::Impl::buttonBar(const QList<QAction*>& actions, const QString& name) {
    auto* bar = new QWidget;
    bar->setObjectName(name);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(space::xs);
    for (QAction* action : actions) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setObjectName(action->objectName() + QStringLiteral("Button"));
        row->addWidget(button);
    }
    return bar;
}

void LibraryPage::Impl::build() {
    notice = new NoticeBar(services.theme);
    notice->setObjectName(QStringLiteral("libraryNotice"));
    toast = new NoticeBar(services.theme);
    toast->setObjectName(QStringLiteral("libraryToast"));
    exporting = new NoticeBar(services.theme);
    exporting->setObjectName(QStringLiteral("libraryExporting"));
    filter = new FilterLine(services.theme);
    table = new RunTable(services.theme, model);
    createActions();
    auto* header = headerRow();

    runBar = buttonBar({resume, newFrom, compare, curves, audit, report}, QStringLiteral("libraryActions"));
    exportButton = new QToolButton;
    exportButton->setObjectName(QStringLiteral("libraryExportButton"));
    exportButton->setText(LibraryPage::tr("Export…"));
    exportButton->setAccessibleName(LibraryPage::tr("Export"));
    exportButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    exportButton->setAutoRaise(true);
    exportButton->setFocusPolicy(Qt::TabFocus);
    auto* exportMenu = new QMenu(exportButton);
    exportMenu->addActions(exportList);
    connect(exportButton, &QToolButton::clicked, exportMenu,
            [this, exportMenu] { exportMenu->popup(exportButton->mapToGlobal(exportButton->rect().bottomLeft())); });
    const auto recolor = [this] {
        exportButton->setIcon(icon(QStringLiteral("export"), services.theme.colors().text));
    };
    connect(&services.theme, &Theme::changed, exportButton, recolor);
    recolor();
    auto* runLayout = static_cast<QHBoxLayout*>(runBar->layout());
    runLayout->addWidget(exportButton);
    auto* trashTool = buttonBar({trash}, QStringLiteral("libraryTrashAction"));
    runLayout->addWidget(trashTool);
    runLayout->addStretch(1);
    trashBar = buttonBar({restore, emptyTrash}, QStringLiteral("libraryTrashActions"));
    static_cast<QHBoxLayout*>(trashBar->layout())->addStretch(1);
    trashBar->hide();

    auto* tableCard = new Card(services.theme);
    tableCard->layout()->setContentsMargins(1, space::s, 1, space::s); // rows run from border to border
    tableCard->content()->addWidget(table);
    empty = new EmptyState(services.theme, {}, {}, {});
    empty->setObjectName(QStringLiteral("libraryEmpty"));
    stack = new QStackedWidget;
    stack->addWidget(tableCard);
    stack->addWidget(empty);
    inspector = new RunInspector(services, edits);
    inspectorCard = new Card(services.theme);
    inspectorCard->content()->addWidget(inspector);
    inspectorCard->setMinimumWidth(inspectorWidth - 100);
    splitter = new QSplitter;
    splitter->setObjectName(QStringLiteral("librarySplitter"));
    splitter->addWidget(stack);
    splitter->addWidget(inspectorCard);
    splitter->setStretchFactor(0, 1);
    splitter->setHandleWidth(space::m);
    splitter->setCollapsible(0, false);
    splitter->setSizes({800, inspectorWidth});
    splitter->restoreState(QSettings().value(splitterKey).toByteArray());

    auto* column = new QVBoxLayout(&page);
    column->setContentsMargins(space::pageMargin, space::pageMargin, space::pageMargin, space::pageMargin);
    column->setSpacing(space::m);
    column->addWidget(notice);
    column->addWidget(header);
    column->addWidget(filter);
    column->addWidget(runBar);
    column->addWidget(trashBar);
    column->addWidget(splitter, 1);
    column->addWidget(exporting);
    column->addWidget(imports.notice());
    column->addWidget(toast);
}

void LibraryPage::Impl::connectAll() {
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
    connect(&services.library, &LibraryGateway::opened, &page, changed);
    connect(&edits, &LibraryEdits::failed, &page,
            [this](const Error& error) { notice->showNotice(NoticeLevel::Error, format::error(error)); });
    connect(&edits, &LibraryEdits::movedToTrash, &page, [this](int moved) {
        toast->showNotice(NoticeLevel::Info, LibraryPage::tr("%n run(s) moved to Trash.", nullptr, moved),
                          LibraryPage::tr("Undo"));
        toastEnd.start(toastTime);
    });
    connect(&edits, &LibraryEdits::trashEmptied, &page, [this](qint64 removed) {
        toast->showNotice(NoticeLevel::Info, LibraryPage::tr("%n run(s) deleted.", nullptr, static_cast<int>(removed)));
        toastEnd.start(toastTime);
    });
    connect(&exports, &RunExports::begun, &page, [this](int files) {
        exporting->showNotice(NoticeLevel::Info, LibraryPage::tr("Exporting %n file(s)…", nullptr, files),
                              LibraryPage::tr("Cancel"));
    });
    connect(exporting, &NoticeBar::actionTriggered, &exports, &RunExports::cancel);
    connect(&exports, &RunExports::cancelled, exporting, &NoticeBar::clear);
    connect(&exports, &RunExports::failed, &page, [this](const Error& error) {
        exporting->clear();
        notice->showNotice(NoticeLevel::Error, format::error(error));
    });
    connect(&exports, &RunExports::written, &page, [this](const QStringList& files) {
        exporting->clear();
        toast->showNotice(NoticeLevel::Success, files.size() == 1 ? LibraryPage::tr("Saved as %1.").arg(files.front())
                                                                  : LibraryPage::tr("%n files saved.", nullptr,
                                                                                    static_cast<int>(files.size())));
        toastEnd.start(toastTime);
    });
    connect(&imports, &RunImports::imported, table, &RunTable::keepSelected);
    connect(filter, &FilterLine::queryChanged, &page, [this](const RunQuery& query) {
        model.setQuery(query);
        updateCount();
        updateEmptyState();
    });
    connect(table, &RunTable::selectionSettled, &page, [this] { updateSelection(); });
    connect(table, &QAbstractItemView::doubleClicked, inspector, [this] { inspector->setFocus(); });
    connect(empty, &EmptyState::actionTriggered, &page, [this] { emptyStateAction(); });
    connect(trashButton, &QPushButton::toggled, &page, [this](bool on) {
        showTrash = on;
        runBar->setVisible(!on);
        trashBar->setVisible(on);
        showRows();
    });
    connect(resume, &QAction::triggered, &page, [this] {
        QStringList runs;
        for (const RunRecord* run : selectedPointers())
            if (isResumable(run->state))
                runs << QString::fromStdString(run->id);
        Q_EMIT page.resumeRequested(runs);
    });
    connect(newFrom, &QAction::triggered, &page, [this] { newFromSelected(); });
    connect(compare, &QAction::triggered, &page, [this] {
        if (const auto groups = groupForComparison(selectedPointers()))
            Q_EMIT page.compareRequested(groups->a, groups->b);
    });
    connect(curves, &QAction::triggered, &page, [this] {
        const auto runs = selectedPointers();
        if (!runs.empty())
            Q_EMIT page.showCurvesRequested(QString::fromStdString(runs.front()->study));
    });
    connect(report, &QAction::triggered, &page,
            [this] { Q_EMIT page.reportRequested(table->selectedRuns().value(0)); });
    connect(audit, &QAction::triggered, &page, [this] { Q_EMIT page.auditRequested(table->selectedRuns().value(0)); });
    connect(tags, &QAction::triggered, inspector, &RunInspector::editTags);
    connect(trash, &QAction::triggered, &page, [this] { edits.moveToTrash(table->selectedRuns()); });
    connect(restore, &QAction::triggered, &page, [this] { edits.restore(table->selectedRuns()); });
    connect(emptyTrash, &QAction::triggered, &page, [this] { askToEmptyTrash(); });
}

void LibraryPage::Impl::refresh() {
    if (reading || !services.library.isOpen())
        return;
    reading = true;
    stale = false;
    services.library.query<LibraryRows>(
        &page, QStringLiteral("library"), [known = audits](RunReader& reader) { return readRows(reader, *known); },
        [this](LibraryRows read) {
            reading = false;
            if (read.error)
                notice->showNotice(NoticeLevel::Error, format::error(*read.error));
            else
                rows = std::move(read);
            showRows();
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
    model.setRows(showTrash ? rows.trashed : rows.kept);
    trashButton->setText(rows.trashed.empty() ? LibraryPage::tr("Trash")
                                              : LibraryPage::tr("Trash (%1)").arg(rows.trashed.size()));
    updateCount();
    updateEmptyState();
    updateSelection();
}

void LibraryPage::Impl::updateCount() {
    const auto shown = model.rowCount();
    const auto all = static_cast<qint64>(model.totalCount());
    count->setText(shown == all ? LibraryPage::tr("%n run(s)", nullptr, static_cast<int>(all))
                                : LibraryPage::tr("%1 of %2 runs").arg(format::count(shown), format::count(all)));
}

void LibraryPage::Impl::updateEmptyState() {
    inspectorCard->setVisible(model.rowCount() > 0);
    if (model.rowCount() > 0) {
        stack->setCurrentIndex(0);
        return;
    }
    if (model.totalCount() > 0)
        empty->setTexts(
            LibraryPage::tr("0 of %1 runs match.").arg(format::count(static_cast<qint64>(model.totalCount()))),
            LibraryPage::tr("The filter hides every run."), LibraryPage::tr("Clear filter"));
    else if (showTrash)
        empty->setTexts(LibraryPage::tr("The Trash is empty."),
                        LibraryPage::tr("Runs that you move to the Trash stay here until you empty it."),
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
    const auto resumable =
        std::ranges::count_if(selected, [](const RunRecord* run) { return isResumable(run->state); });
    resume->setEnabled(resumable > 0 && !showTrash && writable);
    resume->setToolTip(resumable > 1 ? LibraryPage::tr("Resume %n run(s)", nullptr, static_cast<int>(resumable))
                                     : LibraryPage::tr("Resume"));
    newFrom->setEnabled(one);
    compare->setEnabled(!showTrash && groupForComparison(selected).has_value());
    compare->setToolTip(compare->isEnabled()
                            ? LibraryPage::tr("Compare the two groups (Enter)")
                            : LibraryPage::tr("Select accumulated and large-batch runs to compare them"));
    curves->setEnabled(some && !selected.front()->study.empty());
    report->setEnabled(one);
    audit->setEnabled(one && !showTrash);
    tags->setEnabled(one && !showTrash && writable);
    exportButton->setEnabled(some);
    for (QAction* action : std::as_const(exportList))
        action->setEnabled(some && !weightExports.contains(action));
    findWeights(selected);
    trash->setEnabled(some && !showTrash && writable);
    restore->setEnabled(some && showTrash && writable);
    emptyTrash->setEnabled(showTrash && model.totalCount() > 0 && writable);
    if (one)
        inspector->showRun(*selected.front());
    else
        inspector->showNothing(static_cast<int>(selected.size()));
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
                           std::ranges::find(*checkpoints, kind, &CheckpointRecord::kind) == checkpoints->end();
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

void LibraryPage::Impl::askToEmptyTrash() {
    std::vector<RunRecord> runs;
    for (const RunRow& row : rows.trashed)
        runs.push_back(row.record);
    services.library.query<FolderSize>(
        &page, QStringLiteral("library.trash"), [runs](RunReader& reader) { return sizeOf(reader, runs); },
        [this, runs](const FolderSize& size) { confirmEmptyTrash(runs, size); });
}

void LibraryPage::Impl::confirmEmptyTrash(const std::vector<RunRecord>& runs, const FolderSize& size) {
    EmptyTrashDialog dialog(services.theme, runs, size.files, size.bytes, &page);
    if (dialog.exec() == QDialog::Accepted)
        edits.emptyTrash();
}

LibraryPage::LibraryPage(Services services, QWidget* parent)
    : Page(parent), m_impl(std::make_unique<Impl>(*this, services)) {
    m_impl->build();
    m_impl->connectAll();
    m_impl->updateEmptyState();
    m_impl->updateSelection();
}

LibraryPage::~LibraryPage() {
    saveLayout();
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
bool LibraryPage::hasUnsaved() const { return m_impl->inspector->hasUnsaved(); }

QUndoStack& LibraryPage::undoStack() { return m_impl->edits.stack(); }

QList<QAction*> LibraryPage::runActions() const {
    return {m_impl->resume, m_impl->newFrom, m_impl->compare, m_impl->curves,
            m_impl->audit,  m_impl->report,  m_impl->tags};
}
QList<QAction*> LibraryPage::exportActions() const { return m_impl->exportList; }
QList<QAction*> LibraryPage::trashActions() const { return {m_impl->trash, m_impl->restore, m_impl->emptyTrash}; }
void LibraryPage::importRuns() { m_impl->imports.ask(); }
void LibraryPage::focusFilter() { m_impl->filter->focusLine(); }
void LibraryPage::selectRuns(const QStringList& runs) { m_impl->table->selectRuns(runs); }
void LibraryPage::setFilter(const QString& query) { m_impl->filter->setText(query); }

void LibraryPage::saveLayout() {
    m_impl->table->saveColumns();
    QSettings().setValue(splitterKey, m_impl->splitter->saveState());
}

QVariant LibraryPage::state() const {
    return QVariantList{m_impl->filter->text(), m_impl->table->selectedRuns(), m_impl->showTrash};
}

void LibraryPage::setState(const QVariant& state) {
    const QVariantList kept = state.toList();
    if (kept.size() != 3)
        return;
    m_impl->filter->setText(kept[0].toString());
    (kept[2].toBool() ? m_impl->trashButton : m_impl->runsButton)->setChecked(true);
    m_impl->table->keepSelected(kept[1].toStringList());
    m_impl->refresh();
}

void LibraryPage::resetLayout() {
    m_impl->table->resetColumns();
    m_impl->splitter->setSizes({800, inspectorWidth});
}

} // namespace accumulus::ui
