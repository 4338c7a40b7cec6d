// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of LivePanels: which runs a panel shows, their looks and their points.
#include "widgets/pages/live/live_panels.h"

#include "widgets/style/format.h"
#include "widgets/style/run_color.h"

#include <utility>

namespace accumulus::ui {

namespace {

/// Its gaps are windows that gave no value; what became not finite in a window shows in its loss and gradient.
bool isMeasuredInPart(LiveMetric metric) {
    return metric == LiveMetric::SamplesPerSecond || metric == LiveMetric::NoiseScale || metric == LiveMetric::Memory;
}

/// Without the evaluations that did not measure it, as everywhere; NaN was measured.
Series measured(const std::vector<double>& x, const std::vector<std::optional<double>>& values) {
    Series series;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i]) {
            series.x.push_back(x[i]);
            series.y.push_back(*values[i]);
        }
    return series;
}

} // namespace

PlotCurve LivePanels::lookOf(const RunCurves& curves) const {
    const RunCurves* current = m_curves.current();
    PlotCurve look;
    look.run = QString::fromStdString(curves.run.id);
    look.id = look.run;
    look.label = tr("%1, seed %2").arg(format::armTitle(curves.run.arm)).arg(curves.run.seed);
    look.dashed = curves.run.arm == Arm::LargeBatch;
    const ThemeColors& colors = m_theme.colors();
    look.color = runColor(colors, curves.run.color, look.dashed ? colors.largeBatch : colors.accumulated);
    if (m_chosen.isEmpty()) {
        look.thin = current != nullptr && curves.run.seed != current->run.seed;
    } else if (m_chosen.contains(look.run)) {
        look.label = tr("%1 (chosen)").arg(look.label);
    } else {
        look.thin = true;
    }
    return look;
}

std::vector<const RunCurves*> LivePanels::shownIn(LiveMetric metric) const {
    std::vector<const RunCurves*> shown;
    for (const RunCurves& curves : m_curves.runs()) {
        if (curves.window.empty() && &curves != m_curves.current())
            continue;
        if (metric == LiveMetric::NoiseScale && !curves.window.empty() && !curves.hasNoise())
            continue; // one micro-batch a window: nothing to estimate from
        shown.push_back(&curves);
    }
    return shown;
}

std::vector<PlotCurve> LivePanels::looksIn(LiveMetric metric) const {
    std::vector<PlotCurve> looks;
    for (const RunCurves* curves : shownIn(metric)) {
        looks.push_back(lookOf(*curves));
        looks.back().gapsAreNoFault = isMeasuredInPart(metric);
    }
    return looks;
}

void LivePanels::rebuildPanel(const MetricPanel& panel) {
    std::vector<std::pair<SharedColumn, SharedColumn>> columns; // as they are now, for another thread
    std::size_t points = 0;
    for (const RunCurves* curves : shownIn(panel.metric)) {
        columns.emplace_back(curves->at.of(m_axis), curves->of(panel.metric));
        points += curves->window.size();
    }
    panel.view->buildCurves(points, [looks = looksIn(panel.metric), columns = std::move(columns)] {
        std::vector<PlotCurve> built = looks;
        for (std::size_t i = 0; i < built.size(); ++i)
            built[i].series = {columns[i].first.values(), columns[i].second.values()};
        return built;
    });
}

void LivePanels::rebuild() {
    for (const MetricPanel& panel : m_panels)
        rebuildPanel(panel);
    retitle(); // another study may have another metric
    rebuildEvaluations();
    showDetails();
}

void LivePanels::restyle() {
    for (const MetricPanel& panel : m_panels)
        if (!panel.view->setLooks(looksIn(panel.metric)))
            rebuildPanel(panel);
    rebuildEvaluations(); // few points
    showDetails();
}

void LivePanels::rebuildEvaluations() {
    std::vector<PlotCurve> judged, losses;
    const auto add = [&](const RunCurves& curves, const EvaluatedCurve& of, bool validation) {
        if (of.empty())
            return;
        PlotCurve look = lookOf(curves);
        look.points = true;
        if (validation) {
            look.id += QStringLiteral("/validation");
            look.label = tr("%1, validation").arg(look.label);
            look.triangles = true;
        }
        look.series = {of.at.of(m_axis).values(), of.loss};
        losses.push_back(look);
        look.series = measured(of.at.of(m_axis).values(), of.metric);
        judged.push_back(std::move(look));
    };
    for (const RunCurves& curves : m_curves.runs()) {
        add(curves, curves.test, false);
        add(curves, curves.validation, true);
    }
    m_accuracy->setCurves(std::move(judged));
    m_evaluationLoss->setCurves(std::move(losses));
    retitleEvaluations();
}

void LivePanels::appendWindows(const RunCurves& curves, std::size_t from) {
    const QString id = QString::fromStdString(curves.run.id);
    const std::span<const double> x(curves.at.of(m_axis).values());
    for (const auto& [view, metric] : m_panels)
        view->append(id, x.subspan(from), std::span(curves.of(metric).values()).subspan(from));
    detailsChanged();
}

} // namespace accumulus::ui
