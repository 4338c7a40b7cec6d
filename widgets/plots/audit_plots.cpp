// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/audit_plots.h"

#include <QCoreApplication>

namespace accumulus::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::AuditPlots)
};

PlotView* makePlot(const Theme& theme, QWidget* parent, const char* objectName, const QString& title) {
    auto* plot = new PlotView(theme, parent);
    plot->setObjectName(QLatin1String(objectName));
    plot->setAccessibleName(title);
    plot->setTitle(title);
    plot->setLogY(true);
    plot->setLegendAlignment(Qt::AlignVCenter | Qt::AlignRight); // errors lie at the top or at the bottom
    return plot;
}

PlotCurve curve(const char* id, const QString& label, const QColor& color, bool points, bool dashed = false) {
    PlotCurve made;
    made.id = QLatin1String(id);
    made.label = label;
    made.color = color;
    made.points = points;
    made.dashed = dashed;
    return made;
}

void add(PlotCurve& to, double x, double y) {
    to.series.x.push_back(x);
    to.series.y.push_back(y);
}

void show(PlotView& plot, std::vector<PlotCurve> curves) {
    std::erase_if(curves, [](const PlotCurve& one) { return one.series.x.empty(); });
    plot.setCurves(std::move(curves));
    plot.fit();
}

} // namespace

PlotView* tensorErrorPlot(const Theme& theme, QWidget* parent) {
    PlotView* plot = makePlot(theme, parent, "auditTensorPlot", Words::tr("Relative error by tensor"));
    plot->setAxisTitles(Words::tr("tensor, in the model's order"), Words::tr("relative error"));
    plot->setEmptyText(Words::tr("There is no error to show."));
    return plot;
}

PlotView* splitErrorPlot(const Theme& theme, QWidget* parent) {
    PlotView* plot = makePlot(theme, parent, "auditSplitPlot", Words::tr("Error against K"));
    plot->setAxisTitles(Words::tr("accumulation steps K, same samples"), Words::tr("relative error, worst tensor"));
    plot->setEmptyText(Words::tr("Not measured for other numbers of micro-batches."));
    plot->setLogX(true);
    return plot;
}

PlotView* updateDistancePlot(const Theme& theme, QWidget* parent) {
    PlotView* plot = makePlot(theme, parent, "auditUpdatePlot", Words::tr("Distance of the weights"));
    plot->setAxisTitles(Words::tr("updates"), Words::tr("relative distance of the weights"));
    plot->setEmptyText(Words::tr("No updates were made."));
    return plot;
}

void showTensorErrors(PlotView& plot, const GradientAudit& audit, const ThemeColors& colors) {
    auto errors = curve("error", Words::tr("accumulated to large batch"), colors.accumulated, true);
    auto noise = curve("noise", Words::tr("noise floor"), colors.control, true, true);
    auto tolerance = curve("tolerance", Words::tr("tolerance"), colors.largeBatch, false, true);
    for (std::size_t i = 0; i < audit.tensors.size(); ++i) {
        const AuditedTensor& tensor = audit.tensors[i];
        const auto x = static_cast<double>(i + 1);
        add(errors, x, tensor.error);
        if (tensor.noiseFloor)
            add(noise, x, *tensor.noiseFloor);
        add(tolerance, x, tensor.tolerance);
    }
    show(plot, {std::move(errors), std::move(noise), std::move(tolerance)});
}

void showSplitErrors(PlotView& plot, const GradientAudit& audit, const ThemeColors& colors) {
    auto errors = curve("error", Words::tr("worst tensor"), colors.accumulated, true);
    auto tolerance = curve("tolerance", Words::tr("tolerance"), colors.largeBatch, false, true);
    for (const AuditedSplit& split : audit.splits) {
        add(errors, static_cast<double>(split.steps), split.error);
        add(tolerance, static_cast<double>(split.steps), audit.tolerance);
    }
    show(plot, {std::move(errors), std::move(tolerance)});
}

void showUpdateDistances(PlotView& plot, const GradientAudit& audit, const ThemeColors& colors) {
    auto distance = curve("distance", Words::tr("accumulated to large batch"), colors.accumulated, true);
    auto control = curve("control", Words::tr("large batch to itself, samples permuted"), colors.control, true, true);
    for (const AuditedUpdate& update : audit.updates) {
        add(distance, static_cast<double>(update.update), update.distance);
        add(control, static_cast<double>(update.update), update.control);
    }
    show(plot, {std::move(distance), std::move(control)});
}

} // namespace accumulus::ui
