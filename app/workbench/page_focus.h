// SPDX-License-Identifier: GPL-3.0-or-later
// Where the keyboard goes when the control that has it is hidden, disabled or gone, and when another page comes to the
// front. Qt takes the next control of the window, which may be an entry of the rail: Space would leave the page. Here
// it stays with the nearest control of the same page, panel or notice. GUI thread.
#pragma once

#include <QHash>
#include <QList>
#include <QObject>
#include <QPointer>

class QStackedWidget;
class QWidget;

namespace accumulus::ui {

class PageFocus : public QObject {
public:
    /// `window` holds `pages` and `notices`, which outlive this.
    PageFocus(QWidget& window, QStackedWidget& pages, QWidget& notices, QObject* parent);

    /// Into the page in front, unless it is there: to the control that had it when the page was left, else the first.
    void enter(Qt::FocusReason reason);
    /// Nobody has chosen where it is: it is nowhere, in the rail or among the notices.
    [[nodiscard]] bool isFree() const;

private:
    /// A control with all that is needed to find its neighbours when it has gone.
    struct Place {
        QPointer<QWidget> control;
        QPointer<QWidget> area;         ///< page, panel or notices; null: another part of the window
        QList<QPointer<QWidget>> rooms; ///< what it stands in, from inside to `area`
        QList<QPointer<QWidget>> order; ///< controls of `area`, as Tab goes
    };

    void focusChanged(QWidget* now);
    void repair();
    [[nodiscard]] QWidget* areaOf(QWidget* control) const;
    [[nodiscard]] Place placeOf(QWidget* control) const;

    QWidget& m_window;
    QStackedWidget& m_pages;
    QWidget& m_notices;
    QHash<const QObject*, QPointer<QWidget>> m_last; ///< of each page
    Place m_here;
    Place m_lost;               ///< that repair() is about
    QPointer<QWidget> m_jumped; ///< where Qt has put the focus meanwhile
};

} // namespace accumulus::ui
