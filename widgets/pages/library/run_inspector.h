// SPDX-License-Identifier: GPL-3.0-or-later
// Everything about one run, in tabs: overview with environment, settings, checkpoints, events, notes and tags
// (editable). Reads checkpoints and events on the query thread. GUI thread.
#pragma once

#include "widgets/pages/library/library_edits.h"
#include "widgets/pages/page.h"

#include <QTimer>
#include <optional>
#include <utility>
#include <vector>

class QLineEdit;
class QPlainTextEdit;
class QStackedWidget;
class QTabWidget;
class QTreeWidget;

namespace accumulus::ui {

class BatchBar;
class RoleLabel;

class RunInspector : public QWidget {
    Q_OBJECT
public:
    RunInspector(Services services, LibraryEdits& edits, QWidget* parent = nullptr);
    ~RunInspector() override;

    /// Shows the run; the same run with new values keeps tab, scroll position and unsaved notes. Saves the notes of the
    /// run shown before.
    void showRun(const RunRecord& run);
    void showNothing(int selectedRuns);
    void editTags();
    void saveEdits(); ///< name, tags and notes that have changed, at once

private:
    using Rows = std::vector<std::pair<QString, QString>>;

    [[nodiscard]] QTreeWidget* addTree(const QString& title, const QString& name, const QStringList& headers);
    [[nodiscard]] QWidget* notesTab();
    void showOverview();
    void showConfig();
    [[nodiscard]] Rows environmentRows() const; ///< a row without value is a heading
    void readCheckpointsAndEvents();
    static void fill(QTreeWidget* tree, const Rows& rows);

    Services m_services;
    LibraryEdits& m_edits;
    std::optional<RunRecord> m_run;
    std::optional<Message> m_noise; ///< the run's noise scale, once it has been read; nothing: it has none
    QStackedWidget* m_stack;
    RoleLabel* m_hint;
    RoleLabel* m_title;
    RoleLabel* m_subtitle;
    BatchBar* m_batch;
    RoleLabel* m_audit;
    QTabWidget* m_tabs;
    QTreeWidget* m_overview;
    QTreeWidget* m_config;
    QTreeWidget* m_checkpoints;
    QTreeWidget* m_events;
    QLineEdit* m_name;
    QLineEdit* m_tags;
    QPlainTextEdit* m_notes;
    QTimer m_saveSoon;
};

} // namespace accumulus::ui
