// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/field_formatting.h"

#include "core/base/readable_text.h"

#include "core/config/refusals.h"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace accumulus {

namespace {

constexpr std::size_t longestText = 4096;

bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

std::string boundText(const ConfigField& field, double bound) {
    return field.type == FieldType::Real || field.type == FieldType::RealList ? fmt::format("{}", bound)
                                                                              : fmt::format("{:.0f}", bound);
}

/// The code of a range's sentence; its arguments are the field's bounds.
const char* rangeCode(const ConfigField& field) {
    if (!field.minimum)
        return field.maximum ? "range.at-most" : "range.any";
    if (!field.maximum)
        return field.minimumExclusive ? "range.above" : "range.at-least";
    if (field.minNonzero)
        return "range.zero-or-between";
    return field.minimumExclusive ? "range.above-to" : "range.between";
}

const char* allowedCode(const ConfigField& field) {
    switch (field.type) {
    case FieldType::Boolean:
        return "allowed.boolean";
    case FieldType::Choice:
        return "allowed.choice";
    case FieldType::Text:
        return "allowed.text";
    case FieldType::Path:
        return "allowed.path";
    case FieldType::Integer:
        return "allowed.integer";
    case FieldType::Real:
        return "allowed.real";
    case FieldType::Extent:
        return "allowed.extent";
    case FieldType::IntegerList:
        return field.distinct ? "allowed.integer-list" : "allowed.integers";
    case FieldType::RealList:
        return "allowed.real-list";
    case FieldType::TextList:
        return "allowed.text-list";
    case FieldType::Ramp:
        return "allowed.ramp";
    }
    return "";
}

template <class Items, class Text>
std::string joined(const Items& items, Text text) {
    std::string all;
    for (const auto& item : items)
        all.append(all.empty() ? "" : ", ").append(text(item));
    return all;
}

struct TextOf {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return realText(value); }
    std::string operator()(const std::string& value) const { return accumulus::quoted(value); }
    std::string operator()(const Extent& value) const { return accumulus::quoted(extentText(value)); }
    std::string operator()(const std::vector<std::int64_t>& values) const {
        return fmt::format("[{}]", fmt::join(values, ", "));
    }
    std::string operator()(const std::vector<double>& values) const { return '[' + joined(values, realText) + ']'; }
    std::string operator()(const std::vector<std::string>& values) const {
        return '[' + joined(values, accumulus::quoted) + ']';
    }
    std::string operator()(const BatchRamp& ramp) const {
        std::string text;
        for (const RampPoint& point : ramp)
            text += fmt::format("{}[{}, {}]", text.empty() ? "" : ", ", point.update, point.effective);
        return '[' + text + ']';
    }
};

} // namespace

std::string realText(double value) {
    std::string text = fmt::format("{}", value);
    if (std::isfinite(value) && text.find_first_of(".e") == std::string::npos)
        text += ".0";
    return text;
}

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        if (isControl(c))
            result += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
        else
            result += c;
    }
    return result + '"';
}

std::string excerpt(std::string_view text, std::size_t limit) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8Length(text.substr(at));
        if (result.size() + length > limit)
            return result + "...";
        if (length == 0 || isControl(text[at]))
            result += '?';
        else
            result += text.substr(at, length);
        at += std::max<std::size_t>(length, 1);
    }
    return result;
}

const char* textProblem(std::string_view text) {
    if (text.size() > longestText)
        return "reason.text-long";
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8Length(text.substr(at));
        if (length == 0)
            return "reason.text-encoding";
        if (isControl(text[at]))
            return "reason.text-control";
        at += length;
    }
    return nullptr;
}

std::string fieldText(const FieldValue& value) { return std::visit(TextOf{}, value); }

Message allowedMessage(const ConfigField& field) {
    Message message{allowedCode(field), {}};
    if (field.type == FieldType::Choice)
        message.arguments.emplace_back("choices", fmt::format("{}", fmt::join(field.choices, " | ")));
    using enum FieldType;
    if (field.type == Boolean || field.type == Choice || field.type == Text || field.type == Path ||
        field.type == TextList)
        return message; // without a range
    message.arguments.emplace_back("range", rangeCode(field));
    if (field.minimum)
        message.arguments.emplace_back("minimum", boundText(field, *field.minimum));
    if (field.maximum)
        message.arguments.emplace_back("maximum", boundText(field, *field.maximum));
    if (field.minNonzero)
        message.arguments.emplace_back("least", boundText(field, *field.minNonzero));
    return message;
}

std::string allowedText(const ConfigField& field) { return messageText(allowedMessage(field)); }

Error valueError(const ConfigField& field, std::string value, std::string reason) {
    Message allowed = allowedMessage(field);
    Error error{"config.value",
                {{"key", field.key},
                 {"value", std::move(value)},
                 {"reason", std::move(reason)},
                 {"allowed", std::move(allowed.code)}}};
    for (auto& argument : allowed.arguments)
        error.arguments.push_back(std::move(argument));
    return error;
}

Error unknownKeyError(std::string_view key) {
    if (auto refusal = refusalOf(key))
        return std::move(*refusal);
    return {"config.unknown-key", {{"key", excerpt(key)}, {"nearest", nearestKey(key)}}};
}

Result<Extent> parseExtent(std::string_view text) {
    const auto refuse = [text](const char* reason) {
        return failure(
            "config.value",
            {{"key", "extent"}, {"value", excerpt(text)}, {"reason", reason}, {"allowed", "allowed.any-extent"}});
    };
    const auto trim = [](std::string_view part) {
        const auto first = part.find_first_not_of(" \t");
        return first == std::string_view::npos ? std::string_view()
                                               : part.substr(first, part.find_last_not_of(" \t") - first + 1);
    };
    const std::string_view trimmed = trim(text);
    Extent extent;
    const auto [end, problem] = std::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), extent.count);
    if (problem == std::errc::result_out_of_range)
        return refuse("reason.number-large");
    if (problem != std::errc())
        return refuse("reason.extent-number");
    const std::string_view unit = trim(trimmed.substr(static_cast<std::size_t>(end - trimmed.data())));
    if (unit.empty())
        return refuse("reason.unit-missing");
    static constexpr std::array<std::string_view, 3> units = {"updates", "samples", "epochs"};
    for (std::size_t i = 0; i < units.size(); ++i)
        if (unit == units.at(i) || unit == units.at(i).substr(0, units.at(i).size() - 1)) {
            extent.unit = static_cast<Extent::Unit>(i);
            return extent;
        }
    return refuse("reason.extent-unit");
}

} // namespace accumulus
