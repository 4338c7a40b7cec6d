// SPDX-License-Identifier: GPL-3.0-or-later
// Undo and redo of the menu: of the page in front, else of what was changed in the library.
#include "app/workbench/main_window.h"
#include "app/workbench/queue_dock.h"

#include <QAction>
#include <QApplication>
#include <QUndoStack>

namespace accumulus::ui {

void MainWindow::updateUndo() {
    const Page* page = m_navigator.current();
    const bool ownUndo = page->canUndo();
    const bool ownRedo = page->canRedo();
    m_actions.undo->setEnabled(ownUndo || (m_edits && m_edits->canUndo()));
    m_actions.redo->setEnabled(ownRedo || (m_edits && m_edits->canRedo()));
    const QString undo = ownUndo ? page->undoText() : m_edits ? m_edits->undoText() : QString();
    const QString redo = ownRedo ? page->redoText() : m_edits ? m_edits->redoText() : QString();
    m_actions.undo->setText(undo.isEmpty() ? tr("&Undo") : tr("&Undo: %1").arg(undo));
    m_actions.redo->setText(redo.isEmpty() ? tr("&Redo") : tr("&Redo: %1").arg(redo));
}

void MainWindow::undoOrRedo(bool redo) {
    Page* page = m_navigator.current();
    const QWidget* focused = QApplication::focusWidget();
    const bool inQueue = focused && m_queue->isAncestorOf(focused);
    const bool ofPage = !inQueue && (redo ? page->canRedo() : page->canUndo());
    if (!ofPage && m_services.library.writing()) { // an edit on its way can be undone once it is written
        connect(
            &m_services.library, &LibraryGateway::written, this, [this, redo] { undoOrRedo(redo); },
            Qt::SingleShotConnection);
        return;
    }
    if (ofPage) {
        redo ? page->redo() : page->undo();
    } else if (m_edits && (redo ? m_edits->canRedo() : m_edits->canUndo())) {
        const QString what = redo ? m_edits->redoText() : m_edits->undoText();
        redo ? m_edits->redo() : m_edits->undo();
        if (!inQueue && page->edits() != m_edits) // what it was about is not in front
            tell(NoticeLevel::Info, redo ? tr("Redone: %1").arg(what) : tr("Undone: %1").arg(what));
    }
}

} // namespace accumulus::ui
