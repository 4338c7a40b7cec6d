// SPDX-License-Identifier: GPL-3.0-or-later
// How the rows of a table become the inputs and the target of a model. Numbers take one input each, categories one for
// each category; both are learned from the training rows alone.
#pragma once

#include "core/data/table_columns.h"

namespace accumulus {

struct TableInput {
    std::string name;
    std::size_t field = 0;     ///< of a row of the training file
    std::size_t testField = 0; ///< of a row of the test file
    std::int64_t first = 0;    ///< input; a number has one
    bool number = true;
    double mean = 0.0, deviation = 1.0;  ///< of the numbers, once rows were read; deviation 1 where all are the same
    std::vector<std::string> categories; ///< in the order of their bytes, one input each
    bool missingCategory = false;        ///< one input more, the last, for missing values

    [[nodiscard]] std::int64_t inputs() const {
        return number ? 1 : std::ssize(categories) + (missingCategory ? 1 : 0);
    }
};

/// Of a table: their description goes into every checkpoint.
inline constexpr std::int64_t largestInputCount = 100'000;

struct TableTarget {
    std::string name;
    std::size_t field = 0, testField = 0;
    std::int64_t classes = 0;        ///< 0: real numbers
    std::vector<std::string> labels; ///< of a column that is not of numbers: class i is labels[i]
};

struct TableLayout {
    std::vector<TableInput> inputs;
    TableTarget target;
    std::int64_t features = 0;
    std::int64_t trainRows = 0; ///< whose statistics are taken: without the validation rows
    std::int64_t unknown = 0;   ///< values of validation and test rows whose category no training row has

    /// For whoever uses the model elsewhere: {"inputs": [{"name", "mean", "deviation"} or {"name", "categories",
    /// "missing"}], "target": {"name", "classes", "labels"}}.
    [[nodiscard]] std::string json() const;
};

/// Errors "data.table.header", "data.table.target", "data.table.column". `test`: null without a test file.
[[nodiscard]] Result<TableLayout> layoutOf(const DataConfig& config, const ScannedTable& train,
                                           const ScannedTable* test);

} // namespace accumulus
