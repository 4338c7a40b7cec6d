// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare/compare_view.h"

#include "widgets/models/comparison_text.h"
#include "widgets/style/row_copy.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QTableView>
#include <algorithm>
#include <set>
#include <utility>

namespace accumulus::ui {

namespace {

constexpr int kRowHeight = 30;
constexpr int kMostRows = 14; ///< longer tables scroll by themselves
constexpr int kSideBySide = 860;

/// As tall as its rows: the page scrolls, not the table.
void fitHeight(QTableView* table) {
    const int rows = std::min(table->model()->rowCount(), kMostRows);
    const int row = std::max(kRowHeight, table->verticalHeader()->minimumSectionSize()); // by the letters
    const QScrollBar& across = *table->horizontalScrollBar();
    const bool scrolls = table->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff && across.maximum() > 0;
    table->setFixedHeight(table->horizontalHeader()->sizeHint().height() + rows * row + 2 * table->frameWidth() + 2 +
                          (scrolls ? across.sizeHint().height() : 0));
}

/// Seeds that a group and the reference have, whatever the state of their runs.
std::size_t plannedPairs(const ComparisonInput& input, std::size_t group) {
    const auto seedsOf = [](const std::vector<ComparedRun>& runs) {
        std::set<std::int64_t> seeds;
        for (const ComparedRun& run : runs)
            seeds.insert(run.seed);
        return seeds;
    };
    const std::set<std::int64_t> b = seedsOf(groupAt(input, input.reference));
    return static_cast<std::size_t>(
        std::ranges::count_if(seedsOf(groupAt(input, group)), [&b](std::int64_t seed) { return b.contains(seed); }));
}

std::vector<std::set<std::string>> runsOf(const ComparisonInput& input) {
    std::vector<std::set<std::string>> runs(groupCount(input));
    for (std::size_t group = 0; group < runs.size(); ++group)
        for (const ComparedRun& run : groupAt(input, group))
            runs[group].insert(run.id);
    return runs;
}

/// A letter stands for other runs, or for none: what was hidden under it is another curve now.
bool isRelettered(const std::vector<std::set<std::string>>& before, const std::vector<std::set<std::string>>& now) {
    for (std::size_t group = 0; group < before.size(); ++group) {
        const auto stays = [&](const std::string& run) { return group < now.size() && now[group].contains(run); };
        if (!before[group].empty() && std::ranges::none_of(before[group], stays))
            return true;
    }
    return false;
}

/// Of the first two groups: neither the same pair, with more or fewer seeds, nor its arms swapped.
bool isOther(const std::vector<std::set<std::string>>& before, const std::vector<std::set<std::string>>& now) {
    const auto meet = [&](std::size_t one, std::size_t other) {
        return std::ranges::any_of(before[one], [&](const std::string& run) { return now[other].contains(run); });
    };
    return !(meet(0, 0) && meet(1, 1)) && !(meet(0, 1) && meet(1, 0));
}

} // namespace

CompareView::CompareView(const Theme& theme, QWidget* parent)
    : QScrollArea(parent), m_theme(theme), m_verdict(new VerdictCard(theme)), m_groups(new CompareGroups(theme)),
      m_plots(new ComparePlots(theme)), m_cost(new CostBars(theme)), m_settings(new SettingsCard(theme)),
      m_pairs(new PairModel(this)), m_differences(new DifferenceModel(theme, this)),
      m_judged(new JudgedMetricModel(this)), m_verdicts(new GroupVerdictModel(theme, this)),
      m_family(new Card(theme, tr("All groups against the reference"))),
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
    auto* judged = new QVBoxLayout;
    judged->setSpacing(space::l);
    judged->addWidget(m_verdict);
    judged->addWidget(makeSeeds(theme), 1);
    m_top->addLayout(judged, 3);
    auto* side = new QVBoxLayout;
    side->setSpacing(space::l);
    side->addWidget(m_groups);
    side->addWidget(m_cost, 1);
    m_top->addLayout(side, 2);
    buildFamily(theme);
    column->addWidget(m_family);
    column->addLayout(m_top);
    buildTogether(theme);
    column->addWidget(m_together);
    column->addWidget(m_plots);
    connect(m_plots, &ComparePlots::runPointedAt, this, &CompareView::runChosen);
    column->addWidget(m_settings);
    buildSettings(theme, column);
    column->addStretch(1);
    setWidget(page);
    page->setAutoFillBackground(false);
    viewport()->setAutoFillBackground(false);
}

Card* CompareView::makeSeeds(const Theme& theme) {
    auto* seeds = new Card(theme, tr("Seed by seed"));
    m_seedTable = makeTable(m_pairs, QStringLiteral("compare.seedTable"), tr("Results of each seed"),
                            {PairModel::Seed, PairModel::Difference, PairModel::Samples, PairModel::Updates});
    m_seedTable->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded); // in large letters
    seeds->content()->addWidget(m_seedTable);
    seeds->content()->addStretch(1);
    connect(m_seedTable->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& cell) {
        if (const QString run = cell.data(PairModel::RunRole).toString(); !run.isEmpty() && !m_showsPairs)
            Q_EMIT runChosen(run);
    });
    return seeds;
}

void CompareView::buildFamily(const Theme& theme) {
    m_familyTable = makeTable(m_verdicts, QStringLiteral("compare.familyTable"), tr("Verdict of each group"),
                              {GroupVerdictModel::Word, GroupVerdictModel::Difference, GroupVerdictModel::Interval,
                               GroupVerdictModel::Pairs, GroupVerdictModel::Margin, GroupVerdictModel::PEquivalence,
                               GroupVerdictModel::PDifference});
    m_familyTable->setSelectionMode(QAbstractItemView::SingleSelection);
    m_familyTable->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded); // in a narrow window
    auto* holm =
        new RoleLabel(theme, TextRole::Caption,
                      tr("Each p value is the corrected one. Holm's method keeps the chance of any false claim "
                         "among all these pairs of groups, and all metrics judged together, at 5 %, for "
                         "equivalence and for differences each. A row shows its verdict below."),
                      m_family);
    holm->setObjectName(QStringLiteral("compare.familyNote"));
    m_family->setObjectName(QStringLiteral("compare.family"));
    m_family->content()->addWidget(m_familyTable);
    m_family->content()->addWidget(holm);
    m_family->hide();
    connect(m_familyTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (row.isValid())
                    Q_EMIT memberChosen(static_cast<std::size_t>(row.row()));
            });
}

void CompareView::buildTogether(const Theme& theme) {
    auto* judged =
        makeTable(m_judged, QStringLiteral("compare.metricTable"), tr("Metrics judged together"),
                  {JudgedMetricModel::Pairs, JudgedMetricModel::MeanA, JudgedMetricModel::MeanB,
                   JudgedMetricModel::Difference, JudgedMetricModel::Interval, JudgedMetricModel::Margin,
                   JudgedMetricModel::PEquivalence, JudgedMetricModel::PDifference, JudgedMetricModel::Word});
    judged->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded); // in a narrow window
    m_holm = new RoleLabel(theme, TextRole::Caption, {}, m_together);
    m_holm->setObjectName(QStringLiteral("compare.metricNote"));
    m_together->content()->addWidget(judged);
    m_together->content()->addWidget(m_holm);
    m_together->hide();
}

void CompareView::buildSettings(const Theme& theme, QVBoxLayout* column) {
    auto* settings = new Card(theme, tr("Settings that differ"));
    m_allSettings = new QCheckBox(tr("Show &all settings"), settings);
    m_allSettings->setObjectName(QStringLiteral("compare.allSettings"));
    settings->content()->addWidget(m_allSettings);
    auto* differences = makeTable(m_differences, QStringLiteral("compare.settingsTable"), tr("Settings of the groups"),
                                  {DifferenceModel::Setting, DifferenceModel::Kind});
    settings->content()->addWidget(differences);
    column->addWidget(settings);
    connect(m_differences, &QAbstractItemModel::modelReset, differences, [differences] { // a column for each group
        QHeaderView* header = differences->horizontalHeader();
        for (int section = 0; section < header->count(); ++section) {
            const bool narrow = section == 0 || section == header->count() - 1;
            header->setSectionResizeMode(section, narrow ? QHeaderView::ResizeToContents : QHeaderView::Stretch);
        }
    });
    connect(m_allSettings, &QCheckBox::toggled, this, [this, settings](bool on) {
        m_differences->setAllShown(on);
        settings->setTitle(on ? tr("All settings") : tr("Settings that differ"));
    });
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
    addCopy(*table);
    connect(model, &QAbstractItemModel::modelReset, table, [table] { fitHeight(table); });
    connect(table->horizontalScrollBar(), &QScrollBar::rangeChanged, table, [table] { fitHeight(table); });
    fitHeight(table);
    return table;
}

void CompareView::setComparison(const LoadedComparison& loaded, BandKind band, const CurveSmoothing& lossSmoothing,
                                std::size_t member) {
    const bool several = loaded.family.members.size() > 1;
    if (const auto before = std::exchange(m_runs, runsOf(loaded.input)); !before.empty()) {
        if (isOther(before, m_runs))
            verticalScrollBar()->setValue(0);
        if (isRelettered(before, m_runs))
            m_plots->showAllCurves();
    }
    m_groups->setComparison(loaded);
    m_plots->setComparison(loaded.input, loaded.family, band, lossSmoothing);
    m_settings->setInput(loaded.input);
    m_cost->setInput(loaded.input);
    m_differences->setRows(differenceRows(loaded.input));
    {
        const QSignalBlocker quiet(m_familyTable->selectionModel());
        m_verdicts->setFamily(loaded.input, loaded.family);
    }
    m_family->setTitle(tr("All groups against %1", "letter of the reference")
                           .arg(comparison_text::groupLetter(loaded.family.reference)));
    m_family->setVisible(several);
    showMember(loaded, member);
}

void CompareView::showMember(const LoadedComparison& loaded, std::size_t member) {
    const FamilyMember& shown = loaded.family.members[member];
    const Comparison& comparison = shown.comparison;
    const comparison_text::PairNames names = comparison_text::pairNames(loaded.input, shown.group);
    m_verdict->setComparison(loaded.input, comparison, names);
    m_verdict->setMoreSeedsPossible(moreSeeds(loaded, 1, member).has_value());
    m_verdict->setProgress(comparison.pairs.size(), loaded.live ? plannedPairs(loaded.input, shown.group) : 0);
    m_judged->setMetrics(comparison.together, names);
    m_together->setVisible(!comparison.together.empty());
    m_holm->setText(comparison.family
                        ? tr("Each p value is the corrected one. Holm's method keeps the chance of any false claim "
                             "among all these metrics, of all pairs of groups, at 5 %, for equivalence and for "
                             "differences each.")
                        : tr("Each p value is the corrected one. Holm's method keeps the chance of any false claim "
                             "among all these metrics at 5 %, for equivalence and for differences each."));
    showPairs(comparison, names);
    if (const QModelIndex row = m_verdicts->index(static_cast<int>(member), 0);
        m_familyTable->currentIndex().row() != row.row())
        m_familyTable->setCurrentIndex(row);
}

void CompareView::chooseRun(const QString& run) { m_toBeChosen = run; }

/// The row that was chosen stays so. Nobody chose it now: it tells nobody.
void CompareView::showPairs(const Comparison& comparison, const comparison_text::PairNames& names) {
    const QString before = m_seedTable->currentIndex().data(PairModel::RunRole).toString();
    const QString run = m_toBeChosen.isEmpty() ? before : std::exchange(m_toBeChosen, {});
    m_pairs->setComparison(comparison, names);
    if (run.isEmpty() || m_seedTable->currentIndex().data(PairModel::RunRole).toString() == run)
        return; // it stands there still, in whatever column
    const QScopedValueRollback quiet(m_showsPairs, true);
    for (const int column : {PairModel::ValueA, PairModel::ValueB}) {
        const QModelIndexList rows = m_pairs->match(m_pairs->index(0, column), PairModel::RunRole, run, 1,
                                                    Qt::MatchExactly | Qt::MatchCaseSensitive);
        if (!rows.isEmpty())
            return m_seedTable->setCurrentIndex(rows.front());
    }
    m_seedTable->setCurrentIndex({}); // other runs have come in its place
}

CompareView::Look CompareView::look() const {
    return {m_plots->look(), m_settings->look(), m_allSettings->isChecked()};
}

void CompareView::setLook(const Look& look) {
    m_plots->setLook(look.plots);
    m_settings->setLook(look.settings);
    m_allSettings->setChecked(look.allSettings);
}

void CompareView::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    const int needed = kSideBySide * std::max(m_theme.textSize(), text_size::usual) / text_size::usual;
    m_top->setDirection(viewport()->width() >= needed ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

} // namespace accumulus::ui
