// SPDX-License-Identifier: GPL-3.0-or-later
// What every page shares, and all that the window knows of them. Pages get what they need by constructor and speak by
// signals; no page knows another one.
#pragma once

#include "widgets/bridge/library_gateway.h"
#include "widgets/bridge/run_controller.h"
#include "widgets/style/theme.h"

#include <QList>
#include <QVariant>
#include <QWidget>
#include <optional>

class QAction;
class QUndoStack;

namespace accumulus::ui {

struct LibrarySession;

/// Services handed to pages; all outlive them.
struct Services {
    Theme& theme;
    LibraryGateway& library;
    RunController& runs;
    LibrarySession& session;
};

/// Property of a page's action that is disabled: why, as a sentence.
inline constexpr auto kWhyNotProperty = "accumulusWhyNot";

/// What a page brings to the window's menus; enabled as the page allows.
struct PageMenus {
    QList<QAction*> runs, exports, edit, tools, view, file;
};

class Page : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    /// Called whenever the page comes to the front.
    virtual void activated() {}
    virtual void resetLayout() {}

    /// Undo and redo of the menu while the page is in front, for a page with a history of its own: whether the next
    /// step is one of its steps. Else it is one of edits().
    [[nodiscard]] virtual bool canUndo() const { return false; }
    [[nodiscard]] virtual bool canRedo() const { return false; }
    [[nodiscard]] virtual QString undoText() const { return {}; } ///< what that step was; empty: the page does not say
    [[nodiscard]] virtual QString redoText() const { return {}; }
    virtual void undo() {}
    virtual void redo() {}
    /// Changes that can be undone from any other page as well; null: the page makes none.
    [[nodiscard]] virtual QUndoStack* edits() { return nullptr; }
    [[nodiscard]] const PageMenus& menus() const { return m_menus; }

    /// The run that the page is about or that was chosen on it, for the window's inspector; empty: none yet. Nothing: a
    /// page without single runs, or that shows all about them itself.
    [[nodiscard]] virtual std::optional<QString> inspectedRun() const { return std::nullopt; }

    /// What was typed a moment ago goes to the library.
    virtual void saveEdits() {}
    [[nodiscard]] virtual bool hasUnsaved() const { return false; } ///< typed, and not in the library yet
    [[nodiscard]] virtual bool busy() const { return false; } ///< computes something that would go with the window

    /// What the same page of a window in another language takes over; takes no invalid one.
    [[nodiscard]] virtual QVariant state() const { return {}; }
    virtual void setState(const QVariant& /*state*/) {}

    /// The window gives a page what it has. Else QStackedLayout measures the texts of all pages whenever one is shown.
    [[nodiscard]] bool hasHeightForWidth() const final { return false; }

Q_SIGNALS:
    void frontRequested(); ///< an action of the menus is about what this page shows
    void historyChanged(); ///< what canUndo() and its sisters answer
    void inspectedRunChanged();

protected:
    PageMenus m_menus; ///< filled by the constructor
};

} // namespace accumulus::ui
