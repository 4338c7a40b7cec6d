// SPDX-License-Identifier: GPL-3.0-or-later
// How the window closes while something trains.
#include "app/workbench/close_dialog.h"
#include "app/workbench/main_window.h"
#include "widgets/style/controls.h"

#include <algorithm>
#include <utility>

namespace accumulus::ui {

void MainWindow::askBeforeClosing() {
    if (findChild<QMessageBox*>(QStringLiteral("closeDialog")))
        return;
    auto* box = new CloseDialog(m_services.runs.isElsewhere(), this);
    connect(box, &CloseDialog::keepRunning, this, [this] {
        m_closeWhenIdle = true;
        m_notice->showNotice(NoticeLevel::Info, tr("The window closes when the last study is complete."));
    });
    connect(box, &CloseDialog::save, this, [this] { stopAndClose(); });
    connect(box, &CloseDialog::leave, this, &MainWindow::saveAndClose);
    connect(box, &CloseDialog::cancel, this, [this] { m_closeWhenIdle = false; });
    box->open();
}

void MainWindow::saveAndClose() {
    if (m_services.runs.busy() && m_services.runs.isElsewhere()) {
        m_closeWhenIdle = true;
        m_services.runs.queue().setPaused(true); // it waits for the next time
        m_services.runs.leave();
    } else {
        stopAndClose();
    }
}

void MainWindow::stopAndClose() {
    if (!m_services.runs.busy()) {
        close();
        return;
    }
    m_closeWhenIdle = true;
    rememberStudyThatIsLeft();
    m_services.runs.queue().setPaused(true); // it waits for the next time
    m_services.runs.stop();
    m_notice->showNotice(
        NoticeLevel::Info,
        m_services.runs.isElsewhere()
            ? tr("Waiting until the study has stopped there. To close the window at once, close it again.")
            : tr("Saving a checkpoint; then the window closes."));
}

bool MainWindow::mayClose() {
    const auto unsaved = [this] { return std::ranges::any_of(m_pages, &Page::hasUnsaved); };
    if (m_warnedOfUnsaved && unsaved())
        return true;
    for (Page* page : std::as_const(m_pages))
        page->saveEdits();
    m_closeWhenWritten = m_services.library.writing();
    m_warnedOfUnsaved = !m_closeWhenWritten && unsaved();
    if (m_closeWhenWritten)
        m_notice->showNotice(NoticeLevel::Info, tr("Writing to the library; then the window closes."));
    else if (m_warnedOfUnsaved)
        warnOfUnsaved();
    return !m_closeWhenWritten && !m_warnedOfUnsaved;
}

void MainWindow::closeWhenWritten() {
    if (!std::exchange(m_closeWhenWritten, false))
        return;
    m_notice->clear();
    m_warnedOfUnsaved = std::ranges::any_of(m_pages, &Page::hasUnsaved);
    m_warnedOfUnsaved ? warnOfUnsaved() : static_cast<void>(close());
}

void MainWindow::warnOfUnsaved() {
    m_notice->showNotice(NoticeLevel::Error,
                         tr("Notes, tags or a name are not saved yet. They are still in the Library. "
                            "To close without saving them, close the window again."));
}

void MainWindow::closeWhenIdle() {
    if (!m_services.runs.busy())
        close();
}

} // namespace accumulus::ui
