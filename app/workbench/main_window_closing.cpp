// SPDX-License-Identifier: GPL-3.0-or-later
// How the window closes while something trains, or other long work goes on.
#include "app/workbench/close_dialog.h"
#include "app/workbench/inspector_dock.h"
#include "app/workbench/main_window.h"
#include "widgets/pages/library_session.h"
#include "widgets/style/controls.h"

#include <QCloseEvent>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <utility>

namespace accumulus::ui {
namespace {
using namespace std::chrono_literals;
constexpr auto workInterval = 200ms;
} // namespace

void MainWindow::closeEvent(QCloseEvent* event) {
    if (trains() || (works() && !m_discardsWork)) {
        event->ignore();
        askBeforeClosing();
        return;
    }
    if (!mayClose()) {
        event->ignore();
        return;
    }
    rememberLayout();
    QMainWindow::closeEvent(event);
}

void MainWindow::askBeforeClosing() {
    if (findChild<QMessageBox*>(QStringLiteral("closeDialog")))
        return;
    const RunController& runs = m_services.runs;
    auto* box = new CloseDialog(!trains()            ? CloseDialog::What::Works
                                : !runs.busy()       ? CloseDialog::What::Waits
                                : runs.isElsewhere() ? CloseDialog::What::TrainsElsewhere
                                                     : CloseDialog::What::Trains,
                                this);
    connect(box, &CloseDialog::keepRunning, this, [this] {
        m_closeWhenIdle = true;
        tellClosing();
    });
    connect(box, &CloseDialog::save, this, [this] { stopAndClose(); });
    connect(box, &CloseDialog::leave, this, &MainWindow::leaveAndClose);
    connect(box, &CloseDialog::discard, this, [this] {
        m_discardsWork = true;
        close();
    });
    connect(box, &CloseDialog::cancel, this, [this] { m_closeWhenIdle = false; });
    box->open();
}

bool MainWindow::trains() const { return m_services.runs.busy() || m_services.runs.queue().goesOn(); }

bool MainWindow::works() const {
    return m_services.library.working() || m_services.session.reports.isSaving() ||
           std::ranges::any_of(m_pages, &Page::busy);
}

void MainWindow::saveAndClose() {
    m_discardsWork = true; // nobody may be there to answer
    leaveAndClose();
}

void MainWindow::leaveAndClose() {
    if (m_services.runs.busy() && m_services.runs.isElsewhere()) {
        m_closeWhenIdle = true;
        m_services.runs.queue().setPaused(true); // it waits for the next time
        m_services.runs.leave();
    } else {
        stopAndClose();
    }
}

void MainWindow::stopAndClose() {
    m_services.runs.queue().setPaused(true); // it waits for the next time
    if (!m_services.runs.busy()) {
        close();
        return;
    }
    m_closeWhenIdle = true;
    rememberStudyThatIsLeft();
    m_services.runs.stop();
    tellClosing();
}

void MainWindow::tellClosing() {
    if (m_closeWhenWritten)
        tell(NoticeLevel::Info, tr("Writing to the library; then the window closes."));
    else if (!trains() || m_services.runs.state() != RunState::Stopping)
        tell(NoticeLevel::Info,
             trains() ? tr("The window closes when the last study is complete.")
                      : tr("The window closes when the remaining work is finished."),
             tr("Stay open"), [this] { m_closeWhenIdle = false; });
    else if (m_services.runs.isElsewhere())
        tell(NoticeLevel::Info,
             tr("Waiting until the study has stopped there. To close the window at once, close it again."));
    else
        tell(NoticeLevel::Info, tr("Saving a checkpoint; then the window closes."));
    if (!m_closeWhenWritten) // what it waits for may have ended while a question was open
        QMetaObject::invokeMethod(this, &MainWindow::closeWhenIdle, Qt::QueuedConnection);
}

bool MainWindow::mayClose() {
    if (m_warnedOfUnsaved && hasUnsaved())
        return true;
    m_inspector->saveEdits();
    for (Page* page : std::as_const(m_pages))
        page->saveEdits();
    m_closeWhenWritten = m_services.library.writing();
    m_warnedOfUnsaved = !m_closeWhenWritten && hasUnsaved();
    if (m_closeWhenWritten)
        tellClosing();
    else if (m_warnedOfUnsaved)
        warnOfUnsaved();
    return !m_closeWhenWritten && !m_warnedOfUnsaved;
}

void MainWindow::closeWhenWritten() {
    if (!std::exchange(m_closeWhenWritten, false))
        return;
    m_notice->clear();
    m_warnedOfUnsaved = hasUnsaved();
    m_warnedOfUnsaved ? warnOfUnsaved() : static_cast<void>(close());
}

bool MainWindow::hasUnsaved() const {
    return !m_services.runs.queue().isSaved() || m_inspector->hasUnsaved() ||
           std::ranges::any_of(m_pages, &Page::hasUnsaved);
}

void MainWindow::warnOfUnsaved() {
    m_discardsWork = false; // the window stays for now
    const bool queue = !m_services.runs.queue().isSaved();
    tell(NoticeLevel::Error,
         queue ? tr("The queue could not be saved. To close without saving it, close the window again.")
               : tr("Notes, tags or a name are not saved yet. They are still in the Library. "
                    "To close without saving them, close the window again."));
}

void MainWindow::stayOpenFor(const Error& error) {
    if (!m_closeWhenIdle || m_discardsWork)
        return;
    m_closeWhenIdle = false; // the window stays and says what has come to nothing
    showError(error);
}

void MainWindow::closeWhenIdle() {
    const bool warned = m_warnedOfUnsaved && hasUnsaved(); // then a person closes it
    if (!m_closeWhenIdle || warned || trains())
        return;
    if (works() && !m_discardsWork)
        QTimer::singleShot(workInterval, this, &MainWindow::closeWhenIdle); // nobody tells when all of it has ended
    else
        close();
}

} // namespace accumulus::ui
