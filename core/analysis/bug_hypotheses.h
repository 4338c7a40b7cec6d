// SPDX-License-Identifier: GPL-3.0-or-later
// The mistakes that accumulation loops make, as weights c_k that each of them gives to the micro-gradients of every
// window. Most follow from units and accumulation steps alone; a few have a number of their own (a ratio, a clipping
// norm), which is taken from the weights that were fitted. The classes S1 to S8 are those of auditPatterns(). Pure
// functions; any thread.
#pragma once

#include "core/analysis/gradient_fit.h"

#include <string>
#include <utility>
#include <vector>

namespace accumulus {

struct BugHypothesis {
    std::string pattern;                                          ///< code of an AuditPattern
    std::vector<WindowWeights> weights;                           ///< one for each window of the evidence
    std::vector<std::pair<std::string, std::string>> arguments{}; ///< of the sentence "audit.found.PATTERN"
};

/// In the order in which they are preferred where two explain the same. `fitted`: fitWeights() of each window.
[[nodiscard]] std::vector<BugHypothesis> bugHypotheses(const GradientEvidence& evidence,
                                                       const std::vector<FittedWeights>& fitted);

} // namespace accumulus
