// SPDX-License-Identifier: GPL-3.0-or-later
// Which sizes are tried, and in which order: from small to large, until one lacks memory; where any size will do, then
// between the largest that fits and the smallest that does not. A prediction only says where to look: a size fits once
// it was tried. Values; any thread.
#pragma once

#include "core/analysis/micro_plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace accumulus {

struct MicroSearchSettings {
    std::int64_t effective = 0; ///< B of one device
    bool ragged = false;        ///< sizes that do not divide it as well
    std::vector<std::int64_t> sizes{};
    double resolution = 1.0 / 16; ///< ragged: the largest size is found to this share of itself
};

class MicroSearch {
public:
    /// Error "plan.size": one of the sizes cannot make up the effective batch.
    [[nodiscard]] static Result<MicroSearch> create(const MicroSearchSettings& settings);

    /// The size to try now; nothing when the search is over.
    [[nodiscard]] std::optional<std::int64_t> next() const;
    /// What trying next() found. `memoryLimit`: what it might take, 0: not known.
    void add(MicroPoint point, std::int64_t memoryLimit = 0);
    /// What was found, by size, with those that need not be tried.
    [[nodiscard]] const std::vector<MicroPoint>& points() const { return m_points; }

private:
    explicit MicroSearch(const MicroSearchSettings& settings) : m_settings(settings) {}
    [[nodiscard]] std::optional<std::int64_t> between() const;
    void giveUpLarger(std::int64_t micro);
    void insert(MicroPoint point);

    MicroSearchSettings m_settings;
    std::vector<std::int64_t> m_waiting; ///< ascending
    std::vector<MicroPoint> m_points;
    std::int64_t m_limit = 0;
    int m_refinements = 0;
};

/// K of a window of `effective` samples.
[[nodiscard]] std::int64_t stepsOf(std::int64_t effective, std::int64_t micro);

} // namespace accumulus
