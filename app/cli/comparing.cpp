// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparing.h"

#include "core/run/library_views.h"

#include <algorithm>

namespace accumulus::cli {
namespace {

constexpr std::size_t shortestPrefix = 4;

Result<std::vector<std::string>> fullIds(RunReader& reader, const std::vector<std::string>& names) {
    std::vector<std::string> ids;
    for (const std::string& name : names) {
        ACCUMULUS_TRY_ASSIGN(const auto run, reader.run(name));
        ids.push_back(run.id);
    }
    return ids;
}

Result<Groups> fullGroups(RunReader& reader, const Groups& named) {
    ACCUMULUS_TRY_ASSIGN(auto a, fullIds(reader, named.a));
    ACCUMULUS_TRY_ASSIGN(auto b, fullIds(reader, named.b));
    return Groups{std::move(a), std::move(b)};
}

/// The metric of the study that all runs belong to, else the main one of their loss.
std::string commonMetric(RunReader& reader, const Groups& groups) {
    const auto first = reader.run(groups.a.front());
    const auto study = first ? reader.study(first->study) : failure("library.no-run");
    if (!study)
        return {};
    for (const auto* group : {&groups.a, &groups.b}) {
        for (const std::string& id : *group) {
            const auto run = reader.run(id);
            if (!run || run->study != study->id)
                return {};
        }
    }
    return study->config.metric;
}

} // namespace

Result<RunReader> openReader(const std::filesystem::path& path) {
    ACCUMULUS_TRY_ASSIGN(auto library, Library::open(path, Library::Mode::Read));
    return RunReader(std::move(library));
}

Result<StudyRecord> findStudy(RunReader& reader, const std::string& text) {
    ACCUMULUS_TRY_ASSIGN(const auto studies, reader.studies());
    const StudyRecord* newest = nullptr; // of those with that name
    std::vector<const StudyRecord*> begun;
    for (const StudyRecord& study : studies) {
        if (study.name == text && (newest == nullptr || study.createdAt > newest->createdAt))
            newest = &study;
        if (text.size() >= shortestPrefix && study.id.starts_with(text))
            begun.push_back(&study);
    }
    if (newest != nullptr)
        return *newest;
    if (begun.empty())
        return failure("cli.no-study", {{"text", text}});
    if (begun.size() > 1) {
        std::string candidates;
        for (const StudyRecord* study : begun)
            candidates += (candidates.empty() ? "" : ", ") + study->id;
        return failure("cli.ambiguous-study", {{"text", text}, {"candidates", candidates}});
    }
    return *begun.front();
}

Result<Groups> studyGroups(RunReader& reader, const StudyRecord& study) {
    ACCUMULUS_TRY_ASSIGN(const auto runs, reader.runs({.study = study.id}));
    Groups groups;
    for (const RunRecord& run : runs) {
        if (run.state == RunState::Completed)
            (run.arm == Arm::Accumulated ? groups.a : groups.b).push_back(run.id);
    }
    if (groups.a.empty() || groups.b.empty())
        return failure("cli.one-arm", {{"study", study.name},
                                       {"missing", armName(groups.a.empty() ? Arm::Accumulated : Arm::LargeBatch)}});
    return groups;
}

Result<Groups> resolveGroups(RunReader& reader, const CompareTargets& targets) {
    const bool grouped = !targets.groups.a.empty() && !targets.groups.b.empty();
    const bool halfGrouped = targets.groups.a.empty() != targets.groups.b.empty();
    if (halfGrouped || grouped == !targets.positional.empty() || targets.positional.size() > 2)
        return failure("cli.compare-what");
    if (grouped)
        return fullGroups(reader, targets.groups);
    if (targets.positional.size() == 2)
        return fullGroups(reader, {{targets.positional[0]}, {targets.positional[1]}});
    ACCUMULUS_TRY_ASSIGN(const auto study, findStudy(reader, targets.positional.front()));
    return studyGroups(reader, study);
}

Result<Compared> compareGroupsOf(RunReader& reader, const Groups& groups, const CompareOptions& options) {
    const std::string metric = options.metric.empty() ? commonMetric(reader, groups) : options.metric;
    ACCUMULUS_TRY_ASSIGN(auto input, loadComparison(reader, groups.a, groups.b, metric, options.margin));
    Comparison comparison = compareGroups(input);
    return Compared{std::move(input), std::move(comparison)};
}

Result<Compared> compareInLibrary(const std::filesystem::path& library, const Groups& groups,
                                  const CompareOptions& options) {
    ACCUMULUS_TRY_ASSIGN(auto reader, openReader(library));
    return compareGroupsOf(reader, groups, options);
}

void printVerdict(const Comparison& comparison, Console& console) {
    console.line(messageText(comparison.headline));
    console.line(verdictText(comparison));
    if (comparison.saving)
        console.line(messageText(*comparison.saving));
    for (const Message& run : comparison.unpaired)
        console.line("Not used: " + messageText(run));
    for (const Message& warning : comparison.warnings)
        console.line("Warning: " + messageText(warning));
}

} // namespace accumulus::cli
