// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/table.h"

#include "core/base/printable.h"
#include "core/base/some_of.h"
#include "core/data/reason.h"
#include "core/data/table_layout.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace accumulus {
namespace {

/// The rows of one file while they are read.
struct Rows {
    std::int64_t count = 0;
    std::vector<double> inputs; ///< count x features; NaN: a number that is missing
    std::vector<std::int64_t> classes;
    std::vector<double> numbers;
};

struct Table {
    ScannedTable train;
    std::optional<ScannedTable> test;
    TableLayout layout;
};

class RowReader {
public:
    RowReader(const TableLayout& layout, const ScannedTable& table, bool isTest)
        : m_layout(layout), m_table(table), m_isTest(isTest) {
        for (const TableInput& input : layout.inputs) {
            auto& places = m_places.emplace_back();
            for (const std::string& category : input.categories)
                places.emplace(category, static_cast<std::int64_t>(places.size()));
        }
        for (const std::string& label : layout.target.labels)
            m_labels.emplace(label, static_cast<std::int64_t>(m_labels.size()));
    }

    Result<Rows> read() {
        Rows rows;
        const auto values = static_cast<std::size_t>(m_table.rows * m_layout.features);
        rows.inputs.resize(values);
        const bool classes = m_layout.target.classes > 0;
        (classes ? rows.classes.resize(static_cast<std::size_t>(m_table.rows))
                 : rows.numbers.resize(static_cast<std::size_t>(m_table.rows)));
        bool header = true;
        ACCUMULUS_TRY(readCsv(m_table.file, [&](const CsvRecord& record) -> Result<bool> {
            if (std::exchange(header, false))
                return true;
            if (rows.count == m_table.rows)
                return false;
            if (record.fields.size() != m_table.columns.size() || !readRow(record, rows))
                return changed(record.line);
            ++rows.count;
            return true;
        }));
        if (rows.count != m_table.rows)
            return changed(rows.count);
        return rows;
    }

private:
    tl::unexpected<Error> changed(std::int64_t line) const {
        return failureBecause("data.table.form", {{"file", m_table.file.path.string()}, {"line", std::to_string(line)}},
                              {"reason.changed-while-read", {}});
    }

    /// Whether it is as it was when the table was looked through.
    bool readRow(const CsvRecord& record, Rows& rows) const {
        double* const out = rows.inputs.data() + rows.count * m_layout.features;
        for (std::size_t i = 0; i < m_layout.inputs.size(); ++i) {
            const TableInput& input = m_layout.inputs[i];
            if (!readInput(input, m_places[i], record.fields[m_isTest ? input.testField : input.field],
                           out + input.first))
                return false;
        }
        const TableTarget& target = m_layout.target;
        return readTarget(record.fields[m_isTest ? target.testField : target.field],
                          static_cast<std::size_t>(rows.count), rows);
    }

    static bool readInput(const TableInput& input, const auto& places, std::string_view field, double* out) {
        const std::string_view value = trimmedField(field);
        const bool missing = isMissing(value);
        if (input.number) {
            const auto number = missing ? std::numeric_limits<double>::quiet_NaN() : numberOf(value);
            *out = number.value_or(0.0);
            return number.has_value();
        }
        if (missing) {
            if (input.missingCategory)
                out[input.categories.size()] = 1.0;
        } else if (const auto place = places.find(value); place != places.end()) {
            out[place->second] = 1.0;
        }
        return true;
    }

    bool readTarget(std::string_view field, std::size_t row, Rows& rows) const {
        const std::string_view value = trimmedField(field);
        if (!m_layout.target.labels.empty()) {
            const auto label = m_labels.find(value);
            rows.classes[row] = label == m_labels.end() ? 0 : label->second;
            return label != m_labels.end();
        }
        const double number = numberOf(value).value_or(-1.0);
        if (m_layout.target.classes == 0) {
            rows.numbers[row] = number;
            return numberOf(value).has_value();
        }
        const bool isClass = number >= 0.0 && number < static_cast<double>(m_layout.target.classes);
        rows.classes[row] = isClass ? static_cast<std::int64_t>(number) : 0;
        return isClass;
    }

    const TableLayout& m_layout;
    const ScannedTable& m_table;
    bool m_isTest;
    std::vector<std::unordered_map<std::string_view, std::int64_t>> m_places; ///< category to input, of each column
    std::unordered_map<std::string_view, std::int64_t> m_labels;
};

/// Mean and deviation of the numbers of one column in the training rows, missing ones left out.
void measure(const Rows& rows, const TableLayout& layout, TableInput& input) {
    const auto forEach = [&](auto&& use) {
        for (std::int64_t row = 0; row < layout.trainRows; ++row) {
            const double value = rows.inputs[static_cast<std::size_t>(row * layout.features + input.first)];
            if (!std::isnan(value))
                use(value);
        }
    };
    // Summed relative to the first value, so that large offsets do no harm.
    double shift = std::numeric_limits<double>::quiet_NaN();
    double sum = 0.0;
    double count = 0.0;
    forEach([&](double value) {
        if (std::isnan(shift))
            shift = value;
        sum += value - shift;
        count += 1.0;
    });
    if (count == 0.0)
        return;
    input.mean = shift + sum / count;
    double squares = 0.0;
    forEach([&](double value) { squares += (value - input.mean) * (value - input.mean); });
    const double deviation = std::sqrt(squares / count);
    if (std::isfinite(deviation) && deviation > 0.0)
        input.deviation = deviation;
}

void standardise(const TableLayout& layout, Rows& rows) {
    for (const TableInput& input : layout.inputs) {
        if (!input.number)
            continue;
        for (std::int64_t row = 0; row < rows.count; ++row) {
            double& value = rows.inputs[static_cast<std::size_t>(row * layout.features + input.first)];
            value = std::isnan(value) ? 0.0 : (value - input.mean) / input.deviation;
        }
    }
}

template <class Value>
TensorColumn columnOf(ElementType type, std::vector<std::int64_t> shape, std::vector<Value> values) {
    const auto owner = std::make_shared<const std::vector<Value>>(std::move(values));
    TensorColumn column;
    column.type = type;
    column.shape = std::move(shape);
    column.data = std::as_bytes(std::span(*owner)).data();
    column.storage = owner;
    return column;
}

TensorSet tensorsOf(const TableLayout& layout, Rows rows) {
    TensorSet set;
    set.count = rows.count;
    set.inputs = columnOf(ElementType::Float64, {layout.features}, std::move(rows.inputs));
    set.targets = layout.target.classes > 0 ? columnOf(ElementType::Int64, {}, std::move(rows.classes))
                                            : columnOf(ElementType::Float64, {}, std::move(rows.numbers));
    return set;
}

Status readTable(const Table& table, Dataset& set) {
    TableLayout layout = table.layout;
    ACCUMULUS_TRY_ASSIGN(auto rows, RowReader(layout, table.train, false).read());
    for (TableInput& input : layout.inputs)
        if (input.number)
            measure(rows, layout, input);
    standardise(layout, rows);
    set.trainTensors = tensorsOf(layout, std::move(rows));
    if (table.test) {
        ACCUMULUS_TRY_ASSIGN(auto testRows, RowReader(layout, *table.test, true).read());
        standardise(layout, testRows);
        set.testTensors = tensorsOf(layout, std::move(testRows));
    }
    set.preparation = layout.json();
    return {};
}

Result<ScannedTable> scan(const std::string& setting, std::int64_t limit) {
    const auto path = pathOfText(setting);
    std::error_code ignored;
    if (path.empty() || !std::filesystem::is_regular_file(path, ignored))
        return failureBecause("data.table.missing", {{"path", path.string()}},
                              {path.empty()                                   ? "reason.no-path-table"
                               : std::filesystem::is_directory(path, ignored) ? "reason.is-folder"
                                                                              : "reason.no-such-file",
                               {}});
    return scanTable(path, limit);
}

std::vector<Message> factsOf(const Table& table, const DataConfig& config) {
    const auto text = [](std::int64_t number) { return std::to_string(number); };
    const TableLayout& layout = table.layout;
    const auto numbers = std::ranges::count(layout.inputs, true, &TableInput::number);
    const auto categories = std::ssize(layout.inputs) - numbers;
    std::int64_t missing = 0;
    for (const TableInput& input : layout.inputs) {
        missing += table.train.columns[input.field].missing;
        missing += table.test ? table.test->columns[input.testField].missing : 0;
    }
    std::vector<Message> facts{{"fact.table", {}}, {"fact.table-rows", {{"rows", text(table.train.rows)}}}};
    facts.push_back(table.test ? Message{"fact.table-test-rows", {{"rows", text(table.test->rows)}}}
                               : Message{"fact.test-is-validation", {{"samples", text(config.validation)}}});
    facts.push_back({"fact.table-columns", {{"numbers", text(numbers)}, {"categories", text(categories)}}});
    facts.push_back({"fact.table-inputs", {{"inputs", text(layout.features)}}});
    const TableTarget& target = layout.target;
    facts.push_back({target.classes == 0     ? "fact.target-numbers"
                     : target.labels.empty() ? "fact.target-classes"
                                             : "fact.target-labels",
                     {{"target", target.name}, {"classes", text(target.classes)}, {"last", text(target.classes - 1)}}});
    // What is held out is the end of the file.
    if (config.validation > 0 && target.classes > 1)
        if (const auto only = table.train.columns[target.field].onlyValueFrom(layout.trainRows))
            facts.push_back({"fact.held-out-one-class", {{"class", *only}}});
    constexpr int most = 3; // of a whole table of them
    int told = 0;
    for (const TableInput& input : layout.inputs)
        if (const ScannedColumn& column = table.train.columns[input.field]; column.isMostlyNumbers() && told++ < most)
            facts.push_back({"fact.mostly-numbers",
                             {{"column", column.name},
                              {"line", text(column.textLine)},
                              {"text", column.text},
                              {"values", text(input.inputs())}}});
    if (missing > 0)
        facts.push_back({"fact.missing-values", {{"values", text(missing)}}});
    if (layout.unknown > 0)
        facts.push_back({"fact.unknown-categories", {{"values", text(layout.unknown)}}});
    facts.push_back({"fact.place", {{"path", config.path}}});
    if (table.test)
        facts.push_back({"fact.test-file", {{"path", config.testPath}}});
    return facts;
}

std::string labelsText(std::vector<std::string> labels) {
    constexpr std::size_t longest = 30;
    for (std::string& label : labels)
        label = printable(label.substr(0, longest));
    return someOf(labels, 3);
}

} // namespace

Result<DataSource> openTable(const DataConfig& config) {
    Table table;
    ACCUMULUS_TRY_ASSIGN(table.train, scan(config.path, config.trainLimit));
    if (!config.testPath.empty()) {
        ACCUMULUS_TRY_ASSIGN(table.test, scan(config.testPath, config.testLimit));
    }
    if (!table.test && config.validation == 0)
        return failure("data.no-test",
                       {{"path", pathOfText(config.path).string()}, {"samples", std::to_string(table.train.rows)}});
    ACCUMULUS_TRY_ASSIGN(table.layout, layoutOf(config, table.train, table.test ? &*table.test : nullptr));
    DataSource source;
    DatasetSizes& sizes = source.sizes;
    sizes.tensors = true;
    sizes.train = table.train.rows;
    sizes.test = table.test ? table.test->rows : config.validation;
    sizes.classes = table.layout.target.classes;
    const ScannedColumn& target = table.train.columns[table.layout.target.field];
    if (target.numbers)
        sizes.targetValues = {target.least, target.largest, 0};
    else
        sizes.targetValues = {0.0, static_cast<double>(sizes.classes - 1), 0, labelsText(table.layout.target.labels)};
    if (target.numbers && table.test) {
        const ScannedColumn& other = table.test->columns[table.layout.target.testField];
        sizes.targetValues = together(sizes.targetValues, {other.least, other.largest, 0});
    }
    sizes.channels = table.layout.features;
    sizes.height = sizes.width = 1;
    sizes.inputs.type = ElementType::Float64;
    sizes.inputs.shape = {table.layout.features};
    sizes.targets.type = sizes.classes > 0 ? ElementType::Int64 : ElementType::Float64;
    sizes.facts = factsOf(table, config);
    const auto bytesOf = [&](std::int64_t rows) {
        return rows * (table.layout.features * elementBytes(sizes.inputs.type) + elementBytes(sizes.targets.type));
    };
    source.trainStored = bytesOf(table.train.rows);
    source.testStored = table.test ? bytesOf(table.test->rows) : 0;
    source.read = [shared = std::make_shared<const Table>(std::move(table))](Dataset& set) {
        return readTable(*shared, set);
    };
    return source;
}

} // namespace accumulus
