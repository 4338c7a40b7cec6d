// SPDX-License-Identifier: GPL-3.0-or-later
// What an audit says: headlines, notes, mistakes and why one cannot be built in.
#include "core/base/message_catalogue.h"

namespace accumulus {

std::span<const Sentence> auditSentences() {
    // clang-format off
    static constexpr Sentence sentences[] = {
        // audits: headlines
        // audits and plans: what was looked at
        {"audit.subject", "{~model}, {~dataset}, {effective} = {micro} x {steps}"},
        {"audit.subject-as-named", "{subject}"},
        {"plan.subject", "{~model} on {~dataset}, {precision}"},

        {"audit.equivalent", "Equivalent: worst tensor {tensor} {error}, tolerance {tolerance}"},
        {"audit.equivalent-but-rounding", "Equivalent but for rounding: worst tensor {tensor} {error}, tolerance {tolerance}"},
        {"audit.found.mean-of-means", "Not equivalent: micro-batches of unequal size count alike (mean of means); worst tensor {tensor} {error}"},
        {"audit.found.factor-k", "Not equivalent: factor {factor} on all tensors: the sum was not divided by K"},
        {"audit.found.divided-twice", "Not equivalent: factor {factor}: the gradient was divided twice"},
        {"audit.found.remainder-window", "Not equivalent: the short window at the end of an epoch has the wrong weight; worst tensor {tensor} {error}"},
        {"audit.found.last-micro-batch-lost", "Not equivalent: micro-batches are lost, the last one or those in the middle; worst tensor {tensor} {error}"},
        {"audit.found.only-last-kept", "Not equivalent: only the last micro-batch counts; worst tensor {tensor} {error}"},
        {"audit.found.geometric-weights", "Not equivalent: each micro-batch weighs {ratio} times the next one"},
        {"audit.found.rank-normalisation", "Not equivalent: {ranks} ranks were not averaged by their units; worst tensor {tensor} {error}"},
        {"audit.found.clip-per-micro-batch", "Not equivalent: gradients were clipped to {norm} at each micro-step instead of once"},
        {"audit.found.low-precision-accumulator", "Not equivalent: gradients were summed with {bits} significant bits; worst tensor {tensor} {error}"},
        {"audit.found.gradients-not-cleared", "Not equivalent: the gradients of the window before are still there: they were not cleared"},
        {"audit.found.loss-scale", "Not equivalent: factor {factor} on all tensors: the loss scale was not taken out"},
        {"audit.found.weights-moved", "Not equivalent: the weights changed within the window, as by a step() of the optimizer in each micro-step; worst tensor {tensor} {error}"},
        {"audit.found.decay-per-micro-step", "Not equivalent: weight decay was applied at each micro-step; worst tensor {tensor} {error}"},
        {"audit.found.dropout-stream", "Expected: what is drawn (dropout, augmentation) depends on the order of calls, so the same samples give another gradient each time"},
        {"audit.found.batch-norm", "Expected: {layers} BatchNorm layers use the statistics of each micro-batch; worst tensor {tensor} {error}"},
        {"audit.found.batch-coupled-loss", "Not equivalent: the sums are right, but a sample's gradient depends on the other samples of its micro-batch; worst tensor {tensor} {error}"},
        {"audit.found.ghost-differs", "Not equivalent: BatchNorm does not explain it, for the large batch in groups of the micro-batch differs as well; worst tensor {tensor} {error}"},
        {"audit.found.nothing-linear", "Not equivalent: no weights of the micro-batches explain the gradient; worst tensor {tensor} {error}"},
        {"audit.found.other-weights", "Not equivalent: the micro-batches have wrong weights, but those of no mistake that is known; worst tensor {tensor} {error}"},
        {"audit.found.no-gradient", "Not equivalent: no gradient arrived, it is zero in every tensor. It was probably cleared before it was recorded"},
        {"audit.found.other-factor", "Not equivalent: factor {factor} on all tensors"},
        {"audit.found.without-micro-gradients", "Not equivalent: worst tensor {tensor} {error}; with the micro-gradients the audit could say why"},

        // audits: notes
        {"audit.note.rounding-only", "In fp64 the same gradients agree: rounding put some activations on the other side of a ReLU or a maximum."},
        {"audit.note.flip-sized", "The sums are right, and what is left is no more than one ReLU or maximum that rounding put on its other side. Record it in fp64 to be sure."},
        {"audit.note.no-fp64", "The network cannot compute in fp64, so there is no fp64 reference."},
        {"audit.note.no-reference", "The fp64 reference did not fit into memory and was left out."},
        {"audit.note.no-updates", "The updates both ways did not fit into memory and were left out."},
        {"audit.note.ramp-off", "Audited with the first effective batch of the ramp."},
        {"audit.note.carry", "Left-over samples of an epoch complete the next window (batch.tail = \"carry\"), so there is no short window to audit."},
        {"audit.note.ghost-agrees", "The large batch normalised in groups of the micro-batch gives the same gradient: BatchNorm is the only difference."},
        {"audit.note.smaller-micro", "Audited with micro-batch {micro}, so that a window has at least three micro-steps and nothing hides."},
        {"audit.note.fewer-steps", "Audited with {#steps} of {#all} micro-steps a window."},
        {"audit.note.clip-off", "Clipping is off in an audit: it would hide a wrong factor."},
        {"audit.note.ranks-off", "Audited on one rank."},
        {"audit.note.drop", "The short window at the end of an epoch makes no update (batch.tail = \"drop\"), so it was not audited."},
        {"audit.note.large-in-parts", "The large batch does not fit into memory in one pass; the fp64 reference stands in for it."},
        {"audit.note.fp64-passed", "Tensor {tensor} is above the tolerance, but no further from the fp64 reference than the large batch allows."},
        {"audit.note.dropout-set", "For this lesson dropout draws with probability {value}."},
        {"audit.note.augment-set", "For this lesson images are cropped and flipped at random."},
        {"audit.note.without-micro-gradients", "Without the micro-gradients only a common factor can be recognised."},
        {"audit.note.weights-not-identified", "The micro-gradients are linearly dependent, so their fitted weights are one answer of many."},

        // audits: what is being computed
        {"audit.doing.load", "Loading data and weights"},
        {"audit.doing.windows", "Accumulating {#windows} windows"},
        {"audit.doing.micro", "Computing each micro-batch by itself"},
        {"audit.doing.large", "Computing the large batch"},
        {"audit.doing.reference", "Computing the fp64 reference"},
        {"audit.doing.splits", "Cutting the batch in other ways"},
        {"audit.doing.updates", "Update {#update} of {#updates} both ways"},

        // audits: the mistakes, by name and in a sentence
        {"audit.pattern.mean-of-means", "Mean of means"},
        {"audit.pattern.mean-of-means.why", "Each micro-batch's mean is averaged, whatever its size: samples or tokens of small micro-batches count too much."},
        {"audit.pattern.factor-k", "Not divided by K"},
        {"audit.pattern.factor-k.why", "The micro-batches' gradients are added and not divided: the learning rate is K times what it says."},
        {"audit.pattern.divided-twice", "Divided twice"},
        {"audit.pattern.divided-twice.why", "The loss is divided by K, and so is the gradient: the learning rate is a K-th of what it says."},
        {"audit.pattern.remainder-window", "Short window misweighted"},
        {"audit.pattern.remainder-window.why", "The last window of an epoch has fewer micro-batches, but is divided by K all the same, thrown away, or left over to the next epoch."},
        {"audit.pattern.last-micro-batch-lost", "Micro-batches lost"},
        {"audit.pattern.last-micro-batch-lost.why", "The update is made before the last micro-batch is added, or those in the middle are overwritten."},
        {"audit.pattern.only-last-kept", "Only the last one kept"},
        {"audit.pattern.only-last-kept.why", "The sum is reset at every micro-step: the large batch is in truth the micro-batch."},
        {"audit.pattern.geometric-weights", "Geometric weights"},
        {"audit.pattern.geometric-weights.why", "The running sum is scaled at every micro-step, so the first micro-batches weigh far more, or far less, than the last ones."},
        {"audit.pattern.rank-normalisation", "Ranks averaged wrongly"},
        {"audit.pattern.rank-normalisation.why", "Each rank divides by its own units, and the ranks' means are averaged: samples of ranks with few units count too much."},
        {"audit.pattern.clip-per-micro-batch", "Clipped at each micro-step"},
        {"audit.pattern.clip-per-micro-batch.why", "Gradients are clipped before they are added up, not once per update: large micro-gradients lose their weight."},
        {"audit.pattern.low-precision-accumulator", "Sum in low precision"},
        {"audit.pattern.low-precision-accumulator.why", "Gradients are added up in 16 bits: small ones vanish beside the sum."},
        {"audit.pattern.gradients-not-cleared", "Gradients not cleared"},
        {"audit.pattern.gradients-not-cleared.why", "The gradient of one update is still there when the next window begins."},
        {"audit.pattern.loss-scale", "Loss scale left in"},
        {"audit.pattern.loss-scale.why", "The gradient is not divided by the loss scale of fp16 before it is used."},
        {"audit.pattern.dropout-stream", "Draws by order of calls"},
        {"audit.pattern.dropout-stream.why", "Dropout or augmentation draws from a stream, so the split decides what is drawn for a sample."},
        {"audit.pattern.batch-coupled-loss", "Samples are coupled"},
        {"audit.pattern.batch-coupled-loss.why", "The loss compares the samples of a micro-batch with each other: accumulation changes what is learned."},
        {"audit.pattern.batch-norm", "BatchNorm"},
        {"audit.pattern.batch-norm.why", "Each micro-batch is normalised by its own statistics, not by those of the large batch."},
        {"audit.pattern.decay-per-micro-step", "Decay at each micro-step"},
        {"audit.pattern.decay-per-micro-step.why", "Weight decay is applied K times per update."},

        // audits: why a fault cannot be built in
        {"reason.fault-precision-16", "It needs numerics.precision = \"fp16\", for only fp16 scales the loss"},
        {"reason.fault-not-fp64", "In fp64 runs sums are in fp64"},
        {"reason.fault-not-plantable", "It belongs to the model or to another program, not to the loop"},
        {"reason.fault-on-device", "Faults are built in on the CPU only; set device.kind = \"cpu\""},
        {"reason.fault-draws", "This model and these data draw nothing at random"},
        {"reason.audit-no-tensors", "It holds no tensors of floating-point numbers"},
        {"reason.audit-other-names", "Its tensors are not those of the other file: {name}"},
        {"reason.audit-other-shape", "The other file has {name} in another shape"},
        {"reason.audit-nonfinite", "Its tensor {name} holds values that are not finite"},
        {"reason.loss-scores", "Cross entropy takes one score for each class of every target"},
        {"reason.loss-numbers", "This loss compares each output with one number of the target; nothing is broadcast"},
        {"reason.capture-loss", "the model computes its loss itself"},
        {"reason.audit-units", "It lacks a list \"units\" of one positive number for each micro-batch"},
        {"reason.audit-micro", "It lacks {name}"},
        {"reason.audit-list", "Its list {name} must hold {#count} whole numbers"},

    };
    // clang-format on
    return sentences;
}

} // namespace accumulus
