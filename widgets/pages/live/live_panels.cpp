// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/live/live_panels.h"

#include "widgets/models/comparison_text.h"
#include "widgets/pages/live/probe_panel.h"
#include "widgets/plots/time_split.h"
#include "widgets/style/fitting_scroll.h"
#include "widgets/style/flow_layout.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <algorithm>
#include <utility>

namespace accumulus::ui {

namespace {

constexpr int kLeftShare = 3;
constexpr int kRightShare = 2;
constexpr int kNarrowestCurve = 220;  ///< two of them stand side by side
constexpr int kDetailsInterval = 250; ///< ms
constexpr auto kGroupKey = "live/group";
constexpr auto kColumnsKey = "live/columns";

QVBoxLayout* columnIn(QWidget* page) {
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    return column;
}

/// Of plots, which take the focus themselves.
FittingScroll* scrollOf(QWidget* plots) {
    auto* scroll = new FittingScroll(plots);
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
}

} // namespace

LivePanels::LivePanels(const Theme& theme, const LiveCurves& curves, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_curves(curves), m_columns(new QSplitter(Qt::Horizontal, this)),
      m_loss(new PlotView(theme)), m_accuracy(new PlotView(theme)), m_evaluationLoss(new PlotView(theme)),
      m_gradNorm(new PlotView(theme)), m_lr(new PlotView(theme)), m_noise(new PlotView(theme)),
      m_noiseWords(new RoleLabel(theme, TextRole::Caption)), m_speed(new PlotView(theme)),
      m_memory(new PlotView(theme)), m_time(new TimeSplit(theme)), m_probe(new ProbePanel(theme)),
      m_groups(new QStackedWidget),
      m_groupButtons(new QButtonGroup(this)), m_panels{{{m_loss, LiveMetric::Loss},
                                                        {m_gradNorm, LiveMetric::GradNorm},
                                                        {m_lr, LiveMetric::Lr},
                                                        {m_noise, LiveMetric::NoiseScale},
                                                        {m_speed, LiveMetric::SamplesPerSecond},
                                                        {m_memory, LiveMetric::Memory}}} {
    m_loss->setObjectName(QStringLiteral("liveLoss"));
    m_accuracy->setObjectName(QStringLiteral("liveAccuracy"));
    m_evaluationLoss->setObjectName(QStringLiteral("liveEvaluationLoss"));
    m_memory->setObjectName(QStringLiteral("liveMemory"));
    m_gradNorm->setObjectName(QStringLiteral("liveGradNorm"));
    m_lr->setObjectName(QStringLiteral("liveLr"));
    m_noise->setObjectName(QStringLiteral("liveNoise"));
    m_noiseWords->setObjectName(QStringLiteral("liveNoiseWords"));
    m_speed->setObjectName(QStringLiteral("liveSpeed"));
    m_columns->setObjectName(QStringLiteral("liveColumns"));
    m_columns->setChildrenCollapsible(false);
    m_columns->addWidget(makeLeft());
    m_columns->addWidget(makeRight());
    m_columns->setStretchFactor(0, kLeftShare);
    m_columns->setStretchFactor(1, kRightShare);
    resetColumns();
    setColumns(QSettings().value(QLatin1String(kColumnsKey)).toByteArray());
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_columns);

    const QList<PlotView*> linked = others();
    m_loss->linkWith({linked.begin(), linked.end()});
    m_gradNorm->setXAxisCompact(true);
    connect(m_loss, &PlotView::runPointedAt, this, &LivePanels::runPointedAt);
    for (PlotView* view : linked) {
        view->setLegendVisible(false);
        connect(view, &PlotView::runPointedAt, this, &LivePanels::runPointedAt);
    }
    m_noise->setLogY(true);
    m_detailsClock.setSingleShot(true);
    m_detailsClock.setInterval(kDetailsInterval);
    connect(&m_detailsClock, &QTimer::timeout, this, &LivePanels::showDetails);
    connect(m_loss, &PlotView::followChanged, this, &LivePanels::followChanged);
    connect(m_loss, &PlotView::logXChanged, this, &LivePanels::logXChanged);
    connect(m_loss, &PlotView::logYChanged, this, &LivePanels::logYChanged);
    connect(&theme, &Theme::changed, this, &LivePanels::restyle);
    const int group = QSettings().value(QLatin1String(kGroupKey), 0).toInt();
    chooseGroup(group == Cost || group == Memory ? group : Gradient);
    retitle();
    showDetails();
}

LivePanels::~LivePanels() { QSettings().setValue(QLatin1String(kColumnsKey), columns()); }

QByteArray LivePanels::columns() const { return m_columns->saveState(); }
void LivePanels::setColumns(const QByteArray& widths) { m_columns->restoreState(widths); }
void LivePanels::resetColumns() { m_columns->setSizes({kLeftShare * 240, kRightShare * 240}); }

QWidget* LivePanels::makeLeft() {
    auto* card = new Card(m_theme);
    card->layout()->setContentsMargins(2, space::xs, 2, space::xs);
    auto* curves = new QWidget;
    QVBoxLayout* column = columnIn(curves);
    column->addWidget(m_loss, 3);
    auto* evaluations = new QHBoxLayout;
    evaluations->setSpacing(0);
    for (PlotView* view : {m_accuracy, m_evaluationLoss}) {
        view->setMinimumWidth(kNarrowestCurve);
        evaluations->addWidget(view, 1);
    }
    column->addLayout(evaluations, 2);
    for (PlotView* view : {m_loss, m_accuracy, m_evaluationLoss}) {
        view->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
        view->setMinimumHeight(view->minimumSizeHint().height());
    }
    m_loss->setMinimumHeight(m_loss->minimumSizeHint().height() * 3 / 2); // beside its legend
    // Where the queue and notices leave little room, plots must not overlap.
    card->content()->addWidget(scrollOf(curves));
    return card;
}

QList<PlotView*> LivePanels::others() const {
    return {m_accuracy, m_evaluationLoss, m_gradNorm, m_lr, m_noise, m_speed, m_memory};
}

QWidget* LivePanels::makeRight() {
    auto* card = new Card(m_theme);
    card->layout()->setContentsMargins(2, space::s, 2, space::xs);
    card->content()->setSpacing(space::xs);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(space::m, 0, space::m, 0);
    m_buttonRow = new QWidget;
    auto* row = new FlowLayout(space::xs, m_buttonRow);
    bar->addWidget(m_buttonRow);
    const std::pair<Group, const char*> groups[] = {{Gradient, "liveGroupGradient"},
                                                    {Cost, "liveGroupCost"},
                                                    {Memory, "liveGroupMemory"},
                                                    {Probe, "liveGroupProbe"}};
    for (const auto& [group, name] : groups) {
        auto* button = new QPushButton;
        button->setObjectName(QLatin1String(name));
        button->setCheckable(true);
        m_groupButtons->addButton(button, group);
        m_buttons[static_cast<std::size_t>(group)] = button;
        row->addWidget(button);
    }
    card->content()->addLayout(bar);

    auto* gradient = new QWidget;
    QVBoxLayout* column = columnIn(gradient);
    for (PlotView* view : {m_gradNorm, m_lr, m_noise}) // they share what there is, down to their least heights
        view->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    m_gradNorm->setMinimumHeight(lowestCurve());
    m_noise->setMinimumHeight(m_noise->minimumSizeHint().height());
    column->addWidget(m_gradNorm, 4);
    column->addWidget(m_lr, 3);
    column->addWidget(m_noise, 5); // it bears the x axis
    m_noiseWords->setContentsMargins(space::m, 0, space::m, space::xs);
    column->addWidget(m_noiseWords);
    m_groups->addWidget(scrollOf(gradient));
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
    m_groups->addWidget(m_memory);
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
    QTimer::singleShot(0, m_loss, [this] { m_loss->redraw(); }); // what was hidden has not been drawn
}

QString LivePanels::axisTitle() const {
    switch (m_axis) {
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

void LivePanels::retitle() {
    m_buttons[Gradient]->setText(tr("Gradient"));
    m_buttons[Gradient]->setToolTip(tr("Gradient norm, learning rate, noise scale"));
    m_buttons[Cost]->setText(tr("Cost"));
    m_buttons[Cost]->setToolTip(tr("Speed, where the time of a window goes, peak memory"));
    m_buttons[Memory]->setText(tr("Memory"));
    m_buttons[Memory]->setToolTip(tr("Peak memory of training over the run"));
    m_buttons[Probe]->setText(tr("Probe"));
    m_buttons[Probe]->setToolTip(tr("The probed parameter at every micro-step"));
    // A scroll area counts a wrapped text as one line; this one takes up to three.
    m_noiseWords->setMinimumHeight(3 * QFontMetrics(m_theme.captionFont()).lineSpacing() + space::xs);
    m_numbers->keepWidth();    // anew in another language, or with other letters
    int usual = 2 * space::xs; // in one line; a fourth may stand in the next one
    for (const Group group : {Gradient, Cost, Memory})
        usual += m_buttons[group]->sizeHint().width();
    m_buttonRow->setMinimumWidth(usual);
    const QString x = axisTitle();
    m_loss->setTitle(tr("Training loss"));
    m_loss->setAxisTitles(x, tr("loss"));
    m_loss->setEmptyText(tr("The first point appears after the first update."));
    retitleEvaluations();
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
    m_memory->setTitle(tr("Peak memory of training so far"));
    m_memory->setToolTip(tr("Of tensors, without evaluations"));
    m_memory->setAxisTitles(x, tr("MB"));
    for (PlotView* view : {m_gradNorm, m_lr, m_noise, m_speed, m_memory})
        view->setEmptyText(tr("No update yet."));
}

void LivePanels::retitleEvaluations() {
    const auto& runs = m_curves.runs();
    const CompareMetric metric = runs.empty() ? CompareMetric::TestAccuracy : mainMetric(runs.front().run.config);
    const bool both = std::ranges::any_of(runs, [](const RunCurves& curves) { return !curves.validation.empty(); });
    const QString x = axisTitle();
    const QString title = comparison_text::curveTitle(metric);
    m_accuracy->setTitle(both ? tr("%1 · validation ▲").arg(title) : title);
    m_accuracy->setAxisTitles(x, metric == CompareMetric::TestAccuracy ? tr("accuracy (%)")
                                                                       : comparison_text::curveAxis(metric));
    m_evaluationLoss->setTitle(both ? tr("Test loss · validation ▲") : tr("Test loss"));
    m_evaluationLoss->setAxisTitles(x, tr("loss"));
    for (PlotView* view : {m_accuracy, m_evaluationLoss})
        view->setEmptyText(tr("No evaluation yet."));
}

void LivePanels::setAxis(LiveAxis axis) {
    if (axis == m_axis)
        return;
    m_axis = axis;
    retitle();
    m_loss->setFollow(true); // the old range means nothing on the new axis
    rebuild();
}

void LivePanels::setSmoothing(const Smoothing& smoothing) {
    for (PlotView* view : {m_loss, m_gradNorm, m_speed})
        view->setSmoothing(smoothing);
}

void LivePanels::setLogX(bool on) { m_loss->setLogX(on); }

void LivePanels::setLogY(bool on) {
    m_loss->setLogY(on);
    m_gradNorm->setLogY(on);
}

void LivePanels::setChosen(const QSet<QString>& runs) {
    if (runs == m_chosen)
        return;
    m_chosen = runs;
    restyle();
}

void LivePanels::setFollow(bool on) { m_loss->setFollow(on); }

void LivePanels::forgetZoom() {
    m_loss->forgetZoom();
    for (PlotView* view : others())
        view->forgetZoom();
}

std::vector<PlotViewpoint> LivePanels::viewpoints() const {
    std::vector<PlotViewpoint> at{m_loss->viewpoint()};
    for (const PlotView* view : others())
        at.push_back(view->viewpoint());
    return at;
}

void LivePanels::setViewpoints(const std::vector<PlotViewpoint>& at) {
    QList<PlotView*> views = others();
    views.prepend(m_loss);
    for (std::size_t i = 0; i < std::min(at.size(), static_cast<std::size_t>(views.size())); ++i)
        views[static_cast<qsizetype>(i)]->setViewpoint(at[i]);
}

int LivePanels::lowestCurve() const { return std::max(72, 9 * m_gradNorm->fontMetrics().lineSpacing() / 2); }

} // namespace accumulus::ui
