// SPDX-License-Identifier: GPL-3.0-or-later
// Exported values as the cells of a CSV: a point as decimal sign, the shortest digits that read back to the same
// double.
#pragma once

#include "core/base/measured_values.h"

#include <cmath>
#include <fmt/format.h>
#include <string>
#include <type_traits>
#include <variant>

namespace accumulus {

[[nodiscard]] inline std::string cellText(const ExportedValue& value) {
    return std::visit(
        []<class Type>(const Type& held) -> std::string {
            if constexpr (std::is_same_v<Type, std::monostate>)
                return {};
            else if constexpr (std::is_same_v<Type, bool>)
                return held ? "1" : "0";
            else if constexpr (std::is_same_v<Type, double>)
                return std::isnan(held) ? "nan" : fmt::format("{}", held);
            else
                return fmt::format("{}", held);
        },
        value);
}

} // namespace accumulus
