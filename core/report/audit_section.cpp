// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/audit_section.h"

#include "core/report/report_parts.h"
#include "core/report/report_words.h"

#include <cmath>
#include <fmt/format.h>

namespace accumulus {
namespace {

std::string errorOrDash(std::optional<double> error) {
    return error && std::isfinite(*error) ? fmt::format("{:.1e}", *error) : std::string("-");
}

std::string lineOf(const GradientAudit& audit) {
    const std::string seed = say("seed {}, {} weights", audit.seed, say(audit.checkpoint));
    return say("{} ({}, {}). {}.", dateText(audit.createdAt), said(audit.subject), seed, said(audit.headline));
}

Series weightCurve(const std::vector<double>& weights) {
    Series series;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        series.x.push_back(static_cast<double>(k + 1));
        series.y.push_back(weights[k]);
    }
    return series;
}

void addWeights(ReportDocument& document, const GradientAudit& audit) {
    if (audit.judgedWindow >= audit.windows.size())
        return;
    const AuditedWindow& window = audit.windows[audit.judgedWindow];
    FigureSpec figure;
    figure.title = say("Weights of the micro-batches");
    figure.xTitle = say("Micro-batch of the window");
    figure.overMicroBatches = true;
    figure.yTitle = say("Weight in the gradient");
    figure.zeroLine = 0.0;
    figure.curves = {{.label = say("right: n_k / N"),
                      .colour = "#D55E00",
                      .dashed = true,
                      .points = weightCurve(window.rightWeights)},
                     {.label = say("found"), .points = weightCurve(window.weights)}};
    addFigure(document, figure,
              say("The weight with which each micro-batch's gradient stands in the accumulated one, fitted over all "
                  "tensors, beside the right weight."));
}

ReportTable tensorTable(const GradientAudit& audit) {
    ReportTable table;
    table.caption =
        say("Relative L2 error of each tensor against the large batch, its distances to the fp64 reference, and "
            "the noise floor: the large batch against itself with its samples permuted.");
    table.header = {say("Tensor"),        say("Norm"),        say("Error"),     say("To fp64"),
                    say("Large to fp64"), say("Noise floor"), say("Tolerance"), say("Result")};
    table.numeric = {false, true, true, true, true, true, true, false};
    for (const AuditedTensor& tensor : audit.tensors)
        table.rows.push_back({tensor.name, fmt::format("{:.2e}", tensor.referenceNorm), errorOrDash(tensor.error),
                              errorOrDash(tensor.errorFp64), errorOrDash(tensor.referenceErrorFp64),
                              errorOrDash(tensor.noiseFloor), errorOrDash(tensor.tolerance),
                              tensor.passed ? say("passed") : say("FAILED")});
    return table;
}

} // namespace

void addAudits(ReportDocument& document, const std::vector<GradientAudit>& audits) {
    if (audits.empty())
        return;
    const GradientAudit& newest = audits.front();
    document.blocks.emplace_back(ReportHeading{say("Gradient audit")});
    document.blocks.emplace_back(ReportParagraph{lineOf(newest)});
    if (!newest.notes.empty())
        document.blocks.emplace_back(ReportList{said(newest.notes)});
    addWeights(document, newest);
    document.blocks.emplace_back(tensorTable(newest));
    if (audits.size() == 1)
        return;
    ReportList older;
    for (std::size_t i = 1; i < audits.size(); ++i)
        older.items.push_back(lineOf(audits[i]));
    document.blocks.emplace_back(ReportParagraph{say("Earlier audits:")});
    document.blocks.emplace_back(std::move(older));
}

} // namespace accumulus
