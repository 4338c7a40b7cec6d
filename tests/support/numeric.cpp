// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/numeric.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace accumulus::test {

bool compareRel(double a, double b, double tolerance) {
    return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

bool compareAbs(double a, double b, double tolerance) { return a == b || std::abs(a - b) <= tolerance; }

bool compareBits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

double relativeL2(std::span<const double> a, std::span<const double> b) {
    if (a.size() != b.size())
        return std::numeric_limits<double>::infinity();
    double difference = 0.0;
    double norm = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        norm += b[i] * b[i];
    }
    return norm > 0.0 ? std::sqrt(difference / norm) : std::sqrt(difference);
}

} // namespace accumulus::test
