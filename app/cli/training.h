// SPDX-License-Identifier: GPL-3.0-or-later
// What run, demo and resume share: train through the facade, print the events, obey Ctrl+C, say the verdict. Blocks
// until the end.
#pragma once

#include "app/cli/console.h"
#include "core/config/experiment_config.h"

#include <CLI/App.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace accumulus::cli {

struct TrainingOptions {
    std::string library; ///< as given; empty: the default one
    bool json = false;
    std::int64_t logEvery = 0;
    bool events = false;    ///< run: the whole event stream
    std::int64_t ranks = 1; ///< run: processes to start
    bool takeOver = false;  ///< resume: although the run may be alive on another computer
    bool otherData = false; ///< resume: although the data set has changed
};

void addTrainingOptions(CLI::App& verb, TrainingOptions& options);
void addAssignments(CLI::App& verb, std::vector<std::string>& assignments);

/// The experiment file, or standard input for "-", with the assignments applied, trained. Returns the exit code.
int trainFile(const std::filesystem::path& file, const std::vector<std::string>& assignments,
              const TrainingOptions& options, Console& console);
/// Continues one run. Returns the exit code.
int trainResumed(const std::string& run, const TrainingOptions& options, Console& console);

} // namespace accumulus::cli
