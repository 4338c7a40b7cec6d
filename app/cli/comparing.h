// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of runs named on the command line, looked up in the library and compared: two, or up to eight against a
// reference. Shared by run, compare and report.
#pragma once

#include "app/cli/console.h"
#include "core/analysis/compare_family.h"
#include "core/base/result.h"
#include "core/store/run_reader.h"

#include <CLI/App.hpp>
#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace accumulus::cli {

struct Groups {
    std::vector<std::string> a;
    std::vector<std::string> b;
    std::vector<std::vector<std::string>> further{}; ///< C to H
    std::size_t reference = 1;                       ///< 0: A, 1: B, ...
};

struct CompareOptions {
    std::string metric; ///< empty: the study's, or the main one of the loss
    std::optional<double> margin;
};

struct Compared {
    ComparisonInput input;   ///< of two groups the other one comes first, then the reference
    FamilyComparison family; ///< one member where there are two groups
    [[nodiscard]] bool several() const { return family.members.size() > 1; }
    [[nodiscard]] const Comparison& comparison() const { return family.members.front().comparison; }
};

/// What stands on the command line: one study, two to eight runs, or as many groups of runs.
struct CompareTargets {
    std::vector<std::string> positional;
    std::vector<std::string> a, b;
    std::array<std::vector<std::string>, mostGroups - 2> further; ///< --c to --h
    std::string reference = "B";
    [[nodiscard]] bool namesGroups() const; ///< by --a to --h
};

/// The options that name them; `help` of those without a letter.
void addCompareTargets(CLI::App& verb, CompareTargets& targets, const std::string& help);

/// Reads the library at `path`. Errors of Library::open.
[[nodiscard]] Result<RunReader> openReader(const std::filesystem::path& path);

/// A study by UUID, an unambiguous prefix of at least 4 characters, or its name (the newest of that name). Error
/// "cli.no-study".
[[nodiscard]] Result<StudyRecord> findStudy(RunReader& reader, const std::string& text);
/// The runs of a study by arm, also those that failed or go on: what is left out of a comparison is told. Error
/// "cli.one-arm" when no run of an arm has ended.
[[nodiscard]] Result<Groups> studyGroups(RunReader& reader, const StudyRecord& study);
/// Full UUIDs of the groups. Errors "cli.compare-what", "library.no-run" and those above.
[[nodiscard]] Result<Groups> resolveGroups(RunReader& reader, const CompareTargets& targets);

[[nodiscard]] Result<Compared> compareGroupsOf(RunReader& reader, const Groups& groups, const CompareOptions& options);
[[nodiscard]] Result<Compared> compareInLibrary(const std::filesystem::path& library, const Groups& groups,
                                                const CompareOptions& options);

/// Headline, sentence and warnings.
void printVerdict(const Comparison& comparison, Console& console);

} // namespace accumulus::cli
