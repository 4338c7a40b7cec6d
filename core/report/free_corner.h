// SPDX-License-Identifier: GPL-3.0-or-later
// The place for a legend that covers no curve, in figures of reports and in plots on the screen. Pure; any thread. All
// in one unit, pixels or points, y downwards.
#pragma once

#include "core/report/svg_canvas.h"

#include <optional>
#include <vector>

namespace accumulus {

/// Between a legend and the frame.
inline constexpr double legendDistance = 8.0;

/// A straight piece of a drawing that a legend must not cover.
struct Obstacle {
    Point from, to;
};
[[nodiscard]] bool crosses(const Box& box, const Obstacle& obstacle);
/// The corner of `plot` in which a box of that size is free of obstacles, right before left, top before bottom.
[[nodiscard]] std::optional<Point> freeCorner(const Box& plot, double width, double height,
                                              const std::vector<Obstacle>& obstacles);

} // namespace accumulus
