// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/live/live_panels.h"

#include "core/analysis/noise_words.h"
#include "core/config/batch_plan.h"
#include "widgets/models/comparison_text.h"
#include "widgets/pages/live/probe_panel.h"
#include "widgets/plots/time_split.h"
#include "widgets/style/fitting_scroll.h"
#include "widgets/style/format.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <algorithm>
#include <cmath>

namespace accumulus::ui {

namespace {

constexpr int kLeftShare = 3;
constexpr int kRightShare = 2;
constexpr int kDetailsInterval = 250; ///< ms
constexpr int kNoiseWindows = 200;    ///< that the words about the noise scale rest on
constexpr auto kGroupKey = "live/group";

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

QVBoxLayout* columnIn(QWidget* page) {
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    return column;
}

} // namespace

LivePanels::LivePanels(const Theme& theme, const LiveCurves& curves, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_curves(curves), m_loss(new PlotView(theme)), m_accuracy(new PlotView(theme)),
      m_gradNorm(new PlotView(theme)), m_lr(new PlotView(theme)), m_noise(new PlotView(theme)),
      m_noiseWords(new RoleLabel(theme, TextRole::Caption)), m_speed(new PlotView(theme)), m_time(new TimeSplit(theme)),
      m_probe(new ProbePanel(theme)), m_groups(new QStackedWidget),
      m_groupButtons(new QButtonGroup(this)), m_panels{{{m_loss, LiveMetric::Loss},
                                                        {m_gradNorm, LiveMetric::GradNorm},
                                                        {m_lr, LiveMetric::Lr},
                                                        {m_noise, LiveMetric::NoiseScale},
                                                        {m_speed, LiveMetric::SamplesPerSecond}}} {
    m_loss->setObjectName(QStringLiteral("liveLoss"));
    m_accuracy->setObjectName(QStringLiteral("liveAccuracy"));
    m_gradNorm->setObjectName(QStringLiteral("liveGradNorm"));
    m_lr->setObjectName(QStringLiteral("liveLr"));
    m_noise->setObjectName(QStringLiteral("liveNoise"));
    m_noiseWords->setObjectName(QStringLiteral("liveNoiseWords"));
    m_speed->setObjectName(QStringLiteral("liveSpeed"));
    auto* columns = new QSplitter(Qt::Horizontal, this);
    columns->setObjectName(QStringLiteral("liveColumns"));
    columns->setChildrenCollapsible(false);
    columns->addWidget(makeLeft());
    columns->addWidget(makeRight());
    columns->setStretchFactor(0, kLeftShare);
    columns->setStretchFactor(1, kRightShare);
    columns->setSizes({kLeftShare * 240, kRightShare * 240});
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(columns);

    m_loss->linkWith({m_accuracy, m_gradNorm, m_lr, m_noise, m_speed});
    m_gradNorm->setXAxisCompact(true);
    for (PlotView* view : {m_gradNorm, m_lr, m_noise, m_speed, m_accuracy})
        view->setLegendVisible(false);
    m_noise->setLogY(true);
    m_detailsClock.setSingleShot(true);
    m_detailsClock.setInterval(kDetailsInterval);
    connect(&m_detailsClock, &QTimer::timeout, this, &LivePanels::showDetails);
    connect(m_loss, &PlotView::followChanged, this, &LivePanels::followChanged);
    connect(m_loss, &PlotView::logXChanged, this, &LivePanels::logXChanged);
    connect(m_loss, &PlotView::logYChanged, this, &LivePanels::logYChanged);
    connect(&theme, &Theme::changed, this, &LivePanels::rebuild);
    chooseGroup(std::clamp(QSettings().value(QLatin1String(kGroupKey), 0).toInt(), 0, int(Cost)));
    retitle();
    showDetails();
}

QWidget* LivePanels::makeLeft() {
    auto* card = new Card(m_theme);
    card->layout()->setContentsMargins(2, space::xs, 2, space::xs);
    card->content()->setSpacing(0);
    card->content()->addWidget(m_loss, 3);
    card->content()->addWidget(m_accuracy, 2);
    return card;
}

QWidget* LivePanels::makeRight() {
    auto* card = new Card(m_theme);
    card->layout()->setContentsMargins(2, space::s, 2, space::xs);
    card->content()->setSpacing(space::xs);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(space::m, 0, space::m, 0);
    row->setSpacing(space::s);
    const char* const names[] = {"liveGroupGradient", "liveGroupCost", "liveGroupProbe"};
    for (int group = Gradient; group <= Probe; ++group) {
        auto* button = new QPushButton;
        button->setObjectName(QLatin1String(names[group]));
        button->setCheckable(true);
        m_groupButtons->addButton(button, group);
        m_buttons[static_cast<std::size_t>(group)] = button;
        row->addWidget(button);
    }
    row->addStretch(1);
    card->content()->addLayout(row);

    auto* gradient = new QWidget;
    QVBoxLayout* column = columnIn(gradient);
    column->addWidget(m_gradNorm, 4);
    column->addWidget(m_lr, 3);
    column->addWidget(m_noise, 5); // it bears the x axis
    m_noiseWords->setContentsMargins(space::m, 0, space::m, space::xs);
    column->addWidget(m_noiseWords);
    m_groups->addWidget(gradient);
    auto* cost = new QWidget;
    column = columnIn(cost);
    column->addWidget(m_speed, 1);
    m_speed->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored); // takes what the numbers leave
    m_speed->setMinimumHeight(m_speed->minimumSizeHint().height());
    m_numbers = new FittingScroll(m_time);
    m_numbers->setObjectName(QStringLiteral("liveNumbers"));
    column->addWidget(m_numbers);
    m_groups->addWidget(cost);
    m_groups->addWidget(m_probe);
    card->content()->addWidget(m_groups, 1);
    connect(m_groupButtons, &QButtonGroup::idClicked, this, [this](int group) {
        QSettings().setValue(QLatin1String(kGroupKey), group);
        chooseGroup(group);
    });
    return card;
}

void LivePanels::chooseGroup(int group) {
    m_groupButtons->button(group)->setChecked(true);
    m_groups->setCurrentIndex(group);
    QTimer::singleShot(0, m_loss, [this] { m_loss->refreshNow(); }); // what was hidden has not been drawn
}

void LivePanels::retitle() {
    m_buttons[Gradient]->setText(tr("Gradient"));
    m_buttons[Gradient]->setToolTip(tr("Gradient norm, learning rate, noise scale"));
    m_buttons[Cost]->setText(tr("Time and memory"));
    m_buttons[Cost]->setToolTip(tr("Speed, where the time of a window goes, peak memory"));
    m_buttons[Probe]->setText(tr("Probe"));
    m_buttons[Probe]->setToolTip(tr("The probed parameter at every micro-step"));
    const QString x = axisTitle(m_axis);
    m_loss->setTitle(tr("Training loss"));
    m_loss->setAxisTitles(x, tr("loss"));
    m_loss->setEmptyText(tr("The first point appears after the first update."));
    const CompareMetric metric =
        m_curves.runs().empty() ? CompareMetric::TestAccuracy : mainMetric(m_curves.runs().front().run.config);
    m_accuracy->setTitle(comparison_text::curveTitle(metric));
    m_accuracy->setAxisTitles(x, metric == CompareMetric::TestAccuracy ? tr("accuracy (%)")
                                                                       : comparison_text::curveAxis(metric));
    m_accuracy->setEmptyText(tr("No evaluation yet."));
    m_gradNorm->setTitle(tr("Gradient norm"));
    m_gradNorm->setAxisTitles(x, tr("L2 norm"));
    m_lr->setTitle(tr("Learning rate"));
    m_lr->setAxisTitles(x, tr("learning rate"));
    m_noise->setTitle(tr("Gradient noise scale"));
    m_noise->setToolTip(tr("B_simple = tr Σ / |G|² (McCandlish et al. 2018): about the batch size up to which a larger "
                           "batch pays. Ratio of two running averages over about 100 windows."));
    m_numbers->setAccessibleName(tr("Where the time goes"));
    m_speed->setTitle(tr("Speed"));
    m_speed->setAxisTitles(x, tr("samples/s"));
    for (PlotView* view : {m_gradNorm, m_lr, m_noise, m_speed})
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

void LivePanels::forgetZoom() {
    for (PlotView* view : {m_loss, m_accuracy, m_gradNorm, m_lr, m_noise, m_speed})
        view->forgetZoom();
}

PlotCurve LivePanels::lookOf(const RunCurves& curves) const {
    const RunCurves* current = m_curves.current();
    PlotCurve look;
    look.id = QString::fromStdString(curves.run.id);
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
            if (metric == LiveMetric::NoiseScale && !curves.window.empty() && !curves.hasNoise())
                continue; // one micro-batch a window: nothing to estimate from
            PlotCurve& look = looks.emplace_back(lookOf(curves));
            look.series = {curves.at.of(m_axis), curves.of(metric)};
        }
        view->setCurves(std::move(looks));
    }
    retitle(); // another study may have another metric
    rebuildAccuracy();
    showDetails();
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
    m_loss->setXAxisCompact(!looks.empty()); // until then the axis below is empty
    m_accuracy->setCurves(std::move(looks));
}

void LivePanels::appendWindows(const RunCurves& curves, std::size_t from) {
    const QString id = QString::fromStdString(curves.run.id);
    const std::span<const double> x(curves.at.of(m_axis));
    for (const auto& [view, metric] : m_panels)
        view->append(id, x.subspan(from), std::span<const double>(curves.of(metric)).subspan(from));
    detailsChanged();
}

void LivePanels::detailsChanged() {
    if (!m_detailsClock.isActive())
        m_detailsClock.start();
}

const RunCurves* LivePanels::currentOf(Arm arm) const {
    const RunCurves* current = m_curves.current();
    if (!current || current->run.arm == arm)
        return current;
    const auto& runs = m_curves.runs();
    const auto partner = std::ranges::find_if(
        runs, [&](const RunCurves& other) { return other.run.arm == arm && other.run.seed == current->run.seed; });
    return partner == runs.end() ? nullptr : &*partner;
}

void LivePanels::showDetails() {
    showNoise();
    showCost();
    showProbe();
}

void LivePanels::showNoise() {
    const auto& runs = m_curves.runs();
    // Only windows of several micro-batches tell their spread.
    const bool possible = std::ranges::any_of(runs, [](const RunCurves& curves) {
        return curves.hasNoise() || (curves.window.empty() && curves.run.batch.largestSteps() > 1);
    });
    m_noise->setVisible(possible);
    m_lr->setXAxisCompact(possible);
    const RunCurves* run = currentOf(Arm::Accumulated);
    if (!run)
        run = m_curves.current();
    const std::string unit = run ? lossUnit(run->run.config) : std::string("samples");
    m_noise->setAxisTitles(axisTitle(m_axis), unit == "tokens"  ? tr("tokens")
                                              : unit == "units" ? tr("loss units")
                                                                : tr("samples"));
    const NoiseScale noise = run ? run->recentNoise(kNoiseWindows) : NoiseScale();
    m_noiseWords->setVisible(possible && noise.windows > 0);
    m_noiseWords->setText(noise.windows > 0 ? format::message(noiseAdviceMessage(noise, run->noiseEffective(), unit))
                                            : QString());
    m_noiseWords->setToolTip(tr("From the newest %1 windows of the accumulated run that give an estimate")
                                 .arg(format::count(static_cast<qint64>(noise.windows))));
}

void LivePanels::showCost() {
    std::vector<ArmCost> arms;
    for (const Arm arm : {Arm::Accumulated, Arm::LargeBatch})
        if (const RunCurves* run = currentOf(arm)) {
            ArmCost& cost = arms.emplace_back();
            cost.arm = arm;
            cost.lanes = std::min(run->run.lanes, run->run.batch.steps);
            cost.cost = run->recent.cost();
            cost.evaluationPeak = run->evaluationPeak;
            cost.trainingPeakKnown =
                run->evaluationPeak > 0 || run->evaluatedAt.updates.empty(); // else of an old library
            cost.ranks = run->recent.rankTotals();
            cost.rankCost = rankCost(cost.ranks, run->run.config, m_curves.arenaSize());
        }
    m_time->setArms(std::move(arms));
}

void LivePanels::showProbe() {
    const RunCurves* run = m_curves.current();
    const bool probes = run && !run->run.config.probe.parameter.empty();
    m_buttons[Probe]->setVisible(probes);
    if (!probes) {
        if (m_groupButtons->checkedId() == Probe)
            chooseGroup(Gradient);
        return;
    }
    // The large batch moves at every micro-step: its partner has more to show.
    if (const RunCurves* accumulated = currentOf(Arm::Accumulated); accumulated && accumulated->recent.probed())
        run = accumulated;
    m_probe->setProbe(format::fromUtf8(run->run.config.probe.parameter), lookOf(*run).label, run->run.batch.steps,
                      run->recent.probedWindows());
}

void LivePanels::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retitle();
        rebuild();
    }
    QWidget::changeEvent(event);
}

} // namespace accumulus::ui
