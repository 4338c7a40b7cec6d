// SPDX-License-Identifier: GPL-3.0-or-later
// Figures as SVG Tiny 1.2 text (what QSvgRenderer paints and every browser shows): line plots with bands, and the batch bar. Always light colours. Any thread.
#pragma once

#include "core/analysis/series.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace accumulus {

struct FigureCurve {
    std::string label;
    std::string colour = "#0072B2"; ///< #rrggbb
    bool dashed = false;
    double opacity = 1.0;
    double width = 1.5;
    Series points; ///< thinned by the caller or by the figure (min-max per column)
};
struct FigureBand {
    std::string colour = "#0072B2";
    std::vector<double> x, lower, upper;
};
struct FigureSpec {
    std::string title;      ///< drawn above; may be empty
    std::string xTitle;     ///< with unit
    std::string yTitle;     ///< with unit
    bool logY = false;
    std::vector<FigureBand> bands;
    std::vector<FigureCurve> curves;
    std::optional<double> zeroLine;             ///< horizontal line
    std::optional<double> marginBand;           ///< shaded ± around zero
    double width = 720.0, height = 320.0;       ///< user units
    std::string description;                    ///< text alternative (desc element)
};
/// One <svg> element. Values <= 0 are hidden on a log axis.
[[nodiscard]] std::string figureSvg(const FigureSpec& figure);

/// The batch bar: B as K blocks of m, a ragged block shorter, `filled` blocks filled.
[[nodiscard]] std::string batchBarSvg(const std::vector<std::int64_t>& microSizes, std::size_t filled, double width = 480.0, double height = 28.0);

/// The verdict's interval drawn against the margin.
[[nodiscard]] std::string intervalSvg(double lower, double mean, double upper, double margin, double width = 480.0, double height = 72.0);

/// Text with &, <, >, " escaped for XML and HTML.
[[nodiscard]] std::string escapeMarkup(const std::string& text);

} // namespace accumulus
