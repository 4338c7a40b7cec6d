// SPDX-License-Identifier: GPL-3.0-or-later
// Two groups of runs compared: pairs by seed, verdict on one metric, curves with bands, the difference curve, settings
// that differ. More than two are compared in pairs (compare_family.h). Values in, values out. Any thread.
#pragma once

#include "core/analysis/noise_scale.h"
#include "core/analysis/number_text.h"
#include "core/analysis/rank_cost.h"
#include "core/analysis/series.h"
#include "core/analysis/statistics.h"
#include "core/base/message.h"
#include "core/config/batch_plan.h"
#include "core/config/config_fields.h"
#include "core/config/metric_rows.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace accumulus {

[[nodiscard]] std::string metricCode(CompareMetric metric);  ///< of its title in the catalogue
[[nodiscard]] std::string metricTitle(CompareMetric metric); ///< "final test accuracy", ... in English
[[nodiscard]] std::string curveCode(CompareMetric metric);   ///< of its curve's title: "test accuracy", without "final"
[[nodiscard]] std::string curveTitle(CompareMetric metric);
[[nodiscard]] MetricUnit metricUnit(CompareMetric metric);

/// One run with all that a comparison looks at. Loss is the raw window loss. Accuracies are 0..1.
struct ComparedRun {
    std::string id, name;
    Arm arm = Arm::Accumulated;
    std::int64_t seed = 0;
    std::string pairHash;
    std::string color{}; ///< that a person gave it, as RunRecord has it
    RunConfig config;
    std::string modelTraits;             ///< as RunRecord has them
    BatchPlan batch;                     ///< of config.batch
    bool complete = false;               ///< state completed
    bool failed = false;                 ///< state failed
    std::string reason;                  ///< why it failed, as messagesArgument() or in English; empty: not known
    CurveAxis axis = CurveAxis::Samples; ///< x of its curves
    double startedAt = 0.0;              ///< seconds since 1970: the zero of wall time
    std::int64_t samples = 0, updates = 0;
    RunSummary ends;                                 ///< its metrics: at the end, or so far
    Series trainLoss;                                ///< over `axis`
    std::vector<double> seen{};                      ///< samples at each point of it, where the axis is a time
    bool outlined = false;                           ///< only some of its windows were read, and nothing of its noise
    std::int64_t testCount = 0, validationCount = 0; ///< samples that evaluations look at; 0: not known
    std::vector<EvaluationRecord> tests;             ///< evaluations of the test set, ascending
    std::vector<EvaluationRecord> validations{};     ///< and of the validation samples
    double samplesPerSecond = 0.0, activeSeconds = 0.0;
    std::int64_t peakBytes = 0;       ///< of rank 0
    std::optional<RankCost> rankCost; ///< where several ranks computed it
    RunNoise noise;                   ///< without terms where its windows are one micro-batch
    /// What should not differ: program, libtorch, device, driver, hardware, system, data.
    std::vector<std::pair<std::string, std::string>> environment;
};
/// At the end of the run; nothing where its loss has no such metric.
[[nodiscard]] std::optional<double> metricValue(const ComparedRun& run, CompareMetric metric);
/// Over the run's axis, of a metric that each evaluation has; empty where the run has none.
[[nodiscard]] Series metricCurve(const ComparedRun& run, CompareMetric metric);
[[nodiscard]] Series metricCurve(const ComparedRun& run, CompareMetric metric, CurveAxis axis);
/// The metric of the evaluations that belongs beside a verdict on `judged`: itself where there is a curve of it, else
/// the runs' main metric, of the same split. Of runs with an accuracy that is the accuracy, unless another was asked
/// for by name.
[[nodiscard]] CompareMetric shownMetric(CompareMetric judged, const RunConfig& run);

/// A measured cost of the runs of a group: mean, lowest and highest of those that measured it; 0 where none did.
struct Spread {
    double mean = 0.0, lowest = 0.0, highest = 0.0;
    std::size_t runs = 0; ///< that measured it
    [[nodiscard]] bool isKnown() const { return runs > 0; }
};
/// "12 300 (11 900 to 12 700)", each number as `text` writes it; only the mean of a single run, "–" of none.
[[nodiscard]] Message spreadMessage(const Spread& spread, const std::function<std::string(double)>& text);
struct GroupCost {
    Spread samplesPerSecond, activeSeconds;
    Spread peakBytes; ///< of rank 0
    std::optional<GroupRankCost> ranks;
    std::optional<double> othersShare; ///< largest of its runs'
};
[[nodiscard]] GroupCost groupCost(const std::vector<ComparedRun>& group);
/// Where other programs used more than this share of the processors while a run trained, its times tell nothing: a
/// tenth is about what runs of the same settings differ by on a quiet machine.
inline constexpr double comparableLoad = 0.1;
/// Says so of the busiest run; nothing where all of them trained on a quiet machine, or nobody knows.
[[nodiscard]] std::optional<Message> busyMachine(const std::vector<GroupCost>& groups);
struct ComparisonInput;
/// How much less memory training takes with accumulation. Nothing unless one group is the accumulated arm and the other
/// the large batch, and the peaks of both are known apart from their evaluations.
[[nodiscard]] std::optional<Message> memorySaving(const ComparisonInput& input);
/// Where evaluations of the accumulated arm take more than its training, so that the saving is not that of the run.
[[nodiscard]] std::optional<Message> evaluationMemory(const ComparisonInput& input);
/// Of two peaks of training in bytes, both above 0.
[[nodiscard]] Message memorySaving(double accumulated, double largeBatch);

/// The gradient noise scale of a group: pooled over the runs that have terms; nothing where none has.
struct GroupNoise {
    NoiseScale scale;
    std::string unit;
    double effective = 0.0; ///< B of the group in that unit
    std::size_t runs = 0;   ///< that have terms
};
[[nodiscard]] std::optional<GroupNoise> groupNoise(const std::vector<ComparedRun>& group);
/// B in the unit of the noise scale: of the last update under a ramp.
[[nodiscard]] double noiseEffective(const BatchPlan& batch, std::int64_t updates, const RunNoise& noise);

/// Judged together with the metric of the verdict.
struct FurtherMetric {
    CompareMetric metric = CompareMetric::TestLoss;
    double margin = 0.0;      ///< 0: the default of the metric
    bool marginFixed = false; ///< before the results
};

struct ComparisonInput {
    std::vector<ComparedRun> groupA, groupB;
    CompareMetric metric = CompareMetric::TestAccuracy;
    double margin = 0.0;      ///< 0: the default of the metric
    double marginSetAt = 0.0; ///< seconds since 1970; 0 when unknown
    bool marginSetAfterResults = false;
    bool metricChosenAfterResults = false;             ///< the study's margin was fixed for another metric
    std::vector<FurtherMetric> together;               ///< other metrics than `metric`, each once
    bool seedsAddedAfterResults = false;               ///< a later study added some when there were results already
    std::vector<std::size_t> lateGroups;               ///< whose seeds and the reference's that says; empty: all
    std::vector<std::vector<ComparedRun>> further;     ///< groups C to H; compareGroups() looks at A and B only
    std::size_t reference = 1;                         ///< the group that each other one is compared with: 1 is B
    std::pair<std::size_t, std::size_t> letters{0, 1}; ///< by which groupA and groupB go in words: 0 is A, 1 is B, ...
};

[[nodiscard]] std::string groupCode(std::size_t letter); ///< "group.a" for 0: of "group A" in the catalogue
/// How both groups are called in sentences and legends: by their arms when these differ, else "group A" and "group B".
/// Codes of the catalogue, and the same in English.
[[nodiscard]] std::pair<std::string, std::string> groupCodes(const ComparisonInput& input);
[[nodiscard]] std::pair<std::string, std::string> groupNames(const ComparisonInput& input);

struct PairedResult {
    std::int64_t seed = 0;
    std::string runA, runB;
    double a = 0.0, b = 0.0, difference = 0.0;
    std::int64_t samplesA = 0, samplesB = 0, updatesA = 0, updatesB = 0;
};

/// Seeds that have a pair no more because a run diverged: it failed, or ended with a metric that is not finite, while a
/// run of the other group completed. Which pairs are left depends on the outcome then, so nothing is equivalent.
struct LostSeeds {
    std::vector<std::int64_t> a, b; ///< diverged in that group; ascending
    [[nodiscard]] bool any() const { return !a.empty() || !b.empty(); }
};

/// One of several metrics that are judged together: p values corrected by Holm's method, those of equivalence and those
/// of a difference each by themselves, and the verdict by the corrected ones.
struct JudgedMetric {
    CompareMetric metric = CompareMetric::TestAccuracy;
    double meanA = 0.0, meanB = 0.0;
    EquivalenceTest test;                         ///< p values without, verdict with the correction
    double pEquivalence = 1.0, pDifference = 1.0; ///< corrected
    bool marginFixed = false;                     ///< before the results
    bool otherMethod = false;                     ///< as in Comparison
    bool lostSeeds = false;                       ///< there are some
};

/// What Holm's method makes of a pair of groups that is judged together with other pairs.
struct FamilyCorrection {
    std::size_t pairs = 0, metrics = 1;           ///< pairs of groups, metrics of each
    double pEquivalence = 1.0, pDifference = 1.0; ///< corrected, of the metric of the verdict
};

struct Comparison {
    CompareMetric metric = CompareMetric::TestAccuracy;
    BandKind bandKind = BandKind::MinMax; ///< of all bands below
    CurveSmoothing lossSmoothing;         ///< of lossA and lossB
    std::vector<PairedResult> pairs;      ///< ascending seeds
    std::vector<Message> unpaired; ///< one for each run that could not be used, with the reason; also for `together`
    EquivalenceTest test;          ///< its verdict with the correction of `together` and `family`
    std::vector<JudgedMetric> together;      ///< that of the verdict first; empty where it is judged alone
    std::optional<FamilyCorrection> family;  ///< where other pairs of groups are judged together with this one
    LostSeeds lost;                          ///< by the metric of the verdict
    bool otherMethod = false;                ///< BatchNorm or the network makes the groups different methods
    Message headline;                        ///< "Equivalent within ±0.5 points"
    std::optional<Message> saving;           ///< memorySaving(), where there is a pair
    std::optional<Message> evaluationMemory; ///< evaluationMemory(), beside a saving
    std::vector<Message> sentences;          ///< the numbers, what they mean, the smallest margin that would pass
    double seedSpread =
        0.0;           ///< pooled SD of the metric over seeds within a group: the scale to judge the difference by
    Band lossA, lossB; ///< training loss, each run smoothed on all its points
    CompareMetric shown = CompareMetric::TestAccuracy; ///< of the evaluations' bands: shownMetric()
    Band metricA, metricB;
    CurveAxis axis = CurveAxis::Samples;      ///< of all curves
    Band lossDifference, metricDifference;    ///< A - B per pair, raw values at equal x
    std::size_t interpolated = 0;             ///< values of the difference curves that had to be interpolated
    std::vector<FieldDifference> differences; ///< between the groups' configurations
    bool mixesSamples = false;                ///< the network itself, apart from BatchNorm
    std::vector<Message> warnings; ///< "Unexpected difference: ...", "The margin was set after the results ..."
};

/// Code of that one of Comparison::sentences that names the smallest margin: where it is shown apart, it is left out.
inline constexpr const char* smallestMarginCode = "verdict.smallest-margin";
/// Comparison::sentences in English, joined.
[[nodiscard]] std::string verdictText(const Comparison& comparison);

/// Whether BatchNorm, if there is any, treats the samples of both runs alike: frozen, or groups of the same size. Else
/// two runs are never called equivalent.
[[nodiscard]] bool sameNormalisation(const ComparedRun& a, const ComparedRun& b);
/// What trying a network from a file has found: "batch-norm", "draws", "couples".
[[nodiscard]] bool hasTrait(const ComparedRun& run, std::string_view trait);

/// Pairs are complete runs of one seed, one from each group, with a finite metric; the bands are over the same runs
/// (without any pair over all complete runs, so that there is something to see).
[[nodiscard]] Comparison compareGroups(const ComparisonInput& input, BandKind band = BandKind::MinMax,
                                       const CurveSmoothing& lossSmoothing = usualLossSmoothing);

/// The verdict that compareGroups() comes to by `metric` alone, without curves and words.
[[nodiscard]] Verdict judgeGroups(const ComparisonInput& input);

} // namespace accumulus
