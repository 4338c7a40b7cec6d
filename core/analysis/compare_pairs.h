// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs of two groups form pairs, and the test on their differences. Internal to analysis.
#pragma once

#include "core/analysis/compare.h"

#include <utility>
#include <vector>

namespace accumulus {

using RunPairs = std::vector<std::pair<const ComparedRun*, const ComparedRun*>>;

/// Complete runs of one seed, one from each group, that have the metric; ascending seeds. What is left out goes into
/// `unpaired`, with the reason.
[[nodiscard]] RunPairs pairRuns(const ComparisonInput& input, CompareMetric metric, std::vector<Message>& unpaired);

struct TestedPairs {
    std::vector<PairedResult> pairs;
    EquivalenceTest test;
    LostSeeds lost;
};
/// `margin` 0: the metric's default.
[[nodiscard]] TestedPairs testPairs(const ComparisonInput& input, const RunPairs& pairs, CompareMetric metric,
                                    double margin);
/// BatchNorm, or a network that mixes samples, makes the groups different methods.
[[nodiscard]] bool isOtherMethod(const RunPairs& pairs);
/// What is left of `verdict` on such a test: steps that are larger than the margin and lost seeds show no equivalence,
/// and different methods are never equivalent.
[[nodiscard]] Verdict allowedVerdict(Verdict verdict, const EquivalenceTest& test, bool otherMethod, bool lostSeeds);

/// Corrects the p values of all of them by Holm's method, from those of their tests; their verdicts follow.
void correctByHolm(const std::vector<JudgedMetric*>& family);
/// Tests the further metrics beside the one of the verdict and corrects all of them by Holm's method.
void judgeTogether(Comparison& comparison, const ComparisonInput& input, const RunPairs& pairs);

/// A network that mixes the samples of a micro-batch is another one for each size of it.
[[nodiscard]] bool mixesDifferently(const ComparedRun& a, const ComparedRun& b);

} // namespace accumulus
