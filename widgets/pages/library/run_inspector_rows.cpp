// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/run_inspector_rows.h"

#include "core/config/config_fields.h"
#include "core/config/metric_rows.h"
#include "widgets/models/comparison_text.h"
#include "widgets/models/field_values.h"
#include "widgets/models/field_words.h"
#include "widgets/style/format.h"

#include <QCoreApplication>
#include <utility>

namespace accumulus::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::RunInspector)
};

QString text(const std::string& value) { return value.empty() ? QStringLiteral("–") : format::fromUtf8(value); }

InspectorRows environmentRows(const RunRecord& run) {
    const Environment& environment = run.environment;
    InspectorRows rows = {
        {Words::tr("Environment"), {}},
        {Words::tr("Program"), text(environment.program)},
        {Words::tr("LibTorch"), text(environment.libtorch)},
        {Words::tr("Device"), text(environment.device)},
        {Words::tr("GPU driver"), environment.driver == "none" ? Words::tr("none") : text(environment.driver)},
        {Words::tr("Hardware"), text(environment.hardware)},
        {Words::tr("System"), text(environment.system)},
        {Words::tr("Ranks"), format::count(run.batch.devices)},
        {run.batch.devices > 1 ? Words::tr("Lanes per rank") : Words::tr("Lanes"), QString::number(run.lanes)},
        {Words::tr("Threads per lane"), QString::number(run.threads)},
        {Words::tr("Training samples"), format::count(run.trainSamples)},
        {Words::tr("Data checksum"), text(environment.data)},
        {Words::tr("Configuration hash"), text(run.configHash)},
        {Words::tr("Pair hash"), text(run.pairHash)}};
    if (!run.modelFileHash.empty())
        rows.emplace_back(Words::tr("Hash of the model's file"), text(run.modelFileHash));
    if (!run.initialWeightsHash.empty())
        rows.emplace_back(Words::tr("Hash of the initial weights' file"), text(run.initialWeightsHash));
    return rows;
}

InspectorRows measuredRows(const RunRecord& run) {
    InspectorRows measured;
    for (const MetricRow& metric : metricRows)
        if (metric.metric != CompareMetric::TrainLoss && hasMetric(run.config, metric.metric))
            if (const auto value = metricOf(run.summary, metric.metric);
                value || metric.metric == mainMetric(run.config))
                measured.emplace_back(comparison_text::metricTitle(metric.metric),
                                      metric.isShare ? format::accuracy(value) : format::loss(value));
    return measured;
}

} // namespace

InspectorRows overviewRows(const RunRecord& run, const std::optional<Message>& noise) {
    const RunSummary& summary = run.summary;
    InspectorRows rows = {
        {Words::tr("Status"), format::stateTitle(run)},
        {Words::tr("Arm"), format::armTitle(run.arm)},
        {Words::tr("Seed"), QString::number(run.seed)},
        {Words::tr("Updates"),
         run.totalUpdates > 0
             ? Words::tr("%1 of %2").arg(format::count(summary.updates), format::count(run.totalUpdates))
             : format::count(summary.updates)},
        {Words::tr("Micro-steps"), format::count(summary.microSteps)},
        {Words::tr("Samples"), format::count(summary.samples)},
        {Words::tr("Training loss"), format::loss(summary.finalTrainLoss)},
        {Words::tr("Speed"),
         summary.samplesPerSecond > 0 ? format::rate(summary.samplesPerSecond) : QStringLiteral("–")},
        {Words::tr("Active time"), format::duration(summary.activeSeconds)},
    };
    // What its loss is measured by, after the samples.
    const InspectorRows measured = measuredRows(run);
    rows.insert(rows.begin() + 6, measured.begin(), measured.end());
    const bool ranks = run.batch.devices > 1; // of which the first one measures
    if (summary.peakBytes > 0)
        rows.emplace_back(ranks ? Words::tr("Peak memory, first rank") : Words::tr("Peak memory"),
                          format::bytes(summary.peakBytes));
    if (summary.evaluationPeakBytes > 0)
        rows.emplace_back(Words::tr("Peak memory, evaluations"), format::bytes(summary.evaluationPeakBytes));
    if (noise)
        rows.emplace_back(Words::tr("Noise scale"), format::message(*noise));
    rows.emplace_back(Words::tr("Created"), format::dateTime(run.createdAt));
    if (run.finishedAt > 0)
        rows.emplace_back(Words::tr("Finished"), format::dateTime(run.finishedAt));
    if (run.attempt > 1)
        rows.emplace_back(Words::tr("Attempt"), QString::number(run.attempt));
    if (!run.error.empty())
        rows.emplace_back(Words::tr("Error"), format::runError(run));
    rows.emplace_back(Words::tr("Weights hash"), text(summary.weightsHash));
    rows.emplace_back(Words::tr("Run id"), text(run.id));
    for (auto& row : environmentRows(run))
        rows.push_back(std::move(row));
    return rows;
}

InspectorRows settingRows(const RunRecord& run) {
    const ExperimentConfig shown{run.config, {}};
    InspectorRows rows;
    for (const ConfigField& field : configFields()) {
        if (field.key.starts_with("study.") || (field.applies && !field.applies(shown)))
            continue;
        rows.emplace_back(fieldTitle(field), fieldValueText(field, shown));
    }
    return rows;
}

} // namespace accumulus::ui
