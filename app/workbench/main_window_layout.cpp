// SPDX-License-Identifier: GPL-3.0-or-later
// Places and sizes of the window, and what a window in another language or text size takes over.
#include "app/workbench/inspector_dock.h"
#include "app/workbench/interrupted_bar.h"
#include "app/workbench/log_dock.h"
#include "app/workbench/main_window.h"
#include "app/workbench/manual.h"
#include "app/workbench/page_table.h"
#include "app/workbench/queue_dock.h"
#include "app/workbench/status_line.h"
#include "widgets/style/controls.h"

#include <QAction>
#include <QEvent>
#include <QScreen>
#include <QScrollArea>
#include <QSettings>
#include <QStyle>
#include <algorithm>

namespace accumulus::ui {
namespace {
const QString geometryKey = QStringLiteral("window/geometry");
const QString stateKey = QStringLiteral("window/state");
/// What the frame adds. The system tells it only when the window is on the screen.
QSize frameOf(const QWidget& window) {
    return window.isVisible() ? window.frameGeometry().size() - window.size()
                              : QSize(0, window.style()->pixelMetric(QStyle::PM_TitleBarHeight, nullptr, &window));
}
/// Of a window without a remembered one: no larger than the screen, the title bar included.
QSize defaultSize(const QWidget& window) {
    constexpr QSize wanted(1440, 900);
    return window.screen() ? wanted.boundedTo(window.screen()->availableSize() - frameOf(window)) : wanted;
}
/// A window that was remembered on a larger screen: Qt brings its title bar into sight, but leaves its size.
void fitToScreen(QWidget& window) {
    if (!window.screen() || window.isMaximized() || window.isFullScreen())
        return;
    const QRect screen = window.screen()->availableGeometry();
    const QSize size = window.size().boundedTo(screen.size() - frameOf(window));
    if (size == window.size())
        return;
    const QRect outer(window.pos(), size + frameOf(window));
    window.resize(size);
    window.move(std::max(screen.left(), std::min(outer.left(), screen.right() + 1 - outer.width())),
                std::max(screen.top(), std::min(outer.top(), screen.bottom() + 1 - outer.height())));
}
constexpr int logHeight = 180;

bool isShown(const QWidget* widget) { return widget && widget->isVisible(); }
} // namespace

/// A scroll area follows Tab inside of it, but not when the focus comes from elsewhere.
void MainWindow::bringIntoSight(QWidget* focused) {
    for (QWidget* parent = focused ? focused->parentWidget() : nullptr; parent; parent = parent->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(parent)) {
            const QRect place(focused->mapTo(area->viewport(), QPoint(0, 0)), focused->size());
            if (area->isAncestorOf(focused) && !place.intersects(area->viewport()->rect()))
                area->ensureWidgetVisible(focused);
        }
}

void MainWindow::beginSession() { Q_EMIT m_navigator.sessionBegan(); }

MainWindow::Kept MainWindow::kept() const {
    const bool offers = m_interrupted->isVisible();
    Kept kept{currentPage(),
              {},
              m_inspector->state(),
              m_demoStudy,
              m_demo,
              offers ? m_interruptedRuns : QStringList(),
              offers ? m_leftRuns : QStringList(),
              m_status->progress(),
              m_notice->isHidden() ? std::nullopt : m_error,
              m_finished->isHidden() ? std::nullopt : m_end,
              m_stopped->isHidden() ? std::nullopt : m_stop,
              isShown(findChild<Manual*>()),
              m_closeWhenIdle,
              m_closeWhenWritten,
              !m_waiting->isHidden()};
    m_inspector->saveEdits();
    for (Page* page : m_pages)
        page->saveEdits();
    for (qsizetype at = 0; at < m_pages.size(); ++at)
        kept.states[QString::fromLatin1(pageTable()[static_cast<std::size_t>(at)].id)] = m_pages[at]->state();
    return kept;
}

void MainWindow::takeOver(const Kept& kept) {
    m_demoStudy = kept.demoStudy;
    m_demo = kept.demo;
    m_interruptedRuns = kept.interrupted;
    m_leftRuns = kept.left;
    m_status->takeOver(kept.progress);
    m_firstOffer = false; // a person is at work
    offerRuns();
    m_closeWhenIdle = kept.closeWhenIdle;
    m_closeWhenWritten = kept.closeWhenWritten;
    for (auto state = kept.states.begin(); state != kept.states.end(); ++state)
        if (const int index = indexOf(state.key()); index >= 0 && state->isValid())
            m_pages[index]->setState(*state);
    m_inspector->setState(kept.inspector);
    showLibraryState();
    tellLibraryNotice();
    m_services.library.lookForUnfinished();
    if (kept.queueOffered)
        showRestoredQueue(static_cast<int>(m_services.runs.queued()));
    if (kept.error)
        showError(*kept.error);
    else if (m_closeWhenIdle || m_closeWhenWritten)
        tellClosing();
    if (kept.end)
        showEnd(*kept.end);
    if (kept.stop)
        showStop(*kept.stop);
    showPage(kept.page);
    if (kept.manual)
        showManual();
    if (m_closeWhenWritten && !m_services.library.writing()) // it was written while nobody listened
        QMetaObject::invokeMethod(this, &MainWindow::closeWhenWritten, Qt::QueuedConnection);
}

/// Another language is spoken by another window: this one answers as it is until that one is whole.
bool MainWindow::event(QEvent* event) { return event->type() == QEvent::LanguageChange || QMainWindow::event(event); }

void MainWindow::restoreLayout() {
    resize(defaultSize(*this));
    resizeDocks({m_log}, {logHeight}, Qt::Vertical);
    const QSettings settings;
    restoreGeometry(settings.value(geometryKey).toByteArray());
    fitToScreen(*this);
    restoreState(settings.value(stateKey).toByteArray());
}

void MainWindow::resetLayout() {
    if (isFullScreen() || isMaximized())
        showNormal();
    resize(defaultSize(*this));
    m_log->hide();
    m_queue->hide();
    m_inspector->setWanted(false);
    for (Page* page : m_pages)
        page->resetLayout();
}

void MainWindow::rememberLayout() const {
    QSettings settings;
    settings.setValue(geometryKey, saveGeometry());
    settings.setValue(stateKey, saveState());
}

/// The window manager changes it, too, and a window that takes over begins with it.
void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange)
        m_actions.fullScreen->setChecked(isFullScreen());
}

} // namespace accumulus::ui
