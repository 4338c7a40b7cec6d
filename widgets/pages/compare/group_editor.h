// SPDX-License-Identifier: GPL-3.0-or-later
// Puts runs of the library into the groups of a comparison and takes them out. Knows no library: it is given the runs
// and tells the groups. GUI thread.
#pragma once

#include "core/base/message.h"
#include "core/store/run_records.h"
#include "widgets/models/group_model.h"
#include "widgets/style/controls.h"

#include <QStringList>
#include <functional>
#include <vector>

class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;

namespace accumulus::ui {

class GroupEditor : public Card {
    Q_OBJECT
public:
    explicit GroupEditor(const Theme& theme, QWidget* parent = nullptr);

    void setRuns(std::vector<RunRecord> runs);
    void setGroups(const QList<QStringList>& groups);
    void setLeftOut(const QStringList& sentences); ///< why runs of the groups are not used
    void focusFilter();

Q_SIGNALS:
    void groupsChanged(const QList<QStringList>& groups);
    void groupRequested(); ///< one more, without runs
    void done();

private:
    [[nodiscard]] QWidget* makeButtons();
    QPushButton* addButton(QLayout* row, const QString& text, const QString& name, const QString& tip, Qt::Key key,
                           GroupModel::Membership to);
    void moveSelected(GroupModel::Membership to);
    void showCounts();
    void updateButtons();
    [[nodiscard]] QList<int> selectedRows() const;
    void keepingSelection(const std::function<void()>& change); ///< of runs, whose rows may become others

    GroupModel* m_model;
    QSortFilterProxyModel* m_shown;
    QLineEdit* m_filter;
    QTableView* m_table;
    std::vector<QPushButton*> m_into; ///< A, B, ...: for as many groups as there can be
    QPushButton* m_out = nullptr;
    QPushButton* m_add = nullptr;
    RoleLabel* m_counts;
    RoleLabel* m_leftOut;
};

} // namespace accumulus::ui
