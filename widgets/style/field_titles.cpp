// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/field_titles.h"

#include "core/config/model_rows.h"
#include "widgets/style/word_table.h"

#include <QRegularExpression>
#include <algorithm>

namespace accumulus::ui {

namespace {

// clang-format off
constexpr Word titles[] = {
    {"data.dataset", QT_TRANSLATE_NOOP("fields", "Data set")},
    {"data.path", QT_TRANSLATE_NOOP("fields", "File or folder")},
    {"data.test_path", QT_TRANSLATE_NOOP("fields", "Test file")},
    {"data.target", QT_TRANSLATE_NOOP("fields", "Target column")},
    {"data.mean", QT_TRANSLATE_NOOP("fields", "Mean")},
    {"data.deviation", QT_TRANSLATE_NOOP("fields", "Deviation")},
    {"data.vocabulary", QT_TRANSLATE_NOOP("fields", "Vocabulary")},
    {"data.train_limit", QT_TRANSLATE_NOOP("fields", "Training samples used")},
    {"data.test_limit", QT_TRANSLATE_NOOP("fields", "Test samples used")},
    {"data.validation", QT_TRANSLATE_NOOP("fields", "Validation samples")},
    {"data.resize", QT_TRANSLATE_NOOP("fields", "Resize images")},
    {"data.shuffle", QT_TRANSLATE_NOOP("fields", "Shuffle every epoch")},
    {"data.drop_last", QT_TRANSLATE_NOOP("fields", "Drop a short micro-batch")},
    {"data.drop_multiple", QT_TRANSLATE_NOOP("fields", "Epoch is a multiple of")},
    {"data.augment", QT_TRANSLATE_NOOP("fields", "Augmentation")},
    {"data.block", QT_TRANSLATE_NOOP("fields", "Context length")},
    {"model.name", QT_TRANSLATE_NOOP("fields", "Model")},
    {"model.path", QT_TRANSLATE_NOOP("fields", "Network file")},
    {"model.weights", QT_TRANSLATE_NOOP("fields", "Weights from a file")},
    {"model.new_head", QT_TRANSLATE_NOOP("fields", "Draw the last layer anew")},
    {"model.freeze", QT_TRANSLATE_NOOP("fields", "Frozen parameters")},
    {"model.hidden", QT_TRANSLATE_NOOP("fields", "Hidden layers")},
    {"model.init", QT_TRANSLATE_NOOP("fields", "Initial weights")},
    {"model.init_std", QT_TRANSLATE_NOOP("fields", "Deviation of initial weights")},
    {"model.stem", QT_TRANSLATE_NOOP("fields", "First layers")},
    {"model.norm", QT_TRANSLATE_NOOP("fields", "Normalisation layers")},
    {"model.layers", QT_TRANSLATE_NOOP("fields", "Blocks")},
    {"model.heads", QT_TRANSLATE_NOOP("fields", "Attention heads")},
    {"model.width", QT_TRANSLATE_NOOP("fields", "Width")},
    {"model.dropout", QT_TRANSLATE_NOOP("fields", "Dropout")},
    {"batch.effective", QT_TRANSLATE_NOOP("fields", "Effective batch B")},
    {"batch.micro", QT_TRANSLATE_NOOP("fields", "Micro-batch m")},
    {"batch.steps", QT_TRANSLATE_NOOP("fields", "Accumulation steps K")},
    {"batch.devices", QT_TRANSLATE_NOOP("fields", "Devices D")},
    {"batch.ragged", QT_TRANSLATE_NOOP("fields", "If m does not divide B")},
    {"batch.tail", QT_TRANSLATE_NOOP("fields", "Last window of an epoch")},
    {"batch.ramp", QT_TRANSLATE_NOOP("fields", "Ramp of the effective batch")},
    {"batch.lean", QT_TRANSLATE_NOOP("fields", "Accumulate in place")},
    {"loss.kind", QT_TRANSLATE_NOOP("fields", "Loss")},
    {"loss.delta", QT_TRANSLATE_NOOP("fields", "Huber threshold")},
    {"loss.class_weights", QT_TRANSLATE_NOOP("fields", "Class weights")},
    {"loss.normalise", QT_TRANSLATE_NOOP("fields", "Gradient is averaged over")},
    {"loss.label_smoothing", QT_TRANSLATE_NOOP("fields", "Label smoothing")},
    {"optimizer.name", QT_TRANSLATE_NOOP("fields", "Optimizer")},
    {"optimizer.lr", QT_TRANSLATE_NOOP("fields", "Learning rate")},
    {"optimizer.lr_batch", QT_TRANSLATE_NOOP("fields", "Tuned for batch")},
    {"optimizer.lr_rule", QT_TRANSLATE_NOOP("fields", "Rule for another batch")},
    {"optimizer.momentum", QT_TRANSLATE_NOOP("fields", "Momentum")},
    {"optimizer.nesterov", QT_TRANSLATE_NOOP("fields", "Nesterov momentum")},
    {"optimizer.weight_decay", QT_TRANSLATE_NOOP("fields", "Weight decay")},
    {"optimizer.beta1", QT_TRANSLATE_NOOP("fields", "Beta 1")},
    {"optimizer.beta2", QT_TRANSLATE_NOOP("fields", "Beta 2")},
    {"optimizer.eps", QT_TRANSLATE_NOOP("fields", "Epsilon")},
    {"schedule.kind", QT_TRANSLATE_NOOP("fields", "Schedule")},
    {"schedule.warmup", QT_TRANSLATE_NOOP("fields", "Warm-up")},
    {"schedule.step_every", QT_TRANSLATE_NOOP("fields", "Decay every")},
    {"schedule.step_factor", QT_TRANSLATE_NOOP("fields", "Decay factor")},
    {"schedule.final_lr_fraction", QT_TRANSLATE_NOOP("fields", "Final learning rate, fraction")},
    {"train.length", QT_TRANSLATE_NOOP("fields", "Length of a run")},
    {"train.clip_norm", QT_TRANSLATE_NOOP("fields", "Clip gradient norm at")},
    {"numerics.precision", QT_TRANSLATE_NOOP("fields", "Precision")},
    {"numerics.accumulator", QT_TRANSLATE_NOOP("fields", "Accumulator")},
    {"numerics.loss_scale", QT_TRANSLATE_NOOP("fields", "Loss scale")},
    {"numerics.batch_norm", QT_TRANSLATE_NOOP("fields", "BatchNorm statistics")},
    {"numerics.ghost", QT_TRANSLATE_NOOP("fields", "BatchNorm group")},
    {"numerics.channels_last", QT_TRANSLATE_NOOP("fields", "Channels last")},
    {"numerics.winograd", QT_TRANSLATE_NOOP("fields", "Winograd convolutions")},
    {"numerics.deterministic", QT_TRANSLATE_NOOP("fields", "Deterministic")},
    {"numerics.nonfinite", QT_TRANSLATE_NOOP("fields", "On a non-finite loss")},
    {"device.kind", QT_TRANSLATE_NOOP("fields", "Device")},
    {"device.lanes", QT_TRANSLATE_NOOP("fields", "Lanes")},
    {"device.threads", QT_TRANSLATE_NOOP("fields", "Threads per lane")},
    {"device.memory_limit", QT_TRANSLATE_NOOP("fields", "Memory limit")},
    {"device.on_oom", QT_TRANSLATE_NOOP("fields", "When memory runs out")},
    {"device.capture", QT_TRANSLATE_NOOP("fields", "CUDA graphs")},
    {"parallel.mode", QT_TRANSLATE_NOOP("fields", "Ranks share")},
    {"parallel.order", QT_TRANSLATE_NOOP("fields", "Order of sums")},
    {"evaluate.every", QT_TRANSLATE_NOOP("fields", "Evaluate every")},
    {"checkpoint.every", QT_TRANSLATE_NOOP("fields", "Checkpoint every")},
    {"checkpoint.keep", QT_TRANSLATE_NOOP("fields", "Checkpoints kept")},
    {"checkpoint.best", QT_TRANSLATE_NOOP("fields", "Keep the best weights")},
    {"checkpoint.initial", QT_TRANSLATE_NOOP("fields", "Keep the initial weights")},
    {"probe.parameter", QT_TRANSLATE_NOOP("fields", "Parameter probe")},
    {"study.name", QT_TRANSLATE_NOOP("fields", "Name")},
    {"study.seeds", QT_TRANSLATE_NOOP("fields", "Seeds")},
    {"study.large_batch", QT_TRANSLATE_NOOP("fields", "Also run the large batch")},
    {"study.ghost", QT_TRANSLATE_NOOP("fields", "Ghost control")},
    {"study.margin", QT_TRANSLATE_NOOP("fields", "Equivalence margin")},
    {"study.metric", QT_TRANSLATE_NOOP("fields", "Compared metric")},
};

constexpr Word choices[] = {
    {"default", QT_TRANSLATE_NOOP("choices", "as PyTorch")},
    {"normal", QT_TRANSLATE_NOOP("choices", "normal")},
    {"refuse", QT_TRANSLATE_NOOP("choices", "refuse")},
    {"weight", QT_TRANSLATE_NOOP("choices", "shorter last micro-batch")},
    {"apply", QT_TRANSLATE_NOOP("choices", "apply, weighted")},
    {"drop", QT_TRANSLATE_NOOP("choices", "drop")},
    {"carry", QT_TRANSLATE_NOOP("choices", "carry over")},
    {"leak", QT_TRANSLATE_NOOP("choices", "leak (a mistake, to study)")},
    {"samples", QT_TRANSLATE_NOOP("choices", "samples")},
    {"tokens", QT_TRANSLATE_NOOP("choices", "tokens")},
    {"mean-of-means", QT_TRANSLATE_NOOP("choices", "mean of means (a mistake, to study)")},
    {"sum-of-means", QT_TRANSLATE_NOOP("choices", "sum of means (a mistake, to study)")},
    {"nominal-steps", QT_TRANSLATE_NOOP("choices", "means over the nominal K (a mistake, to study)")},
    {"sgd", QT_TRANSLATE_NOOP("choices", "SGD")},
    {"adam", QT_TRANSLATE_NOOP("choices", "Adam")},
    {"adamw", QT_TRANSLATE_NOOP("choices", "AdamW")},
    {"constant", QT_TRANSLATE_NOOP("choices", "constant")},
    {"linear", QT_TRANSLATE_NOOP("choices", "linear")},
    {"keep", QT_TRANSLATE_NOOP("choices", "keep")},
    {"square-root", QT_TRANSLATE_NOOP("choices", "square root")},
    {"cosine", QT_TRANSLATE_NOOP("choices", "cosine")},
    {"step", QT_TRANSLATE_NOOP("choices", "in stages")},
    {"fp64", QT_TRANSLATE_NOOP("choices", "fp64, double")},
    {"fp32", QT_TRANSLATE_NOOP("choices", "fp32, single")},
    {"stop", QT_TRANSLATE_NOOP("choices", "stop the run")},
    {"skip-update", QT_TRANSLATE_NOOP("choices", "skip the update")},
    {"auto", QT_TRANSLATE_NOOP("choices", "automatic")},
    {"cpu", QT_TRANSLATE_NOOP("choices", "CPU")},
    {"none", QT_TRANSLATE_NOOP("choices", "none")},
    {"crop-flip", QT_TRANSLATE_NOOP("choices", "crop and flip")},
    {"imagenet", QT_TRANSLATE_NOOP("choices", "7 \u00d7 7, for large images")},
    {"cifar", QT_TRANSLATE_NOOP("choices", "3 \u00d7 3, for small images")},
    {"batch", QT_TRANSLATE_NOOP("choices", "BatchNorm")},
    {"group", QT_TRANSLATE_NOOP("choices", "GroupNorm")},
    {"bf16", QT_TRANSLATE_NOOP("choices", "bf16, 16 bits")},
    {"fp16", QT_TRANSLATE_NOOP("choices", "fp16, 16 bits")},
    {"micro", QT_TRANSLATE_NOOP("choices", "at each micro-step")},
    {"pooled", QT_TRANSLATE_NOOP("choices", "once per update, pooled")},
    {"frozen", QT_TRANSLATE_NOOP("choices", "frozen")},
    {"on", QT_TRANSLATE_NOOP("choices", "on")},
    {"off", QT_TRANSLATE_NOOP("choices", "off")},
    {"skip-micro", QT_TRANSLATE_NOOP("choices", "leave the micro-batch out")},
    {"cuda", QT_TRANSLATE_NOOP("choices", "GPU")},
    {"resplit", QT_TRANSLATE_NOOP("choices", "compute in smaller parts")},
    {"ddp", QT_TRANSLATE_NOOP("choices", "nothing (DDP)")},
    {"zero1", QT_TRANSLATE_NOOP("choices", "optimizer state (ZeRO-1)")},
    {"zero2", QT_TRANSLATE_NOOP("choices", "state and gradient (ZeRO-2)")},
    {"ranks", QT_TRANSLATE_NOOP("choices", "rank by rank")},
    {"micro-steps", QT_TRANSLATE_NOOP("choices", "micro-step by micro-step")},
    {"cross-entropy", QT_TRANSLATE_NOOP("choices", "cross entropy")},
    {"mse", QT_TRANSLATE_NOOP("choices", "squared error (MSE)")},
    {"l1", QT_TRANSLATE_NOOP("choices", "absolute error (L1)")},
    {"huber", QT_TRANSLATE_NOOP("choices", "Huber")},
    {"bce-with-logits", QT_TRANSLATE_NOOP("choices", "binary cross entropy of logits")},
    {"model", QT_TRANSLATE_NOOP("choices", "the network's own")},
    {"test_accuracy", QT_TRANSLATE_NOOP("choices", "final test accuracy")},
    {"best_test_accuracy", QT_TRANSLATE_NOOP("choices", "best test accuracy")},
    {"test_loss", QT_TRANSLATE_NOOP("choices", "final test loss")},
    {"train_loss", QT_TRANSLATE_NOOP("choices", "final training loss")},
    {"test_top5", QT_TRANSLATE_NOOP("choices", "final top-5 test accuracy")},
    {"test_perplexity", QT_TRANSLATE_NOOP("choices", "final test perplexity")},
    {"test_mae", QT_TRANSLATE_NOOP("choices", "final mean absolute error")},
    {"test_rmse", QT_TRANSLATE_NOOP("choices", "final root mean squared error")},
    {"test_r2", QT_TRANSLATE_NOOP("choices", "final R²")},
    {"validation_accuracy", QT_TRANSLATE_NOOP("choices", "final validation accuracy")},
    {"best_validation_accuracy", QT_TRANSLATE_NOOP("choices", "best validation accuracy")},
    {"validation_loss", QT_TRANSLATE_NOOP("choices", "final validation loss")},
    {"validation_mae", QT_TRANSLATE_NOOP("choices", "final mean absolute validation error")},
    {"validation_rmse", QT_TRANSLATE_NOOP("choices", "final root mean squared validation error")},
};
// clang-format on

/// "clip_norm" -> "Clip norm"
QString readable(const std::string& name) {
    QString text = QString::fromStdString(name).replace(QLatin1Char('_'), QLatin1Char(' '));
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

/// "yes" for true, the title of a choice; what a person typed stays as it is.
QString valueTitle(const ConfigField& field, const QString& value) {
    if (field.type == FieldType::Boolean)
        return value == QLatin1String("true") ? QCoreApplication::translate("fields", "yes")
                                              : QCoreApplication::translate("fields", "no");
    const std::string choice = QString(value).remove(QLatin1Char('"')).toStdString();
    return std::ranges::find(field.choices, choice) == field.choices.end() ? value : choiceTitle(choice);
}

} // namespace

QString fieldTitle(const ConfigField& field) {
    const QString title = translated("fields", titles, field.key);
    return title.isEmpty() ? readable(field.key.substr(field.key.find('.') + 1)) : title;
}

QString choiceTitle(const std::string& choice) {
    if (choice.starts_with("cuda:"))
        return QCoreApplication::translate("choices", "GPU %1").arg(QString::fromStdString(choice.substr(5)));
    if (const ModelRow* model = findModel(choice))
        return QCoreApplication::translate("choices", model->title.data());
    if (const DatasetRow* data = findDataset(choice))
        return QCoreApplication::translate("choices", data->title.data());
    const QString title = translated("choices", choices, choice);
    return title.isEmpty() ? QString::fromStdString(choice) : title;
}

QString settingTitles(const QString& text) {
    // Not in the name of a file, and not in what is typed after --set.
    static const QRegularExpression setting(QStringLiteral(
        "(?<![\\w./-])([A-Za-z][a-z]*\\.[a-z0-9_]+)(?![\\w/=-]|\\.\\w)( = (true\\b|false\\b|\"[^\"]*\"))?"));
    QString titled;
    qsizetype at = 0;
    for (auto found = setting.globalMatch(text); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        const ConfigField* field = findField(match.captured(1).toLower().toStdString()); // it may begin the sentence
        if (!field)
            continue;
        titled += text.mid(at, match.capturedStart() - at);
        titled += QStringLiteral("“%1”").arg(fieldTitle(*field));
        if (match.hasCaptured(3))
            titled += QStringLiteral(" = ") + valueTitle(*field, match.captured(3));
        at = match.capturedEnd();
    }
    return titled + text.mid(at);
}

} // namespace accumulus::ui
