// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/page_table.h"

#include "widgets/models/config_form.h"
#include "widgets/pages/audit/audit_page.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/home/home_page.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/pages/planner/planner_page.h"
#include "widgets/pages/reports/reports_page.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/style/format.h"

#include <QAction>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QMenu>
#include <QPushButton>
#include <algorithm>
#include <memory>
#include <string_view>

namespace accumulus::ui {
namespace {

/// A button of a page that does what an action of the window does: the search lists the action only.
void does(const Page& page, const char* button, QAction* action) {
    page.findChild<QPushButton*>(QLatin1String(button))->addAction(action);
}

QAction* showing(const WindowActions& actions, const char* page) {
    const auto& table = pageTable();
    const auto found = std::ranges::find(table, std::string_view(page), &PageEntry::id);
    return actions.pages[found - table.begin()];
}

Page* makeHome(const Services& services, Navigator& to, const WindowActions& actions) {
    auto* page = new HomePage(services);
    does(*page, "homeDemoButton", actions.demo);
    does(*page, "homeSetupButton", showing(actions, "setup"));
    does(*page, "homeExamplesButton", actions.examples);
    does(*page, "homeOpenLibraryButton", actions.openLibrary);
    QObject::connect(page, &HomePage::demoRequested, &to, &Navigator::demoRequested);
    QObject::connect(page, &HomePage::setupRequested, &to, &Navigator::setupRequested);
    QObject::connect(page, &HomePage::examplesRequested, &to, &Navigator::examplesRequested);
    QObject::connect(page, &HomePage::openLibraryRequested, &to, &Navigator::openLibraryRequested);
    QObject::connect(page, &HomePage::filesBrought, &to, &Navigator::filesBrought);
    QObject::connect(page, &HomePage::studyRequested, &to, &Navigator::curvesRequested);
    QObject::connect(page, &HomePage::deviceInspected, &to, &Navigator::deviceInspected);
    return page;
}

Page* makeSetup(const Services& services, Navigator& to, const WindowActions& actions) {
    auto* page = new SetupPage(services);
    does(*page, "setup.start", actions.start);
    does(*page, "setup.enqueue", actions.enqueue);
    does(*page, "setup.copy", actions.copyCommand);
    const auto show = [page, &to](const ExperimentConfig& experiment) {
        page->setExperiment(experiment);
        to.show(page);
    };
    QObject::connect(page, &SetupPage::startRequested, &to, &Navigator::startRequested);
    QObject::connect(page, &SetupPage::queueRequested, &to, &Navigator::queueRequested);
    QObject::connect(page, &SetupPage::startElsewhereRequested, &to, &Navigator::startElsewhereRequested);
    QObject::connect(page, &SetupPage::auditRequested, &to, &Navigator::setupAuditRequested);
    QObject::connect(&to, &Navigator::setupAsked, page, [page, &to] { Q_EMIT to.setupTold(page->experiment()); });
    QObject::connect(&to, &Navigator::setupRequested, page, [page, &to] { to.show(page); });
    QObject::connect(&to, &Navigator::settingRequested, page, [page, &to](const QString& key) {
        to.show(page);
        page->focusSetting(key);
    });
    QObject::connect(&to, &Navigator::sessionBegan, page, &SetupPage::beginSession);
    QObject::connect(&to, &Navigator::setupOfRequested, page, show);
    QObject::connect(&to, &Navigator::newFromRunRequested, page, [page, &to](const ExperimentConfig& experiment) {
        page->startFrom({experiment, FormStart::From::Run, format::fromUtf8(experiment.study.name)});
        to.show(page);
    });
    QObject::connect(&to, &Navigator::filesBrought, page, [page, &to](const QStringList& files) {
        to.show(page);
        page->openFiles(files);
    });
    QObject::connect(page, &SetupPage::openLibraryRequested, &to, &Navigator::libraryBrought);
    QObject::connect(page, &SetupPage::experimentChanged, &to, &Navigator::setupChanged);
    QObject::connect(page, &SetupPage::planRequested, &to, [page, &to] {
        Q_EMIT to.setupChanged(page->experiment());
        Q_EMIT to.planRequested();
    });
    QObject::connect(&to, &Navigator::setupWanted, page, [page, &to] { Q_EMIT to.setupChanged(page->experiment()); });
    QObject::connect(&to, &Navigator::microBatchChosen, page, [page, &to](qint64 micro, qint64 steps) {
        page->useMicroBatch(micro, steps);
        to.show(page);
    });
    QObject::connect(actions.newSetup, &QAction::triggered, page, [show] { show(newExperiment()); });
    QObject::connect(actions.copyCommand, &QAction::triggered, page, &SetupPage::copyCommand);
    const auto started = std::make_shared<QElapsedTimer>();
    QObject::connect(page, &SetupPage::startRequested, page, [started] { started->start(); });
    QObject::connect(actions.start, &QAction::triggered, page, [page, &to, started] {
        constexpr int twice = 1000; // ms
        if (to.current() == page)
            page->start();
        else if (!started->isValid() || started->elapsed() > twice) // else the key was pressed twice
            to.show(page);                                          // never a start of something that cannot be seen
    });
    QObject::connect(actions.enqueue, &QAction::triggered, page, [page, &to] {
        if (to.current() == page)
            page->enqueue();
        else
            to.show(page);
    });
    return page;
}

Page* makeLive(const Services& services, Navigator& to, const WindowActions& actions) {
    auto* page = new LivePage(services);
    does(*page, "livePause", actions.pause);
    does(*page, "liveStop", actions.stop);
    does(*page, "liveStopNow", actions.stopNow);
    QObject::connect(page, &LivePage::setupRequested, &to, &Navigator::setupRequested);
    QObject::connect(page, &LivePage::compareRequested, &to, &Navigator::studyComparisonRequested);
    QObject::connect(page, &LivePage::resumeRequested, &to, &Navigator::resumeRequested);
    QObject::connect(page, &LivePage::setupOfRequested, &to, &Navigator::setupOfRequested);
    QObject::connect(page, &LivePage::smallerPartsRequested, &to, &Navigator::smallerPartsRequested);
    QObject::connect(&to, &Navigator::curvesRequested, page, [page, &to](const QString& study) {
        if (!study.isEmpty())
            page->showStudy(study);
        to.show(page);
    });
    QObject::connect(&to, &Navigator::runCurvesRequested, page,
                     [page, &to](const QString& study, const QStringList& runs) {
                         page->showStudy(study, runs);
                         to.show(page);
                     });
    return page;
}

Page* makeCompare(const Services& services, Navigator& to, const WindowActions&) {
    auto* page = new ComparePage(services);
    QObject::connect(page, &ComparePage::setupRequested, &to, &Navigator::setupRequested);
    QObject::connect(page, &ComparePage::moreSeedsRequested, &to, &Navigator::startRequested);
    QObject::connect(page, &ComparePage::reportRequested, &to, &Navigator::comparisonReportRequested);
    QObject::connect(&to, &Navigator::studyComparisonRequested, page, [page, &to](const QString& study) {
        page->compareStudy(study);
        to.show(page);
    });
    QObject::connect(&to, &Navigator::comparisonRequested, page,
                     [page, &to](const QStringList& groupA, const QStringList& groupB) {
                         page->compareGroups(groupA, groupB);
                         to.show(page);
                     });
    QObject::connect(&to, &Navigator::groupRequested, page, [page, &to](const QStringList& runs) {
        page->addGroup(runs);
        to.show(page);
    });
    QObject::connect(page, &ComparePage::comparedGroupsChanged, &to, &Navigator::comparedGroupsTold);
    QObject::connect(&to, &Navigator::comparedGroupsWanted, page,
                     [page, &to] { Q_EMIT to.comparedGroupsTold(page->comparedGroups()); });
    QObject::connect(&to, &Navigator::shown, page, [page, &to](const Page* shown) {
        if (shown == page)
            Q_EMIT to.comparisonShown();
    });
    return page;
}

/// The report of the selected run, while the page with the selection is in front.
void reportSelected(const LibraryPage& page, Navigator& to) {
    const QList<QAction*> actions = page.runActions();
    const auto report = std::ranges::find_if(
        actions, [](const QAction* action) { return action->objectName() == QLatin1String("libraryReport"); });
    if (to.current() == &page && report != actions.end() && (*report)->isEnabled())
        (*report)->trigger();
    else
        Q_EMIT to.reportsRequested();
}

Page* makeLibrary(const Services& services, Navigator& to, const WindowActions& actions) {
    auto* page = new LibraryPage(services);
    QObject::connect(page, &LibraryPage::setupRequested, &to, &Navigator::setupRequested);
    QObject::connect(page, &LibraryPage::newFromRunRequested, &to, &Navigator::newFromRunRequested);
    QObject::connect(page, &LibraryPage::resumeRequested, &to, &Navigator::resumeRequested);
    QObject::connect(page, &LibraryPage::compareRequested, &to, &Navigator::comparisonRequested);
    QObject::connect(page, &LibraryPage::groupRequested, &to, &Navigator::groupRequested);
    QObject::connect(&to, &Navigator::comparedGroupsTold, page, &LibraryPage::setComparedGroups);
    Q_EMIT to.comparedGroupsWanted(); // Compare comes before this page
    QObject::connect(page, &LibraryPage::showCurvesRequested, &to, &Navigator::runCurvesRequested);
    QObject::connect(page, &LibraryPage::reportRequested, &to, &Navigator::runReportRequested);
    QObject::connect(page, &LibraryPage::comparisonReportRequested, &to,
                     [&to](const QStringList& groupA, const QStringList& groupB) {
                         ComparisonRequest request;
                         request.groupA = groupA;
                         request.groupB = groupB;
                         Q_EMIT to.comparisonReportRequested(request);
                     });
    QObject::connect(page, &LibraryPage::auditRequested, &to, &Navigator::runAuditRequested);
    QObject::connect(&to, &Navigator::runsRequested, page, [page, &to](const QString& filter) {
        page->setFilter(filter);
        to.show(page);
    });
    QObject::connect(&to, &Navigator::runEventsRequested, page, [page, &to](const QString& run) {
        page->showEvents(run);
        to.show(page);
    });
    QObject::connect(actions.filterRuns, &QAction::triggered, page, [page, &to] {
        to.show(page);
        page->focusFilter();
    });
    QObject::connect(actions.importRuns, &QAction::triggered, page, [page, &to] {
        to.show(page);
        page->importRuns();
    });
    QObject::connect(actions.exportRuns, &QAction::triggered, page, [page, &to] {
        to.show(page);
        QMenu menu(page);
        menu.addActions(page->exportActions());
        menu.exec(page->mapToGlobal(page->rect().center()));
    });
    QObject::connect(actions.report, &QAction::triggered, page, [page, &to] { reportSelected(*page, to); });
    return page;
}

Page* makeAudit(const Services& services, Navigator& to, const WindowActions&) {
    auto* page = new AuditPage(services);
    QObject::connect(page, &AuditPage::setupWanted, &to, &Navigator::setupAsked);
    QObject::connect(&to, &Navigator::setupTold, page, &AuditPage::setSetup);
    QObject::connect(&to, &Navigator::setupAuditRequested, page, [page, &to](const ExperimentConfig& experiment) {
        to.show(page);
        page->auditSetup(experiment);
    });
    QObject::connect(page, &AuditPage::reportRequested, &to, &Navigator::auditReportRequested);
    QObject::connect(&to, &Navigator::runAuditRequested, page, [page, &to](const QString& run) {
        page->chooseRun(run);
        to.show(page);
    });
    return page;
}

Page* makePlanner(const Services& services, Navigator& to, const WindowActions& actions) {
    auto* page = new PlannerPage(services);
    does(*page, "plannerChange", showing(actions, "setup"));
    QObject::connect(page, &PlannerPage::experimentWanted, &to, &Navigator::setupWanted);
    QObject::connect(page, &PlannerPage::setupRequested, &to, &Navigator::setupRequested);
    QObject::connect(page, &PlannerPage::settingRequested, &to, &Navigator::settingRequested);
    QObject::connect(page, &PlannerPage::microBatchChosen, &to, &Navigator::microBatchChosen);
    QObject::connect(&to, &Navigator::setupChanged, page, &PlannerPage::setExperiment);
    QObject::connect(&to, &Navigator::planRequested, page, [page, &to] {
        to.show(page);
        page->start();
    });
    return page;
}

Page* makeReports(const Services& services, Navigator& to, const WindowActions&) {
    auto* page = new ReportsPage(services);
    QObject::connect(page, &ReportsPage::setupRequested, &to, &Navigator::setupRequested);
    QObject::connect(&to, &Navigator::reportsRequested, page, [page, &to] { to.show(page); });
    QObject::connect(&to, &Navigator::runReportRequested, page, [page, &to](const QString& run) {
        page->showRun(run);
        to.show(page);
    });
    QObject::connect(&to, &Navigator::auditReportRequested, page,
                     [page, &to](const QString& audit, const QString& title) {
                         page->showAudit(audit, title);
                         to.show(page);
                     });
    QObject::connect(&to, &Navigator::comparisonReportRequested, page, [page, &to](const ComparisonRequest& request) {
        page->showComparison(request);
        to.show(page);
    });
    return page;
}

constexpr auto context = "accumulus::ui::Menu";

} // namespace

const std::vector<PageEntry>& pageTable() {
    static const std::vector<PageEntry> table{
        {"home", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Home"), "home", "Ctrl+1",
         QT_TRANSLATE_NOOP(
             "accumulus::ui::Menu",
             "F1 opens the manual at the current page, ? lists the keys, and Ctrl+K finds any action by name."),
         makeHome},
        {"setup", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Set up"), "setup", "Ctrl+2",
         QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Type two of micro-batch, accumulation steps and effective batch; "
                                                  "the Computed menu chooses which one is derived."),
         makeSetup},
        {"live", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Live"), "live", "Ctrl+3",
         QT_TRANSLATE_NOOP("accumulus::ui::Menu", "In a plot the wheel zooms, dragging moves, a double click fits, and "
                                                  "X changes the axis; the others follow."),
         makeLive},
        {"compare", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Compare"), "compare", "Ctrl+4",
         QT_TRANSLATE_NOOP("accumulus::ui::Menu", "The margin counts as fixed when it was set before the results; one "
                                                  "that is changed later is marked as such."),
         makeCompare},
        {"library", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Library"), "library", "Ctrl+5",
         QT_TRANSLATE_NOOP("accumulus::ui::Menu",
                           "The filter line takes conditions such as B>=256 or status:completed, and "
                           "the Edit menu undoes what was changed here."),
         makeLibrary},
        {"audit", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Audit"), "audit", "Ctrl+6",
         QT_TRANSLATE_NOOP("accumulus::ui::Menu", "An audit trains nothing: at fixed weights it compares the "
                                                  "accumulated gradient with that of the large batch."),
         makeAudit},
        {"planner", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Planner"), "planner", "Ctrl+7",
         QT_TRANSLATE_NOOP(
             "accumulus::ui::Menu",
             "Each size is tried in its own process, so one that runs out of memory affects nothing else."),
         makePlanner},
        {"reports", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Reports"), "reports", "Ctrl+8",
         QT_TRANSLATE_NOOP("accumulus::ui::Menu",
                           "A report has its own language and always light colours, whatever the window looks like."),
         makeReports},
    };
    return table;
}

QString pageTitle(const PageEntry& entry) { return QCoreApplication::translate(context, entry.title); }

QString pageHint(const PageEntry& entry) { return QCoreApplication::translate(context, entry.hint); }

} // namespace accumulus::ui
