// SPDX-License-Identifier: GPL-3.0-or-later
// Which checkpoints of a run are no longer needed, and the folder they lie in. Nothing is removed before the row of
// what takes its place is in the library: whoever asks has seen to that. One thread.
#pragma once

#include "core/base/result.h"
#include "core/base/training_records.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <vector>

namespace accumulus {

class CheckpointKeeper {
public:
    /// `keep`: periodic checkpoints that stay, at least one. `older`: of earlier attempts, oldest first; they count.
    CheckpointKeeper(std::int64_t keep, std::vector<CheckpointRecord> older);

    /// Takes note of a checkpoint that is in the library now. Returns those that it makes superfluous, oldest first.
    [[nodiscard]] std::vector<CheckpointRecord> saved(const CheckpointRecord& checkpoint);

private:
    std::size_t m_keep;
    std::vector<CheckpointRecord> m_older; ///< until the first checkpoint of this attempt is saved
    [[nodiscard]] std::vector<CheckpointRecord> savedBest(const CheckpointRecord& checkpoint);

    std::deque<CheckpointRecord> m_periodic;
    std::optional<CheckpointRecord> m_best;       ///< newest
    bool m_covered = true;                        ///< a run that is resumed goes on behind it
    std::optional<CheckpointRecord> m_formerBest; ///< of what a resume goes on from, until the newest is covered
};

/// Removes the files of a checkpoint that lie in `folder`, the run's own. Others stay, whatever a library says of them.
void removeCheckpointFiles(const CheckpointRecord& checkpoint, const std::filesystem::path& folder);

/// Removes files of checkpoints in a run's folder that none of `named` has: a process ended before their row was
/// written.
void removeUnnamedCheckpoints(const std::filesystem::path& folder, const std::vector<CheckpointRecord>& named);

/// Creates the folder and writes a file into it, which is removed again. Error "library.folder".
[[nodiscard]] Status requireWritable(const std::filesystem::path& folder);

} // namespace accumulus
