// SPDX-License-Identifier: GPL-3.0-or-later
// A table of a report as pieces: a header and one piece per row, of a row that is taller than a page one per line.
// Internal to report_pages.
#pragma once

#include "widgets/print/report_pieces.h"
#include "widgets/style/theme.h"

namespace accumulus::ui {

[[nodiscard]] std::vector<ReportPiece> setTable(const ReportTable& table, const ReportFonts& fonts,
                                                const ThemeColors& colors, const QSizeF& page);

/// Widths of columns that want `natural` and can be broken down to `least`, in `width` altogether. Internal, tested.
[[nodiscard]] std::vector<double> columnWidths(const std::vector<double>& natural, const std::vector<double>& least,
                                               double width);

} // namespace accumulus::ui
