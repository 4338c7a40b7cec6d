// SPDX-License-Identifier: GPL-3.0-or-later
// Experiment files: TOML in, TOML and JSON out, all through the field table.
#pragma once

#include "core/base/result.h"
#include "core/config/experiment_config.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace accumulus {

/// Where the relative paths of an experiment file start.
enum class RelativePaths {
    AtTheFile, ///< at its folder; they become absolute
    AsWritten, ///< wherever it will be trained, for another machine
};

/// A regular file with a folder of its own; /dev/stdin is none, wherever it leads.
[[nodiscard]] bool liesInAFolder(const std::filesystem::path& file);

/// Defaults, then the file's settings. What is no regular file (a pipe, /dev/stdin) lies nowhere, so its paths stay as
/// they are. Errors "config.file", "config.syntax" (line, column), "config.unknown-key",
/// "config.value".
[[nodiscard]] Result<ExperimentConfig> readExperiment(const std::filesystem::path& file,
                                                      RelativePaths paths = RelativePaths::AtTheFile);
/// The same from text; `name` is used in messages.
[[nodiscard]] Result<ExperimentConfig> parseExperiment(std::string_view toml, const std::string& name);

/// Every relative path of the experiment now starts at this folder, an absolute one.
[[nodiscard]] Status startPathsAt(ExperimentConfig& config, const std::filesystem::path& folder);

/// A TOML file that readExperiment turns into the same configuration. Only settings that differ from their default
/// unless `complete`.
[[nodiscard]] std::string experimentToml(const ExperimentConfig& config, bool complete = false);

/// Canonical JSON of the run's settings: keys sorted, one line. What the store keeps and the hashes cover.
[[nodiscard]] std::string runConfigJson(const RunConfig& config);
/// The same without optimizer.lr_batch and lr_rule: where a learning rate came from makes no other configuration.
[[nodiscard]] std::string hashedRunConfigJson(const RunConfig& config);
[[nodiscard]] Result<RunConfig> runConfigFromJson(std::string_view json);
[[nodiscard]] std::string studyConfigJson(const StudyConfig& config);
[[nodiscard]] Result<StudyConfig> studyConfigFromJson(std::string_view json);

/// `accumulus-cli run /dev/null --set ...` that gives the same run, quoted for a POSIX shell: an empty file, and the
/// settings that differ from the defaults; with several devices it starts as many ranks. A study without a name gets
/// one from its settings.
[[nodiscard]] std::string commandLine(const ExperimentConfig& config);

} // namespace accumulus
