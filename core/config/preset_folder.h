// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments under names that a person chose: TOML files in one folder, one file a name. A name may hold any
// characters; in the file's name those that a file system or shell may refuse stand as %2F. Files that somebody put
// there by hand are presets, too. Any thread; a slow disk is waited for.
#pragma once

#include "core/base/result.h"
#include "core/config/experiment_config.h"

#include <filesystem>
#include <string>
#include <vector>

namespace accumulus {

struct Preset {
    std::string name; ///< UTF-8
    std::filesystem::path file;
    double savedAt = 0.0;                                             ///< Unix seconds
    Result<ExperimentConfig> experiment = failure("config.file", {}); ///< or why the file cannot be used
};

/// All files *.toml of the folder, by name; broken ones with their error. None where there is no folder. Error
/// "preset.folder" where it cannot be read.
[[nodiscard]] Result<std::vector<Preset>> listPresets(const std::filesystem::path& folder);

/// Where a preset of this name lies. Error "preset.name": empty, not UTF-8, or longer than a file name may be.
[[nodiscard]] Result<std::filesystem::path> presetFile(const std::filesystem::path& folder, const std::string& name);

/// Writes all or nothing, and makes the folder. Relative paths of the experiment start at the working directory from
/// now on. Errors "preset.exists" (unless `overwrite`), "preset.name", "preset.write".
[[nodiscard]] Status savePreset(const std::filesystem::path& folder, const std::string& name,
                                const ExperimentConfig& experiment, bool overwrite);
/// Another name for the file, whatever it holds. Errors "preset.exists" (another has it), "preset.name",
/// "preset.write".
[[nodiscard]] Status renamePreset(const std::filesystem::path& file, const std::string& name);
/// Returns what the file held, for restorePreset(). Error "preset.write".
[[nodiscard]] Result<std::string> removePreset(const std::filesystem::path& file);
/// Errors "preset.exists" (the name was given anew meanwhile), "preset.write".
[[nodiscard]] Status restorePreset(const std::filesystem::path& file, const std::string& content);

} // namespace accumulus
