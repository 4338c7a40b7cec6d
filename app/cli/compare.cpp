// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/comparing.h"
#include "app/cli/json_output.h"
#include "app/cli/library_option.h"
#include "app/cli/number_checks.h"
#include "app/cli/verbs.h"
#include "app/cli/words.h"
#include "core/analysis/noise_words.h"
#include "core/report/family_report.h"

#include <fmt/format.h>
#include <memory>

namespace accumulus::cli {
namespace {

struct CompareArguments {
    std::string library;
    CompareTargets targets;
    CompareOptions compare;
    bool json = false;
};

void printPairs(const ComparisonInput& input, const Comparison& comparison, Console& console) {
    const std::string a = letterOf(input.letters.first), b = letterOf(input.letters.second);
    std::vector<std::vector<std::string>> rows{
        {"seed", a, b, a + " - " + b, "updates " + a, "updates " + b, "run " + a, "run " + b}};
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

/// Speed, time and memory; where runs had several ranks, what these cost.
void printCost(const ComparisonInput& input, Console& console) {
    const GroupCost a = groupCost(input.groupA);
    const GroupCost b = groupCost(input.groupB);
    const auto ranks = rankCostRows(a.ranks, b.ranks);
    std::vector<std::vector<std::string>> rows{
        {"mean over the runs (lowest to highest)", letterOf(input.letters.first), letterOf(input.letters.second)}};
    const auto add = [&](const char* name, Spread GroupCost::*cost, std::string (*text)(double)) {
        rows.push_back({name, messageText(spreadMessage(a.*cost, text)), messageText(spreadMessage(b.*cost, text))});
    };
    add("Speed", &GroupCost::samplesPerSecond, speed);
    add("Active training time", &GroupCost::activeSeconds,
        [](double seconds) { return fmt::format("{:.1f} s", seconds); });
    add(ranks.empty() ? "Peak memory" : "Peak memory of rank 0", &GroupCost::peakBytes, trafficText);
    for (const RankCostRow& row : ranks)
        rows.push_back({std::string(messageWords(row.title)), messageText(row.a), messageText(row.b)});
    for (const std::string& line : tableLines(rows, {false, true, true}))
        console.line(line);
    if (const auto busy = busyMachine({a, b}))
        console.line(messageText(*busy));
}

std::string costText(const GroupNoise& noise) {
    const auto cost = noiseCostMessage(noise.scale, noise.effective, noise.unit);
    return cost ? "; " + messageText(*cost) : std::string();
}

void printNoise(const std::vector<ComparedRun>& group, std::size_t letter, Console& console) {
    if (const auto noise = groupNoise(group))
        console.line(fmt::format("{}: gradient noise scale {}{}", letterOf(letter),
                                 noiseScaleWords(noise->scale, noise->unit), costText(*noise)));
}

std::string runsOf(const std::vector<ComparedRun>& group, std::size_t letter) {
    return fmt::format("{}: {} run{}, ", letterOf(letter), group.size(), group.size() == 1 ? "" : "s");
}

void printTwo(const Compared& compared, Console& console) {
    const ComparisonInput& input = compared.input;
    const auto [a, b] = input.letters;
    console.line(runsOf(input.groupA, a) + runsOf(input.groupB, b) + "metric " +
                 metricName(compared.comparison().metric));
    printPairs(input, compared.comparison(), console);
    printCost(input, console);
    printNoise(input.groupA, a, console);
    printNoise(input.groupB, b, console);
    printVerdict(compared.comparison(), console);
}

/// A table of all groups, then each of them against the reference.
void printSeveral(const Compared& compared, Console& console) {
    const ComparisonInput& input = compared.input;
    const std::string reference = letterOf(input.reference);
    std::string head;
    for (std::size_t group = 0; group < groupCount(input); ++group)
        head += runsOf(groupAt(input, group), group);
    console.line(fmt::format("{}reference {}, metric {}", head, reference, metricName(compared.comparison().metric)));
    if (const auto table = groupsTable(input, compared.family)) {
        console.line(table->caption);
        std::vector<std::vector<std::string>> rows{table->header};
        rows.insert(rows.end(), table->rows.begin(), table->rows.end());
        for (const std::string& line : tableLines(rows, table->numeric))
            console.line(line);
    }
    console.line("Verdicts and p values are those after Holm's correction, over all pairs of groups.");
    for (std::size_t group = 0; group < groupCount(input); ++group)
        printNoise(groupAt(input, group), group, console);
    for (const FamilyMember& member : compared.family.members) {
        const ComparisonInput pair = pairInput(input, member.group);
        console.line("");
        console.line(fmt::format("{} against {}", letterOf(member.group), reference));
        printPairs(pair, member.comparison, console);
        printCost(pair, console);
        printVerdict(member.comparison, console);
    }
}

int compare(const CompareArguments& options, Console& console) {
    auto reader = openReader(libraryPath(options.library));
    if (!reader)
        return console.fail(reader.error());
    const auto groups = resolveGroups(*reader, options.targets);
    if (!groups)
        return console.fail(groups.error());
    const auto compared = compareGroupsOf(*reader, *groups, options.compare);
    if (!compared)
        return console.fail(compared.error());
    if (options.json)
        console.line(oneLine(compared->several() ? familyJson(compared->input, compared->family)
                                                 : comparisonJson(compared->input, compared->comparison())));
    else
        compared->several() ? printSeveral(*compared, console) : printTwo(*compared, console);
    return 0;
}

} // namespace

void addCompare(CLI::App& app, Work& chosen) {
    const auto options = std::make_shared<CompareArguments>();
    CLI::App& verb = *app.add_subcommand("compare", "Are groups of runs equivalent? A study (its two arms), two to "
                                                    "eight runs, or groups of runs with --a to --h");
    verb.footer("Exit code 0: compared, whatever the verdicts are; --json has them.");
    addCompareTargets(verb, options->targets, "One study, or two to eight runs");
    verb.add_option("--metric", options->compare.metric, metricNames())->type_name("NAME");
    verb.add_option("--margin", options->compare.margin,
                    "Equivalence margin in the metric's own unit (of accuracies a fraction)")
        ->type_name("X")
        ->check(aboveZero());
    addLibraryOption(verb, options->library);
    verb.add_flag("--json", options->json, "One JSON object with every number");
    verb.callback([options, &chosen] { chosen = [options](Console& console) { return compare(*options, console); }; });
}

} // namespace accumulus::cli
