// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/run_row.h"

#include "core/base/clock.h"
#include "core/config/batch_plan.h"
#include "core/config/metric_rows.h"
#include "widgets/models/audit_text.h"
#include "widgets/models/comparison_text.h"
#include "widgets/models/run_configurations.h"
#include "widgets/style/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace accumulus::ui {
namespace {

constexpr double unmeasured = std::numeric_limits<double>::quiet_NaN();

double orUnmeasured(std::optional<double> value) { return value.value_or(unmeasured); }
double positiveOrUnmeasured(double value) { return value > 0 ? value : unmeasured; }

/// As the table shows it.
void addShown(RunRow& row, const RunConfiguration& configuration) {
    const auto shown = [&](RunColumn column, const QString& value) { row.shown[indexOf(column)] = value.toLower(); };
    shown(RunColumn::Status, format::stateTitle(row.record));
    shown(RunColumn::Arm, format::armTitle(row.record.arm));
    if (row.verdict)
        shown(RunColumn::Verdict, comparison_text::verdictTitle(*row.verdict));
    if (const auto audit = auditVerdictFromName(row.texts[indexOf(RunColumn::Audit)].toStdString()))
        shown(RunColumn::Audit, audit_text::badge(*audit, row.setupAudited));
    row.shown[indexOf(RunColumn::Model)] = configuration.shownModel;
    row.shown[indexOf(RunColumn::Data)] = configuration.shownData;
}

void addHaystack(RunRow& row) {
    row.haystack.reserve(300);
    for (const auto* values : {&row.texts, &row.shown})
        for (std::size_t column = 0; column < runColumnCount; ++column)
            if (static_cast<RunColumn>(column) != RunColumn::Note) // the notes themselves follow
                row.haystack.append((*values)[column]).append(QLatin1Char('\n'));
    row.haystack += row.id + QLatin1Char('\n') + row.study.toLower() + QLatin1Char('\n') +
                    format::fromUtf8(row.record.notes).toLower() + QLatin1Char('\n') +
                    format::runError(row.record).toLower();
}

/// The columns of which isMeasured() is true.
void takeMeasured(RunRow& row, const RunRecord& record) {
    const RunSummary& summary = record.summary;
    const auto number = [&](RunColumn column, double value) { row.numbers[indexOf(column)] = value; };
    number(RunColumn::FinalMetric, orUnmeasured(metricOf(summary, mainMetric(record.config))));
    number(RunColumn::BestAccuracy, orUnmeasured(summary.bestTestAccuracy));
    number(RunColumn::SamplesPerSecond, positiveOrUnmeasured(summary.samplesPerSecond));
    number(RunColumn::ActiveTime, positiveOrUnmeasured(summary.activeSeconds));
    number(RunColumn::Loss, orUnmeasured(summary.testLoss));
    number(RunColumn::LowestLoss, orUnmeasured(record.lowestLoss));
    number(RunColumn::PeakMemory, positiveOrUnmeasured(static_cast<double>(summary.peakBytes)));
    number(RunColumn::EvaluationPeak, positiveOrUnmeasured(static_cast<double>(summary.evaluationPeakBytes)));
    number(RunColumn::Validation, orUnmeasured(summary.validationAccuracy));
    number(RunColumn::BestValidation, orUnmeasured(summary.bestValidationAccuracy));
    number(RunColumn::ValidationLoss, orUnmeasured(summary.validationLoss));
}

} // namespace

bool isNumeric(RunColumn column) {
    switch (column) {
    case RunColumn::Status:
    case RunColumn::Name:
    case RunColumn::Arm:
    case RunColumn::Model:
    case RunColumn::Data:
    case RunColumn::Optimizer:
    case RunColumn::Precision:
    case RunColumn::Tags:
    case RunColumn::Audit:
    case RunColumn::Note:
    case RunColumn::Verdict:
        return false;
    default:
        return true;
    }
}

bool isShare(RunColumn column) {
    return column == RunColumn::BestAccuracy || column == RunColumn::Validation || column == RunColumn::BestValidation;
}

bool isMeasured(RunColumn column) {
    switch (column) {
    case RunColumn::FinalMetric:
    case RunColumn::BestAccuracy:
    case RunColumn::Loss:
    case RunColumn::LowestLoss:
    case RunColumn::SamplesPerSecond:
    case RunColumn::ActiveTime:
    case RunColumn::PeakMemory:
    case RunColumn::EvaluationPeak:
    case RunColumn::Validation:
    case RunColumn::BestValidation:
    case RunColumn::ValidationLoss:
        return true;
    default:
        return false;
    }
}

RunRow makeRunRow(RunRecord record, const RunContext& context) {
    RunConfigurations known;
    const RunConfiguration& configuration = known.of(record);
    return makeRunRow(std::move(record), context, configuration);
}

RunRow makeRunRow(RunRecord record, const RunContext& context, const RunConfiguration& configuration) {
    RunRow row;
    row.id = QString::fromStdString(record.id);
    row.study = context.study;
    row.setupAudited = context.ofSetup;
    row.verdict = context.verdict;
    row.configuration = configuration.key;
    const auto text = [&](RunColumn column, const QString& value) { row.texts[indexOf(column)] = value.toLower(); };
    const auto number = [&](RunColumn column, double value) { row.numbers[indexOf(column)] = value; };
    const auto integer = [&](RunColumn column, std::int64_t value) { number(column, static_cast<double>(value)); };
    const RunConfig& config = record.config;
    const RunSummary& summary = record.summary;

    for (const std::string& tag : record.tags)
        row.tags << QString::fromStdString(tag).toLower();
    text(RunColumn::Status, QString::fromStdString(runStateName(record.state)));
    text(RunColumn::Name, format::fromUtf8(record.name));
    text(RunColumn::Arm, QString::fromStdString(armName(record.arm)));
    row.texts[indexOf(RunColumn::Model)] = configuration.model;
    row.texts[indexOf(RunColumn::Data)] = configuration.data;
    row.texts[indexOf(RunColumn::Optimizer)] = configuration.optimizer;
    row.texts[indexOf(RunColumn::Precision)] = configuration.precision;
    text(RunColumn::Tags, row.tags.join(QLatin1Char(' ')));
    text(RunColumn::Audit, QString::fromStdString(context.audit));
    if (row.verdict)
        text(RunColumn::Verdict, QString::fromStdString(verdictName(*row.verdict)));
    takeMeasured(row, record);
    integer(RunColumn::Micro, record.batch.micro);
    integer(RunColumn::Steps, record.batch.steps);
    integer(RunColumn::Batch, record.batch.effective);
    integer(RunColumn::Seed, record.seed);
    integer(RunColumn::Samples, summary.samples);
    integer(RunColumn::Updates, summary.updates);
    number(RunColumn::Lr, config.optimizer.lr);
    number(RunColumn::Date, positiveOrUnmeasured(record.createdAt));
    number(RunColumn::CheckpointSize, positiveOrUnmeasured(static_cast<double>(record.checkpointBytes)));
    number(RunColumn::DaysLeft,
           record.trashed ? std::max(0.0, trashDays - (unixTime() - record.trashedAt) / 86'400.0) : unmeasured);
    text(RunColumn::Note, record.notes.empty() ? QString() : QStringLiteral("note"));

    row.record = std::move(record);
    addShown(row, configuration);
    addHaystack(row);
    return row;
}

bool showSame(const RunRow& a, const RunRow& b) {
    const auto sameNumber = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
    for (std::size_t column = 0; column < runColumnCount; ++column)
        if (static_cast<RunColumn>(column) != RunColumn::DaysLeft && // days go by
            !sameNumber(a.numbers[column], b.numbers[column]))
            return false;
    return a.id == b.id && a.texts == b.texts && a.haystack == b.haystack && a.record.name == b.record.name &&
           a.record.tags == b.record.tags && a.record.trashed == b.record.trashed && a.record.color == b.record.color &&
           a.record.isProtected == b.record.isProtected && a.configuration == b.configuration && a.study == b.study &&
           a.setupAudited == b.setupAudited;
}

} // namespace accumulus::ui
