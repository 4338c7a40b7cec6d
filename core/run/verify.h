// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluates stored weights once more and compares with what the library recorded. Blocks; any thread.
#pragma once

#include "core/base/result.h"
#include "core/base/training_records.h"
#include "core/train/evaluation_watch.h"

#include <filesystem>
#include <optional>
#include <string>

namespace accumulus {

/// Loads weights and evaluates them on the configuration's test set.
struct VerifyOutcome {
    std::string run; ///< empty for a checkpoint file that belongs to no run of the library
    std::string checkpoint;
    EvaluationRecord now;
    std::optional<EvaluationRecord> recorded; ///< at the same update, where the library knows one
    std::string weightsHash;
    bool weightsHashAgrees = true;
    [[nodiscard]] bool agrees() const; ///< same accuracy exactly, loss within 1e-6 relative, hash equal
};
/// The library to compare with. One that is there must open; a file can do without one unless somebody has named it.
struct VerifyLibrary {
    std::filesystem::path file;
    bool named = true;
};
/// `target`: a safetensors file written by Accumulus (its metadata holds the configuration) or a run.
/// `watch`: while it evaluates; "library.cancelled" where it says so.
[[nodiscard]] Result<VerifyOutcome> verify(const std::string& target, const VerifyLibrary& library,
                                           const EvaluationWatch& watch = {});

} // namespace accumulus
