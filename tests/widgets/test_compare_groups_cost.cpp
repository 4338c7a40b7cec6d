// SPDX-License-Identifier: GPL-3.0-or-later
// Cost, and settings with the metric, of more than two groups: bars, ratios, ranks, marks and legends of each.
#include "core/analysis/compare_family.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/models/comparison_text.h"
#include "widgets/models/setting_run_model.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/plots/cost_bars.h"
#include "widgets/plots/group_look.h"
#include "widgets/plots/settings_plot.h"
#include "widgets/style/format.h"

#include <QImage>
#include <QLabel>
#include <QPainter>
#include <algorithm>
#include <set>

namespace test_compare_groups_cost {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

/// Two completed runs of a speed and a peak of memory.
std::vector<ComparedRun> groupOf(Arm arm, std::int64_t micro, double speed, std::int64_t bytes) {
    std::vector<ComparedRun> runs;
    for (std::int64_t seed = 0; seed < 2; ++seed) {
        ComparedRun& run = runs.emplace_back();
        run.id = run.name = std::to_string(micro) + ' ' + std::to_string(seed);
        run.arm = arm;
        run.seed = seed;
        run.complete = true;
        run.config.batch.effective = 256;
        run.config.batch.micro = micro;
        run.batch = resolveBatch(run.config.batch).value();
        run.samplesPerSecond = speed;
        run.peakBytes = bytes;
        run.ends.testAccuracy = 0.9 + 0.001 * static_cast<double>(micro) + 0.01 * static_cast<double>(seed);
    }
    return runs;
}

ComparisonInput inputOf(std::size_t groups) {
    ComparisonInput input;
    input.groupA = groupOf(Arm::Accumulated, 32, 500.0, 20'000'000);
    input.groupB = groupOf(Arm::LargeBatch, 256, 1000.0, 80'000'000);
    const std::int64_t micros[] = {64, 128, 16, 8, 4, 2};
    for (std::size_t group = 2; group < groups; ++group)
        input.further.push_back(groupOf(Arm::Accumulated, micros[group - 2], 250.0, 40'000'000));
    return input;
}

SettingsFigure figureOf(const ComparisonInput& input, SettingsView view) {
    SettingsFigure figure;
    figure.axes = settingAxes(input);
    figure.view = view;
    figure.looks = withoutMeasurements(input);
    for (std::size_t group = 0; group < groupCount(input); ++group)
        figure.groups << comparison_text::groupTitle(groupAt(input, group));
    return figure;
}

constexpr QSize pictureSize(720, 420);

QImage paint(const SettingsFigure& figure) {
    QImage image(pictureSize, QImage::Format_RGB32);
    image.fill(lightColors().card);
    QPainter painter(&image);
    SettingsPicture(figure, {lightColors(), QFont(), QFont(), &image}, QSizeF(pictureSize)).paint(painter);
    return image;
}

/// Whether the picture has a pixel of exactly this colour.
bool has(const QImage& image, const QColor& color) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) == color.rgb())
                return true;
    return false;
}

} // namespace

class TestCompareGroupsCost : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void cleanup() { m_cost.reset(); }

    void theRangeOverTheSeedsStandsBelowTheBar();
    void aBusyMachineIsTold();
    void twoGroupsHaveOneRatio();
    void eachGroupHasABarAndItsRatio();
    void theRatiosOfAColumnHaveTheSameDecimals();
    void theRatiosFollowTheReference();
    void groupsThatGoLeaveNoBars();
    void ranksOfEachGroup();
    void barsAreInTheLookOfTheirGroup();
    void runsOfEveryGroupAreMarked();
    void theLegendNamesEveryGroup();
    void groupsStandSideBySideOverWords();
    void thePageShowsAllGroups();

private:
    [[nodiscard]] QLabel* label(const char* name) const { return child<QLabel>(*m_cost, name); }
    void show(const ComparisonInput& input) {
        m_cost = std::make_unique<CostBars>(m_theme);
        m_cost->resize(420, 600);
        m_cost->setInput(input);
        m_cost->show();
    }

    Theme m_theme{*qApp};
    std::unique_ptr<CostBars> m_cost;
};

void TestCompareGroupsCost::theRangeOverTheSeedsStandsBelowTheBar() {
    ComparisonInput input = inputOf(2);
    input.groupA[0].samplesPerSecond = 400.0;
    input.groupA[1].samplesPerSecond = 600.0;
    show(input);
    QCOMPARE(label("compare.speedA")->text(), format::rate(500.0)); // the mean
    const QString range = QStringLiteral("%1 to %2 over the seeds").arg(format::rate(400.0), format::rate(600.0));
    QCOMPARE(label("compare.speedRangeA")->text(), range);
    QVERIFY(label("compare.speedRangeA")->isVisible());
    // Where all runs are alike there is nothing to tell.
    QVERIFY(!label("compare.speedRangeB")->isVisible() && !label("compare.memoryRangeA")->isVisible());
}

void TestCompareGroupsCost::aBusyMachineIsTold() {
    ComparisonInput input = inputOf(3);
    show(input);
    QVERIFY(!label("compare.busy")->isVisible());
    input.further[0][1].ends.othersShare = 0.43;
    m_cost->setInput(input);
    QVERIFY(label("compare.busy")->isVisible());
    QVERIFY2(label("compare.busy")->text().contains(QStringLiteral("43 %")), qPrintable(label("compare.busy")->text()));
    input.further[0][1].ends.othersShare = 0.05;
    m_cost->setInput(input);
    QVERIFY(!label("compare.busy")->isVisible());
}

void TestCompareGroupsCost::twoGroupsHaveOneRatio() {
    show(inputOf(2));
    QCOMPARE(label("compare.speedNameA")->text(), QString::fromUtf8("accumulated 32 × 8"));
    QCOMPARE(label("compare.speedRatio")->text(), QString("A / B = 0.5"));
    QCOMPARE(label("compare.memoryRatio")->text(), QString("A / B = 0.25"));
    QCOMPARE(label("compare.speedRatio")->accessibleName(),
             QString::fromUtf8("Accumulated 32 × 8 trains at 0.5 times the speed of large batch 256 × 1."));
    QVERIFY(!label("compare.speedRatioA")->isVisible() && !label("compare.speedRatioB")->isVisible());
    QVERIFY(m_cost->findChild<QLabel*>("compare.speedNameC") == nullptr);
}

void TestCompareGroupsCost::eachGroupHasABarAndItsRatio() {
    show(inputOf(3));
    QVERIFY(label("compare.speedRatio")->text().isEmpty());
    QCOMPARE(label("compare.speedNameC")->text(), QString("C"));
    QCOMPARE(label("compare.speedNameC")->toolTip(), QString::fromUtf8("C (accumulated 64 × 4)"));
    QCOMPARE(label("compare.speedC")->text(), format::rate(250.0));
    QCOMPARE(label("compare.speedRatioA")->text(), QString::fromUtf8("0.50 × B"));
    QCOMPARE(label("compare.speedRatioC")->text(), QString::fromUtf8("0.25 × B"));
    QVERIFY(label("compare.speedRatioB")->text().isEmpty()); // the reference
    QCOMPARE(label("compare.memoryRatioC")->text(), QString::fromUtf8("0.50 × B"));
    QCOMPARE(label("compare.memoryRatioC")->accessibleName(),
             QString::fromUtf8("C (accumulated 64 × 4) needs 0.5 times the memory of B (large batch 256 × 1)."));
    QVERIFY(label("compare.memoryRatioC")->isVisible());
}

void TestCompareGroupsCost::theRatiosOfAColumnHaveTheSameDecimals() {
    ComparisonInput input = inputOf(4); // speeds 500, 1000, 250, 250 and peaks 20, 80, 40, 40 MB
    for (ComparedRun& run : input.groupA)
        run.samplesPerSecond = 1100.0;
    for (ComparedRun& run : input.further[0])
        run.samplesPerSecond = 1050.0;
    for (ComparedRun& run : input.further[1])
        run.samplesPerSecond = 2000.0;
    for (ComparedRun& run : input.groupA)
        run.peakBytes = 160'000'000;
    for (std::vector<ComparedRun>& group : input.further)
        for (ComparedRun& run : group)
            run.peakBytes = 240'000'000;
    show(input);
    QCOMPARE(label("compare.speedRatioA")->text(), QString::fromUtf8("1.10 × B"));
    QCOMPARE(label("compare.speedRatioC")->text(), QString::fromUtf8("1.05 × B"));
    QCOMPARE(label("compare.speedRatioD")->text(), QString::fromUtf8("2.00 × B"));
    // A column of whole numbers needs none; each column for itself.
    QCOMPARE(label("compare.memoryRatioA")->text(), QString::fromUtf8("2 × B"));
    QCOMPARE(label("compare.memoryRatioD")->text(), QString::fromUtf8("3 × B"));
    // In a sentence there is nothing to line up with.
    QVERIFY2(label("compare.speedRatioA")->accessibleName().contains("at 1.1 times the speed"),
             qPrintable(label("compare.speedRatioA")->accessibleName()));
    // A group that was not measured stays empty and does not count.
    for (ComparedRun& run : input.further[0])
        run.samplesPerSecond = 0.0;
    m_cost->setInput(input);
    QVERIFY(label("compare.speedRatioC")->text().isEmpty());
    QCOMPARE(label("compare.speedRatioA")->text(), QString::fromUtf8("1.1 × B"));
    QCOMPARE(label("compare.speedRatioD")->text(), QString::fromUtf8("2.0 × B"));
}

void TestCompareGroupsCost::theRatiosFollowTheReference() {
    ComparisonInput input = inputOf(3);
    input.reference = 2;
    show(input);
    QCOMPARE(label("compare.speedRatioB")->text(), QString::fromUtf8("4 × C"));
    QVERIFY(label("compare.speedRatioC")->text().isEmpty());
}

void TestCompareGroupsCost::groupsThatGoLeaveNoBars() {
    show(inputOf(8));
    QVERIFY(label("compare.speedNameH")->isVisible());
    QVERIFY(m_cost->minimumSizeHint().width() < 420); // beside the verdict there is no more room
    ComparisonInput input = inputOf(4);
    input.further[0].clear(); // to be filled
    m_cost->setInput(input);
    QVERIFY(!label("compare.speedNameH")->isVisible() && !label("compare.memoryH")->isVisible());
    QVERIFY(!label("compare.speedNameC")->isVisible() && label("compare.speedNameD")->isVisible());
    m_cost->setInput(inputOf(2));
    QCOMPARE(label("compare.speedRatio")->text(), QString("A / B = 0.5"));
    QVERIFY(!label("compare.speedRatioA")->isVisible() && !label("compare.speedNameD")->isVisible());
}

void TestCompareGroupsCost::ranksOfEachGroup() {
    ComparisonInput input = inputOf(5);
    for (const std::size_t group : {std::size_t{0}, std::size_t{2}}) // C and E
        for (ComparedRun& run : input.further[group])
            run.rankCost = RankCost{static_cast<std::int64_t>(group) + 2, 4.0, 100'000.0, {}, 0.1, 0.05, 1};
    show(input);
    QCOMPARE(label("compare.ranks.0.3")->text(), QString("C"));
    QCOMPARE(label("compare.ranks.1.1")->text(), QString("1"));
    QCOMPARE(label("compare.ranks.1.3")->text(), QString("2"));
    QCOMPARE(label("compare.ranks.1.5")->text(), QString("4"));
    QCOMPARE(label("compare.ranks.2.5")->text(), QString("100 kB"));
    QCOMPARE(label("compare.ranks.2.4")->text(), QString::fromUtf8("–"));
    QCOMPARE(label("compare.ranks.1.00")->text(), label("compare.ranks.1.0")->text()); // titles again, for D and E
    QVERIFY(label("compare.ranks.1.5")->isVisible());
    m_cost->setInput(inputOf(5));
    QVERIFY(!label("compare.ranks.1.5")->isVisible());
}

void TestCompareGroupsCost::barsAreInTheLookOfTheirGroup() {
    const ComparisonInput input = inputOf(3);
    show(input);
    const std::vector<GroupLook> looks = groupLooks(m_theme.colors(), input);
    const QStringList letters{"A", "B", "C"};
    for (qsizetype group = 0; group < letters.size(); ++group) {
        const QImage bar = m_cost->findChild<QWidget*>(QString("compare.speedBar") + letters[group])->grab().toImage();
        for (qsizetype other = 0; other < letters.size(); ++other)
            QCOMPARE(has(bar, looks[static_cast<std::size_t>(other)].color), group == other);
    }
    // Colour alone does not tell them apart.
    std::set<Qt::BrushStyle> patterns;
    for (const GroupLook& look : groupLooks(m_theme.colors(), inputOf(8)))
        patterns.insert(hatching(look));
    QCOMPARE(patterns.size(), std::size_t{8});
    QVERIFY(patterns.contains(Qt::SolidPattern));
    std::set<GroupMark> marks;
    for (const GroupLook& look : groupLooks(m_theme.colors(), inputOf(8)))
        marks.insert(look.mark);
    QCOMPARE(marks.size(), std::size_t{8});
}

void TestCompareGroupsCost::runsOfEveryGroupAreMarked() {
    const ComparisonInput input = inputOf(8);
    const std::vector<GroupLook> looks = groupLooks(lightColors(), input);
    for (const SettingsView view : {SettingsView::Scatter, SettingsView::Parallel}) {
        SettingsFigure figure = figureOf(input, view);
        QCOMPARE(figure.axes.runs.size(), std::size_t{16});
        for (std::size_t run = 0; run < figure.axes.runs.size(); run += 2) { // the first of each group
            figure.highlighted = run;                                        // its mark is large: lines two pixels wide
            const QImage image = paint(figure);
            const SettingsPicture picture(figure, {lightColors(), QFont(), QFont(), &image}, QSizeF(pictureSize));
            const auto at = picture.pointsOf(run).front();
            QVERIFY(at.has_value() && picture.panel().adjusted(-1, -1, 1, 1).contains(*at));
            const QImage left = image.copy(at->toPoint().x() - 8, at->toPoint().y() - 8, 9, 17); // words stand right
            QVERIFY2(has(left, looks[figure.axes.runs[run].group].color), qPrintable(QString::number(run)));
        }
    }
}

void TestCompareGroupsCost::theLegendNamesEveryGroup() {
    ComparisonInput input = inputOf(8);
    const SettingsFigure figure = figureOf(input, SettingsView::Scatter);
    QCOMPARE(groupsWithRuns(figure).size(), std::size_t{8});
    QCOMPARE(groupName(figure, 7), QString::fromUtf8("H: accumulated 2 × 128"));
    const QString summary = figureSummary(figure);
    for (const char* part : {"A: accumulated 32 × 8: 2 run", "C: accumulated 64 × 4: 2 run", "H: accumulated 2 × 128"})
        QVERIFY2(summary.contains(QString::fromUtf8(part)), qPrintable(summary));
    // Its lines take room from the panel, in both views, and two groups have one line.
    const auto top = [](const SettingsFigure& shown) {
        return SettingsPicture(shown, {lightColors(), QFont(), QFont(), nullptr}, QSizeF(pictureSize)).panel().top();
    };
    const double line = QFontMetricsF(QFont()).height();
    const double withTwo = top(figureOf(inputOf(2), SettingsView::Scatter));
    QVERIFY(top(figure) > withTwo + 1.5 * line); // nine entries in three lines
    QVERIFY(top(figure) < withTwo + 2.5 * line);
    input.further[0].clear();
    QVERIFY(!figureSummary(figureOf(input, SettingsView::Scatter)).contains("C: "));
}

void TestCompareGroupsCost::groupsStandSideBySideOverWords() {
    ComparisonInput input = inputOf(4);
    for (auto* group : {&input.groupA, &input.groupB, &input.further[0], &input.further[1]})
        (*group)[1].config.optimizer.name = OptimizerKind::Adam; // in each group alike
    SettingsFigure figure = figureOf(input, SettingsView::Scatter);
    const auto found = std::ranges::find(figure.axes.axes, std::string("optimizer.name"), &SettingAxis::key);
    QVERIFY(found != figure.axes.axes.end());
    QVERIFY(found->scale == AxisScale::Words);
    figure.x = static_cast<std::size_t>(found - figure.axes.axes.begin());
    const SettingsPicture picture(figure, {lightColors(), QFont(), QFont(), nullptr}, QSizeF(pictureSize));
    std::vector<double> places;
    for (std::size_t run = 0; run < figure.axes.runs.size(); run += 2) // the first of each group
        places.push_back(picture.pointsOf(run).back()->x());
    QCOMPARE(places.size(), std::size_t{4});
    for (std::size_t group = 1; group < places.size(); ++group)
        QVERIFY(places[group] > places[group - 1] + 5.0);
}

void TestCompareGroupsCost::thePageShowsAllGroups() {
    PageFixture fixture;
    QVERIFY(fixture.open());
    const SyntheticRuns first = fixture.add(studyOf(equivalentCase()));
    SyntheticStudy other = studyOf(differentCase());
    other.name = "other";
    other.micro = 64;
    other.createdAt += 1000.0;
    const SyntheticRuns second = fixture.add(other);
    ComparePage page(fixture.services());
    page.resize(1110, 690);
    page.show();
    page.compareGroups(qtList(first.groupA), qtList(first.groupB));
    auto* plot = child<SettingsPlot>(page, "compare.settingsPlot");
    QTRY_COMPARE(plot->figure().axes.runs.size(), std::size_t{10});
    page.addGroup(qtList(second.groupA));
    QTRY_COMPARE(plot->figure().axes.runs.size(), std::size_t{15});
    QVERIFY2(plot->summaryText().contains(QString::fromUtf8("C: accumulated 64 × 4")), qPrintable(plot->summaryText()));
    QVERIFY(plot->accessibleDescription().contains(QString::fromUtf8("C: accumulated 64 × 4")));
    QCOMPARE(child<QLabel>(page, "compare.speedNameC")->text(), QString("C"));
    QVERIFY(child<QLabel>(page, "compare.memoryRatioA")->text().endsWith(QString::fromUtf8(" × B")));
    const SettingRunModel model(plot->figure().axes);
    QCOMPARE(model.rowCount(), 15);
    takePicture(page, "compare-three-groups-cost");
}

QTEST_MAIN(TestCompareGroupsCost)
} // namespace test_compare_groups_cost
#include "test_compare_groups_cost.moc"
