// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/comparison_report.h"

#include "core/analysis/noise_words.h"
#include "core/analysis/number_text.h"
#include "core/report/audit_section.h"
#include "core/report/metrics_table.h"
#include "core/report/report_parts.h"
#include "core/report/small_figures.h"
#include "core/report/svg_canvas.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace accumulus {
namespace {

/// One report in the making: the input and how its groups are called.
class ComparisonReport {
public:
    explicit ComparisonReport(const ComparisonReportInput& input)
        : m_input(input), m_comparison(input.comparison), m_unit(metricUnit(input.comparison.metric)),
          m_metric(metricTitle(input.comparison.metric)) {
        std::tie(m_nameA, m_nameB) = groupNames(input.input);
    }

    ReportDocument make();

private:
    template <class Block>
    void add(Block block) {
        m_document.blocks.emplace_back(std::move(block));
    }
    void addVerdict();
    void addSplits();
    void addMetricFigures();
    void addLossFigures();
    void addDifference(const Band& band, const char* what, const char* yTitle, double factor, bool margin);
    void addSeeds();
    void addNumbers();
    void addCost();
    void addNoise();
    void addSettings();
    void addEnvironment();
    void addCommands();

    [[nodiscard]] FigureSpec bandFigure(const Band& a, const Band& b, double factor) const;
    [[nodiscard]] std::string bandCaption(const Band& band, const char* noun = "seed") const;
    [[nodiscard]] int decimals() const;

    const ComparisonReportInput& m_input;
    const Comparison& m_comparison;
    MetricUnit m_unit;
    std::string m_metric, m_nameA, m_nameB;
    ReportDocument m_document;
};

FigureBand figureBand(const Band& band, const char* colour, double factor) {
    FigureBand result{colour, band.x, band.lower, band.upper};
    for (auto* side : {&result.lower, &result.upper})
        for (double& y : *side)
            y *= factor;
    return result;
}

FigureCurve meanCurve(const Band& band, std::string label, const char* colour, bool dashed, double factor) {
    return {std::move(label), colour, dashed, 1.0, 1.5, scaled({band.x, band.mean}, factor)};
}

FigureSpec ComparisonReport::bandFigure(const Band& a, const Band& b, double factor) const {
    FigureSpec figure;
    figure.xTitle = "Training samples seen";
    if (a.n > 1)
        figure.bands.push_back(figureBand(a, colours::accumulated, factor));
    if (b.n > 1)
        figure.bands.push_back(figureBand(b, colours::largeBatch, factor));
    figure.curves = {meanCurve(a, fmt::format("{}, mean of {}", m_nameA, a.n), colours::accumulated, false, factor),
                     meanCurve(b, fmt::format("{}, mean of {}", m_nameB, b.n), colours::largeBatch, true, factor)};
    return figure;
}

std::string ComparisonReport::bandCaption(const Band& band, const char* noun) const {
    return band.n > 1 ? fmt::format(" Bands: {} over {}.", bandName(m_comparison.bandKind), pluralText(band.n, noun))
                      : "";
}

/// Decimals of the metric in tables: two more digits than the spread or the difference needs to be seen.
int ComparisonReport::decimals() const {
    const double spread =
        m_comparison.seedSpread > 0.0 ? m_comparison.seedSpread : std::abs(m_comparison.test.meanDifference);
    const double scale = spread > 0.0 ? spread : m_comparison.test.margin;
    return std::clamp(decimalsFor(scale * m_unit.factor), 2, 9);
}

void ComparisonReport::addVerdict() {
    const EquivalenceTest& test = m_comparison.test;
    const double f = m_unit.factor;
    add(ReportVerdict{test.verdict, messageText(m_comparison.headline), verdictText(m_comparison),
                      test.n == 0 ? std::string()
                                  : intervalSvg(test.ci90Lower * f, test.meanDifference * f, test.ci90Upper * f,
                                                test.margin * f, 560.0, 72.0, m_unit.difference)});
    if (m_comparison.saving)
        add(ReportParagraph{messageText(*m_comparison.saving)});
    if (!m_comparison.warnings.empty()) {
        add(ReportHeading{"Warnings"});
        add(ReportList{sentencesOf(m_comparison.warnings)});
    }
    if (!m_comparison.unpaired.empty()) {
        add(ReportHeading{"Runs that were not used"});
        add(ReportList{sentencesOf(m_comparison.unpaired)});
    }
}

void ComparisonReport::addSplits() {
    const auto& [a, b] = std::tie(m_input.input.groupA, m_input.input.groupB);
    if (a.empty() || b.empty())
        return;
    add(ReportHeading{"One update in each group"});
    for (const auto& [run, name] : {std::pair(&a.front(), m_nameA), std::pair(&b.front(), m_nameB)})
        if (auto bar = batchFigure(
                *run, fmt::format("{}: micro-batch × accumulation steps = {}.", capitalised(name), splitText(*run))))
            add(std::move(*bar));
}

void ComparisonReport::addDifference(const Band& band, const char* what, const char* yTitle, double factor,
                                     bool margin) {
    FigureSpec figure;
    figure.title = fmt::format("Difference in {}, {} − {}", what, m_nameA, m_nameB);
    figure.xTitle = "Training samples seen";
    figure.yTitle = yTitle;
    figure.zeroLine = 0.0;
    if (margin && m_comparison.test.margin > 0.0)
        figure.marginBand = m_comparison.test.margin * factor;
    if (band.n > 1)
        figure.bands = {figureBand(band, colours::difference, factor)};
    figure.curves = {
        meanCurve(band, fmt::format("mean of {}", pluralText(band.n, "pair")), colours::difference, false, factor)};
    const std::string interpolated = m_comparison.interpolated > 0
                                         ? fmt::format(" {} values of the difference curves had to be interpolated.",
                                                       countText(static_cast<std::int64_t>(m_comparison.interpolated)))
                                         : "";
    addFigure(m_document, figure,
              fmt::format("Difference per pair at equal samples, from unsmoothed values.{}{}",
                          bandCaption(band, "pair"), interpolated));
}

void ComparisonReport::addMetricFigures() {
    const Comparison& c = m_comparison;
    const MetricUnit unit = metricUnit(c.shown);
    const std::string title = curveTitle(c.shown);
    FigureSpec figure = bandFigure(c.metricA, c.metricB, unit.factor);
    figure.title = capitalised(title);
    figure.yTitle = metricAxis(c.shown);
    const bool accuracy = c.shown == CompareMetric::TestAccuracy;
    addFigure(m_document, figure,
              (accuracy ? "Accuracy on the test set." : figure.title + " at each evaluation.") +
                  bandCaption(c.metricA));
    const bool judged =
        c.shown == c.metric || (accuracy && metricRow(c.metric).isShare && c.metric != CompareMetric::TestTop5);
    addDifference(c.metricDifference, title.c_str(),
                  metricRow(c.shown).isShare ? "Percentage points" : figure.yTitle.c_str(), unit.factor, judged);
}

void ComparisonReport::addLossFigures() {
    const Comparison& c = m_comparison;
    FigureSpec figure = bandFigure(c.lossA, c.lossB, 1.0);
    figure.title = "Training loss";
    figure.logY = allPositive(c.lossA.lower) && allPositive(c.lossB.lower);
    figure.yTitle = figure.logY ? "Loss per sample (log scale)" : "Loss per sample";
    const std::string smoothing =
        c.lossSmoothing > 0.0
            ? fmt::format(
                  "Each run's loss per window, smoothed over all windows by a debiased exponential average with factor "
                  "{}; the difference below is unsmoothed.",
                  c.lossSmoothing)
            : std::string("Loss per window, unsmoothed.");
    addFigure(m_document, figure, smoothing + bandCaption(c.lossA));
    addDifference(c.lossDifference, "training loss", "Loss per sample", 1.0, c.metric == CompareMetric::TrainLoss);
}

void ComparisonReport::addSeeds() {
    const auto& pairs = m_comparison.pairs;
    if (pairs.empty())
        return;
    const int digits = decimals();
    const auto shown = [&](double value) { return numberText(value * m_unit.factor, digits); };
    ReportTable table;
    table.caption = capitalised(m_metric) + " per seed" +
                    (m_unit.value.empty() ? "" : ", in %; the difference in percentage points");
    table.header = {"Seed", capitalised(m_nameA), capitalised(m_nameB), "Difference", "Samples", "Updates"};
    table.numeric.assign(table.header.size(), true);
    const auto both = [](std::int64_t a, std::int64_t b) {
        return a == b ? countText(a) : countText(a) + " / " + countText(b);
    };
    std::vector<double> a;
    std::vector<double> b;
    for (const PairedResult& pair : pairs) {
        table.rows.push_back({std::to_string(pair.seed), shown(pair.a), shown(pair.b),
                              signedText(pair.difference * m_unit.factor, digits), both(pair.samplesA, pair.samplesB),
                              both(pair.updatesA, pair.updatesB)});
        a.push_back(pair.a);
        b.push_back(pair.b);
    }
    const EquivalenceTest& test = m_comparison.test;
    table.rows.push_back({"Mean", shown(moments(a).mean), shown(moments(b).mean),
                          signedText(test.meanDifference * m_unit.factor, digits), "", ""});
    if (pairs.size() > 1)
        table.rows.push_back({"SD", shown(moments(a).sd), shown(moments(b).sd), shown(test.sdDifference), "", ""});
    add(ReportHeading{"Each seed"});
    add(std::move(table));
}

void ComparisonReport::addNumbers() {
    const EquivalenceTest& test = m_comparison.test;
    if (test.n < 2)
        return;
    const int digits = std::clamp(decimalsFor(test.standardError * m_unit.factor, 3), 2, 9);
    const auto shown = [&](double value) { return signedText(value * m_unit.factor, digits) + m_unit.difference; };
    const auto interval = [&](double lower, double upper) {
        return fmt::format("{} to {}", signedText(lower * m_unit.factor, digits), shown(upper));
    };
    const auto size = [&](double value) { return numberText(value * m_unit.factor, digits) + m_unit.difference; };
    const std::string set = m_input.input.marginSetAt > 0.0 ? ", set " + dateText(m_input.input.marginSetAt) : "";
    const char* late = !m_input.input.marginSetAfterResults ? ""
                       : m_input.input.marginSetAt <= 0.0   ? ", the metric's default"
                                                            : ", after the results were seen";
    add(ReportHeading{"The test in numbers"});
    add(ReportTable{
        "Two one-sided paired t tests (TOST) for equivalence, the two-sided paired t test for a difference",
        {"Quantity", "Value"},
        {{"Pairs", std::to_string(test.n)},
         {"Mean difference", shown(test.meanDifference)},
         {"Standard error", size(test.standardError)},
         {"90 % interval", interval(test.ci90Lower, test.ci90Upper)},
         {"95 % interval", interval(test.ci95Lower, test.ci95Upper)},
         {"Margin", fmt::format("±{:.6g}{}{}{}", test.margin * m_unit.factor, m_unit.difference, set, late)},
         {"p of the equivalence test", shortText(test.pEquivalence)},
         {"p of the difference test", shortText(test.pDifference)},
         {"Significance level", shortText(test.alpha)},
         {m_comparison.together.empty() ? "Smallest margin that would pass"
                                        : "Smallest margin that would pass, if judged alone",
          size(test.smallestMargin)},
         {"Spread between seeds of one group (SD)", size(m_comparison.seedSpread)}},
        {}});
    if (auto together = judgedTogetherTable(m_comparison))
        add(std::move(*together));
    add(ReportParagraph{
        "Equivalence is shown when the whole 90 % interval lies inside the margin. A difference test that finds "
        "nothing does not show equality."});
}

void ComparisonReport::addCost() {
    const auto& a = m_input.input.groupA;
    const auto& b = m_input.input.groupB;
    if (a.empty() || b.empty())
        return;
    const GroupCost costA = groupCost(a);
    const GroupCost costB = groupCost(b);
    const auto row = [&](const char* name, double GroupCost::*mean, std::string (*text)(double)) {
        const double meanA = costA.*mean;
        const double meanB = costB.*mean;
        const std::string ratio = meanA > 0.0 && meanB > 0.0 ? fmt::format("{:.2f}", meanA / meanB) : std::string("–");
        return std::vector<std::string>{name, text(meanA), text(meanB), ratio};
    };
    ReportTable table{"Mean over the runs of each group; the ratio is first to second",
                      {"Quantity", capitalised(m_nameA), capitalised(m_nameB), "Ratio"},
                      {},
                      {false, true, true, true}};
    table.rows.push_back(row("Training samples per second", &GroupCost::samplesPerSecond,
                             [](double value) { return countText(std::llround(value)); }));
    table.rows.push_back(row("Active training time", &GroupCost::activeSeconds,
                             [](double value) { return fmt::format("{:.1f} s", value); }));
    const auto ranks = rankCostRows(costA.ranks, costB.ranks);
    table.rows.push_back(row(ranks.empty() ? "Peak tensor memory, training" : "Peak tensor memory, training, of rank 0",
                             &GroupCost::peakBytes, bytesText));
    for (const RankCostRow& line : ranks)
        table.rows.push_back({std::string(messageWords(line.title)), messageText(line.a), messageText(line.b), ""});
    add(ReportHeading{"Speed and memory"});
    add(std::move(table));
}

/// Words of each group that has an estimate, and the curves of its runs.
void ComparisonReport::addNoise() {
    ReportTable table{"From the second half of each run; with the multipliers of its effective batch",
                      {"Group", "Gradient noise scale B_simple"},
                      {},
                      {}};
    FigureSpec figure;
    figure.title = "Gradient noise scale";
    figure.xTitle = "Training samples seen";
    figure.logY = true;
    for (const auto& [group, name] :
         {std::pair(&m_input.input.groupA, &m_nameA), std::pair(&m_input.input.groupB, &m_nameB)}) {
        const auto noise = groupNoise(*group);
        table.rows.push_back({capitalised(*name), noise ? noiseAdviceWords(noise->scale, noise->effective, noise->unit)
                                                        : "none: one micro-batch a window"});
        const bool first = group == &m_input.input.groupA;
        for (const ComparedRun& run : *group) {
            if (run.noise.terms.empty())
                continue;
            figure.yTitle = fmt::format("B_simple in {} (log scale)", run.noise.unit);
            figure.curves.push_back({fmt::format("{}, seed {}", *name, run.seed),
                                     first ? colours::accumulated : colours::largeBatch, !first, 0.7, 1.0,
                                     noiseCurve(run.noise)});
        }
    }
    if (figure.curves.empty())
        return;
    add(ReportHeading{"Gradient noise scale"});
    add(std::move(table));
    addFigure(m_document, figure,
              fmt::format("B_simple = tr Sigma / |G|^2 (McCandlish et al. 2018) of each run, an order of magnitude: "
                          "ratio of the exponential averages with factor {} of both terms.",
                          noiseScaleBeta));
}

void ComparisonReport::addSettings() {
    add(ReportHeading{"Settings that differ"});
    if (m_comparison.differences.empty()) {
        add(ReportParagraph{"None."});
        return;
    }
    ReportTable table{"", {"Setting", capitalised(m_nameA), capitalised(m_nameB), "Expected between partners"}, {}, {}};
    for (const bool expected : {false, true})
        for (const FieldDifference& difference : m_comparison.differences)
            if (difference.expected == expected)
                table.rows.push_back({difference.key, difference.a, difference.b, expected ? "yes" : "no"});
    add(std::move(table));
}

void ComparisonReport::addEnvironment() {
    std::vector<std::string> order;
    std::map<std::string, std::vector<std::string>> values;
    for (const auto* group : {&m_input.input.groupA, &m_input.input.groupB})
        for (const ComparedRun& run : *group)
            for (const auto& [key, value] : run.environment) {
                if (!values.contains(key))
                    order.push_back(key);
                auto& known = values[key];
                if (std::find(known.begin(), known.end(), value) == known.end())
                    known.push_back(value);
            }
    if (order.empty())
        return;
    ReportTable table{"", {"Part", "Value"}, {}, {}};
    for (const std::string& key : order)
        table.rows.push_back({key, fmt::format("{}", fmt::join(values[key], " / "))});
    add(ReportHeading{"Environment"});
    add(std::move(table));
}

void ComparisonReport::addCommands() {
    if (m_input.commandA.empty() && m_input.commandB.empty())
        return;
    add(ReportHeading{"Reproduce"});
    for (const std::string& command : {m_input.commandA, m_input.commandB})
        if (!command.empty())
            add(ReportCode{command});
}

ReportDocument ComparisonReport::make() {
    const auto& a = m_input.input.groupA;
    const auto& b = m_input.input.groupB;
    m_document.title = !a.empty() && !b.empty() ? fmt::format("{} {} and {} {}", capitalised(m_nameA),
                                                              splitText(a.front()), m_nameB, splitText(b.front()))
                                                : "Comparison";
    m_document.subtitle = subtitleText(m_input.createdAt, a.empty() ? nullptr : &a.front());
    if (!m_input.question.empty())
        add(ReportParagraph{m_input.question});
    addVerdict();
    addSplits();
    add(ReportHeading{"Curves"});
    const Comparison& c = m_comparison;
    const bool metricFirst =
        c.shown == c.metric || metricRow(c.metric).isShare; // what is judged comes before the training loss
    if (metricFirst)
        addMetricFigures();
    addLossFigures();
    if (!metricFirst)
        addMetricFigures();
    addSeeds();
    addNumbers();
    addCost();
    addNoise();
    addSettings();
    addEnvironment();
    addCommands();
    return std::move(m_document);
}

} // namespace

ReportDocument makeComparisonReport(const ComparisonReportInput& input) { return ComparisonReport(input).make(); }

} // namespace accumulus
