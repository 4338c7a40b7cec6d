// SPDX-License-Identifier: GPL-3.0-or-later
// The middle of a few measurements: one that was disturbed does not move it far.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace accumulus {

/// Of an even number the upper one of both in the middle. `values` is not empty.
[[nodiscard]] inline double upperMedian(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

} // namespace accumulus
