// SPDX-License-Identifier: GPL-3.0-or-later
// The options that run, resume, follow and demo share.
#pragma once

#include "core/config/experiment_config.h"
#include "core/store/run_records.h"

#include <CLI/App.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace accumulus::cli {

struct TrainingOptions {
    std::string library; ///< as given; empty: the default one
    bool json = false;
    std::int64_t logEvery = 0;
    bool events = false;        ///< run: the whole event stream
    std::int64_t ranks = 1;     ///< processes to start
    std::string commands;       ///< file with what is asked of the trainer; "-": standard input; empty: none
    bool commandsSoFar = false; ///< also what the file held before
    LaunchPlace place;          ///< where to train, if elsewhere
    bool elsewhere = false;     ///< `place` was given
    std::string detached;       ///< name of the journal of a study that goes on without the one who started it
    std::int64_t after = 0;     ///< bytes of the journal that are known already
    bool unpause = false;       ///< follow: a study that is paused goes on
    bool forget = false;        ///< follow: no more, whatever becomes of it
    bool here = false;          ///< resume: on this machine, although it was trained elsewhere
    bool takeOver = false;      ///< resume: although the run may be alive on another computer
    bool otherData = false;     ///< resume: although the data set has changed
};

void addTrainingOptions(CLI::App& verb, TrainingOptions& options);
void addHostOption(CLI::App& verb, TrainingOptions& options, const std::string& help); ///< --on
/// --ranks, --events, --commands, --slurm and its kin, for verbs that train what another program may follow.
void addLaunchOptions(CLI::App& verb, TrainingOptions& options);
/// Throws CLI::RequiresError where an option is given that only a place to train at makes use of, and no place.
void requirePlace(const CLI::App& verb, const TrainingOptions& options);
void addAssignments(CLI::App& verb, std::vector<std::string>& assignments);

} // namespace accumulus::cli
