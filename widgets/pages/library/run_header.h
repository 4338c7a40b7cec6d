// SPDX-License-Identifier: GPL-3.0-or-later
// The header of the library's table: a click sorts by a column, a click with Shift sorts by it as well. Each of the
// columns that rows are sorted by has an arrow, and its place among them as a small number. GUI thread.
#pragma once

#include "widgets/models/run_list_model.h"

#include <QHeaderView>

namespace accumulus::ui {

class RunHeader : public QHeaderView {
    Q_OBJECT
public:
    RunHeader(RunListModel& model, QWidget* parent);

protected:
    void initStyleOptionForIndex(QStyleOptionHeader* option, int logicalIndex) const override;

private:
    void sortBy(int section);

    RunListModel& m_model;
};

} // namespace accumulus::ui
