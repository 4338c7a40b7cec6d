// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/main_window.h"

#include "app/workbench/end_notifier.h"
#include "app/workbench/examples_dialog.h"
#include "app/workbench/help_dialogs.h"
#include "app/workbench/interrupted_bar.h"
#include "app/workbench/log_dock.h"
#include "app/workbench/manual.h"
#include "app/workbench/navigation_rail.h"
#include "app/workbench/notice_area.h"
#include "app/workbench/page_focus.h"
#include "app/workbench/page_hints.h"
#include "app/workbench/page_stack.h"
#include "app/workbench/page_table.h"
#include "app/workbench/queue_dock.h"
#include "app/workbench/recent_libraries.h"
#include "app/workbench/status_line.h"
#include "widgets/models/library_rights.h"
#include "widgets/models/train_places.h"
#include "widgets/pages/library_session.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/settings_plot.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDesktopServices>
#include <QFileInfo>
#include <QMenu>
#include <QPushButton>
#include <QUndoStack>
#include <QUrl>
#include <algorithm>
#include <utility>

namespace accumulus::ui {
namespace {
constexpr QSize minSize(960, 600);
} // namespace

MainWindow::MainWindow(Services services, LogModel& log, const QString& language)
    : m_services(services), m_actions(createActions(*this, services.theme, language)),
      m_rail(new NavigationRail(services.theme)), m_stack(new PageStack), m_navigator(*m_stack),
      m_notice(new NoticeBar(services.theme)), m_finished(new NoticeBar(services.theme)),
      m_stopped(new NoticeBar(services.theme)), m_interrupted(new InterruptedBar(services.theme)),
      m_readOnly(new NoticeBar(services.theme)), m_waiting(new NoticeBar(services.theme)),
      m_elsewhere(new NoticeBar(services.theme)), m_hint(new NoticeBar(services.theme)),
      m_hints(new PageHints(*m_hint, this)), m_recentLibraries(new RecentLibraries(services.library, this)),
      m_log(new LogDock(services.theme, log, this)), m_status(new StatusLine(services)) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("Accumulus"));
    setMinimumSize(minSize);
    auto* centre = new QWidget;
    auto* row = new QHBoxLayout(centre);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_rail);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    m_notice->setObjectName(QStringLiteral("windowNotice"));
    m_finished->setObjectName(QStringLiteral("finishedNotice"));
    m_stopped->setObjectName(QStringLiteral("stoppedNotice"));
    m_elsewhere->setObjectName(QStringLiteral("elsewhereNotice"));
    m_readOnly->setObjectName(QStringLiteral("readOnlyNotice"));
    m_waiting->setObjectName(QStringLiteral("waitingNotice"));
    m_hint->setObjectName(QStringLiteral("pageHint"));
    auto* notices =
        new NoticeArea({m_notice, m_stopped, m_finished, m_interrupted, m_readOnly, m_waiting, m_elsewhere}, *m_hint);
    column->addWidget(notices);
    column->addWidget(m_stack, 1);
    row->addLayout(column, 1);
    setCentralWidget(centre);
    m_focus = new PageFocus(*this, *m_stack, *notices, this);
    addDockWidget(Qt::BottomDockWidgetArea, m_log);
    m_log->hide();
    setStatusBar(m_status);
}

MainWindow::~MainWindow() {
    if (m_edits)
        m_edits->disconnect(this); // it outlives the window, whose parts it must not reach while they go
}

bool MainWindow::buildNext() {
    const std::vector<PageEntry>& table = pageTable();
    if (const auto made = static_cast<std::size_t>(m_pages.size()); made < table.size()) {
        makePage(table[made]);
        return true;
    }
    finish();
    return false;
}

void MainWindow::retire() {
    hide();
    m_closeWhenIdle = false;     // the other one waits for it
    delete findChild<Manual*>(); // its buttons lead to pages
    delete findChild<ExamplesDialog*>();
    delete findChild<EndNotifier*>();
    m_services.runs.disconnect(this);
    m_services.runs.queue().disconnect(this);
    m_services.library.disconnect(this);
    m_services.session.reports.disconnect(this);
    m_navigator.disconnect();
    if (m_edits)
        m_edits->disconnect(this);
    for (const Page* page : m_pages)
        page->disconnect(this);
}

bool MainWindow::dismantleNext() {
    if (m_pages.isEmpty())
        return false;
    delete m_pages.takeLast();
    return !m_pages.isEmpty();
}

void MainWindow::makePage(const PageEntry& entry) {
    Page* page = entry.make(m_services, m_navigator, m_actions);
    const QString id = QString::fromLatin1(entry.id);
    if (page->objectName().isEmpty())
        page->setObjectName(id);
    page->setAccessibleName(pageTitle(entry));
    m_stack->addWidget(page);
    m_rail->addEntry(QString::fromLatin1(entry.icon), pageTitle(entry), QStringLiteral("rail-") + id,
                     m_actions.pages[m_pages.size()]->shortcut().toString(QKeySequence::NativeText));
    m_pages << page;
    if (!m_edits)
        m_edits = page->edits();
}

void MainWindow::finish() {
    createQueue();
    createInspector();
    PageMenus menus;
    for (const Page* page : m_pages) {
        const PageMenus& own = page->menus();
        menus.runs << own.runs;
        menus.exports << own.exports;
        menus.edit << own.edit;
        menus.tools << own.tools;
        menus.view << own.view;
        menus.file << own.file;
    }
    createMenus(*this, m_actions, menus, m_recentLibraries, m_log->toggleViewAction());

    connectActions();
    connectViewActions();
    connectNavigator();
    connectServices();
    connectNotices();
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, QWidget* now) {
        bringIntoSight(now);
        if (qobject_cast<PlotView*>(now) || qobject_cast<SettingsPlot*>(now))
            m_lastPlot = now;
    });
    for (PlotView* plot : findChildren<PlotView*>())
        connect(plot, &PlotView::exportFailed, this,
                [this](const QString& file) { tell(NoticeLevel::Error, tr("%1 could not be written.").arg(file)); });
    createSearch();
    restoreLayout();
    updateRunActions();
    updateUndo();
    m_navigator.show(m_pages.first());
}

void MainWindow::connectActions() {
    connect(m_actions.examples, &QAction::triggered, this, &MainWindow::openExample);
    connect(m_actions.newLibrary, &QAction::triggered, this, &MainWindow::newLibrary);
    connect(m_actions.openLibrary, &QAction::triggered, this, &MainWindow::openLibrary);
    connect(m_recentLibraries, &RecentLibraries::chosen, this, &MainWindow::openRecentLibrary);
    connect(m_actions.showLibraryFolder, &QAction::triggered, this, [this] {
        const QFileInfo file(QString::fromStdString(m_services.library.path().string()));
        QDesktopServices::openUrl(QUrl::fromLocalFile(file.absolutePath()));
    });
    connect(m_actions.quit, &QAction::triggered, this, &QWidget::close);
    connect(m_actions.undo, &QAction::triggered, this, [this] { undoOrRedo(false); });
    connect(m_actions.redo, &QAction::triggered, this, [this] { undoOrRedo(true); });
    connect(m_actions.demo, &QAction::triggered, this, &MainWindow::runDemo);
    connect(m_actions.pause, &QAction::triggered, this, [this] {
        if (m_services.runs.state() == RunState::Paused)
            m_services.runs.resume();
        else
            m_services.runs.pause();
    });
    connect(m_actions.stop, &QAction::triggered, &m_services.runs, &RunController::stop);
    connect(m_actions.stopNow, &QAction::triggered, &m_services.runs, &RunController::stopNow);
    connect(m_actions.savePlot, &QAction::triggered, this, &MainWindow::savePlot);
}

void MainWindow::connectViewActions() {
    for (int page = 0; page < m_actions.pages.size(); ++page)
        connect(m_actions.pages[page], &QAction::triggered, this, [this, page] {
            m_navigator.show(m_pages[page]);
            m_focus->enter(Qt::ShortcutFocusReason);
        });
    connect(m_rail, &NavigationRail::chosen, this, [this](int page) {
        m_navigator.show(m_pages[page]);
        if (!focusWidget()) // by the mouse, which left the focus on the page before
            m_focus->enter(Qt::MouseFocusReason);
    });
    connect(m_actions.theme, &QActionGroup::triggered, this, [this](const QAction* chosen) {
        m_services.theme.setMode(static_cast<ThemeMode>(chosen->data().toInt()));
    });
    // Another language is another window's, if it can be shown at all.
    connect(m_actions.language, &QActionGroup::triggered, this,
            [this, own = m_actions.language->checkedAction()](const QAction* chosen) {
                own->setChecked(true);
                Q_EMIT languageRequested(chosen->data().toString());
            });
    connectTextSizes(m_actions, m_services.theme);
    setAnimated(m_services.theme.animations());
    connect(&m_services.theme, &Theme::animationsChanged, this, &QMainWindow::setAnimated);
    connect(m_actions.animations, &QAction::toggled, &m_services.theme, &Theme::setAnimations);
    connect(m_actions.fullScreen, &QAction::triggered, this, [this](bool on) { on ? showFullScreen() : showNormal(); });
    connect(m_actions.resetLayout, &QAction::triggered, this, &MainWindow::resetLayout);
    connect(m_actions.manual, &QAction::triggered, this, &MainWindow::showManual);
    connect(m_actions.ownNetwork, &QAction::triggered, this, [this] {
        showOwnNetwork(m_services.theme, this, [this](const QStringList& files) { bringFiles(files); });
    });
    connect(m_actions.words, &QAction::triggered, this, [this] { showWords(m_services.theme, this); });
    connect(m_actions.keys, &QAction::triggered, this, [this] { showKeys(m_services.theme, actions(), this); });
    connect(m_actions.hints, &QAction::triggered, m_hints, &PageHints::showAgain);
    connect(m_actions.about, &QAction::triggered, this, [this] { showAbout(m_services.theme, this); });
}

void MainWindow::showManual() {
    auto* manual = findChild<Manual*>();
    if (!manual) {
        manual = new Manual(m_services.theme, m_actions.language->checkedAction()->data().toString(), this);
        connect(manual, &Manual::pageRequested, this, &MainWindow::showPage);
    }
    manual->open(currentPage());
    manual->show();
    manual->raise();
    manual->activateWindow();
}

void MainWindow::connectNavigator() {
    connect(&m_navigator, &Navigator::shown, this, &MainWindow::pageShown);
    connect(&m_navigator, &Navigator::startRequested, this, &MainWindow::startExperiment);
    connect(&m_navigator, &Navigator::startElsewhereRequested, this,
            [this](const ExperimentConfig& experiment, const LaunchPlace& place) {
                begin([&] { m_services.runs.startElsewhere(experiment, place); });
            });
    connect(&m_navigator, &Navigator::resumeRequested, this, &MainWindow::resumeRuns);
    connect(&m_navigator, &Navigator::demoRequested, this, &MainWindow::runDemo);
    connect(&m_navigator, &Navigator::examplesRequested, this, &MainWindow::openExample);
    connect(&m_navigator, &Navigator::openLibraryRequested, this, &MainWindow::openLibrary);
    connect(&m_navigator, &Navigator::libraryBrought, this, &MainWindow::libraryRequested);
    connect(&m_navigator, &Navigator::deviceInspected, m_status, &StatusLine::showDevice);
    connect(&m_navigator, &Navigator::comparisonShown, this, [this] {
        if (m_end && m_end->demo.isEmpty()) // its button leads there
            m_finished->clear();
    });
    connect(&m_navigator, &Navigator::comparedGroupsTold, this, &MainWindow::comparisonChanged);
    if (m_edits)
        connect(m_edits, &QUndoStack::indexChanged, this, &MainWindow::updateUndo);
    for (Page* page : m_pages) {
        connect(page, &Page::historyChanged, this, &MainWindow::updateUndo);
        connect(page, &Page::frontRequested, this, [this, page] { m_navigator.show(page); });
    }
}

void MainWindow::connectServices() {
    RunController& runs = m_services.runs;
    LibraryGateway& library = m_services.library;
    connect(&runs, &RunController::stateChanged, this, &MainWindow::updateRunActions);
    connect(&runs, &RunController::failed, this, &MainWindow::showError);
    connect(&runs, &RunController::studyFinished, this, &MainWindow::studyFinished);
    connect(&runs, &RunController::studyStarted, this, [this](const StudyRecord& study) {
        if (m_demo && study.config == *m_demo) {
            m_demoStudy = QString::fromStdString(study.id);
            m_demo.reset();
        }
        if (m_closeWhenIdle && m_services.runs.state() == RunState::Stopping) // it was prepared when the window closed
            rememberStudyThatIsLeft();
    });
    connect(&library, &LibraryGateway::failed, this, &MainWindow::showError);
    connect(&library, &LibraryGateway::written, this, &MainWindow::closeWhenWritten);
    connect(&library, &LibraryGateway::written, this, &MainWindow::offerAgain);
    connect(&library, &LibraryGateway::opened, this, [this] {
        // What was offered belongs to the library that was open before.
        m_interruptedRuns.clear();
        m_leftRuns.clear();
        offerRuns();
        m_finished->clear();
        forgetStop();
        m_elsewhere->clear();
        m_waiting->clear();
        m_services.runs.setLibrary(m_services.library.path());
        showAwaited();
        tellLibraryNotice();
        offerStudyThatWasLeft();
    });
    connect(&library, &LibraryGateway::awaiting, this, &MainWindow::showAwaited);
    connect(&library, &LibraryGateway::openFailed, this, &MainWindow::showAwaited);
    connect(m_readOnly, &NoticeBar::actionTriggered, this,
            [this] { Q_EMIT libraryRequested(QString::fromStdString(m_services.library.path().string())); });
    connect(&library, &LibraryGateway::interruptedRunsFound, this, [this](const QStringList& found) {
        m_interruptedRuns = found;
        offerRuns();
    });
    connect(&library, &LibraryGateway::launchFound, this, [this](const LaunchRecord& launch) {
        m_openLaunch = QString::fromStdString(launch.id);
        m_elsewhere->showNotice(NoticeLevel::Info,
                                tr("“%1” is training on %2, but nothing here is following it.")
                                    .arg(QString::fromStdString(launch.name), placeName(launch.place)),
                                tr("Follow"));
    });
    connect(m_elsewhere, &NoticeBar::actionTriggered, this, [this] {
        m_elsewhere->clear();
        begin([this] { m_services.runs.follow(m_openLaunch); });
    });
    connect(m_interrupted, &InterruptedBar::resumeRequested, this, &MainWindow::resumeRuns);
    connect(m_interrupted, &InterruptedBar::markStoppedRequested, this, [this](const QStringList& interrupted) {
        std::vector<std::string> ids;
        for (const QString& run : interrupted)
            ids.push_back(run.toStdString());
        m_services.library.edit(this, [ids](RunStore& store) { return store.giveUp(ids); });
    });
    connect(m_interrupted, &InterruptedBar::showRequested, this, &MainWindow::showOffered);
    connect(m_interrupted, &InterruptedBar::logRequested, this, &MainWindow::showLog);
}

int MainWindow::indexOf(const QString& id) const {
    const auto& table = pageTable();
    const auto found = std::ranges::find(table, id, [](const PageEntry& entry) { return QLatin1String(entry.id); });
    return found == table.end() ? -1 : static_cast<int>(found - table.begin());
}

void MainWindow::showPage(const QString& id) {
    if (const int index = indexOf(id); index >= 0)
        m_navigator.show(m_pages[index]);
}

QString MainWindow::currentPage() const {
    return QString::fromLatin1(pageTable()[static_cast<std::size_t>(m_stack->currentIndex())].id);
}

void MainWindow::pageShown(const Page* page) {
    const qsizetype index = m_pages.indexOf(page);
    m_rail->setCurrent(static_cast<int>(index));
    m_hints->showFor(pageTable()[static_cast<std::size_t>(index)]);
    updateUndo();
}

void MainWindow::showError(const Error& error) {
    tell(NoticeLevel::Error, format::error(error));
    m_error = error;
}

void MainWindow::tell(NoticeLevel level, const QString& text, const QString& action, std::function<void()> does) {
    m_error.reset();
    m_noticeAction = std::move(does);
    m_tellsQueued = false;
    m_notice->showNotice(level, text, action);
}

void MainWindow::updateRunActions() {
    const RunState state = m_services.runs.state();
    const bool busy = m_services.runs.busy();
    const bool stopping = state == RunState::Stopping;
    m_actions.pause->setEnabled(busy && !stopping);
    m_actions.pause->setText(state == RunState::Paused ? tr("&Resume") : tr("&Pause"));
    m_actions.stop->setEnabled(busy && !stopping);
    m_actions.stopNow->setEnabled(busy);
    for (QAction* other : {m_actions.newLibrary, m_actions.openLibrary, m_recentLibraries->menuAction()})
        other->setEnabled(!busy);
    const QString noWriting = whyNoWriting(m_services.library);
    for (QAction* writing : {m_actions.demo, m_actions.importRuns}) {
        writing->setEnabled(noWriting.isEmpty());
        writing->setToolTip(noWriting); // empty: the action's text
    }
    updateQueueActions();
}

} // namespace accumulus::ui
