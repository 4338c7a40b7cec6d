// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/byte_size.h"

#include "core/config/config_fields.h"
#include "core/config/field_formatting.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace accumulus {

Result<std::int64_t> parseBytes(std::string_view text) {
    const auto refuse = [text](const char* reason) {
        return failure(valueError(*findField("device.memory_limit"), excerpt(text), reason));
    };
    const auto skipBlanks = [](std::string_view part) {
        while (!part.empty() && part.front() == ' ')
            part.remove_prefix(1);
        while (!part.empty() && part.back() == ' ')
            part.remove_suffix(1);
        return part;
    };
    const std::string_view trimmed = skipBlanks(text);
    if (trimmed.empty())
        return 0;
    double amount = 0.0;
    const auto [end, problem] = std::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), amount);
    if (problem != std::errc() || !(amount >= 0.0))
        return refuse("reason.bytes-number");
    const std::string_view unit = skipBlanks(trimmed.substr(static_cast<std::size_t>(end - trimmed.data())));
    static constexpr std::array<std::pair<std::string_view, double>, 11> units = {{{"", 1.0},
                                                                                   {"B", 1.0},
                                                                                   {"kB", 1e3},
                                                                                   {"MB", 1e6},
                                                                                   {"GB", 1e9},
                                                                                   {"KiB", 0x1p10},
                                                                                   {"MiB", 0x1p20},
                                                                                   {"GiB", 0x1p30},
                                                                                   {"K", 0x1p10},
                                                                                   {"M", 0x1p20},
                                                                                   {"G", 0x1p30}}};
    for (const auto& [name, factor] : units)
        if (unit == name)
            return amount * factor < 0x1p62 ? Result<std::int64_t>(std::llround(amount * factor))
                                            : Result<std::int64_t>(refuse("reason.number-large"));
    return refuse("reason.bytes-unit");
}

std::string bytesText(std::int64_t bytes) {
    if (bytes < 1000)
        return fmt::format("{} B", bytes);
    static constexpr std::array units = {"kB", "MB", "GB", "TB"};
    double scaled = static_cast<double>(bytes) / 1000.0;
    std::size_t unit = 0;
    while (scaled >= 999.5 && unit + 1 < units.size()) {
        scaled /= 1000.0;
        ++unit;
    }
    return scaled < 99.95 ? fmt::format("{:.1f} {}", scaled, units[unit])
                          : fmt::format("{:.0f} {}", scaled, units[unit]);
}

} // namespace accumulus
