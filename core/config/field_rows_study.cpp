// SPDX-License-Identifier: GPL-3.0-or-later
// The table of settings, third part: evaluate, checkpoint, study.
#include "core/config/field_rows.h"

namespace accumulus {

std::vector<FieldRow> studyRows() {
    using R = RunConfig;
    using E = EvaluateConfig;
    using C = CheckpointConfig;
    using S = StudyConfig;
    return {
        FieldRow("evaluate.every", &R::evaluate, &E::every)
            .atLeast(0)
            .atMost(largestExtent)
            .help("Interval between evaluations on the test set; \"0 epochs\": only at the end.",
                  "Evaluations happen between two updates and change nothing of the training. Their time is not "
                  "counted as training time."),
        FieldRow("checkpoint.every", &R::checkpoint, &C::every)
            .atLeast(0)
            .atMost(largestExtent)
            .help("Interval between checkpoints; \"0 epochs\": only at the end.",
                  "A checkpoint holds the weights and everything needed to go on exactly where it stopped. The last "
                  "one is always written."),
        FieldRow("checkpoint.keep", &R::checkpoint, &C::keep)
            .unit("checkpoints")
            .atLeast(0)
            .atMost(1e6)
            .onlyIf({"checkpoint.every"}, [](const R& run) { return run.checkpoint.every.count > 0; })
            .help("Periodic checkpoints kept; older ones are removed.",
                  "The best, the last and the initial one are kept besides."),
        FieldRow("checkpoint.best", &R::checkpoint, &C::best)
            .onlyIf({"data.validation"}, [](const R& run) { return run.data.validation > 0; })
            .help("Keep the weights that do best on the validation samples.",
                  "Needs data.validation above 0. Without validation samples no best checkpoint is written: chosen on "
                  "the test set, its test accuracy would be optimistic."),
        FieldRow("checkpoint.initial", &R::checkpoint, &C::initial)
            .help("Also keep the weights before the first update.",
                  "To prove that two runs started alike, or to start another program from the same weights."),
        FieldRow("probe.parameter", &R::probe, &ProbeConfig::parameter)
            .freeInPair()
            .help("Parameter whose first 10 elements are recorded at every micro-step; empty for none.",
                  "A name as in the checkpoint, for example conv1.weight. Its values stay the same until the update: "
                  "that is what "
                  "accumulation means, to be seen."),
        FieldRow("study.name", &S::name)
            .help("Name shown in the library; the file's name when empty.", "Two studies may have the same name."),
        FieldRow("study.seeds", &S::seeds)
            .atLeast(0)
            .atMost(4294967295.0)
            .help("One run, or one pair of arms, for each seed.",
                  "A seed fixes the initial weights and the order of the samples. A verdict needs at least 3 seeds; "
                  "with 5 and a true difference of zero, equivalence within one standard deviation is shown about "
                  "three times in ten, with "
                  "10 eight times in ten."),
        FieldRow("study.large_batch", &S::largeBatch)
            .help("Also train each seed with the large batch at once, and compare.",
                  "The second arm has m = B and K = 1, the same initial weights and the same samples in each update. "
                  "What then differs "
                  "is accumulation itself."),
        FieldRow("study.ghost", &S::ghost)
            .onlyInStudyIf({"study.large_batch", "model.name", "model.norm"},
                           [](const ExperimentConfig& experiment) {
                               return experiment.study.largeBatch && hasBatchNorm(experiment.run.model);
                           })
            .help("The large-batch arm's BatchNorm works on groups of its partner's micro-batch.",
                  "The control that tells an effect of BatchNorm from a mistake of accumulation: with it the two arms "
                  "have the same "
                  "gradient. Without BatchNorm in the model it changes nothing."),
        FieldRow("study.margin", &S::margin)
            .above(0)
            .atMost(1e6)
            .help("Equivalence margin of the metric, in its own unit.",
                  "The largest difference that you would still call the same, for example 0.002 for 0.2 points of "
                  "accuracy. Fix it before the "
                  "runs: it is stored with the time it was set."),
        FieldRow("study.metric", &S::metric)
            .choices({"test_accuracy", "best_test_accuracy", "test_loss", "train_loss"})
            .help("The one metric that the verdict is given on.",
                  "Accuracies are between 0 and 1. test_accuracy is that of the final weights; best_test_accuracy is "
                  "chosen after the fact "
                  "and therefore optimistic, for both arms alike."),
    };
}

} // namespace accumulus
