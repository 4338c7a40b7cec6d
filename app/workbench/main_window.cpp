// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/main_window.h"

#include "app/workbench/help_dialogs.h"
#include "app/workbench/interrupted_bar.h"
#include "app/workbench/log_dock.h"
#include "app/workbench/navigation_rail.h"
#include "app/workbench/status_line.h"
#include "core/config/experiment_file.h"
#include "core/run/study_runner.h"
#include "widgets/models/config_form.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/home/home_page.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/pages/reports/reports_page.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"

#include <QAction>
#include <QActionGroup>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QUndoStack>
#include <QUrl>
#include <algorithm>

namespace accumulus::ui {
namespace {
const QString geometryKey = QStringLiteral("window/geometry");
const QString stateKey = QStringLiteral("window/state");
/// Of a window without a remembered one: no larger than the screen.
QSize defaultSize(const QWidget& window) {
    constexpr QSize wanted(1440, 900);
    return window.screen() ? wanted.boundedTo(window.screen()->availableSize()) : wanted;
}
constexpr QSize leastSize(960, 600);
constexpr int logHeight = 180;

/// Holds the notices and takes no room while none is shown.
class NoticeArea : public QWidget {
public:
    explicit NoticeArea(const QList<NoticeBar*>& bars) : m_bars(bars) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(space::pageMargin, space::m, space::pageMargin, 0);
        column->setSpacing(space::s);
        for (NoticeBar* bar : bars) {
            column->addWidget(bar);
            bar->installEventFilter(this);
        }
        hide();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)
            setVisible(std::ranges::any_of(m_bars, [](const NoticeBar* bar) { return !bar->isHidden(); }));
        return QWidget::eventFilter(watched, event);
    }

private:
    QList<NoticeBar*> m_bars;
};
} // namespace

MainWindow::MainWindow(Services services, LogModel& log, const QString& language)
    : m_services(services), m_actions(createActions(*this, services.theme, language)),
      m_rail(new NavigationRail(services.theme)), m_stack(new QStackedWidget), m_notice(new NoticeBar(services.theme)),
      m_finished(new NoticeBar(services.theme)), m_interrupted(new InterruptedBar(services.theme)),
      m_log(new LogDock(services.theme, log, this)), m_status(new StatusLine(services)) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("Accumulus"));
    setMinimumSize(leastSize);
    createPages();

    auto* centre = new QWidget;
    auto* row = new QHBoxLayout(centre);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_rail);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    m_notice->setObjectName(QStringLiteral("windowNotice"));
    m_finished->setObjectName(QStringLiteral("finishedNotice"));
    column->addWidget(new NoticeArea({m_notice, m_finished, m_interrupted}));
    column->addWidget(m_stack, 1);
    row->addLayout(column, 1);
    setCentralWidget(centre);
    addDockWidget(Qt::BottomDockWidgetArea, m_log);
    m_log->hide();
    setStatusBar(m_status);
    createMenus(
        *this, m_actions,
        {m_library->runActions(), m_library->exportActions(), m_library->trashActions(), m_log->toggleViewAction()});

    connectActions();
    connectViewActions();
    connectPages();
    connectServices();
    restoreLayout();
    updateRunActions();
    updateUndo();
    showPage(PageId::Home);
}

MainWindow::~MainWindow() {
    m_library->undoStack().disconnect(this); // it empties itself while the page goes
}

void MainWindow::createPages() {
    m_home = new HomePage(m_services);
    m_setup = new SetupPage(m_services);
    m_live = new LivePage(m_services);
    m_compare = new ComparePage(m_services);
    m_library = new LibraryPage(m_services);
    m_reports = new ReportsPage(m_services);
    const std::pair<Page*, const char*> pages[] = {{m_home, "home"},       {m_setup, "setup"},
                                                   {m_live, "live"},       {m_compare, "compare"},
                                                   {m_library, "library"}, {m_reports, "reports"}};
    const QStringList titles = pageTitles();
    int number = 0;
    for (const auto& [page, name] : pages) {
        const QString text = QString::fromLatin1(name);
        if (page->objectName().isEmpty())
            page->setObjectName(text);
        page->setAccessibleName(titles[number]);
        m_stack->addWidget(page);
        m_rail->addEntry(text, titles[number], QStringLiteral("rail-") + text,
                         m_actions.pages[number]->shortcut().toString(QKeySequence::NativeText));
        ++number;
    }
}

void MainWindow::connectActions() {
    connect(m_actions.newSetup, &QAction::triggered, this, [this] {
        m_setup->setExperiment(newExperiment());
        showPage(PageId::Setup);
    });
    connect(m_actions.openLibrary, &QAction::triggered, this, &MainWindow::openLibrary);
    connect(m_actions.showLibraryFolder, &QAction::triggered, this, [this] {
        const QFileInfo file(QString::fromStdString(m_services.library.path().string()));
        QDesktopServices::openUrl(QUrl::fromLocalFile(file.absolutePath()));
    });
    connect(m_actions.exportRuns, &QAction::triggered, this, &MainWindow::exportSelected);
    connect(m_actions.report, &QAction::triggered, this, &MainWindow::reportSelected);
    connect(m_actions.quit, &QAction::triggered, this, &QWidget::close);
    connect(m_actions.undo, &QAction::triggered, this, [this] { undoOrRedo(false); });
    connect(m_actions.redo, &QAction::triggered, this, [this] { undoOrRedo(true); });
    connect(m_actions.copyCommand, &QAction::triggered, m_setup, &SetupPage::copyCommand);
    connect(m_actions.filterRuns, &QAction::triggered, this, [this] {
        showPage(PageId::Library);
        m_library->focusFilter();
    });
    connect(m_actions.demo, &QAction::triggered, this, &MainWindow::runDemo);
    connect(m_actions.start, &QAction::triggered, this, [this] {
        if (currentPage() == PageId::Setup)
            m_setup->start();
        else // never a start of something that cannot be seen
            showPage(PageId::Setup);
    });
    connect(m_actions.pause, &QAction::triggered, this, [this] {
        if (m_services.runs.state() == RunState::Paused)
            m_services.runs.resume();
        else
            m_services.runs.pause();
    });
    connect(m_actions.stop, &QAction::triggered, &m_services.runs, &RunController::stop);
    connect(m_actions.stopNow, &QAction::triggered, &m_services.runs, &RunController::stopNow);
}

void MainWindow::connectViewActions() {
    for (int page = 0; page < m_actions.pages.size(); ++page)
        connect(m_actions.pages[page], &QAction::triggered, this,
                [this, page] { showPage(static_cast<PageId>(page)); });
    connect(m_rail, &NavigationRail::chosen, this, [this](int entry) { showPage(static_cast<PageId>(entry)); });
    connect(m_actions.theme, &QActionGroup::triggered, this, [this](const QAction* chosen) {
        m_services.theme.setMode(static_cast<ThemeMode>(chosen->data().toInt()));
    });
    connect(m_actions.language, &QActionGroup::triggered, this,
            [this](const QAction* chosen) { Q_EMIT languageRequested(chosen->data().toString()); });
    connect(m_actions.fullScreen, &QAction::triggered, this, [this](bool on) { on ? showFullScreen() : showNormal(); });
    connect(m_actions.resetLayout, &QAction::triggered, this, &MainWindow::resetLayout);
    connect(m_actions.words, &QAction::triggered, this, [this] { showWords(m_services.theme, this); });
    connect(m_actions.keys, &QAction::triggered, this, [this] { showKeys(m_services.theme, actions(), this); });
    connect(m_actions.about, &QAction::triggered, this, [this] { showAbout(m_services.theme, this); });
}

void MainWindow::connectPages() {
    const auto toSetup = [this] { showPage(PageId::Setup); };
    connect(m_home, &HomePage::demoRequested, this, &MainWindow::runDemo);
    connect(m_home, &HomePage::setupRequested, this, toSetup);
    connect(m_home, &HomePage::openLibraryRequested, this, &MainWindow::openLibrary);
    connect(m_home, &HomePage::deviceInspected, m_status, &StatusLine::showDevice);
    const auto showCurves = [this](const QString& study) {
        m_live->showStudy(study);
        showPage(PageId::Live);
    };
    connect(m_home, &HomePage::studyRequested, this, showCurves);
    connect(m_setup, &SetupPage::startRequested, this, &MainWindow::startExperiment);
    connect(m_live, &LivePage::setupRequested, this, toSetup);
    const auto compareStudy = [this](const QString& study) {
        m_compare->compareStudy(study);
        showPage(PageId::Compare);
    };
    connect(m_live, &LivePage::compareRequested, this, compareStudy);
    connect(m_finished, &NoticeBar::actionTriggered, this, [this, compareStudy] {
        m_finished->clear();
        compareStudy(m_finishedStudy);
    });
    connect(m_compare, &ComparePage::setupRequested, this, toSetup);
    connect(m_compare, &ComparePage::moreSeedsRequested, this, &MainWindow::startExperiment);
    connect(m_compare, &ComparePage::reportRequested, this,
            [this](const QStringList& groupA, const QStringList& groupB, const QString& metric, double margin) {
                m_reports->showComparison(groupA, groupB, metric, margin);
                showPage(PageId::Reports);
            });
    connect(m_library, &LibraryPage::setupRequested, this, toSetup);
    connect(m_library, &LibraryPage::newFromRunRequested, this, [this](const ExperimentConfig& experiment) {
        m_setup->setExperiment(experiment);
        showPage(PageId::Setup);
    });
    connect(m_library, &LibraryPage::resumeRequested, this, [this](const QString& run) {
        m_services.runs.resumeRun(run);
        showPage(PageId::Live);
    });
    connect(m_library, &LibraryPage::compareRequested, this,
            [this](const QStringList& groupA, const QStringList& groupB) {
                m_compare->compareGroups(groupA, groupB);
                showPage(PageId::Compare);
            });
    connect(m_library, &LibraryPage::showCurvesRequested, this, showCurves);
    connect(m_library, &LibraryPage::reportRequested, this, [this](const QString& run) {
        m_reports->showRun(run);
        showPage(PageId::Reports);
    });
    connect(&m_library->undoStack(), &QUndoStack::indexChanged, this, &MainWindow::updateUndo);
    connect(m_reports, &ReportsPage::setupRequested, this, toSetup);
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
    });
    connect(&library, &LibraryGateway::queryFailed, this, &MainWindow::showError);
    connect(&library, &LibraryGateway::opened, this, [this] {
        m_services.runs.setLibrary(m_services.library.path());
        if (m_services.library.readOnly())
            m_notice->showNotice(NoticeLevel::Warning,
                                 tr("This library can only be read: nothing can be trained, changed or deleted here."));
        else if (!m_services.library.notice().isEmpty())
            m_notice->showNotice(NoticeLevel::Info, m_services.library.notice());
    });
    connect(&library, &LibraryGateway::interruptedRunsFound, m_interrupted, &InterruptedBar::showRuns);
    connect(m_interrupted, &InterruptedBar::resumeRequested, this, [this](const QStringList& interrupted) {
        for (const QString& run : interrupted)
            m_services.runs.resumeRun(run);
        showPage(PageId::Live);
    });
    connect(m_interrupted, &InterruptedBar::markStoppedRequested, this, [this](const QStringList& interrupted) {
        const Status status = m_services.library.edit([&](RunStore& store) -> Status {
            for (const QString& run : interrupted)
                ACCUMULUS_TRY(store.setState(run.toStdString(), RunState::Stopped));
            return {};
        });
        if (!status)
            showError(status.error());
    });
    connect(m_interrupted, &InterruptedBar::showRequested, this, [this] {
        m_library->setFilter(QStringLiteral("status:interrupted"));
        showPage(PageId::Library);
    });
}

Page* MainWindow::page(PageId id) const { return static_cast<Page*>(m_stack->widget(static_cast<int>(id))); }

void MainWindow::showPage(PageId id) {
    m_stack->setCurrentIndex(static_cast<int>(id));
    m_rail->setCurrent(static_cast<int>(id));
    page(id)->activated();
    if (id == PageId::Compare)
        m_finished->clear(); // its button leads here
    updateUndo();
}

PageId MainWindow::currentPage() const { return static_cast<PageId>(m_stack->currentIndex()); }

void MainWindow::runDemo() {
    const auto file = resourceFolder("experiments") / "first-comparison.toml";
    const auto experiment = readExperiment(file);
    if (!experiment)
        return showError(experiment.error());
    m_demo = experiment->study;
    startExperiment(*experiment);
}

void MainWindow::startExperiment(const ExperimentConfig& experiment) {
    m_notice->clear();
    m_finished->clear();
    const bool waits = m_services.runs.busy();
    m_services.runs.start(experiment);
    if (waits)
        m_notice->showNotice(NoticeLevel::Info, tr("Added to the queue: it starts when the running study has ended."));
    showPage(PageId::Live);
}

void MainWindow::studyFinished(const QString& study, bool stopped) {
    const bool demo = study == m_demoStudy && !study.isEmpty();
    if (demo)
        m_demoStudy.clear();
    const bool comparable = std::ranges::count(m_services.runs.runs(), Arm::LargeBatch, &RunRecord::arm) > 0;
    // The controller starts the next study after this signal; what follows looks at the state after that.
    QMetaObject::invokeMethod(
        this,
        [this, study, stopped, demo, comparable] {
            updateRunActions();
            if (m_closeWhenIdle) {
                closeWhenIdle();
            } else if (demo && !stopped) {
                m_compare->compareStudy(study);
                showPage(PageId::Compare);
            } else if (!stopped && !study.isEmpty()) {
                m_finishedStudy = study;
                m_finished->showNotice(NoticeLevel::Success, tr("The study is complete."),
                                       comparable ? tr("Compare the arms") : QString());
            }
        },
        Qt::QueuedConnection);
}

void MainWindow::openLibrary() {
    if (m_services.runs.busy()) {
        m_notice->showNotice(NoticeLevel::Warning,
                             tr("A study is running. Stop it, or wait for its end, before you open another library."));
        return;
    }
    const QString folder = QFileInfo(QString::fromStdString(m_services.library.path().string())).absolutePath();
    const QString file = QFileDialog::getOpenFileName(this, tr("Open library"), folder,
                                                      tr("Accumulus libraries (*.sqlite *.db);;All files (*)"));
    if (!file.isEmpty())
        Q_EMIT libraryRequested(file);
}

void MainWindow::showError(const Error& error) { m_notice->showNotice(NoticeLevel::Error, format::error(error)); }

void MainWindow::updateRunActions() {
    const RunState state = m_services.runs.state();
    const bool busy = m_services.runs.busy();
    const bool stopping = state == RunState::Stopping;
    m_actions.pause->setEnabled(busy && !stopping);
    m_actions.pause->setText(state == RunState::Paused ? tr("&Resume") : tr("&Pause"));
    m_actions.stop->setEnabled(busy && !stopping);
    m_actions.stopNow->setEnabled(busy);
    m_actions.openLibrary->setEnabled(!busy);
}

void MainWindow::updateUndo() {
    QUndoStack& stack = m_library->undoStack();
    const bool inSetup = currentPage() == PageId::Setup;
    m_actions.undo->setEnabled(inSetup || stack.canUndo());
    m_actions.redo->setEnabled(inSetup || stack.canRedo());
    m_actions.undo->setText(!inSetup && stack.canUndo() ? tr("&Undo: %1").arg(stack.undoText()) : tr("&Undo"));
    m_actions.redo->setText(!inSetup && stack.canRedo() ? tr("&Redo: %1").arg(stack.redoText()) : tr("&Redo"));
}

void MainWindow::undoOrRedo(bool redo) {
    if (currentPage() == PageId::Setup)
        redo ? m_setup->redo() : m_setup->undo();
    else
        redo ? m_library->undoStack().redo() : m_library->undoStack().undo();
}

void MainWindow::exportSelected() {
    showPage(PageId::Library);
    QMenu menu(this);
    menu.addActions(m_library->exportActions());
    menu.exec(m_library->mapToGlobal(m_library->rect().center()));
}

void MainWindow::reportSelected() {
    for (QAction* action : m_library->runActions())
        if (currentPage() == PageId::Library && action->objectName() == QLatin1String("libraryReport") &&
            action->isEnabled())
            return action->trigger();
    showPage(PageId::Reports);
}

MainWindow::Kept MainWindow::kept() const {
    return {currentPage(), m_setup->experiment(), m_services.runs.currentStudy(), m_demoStudy, m_closeWhenIdle};
}

void MainWindow::takeOver(const Kept& kept) {
    m_setup->setExperiment(kept.experiment);
    m_demoStudy = kept.demoStudy;
    m_closeWhenIdle = kept.closeWhenIdle;
    if (!kept.study.isEmpty() && m_services.library.isOpen())
        m_live->showStudy(kept.study);
    updateRunActions();
    showPage(kept.page);
}

void MainWindow::restoreLayout() {
    resize(defaultSize(*this));
    resizeDocks({m_log}, {logHeight}, Qt::Vertical);
    const QSettings settings;
    restoreGeometry(settings.value(geometryKey).toByteArray());
    restoreState(settings.value(stateKey).toByteArray());
}

void MainWindow::resetLayout() {
    if (isFullScreen() || isMaximized())
        showNormal();
    m_actions.fullScreen->setChecked(false);
    resize(defaultSize(*this));
    m_log->hide();
    m_library->resetLayout();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_services.runs.busy()) {
        event->ignore();
        askBeforeClosing();
        return;
    }
    QSettings settings;
    settings.setValue(geometryKey, saveGeometry());
    settings.setValue(stateKey, saveState());
    QMainWindow::closeEvent(event);
}

void MainWindow::askBeforeClosing() {
    if (findChild<QMessageBox*>(QStringLiteral("closeDialog")))
        return;
    auto* box =
        new QMessageBox(QMessageBox::Question, tr("A study is running"),
                        tr("A study is still training. What do you want to do?"), QMessageBox::NoButton, this);
    box->setObjectName(QStringLiteral("closeDialog"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* keep = box->addButton(tr("Keep running until done"), QMessageBox::ActionRole);
    QPushButton* save = box->addButton(tr("Checkpoint and quit"), QMessageBox::AcceptRole);
    QPushButton* cancel = box->addButton(tr("Cancel"), QMessageBox::RejectRole);
    keep->setObjectName(QStringLiteral("closeKeepRunning"));
    save->setObjectName(QStringLiteral("closeCheckpoint"));
    cancel->setObjectName(QStringLiteral("closeCancel"));
    box->setDefaultButton(save);
    box->setEscapeButton(cancel);
    connect(keep, &QPushButton::clicked, this, [this] {
        m_closeWhenIdle = true;
        m_notice->showNotice(NoticeLevel::Info, tr("The window closes when the last study is complete."));
    });
    connect(save, &QPushButton::clicked, this, &MainWindow::saveAndClose);
    connect(cancel, &QPushButton::clicked, this, [this] { m_closeWhenIdle = false; });
    box->open();
}

void MainWindow::saveAndClose() {
    if (!m_services.runs.busy()) {
        close();
        return;
    }
    m_closeWhenIdle = true;
    m_services.runs.clearQueue();
    m_services.runs.stop();
    m_notice->showNotice(NoticeLevel::Info, tr("Saving a checkpoint; then the window closes."));
}

void MainWindow::closeWhenIdle() {
    if (!m_services.runs.busy())
        close();
}

} // namespace accumulus::ui
