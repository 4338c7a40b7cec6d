// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/number_checks.h"

#include <charconv>
#include <string>

namespace accumulus::cli {

CLI::Validator aboveZero() {
    return {[](const std::string& text) -> std::string {
                double number = 0.0;
                const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
                if (problem != std::errc() || end != text.data() + text.size())
                    return text + " is no number";
                return number > 0.0 ? std::string() : text + " is not above 0";
            },
            ""};
}

} // namespace accumulus::cli
