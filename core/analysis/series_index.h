// SPDX-License-Identifier: GPL-3.0-or-later
// What makes a long curve quick to look at: where the extremes of each stretch lie, and the values of each stretch in
// order. Both grow with the curve, and their answers are those of a walk over all points. Pure values; any thread that
// owns them.
#pragma once

#include "core/analysis/series.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace accumulus {

/// Indices of what a stretch of a curve must not lose when it is drawn in one pixel column; `none` where there is none.
struct Extremes {
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::size_t first = none, minimum = none, maximum = none, last = none; ///< of the finite values
    std::size_t firstGap = none, lastGap = none;                           ///< of the others
    /// Takes up y[index], which comes after all that was taken up before.
    void add(std::span<const double> y, std::size_t index);
    /// The same for a whole stretch.
    void add(std::span<const double> y, const Extremes& later);
    [[nodiscard]] bool empty() const { return first == none && firstGap == none; }
    bool operator==(const Extremes&) const = default;
};

/// Appends the points at these indices in ascending order, each once.
void appendPoints(const Series& series, const Extremes& kept, Series& out);

/// The extremes of short blocks of a curve.
class ExtremesIndex {
public:
    /// y is the whole curve; what comes before `changedFrom` is as it was at the last call.
    void update(std::span<const double> y, std::size_t changedFrom);
    /// Of the points [begin, end) of the same y.
    [[nodiscard]] Extremes of(std::span<const double> y, std::size_t begin, std::size_t end) const;

private:
    static constexpr std::size_t blockLength = 64;
    struct Block { // places in the block; `absent`: none
        std::uint8_t first, minimum, maximum, last, firstGap, lastGap;
    };
    static constexpr std::uint8_t absent = 255;
    std::vector<Block> m_blocks; ///< whole ones only
};

/// thinMinMax() by means of the index of series.y. With `logX`, xMin > 0 and columns are equal in log x.
[[nodiscard]] Series thinMinMax(const Series& series, const ExtremesIndex& index, double xMin, double xMax,
                                std::size_t columns, bool logX);

/// The values of a curve, sorted block by block.
class ValueIndex {
public:
    /// y is the whole curve, as at the last call, continued.
    void update(std::span<const double> y);

    /// robustRange() of the finite points [begin, end) of the same y. With `logY` of the logarithms (base 10) of the
    /// positive ones.
    [[nodiscard]] RobustRange robustRange(std::span<const double> y, std::size_t begin, std::size_t end, bool logY,
                                          double quantile = 0.005) const;
    /// The least and the greatest finite value of [begin, end) in [lower, upper]; nothing where there is none.
    [[nodiscard]] std::vector<double> ends(std::span<const double> y, std::size_t begin, std::size_t end, double lower,
                                           double upper) const;
    /// How many finite points of [begin, end) lie above `upper` and below `lower`; with `positiveOnly` only those > 0.
    struct Outside {
        std::size_t above = 0, below = 0;
        bool operator==(const Outside&) const = default;
    };
    [[nodiscard]] Outside outside(std::span<const double> y, std::size_t begin, std::size_t end, double lower,
                                  double upper, bool positiveOnly) const;

private:
    using Run = std::span<const double>; ///< ascending
    static constexpr std::size_t blockLength = 2048;
    /// All finite values of the range in ascending pieces; `rest` holds those of blocks that are not whole in it.
    [[nodiscard]] std::vector<Run> runs(std::span<const double> y, std::size_t begin, std::size_t end,
                                        bool positiveOnly, std::vector<double>& rest) const;

    std::vector<double> m_sorted;    ///< finite values of whole blocks, one block after the other
    std::vector<std::size_t> m_ends; ///< of each block in it
};

} // namespace accumulus
