// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/small_shapes.h"

#include <algorithm>
#include <numeric>

namespace accumulus {
namespace {

constexpr double roomy = 12.0;   ///< from this width on, blocks stand well apart
constexpr double smallest = 4.0; ///< narrower ones are one surface

std::int64_t sumOf(const std::vector<std::int64_t>& sizes, std::size_t count) {
    return std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(count), std::int64_t{0});
}

SignStroke line(ShapePoint from, ShapePoint to) { return {from, to}; }
/// As wide as the pen.
SignStroke dot(ShapePoint at) { return {at, {at.x, at.y + 0.05}}; }

std::vector<SignStroke> strokesOf(Verdict verdict) {
    const SignStroke above = line({7.5, 10.0}, {16.5, 10.0}), below = line({7.5, 14.0}, {16.5, 14.0});
    const auto wave = [](double y) -> SignStroke {
        return {{7.2, y + 0.8},  {9.2, y - 2.2},  {11.0, y - 1.2}, {12.0, y},
                {13.0, y + 1.2}, {14.8, y + 2.2}, {16.8, y - 0.8}};
    };
    switch (verdict) {
    case Verdict::Equivalent: // equals
        return {above, below};
    case Verdict::Different: // not equal
        return {above, below, line({14.4, 6.6}, {9.6, 17.4})};
    case Verdict::WithinMarginOtherMethod:
    case Verdict::DifferentWithinMargin: // about equal
        return {wave(9.8), wave(14.2)};
    case Verdict::Inconclusive: // question mark
        return {{{9.2, 9.6}, {9.4, 5.8}, {14.8, 5.8}, {14.8, 9.3}, {14.8, 11.6}, {12.0, 11.6}, {12.0, 14.0}},
                dot({12.0, 17.0})};
    case Verdict::NotEnoughSeeds: // three dots: more to come
        break;
    }
    return {dot({8.0, 12.0}), dot({12.0, 12.0}), dot({16.0, 12.0})};
}

} // namespace

BatchBarShape batchBarShape(const std::vector<std::int64_t>& microSizes, std::size_t filled, double width) {
    filled = std::min(filled, microSizes.size());
    const std::int64_t total = sumOf(microSizes, microSizes.size());
    if (total <= 0 || !(width > 0.0))
        return {};
    const double widest = width * static_cast<double>(microSizes.front()) / static_cast<double>(total);
    if (widest < smallest) {
        const double done = width * static_cast<double>(sumOf(microSizes, filled)) / static_cast<double>(total);
        BatchBarShape surface;
        if (done > 0.0)
            surface.blocks.push_back({0.0, done, true});
        if (done < width)
            surface.blocks.push_back({done, width - done, false});
        return surface;
    }
    const double gap = widest >= roomy ? 3.0 : 1.0;
    const double room = width - gap * static_cast<double>(microSizes.size() - 1);
    BatchBarShape shape{{}, std::min(3.0, widest / 4.0)};
    double left = 0.0;
    for (std::size_t k = 0; k < microSizes.size(); ++k) {
        const double block = room * static_cast<double>(microSizes[k]) / static_cast<double>(total);
        shape.blocks.push_back({left, block, k < filled});
        left += block + gap;
    }
    return shape;
}

VerdictSign verdictSign(Verdict verdict) {
    return {strokesOf(verdict), verdict == Verdict::NotEnoughSeeds ? 2.4 : 1.9};
}

} // namespace accumulus
