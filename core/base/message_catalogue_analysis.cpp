// SPDX-License-Identifier: GPL-3.0-or-later
// What comparisons, the noise scale and the planner say.
#include "core/base/message_catalogue.h"

namespace accumulus {

std::span<const Sentence> analysisSentences() {
    // clang-format off
    static constexpr Sentence sentences[] = {
        // verdicts: headline, numbers, what they mean
        {"verdict.equivalent", "Equivalent within ±{margin}{@unit}"},
        {"verdict.different", "Different"},
        {"verdict.different-within", "Different, but within ±{margin}{@unit}"},
        {"verdict.inconclusive", "Inconclusive"},
        {"verdict.other-method", "Within ±{margin}{@unit}, but not the same method (BatchNorm)"},
        {"verdict.few-seeds", "Not enough seeds ({n} of at least {needed})"},
        {"verdict.nothing-to-compare", "No seed has a usable run in both groups, so there is nothing to compare."},
        {"verdict.one-difference", "{@a} minus {@b}: difference in {@metric} {difference}{@unit} ({n} paired seed)."},
        {"verdict.mean-difference", "{@a} minus {@b}: mean difference in {@metric} {difference}{@unit} (90 % interval {low90} to {high90}; {n} paired seeds)."},
        {"verdict.exactly-equal", "All {n} paired seeds gave exactly the same {@metric} in both groups, which lies within ±{margin}{@unit} and any other margin."},
        {"verdict.because-equivalent", "The 90 % interval lies inside ±{margin}{@unit}: any difference is smaller than the margin."},
        {"verdict.because-different", "The 95 % interval ({low95} to {high95}) excludes 0 ({pDifference}): the groups differ by more than the seeds explain, and the difference was not shown to stay within ±{margin}{@unit}."},
        {"verdict.because-different-within", "There is a difference (95 % interval {low95} to {high95}, {pDifference}), but the 90 % interval lies inside ±{margin}{@unit}: it is smaller than the margin."},
        {"verdict.because-inconclusive", "The runs show neither a difference ({pDifference}) nor equivalence within ±{margin}{@unit} ({pEquivalence}). That is no evidence of equality: more seeds would narrow the interval."},
        {"verdict.because-mixes", "The 90 % interval lies inside ±{margin}{@unit}, but the network mixes the samples of a micro-batch, and the groups' micro-batches differ: they are different methods, and a small difference here says nothing about others."},
        {"warning.draws", "Random numbers differ between the arms: the network uses them while it trains (for dropout, for example)."},
        {"verdict.because-other-method", "The 90 % interval lies inside ±{margin}{@unit}, but BatchNorm normalised the groups' samples by the statistics of different batches: they are different methods, and a small difference here says nothing about others. To compare accumulation itself, set study.ghost = true, numerics.batch_norm = \"frozen\" or model.norm = \"group\"."},
        {"verdict.better-a", "Better: {@a} ({@direction})."},
        {"verdict.better-b", "Better: {@b} ({@direction})."},
        {"direction.higher", "higher is better"},
        {"direction.lower", "lower is better"},
        {"verdict.because-few-seeds", "A verdict needs at least {needed} paired seeds."},
        {"verdict.smallest-margin", "Smallest margin that would pass: {smallest}{@unit}."},
        {"verdict.holm", "{metrics} metrics are judged together: the p values are corrected by Holm's method, for equivalence {pEquivalence}, for a difference {pDifference}."},
        {"verdict.holm-groups", "{pairs} pairs of groups are judged together: the p values are corrected by Holm's method, for equivalence {pEquivalence}, for a difference {pDifference}."},
        {"verdict.holm-groups-metrics", "{pairs} pairs of groups are judged together, each by {metrics} metrics: the p values are corrected by Holm's method, for equivalence {pEquivalence}, for a difference {pDifference}."},
        {"unit.points", " points"},
        {"metric.test_accuracy", "final test accuracy"},
        {"metric.best_test_accuracy", "best test accuracy"},
        {"metric.test_loss", "final test loss"},
        {"metric.train_loss", "final training loss"},
        {"curve.test_accuracy", "test accuracy"},
        {"curve.test_loss", "test loss"},
        {"curve.test_top5", "top-5 test accuracy"},
        {"curve.test_perplexity", "test perplexity"},
        {"curve.test_mae", "mean absolute test error"},
        {"curve.test_rmse", "root mean squared test error"},
        {"curve.test_r2", "test R²"},
        {"metric.test_top5", "final top-5 test accuracy"},
        {"metric.test_perplexity", "final test perplexity"},
        {"metric.test_mae", "final mean absolute error"},
        {"metric.test_rmse", "final root mean squared error"},
        {"metric.test_r2", "final R²"},
        {"group.accumulated", "accumulated"},
        {"group.large-batch", "large batch"},
        {"group.a", "group A"},
        {"group.b", "group B"},
        {"group.c", "group C"},
        {"group.d", "group D"},
        {"group.e", "group E"},
        {"group.f", "group F"},
        {"group.g", "group G"},
        {"group.h", "group H"},

        // the gradient noise scale, and what the effective batch costs by it
        {"noise.about-samples", "about {#value} samples ({confidence} %: {#low} to {#high}), an order of magnitude"},
        {"noise.about-tokens", "about {#value} tokens ({confidence} %: {#low} to {#high}), an order of magnitude"},
        {"noise.about-units", "about {#value} loss units ({confidence} %: {#low} to {#high}), an order of magnitude"},
        {"noise.not-identified", "not identified ({#windows} windows): the gradient's mean cannot be told from its noise"},
        {"noise.not-identified-once", "not identified (1 window): the gradient's mean cannot be told from its noise"},
        {"noise.cost-samples", "at B = {#effective}: {#samples} times the samples of tiny batches, {#updates} times the updates of huge ones"},
        {"noise.cost-tokens", "at B = {#effective} tokens: {#samples} times the tokens of tiny batches, {#updates} times the updates of huge ones"},
        {"noise.cost-units", "at B = {#effective} loss units: {#samples} times the units of tiny batches, {#updates} times the updates of huge ones"},
        {"noise.average-samples", "about {#value} samples; parts of the run: {#parts}, from {#low} to {#high}"},
        {"noise.average-tokens", "about {#value} tokens; parts of the run: {#parts}, from {#low} to {#high}"},
        {"noise.average-units", "about {#value} loss units; parts of the run: {#parts}, from {#low} to {#high}"},
        {"noise.advice", "{@noise}; {@cost}."},
        {"noise.alone", "{@noise}."},

        // what the groups cost
        {"cost.single", "{mean}"},
        {"cost.spread", "{mean} ({lowest} to {highest})"},
        {"cost.busy-machine", "Other programs used up to {percent} % of the processor while these runs trained: times are not comparable."},
        {"cost.saves-memory", "Accumulation saves {percent} % of training memory: {accumulated} in place of {large}."},
        {"cost.takes-memory", "Accumulation takes {percent} % more training memory: {accumulated} in place of {large}."},
        {"cost.same-memory", "Both arms take the same training memory: {accumulated}."},

        // what it costs to share a run out over ranks; in a comparison line by line
        {"ranks.cost", "{#ranks} ranks: sent {sent} per update and rank, waiting {waiting}, reducing {reducing}; slowest: rank {slowest}"},
        {"ranks.cost-formula", "{#ranks} ranks: sent {sent} per update and rank ({formula}: {expected}), waiting {waiting}, reducing {reducing}; slowest: rank {slowest}"},
        {"ranks.number", "Ranks"},
        {"ranks.sent", "Sent per update and rank"},
        {"ranks.waiting", "Waiting (share of time)"},
        {"ranks.reducing", "Reducing (share of time)"},
        {"ranks.slowest", "Slowest rank"},
        {"ranks.in-runs", "{value} (in {#runs} of {#all} runs)"},

        // warnings of a comparison, and runs that it leaves out
        {"warning.margin-late", "The margin was set after the results were seen."},
        {"warning.margin-default", "No margin was fixed for this metric before the results were seen: it is judged by the default one."},
        {"warning.metric-late", "The metric was chosen after the results were seen: the study was to be judged by another one."},
        {"warning.seeds-late", "Seeds were added after results had been seen: p values and intervals take no account of that."},
        {"warning.margin", "The margin is not positive: equivalence cannot be shown."},
        {"warning.difference", "Unexpected difference: {what} is {@a} in group A and {@b} in group B."},
        {"warning.mixture", "The runs of {@group} do not share one configuration: they differ in {keys}."},
        {"warning.samples", "Seed {seed}: the runs saw different amounts of data, {#a} and {#b} samples."},
        {"unpaired.both-groups", "Run {run} (seed {seed}) is in both groups."},
        {"unpaired.incomplete", "Run {run} (seed {seed}) is not complete."},
        {"unpaired.no-metric", "Run {run} (seed {seed}) has no {@metric}."},
        {"unpaired.not-finite", "Run {run} (seed {seed}) has a {@metric} that is not finite."},
        {"unpaired.repeated-seed", "Run {run} (seed {seed}) repeats a seed; run {used} is used."},
        {"unpaired.no-partner", "Run {run} (seed {seed}) has no partner in the other group."},

        // the planner: sentence of a plan, notes, and why a size does not fit
        {"plan.recommended", "m = {micro}, K = {steps}, {@lanesPhrase}: {percent} % of top speed, {peak} of {limit}."},
        {"plan.recommended-unlimited", "m = {micro}, K = {steps}, {@lanesPhrase}: {percent} % of top speed, {peak}."},
        {"plan.none-fits", "No micro-batch can be used: m = {micro} is already too much, and none that is smaller was tried with success."},
        {"plan.cancelled", "Cancelled before anything could be recommended."},
        {"plan.nothing-tried", "Nothing was tried."},
        {"plan.largest", "The largest micro-batch that was shown to fit: {micro}."},
        {"plan.cheapest", "With a noise scale of {noiseScale} samples, an effective batch of about {effective} trains in the least time on this device."},
        {"plan.one-device", "Tried on one of {#devices} devices: the time that they spend on each other comes on top."},
        {"plan.first-batch", "Tried with the first effective batch of the ramp, {effective}."},
        {"plan.not-confirmed", "m = {micro} did not pass a second, longer trial: {@problem}"},
        {"plan.needs-more", "It needs more than {limit}."},
        {"plan.refused", "The system refused the memory that it needs."},
        {"plan.killed", "The system ended the trial (signal 9), as it does when memory runs out."},
        {"plan.crashed", "The trial broke off ({@how}): {@reason}."},
        {"plan.not-tried", "Not tried: m = {micro} lacked memory already."},
        {"phrase.one-lane", "1 lane"},
        {"phrase.lanes", "{#lanes} lanes"},

    };
    // clang-format on
    return sentences;
}

} // namespace accumulus
