// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of a panel as CSV, whole or not at all. Any thread.
#pragma once

#include "core/base/result.h"
#include "widgets/plots/curve_data.h"

#include <QString>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace accumulus::ui {

struct CsvCurve {
    QString name;
    CurveData data;
};

/// Of the columns of numbers, with their units; where a title is empty, "x" and "y".
struct CsvTitles {
    QString x, y;
};

/// Long format: curve, x, y (raw), smoothed; with `visible` only the points inside. Ends early, with
/// "library.cancelled" and without a file, once `cancelled` says so. Error "file.write".
[[nodiscard]] Status writePlotCsv(const std::filesystem::path& file, const std::vector<CsvCurve>& curves,
                                  const std::optional<AxisRange>& visible, const std::function<bool()>& cancelled = {},
                                  const CsvTitles& titles = {});

} // namespace accumulus::ui
