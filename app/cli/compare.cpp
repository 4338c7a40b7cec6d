// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparing.h"
#include "app/cli/json_output.h"
#include "app/cli/library_option.h"
#include "app/cli/verbs.h"
#include "app/cli/words.h"
#include "core/analysis/noise_words.h"

#include <fmt/format.h>
#include <memory>

namespace accumulus::cli {
namespace {

struct Options {
    std::string library;
    CompareTargets targets;
    CompareOptions compare;
    bool json = false;
};

void printPairs(const Comparison& comparison, Console& console) {
    std::vector<std::vector<std::string>> rows{{"seed", "A", "B", "A - B", "updates A", "updates B", "run A", "run B"}};
    for (const PairedResult& pair : comparison.pairs)
        rows.push_back({fmt::format("{}", pair.seed), fmt::format("{:.5f}", pair.a), fmt::format("{:.5f}", pair.b),
                        fmt::format("{:+.5f}", pair.difference), grouped(pair.updatesA), grouped(pair.updatesB),
                        shortId(pair.runA), shortId(pair.runB)});
    for (const std::string& line : tableLines(rows, {true, true, true, true, true, true, false, false}))
        console.line(line);
    for (const FieldDifference& difference : comparison.differences)
        console.line(fmt::format("{}: {} against {}{}", difference.key, difference.a, difference.b,
                                 difference.expected ? "" : "   (unexpected difference)"));
}

/// What it cost to share runs out over ranks; nothing where each ran on one.
void printRanks(const ComparisonInput& input, Console& console) {
    const GroupCost a = groupCost(input.groupA);
    const GroupCost b = groupCost(input.groupB);
    const auto ranks = rankCostRows(a.ranks, b.ranks);
    if (ranks.empty())
        return;
    const auto known = [](double mean, std::string (*text)(double)) { return mean > 0.0 ? text(mean) : "–"; };
    std::vector<std::vector<std::string>> rows{{"mean over the runs", "A", "B"}};
    rows.push_back({"Speed", known(a.samplesPerSecond, speed), known(b.samplesPerSecond, speed)});
    rows.push_back({"Peak memory of rank 0", known(a.peakBytes, trafficText), known(b.peakBytes, trafficText)});
    for (const RankCostRow& row : ranks)
        rows.push_back({std::string(messageWords(row.title)), messageText(row.a), messageText(row.b)});
    for (const std::string& line : tableLines(rows, {false, true, true}))
        console.line(line);
}

std::string costText(const GroupNoise& noise) {
    const auto cost = noiseCostMessage(noise.scale, noise.effective, noise.unit);
    return cost ? "; " + messageText(*cost) : std::string();
}

void printNoise(const ComparisonInput& input, Console& console) {
    for (const auto& [group, name] : {std::pair(&input.groupA, "A"), std::pair(&input.groupB, "B")})
        if (const auto noise = groupNoise(*group))
            console.line(fmt::format("{}: gradient noise scale {}{}", name, noiseScaleWords(noise->scale, noise->unit),
                                     costText(*noise)));
}

int compare(const Options& options, Console& console) {
    auto reader = openReader(libraryPath(options.library));
    if (!reader)
        return console.fail(reader.error());
    const auto groups = resolveGroups(*reader, options.targets);
    if (!groups)
        return console.fail(groups.error());
    const auto compared = compareGroupsOf(*reader, *groups, options.compare);
    if (!compared)
        return console.fail(compared.error());
    if (options.json) {
        console.line(oneLine(comparisonJson(compared->input, compared->comparison)));
        return 0;
    }
    console.line(fmt::format("A: {} run{}, B: {} run{}, metric {}", groups->a.size(), groups->a.size() == 1 ? "" : "s",
                             groups->b.size(), groups->b.size() == 1 ? "" : "s",
                             metricName(compared->comparison.metric)));
    printPairs(compared->comparison, console);
    printRanks(compared->input, console);
    printNoise(compared->input, console);
    printVerdict(compared->comparison, console);
    return 0;
}

} // namespace

void addCompare(CLI::App& app, Work& chosen) {
    const auto options = std::make_shared<Options>();
    CLI::App& verb = *app.add_subcommand(
        "compare", "Are two groups of runs equivalent? A study (its two arms), two runs, or --a and --b");
    verb.add_option("STUDY|RUN", options->targets.positional, "One study, or two runs")->expected(0, 2)->type_name("");
    verb.add_option("--a", options->targets.groups.a, "Runs of group A")->type_name("RUN");
    verb.add_option("--b", options->targets.groups.b, "Runs of group B")->type_name("RUN");
    verb.add_option("--metric", options->compare.metric, metricNames())->type_name("NAME");
    verb.add_option("--margin", options->compare.margin,
                    "Equivalence margin in the metric's own unit (of accuracies a fraction)")
        ->type_name("X")
        ->check(CLI::PositiveNumber);
    addLibraryOption(verb, options->library);
    verb.add_flag("--json", options->json, "One JSON object with every number");
    verb.callback([options, &chosen] { chosen = [options](Console& console) { return compare(*options, console); }; });
}

} // namespace accumulus::cli
