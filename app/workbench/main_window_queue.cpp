// SPDX-License-Identifier: GPL-3.0-or-later
// The queue in the window: its dock, its actions, and what is said when an earlier session left something in it.
#include "app/workbench/end_notifier.h"
#include "app/workbench/log_dock.h"
#include "app/workbench/main_window.h"
#include "app/workbench/queue_dock.h"
#include "app/workbench/status_line.h"
#include "widgets/style/controls.h"

#include <QAction>
#include <QChildEvent>
#include <QTabBar>
#include <utility>

namespace accumulus::ui {

void MainWindow::createQueue() {
    m_queue = new QueueDock(m_services, *m_edits, this);
    addDockWidget(Qt::BottomDockWidgetArea, m_queue);
    tabifyDockWidget(m_log, m_queue);
    m_queue->hide();
    StudyQueue& queue = m_services.runs.queue();
    connect(&queue, &StudyQueue::changed, this, &MainWindow::updateQueueActions);
    // Whoever has changed the queue may start something next.
    connect(&queue, &StudyQueue::changed, this, &MainWindow::closeWhenIdle, Qt::QueuedConnection);
    connect(m_actions.pauseQueue, &QAction::triggered, this, [&queue] { queue.setPaused(!queue.isPaused()); });
    connect(m_actions.showQueue, &QAction::triggered, this,
            [this](bool on) { on ? m_queue->open() : m_queue->hide(); });
    connect(m_queue, &QDockWidget::visibilityChanged, this,
            [this] { m_actions.showQueue->setChecked(!m_queue->isHidden()); });
    connect(m_status, &StatusLine::queueClicked, m_queue, &QueueDock::open);
    connect(m_waiting, &NoticeBar::actionTriggered, this, [this] {
        if (mayWrite())
            m_services.runs.queue().setPaused(false);
    });
    connect(&m_navigator, &Navigator::queueRequested, this, [this](const ExperimentConfig& experiment) {
        if (!mayWrite())
            return;
        m_services.runs.enqueue(experiment);
        tellQueued();
    });
    connect(&m_navigator, &Navigator::smallerPartsRequested, this, [this](const QStringList& runs) {
        if (mayWrite())
            begin([&] { m_services.runs.resumeInSmallerParts(runs); });
    });
    new EndNotifier(m_services.runs, *m_actions.notifyEnds, *m_actions.notifyFailures, *this);
    updateQueueActions();
}

/// The tabs of the panels: Qt parks them outside the window, where the focus must not go. Panels open by their keys.
void MainWindow::childEvent(QChildEvent* event) {
    if (auto* tabs = qobject_cast<QTabBar*>(event->child()); tabs && event->polished())
        tabs->setFocusPolicy(Qt::NoFocus);
    QMainWindow::childEvent(event);
}

void MainWindow::tellQueued() {
    const bool paused = m_services.runs.queue().isPaused();
    tell(NoticeLevel::Info,
         paused ? tr("Added to the queue, which is paused.")
                : tr("Added to the queue. It starts when the studies before it have ended."),
         tr("Show the queue"), [this] { m_queue->open(); });
    m_tellsQueued = true;
}

void MainWindow::showRestoredQueue(int waiting) {
    if (waiting == 0 || m_services.library.readOnly() || !m_services.runs.queue().isPaused())
        return;
    m_waiting->showNotice(
        NoticeLevel::Info,
        tr("%n study(s) from last time wait in the queue. Nothing trains until you continue it.", nullptr, waiting),
        tr("Continue the queue"));
}

void MainWindow::updateQueueActions() {
    const StudyQueue& queue = m_services.runs.queue();
    const bool writes = m_services.library.isOpen() && !m_services.library.readOnly();
    m_actions.pauseQueue->setEnabled(writes && (m_services.runs.busy() || !queue.waiting().empty()));
    m_actions.pauseQueue->setText(queue.isPaused() ? tr("Continue the &queue")
                                                   : tr("Pause the &queue after this study"));
    m_actions.enqueue->setEnabled(writes);
    if (!queue.isPaused())
        m_waiting->clear();
    if (queue.waiting().empty() && std::exchange(m_tellsQueued, false)) // what waited has its turn, or was removed
        m_notice->clear();
}

} // namespace accumulus::ui
