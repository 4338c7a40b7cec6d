// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/navigator.h"

#include <QStackedWidget>

namespace accumulus::ui {

Navigator::Navigator(QStackedWidget& stack, QObject* parent) : QObject(parent), m_stack(stack) {}

void Navigator::show(Page* page) {
    // A page that is hidden would hand the focus to what the next one holds first in Tab's order, and scroll it there.
    if (QWidget* focused = m_stack.window()->focusWidget(); page != current() && m_stack.isAncestorOf(focused))
        focused->clearFocus();
    m_stack.setCurrentWidget(page);
    page->activated();
    Q_EMIT shown(page);
}

Page* Navigator::current() const { return static_cast<Page*>(m_stack.currentWidget()); }

} // namespace accumulus::ui
