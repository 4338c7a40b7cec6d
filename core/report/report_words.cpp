// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_words.h"

#include "core/analysis/number_text.h"

#include <utility>

namespace accumulus {
namespace {

thread_local const Language* language = nullptr;
thread_local std::string tag = "en";

} // namespace

ReportLanguage::ReportLanguage(const Language& wanted, std::string wantedTag)
    : m_before(std::exchange(language, &wanted)), m_tagBefore(std::exchange(tag, std::move(wantedTag))) {}

ReportLanguage::~ReportLanguage() {
    language = m_before;
    tag = m_tagBefore;
}

const Language& reportLanguage() { return language ? *language : english(); }
const std::string& reportTag() { return tag; }

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
    return say(count == 1 ? one : many, countText(count));
}

std::string said(const Message& message) { return messageText(message, reportLanguage()); }
std::vector<std::string> said(const std::vector<Message>& messages) { return sentencesOf(messages, reportLanguage()); }
std::string saidOf(std::string_view code) { return said({std::string(code), {}}); }

std::string saidNumber(std::string text) { return text == notFinite ? say("not finite") : text; }

std::span<const std::string_view> reportWords() {
    static constexpr std::string_view words[] = {
        " (not fixed before)",
        "Metrics judged together; p values corrected by Holm's method, those of equivalence and those of a difference "
        "each "
        "by themselves. Accuracies in percentage points",
        "Smallest margin that would pass, if judged alone",
        "95 % interval",
        "p, equivalence",
        "p, difference",
        "Metric",
        "Verdict",
        "seed {}, {} weights",
        "{} ({}, {}). {}.",
        "Weights of the micro-batches",
        "Micro-batch of the window",
        "Weight in the gradient",
        "right: n_k / N",
        "found",
        "The weight with which each micro-batch's gradient stands in the accumulated one, fitted over all tensors, "
        "beside the right weight.",
        "Relative L2 error of each tensor against the large batch, its distances to the fp64 reference, and the noise "
        "floor: the large batch against itself with its samples permuted.",
        "Tensor",
        "Norm",
        "Error",
        "To fp64",
        "Large to fp64",
        "Noise floor",
        "Tolerance",
        "Result",
        "passed",
        "FAILED",
        "Gradient audit",
        "Earlier audits:",
        "Training samples seen",
        "{}, mean of {}",
        " Bands: {} over {}.",
        "{} pair",
        "{} pairs",
        "{} seed",
        "{} seeds",
        "Circle: mean difference. Bar: its 90 % interval. Grey: the margin.",
        "Warnings",
        "Runs that were not used",
        "One update in each group",
        "{}: micro-batch × accumulation steps = {}.",
        "Difference in {}, {} − {}",
        "mean of {}",
        " {} values of the difference curves had to be interpolated.",
        "Difference per pair at equal samples, from unsmoothed values.{}{}",
        "Accuracy on the test set.",
        "{} at each evaluation.",
        "Percentage points",
        "not finite",
        "{}.",
        "Training loss",
        "Loss per sample (log scale)",
        "Loss per sample",
        "Each run's loss per window, smoothed over all windows by a debiased exponential average with factor {}; the "
        "difference below is unsmoothed.",
        "Each run's loss per window, smoothed over all windows by a centred mean of {} windows; the difference below "
        "is "
        "unsmoothed.",
        "Loss per window, unsmoothed.",
        "training loss",
        "{} per seed",
        ", in %; the difference in percentage points",
        "Seed",
        "Difference",
        "Samples",
        "Updates",
        "Mean",
        "SD",
        "Each seed",
        "{} to {}",
        ", set {}",
        ", the metric's default",
        ", after the results were seen",
        "The test in numbers",
        "Two one-sided paired t tests (TOST) for equivalence, the two-sided paired t test for a difference",
        "Quantity",
        "Value",
        "Pairs",
        "Mean difference",
        "Standard error",
        "90 % interval",
        "Margin",
        "p of the equivalence test",
        "p of the difference test",
        "p of the equivalence test, corrected by Holm's method",
        "p of the difference test, corrected by Holm's method",
        "Significance level",
        "Smallest margin that would pass",
        "Spread between seeds of one group (SD)",
        "Equivalence is shown when the whole 90 % interval lies inside the margin. A difference test that finds "
        "nothing does not show equality.",
        "Mean over the runs of each group, with the lowest and the highest run; the ratio is first to second",
        "Ratio",
        "Training samples per second",
        "Active training time",
        "Peak tensor memory, training",
        "Peak tensor memory, training, of rank 0",
        "Speed and memory",
        "From the second half of each run; with the multipliers of its effective batch",
        "Group",
        "Gradient noise scale B_simple",
        "Gradient noise scale",
        "none: one micro-batch a window",
        "B_simple in {} (log scale)",
        "{}, seed {}",
        "B_simple = tr Sigma / |G|^2 (McCandlish et al. 2018) of each run, an order of magnitude: ratio of the "
        "exponential averages with factor {} of both terms.",
        "Settings that differ",
        "None.",
        "Settings of both groups",
        "{}: {}",
        "Setting",
        "Expected between partners",
        "yes",
        "no",
        "Part",
        "Environment",
        "Reproduce",
        "{} {} and {} {}",
        "Comparison",
        "Page %1 of %2",
        "Curves",
        "margin ±{:.6g}",
        "No data",
        "Sizes that were tried on {}, {}. Peak memory is that of tensors.",
        "Lanes",
        "Peak memory",
        "Samples/s",
        "Time per update",
        "Over the best",
        "recommended",
        "fits",
        "Micro-batch",
        "{}: last value {} at {} samples",
        "not measured",
        "test ",
        "The {} arm with seed {}: {} over {}.",
        "accumulated",
        "large-batch",
        "{} update",
        "{} updates",
        "{} training sample",
        "{} training samples",
        " {} {} at the end",
        ", {} at best.",
        " The run is not complete.",
        " (log scale)",
        "each window, unsmoothed",
        "smoothed {}",
        "Training loss of each window (faint, unsmoothed) and its debiased exponential average with factor {} over all "
        "windows.",
        "Accuracy on the test set at each evaluation.",
        "Test loss",
        "Mean loss per test sample at each evaluation.",
        "Gradient norm",
        "L2 norm",
        "L2 norm of each window's gradient before clipping, unsmoothed.",
        "Learning rate",
        "Learning rate of each update.",
        "Estimate of the gradient noise scale B_simple = tr Sigma / |G|^2 (McCandlish et al. 2018), an order of "
        "magnitude: ratio of the exponential averages with factor {} of both terms. Gaps: the gradient's mean cannot "
        "be told from its noise.",
        "Rank",
        "Data",
        "Forward",
        "Backward",
        "Adding",
        "Waiting",
        "Reducing",
        "Sent per update",
        "Seconds and share of the {} s that {} windows took. Data, forward and backward are summed over {} of each "
        "rank.",
        "{} lane",
        "{} lanes",
        " The last row is what each of R ranks sends on average: f = (R - 1) / R, P elements of S bytes in the "
        "parameter arena, K micro-steps per update and rank, A bytes of an element of the sum.",
        "Ranks",
        "Run {}",
        "One update: micro-batch × accumulation steps = {}.",
        "Results",
        "Fact",
        "The run has no measurements yet.",
        "Settings",
        "Batch bar: {} samples in {}, {} done",
        "{} micro-batch",
        "{} micro-batches",
        "no interval",
        " (90 % interval {} to {})",
        " (no interval)",
        "Mean difference {}, margin ±{:.6g}{}",
        "State",
        "Arm",
        "Batch",
        "Micro-steps",
        "Training loss, last window",
        "Speed",
        "{} samples/s over {:.1f} s of active training",
        "Lanes and threads",
        "Peak tensor memory, evaluations, of rank 0",
        "Peak tensor memory, evaluations",
        "Resumed",
        "{} time",
        "{} times",
        "Started",
        "Finished",
        "Why it ended",
        "Weights hash",
        "Configuration hash",
        "Run",
        "Notes",
        "Does {} on {} with an effective batch of {} end the same when each update is accumulated as {} and when it is "
        "made as {}?",
        "Gradient noise scale, second half of the run",
        "What the batch costs by it",
        "Gradient noise scale, start of the run",
        "Gradient noise scale, mean over the run",
        "completed",
        "stopped",
        "failed",
        "interrupted",
        "min to max",
        "mean ± SD",
        "mean ± SE",
        "95 % confidence",
        "samples",
        "tokens",
        "units",
        "initial",
        "best",
        "Audit of {}",
        "Plan of {}, effective batch {}",
        "program",
        "libtorch",
        "device",
        "driver",
        "none",
        "hardware",
        "system",
        "data",
        "last",
        "{} of the completed runs of each group, differences over pairs of the same seed",
        "Runs",
        "Difference from {}",
        "reference",
        "{} groups of runs compared",
        "All groups against {}",
        "Verdicts and p values are those after Holm's correction, over all pairs of groups and all metrics that are "
        "judged together. Each pair has its chapter below.",
        "{} against {}: {}",
    };
    return words;
}

} // namespace accumulus
