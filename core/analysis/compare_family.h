// SPDX-License-Identifier: GPL-3.0-or-later
// Up to eight groups of runs, each compared with one of them, the reference: a comparison of two groups for each of the
// others, all of them judged together by Holm's method. Two groups are a family of one pair. Values in, values out. Any
// thread.
#pragma once

#include "core/analysis/compare.h"

#include <vector>

namespace accumulus {

inline constexpr std::size_t mostGroups = 8;

/// How many groups there are, also without runs: at least two.
[[nodiscard]] std::size_t groupCount(const ComparisonInput& input);
/// "A" of 0, "B" of 1, ...
[[nodiscard]] std::string letterOf(std::size_t group);
[[nodiscard]] const std::vector<ComparedRun>& groupAt(const ComparisonInput& input, std::size_t group);
[[nodiscard]] bool isOutlined(const ComparisonInput& input); ///< one of the runs is
/// All but the reference that hold runs.
[[nodiscard]] std::vector<std::size_t> comparedGroups(const ComparisonInput& input);
/// The group against the reference, as an input of two groups under their own letters.
[[nodiscard]] ComparisonInput pairInput(const ComparisonInput& input, std::size_t group);

/// A group against the reference.
struct FamilyMember {
    std::size_t group = 0;
    Comparison comparison; ///< A is the group, B the reference
};

/// Means and bands of a group, over the runs that form a pair with any other; without any over all complete runs.
struct GroupCurves {
    std::size_t group = 0;
    Band loss, metric;
    Series rawLoss; ///< mean of the same runs, not smoothed; empty where the loss is not smoothed either
};

struct FamilyComparison {
    std::size_t reference = 1;
    std::vector<FamilyMember> members; ///< comparedGroups(); p values of more than one are corrected together
    std::vector<GroupCurves> curves;   ///< of the groups with runs, A first
};

[[nodiscard]] FamilyComparison compareFamily(const ComparisonInput& input, BandKind band = BandKind::MinMax,
                                             const CurveSmoothing& lossSmoothing = usualLossSmoothing);

} // namespace accumulus
