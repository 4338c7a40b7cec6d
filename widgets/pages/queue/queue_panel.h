// SPDX-License-Identifier: GPL-3.0-or-later
// What waits to be trained: order, time, removal with undo, pause. Keys in the table: Alt+Up and Alt+Down move, Home
// with Alt runs next, Delete removes. GUI thread.
#pragma once

#include "widgets/models/queue_model.h"
#include "widgets/pages/page.h"
#include "widgets/style/controls.h"

#include <QTimer>
#include <QWidget>

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
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeButtons();
    void addKeys();
    void retranslate();
    void refresh();
    void showSelected(); ///< buttons and time of the selected row
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
    QPushButton *m_up, *m_down, *m_next, *m_remove, *m_pause;
    QCheckBox* m_later;
    QDateTimeEdit* m_time;
    QString m_selected; ///< stays selected when rows move
    bool m_showing = false;
    QTimer m_noticeClock;
};

} // namespace accumulus::ui
