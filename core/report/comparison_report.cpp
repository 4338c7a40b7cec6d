// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/comparison_report.h"

#include "core/analysis/noise_scale.h"
#include "core/analysis/noise_words.h"
#include "core/analysis/number_text.h"
#include "core/report/audit_section.h"
#include "core/report/metrics_table.h"
#include "core/report/report_parts.h"
#include "core/report/report_words.h"
#include "core/report/settings_section.h"
#include "core/report/small_figures.h"
#include "core/report/svg_canvas.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace accumulus {
namespace {

/// One report in the making: the input and how its groups are called.
class ComparisonReport {
public:
    explicit ComparisonReport(const ComparisonReportInput& input)
        : m_input(input), m_comparison(input.comparison), m_unit(metricUnit(input.comparison.metric)),
          m_metric(saidOf(metricCode(input.comparison.metric))) {
        const auto [a, b] = groupCodes(input.input);
        m_nameA = saidOf(a);
        m_nameB = saidOf(b);
        m_unit.difference = m_unit.differenceCode.empty() ? std::string() : saidOf(m_unit.differenceCode);
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
    void addDifference(const Band& band, const std::string& what, const std::string& yTitle, double factor,
                       bool margin);
    void addSeeds();
    void addNumbers();
    void addCost();
    void addNoise();
    void addNotes();
    void addCommands();

    [[nodiscard]] FigureSpec bandFigure(const Band& a, const Band& b, double factor) const;
    [[nodiscard]] std::string bandCaption(const Band& band, bool pairs = false) const;
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
    figure.xTitle = say("Training samples seen");
    if (a.n > 1)
        figure.bands.push_back(figureBand(a, colours::accumulated, factor));
    if (b.n > 1)
        figure.bands.push_back(figureBand(b, colours::largeBatch, factor));
    figure.curves = {meanCurve(a, say("{}, mean of {}", m_nameA, a.n), colours::accumulated, false, factor),
                     meanCurve(b, say("{}, mean of {}", m_nameB, b.n), colours::largeBatch, true, factor)};
    return figure;
}

std::string ComparisonReport::bandCaption(const Band& band, bool pairs) const {
    if (band.n <= 1)
        return {};
    const auto n = static_cast<std::int64_t>(band.n);
    return say(" Bands: {} over {}.", say(bandName(m_comparison.bandKind)),
               pairs ? counted(n, "{} pair", "{} pairs") : counted(n, "{} seed", "{} seeds"));
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
    std::string caption = say("Circle: mean difference. Bar: its 90 % interval. Grey: the margin.");
    if (!stepTellsMargin(test.step, test.margin))
        caption += say(" A single prediction changes the metric by more than the margin, so staying inside it does not "
                       "show equivalence.");
    add(ReportVerdict{test.verdict, said(m_comparison.headline),
                      messagesText(m_comparison.sentences, " ", reportLanguage()),
                      intervalSvg(test, m_unit.factor, m_unit.difference), caption});
    if (m_comparison.saving)
        add(ReportParagraph{said(*m_comparison.saving)});
    if (m_comparison.evaluationMemory)
        add(ReportParagraph{said(*m_comparison.evaluationMemory)});
    if (!m_comparison.warnings.empty()) {
        add(ReportHeading{say("Warnings")});
        add(ReportList{said(m_comparison.warnings)});
    }
    if (!m_comparison.unpaired.empty()) {
        add(ReportHeading{say("Runs that were not used")});
        add(ReportList{said(m_comparison.unpaired)});
    }
}

void ComparisonReport::addSplits() {
    const auto& [a, b] = std::tie(m_input.input.groupA, m_input.input.groupB);
    if (a.empty() || b.empty())
        return;
    add(ReportHeading{say("One update in each group")});
    for (const auto& [run, name] : {std::pair(&a.front(), m_nameA), std::pair(&b.front(), m_nameB)})
        if (auto bar = batchFigure(
                *run, say("{}: micro-batch × accumulation steps = {}.", capitalised(name), splitText(*run))))
            add(std::move(*bar));
}

void ComparisonReport::addDifference(const Band& band, const std::string& what, const std::string& yTitle,
                                     double factor, bool margin) {
    FigureSpec figure;
    figure.title = say("Difference in {}, {} − {}", what, m_nameA, m_nameB);
    figure.xTitle = say("Training samples seen");
    figure.yTitle = yTitle;
    figure.zeroLine = 0.0;
    if (margin && m_comparison.test.margin > 0.0)
        figure.marginBand = m_comparison.test.margin * factor;
    if (band.n > 1)
        figure.bands = {figureBand(band, colours::difference, factor)};
    figure.curves = {meanCurve(band,
                               say("mean of {}", counted(static_cast<std::int64_t>(band.n), "{} pair", "{} pairs")),
                               colours::difference, false, factor)};
    const std::string interpolated = m_comparison.interpolated > 0
                                         ? say(" {} values of the difference curves had to be interpolated.",
                                               countText(static_cast<std::int64_t>(m_comparison.interpolated)))
                                         : std::string();
    addFigure(m_document, figure,
              say("Difference per pair at equal samples, from unsmoothed values.{}{}", bandCaption(band, true),
                  interpolated));
}

void ComparisonReport::addMetricFigures() {
    const Comparison& c = m_comparison;
    const MetricUnit unit = metricUnit(c.shown);
    const std::string title = saidOf(curveCode(c.shown));
    FigureSpec figure = bandFigure(c.metricA, c.metricB, unit.factor);
    figure.title = capitalised(title);
    figure.yTitle = metricAxis(c.shown);
    const bool accuracy = c.shown == CompareMetric::TestAccuracy;
    addFigure(m_document, figure,
              (accuracy ? say("Accuracy on the test set.") : say("{} at each evaluation.", figure.title)) +
                  bandCaption(c.metricA));
    const bool judged = c.shown == c.metric || metricRow(c.metric).bestOf == c.shown;
    addDifference(c.metricDifference, title, metricRow(c.shown).isShare ? say("Percentage points") : figure.yTitle,
                  unit.factor, judged);
}

void ComparisonReport::addLossFigures() {
    const Comparison& c = m_comparison;
    FigureSpec figure = bandFigure(c.lossA, c.lossB, 1.0);
    figure.title = say("Training loss");
    figure.logY = allPositive(c.lossA.lower) && allPositive(c.lossB.lower);
    const auto& runs = m_input.input.groupA;
    const std::string axis = lossAxis(runs.empty() ? std::string("samples") : lossUnit(runs.front().config));
    figure.yTitle = axis + (figure.logY ? say(" (log scale)") : std::string());
    addFigure(m_document, figure, smoothingCaption(c.lossSmoothing) + bandCaption(c.lossA));
    addDifference(c.lossDifference, say("training loss"), axis, 1.0, c.metric == CompareMetric::TrainLoss);
}

void ComparisonReport::addSeeds() {
    const auto& pairs = m_comparison.pairs;
    if (pairs.empty())
        return;
    const int digits = decimals();
    const auto shown = [&](double value) { return saidNumber(numberText(value * m_unit.factor, digits)); };
    ReportTable table;
    table.caption = say("{} per seed", capitalised(m_metric)) +
                    (m_unit.value.empty() ? std::string() : say(", in %; the difference in percentage points"));
    table.header = {say("Seed"),       capitalised(m_nameA), capitalised(m_nameB),
                    say("Difference"), say("Samples"),       say("Updates")};
    table.numeric.assign(table.header.size(), true);
    const auto both = [](std::int64_t a, std::int64_t b) {
        return a == b ? countText(a) : countText(a) + " / " + countText(b);
    };
    std::vector<double> a;
    std::vector<double> b;
    for (const PairedResult& pair : pairs) {
        table.rows.push_back({std::to_string(pair.seed), shown(pair.a), shown(pair.b),
                              saidNumber(signedText(pair.difference * m_unit.factor, digits)),
                              both(pair.samplesA, pair.samplesB), both(pair.updatesA, pair.updatesB)});
        a.push_back(pair.a);
        b.push_back(pair.b);
    }
    const EquivalenceTest& test = m_comparison.test;
    table.rows.push_back({say("Mean"), shown(moments(a).mean), shown(moments(b).mean),
                          signedText(test.meanDifference * m_unit.factor, digits), "", ""});
    if (pairs.size() > 1)
        table.rows.push_back({say("SD"), shown(moments(a).sd), shown(moments(b).sd), shown(test.sdDifference), "", ""});
    add(ReportHeading{say("Each seed")});
    add(std::move(table));
}

void ComparisonReport::addNumbers() {
    const EquivalenceTest& test = m_comparison.test;
    if (test.n < 2)
        return;
    const int digits = std::clamp(decimalsFor(test.standardError * m_unit.factor, 3), 2, 9);
    const auto number = [&](double value) { return saidNumber(signedText(value * m_unit.factor, digits)); };
    const auto shown = [&](double value) { return number(value) + m_unit.difference; };
    const auto interval = [&](double lower, double upper) { return say("{} to {}", number(lower), shown(upper)); };
    const auto size = [&](double value, std::string (*text)(double, int) = numberText) {
        return saidNumber(text(value * m_unit.factor, digits)) + m_unit.difference;
    };
    const std::string set =
        m_input.input.marginSetAt > 0.0 ? say(", set {}", dateText(m_input.input.marginSetAt)) : std::string();
    const std::string own = m_input.input.margin > 0.0 ? std::string() : say(", the metric's default");
    const bool late = m_input.input.marginSetAfterResults && m_input.input.marginSetAt > 0.0;
    add(ReportHeading{say("The test in numbers")});
    ReportTable table{
        say("Two one-sided paired t tests (TOST) for equivalence, the two-sided paired t test for a difference"),
        {say("Quantity"), say("Value")},
        {{say("Pairs"), std::to_string(test.n)},
         {say("Mean difference"), shown(test.meanDifference)},
         {say("Standard error"), size(test.standardError)},
         {say("90 % interval"), interval(test.ci90Lower, test.ci90Upper)},
         {say("95 % interval"), interval(test.ci95Lower, test.ci95Upper)},
         {say("Margin"), fmt::format("±{:.6g}{}{}{}{}", test.margin * m_unit.factor, m_unit.difference, own, set,
                                     late ? say(", after the results were seen") : std::string())}},
        {}};
    std::ranges::move(probabilityRows(m_comparison), std::back_inserter(table.rows));
    if (!m_comparison.lost.any()) // else none would
        table.rows.push_back({smallestMarginTitle(m_comparison), size(test.smallestMargin, roundedUpText)});
    table.rows.push_back({say("Spread between seeds of one group (SD)"), size(m_comparison.seedSpread)});
    add(std::move(table));
    if (auto together = judgedTogetherTable(m_comparison))
        add(std::move(*together));
    add(ReportParagraph{
        say("Equivalence is shown when the whole 90 % interval lies inside the margin. A difference test that finds "
            "nothing does not show equality.")});
}

void ComparisonReport::addCost() {
    const auto& a = m_input.input.groupA;
    const auto& b = m_input.input.groupB;
    if (a.empty() || b.empty())
        return;
    const GroupCost costA = groupCost(a);
    const GroupCost costB = groupCost(b);
    const auto row = [&](const std::string& name, Spread GroupCost::*cost, std::string (*text)(double)) {
        const Spread &inA = costA.*cost, &inB = costB.*cost;
        const std::string ratio = inA.isKnown() && inB.isKnown() ? fmt::format("{:.2f}", inA.mean / inB.mean) : "–";
        return std::vector<std::string>{name, said(spreadMessage(inA, text)), said(spreadMessage(inB, text)), ratio};
    };
    ReportTable table{
        say("Mean over the runs of each group, with the lowest and the highest run; the ratio is first to "
            "second"),
        {say("Quantity"), capitalised(m_nameA), capitalised(m_nameB), say("Ratio")},
        {},
        {false, true, true, true}};
    table.rows.push_back(row(say("Training samples per second"), &GroupCost::samplesPerSecond,
                             [](double value) { return countText(std::llround(value)); }));
    table.rows.push_back(row(say("Active training time"), &GroupCost::activeSeconds,
                             [](double value) { return fmt::format("{:.1f} s", value); }));
    const auto ranks = rankCostRows(costA.ranks, costB.ranks);
    table.rows.push_back(
        row(ranks.empty() ? say("Peak tensor memory, training") : say("Peak tensor memory, training, of rank 0"),
            &GroupCost::peakBytes, bytesText));
    for (const RankCostRow& line : ranks)
        table.rows.push_back({saidOf(line.title), said(line.a), said(line.b), ""});
    add(ReportHeading{say("Speed and memory")});
    add(std::move(table));
    if (const auto busy = busyMachine({costA, costB}))
        add(ReportParagraph{said(*busy)});
}

/// Words of each group that has an estimate, and the curves of its runs.
void ComparisonReport::addNoise() {
    ReportTable table{say("From the second half of each run; with the multipliers of its effective batch"),
                      {say("Group"), say("Gradient noise scale B_simple")},
                      {},
                      {}};
    FigureSpec figure;
    figure.title = say("Gradient noise scale");
    figure.xTitle = say("Training samples seen");
    figure.logY = true;
    for (const auto& [group, name] :
         {std::pair(&m_input.input.groupA, &m_nameA), std::pair(&m_input.input.groupB, &m_nameB)}) {
        const auto noise = groupNoise(*group);
        table.rows.push_back(
            {capitalised(*name), noise ? said(noiseAdviceMessage(noise->scale, noise->effective, noise->unit))
                                       : say("none: one micro-batch a window")});
        const bool first = group == &m_input.input.groupA;
        // One colour for a group: its runs are told apart by how strong it is.
        const double step = group->size() > 1 ? 0.7 / static_cast<double>(group->size() - 1) : 0.0;
        double opacity = 1.0 + step;
        for (const ComparedRun& run : *group) {
            opacity -= step;
            if (run.noise.terms.empty())
                continue;
            figure.yTitle = say("B_simple in {} (log scale)", say(run.noise.unit));
            figure.curves.push_back({say("{}, seed {}", *name, run.seed),
                                     runColour(run, first ? colours::accumulated : colours::largeBatch), !first,
                                     opacity, 1.0, noiseCurve(run.noise)});
        }
    }
    if (figure.curves.empty())
        return;
    add(ReportHeading{say("Gradient noise scale")});
    add(std::move(table));
    addFigure(m_document, figure,
              say("B_simple = tr Sigma / |G|^2 (McCandlish et al. 2018) of each run, an order of magnitude: "
                  "ratio of the exponential averages with factor {} of both terms.",
                  noiseScaleBeta));
}

void ComparisonReport::addNotes() {
    if (m_input.notes.empty())
        return;
    add(ReportHeading{say("Notes")});
    for (const auto& [run, notes] : m_input.notes) {
        add(ReportParagraph{run});
        add(ReportCode{notes}); // as it was written, line by line
    }
}

void ComparisonReport::addCommands() {
    if (m_input.commandA.empty() && m_input.commandB.empty())
        return;
    add(ReportHeading{say("Reproduce")});
    for (const std::string& command : {m_input.commandA, m_input.commandB})
        if (!command.empty())
            add(ReportCode{command});
}

ReportDocument ComparisonReport::make() {
    const auto& a = m_input.input.groupA;
    const auto& b = m_input.input.groupB;
    m_document.title = !a.empty() && !b.empty() ? say("{} {} and {} {}", capitalised(m_nameA), splitText(a.front()),
                                                      m_nameB, splitText(b.front()))
                                                : say("Comparison");
    if (!m_input.study.empty())
        m_document.title = say("{}: {}", m_input.study, m_document.title);
    m_document.language = reportTag();
    m_document.pageWords = say("Page %1 of %2");
    m_document.subtitle = subtitleText(m_input.createdAt, a.empty() ? nullptr : &a.front());
    if (!m_input.question.empty())
        add(ReportParagraph{m_input.question});
    addVerdict();
    addSplits();
    add(ReportHeading{say("Curves")});
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
    addAudits(m_document, m_input.audits);
    addNotes();
    addCommands(); // before the long tables, which a page can end with
    addSettings(m_document, {m_nameA, m_nameB}, m_comparison.differences, m_input.commonSettings);
    std::vector<const ComparedRun*> runs;
    for (const auto* group : {&a, &b})
        for (const ComparedRun& run : *group)
            runs.push_back(&run);
    addEnvironment(m_document, runs);
    return std::move(m_document);
}

} // namespace

ReportDocument makeComparisonReport(const ComparisonReportInput& input) { return ComparisonReport(input).make(); }

} // namespace accumulus
