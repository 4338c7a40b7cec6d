// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/page_focus.h"

#include "widgets/style/reading_order.h"

#include <QApplication>
#include <QDockWidget>
#include <QStackedWidget>
#include <algorithm>
#include <utility>

namespace accumulus::ui {
namespace {

bool takesFocus(const QWidget* control) { return control && control->isVisible() && control->isEnabled(); }

bool isStop(const QWidget& control) {
    return takesFocus(&control) && (control.focusPolicy() & Qt::TabFocus) == Qt::TabFocus && !control.focusProxy();
}

/// Controls below `root` that Tab comes to.
QList<QWidget*> stopsIn(QWidget& root) {
    QList<QWidget*> stops;
    for (QWidget* at = root.nextInFocusChain(); at != &root; at = at->nextInFocusChain())
        if (root.isAncestorOf(at) && isStop(*at))
            stops << at;
    return stops;
}

/// The first after `at`, else the last before it, that stands in `room` and takes the focus.
QWidget* nearest(const QList<QPointer<QWidget>>& order, qsizetype at, const QWidget& room) {
    const auto fits = [&room](const QPointer<QWidget>& control) {
        return control && room.isAncestorOf(control) && isStop(*control);
    };
    const auto after = std::find_if(order.begin() + at + 1, order.end(), fits);
    if (after != order.end())
        return *after;
    const auto before = std::find_if(order.rbegin() + (order.size() - std::max<qsizetype>(at, 0)), order.rend(), fits);
    return before == order.rend() ? nullptr : before->data();
}

} // namespace

PageFocus::PageFocus(QWidget& window, QStackedWidget& pages, QWidget& notices, QObject* parent)
    : QObject(parent), m_window(window), m_pages(pages), m_notices(notices) {
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, QWidget* now) { focusChanged(now); });
}

void PageFocus::enter(Qt::FocusReason reason) {
    QWidget* page = m_pages.currentWidget();
    if (!page || page->isAncestorOf(QApplication::focusWidget()))
        return;
    QWidget* last = m_last.value(page);
    // What Tab comes to first may be a control that was made last; a person reads from the top.
    const QList<QWidget*> asRead = readingOrder(page);
    QWidget* first = asRead.isEmpty() ? stopsIn(*page).value(0) : asRead.front();
    if (QWidget* control = takesFocus(last) ? last : first)
        control->setFocus(reason);
}

bool PageFocus::isFree() const {
    QWidget* now = m_window.focusWidget();
    const QWidget* area = areaOf(now);
    return !takesFocus(now) || !area || area == &m_notices;
}

QWidget* PageFocus::areaOf(QWidget* control) const {
    for (QWidget* at = control; at && at != &m_window; at = at->parentWidget())
        if (at == &m_notices || at->parentWidget() == &m_pages || qobject_cast<QDockWidget*>(at))
            return at;
    return nullptr;
}

PageFocus::Place PageFocus::placeOf(QWidget* control) const {
    Place place{control, areaOf(control), {}, {}};
    if (!place.area)
        return place;
    for (QWidget* room = control->parentWidget(); room && room != place.area->parentWidget();
         room = room->parentWidget())
        place.rooms << room;
    for (QWidget* stop : stopsIn(*place.area))
        place.order << stop;
    return place;
}

void PageFocus::focusChanged(QWidget* now) {
    if (!m_window.isVisible() || (now && now->window() != &m_window))
        return; // a dialog has it for a while, or another window has taken over
    const bool lost = m_here.area && !takesFocus(m_here.control);
    if (lost && (!now || areaOf(now) != m_here.area)) {
        m_lost = m_here;
        m_jumped = now;
        // What takes the place of the control may be made after it has gone.
        QMetaObject::invokeMethod(this, &PageFocus::repair, Qt::QueuedConnection);
    }
    if (now)
        m_here = placeOf(now);
    else if (lost)
        m_here = {};
    if (m_here.area && m_here.area->parentWidget() == &m_pages)
        m_last[m_here.area.data()] = m_here.control;
}

void PageFocus::repair() {
    const Place lost = std::exchange(m_lost, {});
    QWidget* now = m_window.focusWidget();
    if (!m_window.isVisible() || !lost.area || (takesFocus(now) && now != m_jumped))
        return; // a person or the page has chosen another one
    if (lost.area->isVisible()) {
        if (lost.control && isStop(*lost.control)) // it was away for a moment only
            return lost.control->setFocus(Qt::OtherFocusReason);
        const qsizetype at = lost.order.indexOf(lost.control);
        for (const QPointer<QWidget>& room : lost.rooms)
            if (QWidget* neighbour = room ? nearest(lost.order, at, *room) : nullptr)
                return neighbour->setFocus(Qt::OtherFocusReason);
    }
    enter(Qt::OtherFocusReason);
}

} // namespace accumulus::ui
