// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/series_index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>

namespace accumulus {
namespace {

constexpr std::uint64_t signBit = std::uint64_t{1} << 63;

/// Doubles as integers in the same order.
std::uint64_t orderOf(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return (bits & signBit) != 0 ? ~bits : bits | signBit;
}
double valueAt(std::uint64_t order) {
    return std::bit_cast<double>((order & signBit) != 0 ? order & ~signBit : ~order);
}

/// The value that `rank` others come before, over all runs: bisection of the order of doubles, in which each step
/// narrows the part of every run that is left.
double valueOfRank(std::span<const std::span<const double>> runs, std::size_t rank) {
    struct Part {
        std::size_t from, to;
    };
    std::vector<Part> parts;
    std::uint64_t low = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t high = 0;
    for (const auto& run : runs) {
        parts.push_back({0, run.size()});
        low = std::min(low, orderOf(run.front()));
        high = std::max(high, orderOf(run.back()));
    }
    std::vector<std::size_t> notAbove(runs.size());
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        const double value = valueAt(middle);
        std::size_t count = 0;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const auto part = runs[i].subspan(parts[i].from, parts[i].to - parts[i].from);
            notAbove[i] =
                parts[i].from + static_cast<std::size_t>(std::ranges::upper_bound(part, value) - part.begin());
            count += notAbove[i];
        }
        const bool enough = count > rank;
        for (std::size_t i = 0; i < runs.size(); ++i)
            (enough ? parts[i].to : parts[i].from) = notAbove[i];
        if (enough)
            high = middle;
        else
            low = middle + 1;
    }
    return valueAt(low);
}

} // namespace

void Extremes::add(std::span<const double> y, std::size_t index) {
    if (!std::isfinite(y[index])) {
        firstGap = firstGap == none ? index : firstGap;
        lastGap = index;
        return;
    }
    if (first == none)
        first = minimum = maximum = index;
    last = index;
    if (y[index] < y[minimum])
        minimum = index;
    if (y[index] > y[maximum])
        maximum = index;
}

void Extremes::add(std::span<const double> y, const Extremes& later) {
    if (later.firstGap != none) {
        firstGap = firstGap == none ? later.firstGap : firstGap;
        lastGap = later.lastGap;
    }
    if (later.first == none)
        return;
    last = later.last;
    if (first == none) {
        first = later.first;
        minimum = later.minimum;
        maximum = later.maximum;
        return;
    }
    if (y[later.minimum] < y[minimum])
        minimum = later.minimum;
    if (y[later.maximum] > y[maximum])
        maximum = later.maximum;
}

void appendPoints(const Series& series, const Extremes& kept, Series& out) {
    std::array indices{kept.first, kept.minimum, kept.maximum, kept.last, kept.firstGap, kept.lastGap};
    std::ranges::sort(indices);
    std::size_t previous = Extremes::none;
    for (const std::size_t index : indices) {
        if (index == Extremes::none || index == previous)
            continue;
        out.x.push_back(series.x[index]);
        out.y.push_back(series.y[index]);
        previous = index;
    }
}

void ExtremesIndex::update(std::span<const double> y, std::size_t changedFrom) {
    m_blocks.resize(std::min({m_blocks.size(), changedFrom / blockLength, y.size() / blockLength}));
    m_blocks.reserve(y.size() / blockLength);
    for (std::size_t begin = m_blocks.size() * blockLength; begin + blockLength <= y.size(); begin += blockLength) {
        Extremes extremes;
        for (std::size_t i = begin; i < begin + blockLength; ++i)
            extremes.add(y, i);
        const auto place = [begin](std::size_t index) {
            return index == Extremes::none ? absent : static_cast<std::uint8_t>(index - begin);
        };
        m_blocks.push_back({place(extremes.first), place(extremes.minimum), place(extremes.maximum),
                            place(extremes.last), place(extremes.firstGap), place(extremes.lastGap)});
    }
}

Extremes ExtremesIndex::of(std::span<const double> y, std::size_t begin, std::size_t end) const {
    Extremes extremes;
    for (std::size_t i = begin; i < end;) {
        const std::size_t block = i / blockLength;
        if (i % blockLength != 0 || i + blockLength > end || block >= m_blocks.size()) {
            extremes.add(y, i++);
            continue;
        }
        const auto index = [i](std::uint8_t place) { return place == absent ? Extremes::none : i + place; };
        const Block& found = m_blocks[block];
        extremes.add(y, Extremes{index(found.first), index(found.minimum), index(found.maximum), index(found.last),
                                 index(found.firstGap), index(found.lastGap)});
        i += blockLength;
    }
    return extremes;
}

Series thinMinMax(const Series& series, const ExtremesIndex& index, double xMin, double xMax, std::size_t columns,
                  bool logX) {
    if (columns == 0 || series.size() < 4 * columns || !(xMin < xMax))
        return series;
    const auto position = [&series](auto iterator) {
        return static_cast<std::size_t>(std::distance(series.x.begin(), iterator));
    };
    const std::size_t begin = position(std::ranges::lower_bound(series.x, xMin));
    const std::size_t end = position(std::ranges::upper_bound(series.x, xMax));
    const auto place = [logX](double x) { return logX ? std::log10(x) : x; };
    const double from = place(xMin);
    const double scale = static_cast<double>(columns) / (place(xMax) - from);
    const auto columnOf = [&](double x) {
        return std::min(static_cast<std::size_t>((place(x) - from) * scale), columns - 1);
    };
    Series out;
    out.x.reserve(4 * columns + 2);
    out.y.reserve(4 * columns + 2);
    const auto add = [&](std::size_t i) {
        out.x.push_back(series.x[i]);
        out.y.push_back(series.y[i]);
    };
    if (begin > 0 && !(logX && series.x[begin - 1] <= 0.0))
        add(begin - 1);
    for (std::size_t i = begin; i < end;) {
        const std::size_t column = columnOf(series.x[i]);
        const auto next = std::partition_point(series.x.begin() + static_cast<std::ptrdiff_t>(i),
                                               series.x.begin() + static_cast<std::ptrdiff_t>(end),
                                               [&](double x) { return columnOf(x) <= column; });
        const std::size_t after = position(next);
        appendPoints(series, index.of(series.y, i, after), out);
        i = after;
    }
    if (end < series.size())
        add(end);
    return out;
}

void ValueIndex::update(std::span<const double> y) {
    for (std::size_t begin = m_ends.size() * blockLength; begin + blockLength <= y.size(); begin += blockLength) {
        const std::size_t from = m_sorted.size();
        std::ranges::copy_if(y.subspan(begin, blockLength), std::back_inserter(m_sorted),
                             [](double value) { return std::isfinite(value); });
        std::sort(m_sorted.begin() + static_cast<std::ptrdiff_t>(from), m_sorted.end());
        m_ends.push_back(m_sorted.size());
    }
}

std::vector<ValueIndex::Run> ValueIndex::runs(std::span<const double> y, std::size_t begin, std::size_t end,
                                              bool positiveOnly, std::vector<double>& rest) const {
    const std::size_t firstBlock = std::min((begin + blockLength - 1) / blockLength, m_ends.size());
    const std::size_t lastBlock = std::max(firstBlock, std::min(end / blockLength, m_ends.size()));
    const auto take = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            if (std::isfinite(y[i]))
                rest.push_back(y[i]);
    };
    if (firstBlock == lastBlock) {
        take(begin, end);
    } else {
        take(begin, firstBlock * blockLength);
        take(lastBlock * blockLength, end);
    }
    std::ranges::sort(rest);
    std::vector<Run> runs;
    const auto add = [&](Run run) {
        if (positiveOnly)
            run = run.subspan(static_cast<std::size_t>(std::ranges::upper_bound(run, 0.0) - run.begin()));
        if (!run.empty())
            runs.push_back(run);
    };
    for (std::size_t block = firstBlock; block < lastBlock; ++block) {
        const std::size_t from = block == 0 ? 0 : m_ends[block - 1];
        add(Run(m_sorted).subspan(from, m_ends[block] - from));
    }
    add(rest);
    return runs;
}

RobustRange ValueIndex::robustRange(std::span<const double> y, std::size_t begin, std::size_t end, bool logY,
                                    double quantile) const {
    std::vector<double> rest;
    const std::vector<Run> pieces = runs(y, begin, end, logY, rest);
    std::size_t count = 0;
    for (const Run& run : pieces)
        count += run.size();
    if (count == 0)
        return {};
    const auto scaled = [logY](double value) { return logY ? std::log10(value) : value; };
    const auto at = [&](double q) {
        const double rank = std::clamp(q, 0.0, 1.0) * static_cast<double>(count - 1);
        return scaled(valueOfRank(pieces, static_cast<std::size_t>(std::llround(rank))));
    };
    const double low = at(quantile);
    const double high = at(1.0 - quantile);
    const double reach = high > low ? high - low : (high != 0.0 ? std::abs(high) : 1.0);
    RobustRange range{high, low, 0, 0};
    for (const Run& run : pieces) {
        const auto inside = std::ranges::partition_point(run, [&](double v) { return scaled(v) < low - reach; });
        const auto above = std::partition_point(inside, run.end(), [&](double v) { return scaled(v) <= high + reach; });
        range.below += static_cast<std::size_t>(inside - run.begin());
        range.above += static_cast<std::size_t>(run.end() - above);
        if (inside == above)
            continue;
        range.lower = std::min(range.lower, scaled(*inside));
        range.upper = std::max(range.upper, scaled(*(above - 1)));
    }
    const double widening = range.upper > range.lower ? 0.1 * (range.upper - range.lower) : 0.1 * reach;
    range.lower -= widening;
    range.upper += widening;
    return range;
}

std::vector<double> ValueIndex::ends(std::span<const double> y, std::size_t begin, std::size_t end, double lower,
                                     double upper) const {
    std::vector<double> rest, found;
    for (const Run& run : runs(y, begin, end, false, rest)) {
        const auto first = std::ranges::lower_bound(run, lower);
        const auto after = std::upper_bound(first, run.end(), upper);
        if (first == after)
            continue;
        if (found.empty())
            found = {*first, *first};
        found[0] = std::min(found[0], *first);
        found[1] = std::max(found[1], *(after - 1));
    }
    return found;
}

ValueIndex::Outside ValueIndex::outside(std::span<const double> y, std::size_t begin, std::size_t end, double lower,
                                        double upper, bool positiveOnly) const {
    std::vector<double> rest;
    Outside outside;
    for (const Run& run : runs(y, begin, end, positiveOnly, rest)) {
        outside.below += static_cast<std::size_t>(std::ranges::lower_bound(run, lower) - run.begin());
        outside.above += static_cast<std::size_t>(run.end() - std::ranges::upper_bound(run, upper));
    }
    return outside;
}

} // namespace accumulus
