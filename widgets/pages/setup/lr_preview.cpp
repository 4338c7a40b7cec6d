// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/lr_preview.h"

#include "widgets/style/format.h"

#include <QVBoxLayout>

namespace accumulus::ui {

LrPreview::LrPreview(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_plot(new PlotView(theme, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_plot);
    m_plot->setObjectName(QStringLiteral("setup.lr.preview"));
    m_plot->setAccessibleName(tr("Learning-rate preview"));
    m_plot->setFixedHeight(fontMetrics().height() * 10);
    m_plot->setLegendVisible(false);
    m_plot->setEmptyText(tr("The learning rate over the run appears once batch and data are known."));
    m_plot->setAxisTitles(tr("updates"), tr("learning rate"));
}

void LrPreview::showPlan(const ExperimentConfig& experiment, const SetupPlan& plan, std::int64_t trainSamples) {
    auto points = previewLr(experiment, plan, trainSamples);
    if (points == m_points)
        return;
    m_points = std::move(points);
    std::vector<PlotCurve> curves;
    if (!m_points.empty()) {
        PlotCurve curve;
        curve.id = QStringLiteral("lr");
        curve.label = tr("learning rate");
        curve.color = m_theme.colors().accent;
        for (const auto& [update, lr] : m_points) {
            curve.series.x.push_back(update);
            curve.series.y.push_back(lr);
        }
        curves.push_back(std::move(curve));
    }
    m_plot->setAxisTitles(plan.epoch ? tr("updates (%1 samples in all)").arg(format::count(plan.samples))
                                     : tr("updates"),
                          tr("learning rate"));
    m_plot->setCurves(std::move(curves));
    m_plot->fit();
}

} // namespace accumulus::ui
