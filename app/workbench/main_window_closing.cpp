// SPDX-License-Identifier: GPL-3.0-or-later
// How the window closes while something trains.
#include "app/workbench/close_dialog.h"
#include "app/workbench/main_window.h"
#include "widgets/style/controls.h"

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
        m_services.runs.clearQueue();
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
    m_services.runs.clearQueue();
    m_services.runs.stop();
    m_notice->showNotice(
        NoticeLevel::Info,
        m_services.runs.isElsewhere()
            ? tr("Waiting until the study has stopped there. To close the window at once, close it again.")
            : tr("Saving a checkpoint; then the window closes."));
}

void MainWindow::closeWhenIdle() {
    if (!m_services.runs.busy())
        close();
}

} // namespace accumulus::ui
