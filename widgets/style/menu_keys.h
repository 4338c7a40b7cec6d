// SPDX-License-Identifier: GPL-3.0-or-later
// An open menu has the keyboard to itself. Qt lets the single letters of a table act while a menu is open, because the
// table still has the focus, and Escape in a menu of the menu bar leaves the keyboard in the bar, where nothing shows
// it. With this event filter on the application neither happens. GUI thread.
#pragma once

#include <QApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMenuBar>
#include <algorithm>

namespace accumulus::ui {

class MenuKeys : public QObject {
public:
    using QObject::QObject;

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
            return false;
        auto* menu = qobject_cast<QMenu*>(watched);
        if (!menu)
            return false;
        if (event->type() == QEvent::ShortcutOverride) {
            event->accept();
            return true;
        }
        auto* key = static_cast<QKeyEvent*>(event);
        if (!key->matches(QKeySequence::Cancel) || !isOfBar(*menu))
            return false;
        menu->hide();
        // It was opened from the bar by keys: who had the keyboard before gets it back.
        if (auto* bar = qobject_cast<QMenuBar*>(QApplication::focusWidget()))
            QApplication::sendEvent(bar, key);
        return true;
    }

private:
    static bool isOfBar(const QMenu& menu) {
        const QList<QObject*> owners = menu.menuAction()->associatedObjects();
        return std::any_of(owners.begin(), owners.end(), [](QObject* owner) { return qobject_cast<QMenuBar*>(owner); });
    }
};

} // namespace accumulus::ui
