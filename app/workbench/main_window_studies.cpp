// SPDX-License-Identifier: GPL-3.0-or-later
// Studies that the window starts, resumes and sees end.
#include "app/workbench/examples_dialog.h"
#include "app/workbench/interrupted_bar.h"
#include "app/workbench/main_window.h"
#include "app/workbench/page_focus.h"
#include "core/config/experiment_file.h"
#include "core/run/program.h"
#include "widgets/pages/library_session.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"

#include <QSettings>
#include <algorithm>
#include <utility>

namespace accumulus::ui {
namespace {

/// Study that was left with a checkpoint when the window was closed: its library's file and its id.
const QString leftStudyKey = QStringLiteral("window/leftStudy");

QStringList unfinishedOf(std::vector<RunRecord> runs) {
    sortAsTrained(runs);
    QStringList found;
    for (const RunRecord& run : runs)
        if (canResume(run) && run.state != RunState::Failed)
            found << QString::fromStdString(run.id);
    return found;
}

} // namespace

void MainWindow::runDemo() {
    const auto file = resourceFolder("experiments") / "first-comparison.toml";
    const auto experiment = readExperiment(file);
    if (!experiment)
        return showError(experiment.error());
    m_demo = experiment->study;
    startExperiment(*experiment);
}

void MainWindow::openExample() {
    auto* dialog = findChild<ExamplesDialog*>();
    if (!dialog) {
        dialog = new ExamplesDialog(m_services.theme, resourceFolder("experiments"), this);
        connect(dialog, &ExamplesDialog::chosen, this, [this](const QString& file) { bringFiles({file}); });
    }
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

void MainWindow::bringFiles(const QStringList& files) { Q_EMIT m_navigator.filesBrought(files); }

void MainWindow::startExperiment(const ExperimentConfig& experiment) {
    begin([&] { m_services.runs.start(experiment); });
}

void MainWindow::begin(const std::function<void()>& start) {
    if (!mayWrite())
        return;
    m_notice->clear();
    m_finished->clear();
    const bool waits = m_services.runs.busy() || m_services.runs.held();
    start();
    if (waits)
        tellQueued();
    Q_EMIT m_navigator.curvesRequested({});
}

void MainWindow::resumeRuns(const QStringList& runs) {
    if (!mayWrite())
        return;
    if (runs == m_offered) {
        m_interruptedRuns.clear();
        m_leftRuns.clear();
        offerRuns();
    }
    const QStringList there = notInTrash(runs);
    begin([&] { m_services.runs.resumeRuns(there.isEmpty() ? runs : there); }); // which says why not
}

QStringList MainWindow::notInTrash(const QStringList& runs) {
    QStringList there;
    for (const QString& id : runs)
        if (const auto run = m_services.library.reader().run(id.toStdString()); run && !run->trashed)
            there << id;
    return there;
}

void MainWindow::offerAgain() {
    if (!m_services.library.isOpen())
        return;
    if (!m_interrupted->isHidden() && notInTrash(m_offered) != m_offered)
        offerRuns();
    if (m_end && !m_end->unfinished.isEmpty() && !m_finished->isHidden() &&
        m_endOffers == notInTrash(m_end->unfinished).isEmpty())
        showEnd(StudyEnd(*m_end));
    if (m_stop && !m_stopped->isHidden() && m_stopOffers == notInTrash(m_stop->unfinished).isEmpty())
        showStop(StudyEnd(*m_stop));
}

/// At the start the first offer has the keyboard, unless a person has put it into the page already.
void MainWindow::offerRuns() {
    QStringList runs = m_leftRuns + m_interruptedRuns;
    runs.removeDuplicates();
    runs = notInTrash(runs);
    m_offered = runs;
    if (runs.isEmpty())
        return m_interrupted->clear();
    int notStarted = 0;
    for (const QString& id : std::as_const(runs))
        if (const auto run = m_services.library.reader().run(id.toStdString()); run && neverStarted(*run))
            ++notStarted;
    m_interrupted->showRuns(runs, notStarted);
    if (std::exchange(m_firstOffer, false) && m_services.runs.currentStudy().isEmpty() && m_focus->isFree())
        m_interrupted->focusResume();
}

void MainWindow::showOffered(const QStringList& runs) {
    QStringList filter{QStringLiteral("status:interrupted")};
    for (const QString& id : runs)
        if (const auto run = m_services.library.reader().run(id.toStdString());
            run && run->state == RunState::Stopped) {
            filter << QStringLiteral("status:stopped");
            break;
        }
    Q_EMIT m_navigator.runsRequested(filter.join(QStringLiteral(" OR ")));
}

void MainWindow::showLog(const QStringList& runs) {
    showOffered(runs);
    const auto begun = std::ranges::find_if(runs, [this](const QString& id) {
        const auto run = m_services.library.reader().run(id.toStdString());
        return run && !neverStarted(*run);
    });
    if (begun != runs.end())
        Q_EMIT m_navigator.runEventsRequested(*begun);
}

void MainWindow::rememberStudyThatIsLeft() {
    if (!m_services.runs.isElsewhere() && !m_services.runs.currentStudy().isEmpty())
        QSettings().setValue(leftStudyKey, QStringList{QString::fromStdString(m_services.library.path().string()),
                                                       m_services.runs.currentStudy()});
}

void MainWindow::offerStudyThatWasLeft() {
    QSettings settings;
    const QStringList left = settings.value(leftStudyKey).toStringList();
    const LibraryGateway& library = m_services.library;
    if (left.size() != 2 || left[0] != QString::fromStdString(library.path().string()) || library.readOnly())
        return; // a later start may offer it
    settings.remove(leftStudyKey);
    if (const auto runs = m_services.library.reader().runs({.trashed = false, .study = left[1].toStdString()})) {
        m_leftRuns = unfinishedOf(*runs);
        offerRuns();
    }
}

void MainWindow::studyFinished(const QString& study, bool stopped) {
    const std::vector<RunRecord>& runs = m_services.runs.runs();
    StudyEnd end;
    if (!study.isEmpty() && study == m_demoStudy) {
        m_demoStudy.clear();
        for (const RunRecord& run : runs)
            end.demo << QString::fromStdString(run.id);
    }
    end.study = study;
    const auto last = std::ranges::find(runs, m_services.runs.currentRun().toStdString(), &RunRecord::id);
    end.last = last == runs.end() ? 1 : static_cast<int>(last - runs.begin()) + 1;
    if (const auto record = m_services.library.reader().study(study.toStdString()))
        end.name = QString::fromStdString(record->name);
    const bool byPerson = stopped && last != runs.end() && last->state == RunState::Stopped; // it did not fail
    end.comparable = std::ranges::count(runs, Arm::LargeBatch, &RunRecord::arm) > 0;
    end.runs = static_cast<int>(runs.size());
    end.completed = static_cast<int>(std::ranges::count(runs, RunState::Completed, &RunRecord::state));
    end.unfinished = unfinishedOf(runs);
    // The controller starts the next study after this signal; what follows looks at the state after that.
    QMetaObject::invokeMethod(
        this,
        [this, end, stopped, byPerson]() mutable {
            updateRunActions();
            if (!m_services.runs.busy())
                m_services.library.lookForUnfinished();
            closeWhenIdle();
            if (m_closeWhenIdle)
                return;
            if (byPerson && !end.unfinished.isEmpty())
                showStop(end);
            if (stopped || end.study.isEmpty())
                return;
            const bool follows = !end.demo.isEmpty() && currentPage() == QLatin1String("live"); // nobody has moved on
            if (follows)
                Q_EMIT m_navigator.studyComparisonRequested(end.study);
            if (!follows || end.completed < end.runs)
                end.demo.clear();
            showEnd(end);
        },
        Qt::QueuedConnection);
}

void MainWindow::showEnd(const StudyEnd& end) {
    m_end = end;
    m_demoCompared = false;
    if (!end.demo.isEmpty()) {
        m_finished->showNotice(
            NoticeLevel::Info,
            tr("For each seed the demo trained the same network twice, from the same weights and with the same samples "
               "in each update: as accumulated micro-batches, and as one large batch. The verdict says whether the "
               "results of the two differ by more than the margin that was fixed before the start."));
        Q_EMIT m_navigator.comparedGroupsWanted();
        return;
    }
    if (end.completed == end.runs) {
        m_end->unfinished.clear();
        m_finished->showNotice(NoticeLevel::Success, tr("“%1” is complete.").arg(end.name),
                               end.comparable ? tr("Compare arms") : QString());
        return;
    }
    m_endOffers = !notInTrash(end.unfinished).isEmpty();
    m_finished->showNotice(NoticeLevel::Info,
                           tr("%1 of %2 runs of “%3” are complete.").arg(end.completed).arg(end.runs).arg(end.name),
                           m_endOffers ? tr("Resume the others") : QString());
}

/// Says it although Live shows it, too: the next study of the queue may have taken its place there.
void MainWindow::showStop(const StudyEnd& end) {
    m_stop = end;
    m_stopOffers = !notInTrash(end.unfinished).isEmpty();
    m_stopped->showNotice(NoticeLevel::Info,
                          end.runs == 1 ? tr("“%1” was stopped.").arg(end.name)
                                        : tr("“%1” was stopped in run %2 of %3.")
                                              .arg(end.name, QString::number(end.last), QString::number(end.runs)),
                          m_stopOffers ? tr("Resume") : QString());
}

void MainWindow::forgetStop() {
    m_stop.reset();
    m_stopped->clear();
}

void MainWindow::connectNotices() {
    connect(&m_services.session.reports, &ReportSaver::finished, this, [this](const SavedReport& report) {
        if (!report.status)
            stayOpenFor(report.status.error());
    });
    connect(&m_services.library, &LibraryGateway::jobFailed, this, &MainWindow::stayOpenFor);
    connect(m_notice, &NoticeBar::actionTriggered, this, [this] {
        m_notice->clear();
        if (const auto does = std::exchange(m_noticeAction, {}))
            does();
    });
    connect(m_finished, &NoticeBar::actionTriggered, this, [this] {
        m_finished->clear();
        const StudyEnd end = m_end.value_or(StudyEnd{});
        if (end.unfinished.isEmpty())
            Q_EMIT m_navigator.studyComparisonRequested(end.study);
        else
            resumeRuns(end.unfinished);
    });
    connect(m_stopped, &NoticeBar::actionTriggered, this, [this] {
        const StudyEnd stop = m_stop.value_or(StudyEnd{});
        if (mayWrite()) {
            forgetStop();
            resumeRuns(stop.unfinished);
        }
    });
    connect(&m_services.runs, &RunController::studyResumed, this, [this](const std::vector<RunRecord>& runs) {
        if (m_stop && !runs.empty() && runs.front().study == m_stop->study.toStdString())
            forgetStop();
    });
}

/// The explanation of the demo goes with the next comparison.
void MainWindow::comparisonChanged(const QList<QStringList>& groups) {
    if (!m_end || m_end->demo.isEmpty())
        return;
    const auto ofDemo = [this](const QString& run) { return m_end->demo.contains(run); };
    const auto allOfDemo = [&](const QStringList& group) { return std::ranges::all_of(group, ofDemo); };
    if (!groups.isEmpty() && std::ranges::all_of(groups, allOfDemo)) {
        m_demoCompared = true;
    } else if (std::exchange(m_demoCompared, false)) { // else the demo is still on its way there
        m_finished->clear();
        m_end.reset();
    }
}

} // namespace accumulus::ui
