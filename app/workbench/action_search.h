// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+K: all that menus and pages can do in one list, filtered while a person types. Enter runs what is chosen; what
// cannot be run now says why. Lies over the window while it is open; leaving it closes it. GUI thread.
#pragma once

#include "app/workbench/action_list.h"
#include "widgets/style/controls.h"

#include <QFrame>
#include <functional>

class QLineEdit;
class QStandardItemModel;
class QTreeView;

namespace accumulus::ui {

class ActionSearch : public QFrame {
    Q_OBJECT
public:
    ActionSearch(const Theme& theme, QWidget& window);

    using WhyDisabled = std::function<QString(const FoundAction&)>; ///< a sentence, or nothing
    void open(std::vector<FoundAction> actions, WhyDisabled why);

Q_SIGNALS:
    void pageRequested(accumulus::ui::Page* page);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void filter();
    void showChosen();
    void runChosen();
    void close(bool restoreFocus);
    void place();
    [[nodiscard]] const FoundAction* chosen() const;
    [[nodiscard]] QString reason(const FoundAction& found) const;

    const Theme& m_theme;
    QLineEdit* m_text;
    QTreeView* m_list;
    RoleLabel* m_note;
    QStandardItemModel* m_rows;
    std::vector<FoundAction> m_actions;
    WhyDisabled m_why;
    QPointer<QWidget> m_focusBefore;
};

} // namespace accumulus::ui
