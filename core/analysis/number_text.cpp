// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/number_text.h"

#include "core/base/message.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace accumulus {
namespace {

std::string withMinusSign(std::string text) {
    for (auto at = text.find('-'); at != std::string::npos; at = text.find('-', at))
        text.replace(at, 1, "\u2212");
    return text;
}

} // namespace

int decimalsFor(double scale, int digits) {
    if (!std::isfinite(scale) || scale == 0.0)
        return digits;
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(scale)) + 1e-9));
    return std::clamp(digits - 1 - exponent, 0, 30);
}

std::string numberText(double value, int decimals) {
    if (!std::isfinite(value))
        return notFinite;
    if (decimals >= 10)
        return value == 0.0 ? "0" : withMinusSign(fmt::format("{:.1e}", value));
    // A value that rounds to zero has no sign.
    const bool zero = std::abs(value) < 0.5 * std::pow(10.0, -decimals);
    return withMinusSign(fmt::format("{:.{}f}", zero ? 0.0 : value, decimals));
}

std::string roundedUpText(double value, int decimals) {
    const double scale = std::pow(10.0, decimals);
    return numberText(decimals < 10 ? std::ceil(value * scale * (1.0 - 1e-12)) / scale : value, decimals);
}

std::string signedText(double value, int decimals) {
    std::string text = numberText(value, decimals);
    const bool digits = text.find_first_of("123456789") != std::string::npos;
    return std::isfinite(value) && value > 0.0 && digits ? "+" + text : text;
}

std::string shortText(double value) {
    if (!std::isfinite(value))
        return notFinite;
    return withMinusSign(fmt::format("{:.4g}", value));
}

std::string countText(std::int64_t value) { return english().count(value); }

std::string countedText(std::int64_t count, const std::string& noun) {
    return countText(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string pluralText(std::size_t count, const std::string& noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

} // namespace accumulus
