// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/notice_area.h"

#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>

namespace accumulus::ui {

NoticeArea::NoticeArea(const QList<NoticeBar*>& bars) : m_bars(bars) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::pageMargin, space::m, space::pageMargin, 0);
    column->setSpacing(space::s);
    for (NoticeBar* bar : bars) {
        column->addWidget(bar);
        bar->installEventFilter(this);
    }
    hide();
}

bool NoticeArea::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)
        setVisible(std::ranges::any_of(m_bars, [](const NoticeBar* bar) { return !bar->isHidden(); }));
    return QWidget::eventFilter(watched, event);
}

} // namespace accumulus::ui
