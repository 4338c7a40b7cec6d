// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/field_parse.h"

#include "core/config/field_formatting.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <toml++/toml.h>

namespace accumulus {

namespace {

const char* kindOf(const toml::node& node) {
    switch (node.type()) {
    case toml::node_type::table:
        return "reason.given-table";
    case toml::node_type::array:
        return "reason.given-list";
    case toml::node_type::string:
        return "reason.given-text";
    case toml::node_type::integer:
        return "reason.given-integer";
    case toml::node_type::floating_point:
        return "reason.given-real";
    case toml::node_type::boolean:
        return "reason.given-boolean";
    default:
        return "reason.given-date";
    }
}

std::string shown(const toml::node& node) {
    if (const auto* text = node.as_string())
        return excerpt(accumulus::quoted(text->get()));
    if (const auto* number = node.as_integer())
        return std::to_string(number->get());
    if (const auto* real = node.as_floating_point())
        return realText(real->get());
    if (const auto* flag = node.as_boolean())
        return flag->get() ? "true" : "false";
    if (node.is_array())
        return "[...]";
    return node.is_table() ? "{...}" : "(date)";
}

std::optional<std::vector<std::int64_t>> integersOf(const toml::node& node) {
    const auto* array = node.as_array();
    if (!array)
        return std::nullopt;
    std::vector<std::int64_t> values;
    for (const toml::node& item : *array) {
        const auto* number = item.as_integer();
        if (!number)
            return std::nullopt;
        values.push_back(number->get());
    }
    return values;
}

std::optional<std::vector<double>> numbersOf(const toml::node& node) {
    const auto* array = node.as_array();
    if (!array)
        return std::nullopt;
    std::vector<double> values;
    for (const toml::node& item : *array) {
        const auto number = item.value<double>();
        if (!number || !item.is_number())
            return std::nullopt;
        values.push_back(*number);
    }
    return values;
}

std::optional<std::vector<std::string>> textsOf(const toml::node& node) {
    const auto* array = node.as_array();
    if (!array)
        return std::nullopt;
    std::vector<std::string> values;
    for (const toml::node& item : *array) {
        const auto* text = item.as_string();
        if (!text)
            return std::nullopt;
        values.push_back(text->get());
    }
    return values;
}

/// [[update, effective], ...]
std::optional<BatchRamp> rampOf(const toml::node& node) {
    const auto* array = node.as_array();
    if (!array)
        return std::nullopt;
    BatchRamp ramp;
    for (const toml::node& item : *array) {
        const auto pair = integersOf(item);
        if (!pair || pair->size() != 2)
            return std::nullopt;
        ramp.push_back({(*pair)[0], (*pair)[1]});
    }
    return ramp;
}

/// The alternative that the field wants, or nothing when the node is of another kind.
std::optional<FieldValue> convert(const ConfigField& field, const toml::node& node) {
    switch (field.type) {
    case FieldType::Boolean:
        if (const auto* flag = node.as_boolean())
            return flag->get();
        break;
    case FieldType::Integer:
        if (const auto* number = node.as_integer())
            return number->get();
        break;
    case FieldType::Real:
        if (const auto* real = node.as_floating_point())
            return real->get();
        if (const auto* number = node.as_integer())
            return static_cast<double>(number->get());
        break;
    case FieldType::Text:
    case FieldType::Path:
    case FieldType::Choice:
        if (const auto* text = node.as_string())
            return text->get();
        break;
    case FieldType::Extent:
        break; // the caller, which can say why
    case FieldType::IntegerList:
        if (auto values = integersOf(node))
            return *std::move(values);
        break;
    case FieldType::RealList:
        if (auto values = numbersOf(node))
            return *std::move(values);
        break;
    case FieldType::TextList:
        if (auto values = textsOf(node))
            return *std::move(values);
        break;
    case FieldType::Ramp:
        if (auto ramp = rampOf(node))
            return *std::move(ramp);
        break;
    }
    return std::nullopt;
}

Result<FieldValue> valueOf(const ConfigField& field, const toml::node& node) {
    std::optional<FieldValue> value = convert(field, node);
    if (field.type == FieldType::Extent && node.is_string()) {
        const auto extent = parseExtent(node.as_string()->get());
        if (!extent)
            return failure(valueError(field, shown(node), extent.error().argument("reason")));
        value = *extent;
    }
    if (!value)
        return failure(valueError(field, shown(node), kindOf(node)));
    ACCUMULUS_TRY(checkFieldValue(field, *value));
    return *std::move(value);
}

Error withPlace(Error error, const std::string& name, std::size_t line) {
    error.arguments.emplace_back("file", name);
    error.arguments.emplace_back("line", std::to_string(line));
    error.arguments.emplace_back("place", fmt::format(" ({}, line {})", name, line));
    return error;
}

bool isSection(std::string_view name) {
    return !name.empty() && std::ranges::any_of(configFields(), [name](const ConfigField& field) {
        return std::string_view(field.key).substr(0, field.key.find('.')) == name;
    });
}

/// Does any line begin one of our sections, "[batch", "batch.micro" or "batch = {"? Then it is an experiment with a
/// mistake. A program may well say "model = Net()".
bool namesASection(std::string_view toml) {
    while (!toml.empty()) {
        const std::size_t end = std::min(toml.find('\n'), toml.size());
        std::string_view line = toml.substr(0, end);
        toml.remove_prefix(std::min(end + 1, toml.size()));
        const std::size_t first = std::min(line.find_first_not_of(" \t["), line.size());
        const bool bracket = line.substr(0, first).ends_with('[');
        line.remove_prefix(first);
        const std::string_view name = line.substr(0, line.find_first_of(" \t.=]\r"));
        const std::string_view behind = line.substr(name.size());
        const std::size_t sign = std::min(behind.find_first_not_of(" \t"), behind.size());
        const std::size_t value = std::min(behind.find_first_not_of(" \t=", sign), behind.size());
        const bool table = behind.substr(sign).starts_with('=') && behind.substr(value).starts_with('{');
        if ((bracket || behind.starts_with('.') || table) && isSection(name))
            return true;
    }
    return false;
}

Error syntaxError(const std::string& name, std::size_t line, std::size_t column, std::string_view reason,
                  std::string_view toml) {
    std::string text = excerpt(reason, 300);
    while (text.ends_with('.'))
        text.pop_back();
    return {namesASection(toml) ? "config.syntax" : "config.not-toml",
            {{"file", name}, {"line", std::to_string(line)}, {"column", std::to_string(column)}, {"reason", text}}};
}

Result<std::vector<ParsedSetting>> settingsOf(const toml::table& document, const std::string& name) {
    const bool ours = std::ranges::any_of(document, [](const auto& entry) { return isSection(entry.first.str()); });
    const auto unknown = [&](std::string_view key, std::size_t line) {
        Error error = withPlace(unknownKeyError(key), name, line);
        if (!ours && error.code == "config.unknown-key")
            error.code = "config.foreign-settings";
        return failure(std::move(error));
    };
    std::vector<ParsedSetting> settings;
    for (const auto& [section, content] : document) {
        const auto sectionLine = static_cast<std::size_t>(section.source().begin.line);
        const toml::table* table = content.as_table();
        const std::string prefix = std::string(section.str()) + '.';
        if (!table || (!isSection(section.str()) && table->empty()))
            return unknown(section.str(), sectionLine);
        for (const auto& [key, node] : *table) {
            const auto line = static_cast<std::size_t>(key.source().begin.line);
            const std::string full = prefix + std::string(key.str());
            const ConfigField* field = findField(full);
            if (!field)
                return unknown(full, line);
            auto value = valueOf(*field, node);
            if (!value)
                return failure(withPlace(value.error(), name, line));
            settings.push_back({full, *std::move(value), line});
        }
    }
    return settings;
}

constexpr std::size_t largestFile = std::size_t{1} << 20;
constexpr long maxDots = 32;

/// toml++ limits the depth of nested values but not that of dotted keys, whose tables are destroyed recursively.
Status checkDottedDepth(std::string_view toml, const std::string& name) {
    std::size_t line = 1;
    for (std::size_t at = 0; at < toml.size(); ++line) {
        const std::size_t end = std::min(toml.find('\n', at), toml.size());
        const std::string_view text = toml.substr(at, end - at);
        const auto first = text.find_first_not_of(" \t");
        const bool comment = first != std::string_view::npos && text[first] == '#';
        if (!comment && std::ranges::count(text, '.') > maxDots)
            return failure(syntaxError(name, line, 1, "reason.many-dots", toml));
        at = end + 1;
    }
    return {};
}

} // namespace

Result<std::vector<ParsedSetting>> parseSettings(std::string_view toml, const std::string& name) {
    if (toml.size() > largestFile)
        return failure(syntaxError(name, 1, 1, "reason.text-mib", toml.substr(0, largestFile)));
    ACCUMULUS_TRY(checkDottedDepth(toml, name));
    try {
        return settingsOf(toml::parse(toml), name);
    } catch (const toml::parse_error& problem) {
        const auto& place = problem.source().begin;
        return failure(syntaxError(name, place.line, place.column, problem.description(), toml));
    } catch (const std::exception& problem) {
        return failure(syntaxError(name, 1, 1, problem.what(), toml));
    }
}

Result<FieldValue> parseFieldValue(const ConfigField& field, std::string_view toml) {
    const auto refuse = [&](const char* reason) { return failure(valueError(field, excerpt(toml), reason)); };
    if (const char* problem = textProblem(toml)) // above all no line break, which could begin another key
        return refuse(problem);
    if (std::ranges::count(toml, '.') > maxDots)
        return refuse("reason.not-value");
    try {
        const toml::table document = toml::parse("value = " + std::string(toml));
        const toml::node* node = document.get("value");
        return node ? valueOf(field, *node) : Result<FieldValue>(refuse("reason.not-value"));
    } catch (const std::exception&) {
        return refuse(toml.empty() ? "reason.nothing" : "reason.not-value");
    }
}

} // namespace accumulus
