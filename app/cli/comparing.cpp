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
    Groups full;
    full.reference = named.reference;
    ACCUMULUS_TRY_ASSIGN(full.a, fullIds(reader, named.a));
    ACCUMULUS_TRY_ASSIGN(full.b, fullIds(reader, named.b));
    for (const std::vector<std::string>& group : named.further) {
        ACCUMULUS_TRY_ASSIGN(auto ids, fullIds(reader, group));
        full.further.push_back(std::move(ids));
    }
    return full;
}

/// Without the empty ones behind the last that was named.
Groups namedGroups(const CompareTargets& targets) {
    Groups named{targets.a, targets.b};
    named.further.assign(targets.further.begin(), targets.further.end());
    while (!named.further.empty() && named.further.back().empty())
        named.further.pop_back();
    return named;
}

/// The metric of the study that all runs of A and B belong to, else the main one of their loss. Groups that are added
/// do not change by what these two are judged.
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

/// CLI11 would write [STUDY|RUN(0x)].
class TargetsFormatter : public CLI::Formatter {
public:
    std::string make_option_usage(const CLI::Option* /*option*/) const override { return "[STUDY | RUN...]"; }
};

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
    bool endedA = false, endedB = false;
    for (const RunRecord& run : runs) {
        if (run.state == RunState::Draft)
            continue;
        const bool accumulated = run.arm == Arm::Accumulated;
        (accumulated ? groups.a : groups.b).push_back(run.id);
        if (run.state == RunState::Completed || run.state == RunState::Failed)
            (accumulated ? endedA : endedB) = true;
    }
    if (!endedA || !endedB)
        return failure("cli.one-arm",
                       {{"study", study.name}, {"missing", armName(endedA ? Arm::LargeBatch : Arm::Accumulated)}});
    return groups;
}

bool CompareTargets::namesGroups() const {
    return !a.empty() || !b.empty() ||
           std::ranges::any_of(further, [](const std::vector<std::string>& group) { return !group.empty(); });
}

void addCompareTargets(CLI::App& verb, CompareTargets& targets, const std::string& help) {
    verb.formatter(std::make_shared<TargetsFormatter>());
    verb.add_option("STUDY|RUN", targets.positional, help)->expected(0, static_cast<int>(mostGroups))->type_name("");
    std::vector<std::string> letters;
    for (std::size_t group = 0; group < mostGroups; ++group) {
        letters.push_back(letterOf(group));
        std::vector<std::string>& runs = group == 0 ? targets.a : group == 1 ? targets.b : targets.further[group - 2];
        verb.add_option(std::string("--") + static_cast<char>('a' + group), runs, "Runs of group " + letters.back())
            ->type_name("RUN");
    }
    verb.add_option("--reference", targets.reference,
                    "Group that each other one is compared with. The verdicts of more than two groups are corrected "
                    "together by Holm's method")
        ->type_name("LETTER")
        ->transform(CLI::IsMember(letters, CLI::ignore_case))
        ->capture_default_str();
}

Result<Groups> resolveGroups(RunReader& reader, const CompareTargets& targets) {
    const std::size_t named = targets.positional.size();
    const bool grouped = targets.namesGroups();
    if (grouped == (named > 0) || (grouped && (targets.a.empty() || targets.b.empty())))
        return failure("cli.compare-what");
    Groups groups;
    if (grouped) {
        groups = namedGroups(targets);
    } else if (named == 1) {
        ACCUMULUS_TRY_ASSIGN(const auto study, findStudy(reader, targets.positional.front()));
        ACCUMULUS_TRY_ASSIGN(groups, studyGroups(reader, study));
    } else {
        groups = {{targets.positional[0]}, {targets.positional[1]}};
        for (std::size_t i = 2; i < named; ++i)
            groups.further.push_back({targets.positional[i]});
    }
    groups.reference = static_cast<std::size_t>(targets.reference.front() - 'A');
    return fullGroups(reader, groups);
}

Result<Compared> compareGroupsOf(RunReader& reader, const Groups& groups, const CompareOptions& options) {
    const std::string metric = options.metric.empty() ? commonMetric(reader, groups) : options.metric;
    std::vector<std::vector<std::string>> all{groups.a, groups.b};
    all.insert(all.end(), groups.further.begin(), groups.further.end());
    ACCUMULUS_TRY_ASSIGN(auto input,
                         loadComparedGroups(reader, all, metric, options.margin, {.reference = groups.reference}));
    FamilyComparison family = compareFamily(input);
    if (family.members.size() == 1)
        input = pairInput(input, family.members.front().group);
    return Compared{std::move(input), std::move(family)};
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
    if (comparison.evaluationMemory)
        console.line(messageText(*comparison.evaluationMemory));
    for (const Message& run : comparison.unpaired)
        console.line("Not used: " + messageText(run));
    for (const Message& warning : comparison.warnings)
        console.line("Warning: " + messageText(warning));
}

} // namespace accumulus::cli
