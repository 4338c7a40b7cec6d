// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/number_checks.h"

#include <charconv>
#include <cstdint>
#include <string>

namespace accumulus::cli {
namespace {

template <typename Number>
CLI::Validator above(const char* kind) {
    return {[kind](const std::string& text) -> std::string {
                Number number = 0;
                const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
                if (problem != std::errc() || end != text.data() + text.size())
                    return text + " is no " + kind;
                return number > 0 ? std::string() : text + " is not above 0";
            },
            ""};
}

} // namespace

CLI::Validator aboveZero() { return above<double>("number"); }

CLI::Validator wholeAboveZero() { return above<std::int64_t>("whole number"); }

} // namespace accumulus::cli
