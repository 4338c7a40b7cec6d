// SPDX-License-Identifier: GPL-3.0-or-later
// Which library the window has open, and whether it may be changed.
#include "app/workbench/main_window.h"
#include "widgets/style/controls.h"

#include <QFileDialog>
#include <QFileInfo>

namespace accumulus::ui {

bool MainWindow::mayOpenLibrary() {
    if (!m_services.runs.busy())
        return true;
    tell(NoticeLevel::Warning,
         tr("A study is running. Stop it or wait until it ends before you open another library."));
    return false;
}

bool MainWindow::mayWrite() {
    if (!m_services.library.readOnly())
        return true;
    showLibraryState();
    return false;
}

/// Whether it can be changed, and why not; and what the store has to say.
void MainWindow::showLibraryState() {
    const LibraryGateway& library = m_services.library;
    updateRunActions();
    if (!library.otherWindow().isEmpty())
        m_readOnly->showNotice(NoticeLevel::Warning,
                               tr("Another window has this library open (%1). Here you can look at everything, but not "
                                  "train, change or delete anything. If that window is gone, delete %2.")
                                   .arg(library.otherWindow(), library.lockFile()),
                               tr("Try again"));
    else if (library.readOnly())
        m_readOnly->showNotice(NoticeLevel::Warning,
                               tr("This library is read-only: you cannot train, change or delete anything here."));
    else
        m_readOnly->clear();
    if (!library.notice().isEmpty())
        tell(NoticeLevel::Info, library.notice());
}

void MainWindow::openLibrary() {
    if (!mayOpenLibrary())
        return;
    const QString folder = QFileInfo(QString::fromStdString(m_services.library.path().string())).absolutePath();
    const QString file = QFileDialog::getOpenFileName(this, tr("Open library"), folder,
                                                      tr("Accumulus libraries (*.sqlite *.db);;All files (*)"));
    if (!file.isEmpty())
        Q_EMIT libraryRequested(file);
}

} // namespace accumulus::ui
