// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare/compare_view.h"

#include "widgets/models/comparison_text.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QResizeEvent>
#include <QTableView>
#include <algorithm>
#include <set>

namespace accumulus::ui {

namespace {

constexpr int kRowHeight = 30;
constexpr int kMostRows = 14; ///< longer tables scroll by themselves
constexpr int kSideBySide = 860;

/// As tall as its rows: the page scrolls, not the table.
void fitHeight(QTableView* table) {
    const int rows = std::min(table->model()->rowCount(), kMostRows);
    table->setFixedHeight(table->horizontalHeader()->sizeHint().height() + rows * kRowHeight + 2 * table->frameWidth() +
                          2);
}

/// Seeds that both groups have, whatever the state of their runs.
std::size_t plannedPairs(const ComparisonInput& input) {
    const auto seedsOf = [](const std::vector<ComparedRun>& group) {
        std::set<std::int64_t> seeds;
        for (const ComparedRun& run : group)
            seeds.insert(run.seed);
        return seeds;
    };
    const std::set<std::int64_t> b = seedsOf(input.groupB);
    return static_cast<std::size_t>(
        std::ranges::count_if(seedsOf(input.groupA), [&b](std::int64_t seed) { return b.contains(seed); }));
}

} // namespace

CompareView::CompareView(const Theme& theme, QWidget* parent)
    : QScrollArea(parent), m_verdict(new VerdictCard(theme)), m_groups(new CompareGroups(theme)),
      m_plots(new ComparePlots(theme)), m_cost(new CostBars(theme)), m_settings(new SettingsCard(theme)),
      m_pairs(new PairModel(this)), m_differences(new DifferenceModel(theme, this)),
      m_judged(new JudgedMetricModel(this)),
      m_together(new Card(theme, tr("Metrics judged together, with Holm's correction"))),
      m_top(new QBoxLayout(QBoxLayout::LeftToRight)) {
    setObjectName(QStringLiteral("compare.scroll"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus); // its tables and fields take the focus
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(space::pageMargin, 0, space::pageMargin, space::pageMargin);
    column->setSpacing(space::l);
    m_top->setSpacing(space::l);
    m_top->addWidget(m_verdict, 3);
    auto* side = new QVBoxLayout;
    side->setSpacing(space::l);
    side->addWidget(m_groups);
    side->addWidget(m_cost, 1);
    m_top->addLayout(side, 2);
    column->addLayout(m_top);
    auto* judged =
        makeTable(m_judged, QStringLiteral("compare.metricTable"), tr("Metrics judged together"),
                  {JudgedMetricModel::Pairs, JudgedMetricModel::MeanA, JudgedMetricModel::MeanB,
                   JudgedMetricModel::Difference, JudgedMetricModel::Interval, JudgedMetricModel::Margin,
                   JudgedMetricModel::PEquivalence, JudgedMetricModel::PDifference, JudgedMetricModel::Word});
    judged->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded); // in a narrow window
    auto* holm =
        new RoleLabel(theme, TextRole::Caption,
                      tr("Each p value is the corrected one. Holm's method keeps the chance of any false claim "
                         "among all these metrics at 5 %, for equivalence and for differences each."),
                      m_together);
    m_together->content()->addWidget(judged);
    m_together->content()->addWidget(holm);
    m_together->hide();
    column->addWidget(m_together);
    column->addWidget(m_plots);
    auto* seeds = new Card(theme, tr("Seed by seed"), page);
    auto* table = makeTable(m_pairs, QStringLiteral("compare.seedTable"), tr("Results of each seed"),
                            {PairModel::Seed, PairModel::Samples, PairModel::Updates});
    seeds->content()->addWidget(table);
    column->addWidget(seeds);
    column->addWidget(m_settings);
    auto* settings = new Card(theme, tr("Settings that differ"), page);
    auto* all = new QCheckBox(tr("Show &all settings"), settings);
    all->setObjectName(QStringLiteral("compare.allSettings"));
    settings->content()->addWidget(all);
    auto* differences = makeTable(m_differences, QStringLiteral("compare.settingsTable"), tr("Settings of both groups"),
                                  {DifferenceModel::Setting, DifferenceModel::Kind});
    settings->content()->addWidget(differences);
    column->addWidget(settings);
    column->addStretch(1);
    connect(all, &QCheckBox::toggled, this, [this, settings](bool on) {
        m_differences->setAllShown(on);
        settings->setTitle(on ? tr("All settings") : tr("Settings that differ"));
    });
    setWidget(page);
    page->setAutoFillBackground(false);
    viewport()->setAutoFillBackground(false);
}

QTableView* CompareView::makeTable(QAbstractItemModel* model, const QString& objectName, const QString& name,
                                   const std::vector<int>& narrow) {
    auto* table = new QTableView(this);
    table->setObjectName(objectName);
    table->setAccessibleName(name);
    table->setModel(model);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    for (const int section : narrow)
        table->horizontalHeader()->setSectionResizeMode(section, QHeaderView::ResizeToContents);
    table->horizontalHeader()->setHighlightSections(false);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(model, &QAbstractItemModel::modelReset, table, [table] { fitHeight(table); });
    fitHeight(table);
    return table;
}

void CompareView::setComparison(const LoadedComparison& loaded, BandKind band, double lossSmoothing) {
    const QString a = comparison_text::groupTitle(loaded.input.groupA);
    const QString b = comparison_text::groupTitle(loaded.input.groupB);
    m_verdict->setComparison(loaded.input, loaded.comparison);
    m_verdict->setMoreSeedsPossible(moreSeeds(loaded, 1).has_value());
    m_verdict->setProgress(loaded.comparison.pairs.size(), loaded.live ? plannedPairs(loaded.input) : 0);
    m_groups->setComparison(loaded);
    m_judged->setMetrics(loaded.comparison.together);
    m_together->setVisible(!loaded.comparison.together.empty());
    m_plots->setComparison(loaded.input, loaded.comparison, band, lossSmoothing);
    m_settings->setInput(loaded.input);
    m_cost->setGroups(loaded.input.groupA, loaded.input.groupB);
    m_pairs->setComparison(loaded.comparison, a, b);
    m_differences->setRows(differenceRows(loaded.input));
}

void CompareView::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    const auto direction = viewport()->width() >= kSideBySide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
    m_top->setDirection(direction);
}

} // namespace accumulus::ui
