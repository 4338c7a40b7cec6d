// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/json_output.h"

#include "core/base/clock.h"
#include "core/base/readable_text.h"
#include "core/config/experiment_file.h"
#include "core/run/measured_json.h"

#include <optional>
#include <type_traits>
#include <variant>

namespace accumulus::cli {
namespace {

Json time(double unixSeconds) { return unixSeconds > 0.0 ? Json(isoTime(unixSeconds)) : Json(); }
Json textOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

std::string fieldTypeName(FieldType type) {
    switch (type) {
    case FieldType::Text:
        return "text";
    case FieldType::Path:
        return "path";
    case FieldType::Choice:
        return "choice";
    case FieldType::Integer:
        return "integer";
    case FieldType::Real:
        return "real";
    case FieldType::Boolean:
        return "boolean";
    case FieldType::Extent:
        return "extent";
    case FieldType::IntegerList:
        return "integer-list";
    case FieldType::RealList:
        return "real-list";
    case FieldType::TextList:
        return "text-list";
    case FieldType::Ramp:
        return "ramp";
    }
    return "text";
}

Json fieldValueJson(const FieldValue& value) {
    return std::visit(
        [](const auto& held) -> Json {
            if constexpr (std::is_same_v<std::decay_t<decltype(held)>, Extent>)
                return extentText(held);
            else if constexpr (std::is_same_v<std::decay_t<decltype(held)>, BatchRamp>)
                return Json::parse(fieldText(held));
            else
                return held;
        },
        value);
}

} // namespace

Json runStartedJson(const RunRecord& run) {
    Json json = {{"event", "run-started"},
                 {"run", run.id},
                 {"study", run.study},
                 {"name", run.name},
                 {"arm", armName(run.arm)},
                 {"seed", run.seed},
                 {"attempt", run.attempt},
                 {"effective", run.batch.effective},
                 {"micro", run.batch.micro},
                 {"steps", run.batch.steps},
                 {"lanes", run.lanes},
                 {"threads", run.threads},
                 {"train_samples", run.trainSamples},
                 {"total_updates", run.totalUpdates},
                 {"config_hash", run.configHash},
                 {"pair_hash", run.pairHash}};
    if (!run.modelFileHash.empty())
        json["model_file_hash"] = run.modelFileHash;
    if (!run.initialWeightsHash.empty())
        json["initial_weights_hash"] = run.initialWeightsHash;
    return json;
}

Json windowJson(const std::string& run, const WindowRecord& window) {
    Json json = {{"event", "window"}, {"run", run}};
    addMeasured(json, windowValues(), window);
    addRanks(json, window.ranks);
    return json;
}

Json evaluationJson(const std::string& run, const EvaluationRecord& evaluation) {
    Json json = {{"event", "evaluation"}, {"run", run}};
    addMeasured(json, evaluationValues(), evaluation);
    return json;
}

namespace {

/// Keys of the metrics that a run has beside accuracy and loss.
void addMetrics(Json& json, const RunSummary& summary, const RunConfig& config) {
    for (const MetricRow& row : metricRows)
        if (row.metric >= CompareMetric::TestTop5 && hasMetric(config, row.metric))
            if (const auto value = metricOf(summary, row.metric))
                json[std::string(row.name)] = finite(value);
}

} // namespace

Json runFinishedJson(const RunFinished& finished, const RunConfig& config) {
    const RunSummary& summary = finished.summary;
    Json json = {{"event", "run-finished"},
                 {"run", finished.run},
                 {"arm", armName(finished.arm)},
                 {"seed", finished.seed},
                 {"updates", summary.updates},
                 {"micro_steps", summary.microSteps},
                 {"samples", summary.samples},
                 {"test_loss", finite(summary.testLoss)},
                 {"test_accuracy", finite(summary.testAccuracy)},
                 {"samples_per_second", finite(summary.samplesPerSecond)},
                 {"training_peak_bytes", summary.peakBytes},
                 {"evaluation_peak_bytes", summary.evaluationPeakBytes},
                 {"others_share", finite(summary.othersShare)},
                 {"checkpoint", textOrNull(summary.checkpoint)},
                 {"weights_hash", textOrNull(summary.weightsHash)}};
    addMetrics(json, summary, config);
    return json;
}

Json runJson(const RunRecord& run, const std::string& studyName, RunState state) {
    const RunSummary& summary = run.summary;
    Json json = {{"run", run.id},
                 {"study", run.study},
                 {"study_name", studyName},
                 {"name", run.name},
                 {"arm", armName(run.arm)},
                 {"seed", run.seed},
                 {"state", runStateName(state)},
                 {"error", textOrNull(run.error)},
                 {"attempt", run.attempt},
                 {"dataset", run.config.data.dataset},
                 {"model", run.config.model.name},
                 {"effective", run.batch.effective},
                 {"micro", run.batch.micro},
                 {"steps", run.batch.steps},
                 {"lanes", run.lanes},
                 {"threads", run.threads},
                 {"updates", summary.updates},
                 {"total_updates", run.totalUpdates},
                 {"micro_steps", summary.microSteps},
                 {"samples", summary.samples},
                 {"train_loss", finite(summary.finalTrainLoss)},
                 {"test_loss", finite(summary.testLoss)},
                 {"test_accuracy", finite(summary.testAccuracy)},
                 {"best_test_accuracy", finite(summary.bestTestAccuracy)},
                 {"samples_per_second", finite(summary.samplesPerSecond)},
                 {"active_seconds", finite(summary.activeSeconds)},
                 {"training_peak_bytes", summary.peakBytes},
                 {"evaluation_peak_bytes", summary.evaluationPeakBytes},
                 {"others_share", finite(summary.othersShare)},
                 {"checkpoint", textOrNull(summary.checkpoint)},
                 {"weights_hash", textOrNull(summary.weightsHash)},
                 {"config_hash", run.configHash},
                 {"pair_hash", run.pairHash},
                 {"created", time(run.createdAt)},
                 {"started", time(run.startedAt)},
                 {"finished", time(run.finishedAt)},
                 {"tags", run.tags},
                 {"notes", run.notes},
                 {"config", Json::parse(runConfigJson(run.config))}};
    addMetrics(json, summary, run.config);
    return json;
}

namespace {

/// Means over the runs of a group, and lowest and highest; null where none measured it. Waiting and reducing are shares
/// of the windows' time.
Json groupCostJson(const GroupCost& cost) {
    Json ranks;
    if (cost.ranks)
        ranks = {{"runs", cost.ranks->runs},
                 {"fewest", cost.ranks->fewest},
                 {"most", cost.ranks->most},
                 {"sent_bytes_per_update", finite(cost.ranks->bytes)},
                 {"waiting", finite(cost.ranks->waiting)},
                 {"reducing", finite(cost.ranks->reducing)},
                 {"slowest_rank", cost.ranks->slowest},
                 {"slowest_in_runs", cost.ranks->slowestIn}};
    const auto mean = [](const Spread& spread) { return spread.isKnown() ? Json(spread.mean) : Json(); };
    const auto range = [](const Spread& spread) {
        return spread.isKnown() ? Json{spread.lowest, spread.highest} : Json();
    };
    return {{"samples_per_second", mean(cost.samplesPerSecond)},
            {"samples_per_second_range", range(cost.samplesPerSecond)},
            {"active_seconds", mean(cost.activeSeconds)},
            {"active_seconds_range", range(cost.activeSeconds)},
            {"training_peak_bytes_of_rank_0", mean(cost.peakBytes)},
            {"training_peak_bytes_of_rank_0_range", range(cost.peakBytes)},
            {"others_share", finite(cost.othersShare)},
            {"ranks", std::move(ranks)}};
}

} // namespace

Json comparisonJson(const ComparisonInput& input, const Comparison& comparison) {
    Json pairs = Json::array();
    for (const PairedResult& pair : comparison.pairs)
        pairs.push_back({{"seed", pair.seed},
                         {"run_a", pair.runA},
                         {"run_b", pair.runB},
                         {"a", finite(pair.a)},
                         {"b", finite(pair.b)},
                         {"difference", finite(pair.difference)},
                         {"samples_a", pair.samplesA},
                         {"samples_b", pair.samplesB},
                         {"updates_a", pair.updatesA},
                         {"updates_b", pair.updatesB}});
    Json differences = Json::array();
    for (const FieldDifference& difference : comparison.differences)
        differences.push_back(
            {{"key", difference.key}, {"a", difference.a}, {"b", difference.b}, {"expected", difference.expected}});
    const EquivalenceTest& test = comparison.test;
    return {{"metric", metricName(comparison.metric)},
            {"better", metricRow(comparison.metric).higherIsBetter ? "higher" : "lower"},
            {"verdict", verdictName(test.verdict)},
            {"headline", messageText(comparison.headline)},
            {"sentence", verdictText(comparison)},
            {"n", test.n},
            {"margin", finite(test.margin)},
            {"alpha", finite(test.alpha)},
            {"mean_difference", finite(test.meanDifference)},
            {"sd_difference", finite(test.sdDifference)},
            {"standard_error", finite(test.standardError)},
            {"ci90", {finite(test.ci90Lower), finite(test.ci90Upper)}},
            {"ci95", {finite(test.ci95Lower), finite(test.ci95Upper)}},
            {"p_equivalence", finite(test.pEquivalence)},
            {"p_difference", finite(test.pDifference)},
            {"smallest_margin", finite(test.smallestMargin)},
            {"step", test.step > 0.0 ? Json(test.step) : Json()},
            {"seed_spread", finite(comparison.seedSpread)},
            {"pairs", std::move(pairs)},
            {"unpaired", sentencesOf(comparison.unpaired)},
            {"differences", std::move(differences)},
            {"cost", {{"a", groupCostJson(groupCost(input.groupA))}, {"b", groupCostJson(groupCost(input.groupB))}}},
            {"warnings", sentencesOf(comparison.warnings)}};
}

Json familyJson(const ComparisonInput& input, const FamilyComparison& family) {
    Json groups = Json::array();
    for (std::size_t group = 0; group < groupCount(input); ++group) {
        Json runs = Json::array();
        for (const ComparedRun& run : groupAt(input, group))
            runs.push_back(run.id);
        groups.push_back({{"letter", letterOf(group)},
                          {"runs", std::move(runs)},
                          {"cost", groupCostJson(groupCost(groupAt(input, group)))}});
    }
    Json comparisons = Json::array();
    for (const FamilyMember& member : family.members) {
        Json one = {{"group", letterOf(member.group)}};
        if (const auto& holm = member.comparison.family)
            one["holm"] = {{"pairs_of_groups", holm->pairs},
                           {"metrics", holm->metrics},
                           {"p_equivalence", finite(holm->pEquivalence)},
                           {"p_difference", finite(holm->pDifference)}};
        one.update(comparisonJson(pairInput(input, member.group), member.comparison));
        comparisons.push_back(std::move(one));
    }
    const Comparison& any = family.members.front().comparison;
    return {{"metric", metricName(any.metric)},  {"better", metricRow(any.metric).higherIsBetter ? "higher" : "lower"},
            {"margin", finite(any.test.margin)}, {"reference", letterOf(family.reference)},
            {"groups", std::move(groups)},       {"comparisons", std::move(comparisons)}};
}

namespace {

Json evaluatedJson(const EvaluationRecord& evaluation) {
    Json json = {{"loss", finite(evaluation.loss)}, {"accuracy", finite(evaluation.accuracy)}};
    for (const auto& [name, value] : {std::pair{"top5", evaluation.top5}, std::pair{"mae", evaluation.mae},
                                      std::pair{"rmse", evaluation.rmse}, std::pair{"r2", evaluation.r2}})
        if (value)
            json[name] = finite(value);
    return json;
}

} // namespace

Json verifyJson(const VerifyOutcome& outcome) {
    Json recorded;
    if (outcome.recorded)
        recorded = evaluatedJson(*outcome.recorded);
    Json json = {
        {"run", textOrNull(outcome.run)}, {"checkpoint", outcome.checkpoint}, {"update", outcome.now.update},
        {"split", outcome.now.split},     {"count", outcome.now.count},
    };
    json.update(evaluatedJson(outcome.now));
    json["recorded"] = std::move(recorded);
    json["weights_hash"] = outcome.weightsHash;
    json["weights_hash_agrees"] = outcome.weightsHashAgrees;
    json["agrees"] = outcome.agrees();
    return json;
}

Json fieldJson(const ConfigField& field) {
    return {{"key", field.key},
            {"type", fieldTypeName(field.type)},
            {"unit", field.unit},
            {"minimum", finite(field.minimum)},
            {"maximum", finite(field.maximum)},
            {"minimum_exclusive", field.minimumExclusive},
            {"choices", field.choices},
            {"allowed", allowedText(field)},
            {"default", fieldValueJson(field.get(ExperimentConfig{}))},
            {"help", field.help},
            {"details", field.details},
            {"depends_on", field.dependsOn},
            {"in_pair_hash", field.inPairHash}};
}

namespace {

/// Every text of it as readableText.
void makeReadable(Json& json) {
    if (json.is_string())
        json = readableText(json.get_ref<const std::string&>());
    else if (json.is_structured())
        for (Json& part : json)
            makeReadable(part);
}

} // namespace

std::string oneLine(const Json& json) {
    try {
        return json.dump();
    } catch (const Json::type_error&) { // a path or a note that is not UTF-8
        Json readable = json;
        makeReadable(readable);
        return readable.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
}

} // namespace accumulus::cli
