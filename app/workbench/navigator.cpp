// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/navigator.h"

#include <QStackedWidget>

namespace accumulus::ui {

Navigator::Navigator(QStackedWidget& stack, QObject* parent) : QObject(parent), m_stack(stack) {}

void Navigator::show(Page* page) {
    m_stack.setCurrentWidget(page);
    page->activated();
    Q_EMIT shown(page);
}

Page* Navigator::current() const { return static_cast<Page*>(m_stack.currentWidget()); }

} // namespace accumulus::ui
