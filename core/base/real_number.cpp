// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/real_number.h"

#include <charconv>
#include <fmt/format.h>

namespace accumulus {

double realNumber(std::string_view text) {
    double number = 0.0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

double roundedTo(double value, int digits) { return realNumber(fmt::format("{:.{}g}", value, digits)); }

} // namespace accumulus
