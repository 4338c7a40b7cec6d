// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/free_corner.h"

#include <algorithm>
#include <array>
#include <utility>

namespace accumulus {

bool crosses(const Box& box, const Obstacle& obstacle) {
    // Liang and Barsky: the part of the piece inside each pair of parallel borders.
    const double dx = obstacle.to.x - obstacle.from.x;
    const double dy = obstacle.to.y - obstacle.from.y;
    double enter = 0.0;
    double leave = 1.0;
    for (const auto& [slope, offset] :
         std::array<std::pair<double, double>, 4>{{{-dx, obstacle.from.x - box.left},
                                                   {dx, box.right() - obstacle.from.x},
                                                   {-dy, obstacle.from.y - box.top},
                                                   {dy, box.bottom() - obstacle.from.y}}}) {
        if (slope == 0.0) {
            if (offset < 0.0)
                return false;
        } else if (slope < 0.0)
            enter = std::max(enter, offset / slope);
        else
            leave = std::min(leave, offset / slope);
    }
    return enter <= leave;
}

std::optional<Point> freeCorner(const Box& plot, double width, double height, const std::vector<Obstacle>& obstacles) {
    if (width + 2.0 * legendDistance > plot.width || height + 2.0 * legendDistance > plot.height)
        return std::nullopt;
    const double left = plot.left + legendDistance;
    const double right = plot.right() - legendDistance - width;
    const double top = plot.top + legendDistance;
    const double bottom = plot.bottom() - legendDistance - height;
    for (const Point& corner : {Point{right, top}, Point{left, top}, Point{right, bottom}, Point{left, bottom}}) {
        const Box box{corner.x, corner.y, width, height};
        if (std::none_of(obstacles.begin(), obstacles.end(),
                         [&](const Obstacle& piece) { return crosses(box, piece); }))
            return corner;
    }
    return std::nullopt;
}

} // namespace accumulus
