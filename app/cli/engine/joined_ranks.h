// SPDX-License-Identifier: GPL-3.0-or-later
// The ranks that mpirun or srun started this process with, from joining to the end of the program. The main thread.
#pragma once

#include "app/cli/console.h"
#include "core/base/result.h"
#include "core/config/experiment_config.h"
#include "core/run/rank_team.h"
#include "core/run/run_control.h"

#include <memory>
#include <optional>

namespace accumulus::cli {

class JoinedRanks {
public:
    /// Nobody else where the process was started alone. Of several ranks only the first prints. Errors of joinRanks(),
    /// "ranks.differ" where the ranks are different versions of the program.
    [[nodiscard]] static Result<JoinedRanks> join(Console& console);
    JoinedRanks(JoinedRanks&&) = default;
    JoinedRanks& operator=(JoinedRanks&&) = delete;
    /// The first rank dismisses the others. Where one was lost it ends them all.
    ~JoinedRanks();

    [[nodiscard]] RankTeam* team() const { return m_team.get(); } ///< null: alone
    [[nodiscard]] bool follows() const { return m_team && !m_team->leads(); }

    /// The experiment that all ranks have read, on their number of devices. One that cannot read the file, or gets
    /// it on standard input, takes the first rank's. Error "ranks.differ", and those of onRanks().
    [[nodiscard]] Result<ExperimentConfig> agreeOn(const Result<ExperimentConfig>& own) const;
    /// The exit code of a rank that follows.
    [[nodiscard]] int follow(RunControl& control) const;

private:
    JoinedRanks() = default;

    std::unique_ptr<Communicator> m_ranks;
    std::unique_ptr<RankTeam> m_team;
};

} // namespace accumulus::cli
