// SPDX-License-Identifier: GPL-3.0-or-later
// The library's table: status as coloured mark and word, arm in its colour with solid or dashed stroke, columns that
// can be hidden and moved; layout and sort order are remembered. Keeps the selection by run while the model is reset.
// GUI thread.
#pragma once

#include "widgets/models/run_list_model.h"
#include "widgets/style/theme.h"

#include <QStringList>
#include <QTableView>

namespace accumulus::ui {

class RunTable : public QTableView {
    Q_OBJECT
public:
    RunTable(const Theme& theme, RunListModel& model, QWidget* parent = nullptr);
    ~RunTable() override; ///< remembers the layout

    [[nodiscard]] QStringList selectedRuns() const; ///< in the order of the rows
    void selectRuns(const QStringList& runs);
    void keepSelected(const QStringList& runs); ///< once they have been read
    void resetColumns();
    void saveColumns() const;

Q_SIGNALS:
    void selectionSettled(); ///< after a change of selection or of the rows below it

private:
    void showColumnMenu(const QPoint& position);
    void keepSelection();
    void restoreSelection();

    RunListModel& m_model;
    QStringList m_kept;
    QStringList m_wanted;
    QString m_current;
};

} // namespace accumulus::ui
