// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/reading_order.h"

#include <QApplication>
#include <QLayout>
#include <QScrollArea>
#include <QWidget>

namespace accumulus::ui {

namespace {

bool takesTab(const QWidget& widget) {
    return widget.isVisible() && widget.isEnabled() && (widget.focusPolicy() & Qt::TabFocus) == Qt::TabFocus &&
           !widget.focusProxy();
}

void collect(QWidget* widget, QList<QWidget*>& found);

void collect(QLayout* layout, QList<QWidget*>& found) {
    for (int i = 0; i < layout->count(); ++i) {
        if (QLayout* inner = layout->itemAt(i)->layout())
            collect(inner, found);
        else if (QWidget* widget = layout->itemAt(i)->widget())
            collect(widget, found);
    }
}

void collect(QWidget* widget, QList<QWidget*>& found) {
    if (!widget->isVisible())
        return;
    if (takesTab(*widget))
        found << widget;
    if (auto* area = qobject_cast<QScrollArea*>(widget); area && area->widget())
        collect(area->widget(), found);
    else if (widget->layout())
        collect(widget->layout(), found);
}

/// The neighbour of `root` in the window's own order.
QWidget* outside(QWidget* root, bool next) {
    QWidget* widget = root;
    do {
        widget = next ? widget->nextInFocusChain() : widget->previousInFocusChain();
    } while (widget != root &&
             (root->isAncestorOf(widget) || !takesTab(*widget) || widget->window() != root->window()));
    return widget == root ? nullptr : widget;
}

} // namespace

QList<QWidget*> readingOrder(QWidget* root) {
    QList<QWidget*> found;
    if (root->layout())
        collect(root->layout(), found);
    return found;
}

bool focusInReadingOrder(QWidget* root, bool next) {
    const QList<QWidget*> order = readingOrder(root);
    if (order.isEmpty())
        return false;
    const Qt::FocusReason reason = next ? Qt::TabFocusReason : Qt::BacktabFocusReason;
    const qsizetype here = order.indexOf(QApplication::focusWidget());
    const qsizetype there = here < 0 ? (next ? 0 : order.size() - 1) : here + (next ? 1 : -1);
    if (there >= 0 && there < order.size()) {
        order[there]->setFocus(reason);
        return true;
    }
    QWidget* neighbour = outside(root, next);
    (neighbour ? neighbour : next ? order.front() : order.back())->setFocus(reason);
    return true;
}

} // namespace accumulus::ui
