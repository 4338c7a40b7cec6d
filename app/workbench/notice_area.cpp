// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/notice_area.h"

#include <QEvent>
#include <QVBoxLayout>
#include <algorithm>

namespace accumulus::ui {

NoticeArea::NoticeArea(const QList<NoticeBar*>& bars, NoticeBar& hint)
    : m_bars(bars), m_hint(hint), m_hintPlace(new QWidget(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::pageMargin, space::m, space::pageMargin, 0);
    column->setSpacing(space::s);
    for (NoticeBar* bar : bars) {
        column->addWidget(bar);
        bar->installEventFilter(this);
    }
    auto* place = new QVBoxLayout(m_hintPlace);
    place->setContentsMargins(0, 0, 0, 0);
    place->addWidget(&hint);
    hint.installEventFilter(this);
    column->addWidget(m_hintPlace);
    hide();
}

bool NoticeArea::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent) {
        const bool told = std::ranges::any_of(m_bars, [](const NoticeBar* bar) { return !bar->isHidden(); });
        m_hintPlace->setVisible(!told && !m_hint.isHidden());
        setVisible(told || !m_hint.isHidden());
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace accumulus::ui
