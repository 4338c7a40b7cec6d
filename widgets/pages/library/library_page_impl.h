// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of the Library page share: its widgets, actions and rows. Internal to widgets/pages/library.
#pragma once

#include "widgets/models/run_list_model.h"
#include "widgets/pages/library/filter_line.h"
#include "widgets/pages/library/library_edits.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/library/library_rows.h"
#include "widgets/pages/library/run_exports.h"
#include "widgets/pages/library/run_imports.h"
#include "widgets/pages/library/run_inspector.h"
#include "widgets/pages/library/run_table.h"
#include "widgets/pages/library/runs_editor.h"
#include "widgets/pages/library_session.h"
#include "widgets/style/controls.h"

#include <QTimer>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

class QAction;
class QComboBox;
class QMenu;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace accumulus::ui {

struct LibraryPage::Impl {
    static constexpr int inspectorWidth = 424;
    static constexpr std::chrono::seconds toastTime{10};
    static constexpr auto splitterKey = "library/splitter"; ///< of the settings
    static constexpr auto groupingKey = "library/grouping";
    static constexpr auto expandedKey = "library/openGroups";
    static constexpr RunGrouping usualGrouping = RunGrouping::Study; ///< until a person has chosen

    LibraryPage& page;
    Services services;
    LibraryEdits& edits;
    RunListModel model;
    RunExports& exports;
    RunImports imports;
    LibraryRows rows;
    std::shared_ptr<RowMemory> memory = std::make_shared<RowMemory>();
    bool showTrash = false;
    bool stale = true; ///< the library changed since it was read
    bool reading = false;
    QTimer refreshSoon, toastEnd;

    NoticeBar* notice = nullptr;
    NoticeBar* toast = nullptr;
    NoticeBar* drafts = nullptr; ///< what was typed for several runs waits for them
    QString draftsText;
    NoticeBar* exporting = nullptr;
    NoticeBar* backingUp = nullptr;
    RoleLabel* count = nullptr;
    FilterLine* filter = nullptr;
    QComboBox* grouping = nullptr;
    QPushButton* views = nullptr;
    QPushButton* runsButton = nullptr;
    QPushButton* trashButton = nullptr;
    QStackedWidget* stack = nullptr;
    RunTable* table = nullptr;
    EmptyState* empty = nullptr;
    RunInspector* inspector = nullptr;
    RunsEditor* editor = nullptr; ///< in its place while several runs are selected
    QSplitter* splitter = nullptr;
    QAction *resume = nullptr, *newFrom = nullptr, *compare = nullptr, *addGroup = nullptr, *curves = nullptr,
            *report = nullptr, *audit = nullptr, *rename = nullptr, *tags = nullptr, *pin = nullptr, *protect = nullptr;
    QAction *check = nullptr, *backUp = nullptr, *restoreAll = nullptr;
    QAction *openGroups = nullptr, *closeGroups = nullptr, *columnMenu = nullptr;
    QAction *color = nullptr, *copyRows = nullptr, *copyMarkdown = nullptr, *copyCommand = nullptr;
    QAction *trash = nullptr, *restore = nullptr, *emptyTrash = nullptr;
    QList<QStringList> compared; ///< groups on Compare
    QList<QAction*> exportList;
    QList<QAction*> weightExports; ///< of them, in the order best, last, initial
    QToolButton* exportButton = nullptr;
    Card* inspectorCard = nullptr;
    QWidget* runBar = nullptr;
    QWidget* trashBar = nullptr;

    Impl(LibraryPage& owner, Services given)
        : page(owner), services(given), edits(given.session.edits), exports(given.session.exports),
          imports(given, owner) {}

    QAction* addAction(const QString& text, const QString& iconName, const QString& name,
                       const QKeySequence& keys = {});
    void addExport(const QString& text, ExportKind kind, const QString& name);
    void createActions();
    QWidget* headerRow();
    NoticeBar* draftsBar();
    QWidget* buttonBar(const QList<QAction*>& actions, const QString& name);
    void build();
    void connectAll();

    void refresh();
    void showRows();
    void saveLayout() const; ///< into the settings
    [[nodiscard]] QStringList expanded() const { return model.expandedGroups().values(); }
    void setExpanded(const QStringList& keys) { model.setExpandedGroups({keys.begin(), keys.end()}); }
    void updateEmptyState();
    void updateSelection();
    void showExporting(int files);
    void openInspector(); ///< where its pane was collapsed; the keyboard goes there
    void showDrafts();
    void selectDraft();
    void showSelected(const std::vector<const RunRecord*>& selected); ///< beside the table
    void updateCurves(bool some);
    void updateAddGroup(const std::vector<const RunRecord*>& selected);
    void updateCount();
    void findWeights(const std::vector<const RunRecord*>& selected);
    [[nodiscard]] std::vector<RunRecord> selectedRecords() const;
    [[nodiscard]] std::vector<const RunRecord*> selectedPointers() const;
    void askToEmptyTrash();
    void confirmEmptyTrash(const std::vector<RunFiles>& runs);
    void newFromSelected();
    void setGrouping(RunGrouping wanted); ///< the switch follows
    void pinSelected();
    void protectSelected();
    void connectRenaming();
    void updateRename();
    void addColors(); ///< the choices of `color`
    void copySelected(bool markdown);
    void copySelectedCommand(); ///< that trains the run again, alone

    void connectCare();
    void tellChecked(const Result<LibraryHealth>& health);
    void showChores(); ///< that are on their way
    void tellBackedUp(const WrittenBackup& written);
    void tellRestored(const Status& status, const QString& kept);

    void addFilterChoices(RunColumn column, QMenu& menu);
    void fillViewsMenu(QMenu& menu);
    void saveView(const QString& name);
    void offerUndo(const QString& done); ///< of the edit that was made last
    void showView(const QString& name);
    [[nodiscard]] std::optional<int> selectedRow() const; ///< of the table, where it is one
    void emptyStateAction();
};

} // namespace accumulus::ui
