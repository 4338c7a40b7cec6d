// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_parts.h"

#include "core/analysis/number_text.h"
#include "core/base/clock.h"
#include "core/base/run_colours.h"
#include "core/config/batch_words.h"
#include "core/report/report_words.h"
#include "core/report/small_figures.h"
#include "core/report/svg_canvas.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <string_view>

namespace accumulus {

std::string dateText(double unixSeconds) {
    if (!(unixSeconds > 0.0))
        return {};
    const std::string iso = isoTime(unixSeconds); // 2026-11-21T09:05:00Z
    return iso.substr(0, 10) + " " + iso.substr(11, 5) + " UTC";
}

std::string subtitleText(double createdAt, const ComparedRun* run) {
    std::string text = dateText(createdAt);
    if (run == nullptr)
        return text;
    for (const auto& [key, value] : run->environment)
        if (key == "program" && !value.empty())
            text += (text.empty() ? "" : " · ") + value;
    return text;
}

std::string splitText(const ComparedRun& run) { return splitText(run.batch, fineSigns()); }

std::optional<ReportFigure> batchFigure(const ComparedRun& run, const std::string& caption) {
    const std::vector<std::int64_t>& sizes = run.batch.microSizes;
    if (sizes.empty())
        return std::nullopt;
    const bool large = run.arm == Arm::LargeBatch;
    return ReportFigure{
        batchBarSvg(sizes, sizes.size(), 480.0, 28.0, large ? colours::largeBatch : colours::accumulated), caption,
        caption};
}

std::string runColour(const ComparedRun& run, const char* otherwise) {
    return run.color.empty() ? std::string(otherwise) : drawnColour(run.color);
}

Series scaled(const Series& series, double factor) {
    Series result = series;
    for (double& y : result.y)
        y *= factor;
    return result;
}

Series noiseCurve(const RunNoise& noise) {
    Series curve;
    NoiseScaleAverage average(noiseScaleBeta);
    for (const NoiseTerms& terms : noise.terms) {
        curve.x.push_back(static_cast<double>(terms.samples));
        curve.y.push_back(average.add(terms.s, terms.g2).value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    return curve;
}

bool allPositive(const std::vector<double>& y) {
    return std::all_of(y.begin(), y.end(), [](double value) { return !std::isfinite(value) || value > 0.0; });
}

std::string curvesInWords(const FigureSpec& figure) {
    std::string words;
    for (const FigureCurve& curve : figure.curves) {
        if (curve.label.empty() || curve.points.x.empty())
            continue;
        const std::string y = saidNumber(shortText(curve.points.y.back()));
        const std::string x = countText(std::llround(curve.points.x.back()));
        words += (words.empty() ? "" : "; ") + (figure.overMicroBatches
                                                    ? say("{}: last value {} at micro-batch {}", curve.label, y, x)
                                                    : say("{}: last value {} at {} samples", curve.label, y, x));
    }
    return words;
}

void addFigure(ReportDocument& document, FigureSpec figure, const std::string& caption) {
    const bool any = std::any_of(figure.curves.begin(), figure.curves.end(), [](const FigureCurve& curve) {
        return std::any_of(curve.points.y.begin(), curve.points.y.end(), [](double y) { return std::isfinite(y); });
    });
    if (!any)
        return;
    const std::string words = curvesInWords(figure);
    figure.description = figure.title + (words.empty() ? "" : ". " + words);
    document.blocks.emplace_back(ReportFigure{figureSvg(figure), caption, figure.description});
}

void addEnvironment(ReportDocument& document, const std::vector<const ComparedRun*>& runs) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<std::string>> values;
    for (const ComparedRun* run : runs)
        for (const auto& [key, value] : run->environment) {
            if (!values.contains(key))
                order.push_back(key);
            auto& known = values[key];
            const std::string shown = key == "driver" && value == "none" ? say("none") : value;
            if (std::find(known.begin(), known.end(), shown) == known.end())
                known.push_back(shown);
        }
    if (order.empty())
        return;
    ReportTable table{"", {say("Part"), say("Value")}, {}, {}};
    for (const std::string& key : order)
        table.rows.push_back({say(key), fmt::format("{}", fmt::join(values[key], " / "))});
    document.blocks.emplace_back(ReportHeading{say("Environment")});
    document.blocks.emplace_back(std::move(table));
}

std::string bytesText(double bytes) {
    if (!(bytes > 0.0))
        return say("not measured");
    return bytes < 1e9 ? fmt::format("{:.1f} MB", bytes / 1e6) : fmt::format("{:.2f} GB", bytes / 1e9);
}

std::string capitalised(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

std::string metricAxis(CompareMetric metric) {
    std::string title = saidOf(curveCode(metric));
    if (const std::string ofTests = say("test "); title.starts_with(ofTests))
        title.erase(0, ofTests.size());
    return capitalised(title) + (metricRow(metric).isShare ? " (%)" : "");
}

std::string lossAxis(const std::string& unit) {
    return unit == "tokens"  ? say("Loss per token")
           : unit == "units" ? say("Loss per loss unit")
                             : say("Loss per sample");
}

ReportTable listTable(std::string caption, std::vector<std::string> header,
                      const std::vector<std::pair<std::string, std::string>>& entries) {
    ReportTable table{std::move(caption), std::move(header), {}, {}};
    for (const auto& [key, value] : entries)
        table.rows.push_back({key, value});
    return table;
}

std::string smoothingCaption(const CurveSmoothing& smoothing) {
    if (smoothing.half > 0)
        return say(
            "Each run's loss per window, smoothed over all windows by a centred mean of {} windows; the difference "
            "below is unsmoothed.",
            countText(static_cast<std::int64_t>(2 * smoothing.half + 1)));
    if (smoothing.beta > 0.0)
        return say(
            "Each run's loss per window, smoothed over all windows by a debiased exponential average with factor "
            "{}; the difference below is unsmoothed.",
            smoothing.beta);
    return say("Loss per window, unsmoothed.");
}

} // namespace accumulus
