// SPDX-License-Identifier: GPL-3.0-or-later
// The few SVG Tiny 1.2 elements that figures are made of. Internal to report.
#pragma once

#include "core/report/figure.h"

#include <string>
#include <string_view>
#include <vector>

namespace accumulus {

struct Point {
    double x = 0.0, y = 0.0;
};
struct Box {
    double left = 0.0, top = 0.0, width = 0.0, height = 0.0;
    [[nodiscard]] double right() const { return left + width; }
    [[nodiscard]] double bottom() const { return top + height; }
};

enum class Anchor { Start, Middle, End };

namespace colours {
inline constexpr const char* text = "#1B1F24";
inline constexpr const char* secondary = "#5A6472";
inline constexpr const char* frame = "#9AA4B1";
inline constexpr const char* grid = "#E8EBEF";
inline constexpr const char* zero = "#5A6472";
inline constexpr const char* accumulated = "#0072B2";
inline constexpr const char* largeBatch = "#D55E00";
inline constexpr const char* difference = "#009E73";
} // namespace colours

/// Width of a text in user units: an estimate on the wide side, since the font behind "sans-serif" is not known.
[[nodiscard]] double textWidth(std::string_view text, double size);
/// The text, cut with "…" to fit.
[[nodiscard]] std::string fitText(const std::string& text, double width, double size);

/// One <svg> element that grows by drawing calls. Coordinates in user units, y downwards.
class SvgCanvas {
public:
    SvgCanvas(double width, double height, const std::string& description);

    /// `fill` and `stroke`: "#rrggbb" or "none".
    void rect(const Box& box, const std::string& fill, const std::string& stroke = "none", double opacity = 1.0,
              double radius = 0.0);
    void line(Point from, Point to, const std::string& stroke, double width, const std::string& dashes = "");
    void circle(Point centre, double radius, const std::string& fill, const std::string& stroke = "none",
                double width = 1.0, double opacity = 1.0);
    void polyline(const std::vector<Point>& points, const std::string& stroke, double width, bool dashed,
                  double opacity);
    void polygon(const std::vector<Point>& points, const std::string& fill, double opacity);
    /// A path of straight lines given as SVG path data, with round ends.
    void path(const std::string& data, const std::string& stroke, double width);
    void text(Point at, const std::string& content, double size, Anchor anchor, const std::string& fill,
              bool bold = false, double rotation = 0.0);
    [[nodiscard]] std::string finish();

private:
    std::string m_out;
};

} // namespace accumulus
