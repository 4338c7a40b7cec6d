// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/setting_words.h"

#include "core/config/dataset_rows.h"
#include "core/config/model_rows.h"

#include <algorithm>

namespace accumulus {

namespace {

// clang-format off
constexpr SettingWord titles[] = {
    {"data.dataset", "Data set"},
    {"data.path", "File or folder"},
    {"data.test_path", "Test file"},
    {"data.target", "Target column"},
    {"data.mean", "Mean"},
    {"data.deviation", "Deviation"},
    {"data.vocabulary", "Vocabulary"},
    {"data.train_limit", "Training samples used"},
    {"data.test_limit", "Test samples used"},
    {"data.validation", "Validation samples"},
    {"data.resize", "Resize images"},
    {"data.shuffle", "Shuffle every epoch"},
    {"data.drop_last", "Drop a short micro-batch"},
    {"data.drop_multiple", "Epoch is a multiple of"},
    {"data.augment", "Augmentation"},
    {"data.block", "Context length"},
    {"model.name", "Model"},
    {"model.path", "Network file"},
    {"model.weights", "Weights from a file"},
    {"model.new_head", "Draw the last layer anew"},
    {"model.freeze", "Frozen parameters"},
    {"model.hidden", "Hidden layers"},
    {"model.init", "Initial weights"},
    {"model.init_std", "Deviation of initial weights"},
    {"model.stem", "First layers"},
    {"model.norm", "Normalisation layers"},
    {"model.layers", "Blocks"},
    {"model.heads", "Attention heads"},
    {"model.width", "Width"},
    {"model.dropout", "Dropout"},
    {"batch.effective", "Effective batch B"},
    {"batch.micro", "Micro-batch m"},
    {"batch.steps", "Accumulation steps K"},
    {"batch.devices", "Devices D"},
    {"batch.ragged", "If m does not divide B"},
    {"batch.tail", "Last window of an epoch"},
    {"batch.ramp", "Ramp of the effective batch"},
    {"batch.lean", "Accumulate in place"},
    {"loss.kind", "Loss"},
    {"loss.delta", "Huber threshold"},
    {"loss.class_weights", "Class weights"},
    {"loss.normalise", "Gradient is averaged over"},
    {"loss.label_smoothing", "Label smoothing"},
    {"optimizer.name", "Optimizer"},
    {"optimizer.lr", "Learning rate"},
    {"optimizer.lr_batch", "Tuned for batch"},
    {"optimizer.lr_rule", "Rule for another batch"},
    {"optimizer.momentum", "Momentum"},
    {"optimizer.nesterov", "Nesterov momentum"},
    {"optimizer.weight_decay", "Weight decay"},
    {"optimizer.beta1", "Beta 1"},
    {"optimizer.beta2", "Beta 2"},
    {"optimizer.eps", "Epsilon"},
    {"schedule.kind", "Schedule"},
    {"schedule.warmup", "Warm-up"},
    {"schedule.step_every", "Decay every"},
    {"schedule.step_factor", "Decay factor"},
    {"schedule.final_lr_fraction", "Final learning rate, fraction"},
    {"train.length", "Length of a run"},
    {"train.clip_norm", "Clip gradient norm at"},
    {"numerics.precision", "Precision"},
    {"numerics.accumulator", "Accumulator"},
    {"numerics.loss_scale", "Loss scale"},
    {"numerics.batch_norm", "BatchNorm statistics"},
    {"numerics.ghost", "BatchNorm group"},
    {"numerics.channels_last", "Channels last"},
    {"numerics.winograd", "Winograd convolutions"},
    {"numerics.deterministic", "Deterministic"},
    {"numerics.nonfinite", "On a non-finite loss"},
    {"device.kind", "Device"},
    {"device.lanes", "Lanes"},
    {"device.threads", "Threads per lane"},
    {"device.memory_limit", "Memory limit"},
    {"device.on_oom", "When memory runs out"},
    {"device.capture", "CUDA graphs"},
    {"parallel.mode", "Ranks share"},
    {"parallel.order", "Order of sums"},
    {"evaluate.every", "Evaluate every"},
    {"checkpoint.every", "Checkpoint every"},
    {"checkpoint.keep", "Checkpoints kept"},
    {"checkpoint.best", "Keep the best weights"},
    {"checkpoint.initial", "Keep the initial weights"},
    {"probe.parameter", "Parameter probe"},
    {"study.name", "Name"},
    {"study.seeds", "Seeds"},
    {"study.large_batch", "Also run the large batch"},
    {"study.ghost", "Ghost control"},
    {"study.margin", "Equivalence margin"},
    {"study.metric", "Compared metric"},
};

constexpr SettingWord choices[] = {
    {"default", "as PyTorch"},
    {"normal", "normal"},
    {"refuse", "refuse"},
    {"weight", "shorter last micro-batch"},
    {"apply", "apply, weighted"},
    {"drop", "drop"},
    {"carry", "carry over"},
    {"leak", "leak (a mistake, to study)"},
    {"samples", "samples"},
    {"tokens", "tokens"},
    {"mean-of-means", "mean of means (a mistake, to study)"},
    {"sum-of-means", "sum of means (a mistake, to study)"},
    {"nominal-steps", "means over the nominal K (a mistake, to study)"},
    {"sgd", "SGD"},
    {"adam", "Adam"},
    {"adamw", "AdamW"},
    {"constant", "constant"},
    {"linear", "linear"},
    {"keep", "keep"},
    {"square-root", "square root"},
    {"cosine", "cosine"},
    {"step", "in stages"},
    {"fp64", "fp64, double"},
    {"fp32", "fp32, single"},
    {"stop", "stop the run"},
    {"skip-update", "skip the update"},
    {"auto", "automatic"},
    {"cpu", "CPU"},
    {"none", "none"},
    {"crop-flip", "crop and flip"},
    {"imagenet", "7 \u00d7 7, for large images"},
    {"cifar", "3 \u00d7 3, for small images"},
    {"batch", "BatchNorm"},
    {"group", "GroupNorm"},
    {"bf16", "bf16, 16 bits"},
    {"fp16", "fp16, 16 bits"},
    {"micro", "at each micro-step"},
    {"pooled", "once per update, pooled"},
    {"frozen", "frozen"},
    {"on", "on"},
    {"off", "off"},
    {"skip-micro", "leave the micro-batch out"},
    {"cuda", "GPU"},
    {"resplit", "compute in smaller parts"},
    {"ddp", "nothing (DDP)"},
    {"zero1", "optimizer state (ZeRO-1)"},
    {"zero2", "state and gradient (ZeRO-2)"},
    {"ranks", "rank by rank"},
    {"micro-steps", "micro-step by micro-step"},
    {"cross-entropy", "cross entropy"},
    {"mse", "squared error (MSE)"},
    {"l1", "absolute error (L1)"},
    {"huber", "Huber"},
    {"bce-with-logits", "binary cross entropy of logits"},
    {"model", "the network's own"},
    {"test_accuracy", "final test accuracy"},
    {"best_test_accuracy", "best test accuracy"},
    {"test_loss", "final test loss"},
    {"train_loss", "final training loss"},
    {"test_top5", "final top-5 test accuracy"},
    {"test_perplexity", "final test perplexity"},
    {"test_mae", "final mean absolute error"},
    {"test_rmse", "final root mean squared error"},
    {"test_r2", "final R²"},
    {"validation_accuracy", "final validation accuracy"},
    {"best_validation_accuracy", "best validation accuracy"},
    {"validation_loss", "final validation loss"},
    {"validation_mae", "final mean absolute validation error"},
    {"validation_rmse", "final root mean squared validation error"},
};

constexpr SettingWord zeros[] = {
    {"data.train_limit", "= all"},
    {"study.margin", "= the metric's own"},
    {"data.test_limit", "= all"},
    {"data.validation", "= none"},
    {"data.resize", "= own size"},
    {"data.drop_multiple", "= the micro-batch"},
    {"model.dropout", "= off"},
    {"numerics.ghost", "= whole micro-batch"},
    {"batch.steps", "= derived"},
    {"batch.effective", "= derived"},
    {"train.clip_norm", "= off"},
    {"loss.label_smoothing", "= off"},
    {"optimizer.lr_batch", "= this batch"},
    {"optimizer.momentum", "= off"},
    {"optimizer.weight_decay", "= off"},
    {"schedule.warmup", "= none"},
    {"device.lanes", "= automatic"},
    {"device.threads", "= automatic"},
    {"evaluate.every", "= at the end"},
    {"checkpoint.every", "= at the end"},
};

constexpr SettingWord empties[] = {
    {"data.path", "bundled copy"},
    {"data.test_path", "none"},
    {"model.weights", "none"},
    {"batch.ramp", "none"},
    {"device.memory_limit", "no limit"},
    {"probe.parameter", "none, for example conv1.weight"},
    {"study.name", "untitled"},
};
// clang-format on

std::string_view wordsOf(std::span<const SettingWord> rows, std::string_view name) {
    const auto row = std::ranges::find(rows, name, &SettingWord::name);
    return row == rows.end() ? std::string_view() : row->words;
}

} // namespace

std::span<const SettingWord> settingTitleRows() { return titles; }
std::span<const SettingWord> choiceTitleRows() { return choices; }
std::span<const SettingWord> zeroMeaningRows() { return zeros; }
std::span<const SettingWord> emptyMeaningRows() { return empties; }

std::string_view settingTitle(std::string_view key) { return wordsOf(titles, key); }

std::string_view choiceTitle(std::string_view choice) {
    if (const ModelRow* model = findModel(choice))
        return model->title;
    if (const DatasetRow* data = findDataset(choice))
        return data->title;
    return wordsOf(choices, choice);
}

std::string_view zeroMeaning(std::string_view key) { return wordsOf(zeros, key); }
std::string_view emptyMeaning(std::string_view key) { return wordsOf(empties, key); }

} // namespace accumulus
