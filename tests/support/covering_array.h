// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of settings in which every pair of values of two factors occurs (a covering array of strength two), made
// greedily with a fixed seed: the same rows on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace accumulus::test {

struct Factor {
    std::string name;
    std::vector<std::string> values;
};

/// Value of each factor.
using FactorRow = std::vector<std::size_t>;

/// One value of one factor.
struct Setting {
    std::size_t factor = 0, value = 0;
    auto operator<=>(const Setting&) const = default;
};
/// Two settings, the one of the lower factor first.
using SettingPair = std::pair<Setting, Setting>;

/// What a row proves. A row need not cover all of its pairs: a setting may have no effect beside the others, and a row
/// that is refused proves its refusal only.
using CoveredPairs = std::function<std::vector<SettingPair>(const FactorRow&)>;

/// All pairs of the row.
[[nodiscard]] std::vector<SettingPair> allPairsOf(const FactorRow& row);
/// All pairs of two factors in `factors`.
[[nodiscard]] std::vector<SettingPair> allPairsOf(const std::vector<Factor>& factors);

struct CoveringArray {
    std::vector<FactorRow> rows;
    std::set<SettingPair> covered;
    std::vector<SettingPair> impossible; ///< in no row that was tried
};

/// Adds rows until every pair is covered, or was not by `attempts` rows that hold it.
[[nodiscard]] CoveringArray coverPairs(const std::vector<Factor>& factors, const CoveredPairs& covers,
                                       std::uint64_t seed, int attempts = 400);

} // namespace accumulus::test
