// SPDX-License-Identifier: GPL-3.0-or-later
// Everything about one run, in tabs: overview with environment, settings, checkpoints, events, notes and tags
// (editable). Reads checkpoints and events on the query thread. GUI thread.
#pragma once

#include "widgets/pages/library/library_edits.h"
#include "widgets/pages/library/run_inspector_rows.h"
#include "widgets/pages/page.h"

#include <QTimer>
#include <map>
#include <optional>
#include <string>

class QLineEdit;
class QPlainTextEdit;
class QStackedWidget;
class QTabWidget;
class QTreeWidget;

namespace accumulus::ui {

class BatchBar;
class CheckpointList;
class RoleLabel;

class RunInspector : public QWidget {
    Q_OBJECT
public:
    RunInspector(Services services, LibraryEdits& edits, QWidget* parent = nullptr);
    ~RunInspector() override;

    /// Shows the run; the same run with new values keeps tab, scroll position and unsaved notes. Saves the notes of the
    /// run shown before. What could not be saved stays in the fields, and comes back with its run.
    void showRun(const RunRecord& run);
    void showNothing(int selectedRuns);
    void editTags();
    void focusTab();                       ///< the keyboard goes to what the tab in front shows
    void saveEdits();                      ///< name, tags and notes that have changed, now
    [[nodiscard]] bool hasUnsaved() const; ///< of the run shown, or of another whose edits failed

private:
    struct Draft { ///< what stands in the fields
        QString name, tags, notes;
    };

    [[nodiscard]] QTreeWidget* addTree(const QString& title, const QString& name, const QStringList& headers);
    void showOverview();
    void showConfig();
    void readCheckpointsAndEvents();
    static void fill(QTreeWidget* tree, const InspectorRows& rows);

    // run_inspector_edits.cpp
    [[nodiscard]] QWidget* notesTab();
    [[nodiscard]] static Draft draftOf(const RunRecord& run);
    [[nodiscard]] Draft draft() const;
    void showDraft(const Draft& draft);
    [[nodiscard]] bool hasDraft() const; ///< the fields differ from the run
    void edited(const RunRecord& before, const Draft& wanted, int save, bool written);
    void forget(); ///< what belongs to the library that was open before

    Services m_services;
    LibraryEdits& m_edits;
    std::optional<RunRecord> m_run; ///< as it will be once all edits are written
    struct Saving {
        RunRecord wanted; ///< the run as it will be
        int pending = 0;  ///< edits on their way
        int last = 0;     ///< number of the newest save
    };
    std::map<std::string, Saving> m_saving; ///< by run
    int m_saves = 0;                        ///< so far
    std::map<std::string, Draft> m_unsaved; ///< by run: what could not be saved
    std::optional<Message> m_noise;         ///< the run's noise scale, once it has been read; nothing: it has none
    QStackedWidget* m_stack;
    RoleLabel* m_hint;
    RoleLabel* m_title;
    RoleLabel* m_subtitle;
    BatchBar* m_batch;
    RoleLabel* m_audit;
    QTabWidget* m_tabs;
    QTreeWidget* m_overview;
    QTreeWidget* m_config;
    CheckpointList* m_checkpoints;
    QTreeWidget* m_events;
    QLineEdit* m_name;
    QLineEdit* m_tags;
    QPlainTextEdit* m_notes;
    QTimer m_saveSoon;
};

} // namespace accumulus::ui
