// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/run_report.h"

#include "core/analysis/noise_scale.h"
#include "core/analysis/number_text.h"
#include "core/report/audit_section.h"
#include "core/report/plan_section.h"
#include "core/report/report_parts.h"
#include "core/report/svg_canvas.h"

#include <cmath>
#include <fmt/format.h>

namespace accumulus {
namespace {

constexpr double smoothing = 0.95;

std::string summaryText(const ComparedRun& run) {
    std::string text =
        fmt::format("The {} arm with seed {}: {} over {}.", run.arm == Arm::Accumulated ? "accumulated" : "large-batch",
                    run.seed, countedText(run.updates, "update"), countedText(run.samples, "training sample"));
    const CompareMetric metric = mainMetric(run.config);
    const auto shown = [&](double value) {
        const MetricUnit unit = metricUnit(metric);
        return (metricRow(metric).isShare ? numberText(value * unit.factor, 2) : shortText(value)) + unit.value;
    };
    if (const auto end = metricValue(run, metric)) {
        text += fmt::format(" {} {} at the end", capitalised(curveTitle(metric)), shown(*end));
        const auto best = metricValue(run, CompareMetric::BestTestAccuracy);
        text += best && metric == CompareMetric::TestAccuracy ? fmt::format(", {} at best.", shown(*best)) : ".";
    }
    if (!run.complete)
        text += " The run is not complete.";
    return text;
}

/// Colour and dash of the run's arm, as everywhere in the program.
FigureCurve armCurve(const ComparedRun& run, std::string label, Series points) {
    const bool large = run.arm == Arm::LargeBatch;
    return {std::move(label), large ? colours::largeBatch : colours::accumulated, large, 1.0, 1.5, std::move(points)};
}

FigureSpec overSamples(std::string title, std::string yTitle) {
    FigureSpec figure;
    figure.title = std::move(title);
    figure.xTitle = "Training samples seen";
    figure.yTitle = std::move(yTitle);
    return figure;
}

void addCurves(ReportDocument& document, const RunReportInput& input) {
    const ComparedRun& run = input.run;
    FigureSpec loss = overSamples("Training loss", "Loss per sample");
    loss.logY = allPositive(run.trainLoss.y);
    loss.yTitle += loss.logY ? " (log scale)" : "";
    FigureCurve raw = armCurve(run, "each window, unsmoothed", run.trainLoss);
    raw.opacity = 0.3;
    raw.width = 1.0;
    raw.dashed = false;
    FigureCurve smooth = armCurve(run, fmt::format("smoothed {}", smoothing),
                                  {run.trainLoss.x, debiasedEma(run.trainLoss.y, smoothing)});
    smooth.dashed = false;
    loss.curves = {raw, smooth};
    addFigure(
        document, loss,
        fmt::format(
            "Training loss of each window (faint, unsmoothed) and its debiased exponential average with factor {} "
            "over all windows.",
            smoothing));
    const CompareMetric metric = mainMetric(run.config);
    if (metric != CompareMetric::TestLoss) {
        FigureSpec figure = overSamples(capitalised(curveTitle(metric)), metricAxis(metric));
        figure.curves = {armCurve(run, "", scaled(metricCurve(run, metric), metricUnit(metric).factor))};
        addFigure(document, figure,
                  metric == CompareMetric::TestAccuracy
                      ? std::string("Accuracy on the test set at each evaluation.")
                      : fmt::format("{} at each evaluation.", capitalised(curveTitle(metric))));
    }
    FigureSpec testLoss = overSamples("Test loss", "Loss per sample");
    testLoss.curves = {armCurve(run, "", metricCurve(run, CompareMetric::TestLoss))};
    addFigure(document, testLoss, "Mean loss per test sample at each evaluation.");
    FigureSpec norm = overSamples("Gradient norm", "L2 norm");
    norm.logY = allPositive(input.gradNorm.y);
    norm.yTitle += norm.logY ? " (log scale)" : "";
    norm.curves = {armCurve(run, "", input.gradNorm)};
    norm.curves.front().width = 1.0;
    norm.curves.front().dashed = false;
    addFigure(document, norm, "L2 norm of each window's gradient before clipping, unsmoothed.");
    FigureSpec rate = overSamples("Learning rate", "Learning rate");
    rate.curves = {armCurve(run, "", input.learningRate)};
    rate.curves.front().dashed = false;
    addFigure(document, rate, "Learning rate of each update.");
    FigureSpec noise = overSamples("Gradient noise scale", fmt::format("B_simple in {} (log scale)", run.noise.unit));
    noise.logY = true;
    noise.curves = {armCurve(run, "", noiseCurve(run.noise))};
    noise.curves.front().dashed = false;
    addFigure(
        document, noise,
        fmt::format("Estimate of the gradient noise scale B_simple = tr Sigma / |G|^2 (McCandlish et al. 2018), an "
                    "order of magnitude: ratio of the exponential averages with factor {} of both terms. Gaps: "
                    "the gradient's mean cannot be told from its noise.",
                    noiseScaleBeta));
}

/// "1.25 s (40.0 %)" of the windows' time.
std::string shareText(double seconds, double whole) {
    std::string text = numberText(seconds, seconds < 10.0 ? 2 : 1) + " s";
    if (whole > 0.0)
        text += fmt::format(" ({:.1f} %)", 100.0 * seconds / whole);
    return text;
}

/// Where the time of each rank went and what it sent.
void addRanks(ReportDocument& document, const RunReportInput& input) {
    const RankTotals& totals = input.rankTotals;
    if (!input.rankCost)
        return;
    ReportTable table;
    table.header = {"Rank", "Data", "Forward", "Backward", "Adding", "Waiting", "Reducing", "Sent per update"};
    table.numeric.assign(table.header.size(), true);
    for (const RankTimes& rank : totals.ranks) {
        std::vector<std::string> row{std::to_string(rank.rank)};
        for (const double seconds : {rank.dataSeconds, rank.forwardSeconds, rank.backwardSeconds, rank.commitSeconds,
                                     rank.waitingSeconds, rank.reducingSeconds})
            row.push_back(shareText(seconds, totals.seconds));
        row.push_back(trafficText(static_cast<double>(rank.sentBytes) / static_cast<double>(totals.updates)));
        table.rows.push_back(std::move(row));
    }
    table.caption = fmt::format("Seconds and share of the {} s that {} windows took. Data, forward and backward are "
                                "summed over {} of each rank.",
                                numberText(totals.seconds, 1), countText(totals.windows),
                                pluralText(static_cast<std::size_t>(input.lanes), "lane"));
    if (const auto& expected = input.rankCost->expected) {
        std::vector<std::string> row(table.header.size());
        row.front() = expected->formula;
        row.back() = trafficText(expected->bytes);
        table.rows.push_back(std::move(row));
        table.caption +=
            " The last row is what each of R ranks sends on average: f = (R - 1) / R, P elements of S bytes "
            "in the parameter arena, K micro-steps per update and rank, A bytes of an element of the sum.";
    }
    document.blocks.emplace_back(ReportHeading{"Ranks"});
    document.blocks.emplace_back(ReportParagraph{rankCostText(*input.rankCost) + "."});
    document.blocks.emplace_back(std::move(table));
}

ReportTable listTable(std::string caption, std::vector<std::string> header,
                      const std::vector<std::pair<std::string, std::string>>& entries) {
    ReportTable table{std::move(caption), std::move(header), {}, {}};
    for (const auto& [key, value] : entries)
        table.rows.push_back({key, value});
    return table;
}

} // namespace

ReportDocument makeRunReport(const RunReportInput& input) {
    const ComparedRun& run = input.run;
    ReportDocument document;
    document.title = "Run " + (run.name.empty() ? run.id : run.name);
    document.subtitle = subtitleText(input.createdAt, &run);
    document.blocks.emplace_back(ReportParagraph{summaryText(run)});
    if (auto bar = batchFigure(run, fmt::format("One update: micro-batch × accumulation steps = {}.", splitText(run))))
        document.blocks.emplace_back(std::move(*bar));
    if (!input.facts.empty()) {
        document.blocks.emplace_back(ReportHeading{"Results"});
        document.blocks.emplace_back(listTable("", {"Fact", "Value"}, input.facts));
    }
    document.blocks.emplace_back(ReportHeading{"Curves"});
    const std::size_t before = document.blocks.size();
    addCurves(document, input);
    if (document.blocks.size() == before)
        document.blocks.emplace_back(ReportParagraph{"The run has no measurements yet."});
    addRanks(document, input);
    addAudits(document, input.audits);
    addPlan(document, input.plan);
    if (!input.settings.empty()) {
        document.blocks.emplace_back(ReportHeading{"Settings"});
        document.blocks.emplace_back(listTable("", {"Setting", "Value"}, input.settings));
    }
    if (!run.environment.empty()) {
        document.blocks.emplace_back(ReportHeading{"Environment"});
        document.blocks.emplace_back(listTable("", {"Part", "Value"}, run.environment));
    }
    if (!input.command.empty()) {
        document.blocks.emplace_back(ReportHeading{"Reproduce"});
        document.blocks.emplace_back(ReportCode{input.command});
    }
    return document;
}

} // namespace accumulus
