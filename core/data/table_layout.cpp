// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/table_layout.h"

#include "core/base/edit_distance.h"
#include "core/data/reason.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace accumulus {
namespace {

constexpr double largestClass = 10'000;
constexpr std::size_t longestDescription = 8 << 20; ///< bytes, which leaves room for the rest in a file of weights

tl::unexpected<Error> wrongColumn(const ScannedTable& table, const ScannedColumn& column, Message reason,
                                  const char* cure) {
    return failureBecause("data.table.column",
                          {{"file", table.file.path.string()}, {"column", column.name}, {"cure", cure}},
                          std::move(reason));
}

std::string lineText(std::int64_t line) { return std::to_string(line); }

/// What no column may hold, whether input or target.
Status checkValues(const ScannedTable& table, const ScannedColumn& column) {
    if (column.infiniteLine > 0 && !column.words)
        return wrongColumn(table, column, {"reason.column-infinite", {{"line", lineText(column.infiniteLine)}}},
                           "cure.column-infinite");
    if (!column.numbers && column.commas)
        return wrongColumn(table, column,
                           {"reason.decimal-comma", {{"line", lineText(column.textLine)}, {"text", column.text}}},
                           "cure.decimal-comma");
    if (!column.numbers && column.noRoom)
        return wrongColumn(table, column,
                           {"reason.mixed-values", {{"line", lineText(column.textLine)}, {"text", column.text}}},
                           "cure.many-categories");
    if (!column.numbers && column.tooMany)
        return wrongColumn(table, column,
                           {"reason.many-categories",
                            {{"line", lineText(column.textLine)},
                             {"text", column.text},
                             {"largest", std::to_string(largestCategoryCount)}}},
                           "cure.many-categories");
    return {};
}

tl::unexpected<Error> wrongTarget(const ScannedTable& table, const std::string& target, Message reason) {
    return failureBecause("data.table.target", {{"file", table.file.path.string()}, {"target", target}},
                          std::move(reason));
}

/// The column of this name in the table, which must have it.
Result<std::size_t> fieldOf(const ScannedTable& table, const std::string& name) {
    if (const ScannedColumn* column = table.find(name))
        return static_cast<std::size_t>(column - table.columns.data());
    return failureBecause("data.table.header", {{"file", table.file.path.string()}},
                          {"reason.column-absent", {{"column", name}}});
}

Status checkTargetColumn(const ScannedTable& table, const ScannedColumn& column) {
    ACCUMULUS_TRY(checkValues(table, column));
    if (column.missing > 0)
        return wrongColumn(table, column, {"reason.target-missing", {{"line", lineText(column.missingLine)}}},
                           "cure.target-missing");
    return {};
}

Result<TableTarget> targetOf(const DataConfig& config, const ScannedTable& train, const ScannedTable* test) {
    TableTarget target;
    target.name = config.target;
    if (config.target.empty())
        return wrongTarget(train, config.target, {"reason.no-target", {{"nearest", train.columns.back().name}}});
    const ScannedColumn* column = train.find(config.target);
    if (!column) {
        const auto distance = [&](const ScannedColumn& other) {
            return editDistance(std::string_view(config.target).substr(0, 64),
                                std::string_view(other.name).substr(0, 64));
        };
        return wrongTarget(
            train, config.target,
            {"reason.target-absent", {{"nearest", std::ranges::min_element(train.columns, {}, distance)->name}}});
    }
    target.field = static_cast<std::size_t>(column - train.columns.data());
    ACCUMULUS_TRY(checkTargetColumn(train, *column));
    if (column->values.size() == 1)
        return wrongColumn(train, *column, {"reason.one-value", {{"text", column->values.begin()->first}}},
                           "cure.one-value");
    std::vector<const ScannedColumn*> parts{column};
    if (test) {
        ACCUMULUS_TRY_ASSIGN(target.testField, fieldOf(*test, config.target));
        parts.push_back(&test->columns[target.testField]);
        ACCUMULUS_TRY(checkTargetColumn(*test, *parts.back()));
        if (column->numbers && !parts.back()->numbers)
            return wrongColumn(*test, *parts.back(),
                               {"reason.text-among-numbers",
                                {{"line", lineText(parts.back()->textLine)}, {"text", parts.back()->text}}},
                               "cure.text-among-numbers");
    }
    std::set<std::string> labels;
    bool whole = true;
    double largest = 0.0;
    for (const ScannedColumn* part : parts) {
        whole = whole && part->whole && part->least >= 0.0;
        largest = std::max(largest, part->largest);
        for (const auto& [value, occurrences] : part->values)
            labels.insert(value);
    }
    if (!column->numbers) {
        target.labels.assign(labels.begin(), labels.end());
        target.classes = std::ssize(target.labels);
    } else if (whole && largest < largestClass) {
        target.classes = static_cast<std::int64_t>(largest) + 1;
    }
    return target;
}

/// Values of these rows that belong to none of the categories of the training rows.
std::int64_t unknownIn(const ScannedColumn& column, const TableInput& input, const ScannedColumn& trained,
                       std::int64_t trainRows) {
    std::int64_t unknown = input.missingCategory ? 0 : column.missing;
    for (const auto& [value, occurrences] : column.values) {
        const auto known = trained.values.find(value);
        if (known == trained.values.end() || known->second.first >= trainRows)
            unknown += occurrences.count;
    }
    return unknown;
}

Status addInput(const ScannedTable& train, const ScannedTable* test, std::size_t field, TableLayout& layout) {
    const ScannedColumn& column = train.columns[field];
    ACCUMULUS_TRY(checkValues(train, column));
    TableInput input;
    input.name = column.name;
    input.field = field;
    input.first = layout.features;
    input.number = column.numbers; // also where all values are missing
    if (!input.number) {
        input.categories = column.categories(layout.trainRows);
        input.missingCategory = column.firstMissing >= 0 && column.firstMissing < layout.trainRows;
        layout.unknown += unknownIn(column, input, column, layout.trainRows);
    }
    if (test) {
        ACCUMULUS_TRY_ASSIGN(input.testField, fieldOf(*test, column.name));
        const ScannedColumn& other = test->columns[input.testField];
        if (!input.number) {
            if (other.tooMany)
                ACCUMULUS_TRY(checkValues(*test, other));
            layout.unknown += unknownIn(other, input, column, layout.trainRows);
        } else {
            ACCUMULUS_TRY(checkValues(*test, other));
            if (!other.numbers)
                return wrongColumn(
                    *test, other,
                    {"reason.text-among-numbers", {{"line", lineText(other.textLine)}, {"text", other.text}}},
                    "cure.text-among-numbers");
        }
    }
    layout.features += input.inputs();
    layout.inputs.push_back(std::move(input));
    return {};
}

} // namespace

std::string TableLayout::json() const {
    using Json = nlohmann::ordered_json;
    Json columns = Json::array();
    for (const TableInput& input : inputs) {
        Json& column = columns.emplace_back();
        column["name"] = input.name;
        if (input.number) {
            column["mean"] = input.mean;
            column["deviation"] = input.deviation;
        } else {
            column["categories"] = input.categories;
            column["missing"] = input.missingCategory;
        }
    }
    Json answer;
    answer["name"] = target.name;
    answer["classes"] = target.classes;
    if (!target.labels.empty())
        answer["labels"] = target.labels;
    Json whole;
    whole["inputs"] = std::move(columns);
    whole["target"] = std::move(answer);
    return whole.dump();
}

Result<TableLayout> layoutOf(const DataConfig& config, const ScannedTable& train, const ScannedTable* test) {
    TableLayout layout;
    ACCUMULUS_TRY_ASSIGN(layout.target, targetOf(config, train, test));
    // Where nothing is left, loading says so.
    layout.trainRows = config.validation < train.rows ? train.rows - config.validation : train.rows;
    for (std::size_t field = 0; field < train.columns.size(); ++field)
        if (field != layout.target.field)
            ACCUMULUS_TRY(addInput(train, test, field, layout));
    if (layout.features > largestInputCount || layout.json().size() > longestDescription)
        return failureBecause(
            "data.table.header", {{"file", train.file.path.string()}},
            {"reason.many-inputs",
             {{"inputs", std::to_string(layout.features)}, {"largest", std::to_string(largestInputCount)}}});
    return layout;
}

} // namespace accumulus
