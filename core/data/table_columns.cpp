// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/table_columns.h"

#include "core/base/readable_text.h"
#include "core/data/reason.h"
#include "core/data/scan_cache.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace accumulus {
namespace {

/// A number if its comma were a point.
bool hasDecimalComma(std::string_view field) {
    const auto comma = field.find(',');
    if (comma == std::string_view::npos || field.size() > 64)
        return false;
    std::string pointed(field);
    pointed[comma] = '.';
    return numberOf(pointed).has_value();
}

/// Some 40 bytes of whole characters.
std::string beginningOf(std::string_view value) {
    constexpr std::size_t enough = 40;
    if (value.size() <= enough)
        return std::string(value);
    std::size_t size = 0;
    while (size < enough)
        size += std::max<std::size_t>(1, utf8Length(value.substr(size, 4)));
    return std::string(value.substr(0, size)) + "...";
}

/// What is written, where it is nearer to 0 than the numbers of fp64.
std::optional<double> tinyNumber(std::string_view field) {
    long double number = 0.0L;
    const auto [end, problem] = std::from_chars(field.data(), field.data() + field.size(), number);
    if (problem != std::errc() || end != field.data() + field.size() || std::abs(number) >= 1.0L)
        return std::nullopt;
    return static_cast<double>(number);
}

/// Written as a number, and not finite or beyond what fp64 holds.
bool isInfinite(std::string_view field) {
    double number = 0.0;
    const auto [end, problem] = std::from_chars(field.data(), field.data() + field.size(), number);
    return end == field.data() + field.size() &&
           (problem == std::errc() || (problem == std::errc::result_out_of_range && !tinyNumber(field)));
}

void forgetValues(ScannedColumn& column) {
    column.tooMany = true;
    column.values.clear();
}

void count(ScannedColumn& column, std::string_view value, std::int64_t row) {
    if (column.tooMany)
        return;
    const auto known = column.values.find(value);
    if (known != column.values.end()) {
        ++known->second.count;
        known->second.last = row;
    } else if (column.values.size() < largestCategoryCount && value.size() <= longestCategory) {
        column.values.emplace(value, Occurrences{row, 1, row});
    } else {
        forgetValues(column);
    }
}

/// Values that are kept in case a column of numbers turns out to be one of categories are let go where they become too
/// many, those of the columns with the most of them first. False where the categories alone are too many.
bool makeRoom(ScannedTable& table) {
    const auto kept = [&] {
        std::size_t values = 0;
        for (const ScannedColumn& column : table.columns)
            values += column.values.size();
        return values;
    };
    constexpr std::size_t fewest = 2; // what a target of one value is known by
    for (std::size_t most = largestCategoryCount; most > fewest && kept() > largestValueCount / 2; most /= 2)
        for (ScannedColumn& column : table.columns)
            if (column.numbers && column.values.size() > most / 2) {
                forgetValues(column);
                column.noRoom = true;
            }
    return kept() <= largestValueCount;
}

void scanField(ScannedColumn& column, std::string_view field, std::int64_t row, std::int64_t line) {
    const std::string_view value = trimmedField(field);
    if (isMissing(value)) {
        if (++column.missing == 1) {
            column.firstMissing = row;
            column.missingLine = line;
        }
        return;
    }
    ++column.present;
    count(column, value, row);
    const auto number = numberOf(value);
    if (!number) {
        const bool infinite = isInfinite(value);
        if (infinite && column.infiniteLine == 0)
            column.infiniteLine = line;
        if (column.numbers) {
            column.textLine = line;
            column.text = beginningOf(value);
        }
        column.numbers = false;
        const bool comma = (column.commas || !column.words) && hasDecimalComma(value);
        column.commas = column.commas && comma;
        column.words = column.words || !(infinite || comma);
        return;
    }
    ++column.numeric;
    column.whole = column.whole && std::floor(*number) == *number;
    column.least = std::min(column.least, *number);
    column.largest = std::max(column.largest, *number);
}

tl::unexpected<Error> wrongHeader(const CsvFile& file, Message reason) {
    return failureBecause("data.table.header", {{"file", file.path.string()}}, std::move(reason));
}

Status readHeader(const CsvRecord& record, ScannedTable& table) {
    if (record.fields.size() > largestFieldCount)
        return wrongHeader(table.file, {"reason.many-columns", {{"largest", std::to_string(largestFieldCount)}}});
    if (record.fields.size() < 2)
        return wrongHeader(table.file, {"reason.one-column", {}});
    std::map<std::string_view, std::size_t> places;
    for (const std::string_view field : record.fields) {
        const std::string_view name = trimmedField(field);
        const std::size_t place = table.columns.size() + 1;
        if (name.empty())
            return wrongHeader(table.file, {"reason.column-unnamed", {{"place", std::to_string(place)}}});
        if (const auto [known, isNew] = places.emplace(name, place); !isNew)
            return wrongHeader(table.file, {"reason.column-twice",
                                            {{"column", std::string(name)},
                                             {"place", std::to_string(known->second)},
                                             {"second", std::to_string(place)}}});
        table.columns.emplace_back().name = name;
    }
    return {};
}

Status checkWidth(const ScannedTable& table, const CsvRecord& record) {
    if (record.fields.size() == table.columns.size())
        return {};
    return failureBecause(
        "data.table.form", {{"file", table.file.path.string()}, {"line", std::to_string(record.line)}},
        {"reason.ragged-row",
         {{"fields", std::to_string(record.fields.size())}, {"columns", std::to_string(table.columns.size())}}});
}

/// Of the file of `table`.
Status scanRows(ScannedTable& table, std::int64_t limit) {
    const auto scanRecord = [&](const CsvRecord& record) -> Result<bool> {
        if (table.columns.empty()) {
            ACCUMULUS_TRY(readHeader(record, table));
            return true;
        }
        if (limit > 0 && table.rows == limit)
            return false;
        ACCUMULUS_TRY(checkWidth(table, record));
        std::size_t kept = 0;
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            scanField(table.columns[i], record.fields[i], table.rows, record.line);
            kept += table.columns[i].values.size();
        }
        if (kept > largestValueCount && !makeRoom(table))
            return wrongHeader(table.file, {"reason.many-values", {{"largest", std::to_string(largestValueCount)}}});
        ++table.rows;
        return true;
    };
    ACCUMULUS_TRY(readCsv(table.file, scanRecord));
    if (table.columns.empty())
        return wrongHeader(table.file, {"reason.file-empty", {}});
    if (table.rows == 0)
        return wrongHeader(table.file, {"reason.no-rows", {}});
    return {};
}

} // namespace

std::string_view trimmedField(std::string_view field) {
    const auto first = field.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return field.substr(first, field.find_last_not_of(" \t") - first + 1);
}

std::optional<double> numberOf(std::string_view field) {
    field = trimmedField(field);
    if (field.starts_with('+') && !field.starts_with("+-"))
        field.remove_prefix(1);
    double number = 0.0;
    const auto [end, problem] = std::from_chars(field.data(), field.data() + field.size(), number);
    if (problem == std::errc::result_out_of_range && end == field.data() + field.size())
        return tinyNumber(field);
    if (problem != std::errc() || end != field.data() + field.size() || !std::isfinite(number))
        return std::nullopt;
    return number;
}

bool isMissing(std::string_view field) {
    constexpr std::array<std::string_view, 5> words{"na", "n/a", "#n/a", "nan", "null"};
    const auto equal = [field](std::string_view word) {
        return std::ranges::equal(field, word, [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
    };
    field = trimmedField(field);
    return field.empty() || std::ranges::any_of(words, [&](std::string_view word) {
               return word.size() == field.size() && equal(word);
           });
}

std::vector<std::string> ScannedColumn::categories(std::int64_t rows) const {
    std::vector<std::string> names;
    for (const auto& [value, occurrences] : values)
        if (occurrences.first < rows)
            names.push_back(value);
    return names;
}

std::optional<std::string> ScannedColumn::onlyValueFrom(std::int64_t rows) const {
    std::optional<std::string> only;
    bool others = false;
    for (const auto& [value, occurrences] : values) {
        if (occurrences.last < rows) {
            others = true;
            continue;
        }
        if (only)
            return std::nullopt;
        only = value;
    }
    return others && !tooMany && missing == 0 ? only : std::nullopt;
}

const ScannedColumn* ScannedTable::find(std::string_view name) const {
    const auto found = std::ranges::find(columns, name, &ScannedColumn::name);
    return found == columns.end() ? nullptr : &*found;
}

Result<ScannedTable> scanTable(const std::filesystem::path& path, std::int64_t limit) {
    struct Found {
        std::vector<ScannedColumn> columns;
        std::int64_t rows = 0;
    };
    static ScanCache<Found, 2> known;
    ScannedTable table;
    ACCUMULUS_TRY_ASSIGN(table.file, openCsv(path));
    if (auto found = known.find(*table.file.content, limit)) {
        table.columns = std::move(found->columns);
        table.rows = found->rows;
        return table;
    }
    ACCUMULUS_TRY(scanRows(table, limit));
    known.keep(*table.file.content, limit, {table.columns, table.rows});
    return table;
}

} // namespace accumulus
