// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/compare_plots.h"

#include "widgets/models/comparison_text.h"
#include "widgets/style/format.h"

#include <QGridLayout>
#include <QResizeEvent>
#include <algorithm>
#include <utility>

namespace accumulus::ui {

struct ComparePlots::Metric {
    std::optional<CompareMetric> shown; ///< of evaluations; else the training loss
    double factor;                      ///< 100 for accuracies
    double smoothing;                   ///< of the raw curve of a single run
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

/// A run that is the large batch keeps its colour and dash when the arms are swapped.
bool isLargeBatch(const std::vector<ComparedRun>& group, bool otherwise) {
    return group.empty() ? otherwise : group.front().arm == Arm::LargeBatch;
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
    m_lossDifference->setTitle(tr("Difference of training loss, A − B"));
    for (PlotView* difference : {m_accuracyDifference, m_lossDifference}) {
        difference->setZeroLine(true);
        difference->setEmptyText(tr("No pair has finished yet"));
    }
    for (PlotView* plot : {m_accuracy, m_loss, m_accuracyDifference, m_lossDifference}) {
        plot->setMinimumHeight(kPlotHeight);
        plot->setFollow(true);
    }
    m_accuracy->setEmptyText(tr("No evaluation yet"));
    m_loss->setEmptyText(tr("No update yet"));
    m_accuracy->linkWith({m_loss, m_accuracyDifference, m_lossDifference});
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

void ComparePlots::titleMetric(CompareMetric metric) {
    const QString x = comparison_text::axisLabel(m_comparison.axis);
    const QString axis = comparison_text::curveAxis(metric);
    m_loss->setAxisTitles(x, tr("training loss"));
    m_lossDifference->setAxisTitles(x, tr("A − B"));
    m_accuracy->setTitle(comparison_text::curveTitle(metric));
    m_accuracy->setAxisTitles(x, axis);
    m_accuracyDifference->setTitle(tr("Difference of %1, A − B").arg(format::message({curveCode(metric), {}})));
    m_accuracyDifference->setAxisTitles(x, metricRow(metric).isShare ? tr("A − B (points)") : tr("A − B"));
    // Where the curve leaves room.
    m_accuracy->setLegendAlignment(Qt::AlignRight |
                                   (metricRow(metric).higherIsBetter ? Qt::AlignBottom : Qt::AlignTop));
}

void ComparePlots::setComparison(const ComparisonInput& input, const Comparison& comparison, BandKind band,
                                 double lossSmoothing) {
    if (comparison.axis != m_comparison.axis)
        for (PlotView* plot : {m_accuracy, m_loss, m_accuracyDifference, m_lossDifference})
            plot->forgetZoom(); // 60,000 samples are no 60,000 seconds
    m_controls->showAxis(comparison.axis);
    m_controls->showBand(band);
    m_input = input;
    m_comparison = comparison;
    m_band = band;
    m_smoothing = lossSmoothing;
    fill();
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

void ComparePlots::fillArms(PlotView& plot, const Metric& metric, const Band& a, const Band& b) {
    const ThemeColors& colors = m_theme.colors();
    std::vector<PlotCurve> curves;
    std::vector<PlotBand> bands;
    std::size_t points = 0;
    const auto addGroup = [&](const QString& id, const std::vector<ComparedRun>& group, const Band& band, bool large) {
        const QColor color = large ? colors.largeBatch : colors.accumulated;
        if (m_singles)
            for (const ComparedRun& run : group) {
                curves.push_back({.id = id + QString::fromStdString(run.id),
                                  .label = tr("%1, seed %2").arg(comparison_text::groupTitle(group)).arg(run.seed),
                                  .color = color,
                                  .dashed = large,
                                  .points = false,
                                  .thin = true,
                                  .series = curveOf(run, metric.shown)});
                points += curves.back().series.size();
            }
        points += band.x.size();
        bands.push_back(plotBand(id, color, band, metric.factor));
        curves.push_back({.id = id,
                          .label = tr("%1, mean of %2").arg(comparison_text::groupTitle(group)).arg(band.n),
                          .color = color,
                          .dashed = large,
                          .points = metric.points,
                          .thin = false,
                          .series = Series{band.x, band.mean}});
    };
    addGroup(QStringLiteral("a"), m_input.groupA, a, isLargeBatch(m_input.groupA, false));
    addGroup(QStringLiteral("b"), m_input.groupB, b, isLargeBatch(m_input.groupB, true));
    plot.setBands(std::move(bands));
    plot.buildCurves(points, [curves = std::move(curves), beta = metric.smoothing, factor = metric.factor] {
        std::vector<PlotCurve> built = curves;
        for (PlotCurve& curve : built) {
            if (curve.thin && beta > 0.0) // the mean is of smoothed curves already
                curve.series.y = debiasedEma(curve.series.y, beta);
            curve.series = scaled(std::move(curve.series), factor);
        }
        return built;
    });
}

void ComparePlots::fillDifference(PlotView& plot, const Metric& metric, const Band& difference) {
    const QColor color = m_theme.colors().difference;
    std::vector<PlotCurve> curves;
    std::vector<std::pair<Series, Series>> pairs; // of the first curves
    std::size_t points = difference.x.size();
    if (m_singles)
        for (const PairedResult& pair : m_comparison.pairs) {
            const ComparedRun* a = findRun(m_input.groupA, pair.runA);
            const ComparedRun* b = findRun(m_input.groupB, pair.runB);
            if (a == nullptr || b == nullptr)
                continue;
            curves.push_back({.id = QStringLiteral("pair%1").arg(pair.seed),
                              .label = tr("seed %1").arg(pair.seed),
                              .color = color,
                              .dashed = false,
                              .points = false,
                              .thin = true,
                              .series = {}});
            pairs.emplace_back(curveOf(*a, metric.shown), curveOf(*b, metric.shown));
            points += pairs.back().first.size();
        }
    curves.push_back({.id = QStringLiteral("mean"),
                      .label = tr("mean of %n pair(s)", nullptr, static_cast<int>(difference.n)),
                      .color = color,
                      .dashed = false,
                      .points = metric.points,
                      .thin = false,
                      .series = Series{difference.x, difference.mean}});
    plot.setBands({plotBand(QStringLiteral("difference"), color, difference, metric.factor)});
    plot.setMarginBand(metric.judged ? std::optional(m_comparison.test.margin * metric.factor) : std::nullopt);
    plot.buildCurves(points, [curves = std::move(curves), pairs = std::move(pairs), factor = metric.factor] {
        std::vector<PlotCurve> built = curves;
        for (std::size_t i = 0; i < pairs.size(); ++i)
            built[i].series = differenceOf(pairs[i].first, pairs[i].second);
        for (PlotCurve& curve : built)
            curve.series = scaled(std::move(curve.series), factor);
        return built;
    });
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
    if (m_input.groupA.empty() || m_input.groupB.empty())
        return;
    const CompareMetric judged = m_comparison.metric;
    const CompareMetric shown = m_comparison.shown;
    const bool bestToo = shown == CompareMetric::TestAccuracy && judged == CompareMetric::BestTestAccuracy;
    const Metric accuracy{shown, comparison_text::unitFactor(shown), 0.0, true, judged == shown || bestToo};
    const Metric loss{std::nullopt, 1.0, m_smoothing, false, judged == CompareMetric::TrainLoss};
    titleMetric(shown);
    fillArms(*m_accuracy, accuracy, m_comparison.metricA, m_comparison.metricB);
    fillArms(*m_loss, loss, m_comparison.lossA, m_comparison.lossB);
    fillDifference(*m_accuracyDifference, accuracy, m_comparison.metricDifference);
    fillDifference(*m_lossDifference, loss, m_comparison.lossDifference);
    m_loss->setTitle(m_smoothing > 0.0 ? tr("Training loss, smoothed (EMA %1)").arg(format::number(m_smoothing, 3))
                                       : tr("Training loss"));

    QStringList notes;
    notes << tr("Band: %1.").arg(comparison_text::bandTitle(m_band, m_comparison.metricA.n));
    notes << differenceNote(m_comparison.axis);
    if (m_comparison.interpolated > 0)
        notes << tr("%n value(s) had to be interpolated, inside the range that both curves of a pair share.", nullptr,
                    static_cast<int>(m_comparison.interpolated));
    if (accuracy.judged || loss.judged)
        notes << tr("The shaded stripe around zero is the margin.");
    m_note->setText(notes.join(QLatin1Char(' ')));
}

} // namespace accumulus::ui
