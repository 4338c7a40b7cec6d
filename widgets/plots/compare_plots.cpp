// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/compare_plots.h"

#include "widgets/models/comparison_text.h"
#include "widgets/plots/group_look.h"
#include "widgets/style/format.h"
#include "widgets/style/run_color.h"

#include <QGridLayout>
#include <QResizeEvent>
#include <algorithm>
#include <utility>

namespace accumulus::ui {

struct ComparePlots::SingleDifference {
    std::size_t curve; ///< that it becomes
    Series a;
    Series b;
};

struct ComparePlots::Metric {
    std::optional<CompareMetric> shown; ///< of evaluations; else the training loss
    double factor;                      ///< 100 for accuracies
    CurveSmoothing smoothing;           ///< of the curves of the groups, and of single runs
    bool points;                        ///< few values: draw markers
    bool judged;                        ///< the verdict's margin belongs to this metric
};

namespace {

constexpr int kPlotHeight = 250;
constexpr int kTwoColumns = 860; ///< from this width on

std::vector<double> scaled(std::vector<double> values, double factor) {
    for (double& value : values)
        value *= factor;
    return values;
}

Series scaled(Series series, double factor) {
    series.y = scaled(std::move(series.y), factor);
    return series;
}

PlotBand plotBand(const QString& id, const QColor& color, const Band& band, double factor) {
    return {id, color, band.x, scaled(band.lower, factor), scaled(band.upper, factor)};
}

const ComparedRun* findRun(const std::vector<ComparedRun>& group, const std::string& id) {
    const auto found = std::find_if(group.begin(), group.end(), [&id](const ComparedRun& run) { return run.id == id; });
    return found == group.end() ? nullptr : &*found;
}

/// A - B at the samples both have; the comparison itself keeps only mean and band.
Series differenceOf(const Series& a, const Series& b) {
    const Aligned both = align({a, b});
    Series result{both.x, {}};
    for (std::size_t i = 0; i < both.x.size(); ++i)
        result.y.push_back(both.y[0][i] - both.y[1][i]);
    return result;
}

Series curveOf(const ComparedRun& run, std::optional<CompareMetric> metric) {
    return metric ? metricCurve(run, *metric) : run.trainLoss;
}

} // namespace

ComparePlots::ComparePlots(const Theme& theme, QWidget* parent)
    : Card(theme, tr("Curves"), parent), m_theme(theme), m_controls(new ComparePlotControls(theme, this)),
      m_accuracy(new PlotView(theme, this)), m_loss(new PlotView(theme, this)),
      m_accuracyDifference(new PlotView(theme, this)), m_lossDifference(new PlotView(theme, this)),
      m_note(new RoleLabel(theme, TextRole::Caption, {}, this)), m_grid(new QGridLayout) {
    m_grid->setSpacing(space::l);
    content()->addWidget(m_controls);
    content()->addLayout(m_grid);
    content()->addWidget(m_note);
    m_accuracy->setObjectName(QStringLiteral("compare.accuracy"));
    m_loss->setObjectName(QStringLiteral("compare.loss"));
    m_accuracyDifference->setObjectName(QStringLiteral("compare.accuracyDifference"));
    m_lossDifference->setObjectName(QStringLiteral("compare.lossDifference"));
    m_note->setObjectName(QStringLiteral("compare.curvesNote"));

    titleMetric(CompareMetric::TestAccuracy);
    for (PlotView* difference : {m_accuracyDifference, m_lossDifference})
        difference->setZeroLine(true);
    for (PlotView* plot : plots()) {
        plot->setMinimumHeight(kPlotHeight);
        plot->setFollow(true);
    }
    m_accuracy->setEmptyText(tr("No evaluation yet"));
    m_loss->setEmptyText(tr("No update yet"));
    m_accuracy->linkWith({m_loss, m_accuracyDifference, m_lossDifference});
    for (const PlotView* plot : {m_accuracy, m_loss})
        connect(plot, &PlotView::runPointedAt, this, &ComparePlots::runPointedAt);
    connect(&theme, &Theme::changed, this, &ComparePlots::fill);
    connect(m_controls, &ComparePlotControls::singlesToggled, this, [this](bool on) {
        m_singles = on;
        fill();
    });
    connect(m_controls, &ComparePlotControls::logDifferencesToggled, this, [this](bool on) {
        for (PlotView* difference : {m_accuracyDifference, m_lossDifference})
            difference->setSymmetricLogY(on);
    });
    arrange();
}

QString ComparePlots::differenceTitle(const QString& what) const {
    return m_family.members.size() > 1 ? tr("Difference of %1 from %2", "metric, letter of a group")
                                             .arg(what, comparison_text::groupLetter(m_family.reference))
                                       : tr("Difference of %1, %2").arg(what, pairText(0));
}

QString ComparePlots::pairText(std::size_t member) const {
    const std::size_t group = member < m_family.members.size() ? m_family.members[member].group : 0;
    return comparison_text::pairNames(m_input, group).difference();
}

void ComparePlots::titleMetric(CompareMetric metric) {
    const CurveAxis over = m_family.members.empty() ? CurveAxis::Samples : first().axis;
    const QString x = comparison_text::axisLabel(over);
    const QString axis = comparison_text::curveAxis(metric);
    const bool several = m_family.members.size() > 1;
    const QString difference = several ? tr("difference") : pairText(0);
    m_loss->setAxisTitles(x, tr("training loss"));
    m_lossDifference->setAxisTitles(x, difference);
    m_lossDifference->setTitle(differenceTitle(tr("training loss")));
    m_accuracy->setTitle(comparison_text::curveTitle(metric));
    m_accuracy->setAxisTitles(x, axis);
    m_accuracyDifference->setTitle(differenceTitle(format::message({curveCode(metric), {}})));
    m_accuracyDifference->setAxisTitles(x, metricRow(metric).isShare ? tr("%1 (points)").arg(difference) : difference);
    // Where the curve leaves room.
    m_accuracy->setLegendAlignment(Qt::AlignRight |
                                   (metricRow(metric).higherIsBetter ? Qt::AlignBottom : Qt::AlignTop));
}

void ComparePlots::setComparison(const ComparisonInput& input, const FamilyComparison& family, BandKind band,
                                 const CurveSmoothing& lossSmoothing) {
    if (family.members.empty())
        return;
    const CurveAxis axis = family.members.front().comparison.axis;
    if (m_family.members.empty() ? axis != CurveAxis::Samples : axis != first().axis)
        for (PlotView* plot : plots())
            plot->forgetZoom(); // 60,000 samples are no 60,000 seconds
    m_controls->showAxis(axis);
    m_controls->showBand(band);
    m_controls->showSmoothing(lossSmoothing);
    m_input = input;
    m_family = family;
    m_band = band;
    m_smoothing = lossSmoothing;
    fill();
    lookAsWanted();
}

ComparePlots::Look ComparePlots::look() const {
    Look now{m_controls->singles(), m_controls->logDifferences(), m_wanted};
    if (m_wanted.empty())
        for (const PlotView* plot : plots())
            now.viewpoints.push_back(plot->viewpoint());
    return now;
}

void ComparePlots::setLook(const Look& look) {
    m_controls->setSingles(look.singles);
    m_controls->setLogDifferences(look.logDifferences);
    m_wanted = look.viewpoints;
    if (!m_family.members.empty())
        lookAsWanted();
}

void ComparePlots::lookAsWanted() {
    const std::vector<PlotViewpoint> wanted = std::exchange(m_wanted, {});
    for (std::size_t i = 0; i < wanted.size(); ++i)
        plots()[i]->setViewpoint(wanted[i]);
}

void ComparePlots::fit() { m_accuracy->fit(); }

void ComparePlots::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    arrange();
}

void ComparePlots::arrange() {
    const int columns = width() >= kTwoColumns ? 2 : 1;
    if (columns == m_columns)
        return;
    m_columns = columns;
    // Side by side: arms above, differences below. Narrow: each metric's difference follows its arms.
    const std::vector<PlotView*> order = columns == 2
                                             ? std::vector{m_accuracy, m_loss, m_accuracyDifference, m_lossDifference}
                                             : std::vector{m_accuracy, m_accuracyDifference, m_loss, m_lossDifference};
    for (int i = 0; i < 4; ++i)
        m_grid->addWidget(order[static_cast<std::size_t>(i)], i / columns, i % columns);
    for (int i = 0; i < 2; ++i)
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
}

void ComparePlots::fillGroups(PlotView& plot, const Metric& metric, Band GroupCurves::*band) {
    const std::vector<GroupLook> looks = groupLooks(m_theme.colors(), m_input);
    std::vector<PlotCurve> curves;
    std::vector<PlotBand> bands;
    std::size_t points = 0;
    for (const GroupCurves& group : m_family.curves) {
        const GroupLook& look = looks[group.group];
        const QString id = comparison_text::groupLetter(group.group).toLower();
        const QString title = comparison_text::groupTitle(m_input, group.group);
        const Band& drawn = group.*band;
        PlotCurve line;
        line.color = look.color;
        line.dashes = look.dashes;
        line.mark = look.mark;
        if (m_singles)
            for (const ComparedRun& run : groupAt(m_input, group.group)) {
                PlotCurve& single = curves.emplace_back(line);
                single.run = QString::fromStdString(run.id);
                single.id = id + single.run;
                single.label = tr("%1, seed %2").arg(title).arg(run.seed);
                single.color = runColor(m_theme.colors(), run.color, look.color);
                single.thin = true;
                single.partOf = id;
                single.series = curveOf(run, metric.shown);
                points += single.series.size();
            }
        if (metric.smoothing.any()) {
            PlotCurve& raw = curves.emplace_back();
            raw.id = id + QStringLiteral("/raw");
            raw.label = tr("%1, mean of %2, not smoothed").arg(title).arg(drawn.n);
            raw.color = look.color;
            raw.thin = raw.raw = true;
            raw.partOf = id;
            raw.series = group.rawLoss;
            points += raw.series.size();
        }
        bands.push_back(plotBand(id, look.color, drawn, metric.factor));
        PlotCurve& mean = curves.emplace_back(line);
        mean.id = id;
        mean.label = tr("%1, mean of %2").arg(title).arg(drawn.n);
        mean.points = metric.points;
        mean.series = Series{drawn.x, drawn.mean};
        points += drawn.x.size();
    }
    plot.setBands(std::move(bands));
    plot.buildCurves(points, [curves = std::move(curves), smoothing = metric.smoothing, factor = metric.factor] {
        std::vector<PlotCurve> built = curves;
        for (PlotCurve& curve : built) {
            if (!curve.run.isEmpty() && smoothing.any()) // the mean is of smoothed curves already
                curve.series.y = smoothed(curve.series.y, smoothing);
            curve.series = scaled(std::move(curve.series), factor);
        }
        return built;
    });
}

/// The differences of every pair of one member of the family.
void ComparePlots::addSingleDifferences(const FamilyMember& member, const Metric& metric, const PlotCurve& line,
                                        std::vector<PlotCurve>& curves, std::vector<SingleDifference>& singles) const {
    for (const PairedResult& pair : member.comparison.pairs) {
        const ComparedRun* a = findRun(groupAt(m_input, member.group), pair.runA);
        const ComparedRun* b = findRun(groupAt(m_input, m_family.reference), pair.runB);
        if (a == nullptr || b == nullptr)
            continue;
        PlotCurve& single = curves.emplace_back(line);
        single.id = QStringLiteral("pair%1-%2").arg(member.group).arg(pair.seed);
        single.label = tr("seed %1").arg(pair.seed);
        single.thin = true;
        single.partOf = line.id;
        singles.push_back({curves.size() - 1, curveOf(*a, metric.shown), curveOf(*b, metric.shown)});
    }
}

void ComparePlots::fillDifferences(PlotView& plot, const Metric& metric, Band Comparison::*difference) {
    const bool several = m_family.members.size() > 1;
    const std::vector<GroupLook> looks = groupLooks(m_theme.colors(), m_input);
    std::vector<PlotCurve> curves;
    std::vector<PlotBand> bands;
    std::vector<SingleDifference> singles;
    std::size_t points = 0;
    for (std::size_t i = 0; i < m_family.members.size(); ++i) {
        const FamilyMember& member = m_family.members[i];
        const Band& band = member.comparison.*difference;
        PlotCurve line;
        line.color = m_theme.colors().difference;
        if (several) {
            const GroupLook& look = looks[member.group];
            line.color = look.color;
            line.dashes = look.dashes;
            line.mark = look.mark;
        }
        const QString id = QStringLiteral("difference%1").arg(member.group);
        line.id = id;
        if (m_singles)
            addSingleDifferences(member, metric, line, curves, singles);
        const QString mean = tr("mean of %n pair(s)", nullptr, static_cast<int>(band.n));
        line.label = several ? QStringLiteral("%1: %2").arg(pairText(i), mean) : mean;
        line.points = metric.points;
        line.series = Series{band.x, band.mean};
        points += band.x.size();
        bands.push_back(plotBand(id, line.color, band, metric.factor));
        curves.push_back(std::move(line));
    }
    plot.setBands(std::move(bands));
    const bool paired = std::ranges::any_of(
        m_family.members, [](const FamilyMember& member) { return !member.comparison.pairs.empty(); });
    plot.setEmptyText(paired ? tr("The curves of a pair share no part of this axis") : tr("No pair has finished yet"));
    const auto margin = commonMargin();
    plot.setMarginBand(metric.judged && margin ? std::optional(*margin * metric.factor) : std::nullopt);
    for (const SingleDifference& single : singles)
        points += single.a.size();
    plot.buildCurves(points, [curves = std::move(curves), singles = std::move(singles), factor = metric.factor] {
        std::vector<PlotCurve> built = curves;
        for (const SingleDifference& single : singles)
            built[single.curve].series = differenceOf(single.a, single.b);
        for (PlotCurve& curve : built)
            curve.series = scaled(std::move(curve.series), factor);
        return built;
    });
}

/// Defaults that follow from a group's mean may differ between the pairs.
std::optional<double> ComparePlots::commonMargin() const {
    const double margin = first().test.margin;
    for (const FamilyMember& member : m_family.members)
        if (member.comparison.test.margin != margin)
            return std::nullopt;
    return margin;
}

QString ComparePlots::differenceNote(CurveAxis axis) {
    switch (axis) {
    case CurveAxis::Updates:
        return tr("Differences use raw values at equal updates.");
    case CurveAxis::Epochs:
        return tr("Differences use raw values at equal epochs.");
    case CurveAxis::WallTime:
        return tr("Differences use raw values at equal wall time since the start of each run.");
    case CurveAxis::ActiveTime:
        return tr("Differences use raw values at equal active time.");
    case CurveAxis::Samples:
        break;
    }
    return tr("Differences use raw values at equal samples.");
}

void ComparePlots::fill() {
    if (m_family.members.empty())
        return;
    const CompareMetric judged = first().metric;
    const CompareMetric shown = first().shown;
    const bool bestToo = metricRow(judged).bestOf == shown;
    const Metric accuracy{shown, comparison_text::unitFactor(shown), {}, true, judged == shown || bestToo};
    const Metric loss{std::nullopt, 1.0, m_smoothing, false, judged == CompareMetric::TrainLoss};
    titleMetric(shown);
    fillGroups(*m_accuracy, accuracy, &GroupCurves::metric);
    fillGroups(*m_loss, loss, &GroupCurves::loss);
    fillDifferences(*m_accuracyDifference, accuracy, &Comparison::metricDifference);
    fillDifferences(*m_lossDifference, loss, &Comparison::lossDifference);
    m_loss->setTitle(lossTitle());
    m_note->setText(noteText((accuracy.judged || loss.judged) && commonMargin()));
}

QString ComparePlots::lossTitle() const {
    if (m_smoothing.half > 0)
        return tr("Training loss, smoothed (centred mean of %n window(s))", nullptr,
                  static_cast<int>(2 * m_smoothing.half + 1));
    return m_smoothing.beta > 0.0 ? tr("Training loss, smoothed (EMA %1)").arg(format::number(m_smoothing.beta, 3))
                                  : tr("Training loss");
}

QString ComparePlots::noteText(bool margin) const {
    std::size_t interpolated = 0;
    for (const FamilyMember& member : m_family.members)
        interpolated += member.comparison.interpolated;
    const std::size_t n = m_family.curves.front().metric.n;
    const bool sameN =
        std::ranges::all_of(m_family.curves, [n](const GroupCurves& group) { return group.metric.n == n; });
    QStringList notes;
    if (isOutlined(m_input))
        notes << tr("An outline for now: all points of the curves are still being read.");
    notes << tr("Band: %1.").arg(comparison_text::bandTitle(m_band, sameN ? n : 0));
    if (isTime(first().axis))
        notes << tr(
            "Means over seeds combine values after the same number of samples, drawn at the mean of their times.");
    notes << differenceNote(first().axis);
    if (interpolated > 0)
        notes << tr("%n value(s) had to be interpolated, inside the range that both curves of a pair share.", nullptr,
                    static_cast<int>(interpolated));
    if (margin)
        notes << tr("The shaded stripe around zero is the margin.") << comparison_text::stepNote(m_family);
    notes.removeAll(QString());
    return notes.join(QLatin1Char(' '));
}

} // namespace accumulus::ui
