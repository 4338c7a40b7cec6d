// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/run_report.h"

#include "core/analysis/noise_scale.h"
#include "core/analysis/number_text.h"
#include "core/report/audit_section.h"
#include "core/report/plan_section.h"
#include "core/report/report_parts.h"
#include "core/report/report_words.h"
#include "core/report/settings_section.h"
#include "core/report/svg_canvas.h"

#include <cmath>
#include <fmt/format.h>

namespace accumulus {
namespace {

constexpr double smoothing = 0.95;

/// Of one split; empty where the run has no such metric.
std::string endText(const ComparedRun& run, CompareMetric metric, CompareMetric best) {
    const auto end = metricValue(run, metric);
    if (!end)
        return {};
    const auto shown = [&](double value) {
        const MetricUnit unit = metricUnit(metric);
        return saidNumber(metricRow(metric).isShare ? numberText(value * unit.factor, 2) : shortText(value)) +
               (std::isfinite(value) ? unit.value : std::string());
    };
    const auto atBest = metricRow(best).bestOf == metric ? metricValue(run, best) : std::nullopt;
    return say(" {} {} at the end", capitalised(saidOf(curveCode(metric))), shown(*end)) +
           (atBest ? say(", {} at best.", shown(*atBest)) : ".");
}

std::string summaryText(const ComparedRun& run) {
    std::string text = say("The {} arm with seed {}: {} over {}.",
                           run.arm == Arm::Accumulated ? say("accumulated") : say("large-batch"), run.seed,
                           counted(run.updates, "{} update", "{} updates"),
                           counted(run.samples, "{} training sample", "{} training samples"));
    const CompareMetric main = mainMetric(run.config);
    text += endText(run, main, CompareMetric::BestTestAccuracy);
    if (const auto validation = onValidation(main))
        text += endText(run, *validation, CompareMetric::BestValidationAccuracy);
    if (!run.complete)
        text += say(" The run is not complete.");
    return text;
}

/// Colour of the run, else of its arm, and the arm's dash, as everywhere in the program.
FigureCurve armCurve(const ComparedRun& run, std::string label, Series points) {
    const bool large = run.arm == Arm::LargeBatch;
    return {std::move(label), runColour(run, large ? colours::largeBatch : colours::accumulated), large, 1.0, 1.5,
            std::move(points)};
}

FigureSpec overSamples(std::string title, std::string yTitle) {
    FigureSpec figure;
    figure.title = std::move(title);
    figure.xTitle = say("Training samples seen");
    figure.yTitle = std::move(yTitle);
    return figure;
}

/// Evaluations count every target on its own, whatever training is normalised by.
std::string evaluationUnit(RunConfig config) {
    config.loss.normalise = Normalise::Tokens;
    return lossUnit(config);
}

std::string testLossCaption(const std::string& unit) {
    return unit == "tokens"  ? say("Mean loss per test token at each evaluation.")
           : unit == "units" ? say("Mean loss per loss unit of the test set at each evaluation.")
                             : say("Mean loss per test sample at each evaluation.");
}

/// Of the evaluations: what its loss is judged by and the loss, on the test set and on the validation samples.
void addEvaluations(ReportDocument& document, const ComparedRun& run) {
    const auto add = [&](CompareMetric metric, std::string title, std::string axis, std::string caption) {
        FigureSpec figure = overSamples(std::move(title), std::move(axis));
        figure.curves = {armCurve(run, "", scaled(metricCurve(run, metric), metricUnit(metric).factor))};
        addFigure(document, figure, std::move(caption));
    };
    const auto atEach = [&](CompareMetric metric) {
        const std::string title = capitalised(saidOf(curveCode(metric)));
        add(metric, title, metricAxis(metric),
            metric == CompareMetric::TestAccuracy ? say("Accuracy on the test set at each evaluation.")
                                                  : say("{} at each evaluation.", title));
    };
    const CompareMetric main = mainMetric(run.config);
    if (main != CompareMetric::TestLoss)
        atEach(main);
    const std::string unit = evaluationUnit(run.config);
    add(CompareMetric::TestLoss, say("Test loss"), lossAxis(unit), testLossCaption(unit));
    if (const auto validation = onValidation(main); validation && main != CompareMetric::TestLoss)
        atEach(*validation);
    atEach(CompareMetric::ValidationLoss);
}

void addCurves(ReportDocument& document, const RunReportInput& input) {
    const ComparedRun& run = input.run;
    FigureSpec loss = overSamples(say("Training loss"), lossAxis(lossUnit(run.config)));
    loss.logY = allPositive(run.trainLoss.y);
    loss.yTitle += loss.logY ? say(" (log scale)") : std::string();
    FigureCurve raw = armCurve(run, say("each window, unsmoothed"), run.trainLoss);
    raw.opacity = 0.3;
    raw.width = 1.0;
    raw.dashed = false;
    FigureCurve smooth =
        armCurve(run, say("smoothed {}", smoothing), {run.trainLoss.x, debiasedEma(run.trainLoss.y, smoothing)});
    smooth.dashed = false;
    loss.curves = {raw, smooth};
    addFigure(
        document, loss,
        say("Training loss of each window (faint, unsmoothed) and its debiased exponential average with factor {} "
            "over all windows.",
            smoothing));
    addEvaluations(document, run);
    FigureSpec norm = overSamples(say("Gradient norm"), say("L2 norm"));
    norm.logY = allPositive(input.gradNorm.y);
    norm.yTitle += norm.logY ? say(" (log scale)") : std::string();
    norm.curves = {armCurve(run, "", input.gradNorm)};
    norm.curves.front().width = 1.0;
    norm.curves.front().dashed = false;
    addFigure(document, norm, say("L2 norm of each window's gradient before clipping, unsmoothed."));
    FigureSpec rate = overSamples(say("Learning rate"), say("Learning rate"));
    rate.curves = {armCurve(run, "", input.learningRate)};
    rate.curves.front().dashed = false;
    addFigure(document, rate, say("Learning rate of each update."));
    FigureSpec noise = overSamples(say("Gradient noise scale"), say("B_simple in {} (log scale)", say(run.noise.unit)));
    noise.logY = true;
    noise.curves = {armCurve(run, "", noiseCurve(run.noise))};
    noise.curves.front().dashed = false;
    addFigure(document, noise,
              say("Estimate of the gradient noise scale B_simple = tr Sigma / |G|^2 (McCandlish et al. 2018), an "
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
    table.header = {say("Rank"),   say("Data"),    say("Forward"),  say("Backward"),
                    say("Adding"), say("Waiting"), say("Reducing"), say("Sent per update")};
    table.numeric.assign(table.header.size(), true);
    for (const RankTimes& rank : totals.ranks) {
        std::vector<std::string> row{std::to_string(rank.rank)};
        for (const double seconds : {rank.dataSeconds, rank.forwardSeconds, rank.backwardSeconds, rank.commitSeconds,
                                     rank.waitingSeconds, rank.reducingSeconds})
            row.push_back(shareText(seconds, totals.seconds));
        row.push_back(trafficText(static_cast<double>(rank.sentBytes) / static_cast<double>(totals.updates)));
        table.rows.push_back(std::move(row));
    }
    table.caption =
        say("Seconds and share of the {} s that {} windows took. Data, forward and backward are "
            "summed over {} of each rank.",
            numberText(totals.seconds, 1), countText(totals.windows), counted(input.lanes, "{} lane", "{} lanes"));
    if (const auto& expected = input.rankCost->expected) {
        std::vector<std::string> row(table.header.size());
        row.front() = expected->formula;
        row.back() = trafficText(expected->bytes);
        table.rows.push_back(std::move(row));
        table.caption +=
            say(" The last row is what each of R ranks sends on average: f = (R - 1) / R, P elements of S bytes "
                "in the parameter arena, K micro-steps per update and rank, A bytes of an element of the sum.");
    }
    document.blocks.emplace_back(ReportHeading{say("Ranks")});
    document.blocks.emplace_back(ReportParagraph{say("{}.", said(rankCostMessage(*input.rankCost)))});
    document.blocks.emplace_back(std::move(table));
}

} // namespace

ReportDocument makeRunReport(const RunReportInput& input) {
    const ComparedRun& run = input.run;
    ReportDocument document;
    document.title = say("Run {}", run.name.empty() ? run.id : run.name);
    document.language = reportTag();
    document.pageWords = say("Page %1 of %2");
    document.subtitle = subtitleText(input.createdAt, &run);
    document.blocks.emplace_back(ReportParagraph{summaryText(run)});
    if (auto bar = batchFigure(run, say("One update: micro-batch × accumulation steps = {}.", splitText(run))))
        document.blocks.emplace_back(std::move(*bar));
    if (!input.facts.empty()) {
        document.blocks.emplace_back(ReportHeading{say("Results")});
        document.blocks.emplace_back(listTable("", {say("Fact"), say("Value")}, input.facts));
    }
    if (!input.notes.empty()) {
        document.blocks.emplace_back(ReportHeading{say("Notes")});
        document.blocks.emplace_back(ReportCode{input.notes}); // as it was written, line by line
    }
    document.blocks.emplace_back(ReportHeading{say("Curves")});
    const std::size_t before = document.blocks.size();
    addCurves(document, input);
    if (document.blocks.size() == before)
        document.blocks.emplace_back(ReportParagraph{say("The run has no measurements yet.")});
    addRanks(document, input);
    addAudits(document, input.audits);
    addPlan(document, input.plan);
    if (!input.command.empty()) {
        document.blocks.emplace_back(ReportHeading{say("Reproduce")});
        document.blocks.emplace_back(ReportCode{input.command});
    }
    if (!input.settings.empty()) {
        document.blocks.emplace_back(ReportHeading{say("Settings")});
        document.blocks.emplace_back(settingsTable(input.settings));
    }
    addEnvironment(document, {&run});
    return document;
}

} // namespace accumulus
