// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_states.h"
#include "widgets/pages/button_action.h"
#include "widgets/pages/live/live_page_impl.h"
#include "widgets/style/format.h"

#include <QKeyEvent>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>
#include <variant>

namespace accumulus::ui {

LivePage::Impl::Impl(LivePage& owner, Services given)
    : page(owner), services(given), stack(new QStackedLayout(&owner)),
      empty(new EmptyState(given.theme, {}, {}, {}, &owner)), notice(new NoticeBar(given.theme)),
      chosenBar(new NoticeBar(given.theme)), recovery(new LiveRecovery(given.theme)),
      header(new LiveHeader(given.theme)), controls(new LiveControls(given.theme)),
      panels(new LivePanels(given.theme, curves)) {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(space::pageMargin, space::l, space::pageMargin, space::l);
    column->setSpacing(space::m);
    column->addWidget(notice);
    column->addWidget(recovery);
    column->addWidget(chosenBar);
    column->addWidget(header);
    column->addWidget(controls);
    column->addWidget(panels, 1);
    notice->setObjectName(QStringLiteral("liveNotice"));
    chosenBar->setObjectName(QStringLiteral("liveChosen"));
    stack->addWidget(empty);
    stack->addWidget(content);
    panels->setAxis(controls->axis());
    panels->setSmoothing(controls->smoothing());
    panels->setLogX(controls->logX());
    panels->setLogY(controls->logY());

    connect(empty, &EmptyState::actionTriggered, &page, &LivePage::setupRequested);
    connect(notice, &NoticeBar::actionTriggered, &page, [this] { load(wanted); });
    connect(chosenBar, &NoticeBar::actionTriggered, &page, [this] { choose({}, {}); });
    connect(recovery, &LiveRecovery::setupRequested, &page, &LivePage::setupOfRequested);
    connect(recovery, &LiveRecovery::smallerPartsRequested, &page, &LivePage::smallerPartsRequested);
    connect(header, &LiveHeader::pauseRequested, &services.runs, &RunController::pause);
    connect(header, &LiveHeader::resumeRequested, &services.runs, &RunController::resume);
    connect(header, &LiveHeader::stopRequested, &services.runs, &RunController::stop);
    connect(header, &LiveHeader::stopNowRequested, &services.runs, &RunController::stopNow);
    connect(header, &LiveHeader::compareRequested, &page,
            [this] { Q_EMIT page.compareRequested(QString::fromStdString(curves.study().id)); });
    connect(controls, &LiveControls::axisChanged, panels, &LivePanels::setAxis);
    connect(controls, &LiveControls::smoothingChanged, panels, &LivePanels::setSmoothing);
    connect(controls, &LiveControls::logXChanged, panels, &LivePanels::setLogX);
    connect(panels, &LivePanels::logXChanged, controls, &LiveControls::showLogX);
    connect(panels, &LivePanels::logYChanged, controls, &LiveControls::showLogY);
    connect(controls, &LiveControls::logYChanged, panels, &LivePanels::setLogY);
    connect(controls, &LiveControls::followChanged, panels, &LivePanels::setFollow);
    connect(panels, &LivePanels::followChanged, controls, &LiveControls::showFollow);
    connect(panels, &LivePanels::runPointedAt, &page, [this](const QString& run) {
        pointedAt = run.toStdString();
        tellInspected();
    });
    connect(&services.runs, &RunController::eventsArrived, &page, [this](const auto& events) { take(events); });
    connect(&services.runs, &RunController::windowProgressed, &page, [this](const WindowProgress& window) {
        if (trainsShownStudy())
            header->setOpenWindow(window);
    });
    connect(&services.runs, &RunController::studyResumed, &page,
            [this](const std::vector<RunRecord>& runs, const QStringList& resumed) {
                progress.resume(runs, resumed);
                if (!runs.empty() && runs.front().study != curves.study().id)
                    load(runs.front().study);
                refreshHeader();
            });
    connect(header, &LiveHeader::resumeStudyRequested, &page, [this] { Q_EMIT page.resumeRequested(unfinished()); });
    connect(&services.runs, &RunController::stateChanged, &page, [this](RunState state) {
        if (state == RunState::Starting) // what was counted is of the study before
            progress = RunProgress();
        refreshHeader();
        showEmptyTexts();
    });
    connect(&services.runs, &RunController::studyFinished, &page, [this] { refreshHeader(); });
    followLibrary();
    connect(&services.library, &LibraryGateway::opened, &page, [this] {
        if (std::exchange(failedLoad, false)) // of the library that was open before
            notice->clear();
        curves.clear();
        wanted.clear();
        endLoading();
        recovery->setFailed({});
        refresh();
        if (page.isVisible())
            page.activated();
    });
    showEmptyTexts();
    refreshHeader();
    showWhatThereIs();
}

void LivePage::Impl::showEmptyTexts() {
    empty->setTexts(
        prepares() ? LivePage::tr("Preparing the study…") : LivePage::tr("No run yet."),
        LivePage::tr("The curves of a training run appear here while it runs: loss, accuracy, gradient norm, "
                     "learning rate and speed, both arms of a pair in one picture."),
        prepares() ? QString() : LivePage::tr("Set up a run"));
}

bool LivePage::Impl::trainsShownStudy() const {
    return services.runs.busy() && !curves.empty() && services.runs.currentStudy().toStdString() == curves.study().id;
}

bool LivePage::Impl::prepares() const { return services.runs.busy() && services.runs.currentStudy().isEmpty(); }

QStringList LivePage::Impl::unfinished() const {
    QStringList found;
    for (const RunCurves& curves_ : curves.runs())
        if (canResume(curves_.run) && curves_.run.state != RunState::Failed)
            found << QString::fromStdString(curves_.run.id);
    return found;
}

void LivePage::Impl::setRunState(const std::string& run, RunState state) {
    if (RunCurves* known = curves.find(run))
        known->run.state = state;
}

void LivePage::Impl::forgetOther(const std::string& study) {
    if (study == curves.study().id)
        return;
    notice->clear();
    recovery->keepOnly(study);
    panels->forgetZoom();
    if (study != chosenOf)
        choose({}, {});
}

/// Before its curves are there, or while they are.
void LivePage::Impl::choose(const std::string& study, const QStringList& runs) {
    chosenOf = study;
    panels->setChosen({runs.begin(), runs.end()});
    if (runs.isEmpty())
        return chosenBar->clear();
    chosenBar->showNotice(NoticeLevel::Info,
                          LivePage::tr("%n run(s) chosen in the Library drawn in full, the others as thin lines.",
                                       nullptr, static_cast<int>(runs.size())),
                          LivePage::tr("Show all as usual"));
}

void LivePage::Impl::load(const std::string& study) {
    wanted = study;
    if (std::exchange(failedLoad, false))
        notice->clear();
    if (study.empty() || !services.library.isOpen()) // one that is prepared has no name yet
        return;
    if (std::exchange(loading, study) != study)
        held.clear();
    services.library.query<LoadedStudy>(
        &page, QStringLiteral("live"), [study](RunReader& reader) { return loadStudy(reader, study); },
        [this, study](LoadedStudy loaded) {
            if (study == wanted) // else another one was asked for meanwhile
                install(std::move(loaded));
        },
        [this, study](const Error& error) {
            if (study != wanted || error.code == "library.cancelled")
                return;
            endLoading();
            showFailedLoad(error);
        });
}

void LivePage::Impl::install(LoadedStudy loaded) {
    const std::vector<RunEvent> missed = std::exchange(held, {});
    endLoading();
    forgetOther(loaded.study.id.empty() ? curves.study().id : loaded.study.id);
    if (loaded.error)
        showFailedLoad(*loaded.error);
    if (loaded.study.id.empty())
        return;
    if (const auto before = std::exchange(kept, std::nullopt); before && before->study == loaded.study.id) {
        panels->setViewpoints(before->viewpoints);
        if (before->told && notice->isHidden())
            tell(*before->told);
    }
    curves.install(std::move(loaded));
    for (const RunEvent& event : missed) // what was read already is not taken twice
        std::visit([this](const auto& happened) { handle(happened); }, event);
    refresh();
}

void LivePage::Impl::endLoading() {
    loading.clear();
    held.clear();
}

/// Tried again at a click, and when the page is shown again.
void LivePage::Impl::showFailedLoad(const Error& error) {
    failedLoad = true;
    told.reset();
    notice->showNotice(NoticeLevel::Error, format::error(error), LivePage::tr("Try again"));
    showWhatThereIs();
}

void LivePage::Impl::showWhatThereIs() {
    header->setVisible(!curves.empty()); // it would name no study and call it complete
    stack->setCurrentIndex(curves.empty() && !failedLoad ? 0 : 1);
}

void LivePage::Impl::refresh() {
    panels->rebuild();
    refreshHeader();
    showWhatThereIs();
}

QString LivePage::Impl::inspected() const {
    const RunCurves* pointed = curves.find(pointedAt); // of another study perhaps
    const RunCurves* shown = pointed ? pointed : curves.current();
    return shown ? QString::fromStdString(shown->run.id) : QString();
}

void LivePage::Impl::tellInspected() {
    const QString run = inspected();
    if (std::exchange(toldRun, run) != run)
        Q_EMIT page.inspectedRunChanged();
}

void LivePage::Impl::refreshHeader() {
    tellInspected();
    if (curves.empty())
        return;
    const std::vector<RunCurves>& runs = curves.runs();
    const auto has = [&](Arm arm) {
        return std::any_of(runs.begin(), runs.end(),
                           [arm](const RunCurves& run) { return run.run.arm == arm && !run.run.trashed; });
    };
    const RunCurves* current = curves.current();
    const bool active = trainsShownStudy();
    header->setStudy(format::fromUtf8(curves.study().name), has(Arm::Accumulated) && has(Arm::LargeBatch));
    RunState state = current ? current->run.state : RunState::Queued;
    if (active)
        state = services.runs.state();
    header->setState(state, active);
    std::size_t number = 0;
    std::vector<const RunRecord*> all, unended;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (&runs[i] == current)
            number = i + 1;
        all.push_back(&runs[i].run);
        if (runs[i].run.state != RunState::Completed)
            unended.push_back(&runs[i].run);
    }
    header->setRun(current ? &current->run : nullptr, number, runs.size());
    if (current)
        controls->setWindowSamples(current->run.batch.effective);
    header->setUnfinished(active || prepares() || services.library.readOnly() ? 0
                                                                              : static_cast<int>(unfinished().size()));
    if (active) {
        header->setProgress(progress);
        header->setOpenWindow(services.runs.openWindow());
        return;
    }
    const auto done = static_cast<qint64>(all.size() - unended.size());
    QString note = LivePage::tr("%1 of %2 runs completed")
                       .arg(format::count(done), format::count(static_cast<qint64>(all.size())));
    if (!unended.empty())
        note = LivePage::tr("%1, %2", "runs completed, and where the others stand").arg(note, stateCounts(unended));
    header->setFinished(current ? current->run.summary.updates : 0, current ? current->run.totalUpdates : 0,
                        trainedShare(all), note);
}

LivePage::LivePage(Services services, QWidget* parent) : Page(parent), m_impl(std::make_unique<Impl>(*this, services)) {
    setObjectName(QStringLiteral("livePage"));
    m_menus.runs << pressing(*this, "liveCompare", tr("Compare the arms of the study shown"))
                 << pressing(*this, "liveResumeStudy", tr("Resume the study shown"));
}

LivePage::~LivePage() = default;

void LivePage::activated() {
    if (m_impl->failedLoad) {
        m_impl->load(m_impl->wanted);
        return;
    }
    m_impl->readRuns();
    if (!m_impl->curves.empty() || !m_impl->wanted.empty())
        return;
    if (m_impl->services.runs.busy()) {
        m_impl->load(m_impl->services.runs.currentStudy().toStdString());
        return;
    }
    if (!m_impl->services.library.isOpen())
        return;
    // Nothing ran since the start: the newest study is more use than an empty page.
    if (const auto studies = m_impl->services.library.reader().studies(); studies && !studies->empty()) {
        const auto newest =
            std::max_element(studies->begin(), studies->end(),
                             [](const StudyRecord& a, const StudyRecord& b) { return a.createdAt < b.createdAt; });
        m_impl->load(newest->id);
    }
}

namespace {
struct LiveState {
    QString study;
    QStringList chosen; ///< runs of it
    QString pointedAt;  ///< run of it
    RunProgress progress;
    FailedRuns failed;
    QByteArray columns;
    std::vector<PlotViewpoint> viewpoints;
    std::optional<std::pair<std::string, Message>> told; ///< level and words of the notice
};
} // namespace

QVariant LivePage::state() const {
    LiveState now{m_impl->curves.empty() ? QString() : QString::fromStdString(m_impl->curves.study().id),
                  m_impl->panels->chosen().values(),
                  QString::fromStdString(m_impl->pointedAt),
                  m_impl->progress,
                  m_impl->recovery->failed(),
                  m_impl->panels->columns(),
                  m_impl->panels->viewpoints(),
                  {}};
    const bool waits = m_impl->kept.has_value(); // for the study that an earlier window showed
    if (waits) {
        now.study = QString::fromStdString(m_impl->kept->study);
        now.viewpoints = m_impl->kept->viewpoints;
    }
    if (const auto& told = waits ? m_impl->kept->told : m_impl->told; told && (waits || !m_impl->notice->isHidden()))
        now.told = {told->level, told->message};
    return QVariant::fromValue(now);
}

void LivePage::setState(const QVariant& state) {
    const auto kept = state.value<LiveState>();
    m_impl->progress = kept.progress;
    m_impl->pointedAt = kept.pointedAt.toStdString();
    m_impl->recovery->setFailed(kept.failed);
    m_impl->panels->setColumns(kept.columns);
    if (kept.study.isEmpty() || !m_impl->services.library.isOpen())
        return;
    m_impl->kept = Impl::Kept{kept.study.toStdString(), kept.viewpoints, {}};
    if (kept.told)
        m_impl->kept->told = Impl::Told{kept.told->first, kept.told->second};
    showStudy(kept.study, kept.chosen);
}

void LivePage::resetLayout() { m_impl->panels->resetColumns(); }

std::optional<QString> LivePage::inspectedRun() const { return m_impl->inspected(); }

double LivePage::studyFraction() const { return m_impl->progress.fraction(); }

void LivePage::showStudy(const QString& study, const QStringList& runs) {
    m_impl->choose(study.toStdString(), runs);
    m_impl->load(study.toStdString());
}

void LivePage::keyPressEvent(QKeyEvent* event) {
    // Plots do not use these two and pass them on.
    if (event->modifiers() == Qt::NoModifier && event->key() == Qt::Key_X)
        m_impl->controls->cycleAxis();
    else if (event->modifiers() == Qt::NoModifier && event->key() == Qt::Key_S)
        m_impl->controls->focusSmoothing();
    else
        Page::keyPressEvent(event);
}

} // namespace accumulus::ui
