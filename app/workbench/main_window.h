// SPDX-License-Identifier: GPL-3.0-or-later
// Composes rail, pages, notices, log and status bar, starts studies and closes. Which pages there are stands in the
// table of pages; the window knows them as Page only. GUI thread.
#pragma once

#include "app/workbench/navigator.h"
#include "app/workbench/window_actions.h"
#include "core/config/experiment_config.h"
#include "widgets/models/log_model.h"
#include "widgets/models/run_progress.h"
#include "widgets/pages/page.h"
#include "widgets/style/controls.h"

#include <QHash>
#include <QMainWindow>
#include <QPointer>
#include <QVariant>
#include <functional>
#include <optional>

class QStackedWidget;
class QUndoStack;

namespace accumulus::ui {

class ActionSearch;
class InspectorDock;
class InterruptedBar;
class LogDock;
class NavigationRail;
class NoticeBar;
class PageFocus;
class PageHints;
class PlotView;
class QueueDock;
class RecentLibraries;
class StatusLine;
struct FoundAction;
struct PageEntry;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    /// The frame; buildNext() makes what is in it.
    MainWindow(Services services, LogModel& log, const QString& language);
    ~MainWindow() override;

    /// One page more, then what needs all of them. False: the window is whole. In steps, so that another window may
    /// answer in between.
    bool buildNext();
    void beginSession(); ///< of the program, not only of the window
    /// Another one has replaced it: hidden, and deaf to everything that happens from now on.
    void retire();
    /// Takes one page away. False: none is left.
    bool dismantleNext();

    void showPage(const QString& id); ///< of the table of pages; another one is ignored
    [[nodiscard]] QString currentPage() const;
    void runDemo();
    void bringFiles(const QStringList& files); ///< to Set up, as if they were dropped there
    /// Closes the window; a study that is training is stopped at its next update first, with a checkpoint. One that is
    /// trained elsewhere goes on there.
    void saveAndClose();
    void showError(const Error& error);
    void resetLayout();
    void showRestoredQueue(int waiting); ///< so many wait since an earlier session
    [[nodiscard]] bool mayOpenLibrary(); ///< another one; says why not

    struct StudyEnd {
        QString study, name;
        int runs = 0, completed = 0;
        int last = 0; ///< run that was trained last, from 1 on
        bool comparable = false;
        QStringList unfinished; ///< runs that can go on
        QStringList demo;       ///< runs of the demo, explained while they are compared; else empty
    };
    /// What a new window in another language takes over.
    struct Kept {
        QString page;
        QHash<QString, QVariant> states; ///< of the pages
        QVariant inspector;              ///< its state
        QString demoStudy;
        std::optional<StudyConfig> demo;
        QStringList interrupted, left;
        RunProgress progress;
        std::optional<Error> error;   ///< that is told
        std::optional<StudyEnd> end;  ///< that is told
        std::optional<StudyEnd> stop; ///< likewise
        bool manual = false;
        bool closeWhenIdle = false, closeWhenWritten = false;
        bool queueOffered = false; ///< what an earlier session left in it
    };
    [[nodiscard]] Kept kept() const;
    void takeOver(const Kept& kept);

Q_SIGNALS:
    void languageRequested(const QString& language);
    void libraryRequested(const QString& file);

protected:
    bool event(QEvent* event) override;
    void childEvent(QChildEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makePage(const PageEntry& entry);
    void finish();
    void connectActions();
    void connectViewActions();
    void connectNavigator();
    void connectServices();
    void createQueue();
    void createInspector();
    void createSearch();
    void restoreLayout();
    void rememberLayout() const; ///< in the settings
    void updateRunActions();
    void updateUndo();
    void savePlot(); ///< that has or had the focus, else the first one on the page in front
    void updateQueueActions();
    void tellQueued();
    void searchActions();
    [[nodiscard]] QString whyNot(const FoundAction& found) const;

    void startExperiment(const ExperimentConfig& experiment);
    void begin(const std::function<void()>& start);
    void newLibrary();
    void openLibrary();
    void openRecentLibrary(const QString& file);
    void openExample(); ///< that a person chooses, in Set up
    void resumeRuns(const QStringList& runs);
    void offerAgain(); ///< after an edit: what was offered may be in the Trash, or back
    [[nodiscard]] QStringList notInTrash(const QStringList& runs); ///< nor gone
    void offerRuns();                          ///< in the bar: those that were left and those that were interrupted
    void showManual();                         ///< the page about the current one
    void showOffered(const QStringList& runs); ///< in the library
    void showLog(const QStringList& runs);     ///< what happened in the first that began, there
    void rememberStudyThatIsLeft();
    void offerStudyThatWasLeft();
    void studyFinished(const QString& study, bool stopped);
    void showEnd(const StudyEnd& end);
    void showStop(const StudyEnd& end);
    void forgetStop();
    void comparisonChanged(const QList<QStringList>& groups);
    /// `does`: what the button of the notice does.
    void tell(NoticeLevel level, const QString& text, const QString& action = {}, std::function<void()> does = {});
    void connectNotices();
    void tellClosing(); ///< for what it waits
    static void bringIntoSight(QWidget* focused);
    void undoOrRedo(bool redo);
    void askBeforeClosing();
    void stopAndClose();
    void leaveAndClose();
    void stayOpenFor(const Error& error); ///< if it is about to close by itself
    void closeWhenIdle();
    [[nodiscard]] bool mayClose(); ///< nothing is on its way to the library; else it closes after that, or says why not
    void closeWhenWritten();
    [[nodiscard]] bool trains() const; ///< now, or by itself later
    [[nodiscard]] bool works() const;  ///< what would be lost with the window
    [[nodiscard]] bool hasUnsaved() const;
    void warnOfUnsaved();
    [[nodiscard]] bool mayWrite(); ///< says why not
    void showLibraryState();
    void tellLibraryNotice(); ///< what the store has to say
    void showAwaited();       ///< of a library that opens later: nothing begins until it is there, or has failed
    void pageShown(const Page* page);
    [[nodiscard]] int indexOf(const QString& id) const;

    Services m_services;
    WindowActions m_actions;
    NavigationRail* m_rail;
    QStackedWidget* m_stack;
    Navigator m_navigator;
    NoticeBar* m_notice;
    NoticeBar* m_finished; ///< "study finished", its button opens Compare
    NoticeBar* m_stopped;  ///< which study a person has stopped, its button resumes it
    InterruptedBar* m_interrupted;
    NoticeBar* m_readOnly;  ///< why the library cannot be changed
    NoticeBar* m_waiting;   ///< what an earlier session left in the queue
    NoticeBar* m_elsewhere; ///< what is trained in another place and not followed
    NoticeBar* m_hint;      ///< on the page in front
    PageHints* m_hints;
    PageFocus* m_focus = nullptr;
    std::function<void()> m_noticeAction; ///< of m_notice
    bool m_tellsQueued = false;           ///< m_notice speaks of what waits
    QString m_openLaunch;                 ///< that
    QList<Page*> m_pages;                 ///< as in the table
    QUndoStack* m_edits = nullptr;        ///< changes that can be undone from any page
    RecentLibraries* m_recentLibraries;
    LogDock* m_log;
    QueueDock* m_queue = nullptr;
    InspectorDock* m_inspector = nullptr;
    ActionSearch* m_search = nullptr;
    QPointer<QWidget> m_lastPlot; ///< that had the focus
    StatusLine* m_status;
    std::optional<Error> m_error;      ///< told last by m_notice
    std::optional<StudyEnd> m_end;     ///< told last by m_finished
    bool m_endOffers = false;          ///< to resume what is left of it
    std::optional<StudyEnd> m_stop;    ///< told last by m_stopped
    bool m_stopOffers = false;         ///< likewise
    bool m_firstOffer = true;          ///< interrupted runs have not been offered yet
    bool m_demoCompared = false;       ///< Compare shows the runs of the demo that is explained
    QStringList m_interruptedRuns;     ///< as the gateway found them
    QStringList m_leftRuns;            ///< of the study that was left when the window was closed
    QStringList m_offered;             ///< by the bar: both
    std::optional<StudyConfig> m_demo; ///< asked for, not begun
    QString m_demoStudy;               ///< in progress
    bool m_closeWhenIdle = false;
    bool m_closeWhenWritten = false;
    bool m_discardsWork = false; ///< a person wants it so, or a signal ends the program
    bool m_warnedOfUnsaved = false;
};

} // namespace accumulus::ui
