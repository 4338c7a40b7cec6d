// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/check_subject.h"
#include "core/config/config_fields.h"
#include "core/config/dataset_rows.h"
#include "core/config/metric_rows.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace accumulus {
namespace {

std::string kindText(const RunConfig& run) {
    static constexpr std::array names{"cross-entropy", "mse", "l1", "huber", "bce-with-logits", "model"};
    return names.at(static_cast<std::size_t>(run.loss.kind));
}

Fix crossEntropyFix() { return fixUse("use-cross-entropy", "cross-entropy", {"loss.kind=cross-entropy"}); }

/// L01, L02: who can compute this loss, and of what.
void checkKind(CheckSubject& subject) {
    const RunConfig& run = subject.config.run;
    const auto refuse = [&](const char* id, const std::string& other, const char* name) {
        subject.addError(id, "loss.kind", conflict("loss.kind", '"' + kindText(run) + '"', other, name),
                         {crossEntropyFix()});
    };
    const DatasetRow* data = findDataset(run.data.dataset);
    if (run.loss.kind == LossKind::Model && run.model.name != "file")
        refuse("L01", "model.name = \"" + run.model.name + '"', "loss-of-model");
    else if (run.loss.kind != LossKind::Model && run.loss.kind != LossKind::CrossEntropy && data &&
             data->samples != SampleKind::Tensors)
        refuse("L02", "data.dataset = \"" + run.data.dataset + '"', "loss-of-numbers");
}

/// L03, L04.
void checkWeights(CheckSubject& subject) {
    const RunConfig& run = subject.config.run;
    const std::vector<double>& weights = run.loss.classWeights;
    const bool classes = run.loss.kind == LossKind::CrossEntropy;
    const bool hasZero = std::ranges::any_of(weights, [](double weight) { return !(weight > 0.0); });
    if (classes && hasZero && run.loss.labelSmoothing > 0.0)
        subject.addError("L03", "loss.label_smoothing",
                         conflict("loss.label_smoothing", fmt::format("{}", run.loss.labelSmoothing),
                                  "loss.class_weights = " + fieldText(weights), "smoothed-zero-weight"),
                         {fixUse("no-smoothing", "0", {"loss.label_smoothing=0"})});
    const bool mean = run.loss.normalise == Normalise::Samples || run.loss.normalise == Normalise::Tokens;
    if (run.loss.kind == LossKind::Model && run.batch.lean && !mean)
        subject.addError("L04", "batch.lean",
                         conflict("batch.lean", "true", "loss.kind = \"model\"", "lean-model-loss"),
                         {fixUse("not-lean", "false", {"batch.lean=false"}),
                          fix("normalise-samples", {"fix.normalise-samples", {}}, {"loss.normalise=samples"})});
}

/// L05: a verdict needs the metric, which its loss and the samples that it is measured on may lack.
void checkMetric(CheckSubject& subject) {
    const RunConfig& run = subject.config.run;
    const StudyConfig& study = subject.config.study;
    const auto metric = studyMetric(study.metric, run);
    if (!metric || hasMetric(run, *metric))
        return;
    const std::string fitting = metricName(defaultMetric(run));
    const bool ofLoss = !hasMetric(run, onTest(*metric));
    const Error error = conflict("study.metric", '"' + study.metric + '"',
                                 ofLoss ? "loss.kind = \"" + kindText(run) + '"' : "data.validation = 0",
                                 ofLoss ? "metric-of-loss" : "metric-of-validation", {{"metric", fitting}});
    subject.add("L05", study.largeBatch ? FindingLevel::Error : FindingLevel::Warning, "study.metric", error,
                {fixUse("use-auto", "auto", {"study.metric=auto"}),
                 fixUse("use-metric", fitting, {"study.metric=" + fitting})});
}

} // namespace

void checkLoss(CheckSubject& subject) {
    checkKind(subject);
    checkWeights(subject);
    checkMetric(subject);
}

} // namespace accumulus
