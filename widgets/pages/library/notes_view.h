// SPDX-License-Identifier: GPL-3.0-or-later
// Notes as they read: lies over their editor while nobody writes in it, and shows its Markdown. A click, Enter or F2
// goes to the editor; on a link to a web page it opens the browser. Fetches nothing, runs no HTML and follows no other
// link: notes may come from anybody. GUI thread.
#pragma once

#include "widgets/style/theme.h"

#include <QTextBrowser>

class QPlainTextEdit;

namespace accumulus::ui {

class NotesView : public QTextBrowser {
    Q_OBJECT
public:
    NotesView(const Theme& theme, QPlainTextEdit& editor); ///< a child of the editor

protected:
    QVariant loadResource(int type, const QUrl& name) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void follow();
    void edit();
    void showLink(const QUrl& link); ///< under the mouse; empty: none

    QPlainTextEdit& m_editor;
    bool m_editing = false;
};

} // namespace accumulus::ui
