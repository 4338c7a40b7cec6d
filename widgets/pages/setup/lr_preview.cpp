// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/setup/lr_preview.h"

#include "widgets/style/controls.h"

#include <QComboBox>
#include <QSettings>

namespace accumulus::ui {

namespace {

const QString axisKey = QStringLiteral("setup/lrAxis");

} // namespace

LrPreview::LrPreview(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_plot(new PlotView(theme, this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::xs);
    column->addLayout(makeChoice());
    column->addWidget(m_plot);
    m_plot->setObjectName(QStringLiteral("setup.lr.preview"));
    m_plot->setAccessibleName(tr("Learning-rate preview"));
    m_plot->setFixedHeight(fontMetrics().height() * 10);
    m_plot->setLegendVisible(false);
    m_plot->setEmptyText(tr("The learning rate over the run appears once batch and data are known."));
    draw();
}

QLayout* LrPreview::makeChoice() {
    m_axis = new QComboBox(this);
    m_axis->setObjectName(QStringLiteral("setup.lr.axis"));
    m_axis->setAccessibleName(tr("Axis of the learning-rate preview"));
    m_axis->addItem(tr("over updates"), Updates);
    m_axis->addItem(tr("over samples"), Samples);
    m_axis->setCurrentIndex(m_axis->findData(QSettings().value(axisKey).toInt() == Samples ? Samples : Updates));
    m_wheel.guard(m_axis);
    auto* caption = new RoleLabel(m_theme, TextRole::Caption, tr("Learning rate"), this);
    caption->setWordWrap(false);
    caption->setBuddy(m_axis);
    auto* row = new QHBoxLayout;
    row->setSpacing(space::s);
    row->addWidget(caption);
    row->addWidget(m_axis);
    row->addStretch();
    connect(m_axis, &QComboBox::activated, this, [this] {
        QSettings().setValue(axisKey, m_axis->currentData());
        draw();
    });
    return row;
}

void LrPreview::showPlan(const ExperimentConfig& experiment, const SetupPlan& plan, std::int64_t trainSamples) {
    auto points = previewLr(experiment, plan, trainSamples);
    if (points == m_points)
        return;
    m_points = std::move(points);
    draw();
}

void LrPreview::draw() {
    const bool bySamples = m_axis->currentData().toInt() == Samples;
    std::vector<PlotCurve> curves;
    if (!m_points.empty()) {
        PlotCurve& curve = curves.emplace_back();
        curve.id = QStringLiteral("lr");
        curve.label = tr("learning rate");
        curve.color = m_theme.colors().accent;
        for (const LrPoint& point : m_points) {
            curve.series.x.push_back(static_cast<double>(bySamples ? point.samples : point.update));
            curve.series.y.push_back(point.lr);
        }
    }
    m_plot->setAxisTitles(bySamples ? tr("samples") : tr("updates"), tr("learning rate"));
    m_plot->setCurves(std::move(curves));
    m_plot->fit();
}

} // namespace accumulus::ui
