// SPDX-License-Identifier: GPL-3.0-or-later
// What a window or an evaluation measures, as the members of a JSON object: the same in `export --format json` and in
// the events of `run --json`. What was not measured is null, and so is what was not finite.
#pragma once

#include "core/base/measured_values.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <type_traits>
#include <variant>

namespace accumulus {

template <class Record>
void addMeasured(nlohmann::ordered_json& json, std::span<const MeasuredValue<Record>> values, const Record& record) {
    for (const MeasuredValue<Record>& value : values) {
        nlohmann::ordered_json& place = json[std::string(value.name)];
        std::visit(
            [&place]<class Type>(const Type& held) {
                if constexpr (std::is_same_v<Type, double>)
                    place = std::isfinite(held) ? nlohmann::ordered_json(held) : nlohmann::ordered_json();
                else if constexpr (!std::is_same_v<Type, std::monostate>)
                    place = held;
            },
            value.exported(record));
    }
}

} // namespace accumulus
