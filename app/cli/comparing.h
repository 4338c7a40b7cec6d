// SPDX-License-Identifier: GPL-3.0-or-later
// Two groups of runs named on the command line, looked up in the library and compared. Shared by run, compare and
// report.
#pragma once

#include "app/cli/console.h"
#include "core/analysis/compare.h"
#include "core/base/result.h"
#include "core/store/run_reader.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace accumulus::cli {

struct Groups {
    std::vector<std::string> a;
    std::vector<std::string> b;
};

struct CompareOptions {
    std::string metric; ///< empty: the study's, or the main one of the loss
    std::optional<double> margin;
};

struct Compared {
    ComparisonInput input;
    Comparison comparison;
};

/// What stands on the command line: one study, two runs, or two groups of runs.
struct CompareTargets {
    std::vector<std::string> positional;
    Groups groups;
};

/// Reads the library at `path`. Errors of Library::open.
[[nodiscard]] Result<RunReader> openReader(const std::filesystem::path& path);

/// A study by UUID, an unambiguous prefix of at least 4 characters, or its name (the newest of that name). Error
/// "cli.no-study".
[[nodiscard]] Result<StudyRecord> findStudy(RunReader& reader, const std::string& text);
/// The completed runs of a study by arm. Error "cli.one-arm" when one arm has none.
[[nodiscard]] Result<Groups> studyGroups(RunReader& reader, const StudyRecord& study);
/// Full UUIDs of the two groups. Errors "cli.compare-what", "library.no-run" and those above.
[[nodiscard]] Result<Groups> resolveGroups(RunReader& reader, const CompareTargets& targets);

[[nodiscard]] Result<Compared> compareGroupsOf(RunReader& reader, const Groups& groups, const CompareOptions& options);
[[nodiscard]] Result<Compared> compareInLibrary(const std::filesystem::path& library, const Groups& groups,
                                                const CompareOptions& options);

/// Headline, sentence and warnings.
void printVerdict(const Comparison& comparison, Console& console);

} // namespace accumulus::cli
