// SPDX-License-Identifier: GPL-3.0-or-later
// What a window, an evaluation or a rank measures, as the members of a JSON object: the same in `export --format json`
// and in the events of `run --json`. What was not measured is null, and so is what was not finite.
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

/// "ranks": one object per rank; nothing where there was one only.
inline void addRanks(nlohmann::ordered_json& json, std::span<const RankTimes> ranks) {
    if (ranks.empty())
        return;
    nlohmann::ordered_json& array = json["ranks"] = nlohmann::ordered_json::array();
    for (const RankTimes& rank : ranks)
        addMeasured(array.emplace_back(nlohmann::ordered_json::object()), rankValues(), rank);
}

} // namespace accumulus
