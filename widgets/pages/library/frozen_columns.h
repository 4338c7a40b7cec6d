// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the first columns of a table in sight while the others scroll: a second view of the same model lies over them.
// GUI thread.
#pragma once

#include <QObject>

class QHeaderView;
class QTableView;

namespace accumulus::ui {

class FrozenColumns : public QObject {
    Q_OBJECT
public:
    /// `header`: of the view that lies above, made for it. The table has its model, delegate and rows by then.
    FrozenColumns(QTableView& table, QTableView& above, QHeaderView* header);

    void setCount(int count); ///< of the first columns that are shown; 0: none
    [[nodiscard]] int count() const { return m_count; }
    [[nodiscard]] QTableView& viewOf(int section) const; ///< in which a person sees that column
    void setRowHeight(int height);                       ///< of both

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void takeColumns(); ///< which they are, in which order, how wide
    void place();

    QTableView& m_table;
    QTableView& m_above;
    int m_count = 0;
    bool m_taking = false;
};

} // namespace accumulus::ui
