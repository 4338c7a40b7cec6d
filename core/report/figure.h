// SPDX-License-Identifier: GPL-3.0-or-later
// Figures as SVG Tiny 1.2 text (what QSvgRenderer paints and every browser shows): line plots with bands. Always
// light colours. Any thread.
#pragma once

#include "core/analysis/series.h"
#include "core/analysis/statistics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accumulus {

struct FigureCurve {
    std::string label;              ///< empty: not in the legend
    std::string colour = "#0072B2"; ///< #rrggbb
    bool dashed = false;
    double opacity = 1.0;
    double width = 1.5;
    Series points; ///< all of them: the figure thins (min-max per column). Up to 30 get a marker each
};
struct FigureBand {
    std::string colour = "#0072B2";
    std::vector<double> x, lower, upper;
};
struct FigureSpec {
    std::string title;             ///< drawn above; may be empty
    std::string xTitle;            ///< with unit
    std::string yTitle;            ///< with unit
    bool overMicroBatches = false; ///< x is the number of a micro-batch, not samples seen
    bool logY = false;
    std::vector<FigureBand> bands;
    std::vector<FigureCurve> curves;
    std::optional<double> zeroLine;       ///< horizontal line
    std::optional<double> marginBand;     ///< shaded ± around zero
    double width = 720.0, height = 320.0; ///< user units
    std::string description;              ///< text alternative (desc element)
};
/// One <svg> element. Values that are not finite are gaps; on a log axis values <= 0 are hidden and zero line and
/// margin band left out. Every curve is shown whole, spikes included.
[[nodiscard]] std::string figureSvg(const FigureSpec& figure);

/// Text with &, <, >, " escaped for XML and HTML; bytes that XML cannot hold become U+FFFD.
[[nodiscard]] std::string escapeMarkup(const std::string& text);

} // namespace accumulus
