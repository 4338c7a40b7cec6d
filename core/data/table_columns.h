// SPDX-License-Identifier: GPL-3.0-or-later
// What the columns of a table hold: numbers, or categories. Found by reading all of it once; nothing but counts and
// categories is kept.
#pragma once

#include "core/data/csv_file.h"
#include "core/data/dataset.h"

#include <limits>
#include <map>
#include <optional>

namespace accumulus {

/// Without spaces and tabs around it.
[[nodiscard]] std::string_view trimmedField(std::string_view field);
/// A number with a decimal point, finite; nullopt for anything else.
[[nodiscard]] std::optional<double> numberOf(std::string_view field);
/// Empty, NA, N/A, #N/A, NaN or null, in any case. "None" is a class as often.
[[nodiscard]] bool isMissing(std::string_view field);

/// Categories of one column.
inline constexpr std::size_t largestCategoryCount = 1000;
/// Bytes: what is longer is no category but free text.
inline constexpr std::size_t longestCategory = 256;

/// Different values of all columns that are kept at a time.
inline constexpr std::size_t largestValueCount = 200'000;

struct Occurrences {
    std::int64_t first = 0; ///< row, from 0
    std::int64_t count = 0;
    std::int64_t last = 0; ///< row
};

struct ScannedColumn {
    std::string name;
    bool numbers = true; ///< every value is one, or missing
    bool whole = true;   ///< and a whole one
    double least = std::numeric_limits<double>::infinity();
    double largest = -std::numeric_limits<double>::infinity();
    std::int64_t present = 0;       ///< values that are not missing
    std::int64_t numeric = 0;       ///< those of them that are numbers
    std::int64_t missing = 0;       ///< others
    std::int64_t firstMissing = -1; ///< row, -1: none
    std::int64_t missingLine = 0;   ///< its line
    std::int64_t textLine = 0;      ///< of the first value that is no number
    std::string text;               ///< that value
    std::int64_t infiniteLine = 0;  ///< of the first number that is not finite, 0: none
    bool words = false;             ///< a value is no number, not even one that is not finite or has a decimal comma
    bool commas = true;             ///< what is no number would be one with a decimal point
    bool noRoom = false;            ///< its values were let go because the table has too many
    bool tooMany = false; ///< more than largestCategoryCount different values, or a long one, or no room: none is kept
    std::map<std::string, Occurrences, std::less<>> values;

    [[nodiscard]] bool isNumber() const { return numbers && present > 0; }
    /// Categories because of a few values: a column of numbers, most likely, with a mistake in it.
    [[nodiscard]] bool isMostlyNumbers() const {
        constexpr std::int64_t enough = 20;
        return !numbers && numeric >= enough && 10 * numeric >= 9 * present;
    }
    /// Of the training rows [0, rows), in the order of their bytes.
    [[nodiscard]] std::vector<std::string> categories(std::int64_t rows) const;
    /// The only value of the rows from `rows` on, where the rows before them have others as well.
    [[nodiscard]] std::optional<std::string> onlyValueFrom(std::int64_t rows) const;
};

struct ScannedTable {
    CsvFile file;
    std::vector<ScannedColumn> columns; ///< as the header has them
    std::int64_t rows = 0;

    [[nodiscard]] const ScannedColumn* find(std::string_view name) const;
};

/// Reads the first `limit` rows (0: all). Column names are there, each once; every row has as many fields. Errors
/// "data.table.open", "data.table.form", "data.table.header".
[[nodiscard]] Result<ScannedTable> scanTable(const std::filesystem::path& path, std::int64_t limit);

} // namespace accumulus
