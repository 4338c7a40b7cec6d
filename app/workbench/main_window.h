// SPDX-License-Identifier: GPL-3.0-or-later
// Composes the pages: rail, stack, notices, log and status bar, and passes what one page asks for to another. Knows
// every page; no page knows it. GUI thread.
#pragma once

#include "app/workbench/window_actions.h"
#include "core/config/experiment_config.h"
#include "widgets/models/log_model.h"
#include "widgets/pages/page.h"

#include <QMainWindow>
#include <optional>

class QStackedWidget;

namespace accumulus::ui {

class ComparePage;
class HomePage;
class InterruptedBar;
class LibraryPage;
class LivePage;
class LogDock;
class NavigationRail;
class NoticeBar;
class ReportsPage;
class SetupPage;
class StatusLine;

enum class PageId { Home, Setup, Live, Compare, Library, Reports };

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(Services services, LogModel& log, const QString& language);
    ~MainWindow() override;

    void showPage(PageId page);
    [[nodiscard]] PageId currentPage() const;
    void runDemo();
    /// Closes the window; a study that is training is stopped at its next update first, with a checkpoint.
    void saveAndClose();
    void showError(const Error& error);
    void resetLayout();

    /// What a new window in another language takes over.
    struct Kept {
        PageId page = PageId::Home;
        ExperimentConfig experiment;
        QString study, demoStudy;
        bool closeWhenIdle = false;
    };
    [[nodiscard]] Kept kept() const;
    void takeOver(const Kept& kept);

Q_SIGNALS:
    void languageRequested(const QString& language);
    void libraryRequested(const QString& file);

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void createPages();
    void connectActions();
    void connectViewActions();
    void connectPages();
    void connectServices();
    void restoreLayout();
    void updateRunActions();
    void updateUndo();

    void startExperiment(const ExperimentConfig& experiment);
    void openLibrary();
    void studyFinished(const QString& study, bool stopped);
    void undoOrRedo(bool redo);
    void askBeforeClosing();
    void closeWhenIdle();
    void exportSelected();
    void reportSelected();
    [[nodiscard]] Page* page(PageId id) const;

    Services m_services;
    WindowActions m_actions;
    NavigationRail* m_rail;
    QStackedWidget* m_stack;
    NoticeBar* m_notice;
    NoticeBar* m_finished; ///< "study finished", its button opens Compare
    InterruptedBar* m_interrupted;
    HomePage* m_home;
    SetupPage* m_setup;
    LivePage* m_live;
    ComparePage* m_compare;
    LibraryPage* m_library;
    ReportsPage* m_reports;
    LogDock* m_log;
    StatusLine* m_status;
    QString m_finishedStudy;
    std::optional<StudyConfig> m_demo; ///< asked for, not begun
    QString m_demoStudy;               ///< in progress
    bool m_closeWhenIdle = false;
};

} // namespace accumulus::ui
