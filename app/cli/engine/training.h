// SPDX-License-Identifier: GPL-3.0-or-later
// What run, demo, resume and follow share: train through the facade, print the events, obey Ctrl+C, say the verdict.
// Blocks until the end.
#pragma once

#include "app/cli/console.h"
#include "app/cli/training_options.h"

#include <filesystem>
#include <string>
#include <vector>

namespace accumulus::cli {

/// The experiment file, or standard input for "-", with the assignments applied, trained. Returns the exit code.
int trainFile(const std::filesystem::path& file, const std::vector<std::string>& assignments,
              const TrainingOptions& options, Console& console);
/// Continues one run. Returns the exit code.
int trainResumed(const std::string& run, const TrainingOptions& options, Console& console);
/// Goes on following what is trained elsewhere; `launch` as followElsewhere. Returns the exit code.
int followTraining(const std::string& launch, const TrainingOptions& options, Console& console);

} // namespace accumulus::cli
