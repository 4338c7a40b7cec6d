// SPDX-License-Identifier: GPL-3.0-or-later
// The legend of a figure. Internal to report.
#pragma once

#include "core/report/svg_canvas.h"

#include <string>
#include <vector>

namespace accumulus {

struct LegendEntry {
    std::string label, colour;
    bool dashed = false;
    double opacity = 1.0, width = 1.5;
    bool area = false; ///< a filled patch instead of a line
};

class Legend {
public:
    /// Rows from top to bottom, or side by side (as many rows as `available` demands).
    Legend(std::vector<LegendEntry> entries, double available, bool sideBySide);
    [[nodiscard]] bool empty() const { return m_entries.empty(); }
    [[nodiscard]] double width() const { return m_width; }
    [[nodiscard]] double height() const { return m_height; }
    void draw(SvgCanvas& svg, Point topLeft) const;

private:
    std::vector<LegendEntry> m_entries;
    std::vector<Point> m_places; ///< of each entry's left end and baseline
    double m_width = 0.0, m_height = 0.0;
};

} // namespace accumulus
