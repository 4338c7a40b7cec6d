// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons that a person keeps in the library, as they were judged when they were saved. On the thread of the store
// or reader; errors are theirs.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace accumulus {

class RunReader;
class RunStore;

struct ComparisonRecord {
    std::string id; ///< UUID
    std::string name;
    double createdAt = 0.0;
    std::vector<std::string> groupA, groupB;         ///< UUIDs of runs, which may have been deleted since
    std::vector<std::vector<std::string>> further{}; ///< groups C to H
    std::int64_t reference = 1;                      ///< number of the group that the others are compared with: 1 is B
    std::string metric;                              ///< that the verdict is given on
    std::vector<std::string> together;               ///< further metrics that it is judged together with
    double margin = 0.0;                             ///< in the metric's own unit
    bool ownMargin = false;   ///< set for this comparison; else that of the study or of the metric
    double marginSetAt = 0.0; ///< 0: nobody fixed it
    bool marginAfterResults = false;
    std::string axis;                   ///< axisName() of core/analysis
    std::string band;                   ///< bandCode() of core/analysis
    std::string smoothing = "ema 0.95"; ///< of the training loss: smoothingCode() of core/analysis
    bool operator==(const ComparisonRecord&) const = default;
};

/// In place of the comparison of that id, if there is one.
[[nodiscard]] Status putComparison(RunStore& store, const ComparisonRecord& comparison);
/// No such comparison is no error.
[[nodiscard]] Status removeComparison(RunStore& store, const std::string& id);
/// Newest first.
[[nodiscard]] Result<std::vector<ComparisonRecord>> savedComparisons(RunReader& reader);

} // namespace accumulus
