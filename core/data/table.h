// SPDX-License-Identifier: GPL-3.0-or-later
// data.dataset = "table": a CSV or TSV file with a header line. data.target names the column to predict; all others are
// inputs. A column whose values are all numbers is standardised: (x - mean) / deviation, a missing value becomes the
// mean; any other column becomes one input for each of its categories (1 for the row's own, 0 else), missing values
// being a category of their own. Means, deviations and categories are those of the training rows; in other rows an
// unknown category is 0 everywhere.
//
// The target is not changed. Words are classes, in the order of their bytes; whole numbers from 0 to 9999 are classes
// as well as numbers, and the loss takes them for one or the other; other numbers are numbers (Dataset::classes 0).
// Inputs are fp64 [features], targets one number each.
#pragma once

#include "core/data/data_source.h"

namespace accumulus {

/// Errors "data.table.missing", "data.table.open", "data.table.form", "data.table.header", "data.table.target",
/// "data.table.column", "data.no-test", "data.no-room".
[[nodiscard]] Result<DataSource> openTable(const DataConfig& config);

} // namespace accumulus
