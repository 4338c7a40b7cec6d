// SPDX-License-Identifier: GPL-3.0-or-later
// The ranks of a study between its runs: the first rank keeps the library and says what comes next, the others follow.
// The trainer's thread.
#pragma once

#include "core/base/result.h"
#include "core/config/experiment_config.h"
#include "core/engine/engine_setup.h"
#include "core/ranks/communicator.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace accumulus {

class RankTeam {
public:
    /// All ranks create theirs together. Errors "ranks.failed", "ranks.lost".
    [[nodiscard]] static Result<std::unique_ptr<RankTeam>> create(Communicator& ranks);

    [[nodiscard]] Communicator& ranks() const { return m_ranks; }
    [[nodiscard]] bool leads() const { return m_ranks.rank() == 0; }

    /// Kernel threads that this rank may use: its share of the cores that it may run on together with other ranks.
    [[nodiscard]] int cores() const { return m_cores; }

    /// Is what each rank calls `what` the same on all? Error "ranks.differ".
    [[nodiscard]] Status compare(const std::string& what, const std::string& own);
    /// The first rank's text, on all.
    [[nodiscard]] Result<std::string> share(const std::string& own);
    /// Has everybody succeeded? The lowest rank's error is that of all.
    [[nodiscard]] Status agree(const Status& own);

    /// One run, as the first rank begins it.
    struct Task {
        std::string run; ///< UUID
        RunConfig config;
        std::int64_t seed = 0;
        LanePlan lanes;
        std::filesystem::path folder;
        std::filesystem::path bundle; ///< goes on from; empty: from the beginning
        std::string datasetHash;
        std::string device;             ///< of the first rank: "cpu" or "cuda:N"
        std::string modelFileHash;      ///< of model.path
        std::string initialWeightsHash; ///< of model.weights
    };
    void announce(const Task& task); ///< the first rank
    void dismiss();                  ///< the first rank: there are no more runs
    /// The others: what was announced; nothing when they are dismissed.
    [[nodiscard]] Result<std::optional<Task>> await();

    /// A rank has left, or was lost: nothing can be computed together any more.
    void setBroken() { m_broken = true; }
    /// The same after `error`, which says whether a rank was lost.
    void setBroken(const Error& error);
    [[nodiscard]] bool isBroken() const { return m_broken; }
    [[nodiscard]] std::optional<int> lostRank() const { return m_lost; }

private:
    explicit RankTeam(Communicator& ranks);
    [[nodiscard]] Result<std::vector<std::string>> gather(const std::string& own);

    Communicator& m_ranks;
    int m_cores = 1;
    bool m_broken = false;
    std::optional<int> m_lost;
};

/// The settings of `experiment` on `ranks` ranks: batch.devices becomes their number, B stays, K follows; a B and a K
/// that agree on this number of devices only are taken as they are. Errors "ranks.devices", and those of resolveBatch.
[[nodiscard]] Result<ExperimentConfig> onRanks(ExperimentConfig experiment, int ranks);

} // namespace accumulus
