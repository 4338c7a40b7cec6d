// SPDX-License-Identifier: GPL-3.0-or-later
// Which library the window has open, and whether it may be changed.
#include "app/workbench/main_window.h"
#include "widgets/style/controls.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

namespace accumulus::ui {
namespace {

const QString ending = QStringLiteral(".sqlite");

QString folderOf(const LibraryGateway& library) {
    return QFileInfo(QString::fromStdString(library.path().string())).absolutePath();
}

} // namespace

bool MainWindow::mayOpenLibrary() {
    if (!m_services.runs.busy())
        return true;
    tell(NoticeLevel::Warning,
         tr("A study is running. Stop it or wait until it ends before you open another library."));
    return false;
}

bool MainWindow::mayWrite() {
    if (!m_services.library.readOnly() && m_services.library.awaited().empty())
        return true;
    showLibraryState();
    return false;
}

void MainWindow::showAwaited() {
    const LibraryGateway& library = m_services.library;
    m_services.runs.setMayTrain(library.awaited().empty() && !library.readOnly());
    showLibraryState();
}

/// Whether it can be changed, and why not.
void MainWindow::showLibraryState() {
    const LibraryGateway& library = m_services.library;
    updateRunActions();
    if (!library.awaited().empty())
        m_readOnly->showNotice(
            NoticeLevel::Info,
            tr("Waiting for the library %1: another program is using it, or it is being brought to this version.")
                .arg(QDir::toNativeSeparators(QString::fromStdString(library.awaited().string()))));
    else if (!library.otherWindow().isEmpty())
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
}

void MainWindow::tellLibraryNotice() {
    if (const QString notice = m_services.library.notice(); !notice.isEmpty())
        tell(NoticeLevel::Info, notice);
}

void MainWindow::newLibrary() {
    if (!mayOpenLibrary())
        return;
    const QString proposal = QDir(folderOf(m_services.library)).filePath(QStringLiteral("new-library") + ending);
    QString file = QFileDialog::getSaveFileName(this, tr("New library"), proposal, tr("Accumulus libraries (*.sqlite)"),
                                                nullptr, QFileDialog::DontConfirmOverwrite);
    if (file.isEmpty())
        return;
    if (!file.endsWith(ending))
        file += ending;
    if (QFileInfo::exists(file))
        return tell(NoticeLevel::Warning, tr("%1 is there already and was not changed. Choose another name, or open "
                                             "it with Open library.")
                                              .arg(QDir::toNativeSeparators(file)));
    Q_EMIT libraryRequested(file);
}

/// It may have gone since the list was looked at, and would be made anew.
void MainWindow::openRecentLibrary(const QString& file) {
    if (QFileInfo::exists(file))
        Q_EMIT libraryRequested(file);
    else
        showError({"library.gone", {{"file", file.toStdString()}}});
}

void MainWindow::openLibrary() {
    if (!mayOpenLibrary())
        return;
    const QString file = QFileDialog::getOpenFileName(this, tr("Open library"), folderOf(m_services.library),
                                                      tr("Accumulus libraries (*.sqlite *.db);;All files (*)"));
    if (!file.isEmpty())
        Q_EMIT libraryRequested(file);
}

} // namespace accumulus::ui
