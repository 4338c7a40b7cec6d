// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of bugHypotheses(), shared by bug_hypotheses.cpp (what follows from units and accumulation steps alone) and
// bug_hypotheses_fitted.cpp (what has a number of its own). Not for others. Any thread.
#pragma once

#include "core/analysis/bug_hypotheses.h"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace accumulus {

/// What loops weigh the micro-gradients of a window with, but for their mistake: one c_k for each micro-step.
namespace weights_of_loops {

using Weights = std::vector<double>;
using Base = std::function<Weights(const WindowEvidence&)>;

[[nodiscard]] Weights byUnits(const WindowEvidence& window);   ///< n_k / N
[[nodiscard]] Weights bySteps(const WindowEvidence& window);   ///< 1 / K
[[nodiscard]] Weights undivided(const WindowEvidence& window); ///< 1
[[nodiscard]] Weights scaled(Weights weights, double factor);

} // namespace weights_of_loops

/// Collects hypotheses over all windows. Both arguments outlive it.
class HypothesisCollection {
public:
    HypothesisCollection(const GradientEvidence& evidence, const std::vector<FittedWeights>& fitted)
        : m_evidence(evidence), m_fitted(fitted) {}

    void addAll(); ///< in the order of preference
    [[nodiscard]] std::vector<BugHypothesis> take() && { return std::move(m_all); }

private:
    using Weights = weights_of_loops::Weights;
    using Base = weights_of_loops::Base;
    using Arguments = std::vector<std::pair<std::string, std::string>>;

    // bug_hypotheses.cpp
    BugHypothesis& add(const std::string& pattern, const Base& own, Arguments arguments = {});
    [[nodiscard]] const WindowEvidence& last() const { return m_evidence.windows.back(); }
    void addFactors();
    void addRemainders();
    void addLeaks();
    void addLeak(const Base& base, bool remaindersOnly, bool newestOnly, bool jointly);
    void addLost();
    void addRanks();
    void addRankVariants(const std::function<std::size_t(const WindowEvidence&, std::size_t)>& rankOf,
                         const std::function<double(const WindowEvidence&)>& count, bool known);

    // bug_hypotheses_fitted.cpp
    void addGeometric();
    void addGeometric(bool ofRank, bool units);
    void addClips();
    void addClipOfEach(const Base& base, bool divideFirst);
    void addClipOfSum(const Base& base);
    void addLossScale();

    const GradientEvidence& m_evidence;
    const std::vector<FittedWeights>& m_fitted;
    std::vector<BugHypothesis> m_all;
};

} // namespace accumulus
