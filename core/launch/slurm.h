// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs of a Slurm cluster, through its own programs (sbatch, squeue, scancel) on the machine that submits. Each call
// blocks until the program has ended.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace accumulus::slurm {

/// Submits a script, whose output goes to `log`, as `tasks` tasks. `options`: further words for sbatch, separated by
/// spaces. The job: its number and, after a semicolon, the cluster where that is not the usual one. Errors
/// "slurm.missing" (there is no sbatch), "slurm.refused".
[[nodiscard]] Result<std::string> submit(const std::filesystem::path& script, const std::filesystem::path& log,
                                         const std::string& name, std::int64_t tasks, const std::string& options);

struct JobState {
    std::string state;  ///< "PENDING", "RUNNING", ... as Slurm says it; empty: the cluster does not answer
    std::string reason; ///< why it waits
    std::string nodes;  ///< where it runs
    bool operator==(const JobState&) const = default;

    [[nodiscard]] bool isPending() const { return state == "PENDING" || state == "CONFIGURING"; }
    [[nodiscard]] bool isOver() const;
};
/// A job that the cluster has forgotten is "COMPLETED".
[[nodiscard]] JobState stateOf(const std::string& job);

/// Best effort: a job that is over stays as it is.
void cancel(const std::string& job);

} // namespace accumulus::slurm
