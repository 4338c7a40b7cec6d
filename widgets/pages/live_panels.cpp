// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/live_panels.h"

#include "widgets/style/controls.h"
#include "widgets/style/format.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QSplitter>

namespace accumulus::ui {

namespace {

constexpr int kLeftShare = 3;
constexpr int kRightShare = 2;

QString axisTitle(LiveAxis axis) {
    switch (axis) {
    case LiveAxis::Updates:
        return LivePanels::tr("updates");
    case LiveAxis::Epochs:
        return LivePanels::tr("epochs");
    case LiveAxis::WallTime:
        return LivePanels::tr("wall time since the start of the run (s)");
    case LiveAxis::ActiveTime:
        return LivePanels::tr("active time (s)");
    case LiveAxis::Samples:
        break;
    }
    return LivePanels::tr("samples seen");
}

} // namespace

LivePanels::LivePanels(const Theme& theme, const LiveCurves& curves, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_curves(curves), m_columns(new QSplitter(Qt::Horizontal, this)),
      m_loss(new PlotView(theme)), m_accuracy(new PlotView(theme)), m_gradNorm(new PlotView(theme)),
      m_lr(new PlotView(theme)), m_speed(new PlotView(theme)), m_panels{{{m_loss, LiveMetric::Loss},
                                                                         {m_gradNorm, LiveMetric::GradNorm},
                                                                         {m_lr, LiveMetric::Lr},
                                                                         {m_speed, LiveMetric::SamplesPerSecond}}} {
    m_loss->setObjectName(QStringLiteral("liveLoss"));
    m_accuracy->setObjectName(QStringLiteral("liveAccuracy"));
    m_gradNorm->setObjectName(QStringLiteral("liveGradNorm"));
    m_lr->setObjectName(QStringLiteral("liveLr"));
    m_speed->setObjectName(QStringLiteral("liveSpeed"));
    m_columns->setObjectName(QStringLiteral("liveColumns"));
    m_columns->setChildrenCollapsible(false);
    const auto addColumn = [&](const std::vector<std::pair<PlotView*, int>>& views) {
        auto* card = new Card(theme);
        card->layout()->setContentsMargins(2, space::xs, 2, space::xs);
        card->content()->setSpacing(0);
        for (const auto& [view, share] : views)
            card->content()->addWidget(view, share);
        m_columns->addWidget(card);
    };
    addColumn({{m_loss, 3}, {m_accuracy, 2}});
    addColumn({{m_gradNorm, 1}, {m_lr, 1}, {m_speed, 1}});
    m_columns->setStretchFactor(0, kLeftShare);
    m_columns->setStretchFactor(1, kRightShare);
    m_columns->setSizes({kLeftShare * 240, kRightShare * 240});
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_columns);

    m_loss->linkWith({m_accuracy, m_gradNorm, m_lr, m_speed});
    for (PlotView* view : {m_loss, m_gradNorm, m_lr})
        view->setXAxisCompact(true);
    for (PlotView* view : {m_gradNorm, m_lr, m_speed, m_accuracy})
        view->setLegendVisible(false);
    connect(m_loss, &PlotView::followChanged, this, &LivePanels::followChanged);
    connect(m_loss, &PlotView::logXChanged, this, &LivePanels::logXChanged);
    connect(m_loss, &PlotView::logYChanged, this, &LivePanels::logYChanged);
    connect(&theme, &Theme::changed, this, &LivePanels::rebuild);
    retitle();
}

void LivePanels::retitle() {
    const QString x = axisTitle(m_axis);
    m_loss->setTitle(tr("Training loss"));
    m_loss->setAxisTitles(x, tr("loss"));
    m_loss->setEmptyText(tr("The first update draws the first point."));
    m_accuracy->setTitle(tr("Test accuracy"));
    m_accuracy->setAxisTitles(x, tr("accuracy (%)"));
    m_accuracy->setEmptyText(tr("No evaluation yet."));
    m_gradNorm->setTitle(tr("Gradient norm"));
    m_gradNorm->setAxisTitles(x, tr("L2 norm"));
    m_lr->setTitle(tr("Learning rate"));
    m_lr->setAxisTitles(x, tr("learning rate"));
    m_speed->setTitle(tr("Speed"));
    m_speed->setAxisTitles(x, tr("samples/s"));
    for (PlotView* view : {m_gradNorm, m_lr, m_speed})
        view->setEmptyText(tr("No update yet."));
}

void LivePanels::setAxis(LiveAxis axis) {
    if (axis == m_axis)
        return;
    m_axis = axis;
    retitle();
    m_loss->setFollow(true); // the old range means nothing on the new axis
    rebuild();
}

void LivePanels::setSmoothing(double beta) {
    for (PlotView* view : {m_loss, m_gradNorm, m_speed})
        view->setSmoothing(beta);
}

void LivePanels::setLogX(bool on) { m_loss->setLogX(on); }

void LivePanels::setLogY(bool on) {
    m_loss->setLogY(on);
    m_gradNorm->setLogY(on);
}

void LivePanels::setFollow(bool on) { m_loss->setFollow(on); }

PlotCurve LivePanels::lookOf(const RunCurves& curves) const {
    const RunCurves* current = m_curves.current();
    PlotCurve look;
    look.id = format::fromUtf8(curves.run.id);
    look.label = tr("%1, seed %2").arg(format::armTitle(curves.run.arm)).arg(curves.run.seed);
    look.dashed = curves.run.arm == Arm::LargeBatch;
    look.color = look.dashed ? m_theme.colors().largeBatch : m_theme.colors().accumulated;
    look.thin = current != nullptr && curves.run.seed != current->run.seed;
    return look;
}

void LivePanels::rebuild() {
    for (const auto& [view, metric] : m_panels) {
        std::vector<PlotCurve> looks;
        for (const RunCurves& curves : m_curves.runs()) {
            if (curves.window.empty() && &curves != m_curves.current())
                continue;
            PlotCurve& look = looks.emplace_back(lookOf(curves));
            look.series = {curves.at.of(m_axis), curves.of(metric)};
        }
        view->setCurves(std::move(looks));
    }
    rebuildAccuracy();
}

void LivePanels::rebuildAccuracy() {
    std::vector<PlotCurve> looks;
    for (const RunCurves& curves : m_curves.runs()) {
        if (curves.accuracy.empty())
            continue;
        PlotCurve& look = looks.emplace_back(lookOf(curves));
        look.points = true;
        look.series = {curves.evaluatedAt.of(m_axis), curves.accuracy};
    }
    m_accuracy->setCurves(std::move(looks));
}

void LivePanels::appendWindows(const RunCurves& curves, std::size_t from) {
    const QString id = format::fromUtf8(curves.run.id);
    const std::span<const double> x(curves.at.of(m_axis));
    for (const auto& [view, metric] : m_panels)
        view->append(id, x.subspan(from), std::span<const double>(curves.of(metric)).subspan(from));
}

void LivePanels::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retitle();
        rebuild();
    }
    QWidget::changeEvent(event);
}

} // namespace accumulus::ui
