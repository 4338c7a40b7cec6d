// SPDX-License-Identifier: GPL-3.0-or-later
// The table of settings, third part: evaluate, checkpoint, study.
#include "core/config/field_rows.h"
#include "core/config/metric_rows.h"

namespace accumulus {

namespace {

std::vector<std::string> metricChoices() {
    std::vector<std::string> names{"auto"};
    for (const MetricRow& row : metricRows)
        names.emplace_back(row.name);
    return names;
}

} // namespace

std::vector<FieldRow> studyRows() {
    using R = RunConfig;
    using E = EvaluateConfig;
    using C = CheckpointConfig;
    using S = StudyConfig;
    return {
        FieldRow("evaluate.every", &R::evaluate, &E::every)
            .atLeast(0)
            .atMost(largestExtent)
            .help("Interval between evaluations on the test set and the validation samples; \"0 epochs\": only at the "
                  "end.",
                  "Evaluations happen between updates and do not affect training. Their time is not counted as "
                  "training time."),
        FieldRow("checkpoint.every", &R::checkpoint, &C::every)
            .atLeast(0)
            .atMost(largestExtent)
            .help("Interval between checkpoints; \"0 epochs\": only at the end.",
                  "A checkpoint holds the weights and everything needed to continue exactly where the run stopped. The "
                  "last one is always written."),
        FieldRow("checkpoint.keep", &R::checkpoint, &C::keep)
            .unit("checkpoints")
            .atLeast(0)
            .atMost(1e6)
            .help("Periodic checkpoints to keep; older ones are deleted.",
                  "The best, the last and the initial checkpoint are kept in addition. The last one of a run that was "
                  "stopped counts as periodic once it goes on. 0 keeps one, like 1."),
        FieldRow("checkpoint.best", &R::checkpoint, &C::best)
            .onlyIf({"data.validation"}, [](const R& run) { return run.data.validation > 0; })
            .help("Keep the weights that do best on the validation samples.",
                  "Needs data.validation above 0. Without validation samples no best checkpoint is written: choosing "
                  "on the test set would make its accuracy optimistic."),
        FieldRow("checkpoint.initial", &R::checkpoint, &C::initial)
            .help("Also keep the weights before the first update.",
                  "To prove that two runs started from the same weights, or to start another program from them."),
        FieldRow("probe.parameter", &R::probe, &ProbeConfig::parameter)
            .freeInPair()
            .help("Parameter whose first 10 elements are recorded at every micro-step; empty for none.",
                  "A name as in the checkpoint, for example conv1.weight. Its values do not change until the update, "
                  "which is what accumulation means."),
        FieldRow("study.name", &S::name)
            .help("Name shown in the library; if empty, the file's name.", "Two studies may share a name."),
        FieldRow("study.seeds", &S::seeds)
            .distinct()
            .atLeast(0)
            .atMost(4294967295.0)
            .help("One run, or one pair of arms, for each seed.",
                  "A seed fixes the initial weights and the order of the samples. A verdict needs at least 3 seeds. If "
                  "the true difference is zero, 5 seeds show equivalence within one standard deviation about three "
                  "times in ten, 10 seeds eight times in ten."),
        FieldRow("study.large_batch", &S::largeBatch)
            .help("Also train each seed with the large batch, and compare.",
                  "The second arm has m = B and K = 1, the same initial weights and the same samples in each update. "
                  "Whatever differs then is due to accumulation itself."),
        FieldRow("study.ghost", &S::ghost)
            .onlyInStudyIf({"study.large_batch", "model.name", "model.norm"},
                           [](const ExperimentConfig& experiment) {
                               return experiment.study.largeBatch && mayHaveBatchNorm(experiment.run.model);
                           })
            .help("In the large-batch arm, BatchNorm works on groups of its partner's micro-batch size.",
                  "The control that tells an effect of BatchNorm from an error of accumulation: with it, both arms "
                  "have the same gradient. In models without BatchNorm it changes nothing."),
        FieldRow("study.margin", &S::margin)
            .atLeast(0)
            .atMost(1e6)
            .help("Equivalence margin, in the unit of the metric; 0 for the metric's default.",
                  "The largest difference that you would still call equal, for example 0.005 for half a point of "
                  "accuracy. The defaults: 0.002 of an accuracy (0.2 points) or of R2, and 1 % of the large batch's "
                  "mean of a loss, an error or a perplexity. Fix it before the runs: it is stored with the time it was "
                  "set."),
        FieldRow("study.metric", &S::metric)
            .choices(metricChoices())
            .help("The metric that the verdict is based on.",
                  "auto: the main metric for the loss, which is test_accuracy for cross-entropy and bce-with-logits, "
                  "test_rmse for mse and huber, test_mae for l1, and test_loss for model; with data.validation the "
                  "same on the validation samples, such as validation_accuracy. Accuracies lie between 0 and 1. "
                  "test_accuracy and validation_accuracy belong to the final weights; best_test_accuracy and "
                  "best_validation_accuracy are chosen after the fact and are therefore optimistic, for both arms "
                  "alike. test_top5 needs more than 5 classes, test_perplexity a text."),
    };
}

} // namespace accumulus
