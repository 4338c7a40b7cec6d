// SPDX-License-Identifier: GPL-3.0-or-later
// One axis of a figure: a range, ticks where core/analysis/tick_values puts them, and their labels. Internal to report.
// Pure values.
#pragma once

#include <string>
#include <vector>

namespace accumulus {

struct Tick {
    double value = 0.0;
    std::string label; ///< empty for a grid line without number
};

struct Axis {
    double lower = 0.0, upper = 1.0;
    bool logarithmic = false;
    std::vector<Tick> ticks; ///< ascending, inside the range
    std::string factor;      ///< "×10⁻⁶" when the labels are to be multiplied by it; else empty

    /// 0 at the lower end, 1 at the upper.
    [[nodiscard]] double position(double value) const;
    /// Enlarges the range so that the upper `fraction` of the axis lies above the old upper end. Ticks are to be set
    /// again.
    void addHeadroom(double fraction);
};

/// A range that is never empty: a single value or no value (lower > upper) gets room around it.
[[nodiscard]] Axis makeAxis(double lower, double upper, bool logarithmic, double padding);
/// Ticks for at most about `wanted` labels. `counts`: whole numbers with thousands separators, from a million on as
/// "1.5 M".
void setTicks(Axis& axis, int wanted, bool counts);

} // namespace accumulus
