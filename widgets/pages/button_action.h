// SPDX-License-Identifier: GPL-3.0-or-later
// An action of the window's menus that presses a button of a page: enabled and checked as the button is, and only where
// the page shows it. It brings the page to the front before it presses. Ends with its page. GUI thread.
#pragma once

#include "widgets/pages/page.h"

#include <QAction>
#include <QPointer>

class QPushButton;

namespace accumulus::ui {

class ButtonAction : public QAction {
    Q_OBJECT
public:
    /// `text`: the button's words, and what they are about.
    ButtonAction(Page& page, QPushButton& button, const QString& text);
    [[nodiscard]] QString whyNot() const; ///< of a button that is disabled or not shown; empty: it can be pressed

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] bool isShown() const; ///< once the page is in front
    void press();

    Page& m_page;
    QPointer<QPushButton> m_button;
};

/// For the button of that object name, once the page is built.
[[nodiscard]] QAction* pressing(Page& page, const char* button, const QString& text);

} // namespace accumulus::ui
