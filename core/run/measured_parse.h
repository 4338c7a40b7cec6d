// SPDX-License-Identifier: GPL-3.0-or-later
// Exported values back into records: the cells of a CSV, the members of a JSON object. False where a value is none of
// the member's kind. Internal to the import.
#pragma once

#include "core/base/measured_values.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace accumulus {

template <class Number>
[[nodiscard]] std::optional<Number> wholeText(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// `text`: as exportRunCsv writes it; empty: not measured.
template <class Record>
[[nodiscard]] bool setFromText(Record& record, const MeasuredValue<Record>& value, std::string_view text) {
    return std::visit(
        [&]<class Type>(Type Record::*member) {
            Type& place = record.*member;
            if constexpr (std::is_same_v<Type, std::string>) {
                place = std::string(text);
                return true;
            } else if constexpr (std::is_same_v<Type, bool>) {
                place = text == "1";
                return text.empty() || text == "0" || text == "1";
            } else if constexpr (std::is_same_v<Type, std::int64_t> ||
                                 std::is_same_v<Type, std::optional<std::int64_t>>) {
                if (text.empty())
                    return true;
                const auto number = wholeText<std::int64_t>(text);
                if (number && *number >= value.countedFrom)
                    place = *number - value.countedFrom;
                return number.has_value() && *number >= value.countedFrom;
            } else { // a real number
                if (text.empty()) {
                    if constexpr (std::is_same_v<Type, double>)
                        place = value.whenNull;
                    return true;
                }
                const auto number = wholeText<double>(text);
                if (number)
                    place = *number;
                return number.has_value();
            }
        },
        value.member);
}

/// `json`: as addMeasured writes it; null: not measured, or not finite.
template <class Record>
[[nodiscard]] bool setFromJson(Record& record, const MeasuredValue<Record>& value, const nlohmann::ordered_json& json) {
    return std::visit(
        [&]<class Type>(Type Record::*member) {
            Type& place = record.*member;
            if constexpr (std::is_same_v<Type, double>) {
                place = json.is_number() ? json.get<double>() : value.whenNull;
                return json.is_number() || json.is_null();
            } else if constexpr (std::is_same_v<Type, std::string>) {
                if (json.is_string())
                    place = json.get<std::string>();
                return json.is_string();
            } else if constexpr (std::is_same_v<Type, bool>) {
                if (json.is_boolean())
                    place = json.get<bool>();
                return json.is_boolean() || json.is_null();
            } else if constexpr (std::is_same_v<Type, std::optional<double>>) {
                if (json.is_number())
                    place = json.get<double>();
                return json.is_number() || json.is_null();
            } else {
                if (json.is_number_integer() && json.get<std::int64_t>() >= value.countedFrom) {
                    place = json.get<std::int64_t>() - value.countedFrom;
                    return true;
                }
                return json.is_null();
            }
        },
        value.member);
}

/// The value of that name, or null.
template <class Record>
[[nodiscard]] const MeasuredValue<Record>* valueNamed(std::span<const MeasuredValue<Record>> values,
                                                      std::string_view name) {
    for (const MeasuredValue<Record>& value : values)
        if (value.name == name)
            return &value;
    return nullptr;
}

} // namespace accumulus
