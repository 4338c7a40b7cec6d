// SPDX-License-Identifier: GPL-3.0-or-later
// How the columns of the library's table lie: at first, and as settings and saved views keep them. They are kept by
// name, so that a layout outlives columns that come and go. Values only, but for states of a QHeaderView; GUI thread.
#pragma once

#include "widgets/models/run_list_model.h"

#include <QByteArray>
#include <QHash>
#include <QStringList>
#include <vector>

class QHeaderView;

namespace accumulus::ui {

struct PlacedColumn {
    RunColumn column = RunColumn::Status;
    int width = 0; ///< 0: as wide as at first
    bool hidden = false;
    bool operator==(const PlacedColumn&) const = default;
};
/// From left to right, each column at most once.
using ColumnLayout = std::vector<PlacedColumn>;

[[nodiscard]] ColumnLayout firstLayout(); ///< of all columns
/// Columns that the layout lacks are added as they are at first, each behind the one that it follows then.
[[nodiscard]] ColumnLayout completed(ColumnLayout layout);
[[nodiscard]] bool knows(const ColumnLayout& layout, RunColumn column);

/// `hiddenWidths`: by section; of a hidden one QHeaderView does not tell.
[[nodiscard]] ColumnLayout layoutOf(const QHeaderView& header, const QHash<int, int>& hiddenWidths);
/// What earlier versions kept: QHeaderView's own state, which goes by numbers of columns. The header takes it on its
/// way. Empty where it is none.
[[nodiscard]] ColumnLayout layoutFromState(QHeaderView& header, const QByteArray& state);

[[nodiscard]] QStringList layoutTexts(const ColumnLayout& layout); ///< "name:311"; of a hidden one "-loss:90"
[[nodiscard]] ColumnLayout layoutFrom(const QStringList& texts);   ///< without columns that do not exist

[[nodiscard]] QString sortText(const std::vector<SortKey>& keys); ///< "+arm -metric"
/// Numbers of columns, which earlier versions kept, are read as well.
[[nodiscard]] std::vector<SortKey> sortKeysFrom(const QString& text);

} // namespace accumulus::ui
