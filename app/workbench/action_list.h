// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that menus, pages and docks can do, for the action search: gathered anew whenever it opens, and filtered
// while a person types. GUI thread.
#pragma once

#include "widgets/pages/page.h"

#include <QAction>
#include <QDockWidget>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>
#include <QString>
#include <QStringList>
#include <functional>
#include <vector>

namespace accumulus::ui {

struct FoundAction {
    QPointer<QAction> action;     ///< or, on a page or in a dock,
    QPointer<QPushButton> button; ///< this one
    QPointer<Page> page;          ///< it is shown before; null for a menu
    QPointer<QDockWidget> dock;   ///< likewise
    QString name, where, keys;
    QStringList otherNames; ///< in the other language, and the words of its object name
    [[nodiscard]] bool isEnabled() const;
    void run() const;
};

/// `titles`: of the pages, in their order.
[[nodiscard]] std::vector<FoundAction> gatherActions(const QMenuBar& menus, const QList<Page*>& pages,
                                                     const QStringList& titles, const QList<QDockWidget*>& docks);

/// How well it answers: 0 not at all, else the more the better. All words of the query stand in its names or place, or
/// its letters follow one another in the name.
[[nodiscard]] int rankOf(const FoundAction& found, const QString& query);

} // namespace accumulus::ui
