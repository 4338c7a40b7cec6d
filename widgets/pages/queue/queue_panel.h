// SPDX-License-Identifier: GPL-3.0-or-later
// What waits to be trained: order, time, removal with undo, pause, and why something could not begin. Keys in the
// table: Alt+Up and Alt+Down move, Home with Alt runs next, Delete removes. GUI thread.
#pragma once

#include "widgets/models/queue_model.h"
#include "widgets/pages/page.h"
#include "widgets/style/controls.h"

#include <QHash>
#include <QTimer>
#include <QWidget>

class QAction;
class QCheckBox;
class QDateTimeEdit;
class QPushButton;
class QTableView;
class QUndoStack;

namespace accumulus::ui {

class QueuePanel : public QWidget {
    Q_OBJECT
public:
    /// `edits`: where its changes can be undone; outlives the panel.
    QueuePanel(Services services, QUndoStack& edits, QWidget* parent = nullptr);

    void focusTable();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< Esc in the time: as it was

private:
    [[nodiscard]] QWidget* makeButtons();
    void connectTime();
    void addKeys();
    void retranslate();
    void refresh();
    void showSelected(); ///< buttons, time and problem of the selected row
    void showTime(const QueuedStudy* study);
    void applyTime();
    void restoreTime();
    [[nodiscard]] const QueuedStudy* selectedStudy() const; ///< null: none
    [[nodiscard]] QString selected() const;
    void select(const QString& id);
    void move(const QString& id, int to);
    void remove();
    void setNotBefore(double time);
    void recolor();
    [[nodiscard]] QString stateText() const;

    Services m_services;
    QUndoStack& m_edits;
    QueueModel* m_model;
    NoticeBar* m_removed;
    RoleLabel* m_state;
    QTableView* m_table;
    RoleLabel* m_problem; ///< why the selected one could not begin
    QPushButton *m_up, *m_down, *m_next, *m_remove, *m_again, *m_pause;
    QHash<QPushButton*, QAction*> m_keys;
    QCheckBox* m_later;
    QDateTimeEdit* m_time;
    QString m_selected;   ///< stays selected when rows move
    QString m_timed;      ///< whose time is shown
    bool m_typed = false; ///< it was changed, and not applied yet
    bool m_showing = false;
    QTimer m_noticeClock;
};

} // namespace accumulus::ui
