// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the Library page that makes its actions and widgets.
#include "widgets/pages/library/library_page_impl.h"
#include "widgets/pages/library/notes_view.h"
#include "widgets/style/flow_layout.h"
#include "widgets/style/icons.h"
#include "widgets/style/run_color.h"

#include <QAbstractItemView>
#include <QAction>
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <array>

namespace accumulus::ui {

QAction* LibraryPage::Impl::addAction(const QString& text, const QString& iconName, const QString& name,
                                      const QKeySequence& keys) {
    auto* action = new QAction(text, &page);
    action->setObjectName(name);
    if (!keys.isEmpty()) {
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut); // single keys act on the table only
        table->addAction(action);
    }
    const auto recolor = [this, action, iconName] { action->setIcon(icon(iconName, services.theme.colors().text)); };
    connect(&services.theme, &Theme::changed, action, recolor);
    recolor();
    return action;
}

void LibraryPage::Impl::addExport(const QString& text, ExportKind kind, const QString& name) {
    QAction* action = addAction(text, QStringLiteral("export"), name);
    connect(action, &QAction::triggered, &page, [this, kind] { exports.ask(page, selectedRecords(), kind); });
    exportList << action;
    if (isWeights(kind))
        weightExports << action;
}

void LibraryPage::Impl::addColors() {
    const std::array names{LibraryPage::tr("Blue"),  LibraryPage::tr("Vermilion"), LibraryPage::tr("Green"),
                           LibraryPage::tr("Pink"),  LibraryPage::tr("Orange"),    LibraryPage::tr("Sky blue"),
                           LibraryPage::tr("Yellow")};
    static_assert(names.size() == runColours.size());
    auto* menu = new QMenu(&page);
    const auto add = [this, menu](const QString& name, const QString& stored) {
        QAction* choice = menu->addAction(name);
        choice->setObjectName(QStringLiteral("libraryColor") + stored);
        connect(choice, &QAction::triggered, &page, [this, stored] {
            LibraryEdits::Change change;
            change.color = stored;
            edits.change(selectedRecords(), change);
        });
        return choice;
    };
    add(LibraryPage::tr("No colour"), {});
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string stored(runColours[i].stored);
        QAction* choice = add(names[i], QString::fromStdString(stored));
        const auto recolor = [this, choice, stored] {
            QIcon swatch;
            for (const int side : {16, 24, 32, 48}) { // of screens up to three times as fine
                QPixmap filled(side, side);
                filled.fill(runColor(services.theme.colors(), stored, {}));
                swatch.addPixmap(filled);
            }
            choice->setIcon(swatch);
        };
        connect(&services.theme, &Theme::changed, choice, recolor);
        recolor();
    }
    color->setMenu(menu);
}

void LibraryPage::Impl::createActions() {
    resume = addAction(LibraryPage::tr("Resume"), QStringLiteral("play"), QStringLiteral("libraryResume"));
    newFrom = addAction(LibraryPage::tr("New from run"), QStringLiteral("add"), QStringLiteral("libraryNewFrom"));
    compare = addAction(LibraryPage::tr("Compare"), QStringLiteral("compare"), QStringLiteral("libraryCompare"),
                        Qt::Key_Return);
    compare->setShortcuts({Qt::Key_Return, Qt::Key_Enter}); // of the number pad
    addGroup = addAction(LibraryPage::tr("Add to Compare as a group"), QStringLiteral("add"),
                         QStringLiteral("libraryAddGroup"), Qt::Key_G);
    addGroup->setIconText(LibraryPage::tr("Add group")); // on its button
    curves = addAction(LibraryPage::tr("Show curves"), QStringLiteral("live"), QStringLiteral("libraryCurves"));
    report = addAction(LibraryPage::tr("Report"), QStringLiteral("reports"), QStringLiteral("libraryReport"));
    audit = addAction(LibraryPage::tr("Audit"), QStringLiteral("audit"), QStringLiteral("libraryAudit"));
    rename = addAction(LibraryPage::tr("Rename"), QStringLiteral("edit"), QStringLiteral("libraryRename"), Qt::Key_F2);
    tags = addAction(LibraryPage::tr("Edit tags"), QStringLiteral("tag"), QStringLiteral("libraryTags"), Qt::Key_T);
    pin = addAction(LibraryPage::tr("Pin as baseline"), QStringLiteral("pin"), QStringLiteral("libraryPin"), Qt::Key_P);
    protect = addAction(LibraryPage::tr("Protect"), QStringLiteral("lock"), QStringLiteral("libraryProtect"));
    openGroups = addAction(LibraryPage::tr("Open all groups"), QStringLiteral("chevron-down"),
                           QStringLiteral("libraryOpenGroups"), Qt::Key_Asterisk);
    closeGroups = addAction(LibraryPage::tr("Close all groups"), QStringLiteral("chevron-up"),
                            QStringLiteral("libraryCloseGroups"), Qt::Key_Slash);
    columnMenu = addAction(LibraryPage::tr("Column of the runs…"), QStringLiteral("table"),
                           QStringLiteral("libraryColumn"), Qt::Key_C);
    columnMenu->setProperty(kWhyNotProperty, LibraryPage::tr("Open the Library first, with runs in its table."));
    columnMenu->setEnabled(false);
    color = addAction(LibraryPage::tr("Colour"), QStringLiteral("theme"), QStringLiteral("libraryColor"));
    addColors();
    copyRows = addAction(LibraryPage::tr("Copy rows"), QStringLiteral("copy"), QStringLiteral("libraryCopy"),
                         QKeySequence::Copy);
    copyMarkdown = addAction(LibraryPage::tr("Copy rows as Markdown"), QStringLiteral("copy"),
                             QStringLiteral("libraryCopyMarkdown"));
    copyCommand =
        addAction(LibraryPage::tr("Copy as command"), QStringLiteral("copy"), QStringLiteral("libraryCopyCommand"));
    trash = addAction(LibraryPage::tr("Move to Trash"), QStringLiteral("trash"), QStringLiteral("libraryTrash"),
                      QKeySequence::Delete);
    restore = addAction(LibraryPage::tr("Restore"), QStringLiteral("undo"), QStringLiteral("libraryRestore"));
    emptyTrash =
        addAction(LibraryPage::tr("Empty Trash…"), QStringLiteral("trash"), QStringLiteral("libraryEmptyTrash"));
    check = addAction(LibraryPage::tr("Check library"), QStringLiteral("check"), QStringLiteral("libraryCheck"));
    backUp = addAction(LibraryPage::tr("Back up library…"), QStringLiteral("save"), QStringLiteral("libraryBackUp"));
    restoreAll =
        addAction(LibraryPage::tr("Restore library…"), QStringLiteral("import"), QStringLiteral("libraryRestoreAll"));
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
    grouping = new QComboBox;
    grouping->setObjectName(QStringLiteral("libraryGrouping"));
    grouping->setAccessibleName(LibraryPage::tr("Group runs"));
    grouping->addItem(LibraryPage::tr("No groups"), static_cast<int>(RunGrouping::None));
    grouping->addItem(LibraryPage::tr("Group by configuration"), static_cast<int>(RunGrouping::Configuration));
    grouping->addItem(LibraryPage::tr("Group by study"), static_cast<int>(RunGrouping::Study));
    setGrouping(static_cast<RunGrouping>(
        QSettings().value(QLatin1String(groupingKey), static_cast<int>(usualGrouping)).toInt()));
    row->addWidget(grouping);
    views = new QPushButton;
    views->setObjectName(QStringLiteral("libraryViews"));
    views->setText(LibraryPage::tr("Views"));
    views->setToolTip(LibraryPage::tr("Saved views: filter, columns, order and groups under a name"));
    auto* viewsMenu = new QMenu(views);
    viewsMenu->setObjectName(QStringLiteral("libraryViewsMenu"));
    views->setMenu(viewsMenu);
    connect(viewsMenu, &QMenu::aboutToShow, &page, [this, viewsMenu] { fillViewsMenu(*viewsMenu); });
    row->addWidget(views);
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
    auto* row = new FlowLayout(space::xs, bar); // in a language of longer words it takes a second line
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
    drafts = draftsBar();
    exporting = new NoticeBar(services.theme);
    exporting->setObjectName(QStringLiteral("libraryExporting"));
    backingUp = new NoticeBar(services.theme);
    backingUp->setObjectName(QStringLiteral("libraryBackingUp"));
    filter = new FilterLine(services.theme);
    table = new RunTable(services.theme, model);
    createActions();
    table->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* header = headerRow();

    runBar = buttonBar({resume, newFrom, compare, addGroup, curves, audit, report}, QStringLiteral("libraryActions"));
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
    auto* runLayout = runBar->layout();
    runLayout->addWidget(exportButton);
    auto* trashTool = buttonBar({trash}, QStringLiteral("libraryTrashAction"));
    runLayout->addWidget(trashTool);
    // The keys' actions are there already; the menu of a row has all of them, in their order.
    for (QAction* action : table->actions())
        table->removeAction(action);
    table->addActions({compare, addGroup, newFrom,      resume,      curves,      audit,      report,
                       rename,  pin,      tags,         openGroups,  closeGroups, columnMenu, color,
                       protect, copyRows, copyMarkdown, copyCommand, trash,       restore});
    trashBar = buttonBar({restore, emptyTrash}, QStringLiteral("libraryTrashActions"));
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
    for (auto* list : inspector->findChildren<QAbstractItemView*>()) // their keys act on the run that it shows
        list->addActions({tags, pin});
    inspector->findChild<NotesView*>()->addActions({tags, pin});
    inspectorCard->content()->addWidget(inspector);
    editor = new RunsEditor(services.theme, edits);
    editor->hide();
    inspectorCard->content()->addWidget(editor);
    inspectorCard->setMinimumWidth(inspectorWidth - 100);
    splitter = new QSplitter;
    splitter->setObjectName(QStringLiteral("librarySplitter"));
    splitter->addWidget(stack);
    splitter->addWidget(inspectorCard);
    splitter->setStretchFactor(0, 1);
    splitter->setHandleWidth(space::m);
    splitter->setCollapsible(0, false);
    splitter->setSizes({800, inspectorWidth});
    splitter->restoreState(QSettings().value(QLatin1String(splitterKey)).toByteArray());
    setExpanded(QSettings().value(QLatin1String(expandedKey)).toStringList());

    auto* column = new QVBoxLayout(&page);
    column->setContentsMargins(space::pageMargin, space::pageMargin, space::pageMargin, space::pageMargin);
    column->setSpacing(space::m);
    column->addWidget(notice);
    column->addWidget(header);
    column->addWidget(filter);
    column->addWidget(runBar);
    column->addWidget(trashBar);
    column->addWidget(splitter, 1);
    column->addWidget(drafts);
    column->addWidget(exporting);
    column->addWidget(backingUp);
    column->addWidget(imports.notice());
    column->addWidget(toast);
}

} // namespace accumulus::ui
