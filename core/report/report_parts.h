// SPDX-License-Identifier: GPL-3.0-or-later
// What the report of a run and that of a comparison have in common. Internal to report.
#pragma once

#include "core/analysis/series.h"
#include "core/report/figure.h"
#include "core/report/report_document.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace accumulus {

/// "2026-11-21 09:05 UTC"; empty for 0.
[[nodiscard]] std::string dateText(double unixSeconds);
/// Date and program, as they are known.
[[nodiscard]] std::string subtitleText(double createdAt, const ComparedRun* run);
/// "32 × 8", with devices "32 × 8 × 2"; the arm's name when the batch cannot be resolved.
[[nodiscard]] std::string splitText(const ComparedRun& run);
/// The batch bar of a run, filled; nothing when the batch cannot be resolved.
[[nodiscard]] std::optional<ReportFigure> batchFigure(const ComparedRun& run, const std::string& caption);
/// The run's own colour as a figure draws it, else `otherwise`.
[[nodiscard]] std::string runColour(const ComparedRun& run, const char* otherwise);
/// y times `factor`.
[[nodiscard]] Series scaled(const Series& series, double factor);
[[nodiscard]] bool allPositive(const std::vector<double>& y);
/// "accumulated: last value 98.45 at 180 000 samples" for each named curve, for the text alternative.
[[nodiscard]] std::string curvesInWords(const FigureSpec& figure);
/// Draws the figure and appends it, unless it holds no value at all.
void addFigure(ReportDocument& document, FigureSpec figure, const std::string& caption);
/// The running average of the noise scale over samples; NaN where it has no value.
[[nodiscard]] Series noiseCurve(const RunNoise& noise);
/// With a capital first letter, where that is one of ASCII.
[[nodiscard]] std::string capitalised(std::string text);
/// Title of a metric's axis: "Accuracy (%)".
[[nodiscard]] std::string metricAxis(CompareMetric metric);
/// "Loss per sample", or of what else lossUnit() says.
[[nodiscard]] std::string lossAxis(const std::string& unit);
/// What the runs were made with and on, each part with all its values.
void addEnvironment(ReportDocument& document, const std::vector<const ComparedRun*>& runs);
/// Two columns.
[[nodiscard]] ReportTable listTable(std::string caption, std::vector<std::string> header,
                                    const std::vector<std::pair<std::string, std::string>>& entries);
/// "94.2 MB".
[[nodiscard]] std::string bytesText(double bytes);

/// How the curves of the training loss of a comparison were smoothed, as a sentence.
[[nodiscard]] std::string smoothingCaption(const CurveSmoothing& smoothing);

} // namespace accumulus
