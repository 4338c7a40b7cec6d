// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of model, data and numerics: what the engine would refuse, or do otherwise than a person may expect.
#include "core/config/byte_size.h"
#include "core/config/check_subject.h"
#include "core/config/config_fields.h"
#include "core/config/model_rows.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <limits>

namespace accumulus {

namespace {

using std::int64_t;

/// The layers of a network from a file stay what they are. Whoever keeps BatchNorm changes no setting.
std::vector<Fix> batchNormFixes(const ExperimentConfig& config) {
    std::vector<std::string> ghost = {"study.ghost=true"};
    if (!config.study.largeBatch)
        ghost.emplace_back("study.large_batch=true");
    std::vector<Fix> fixes = {fix("norm-frozen", {"fix.freeze-statistics", {}}, {"numerics.batch_norm=frozen"}),
                              fix("keep-norm", {"fix.keep-norm", {}}, {}),
                              fix("ghost-control", {"fix.ghost-control", {}}, std::move(ghost))};
    if (hasSetting(config.run.model, "model.norm"))
        fixes.insert(fixes.begin(), fix("norm-group", {"fix.group-norm", {}}, {"model.norm=group"}));
    return fixes;
}

/// B03, B08 of a network that has BatchNorm layers. Frozen statistics are constants: no sample looks at another.
void checkBatchNorm(CheckSubject& subject, const BatchPlan& batch) {
    const RunConfig& run = subject.config.run;
    const StudyConfig& study = subject.config.study;
    if (run.numerics.batchNorm == BatchNormMode::Frozen)
        return;
    std::vector<Fix> fixes = batchNormFixes(subject.config);
    if (batch.micro == 1 || run.numerics.ghost == 1) {
        std::erase_if(fixes, [](const Fix& one) { return one.id == "keep-norm" || one.id == "ghost-control"; });
        subject.add("B08", FindingLevel::Warning, batch.micro == 1 ? "batch.micro" : "numerics.ghost",
                    {"finding.single-sample-norm", {}}, std::move(fixes));
        return;
    }
    const bool controlled = study.ghost && study.largeBatch;
    const int64_t effective = batch.largestEffective();
    if (effective <= batch.micro || controlled)
        return;
    subject.add(
        "B03", FindingLevel::Warning, hasSetting(run.model, "model.norm") ? "model.norm" : "numerics.batch_norm",
        {"finding.batch-norm", {{"micro", std::to_string(batch.micro)}, {"effective", std::to_string(effective)}}},
        std::move(fixes));
}

/// D05, D06.
void checkDataOfModel(CheckSubject& subject) {
    const RunConfig& run = subject.config.run;
    const DatasetRow* data = findDataset(run.data.dataset);
    const SampleKind samples = data ? data->samples : SampleKind::Images;
    if (const Status status = checkSamples(run.model, samples); !status) {
        const std::string model = status.error().argument("fittingModel");
        std::vector<Fix> fixes = {fixUse("use-model", model, {"model.name=" + model})};
        if (samples == SampleKind::Images) {
            const std::string text = status.error().argument("fittingDataset");
            fixes.push_back(fixUse("use-text", text, {"data.dataset=" + text, "data.path=\"\""}));
        }
        subject.addError("D05", "model.name", status.error(), std::move(fixes));
    }
    if (samples == SampleKind::Text && run.data.augment != "none")
        subject.add("D06", FindingLevel::Warning, "data.augment", {"finding.augmented-text", {}},
                    {fix("no-augment", {"fix.no-augmentation", {}}, {"data.augment=none"})});
}

/// D02.
void checkSides(CheckSubject& subject) {
    const RunConfig& run = subject.config.run;
    const ModelRow* model = findModel(run.model.name);
    const int64_t side = run.data.resize;
    if (!model || model->sides.empty() || side == 0 || !hasSetting(run.data, "data.resize") ||
        std::ranges::find(model->sides, side) != model->sides.end())
        return;
    std::string sizes;
    for (const int64_t taken : model->sides)
        sizes += fmt::format("{}{} x {}", sizes.empty() ? "" : ", ", taken, taken);
    const std::string best = std::to_string(std::ranges::max(model->sides));
    const std::string other(std::ranges::find_if(modelRows, [&](const ModelRow& row) {
                                return row.samples == model->samples && row.sides.empty();
                            })->name);
    subject.addError("D02", "data.resize",
                     conflict("data.resize", std::to_string(side), "model.name = \"" + run.model.name + '"', "sides",
                              {{"sizes", sizes}, {"best", best}, {"otherModel", other}}),
                     {fixUse("resize-" + best, best, {"data.resize=" + best}),
                      fixUse("use-" + other, other, {"model.name=" + other})});
}

/// D07.
void checkHeads(CheckSubject& subject) {
    const Status status = checkSettings(subject.config.run.model);
    if (status)
        return;
    const std::string heads = status.error().argument("heads");
    const std::string width = status.error().argument("width");
    std::vector<Fix> fixes = {fix("use-heads", {"fix.use-heads", {{"heads", heads}}}, {"model.heads=" + heads})};
    if (checkFieldValue(*findField("model.width"), int64_t{std::stoll(width)}))
        fixes.push_back(fix("use-width", {"fix.use-width", {{"width", width}}}, {"model.width=" + width}));
    subject.addError("D07", "model.heads", status.error(), std::move(fixes));
}

/// N02, N05.
void checkAccumulator(CheckSubject& subject) {
    const NumericsConfig& numerics = subject.config.run.numerics;
    const std::vector<Fix> fixes = {fixUse("accumulator-auto", "auto", {"numerics.accumulator=auto"})};
    if (numerics.accumulator != AccumulatorKind::Auto && numerics.precision == Precision::Fp64)
        subject.addError("N05", "numerics.accumulator",
                         conflict("numerics.accumulator",
                                  numerics.accumulator == AccumulatorKind::Bf16 ? "bf16" : "fp32",
                                  "numerics.precision = \"fp64\"", "fp64-accumulator"),
                         fixes);
    else if (numerics.accumulator == AccumulatorKind::Bf16)
        subject.add("N02", FindingLevel::Warning, "numerics.accumulator", {"finding.bf16-sum", {}}, fixes);
}

/// N01: what the scale, which all of a window shares, does with an overflow.
void checkSharedScale(CheckSubject& subject, bool dynamic) {
    subject.add("N01", FindingLevel::Warning, "numerics.precision",
                {dynamic ? "finding.dynamic-scale" : "finding.fixed-scale", {}},
                {fixUse("use-bf16", "BF16", {"numerics.precision=bf16"})});
}

/// N01, N03.
void checkLossScale(CheckSubject& subject) {
    const NumericsConfig& numerics = subject.config.run.numerics;
    const std::string& text = numerics.lossScale;
    if (numerics.precision != Precision::Fp16)
        return;
    if (text == "dynamic")
        return checkSharedScale(subject, true);
    double scale = 0.0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), scale);
    const bool isNumber = problem != std::errc::invalid_argument && end == text.data() + text.size() && scale > 0.0 &&
                          scale <= std::numeric_limits<double>::max();
    using Multiplied = std::numeric_limits<float>; // with the loss
    if (problem == std::errc() && isNumber && scale >= Multiplied::min() && scale <= Multiplied::max())
        return checkSharedScale(subject, false);
    const Error error{"config.value",
                      {{"key", "numerics.loss_scale"},
                       {"value", fieldText(text)},
                       {"reason", isNumber ? "reason.loss-scale-range" : "reason.loss-scale"},
                       {"allowed", "allowed.loss-scale"}}};
    subject.addError("N03", "numerics.loss_scale", error,
                     {fixUse("scale-dynamic", "dynamic", {"numerics.loss_scale=dynamic"})});
}

/// N04. A GPU, which auto prefers, is faster.
void checkSixteenBits(CheckSubject& subject) {
    const RunConfig& run = subject.config.run;
    const bool bf16 = run.numerics.precision == Precision::Bf16;
    if (!bf16 && run.numerics.precision != Precision::Fp16)
        return;
    const bool cpu = run.device.kind == "cpu" || (run.device.kind == "auto" && !subject.machine.cuda);
    if (!cpu || (bf16 ? subject.machine.fastBf16 : subject.machine.fastFp16))
        return;
    const char* name = bf16 ? "bf16" : "fp16";
    const bool rounds = subject.machine.vectors; // see RoundedProducts
    subject.add("N04", rounds ? FindingLevel::Info : FindingLevel::Warning, "numerics.precision",
                {rounds ? "finding.rounded-sixteen-bits" : "finding.slow-sixteen-bits", {{"precision", name}}},
                {fixUse("use-fp32", "fp32", {"numerics.precision=fp32"})});
}

/// M03, M04, D08.
void checkDevice(CheckSubject& subject) {
    const RunConfig& run = subject.config.run;
    if (const auto limit = parseBytes(run.device.memoryLimit); !limit)
        subject.addError("M03", "device.memory_limit", limit.error(),
                         {fix("no-limit", {"fix.no-limit", {}}, {"device.memory_limit=\"\""})});
    if (run.batch.lean && run.device.lanes > 1)
        subject.add("M04", FindingLevel::Info, "batch.lean",
                    {"finding.lean-lanes", {{"lanes", std::to_string(run.device.lanes)}}},
                    {fixUse("one-lane", "1", {"device.lanes=1"})});
    if (run.device.kind.starts_with("cuda") && !subject.machine.cuda)
        subject.addError("D08", "device.kind", conflict("device.kind", run.device.kind, "phrase.this-build", "no-cuda"),
                         {fixUse("use-cpu", "CPU", {"device.kind=cpu"})});
}

/// D09, D15. Whether a graph can be recorded at all shows only on the GPU.
void checkCapture(CheckSubject& subject) {
    const RunConfig& run = subject.config.run;
    if (run.device.capture != CapturePolicy::On || run.device.kind == "cpu")
        return;
    const Fix automatic = fixUse("capture-auto", "auto", {"device.capture=auto"});
    const auto refuse = [&](const char* other, const char* name) {
        subject.addError("D09", "device.capture", conflict("device.capture", "on", other, name), {automatic});
    };
    const bool ranks = run.batch.devices > 1;
    if (run.batch.lean)
        refuse("batch.lean = true", "capture-lean");
    else if (ranks && run.parallel.mode == ParallelMode::Zero2)
        refuse("parallel.mode = \"zero2\"", "capture-ranks");
    else if (ranks && run.parallel.order == ReductionOrder::MicroSteps)
        refuse("parallel.order = \"micro-steps\"", "capture-ranks");
    else if (run.numerics.nonfinite == NonfinitePolicy::SkipMicro)
        refuse("numerics.nonfinite = \"skip-micro\"", "capture-skip-micro");
    else if (hasBatchNorm(run.model) && run.numerics.batchNorm == BatchNormMode::Pooled)
        refuse("numerics.batch_norm = \"pooled\"", "capture-pooled");
    else if (run.device.kind == "auto" && !subject.machine.cuda)
        subject.add("D15", FindingLevel::Info, "device.capture", {"finding.capture-without-gpu", {}}, {automatic});
}

} // namespace

void checkModel(CheckSubject& subject, const BatchPlan* batch) {
    checkDataOfModel(subject);
    checkSides(subject);
    checkHeads(subject);
    if (batch && hasBatchNorm(subject.config.run.model))
        checkBatchNorm(subject, *batch);
}

std::vector<Finding> checkFoundBatchNorm(const ExperimentConfig& config) {
    std::vector<Finding> findings;
    CheckSubject subject{config, 0, machineFeatures(), findings};
    const auto batch = resolveBatch(config.run.batch);
    if (batch && config.run.model.name == "file")
        checkBatchNorm(subject, *batch);
    return findings;
}

void checkNumerics(CheckSubject& subject) {
    checkAccumulator(subject);
    checkLossScale(subject);
    checkSixteenBits(subject);
    checkDevice(subject);
    checkCapture(subject);
}

} // namespace accumulus
