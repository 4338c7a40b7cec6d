// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry and strengths of colour of the batch bar and of a verdict's sign. The window paints them with QPainter,
// reports write them as SVG, and both look alike. Pure values.
#pragma once

#include "core/analysis/statistics.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace accumulus {

/// Of the arm's colour, over light ground: micro-batches that are still to come.
inline constexpr double openBlockOpacity = 0.20;

struct BarBlock {
    double left = 0.0, width = 0.0;
    bool filled = false;
};
struct BatchBarShape {
    std::vector<BarBlock>
        blocks;          ///< one for each micro-batch; of very many, one for all that are filled, one for the rest
    double radius = 0.0; ///< of their corners
};
/// A ragged micro-batch is a shorter block. No block where there is no sample.
[[nodiscard]] BatchBarShape batchBarShape(const std::vector<std::int64_t>& microSizes, std::size_t filled,
                                          double width);

struct ShapePoint {
    double x = 0.0, y = 0.0;
};
/// The first point, and each three that follow: a cubic curve from the point before them. Two points alone: a line.
using SignStroke = std::vector<ShapePoint>;

/// The sign of a verdict in its circle, on a grid of signGrid units: each verdict has a shape of its own, so that
/// colour is never needed to tell them apart.
struct VerdictSign {
    std::vector<SignStroke> strokes; ///< with round ends
    double penWidth = 0.0;
};
[[nodiscard]] VerdictSign verdictSign(Verdict verdict);
inline constexpr double signGrid = 24.0;
inline constexpr double signRadius = 10.6;      ///< of the circle around the middle
inline constexpr double signCirclePen = 1.6;    ///< of its line
inline constexpr double signDiscOpacity = 0.14; ///< of the verdict's colour inside it

} // namespace accumulus
