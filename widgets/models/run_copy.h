// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the library's table as text for other programs. GUI thread.
#pragma once

#include "widgets/models/run_list_model.h"

#include <QList>
#include <QString>

namespace accumulus::ui {

/// For spreadsheets: numbers with all their digits and a point, of groups the mean; separated by tabulators.
[[nodiscard]] QString rowsAsTsv(const RunListModel& model, const QList<int>& rows, const QList<RunColumn>& columns);
/// For documents: a table as it is shown, with the differences to the baseline.
[[nodiscard]] QString rowsAsMarkdown(const RunListModel& model, const QList<int>& rows,
                                     const QList<RunColumn>& columns);

} // namespace accumulus::ui
