// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/batch_words.h"
#include "core/config/config_fields.h"
#include "core/run/library_views.h"

#include <algorithm>
#include <compare>
#include <fmt/format.h>
#include <map>
#include <set>

namespace accumulus {

namespace {

/// What all runs of one group share: the arm and the split of the effective batch.
struct Shape {
    Arm arm = Arm::Accumulated;
    std::int64_t micro = 0;
    std::int64_t steps = 0;
    auto operator<=>(const Shape&) const = default;
};

using Runs = std::vector<const RunRecord*>;

/// Runs that differ in nothing but seed, arm and split, by shape. Shapes in the order of their newest run.
struct Family {
    std::vector<Shape> shapes;
    std::map<Shape, Runs> runs;
};

Shape shapeOf(const RunRecord& run) { return {run.arm, run.batch.micro, run.batch.steps}; }

/// Families in the order of their newest run. The pair hash of seed 0 stands for "everything but seed, arm and split".
std::vector<Family> familiesOf(const std::vector<RunRecord>& runs) {
    std::vector<Family> families;
    std::map<std::string, std::size_t> known;
    const RunRecord* before = nullptr;
    std::string hash;
    for (const RunRecord& run : runs) {
        if (run.trashed || run.state == RunState::Draft)
            continue;
        // Seeds of a configuration mostly follow each other, and a hash takes longer than all the rest.
        if (before == nullptr || before->config != run.config)
            hash = pairHash(run.config, 0);
        before = &run;
        const auto [entry, isNew] = known.try_emplace(hash, families.size());
        if (isNew)
            families.emplace_back();
        Family& family = families[entry->second];
        const Shape shape = shapeOf(run);
        if (!family.runs.contains(shape))
            family.shapes.push_back(shape);
        family.runs[shape].push_back(&run);
    }
    return families;
}

/// One run per seed, ascending seeds: a completed run before others, then the newest.
Runs onePerSeed(const Runs& runs) {
    std::map<std::int64_t, const RunRecord*> best;
    for (const RunRecord* run : runs) {
        const RunRecord*& kept = best[run->seed];
        const auto rank = [](const RunRecord& candidate) {
            return std::pair(candidate.state == RunState::Completed, candidate.createdAt);
        };
        if (kept == nullptr || rank(*run) > rank(*kept))
            kept = run;
    }
    Runs result;
    for (const auto& [seed, run] : best)
        result.push_back(run);
    return result;
}

Runs ofStudy(const Runs& runs, const std::string& study) {
    Runs result;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(result),
                 [&study](const RunRecord* run) { return run->study == study; });
    return result;
}

std::size_t sharedSeeds(const Runs& a, const Runs& b) {
    return static_cast<std::size_t>(std::count_if(a.begin(), a.end(), [&b](const RunRecord* run) {
        return std::any_of(b.begin(), b.end(), [run](const RunRecord* other) { return other->seed == run->seed; });
    }));
}

std::vector<std::string> idsOf(const Runs& runs) {
    std::vector<std::string> ids;
    for (const RunRecord* run : runs)
        ids.push_back(run->id);
    return ids;
}

SuggestedPair suggestion(const Runs& a, const Runs& b, std::size_t studies) {
    const RunRecord& first = *a.front();
    std::string title = fmt::format("{} on {}, B = {}: {} against {}", first.config.model.name,
                                    first.config.data.dataset, effectiveText(first.batch, plainSigns()),
                                    splitText(first.batch, plainSigns()), splitText(b.front()->batch, plainSigns()));
    if (studies > 1)
        title += fmt::format(" ({} studies together)", studies);
    return {std::move(title), idsOf(a), idsOf(b)};
}

/// One suggestion for each study that holds both shapes, and one over all studies where that makes more pairs.
void suggestFor(const Family& family, const Shape& a, const Shape& b, std::vector<SuggestedPair>& suggestions) {
    const Runs& runsA = family.runs.at(a);
    const Runs& runsB = family.runs.at(b);
    std::vector<std::string> studies;
    for (const Runs* runs : {&runsA, &runsB})
        for (const RunRecord* run : *runs)
            if (std::find(studies.begin(), studies.end(), run->study) == studies.end())
                studies.push_back(run->study);

    std::size_t maxPairs = 0;
    std::vector<SuggestedPair> ofStudies;
    for (const std::string& study : studies) {
        const Runs groupA = onePerSeed(ofStudy(runsA, study));
        const Runs groupB = onePerSeed(ofStudy(runsB, study));
        const std::size_t pairs = sharedSeeds(groupA, groupB);
        maxPairs = std::max(maxPairs, pairs);
        if (pairs > 0)
            ofStudies.push_back(suggestion(groupA, groupB, 1));
    }
    const Runs allA = onePerSeed(runsA);
    const Runs allB = onePerSeed(runsB);
    if (studies.size() > 1 && sharedSeeds(allA, allB) > maxPairs)
        suggestions.push_back(suggestion(allA, allB, studies.size()));
    std::move(ofStudies.begin(), ofStudies.end(), std::back_inserter(suggestions));
}

} // namespace

std::vector<SuggestedPair> suggestPairs(const std::vector<RunRecord>& runs) {
    std::vector<SuggestedPair> suggestions;
    for (const Family& family : familiesOf(runs))
        for (const Shape& a : family.shapes)
            for (const Shape& b : family.shapes) {
                // A run started by hand with K = 1 is a large batch too, whatever its arm is called.
                const bool isLarge = b.arm == Arm::LargeBatch || b.steps == 1;
                if (a.arm == Arm::Accumulated && isLarge && a != b)
                    suggestFor(family, a, b, suggestions);
            }
    return suggestions;
}

} // namespace accumulus
