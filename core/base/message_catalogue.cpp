// SPDX-License-Identifier: GPL-3.0-or-later
// Findings, fixes, rules, notes of a run and checkpoints; and all parts of the catalogue as one.
#include "core/base/message_catalogue.h"

namespace accumulus {
namespace {

// clang-format off
constexpr Sentence runSentences[] = {
    // of the storage of a library
    {"library.note-network", "The library lies on a network file system: write-ahead logging is off, and writing is slower."},
    {"library.note-no-wal", "Write-ahead logging is not possible here: reading and writing wait for each other."},
    {"library.note-read-only", "The library lies on read-only storage: everything but writing works."},
    {"library.note-log", "The latest changes are still in {file} and cannot be shown."},
    // findings of checkConfig and checkLrOfBatch
    {"finding.batch-norm", "BatchNorm uses the statistics of each micro-batch ({micro}), not of {effective}. Arms will differ by design."},
    {"finding.batch-norm-kept", "BatchNorm uses the statistics of each micro-batch ({micro}), not of {effective}. It is kept: audits and comparisons mark the arms as different methods."},
    {"finding.short-window", "The last window of each epoch has {tail} of {effective} samples."},
    {"finding.mean-of-means", "The loss is averaged per micro-batch; with unequal sizes this is not the mean of the batch."},
    {"finding.single-sample-norm", "BatchNorm normalises each sample by itself: one sample has hardly any statistics, and none where a layer sees single values."},
    {"finding.augmented-text", "Augmentation is for images; text is used unchanged."},
    {"finding.bf16-sum", "A sum in bf16 has 8 significant bits: it stalls after 256 equal gradients and rounds long before that."},
    {"finding.dynamic-scale", "FP16 shares one loss scale over the window: what overflows is computed again at a lower scale, and where no scale helps, the whole update is skipped."},
    {"finding.fixed-scale", "FP16 with a fixed scale shared over the window: an overflow skips the whole update."},
    {"finding.slow-sixteen-bits", "This processor has no instructions for {precision}: training in {precision} is slower than in fp32."},
    {"finding.rounded-sixteen-bits", "On this processor {precision} is no faster than fp32: products are computed in fp32 and rounded. Large networks take less memory."},
    {"finding.lean-lanes", "Lean accumulation runs on one lane; the {lanes} lanes asked for are not used."},
    {"finding.capture-without-gpu", "CUDA graphs are recorded on a GPU only; this build computes on the CPU."},
    {"finding.coarse-metric", "A single prediction changes {@metric} by {step} points, more than the margin of ±{margin} points: no result could show equivalence within it."},
    {"finding.few-seeds", "A verdict needs at least {needed} seeds; this study has {seeds}."},
    {"finding.one-seed", "A verdict needs at least {needed} seeds; this study has 1, the seed with the number {seed}. Each number is one seed, as in 0, 1, 2."},
    {"note.no-effect", "{setting} changes nothing with {others}."},
    {"finding.clipping", "Gradient clipping is applied once per update, after accumulation."},
    {"finding.lr-of-batch", "The learning rate was tuned for batch {before}; the batch is now {after}."},
    {"finding.formula-only", "Only a formula estimate; it can be far off."},
    {"finding.mostly-numbers", "Nearly all values of column {column} are numbers, but line {#line} holds \"{text}\", so each of its {#values} values becomes an input of its own. Correct that value, or leave the field empty if it is missing."},
    {"finding.held-out-one-class", "All {#samples} held-out samples are of class {class}, and the training samples have others: the end of the file is held out, and it is probably sorted. Shuffle its rows, or set data.test_path."},
    {"finding.activations-unknown", "The activations of a network from a file are not known; Plan micro-batch measures them."},
    {"finding.memory-without-activations", "Needs more than {needed} ({@source}), {@room}."},
    {"finding.memory-accepted", "Needs about {needed} ({@source}), {@room}. Start anyway was chosen."},
    {"finding.large-arm-memory", "The large batch needs about {needed} ({@source}), {@room}."},

    // buttons that fix a finding
    {"fix.use", "Use {value}"},
    {"fix.keep", "Keep {value}"},
    {"fix.choose", "Choose…"},
    {"fix.refresh", "Refresh"},
    {"fix.whole-test-set", "Use the whole test set"},
    {"fix.five-seeds", "Use 5 seeds"},
    {"fix.that-many-seeds", "Use {seeds} seeds"},
    {"fix.use-micro", "Use micro-batch {micro}"},
    {"fix.halve-micro", "Micro-batch {micro}, K {steps} (same B)"},
    {"fix.start-anyway", "Start anyway"},
    {"fix.hold-out", "Hold out {#samples} samples"},
    {"fix.probe-memory", "Probe now"},
    {"fix.use-cpu", "Use the CPU"},
    {"fix.audit-only", "Audit only"},
    {"fix.no-large-batch", "Without the large batch"},
    {"fix.use-steps", "Use {steps} accumulation steps"},
    {"fix.use-effective", "Use effective batch {effective}"},
    {"fix.use-heads", "Use {heads} heads"},
    {"fix.use-width", "Use width {width}"},
    {"fix.allow-ragged", "Allow a smaller last micro-batch"},
    {"fix.tail-apply", "Weight"},
    {"fix.tail-drop", "Drop"},
    {"fix.tail-carry", "Carry over"},
    {"fix.normalise-samples", "Weight by samples"},
    {"fix.group-norm", "Use GroupNorm"},
    {"fix.freeze-statistics", "Freeze statistics"},
    {"fix.keep-norm", "Keep and mark"},
    {"fix.ghost-control", "Add the ghost control"},
    {"fix.no-augmentation", "No augmentation"},
    {"fix.no-limit", "No limit"},
    {"fix.lr-linear", "Linear: {lr}"},
    {"fix.lr-square-root", "Square root: {lr}"},
    {"fix.lr-half-life", "Half-life: {lr}"},
    {"fix.lr-noise-scale", "Noise scale: {lr}"},

    // where something unexpected has failed
    {"place.audit", "an audit"},
    {"place.library", "the library"},
    {"place.look-up", "a look-up"},
    {"place.planning", "planning"},
    {"place.training", "training"},

    // what the rules for a learning rate assume
    {"lr.linear", "Keeps the progress per sample, as long as B stays well below the noise scale; add warm-up when B grows a lot."},
    {"lr.square-root", "Keeps the noise per sample; the cautious choice."},
    {"lr.adam-square-root", "Adam's rule: lr scales with the square root, the averages get shorter in updates, eps smaller."},
    {"lr.adam-half-life", "The same, but keeps the half-life of the averages in samples exactly."},
    {"lr.noise-aware", "From the measured noise scale of about {noiseScale} samples."},

    // notes of a run
    {"device.cpu", "No CUDA device: the CPU is used ({reason})."},
    {"device.cpu-only", "This version trains on the CPU."},
    {"device.not-captured", "Micro-steps could not be recorded as a CUDA graph; kernels are launched one by one: {@reason}."},
    {"ranks.through-hosts", "The ranks exchange gradients through host memory, not directly between the GPUs: {@reason}."},
    {"precision.bf16", "This processor has matrix instructions for bfloat16: numerics.precision = \"bf16\" would train this model faster."},
    {"training.skipped", "The loss or gradient of window {window} was not finite; no update was made.{@place}"},
    {"training.left-out", "Window {window} left out micro-steps whose loss or gradient was not finite ({#leftOut}).{@place}"},
    {"training.left-out-more", "More windows left out micro-steps; the first {notes} are noted."},
    {"training.retried", "Part of window {window} failed and was computed again: {@fault}."},
    {"phrase.rank-fault", "rank {rank}: {@reason}"},
    {"launch.pending", "Slurm job {job} waits in the queue ({reason})."},
    {"launch.runs", "Slurm job {job} runs on {nodes}."},
    {"launch.lost", "The connection to {@host} is lost. Training there continues without it. Trying again in {seconds} s."},
    {"launch.paused", "The study is paused. `accumulus-cli follow --resume` lets it go on."},
    {"launch.version", "{@host} has another version of Accumulus: {there} there, {here} here."},
    {"launch.found", "The connection to {@host} is back."},
    {"training.overflow", "16-bit gradients overflowed in window {window} ({#overflows}); what overflowed was computed again at a lower loss scale."},
    {"run.bundle-passed-over", "Resume bundles were passed over: {@reasons} The run continues from {file}, at update {#update}."},
    {"run.bundle-missing", "{file} is missing."},
    {"study.run-failed", "{run}: {@error}"},
    {"run.model-unreached", "When the network was tried, no gradient reached {parameters}. A parameter that no gradient reaches keeps its initial values."},
    {"run.model-draws", "The network uses random numbers while it trains (dropout, for example). The two arms of a pair use different ones, so a difference between them is expected."},
    {"run.model-couples", "The network mixes the samples of a micro-batch, and BatchNorm is not the reason: accumulation is not the large batch."},
    {"run.weights-other", "{file} is not the file that the run began with, or is gone. The run goes on with its own weights."},
    {"weights.loaded", "{#count} parameter tensors start from {file}."},
    {"weights.prefix", "Names there differ by the prefix {prefix}, which was left out."},
    {"weights.drawn", "Drawn anew, because {file} has them in another shape or not at all: {parameters}."},
    {"weights.own", "Not taken from {file}, because it has them in another shape or not at all: {parameters}. They keep the values of the network's file."},
    {"weights.own-statistics", "{file} has no running statistics: BatchNorm layers keep those of the network's file."},
    {"weights.no-statistics", "{file} has no running statistics: BatchNorm layers start from mean 0 and variance 1."},
    {"weights.ignored", "{#count} tensors of {file} are not of this model and were left out, {first} first."},
    {"model.frozen", "{#frozen} of {#parameters} parameters are frozen; {#trained} are trained."},
    {"run.other-data", "The run continues with other data than before, as requested: the hash of the data set was {stored} and is now {found}."},
    {"checkpoint.disk-full", "A checkpoint cannot be saved to {file}: {@reason}. Training waits until there is room again."},
    {"run.saves-alone", "{@error} The first rank now saves a checkpoint by itself."},
    {"run.smaller-parts", "Memory ran out here before: from now on, micro-batches that do not fit are computed in smaller parts. The effective batch stays the same."},
    {"memory.whole", "From window {window} on, micro-batches are computed whole again."},
    {"memory.resplit", "From window {window} on, micro-batches are computed in parts of at most {samples} samples to save memory. The effective batch stays the same.{@batchNorm}"},

    // checkpoints
    {"checkpoint.kind-periodic", "periodic"},
    {"checkpoint.kind-best", "best"},
    {"checkpoint.kind-last", "last"},
    {"checkpoint.kind-initial", "initial"},

};
// clang-format on

} // namespace

const std::vector<Sentence>& messageCatalogue() {
    static const std::vector<Sentence> catalogue = [] {
        std::vector<Sentence> all;
        for (const std::span<const Sentence> part :
             {auditSentences(), std::span<const Sentence>(runSentences), fileSentences(), analysisSentences(),
              reasonSentences(), trainingSentences()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return catalogue;
}

} // namespace accumulus
