// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/legend.h"

#include "core/report/free_corner.h"

#include <algorithm>

namespace accumulus {
namespace {

constexpr double fontSize = 11.0;
constexpr double rowHeight = 16.0;
constexpr double padding = 6.0;
constexpr double swatch = 26.0;
constexpr double between = 18.0; // two entries side by side

double entryWidth(const LegendEntry& entry) { return swatch + 6.0 + textWidth(entry.label, fontSize); }

} // namespace

Legend::Legend(std::vector<LegendEntry> entries, double available, bool sideBySide) : m_entries(std::move(entries)) {
    const double room = available - 2.0 * (padding + legendDistance);
    double x = 0.0;
    double y = 0.0;
    for (LegendEntry& entry : m_entries) {
        entry.label = fitText(entry.label, room * (sideBySide ? 1.0 : 0.6) - swatch - 6.0, fontSize);
        const bool wraps = !m_places.empty() && (!sideBySide || x + entryWidth(entry) > room);
        if (wraps) {
            x = 0.0;
            y += rowHeight;
        }
        m_places.push_back({padding + x, padding + y + 0.5 * rowHeight});
        x += entryWidth(entry);
        m_width = std::max(m_width, x + 2.0 * padding);
        x += between;
    }
    m_height = m_entries.empty() ? 0.0 : y + rowHeight + 2.0 * padding;
}

void Legend::draw(SvgCanvas& svg, Point topLeft) const {
    svg.rect({topLeft.x, topLeft.y, m_width, m_height}, "#FFFFFF", "none", 0.8, 3.0);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const LegendEntry& entry = m_entries[i];
        const Point left{topLeft.x + m_places[i].x, topLeft.y + m_places[i].y};
        if (entry.area)
            svg.rect({left.x, left.y - 5.0, swatch, 10.0}, entry.colour, "none", entry.opacity);
        else
            svg.polyline({left, {left.x + swatch, left.y}}, entry.colour, std::max(entry.width, 1.5), entry.dashed,
                         entry.opacity);
        svg.text({left.x + swatch + 6.0, left.y + 4.0}, entry.label, fontSize, Anchor::Start, colours::text);
    }
}

} // namespace accumulus
