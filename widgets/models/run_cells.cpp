// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_cells.h"

#include "core/config/batch_plan.h"
#include "core/config/metric_rows.h"
#include "widgets/models/audit_text.h"
#include "widgets/models/comparison_text.h"
#include "widgets/models/field_words.h"
#include "widgets/models/run_states.h"
#include "widgets/style/format.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace accumulus::ui::run_cells {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::RunListModel)
};

/// In the order of RunColumn.
constexpr std::array<const char*, runColumnCount> titles{
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Status"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Name"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Arm"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Model"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Data"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "m"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "K"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "B"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Optimizer"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Learning rate"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Precision"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Seed"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Samples"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Updates"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Final metric"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Best accuracy"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Samples/s"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Active time"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Date"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Tags"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Audit"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Final loss"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Lowest loss"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Peak memory"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Notes"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Checkpoints"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Days left"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Peak memory, evaluations"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Verdict"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Validation accuracy"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Best validation accuracy"),
    QT_TRANSLATE_NOOP("accumulus::ui::RunListModel", "Validation loss")};

const QString none = QStringLiteral("–");

/// m, K and B; under a ramp of the first and the last window.
QString rampedText(const RunRecord& run, RunColumn column, double first) {
    const BatchPlan& batch = run.batch;
    if (batch.ramp.empty())
        return format::count(std::llround(first));
    const auto of = [&](std::int64_t effective) {
        const std::int64_t micro = std::min(batch.micro, effective);
        return column == RunColumn::Batch   ? effective
               : column == RunColumn::Micro ? micro
                                            : (effective + micro * batch.devices - 1) / (micro * batch.devices);
    };
    const std::int64_t before = of(batch.effective);
    const std::int64_t after = of(batch.ramp.back().effective);
    return before == after ? format::count(before)
                           : QStringLiteral("%1 → %2").arg(format::count(before), format::count(after));
}

QString tagsText(const RunRecord& run) {
    QStringList tags;
    for (const std::string& tag : run.tags)
        tags << format::fromUtf8(tag);
    return tags.join(QStringLiteral(", "));
}

/// A measured value with its unit, without the name of the metric.
QString measuredText(const RunRow& row, RunColumn column, double value) {
    switch (column) {
    case RunColumn::FinalMetric:
        return comparison_text::value(mainMetric(row.record.config), value);
    case RunColumn::SamplesPerSecond:
        return format::count(std::llround(value));
    case RunColumn::ActiveTime:
        return format::duration(value);
    case RunColumn::PeakMemory:
    case RunColumn::EvaluationPeak:
        return format::bytes(std::llround(value));
    default:
        return isShare(column) ? format::accuracy(value) : format::loss(value);
    }
}

/// "97.21 ± 0.12 %": a unit that both have stands once.
QString withSpread(QString mean, const QString& spread) {
    const QChar join(0x00A0);
    if (const auto unit = spread.lastIndexOf(join); unit > 0 && mean.endsWith(spread.mid(unit)))
        mean.chop(spread.size() - unit);
    return mean + QStringLiteral(" ± ") + spread;
}

QString momentsText(const RunRow& row, RunColumn column, const Moments& moments) {
    if (moments.n == 0)
        return none;
    QString text = measuredText(row, column, moments.mean);
    if (moments.n > 1)
        text = withSpread(text, measuredText(row, column, moments.sd));
    const CompareMetric metric = mainMetric(row.record.config);
    if (column == RunColumn::FinalMetric && !metricRow(metric).isShare) { // which error it is
        const QString named = comparison_text::result(metric, moments.mean);
        text.prepend(named.left(named.indexOf(QChar(0x00A0)) + 1));
    }
    return QStringLiteral("%1 (%2)").arg(text, format::count(static_cast<qint64>(moments.n)));
}

/// "0–4" of seeds that follow each other, "3 seeds" of others.
QString seedsText(const std::vector<RunRow>& rows, const RunGroup& group) {
    std::vector<std::int64_t> seeds;
    for (const std::size_t run : group.runs)
        seeds.push_back(rows[run].record.seed);
    std::ranges::sort(seeds);
    const auto again = std::ranges::unique(seeds);
    seeds.erase(again.begin(), again.end());
    const auto count = static_cast<std::int64_t>(seeds.size());
    if (count == 1)
        return format::count(seeds.front());
    return seeds.back() - seeds.front() + 1 == count
               ? QStringLiteral("%1–%2").arg(format::count(seeds.front()), format::count(seeds.back()))
               : Words::tr("%n seed(s)", nullptr, static_cast<int>(count));
}

/// "32 | 256" of the runs' m or K, "32×8 | 256×1" of both; empty where there are many.
QString splitsText(const RunGroup& group, RunColumn column) {
    constexpr std::size_t most = 3;
    if (group.splits.size() > most)
        return {};
    QStringList parts;
    for (const auto& [micro, steps] : group.splits)
        parts << (column == RunColumn::Micro ? format::count(micro)
                  : column == RunColumn::Steps
                      ? format::count(steps)
                      : QStringLiteral("%1×%2").arg(format::count(micro), format::count(steps)));
    return parts.join(QStringLiteral(" | "));
}

QString auditToolTip(const RunRow& row) {
    if (row.texts[indexOf(RunColumn::Audit)].isEmpty())
        return {};
    return row.setupAudited
               ? Words::tr("The set-up was audited, at the initial weights of one seed: what it found is about the "
                           "settings that these runs share, not about what a run has learned.")
               : Words::tr("Weights of this run were audited: their accumulated gradient beside that of the large "
                           "batch.");
}

} // namespace

QString text(const RunRow& row, RunColumn column) {
    const RunRecord& run = row.record;
    const double number = row.numbers[indexOf(column)];
    const auto measured = [&](auto show) { return std::isnan(number) ? none : show(number); };
    if (isMeasured(column) && column != RunColumn::FinalMetric)
        return measured([&](double value) { return measuredText(row, column, value); });
    switch (column) {
    case RunColumn::Status:
        return format::stateTitle(run);
    case RunColumn::Name:
        return format::fromUtf8(run.name);
    case RunColumn::Arm:
        return format::armTitle(run.arm);
    case RunColumn::Model:
        return choiceTitle(run.config.model.name);
    case RunColumn::Data:
        return choiceTitle(run.config.data.dataset);
    case RunColumn::Optimizer:
    case RunColumn::Precision:
        return row.texts[indexOf(column)];
    case RunColumn::Lr:
        return format::number(number);
    case RunColumn::FinalMetric:
        return comparison_text::result(mainMetric(run.config), metricOf(run.summary, mainMetric(run.config)));
    case RunColumn::CheckpointSize:
        return measured([](double value) { return format::bytes(std::llround(value)); });
    case RunColumn::DaysLeft:
        return measured([](double value) { return format::count(std::llround(std::ceil(value))); });
    case RunColumn::Note:
        return run.notes.empty() ? QString() : QStringLiteral("✎");
    case RunColumn::Date:
        return measured([](double value) { return format::dateTime(value); });
    case RunColumn::Micro:
    case RunColumn::Steps:
    case RunColumn::Batch:
        return rampedText(run, column, number);
    case RunColumn::Audit: {
        const auto verdict = auditVerdictFromName(row.texts[indexOf(column)].toStdString());
        return verdict ? audit_text::badge(*verdict, row.setupAudited) : QString();
    }
    case RunColumn::Verdict:
        return row.verdict ? comparison_text::verdictTitle(*row.verdict) : QString();
    case RunColumn::Tags:
        return tagsText(run);
    default:
        return format::count(std::llround(number));
    }
}

QString text(const std::vector<RunRow>& rows, const RunGroup& group, RunColumn column) {
    const RunRow& first = rows[group.runs.front()];
    const std::size_t at = indexOf(column);
    const auto size = static_cast<qint64>(group.runs.size());
    if (isMeasured(column))
        return momentsText(first, column, group.measured[at]);
    switch (column) {
    case RunColumn::Name:
        return Words::tr("%1 · %n run(s)", nullptr, static_cast<int>(size)).arg(groupName(rows, group));
    case RunColumn::Status:
        if (!group.same[at])
            return Words::tr("%1 of %2 completed")
                .arg(format::count(static_cast<qint64>(group.completed)), format::count(size));
        break;
    case RunColumn::Seed:
        return seedsText(rows, group);
    case RunColumn::Date:
        return std::isnan(group.numbers[at]) ? none : format::dateTime(group.numbers[at]);
    case RunColumn::CheckpointSize:
        return std::isnan(group.numbers[at]) ? none : format::bytes(std::llround(group.numbers[at]));
    case RunColumn::Arm:
    case RunColumn::Micro:
    case RunColumn::Steps:
        if (const QString splits = splitsText(group, column);
            !group.same[at] && group.splits.size() > 1 && !splits.isEmpty())
            return splits;
        break;
    default:
        break;
    }
    return group.same[at]              ? text(first, column)
           : column == RunColumn::Note ? QStringLiteral("✎")
                                       : Words::tr("several");
}

QString toolTip(const RunRow& row, RunColumn column) {
    switch (column) {
    case RunColumn::Status:
        return format::runError(row.record);
    case RunColumn::Note:
        return format::linesFromUtf8(row.record.notes);
    case RunColumn::Name:
    case RunColumn::Verdict:
        return text(row, column);
    case RunColumn::Audit:
        return auditToolTip(row);
    default:
        return {};
    }
}

QString toolTip(const std::vector<RunRow>& rows, const RunGroup& group, RunColumn column) {
    if (column == RunColumn::Audit)
        return group.same[indexOf(column)] ? auditToolTip(rows[group.runs.front()]) : QString();
    if (column == RunColumn::Name || column == RunColumn::Verdict)
        return text(rows, group, column);
    if (column == RunColumn::Status && !group.same[indexOf(column)]) {
        std::vector<const RunRecord*> runs;
        for (const std::size_t run : group.runs)
            runs.push_back(&rows[run].record);
        return stateCounts(runs);
    }
    if (!isMeasured(column))
        return {};
    if (!group.oneConfiguration)
        return Words::tr("These runs have different configurations, so a mean over all of them would be meaningless.");
    return Words::tr("Mean ± standard deviation over %n completed run(s)", nullptr,
                     static_cast<int>(group.measured[indexOf(column)].n));
}

Qt::Alignment alignment(RunColumn column) {
    if (column == RunColumn::Note)
        return Qt::AlignCenter;
    return (isNumeric(column) && column != RunColumn::Date ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter;
}

QString titleToolTip(RunColumn column) {
    switch (column) {
    case RunColumn::Micro:
        return Words::tr("Micro-batch m: samples of one forward and backward pass");
    case RunColumn::Steps:
        return Words::tr("Accumulation steps K: micro-batches behind one update");
    case RunColumn::Batch:
        return Words::tr("Effective batch B: samples per update");
    case RunColumn::FinalMetric:
        return Words::tr("What the loss is judged by, at the last evaluation: accuracy, RMSE, MAE or the loss itself");
    case RunColumn::Audit:
        return Words::tr("Is its gradient that of the large batch? The newest audit of the run or of its set-up");
    case RunColumn::Verdict:
        return Words::tr(
            "Do both arms of the run's study end with equivalent results? The verdict over its seeds, as on Compare");
    case RunColumn::ActiveTime:
        return Words::tr("Time spent training: no set-up, evaluation, checkpoint or pause");
    case RunColumn::Loss:
        return Words::tr("Loss at the last evaluation");
    case RunColumn::LowestLoss:
        return Words::tr("Lowest loss of all evaluations: on the validation samples where there are some, else on the "
                         "test samples");
    case RunColumn::Validation:
        return Words::tr("Accuracy on the validation samples at the last evaluation");
    case RunColumn::BestValidation:
        return Words::tr("Highest accuracy of all evaluations on the validation samples");
    case RunColumn::ValidationLoss:
        return Words::tr("Loss on the validation samples at the last evaluation");
    case RunColumn::PeakMemory:
        return Words::tr("Most tensor memory in use while it trained, without evaluations");
    case RunColumn::EvaluationPeak:
        return Words::tr("Most tensor memory in use during an evaluation");
    case RunColumn::CheckpointSize:
        return Words::tr("Size of all checkpoint files of the run");
    case RunColumn::DaysLeft:
        return Words::tr("Days until the run is deleted for good");
    default:
        return {};
    }
}

QString title(RunColumn column) { return Words::tr(titles[indexOf(column)]); }

} // namespace accumulus::ui::run_cells
