// SPDX-License-Identifier: GPL-3.0-or-later
// Plain literals read better here than in the program, where every string a person sees goes through tr().
#include "tests/support/numeric.h"
#include "tests/widgets/compare_cases.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/models/comparison_text.h"
#include "widgets/models/difference_model.h"
#include "widgets/models/pair_model.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/compare/compare_view.h"
#include "widgets/plots/plot_view.h"
#include "widgets/style/controls.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

namespace test_compare_page {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

VerdictCase caseOf(const QString& name) {
    if (name.startsWith("equivalent") || name.startsWith("ranks"))
        return equivalentCase();
    if (name.startsWith("different"))
        return differentCase();
    if (name == "within")
        return differentWithinCase();
    return name == "inconclusive" ? inconclusiveCase() : notEnoughCase();
}

} // namespace

class TestComparePage : public QObject, protected CompareCases {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void cleanup() { closePage(); }

    void anEmptyLibraryAsksForARun();
    void pairsAreSuggestedAndShownAtAClick();
    void fourVerdictsWithTheirNumbers_data();
    void fourVerdictsWithTheirNumbers();
    void twoPairsAreNotEnough();
    void theSavingOfMemoryIsAHeadline();
    void swappingTheArmsTurnsTheSigns();
    void allSettingsAreShownOnDemand();
    void ranksHaveTheirCost();
    void everyControlHasAName();
    void nothingIsCut_data();
    void nothingIsCut();
};

void TestComparePage::anEmptyLibraryAsksForARun() {
    start();
    auto* empty = child<EmptyState>(*m_page, "compare.empty");
    QVERIFY(empty->isVisible());
    auto* button = child<QPushButton>(*empty, "emptyStateAction");
    QTRY_COMPARE(button->text(), QString("Set up a run")); // once it is known that there is no pair
    QTRY_VERIFY(button->isVisible());
    QSignalSpy asked(m_page.get(), &ComparePage::setupRequested);
    QTest::mouseClick(button, Qt::LeftButton);
    QCOMPARE(asked.count(), 1);
    QVERIFY(!child<QPushButton>(*m_page, "compare.report")->isEnabled());
}

void TestComparePage::pairsAreSuggestedAndShownAtAClick() {
    start();
    m_fixture->add(studyOf(equivalentCase()));
    SyntheticStudy other = studyOf(differentCase());
    other.learningRate = 0.1; // another family: no partner of the first
    other.createdAt += 1000.0;
    m_fixture->add(other);
    auto* button = child<QPushButton>(*child<EmptyState>(*m_page, "compare.empty"), "emptyStateAction");
    QTRY_COMPARE(button->text(), QString("Suggest pairs (2 found)")); // the gateway tells of the change
    QTest::qWait(50);                                                 // the new text is laid out
    takePicture(*m_page, "compare-empty");
    QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(waitUntilShown(5));
    auto* pairs = child<QComboBox>(*m_page, "compare.pairs");
    QTRY_COMPARE(pairs->count(), 2);
    QTRY_VERIFY2(pairs->currentText().startsWith("shifted: LeNet-5 on MNIST"), qPrintable(pairs->currentText()));
    QCOMPARE(text("compare.verdictWord"), QString("Different"));
    QVERIFY2(pairs->itemText(0).endsWith("Different"), qPrintable(pairs->itemText(0)));
    QVERIFY2(pairs->itemText(1).endsWith("Equivalent"), qPrintable(pairs->itemText(1)));
    QVERIFY(!pairs->itemIcon(1).isNull());

    pairs->setFocus();
    QTest::keyClick(pairs, Qt::Key_Down);
    QTRY_COMPARE(text("compare.verdictWord"), QString("Equivalent within ±1 points"));
}

void TestComparePage::fourVerdictsWithTheirNumbers_data() {
    QTest::addColumn<QString>("word");
    QTest::addColumn<double>("mean");
    QTest::addColumn<double>("sd");
    QTest::addColumn<double>("lower");
    QTest::addColumn<double>("upper");
    QTest::addColumn<double>("pEquivalence");
    QTest::addColumn<double>("pDifference");
    QTest::addColumn<double>("smallestMargin");
    QTest::addColumn<double>("spread");
    // scipy 1.17.1 on the values of tests/support/synthetic_library: stats.t.interval(0.90, n-1, mean, stats.sem(d)),
    // the larger p of stats.ttest_1samp(d, -margin, alternative='greater') and (d, margin, alternative='less'),
    // stats.ttest_rel(a, b), max(|lower|, |upper|), sqrt((var(a, ddof=1) + var(b, ddof=1)) / 2).
    QTest::newRow("equivalent") << "Equivalent within ±1 points" << 2e-05 << 0.00102323017938 << -0.000955538307216
                                << 0.000995538307216 << 1.30764471755e-05 << 0.967233493536 << 0.000995538307216
                                << 0.00156204993518;
    QTest::newRow("different") << "Different" << 0.05002 << 0.00102323017938 << 0.0490444616928 << 0.0509955383072
                               << 0.999999948763 << 4.20037029226e-08 << 0.0509955383072 << 0.00156204993518;
    QTest::newRow("within") << "Different, but within ±1 points" << 0.005 << 0.000474341649025 << 0.00454776700428
                            << 0.00545223299572 << 9.60445280252e-06 << 1.9208905605e-05 << 0.00545223299572
                            << 0.00163615402698;
    QTest::newRow("inconclusive") << "Inconclusive" << 0.0002 << 0.0511830049919 << -0.0485974094725 << 0.0489974094725
                                  << 0.345297685601 << 0.99344694861 << 0.0489974094725 << 0.0353417175587;
}

void TestComparePage::fourVerdictsWithTheirNumbers() {
    QFETCH(QString, word);
    QFETCH(double, mean);
    QFETCH(double, sd);
    QFETCH(double, lower);
    QFETCH(double, upper);
    QFETCH(double, pEquivalence);
    QFETCH(double, pDifference);
    QFETCH(double, smallestMargin);
    QFETCH(double, spread);
    showCase(caseOf(QTest::currentDataTag()));

    // The numbers behind the card, through the loader that the page uses. A10 asks for 1e-6; differences of numbers
    // near 1 carry an absolute rounding error of some 1e-16, far below 1e-6 of even the smallest value here.
    auto library = Library::open(m_fixture->file(), Library::Mode::Read);
    QVERIFY(library.has_value());
    RunReader reader(std::move(*library));
    ComparisonRequest request;
    request.groupA = qtList(m_runs.groupA);
    request.groupB = qtList(m_runs.groupB);
    const auto loaded = loadComparisonView(reader, request);
    QVERIFY(loaded.has_value());
    const EquivalenceTest& test = loaded->comparison.test;
    QVERIFY(compareRel(test.meanDifference, mean, 1e-6));
    QVERIFY(compareRel(test.sdDifference, sd, 1e-6));
    QVERIFY(compareRel(test.ci90Lower, lower, 1e-6));
    QVERIFY(compareRel(test.ci90Upper, upper, 1e-6));
    QVERIFY(compareRel(test.pEquivalence, pEquivalence, 1e-6));
    QVERIFY(compareRel(test.pDifference, pDifference, 1e-6));
    QVERIFY(compareRel(test.smallestMargin, smallestMargin, 1e-6));
    QVERIFY(compareRel(loaded->comparison.seedSpread, spread, 1e-6));

    // What is written on the card, in points. The smallest margin is rounded up in the third digit or later, the spread
    // shown with three digits: at most 0.5 % away.
    QCOMPARE(text("compare.verdictWord"), word);
    QCOMPARE(word, QString::fromStdString(
                       messageText(loaded->comparison.headline))); // reports and the command line say the same
    const QString scale = text("compare.verdictScale");
    QVERIFY2(compareRel(numberIn(scale), 100.0 * smallestMargin, 0.005), qPrintable(scale));
    QVERIFY2(compareRel(numberIn(scale.section(QChar(0x00B7), 1)), 100.0 * spread, 0.005), qPrintable(scale));
    const QString sentence = text("compare.verdictSentence");
    QVERIFY2(sentence.contains("5 paired seeds"), qPrintable(sentence));
    QVERIFY2(!sentence.contains("would pass"), qPrintable(sentence)); // said once, below
    // Two significant digits of the interval's half width h: rounding is at most 0.05 h away.
    const double shownMean = numberIn(sentence.section(" accuracy ", 1));
    QVERIFY2(compareAbs(shownMean, 100.0 * mean, 0.05 * 100.0 * (upper - lower) / 2.0), qPrintable(sentence));
    QVERIFY(!text("compare.marginNote").contains("after the results"));
}

void TestComparePage::twoPairsAreNotEnough() {
    showCase(notEnoughCase());
    QCOMPARE(text("compare.verdictWord"), QString("Not enough seeds (2 of at least 3)"));
    QVERIFY(text("compare.verdictSentence").contains("at least 3 paired seeds"));
    QVERIFY(!text("compare.verdictScale").contains("would pass"));
}

void TestComparePage::theSavingOfMemoryIsAHeadline() {
    showCase(equivalentCase());
    const QString saving = QString("Accumulation saves 67 % of training memory: 21.0 MB in place of 64.0 MB.");
    QCOMPARE(text("compare.saving"), saving);
    QTest::mouseClick(child<QPushButton>(*m_page, "compare.swap"), Qt::LeftButton);
    QTRY_VERIFY(text("compare.verdictSentence").contains("large batch"));
    QCOMPARE(text("compare.saving"), saving);
}

void TestComparePage::swappingTheArmsTurnsTheSigns() {
    showCase(differentWithinCase());
    const auto* model = child<QTableView>(*m_page, "compare.seedTable")->model();
    const auto difference = [model](int row) {
        return numberIn(model->index(row, PairModel::Difference).data().toString());
    };
    std::vector<double> before;
    for (int row = 0; row < model->rowCount(); ++row)
        before.push_back(difference(row));
    QVERIFY(before[0] > 0.0);
    QTest::mouseClick(child<QPushButton>(*m_page, "compare.swap"), Qt::LeftButton);
    QTRY_VERIFY(text("compare.groupA").contains(QString::fromUtf8("large batch 256 × 1")));
    for (int row = 0; row < model->rowCount(); ++row)
        QVERIFY(compareBits(difference(row), -before[static_cast<std::size_t>(row)]));
    QVERIFY(text("compare.verdictWord").startsWith("Different, but within"));
}

void TestComparePage::allSettingsAreShownOnDemand() {
    showCase(equivalentCase());
    auto* model = child<QTableView>(*m_page, "compare.settingsTable")->model();
    const QAbstractItemModelTester tester(model);
    const QAbstractItemModelTester pairs(child<QTableView>(*m_page, "compare.seedTable")->model());
    QVERIFY(model->rowCount() >= 1);
    for (int row = 0; row < model->rowCount(); ++row)
        QCOMPARE(model->index(row, DifferenceModel::Kind).data().toString(), QString("differs by design"));
    const int differing = model->rowCount();
    auto* all = child<QCheckBox>(*m_page, "compare.allSettings");
    all->click();
    QVERIFY(model->rowCount() > differing + 10);
    all->click();
    QCOMPARE(model->rowCount(), differing);
}

void TestComparePage::ranksHaveTheirCost() {
    showCase(equivalentCase());
    QVERIFY(!child<QWidget>(*m_page, "compare.ranks")->isVisible()); // each run on one
    QCOMPARE(text("compare.memoryCaption"), QString("Memory: highest use by tensors"));
    // The accumulated runs have a noise scale, with what their batch costs by it; the large batch is one micro-batch.
    const QString noise = text("compare.noiseA");
    QVERIFY2(noise.contains(" samples (95 %: ") && noise.contains("an order of magnitude") &&
                 noise.contains("times the fewest possible updates."),
             qPrintable(noise));
    QVERIFY2(text("compare.noiseB").endsWith(": none, its windows are one micro-batch."),
             qPrintable(text("compare.noiseB")));
    SyntheticStudy shared = studyOf(equivalentCase());
    shared.name = "shared";
    shared.ranks = 2;
    m_runs = m_fixture->add(shared);
    m_page->compareStudy(QString::fromStdString(m_runs.study));
    QTRY_VERIFY(child<QWidget>(*m_page, "compare.ranks")->isVisible());
    QCOMPARE(text("compare.memoryCaption"), QString("Memory: highest use by tensors, of rank 0"));
    const auto line = [&](int row) {
        QStringList cells;
        for (int column = 0; column < 3; ++column)
            cells << text(qPrintable(QString("compare.ranks.%1.%2").arg(row).arg(column)));
        return cells.join(" | ");
    };
    QCOMPARE(line(1), QString("Ranks | 2 | 1"));
    QCOMPARE(line(2), QString::fromUtf8("Sent per update and rank | 100 kB | –"));
    QCOMPARE(line(3), QString::fromUtf8("Waiting (share of time) | 10.0 % | –")); // 2 of 10 ms on one of two ranks
    QCOMPARE(line(4), QString::fromUtf8("Reducing (share of time) | 5.0 % | –"));
    QCOMPARE(line(5), QString::fromUtf8("Slowest rank | 1 | –"));
    takePicture(*m_page, "compare-ranks");
    QTest::mouseClick(child<QPushButton>(*m_page, "compare.swap"), Qt::LeftButton);
    QTRY_COMPARE(line(1), QString("Ranks | 1 | 2"));
    QCOMPARE(line(5), QString::fromUtf8("Slowest rank | – | 1"));
}

void TestComparePage::everyControlHasAName() {
    showCase(equivalentCase());
    for (const char* name :
         {"compare.pairs", "compare.metric", "compare.together", "compare.axis", "compare.band", "compare.margin",
          "compare.seedTable", "compare.settingsTable", "compare.interval", "compare.cardExport", "compare.runFilter",
          "compare.runTable", "compare.savedTable", "compare.metricTable"})
        QVERIFY2(!child<QWidget>(*m_page, name)->accessibleName().isEmpty(), name);
    for (const char* name :
         {"compare.swap", "compare.report", "compare.moreSeeds", "compare.singles", "compare.saved", "compare.save",
          "compare.editGroups", "compare.logDifferences", "compare.intoA", "compare.intoB", "compare.takeOut",
          "compare.groupsDone", "compare.savedOpen", "compare.savedRename", "compare.savedDelete"})
        QVERIFY2(!child<QAbstractButton>(*m_page, name)->text().isEmpty(), name);
    for (const char* name :
         {"compare.accuracy", "compare.loss", "compare.accuracyDifference", "compare.lossDifference"})
        QVERIFY2(!child<PlotView>(*m_page, name)->summaryText().isEmpty(), name);
}

void TestComparePage::nothingIsCut_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QSize>("size");
    // What remains for a page in a window of 1280 x 720 and of 1600 x 1000, and a window that is narrower than it
    // should be.
    for (const char* which : {"equivalent", "different", "within", "inconclusive", "not enough"})
        QTest::newRow(which) << false << QSize(1110, 640);
    QTest::newRow("equivalent, dark") << true << QSize(1110, 640);
    QTest::newRow("equivalent, large") << false << QSize(1430, 920);
    QTest::newRow("different, large, dark") << true << QSize(1430, 920);
    QTest::newRow("equivalent, narrow") << false << QSize(760, 640);
    for (const bool dark : {false, true})
        QTest::addRow("ranks%s", dark ? ", dark" : "") << dark << QSize(1110, 640);
    QTest::newRow("ranks, narrow") << false << QSize(760, 640);
}

void TestComparePage::nothingIsCut() {
    QFETCH(bool, dark);
    QFETCH(QSize, size);
    showCase(caseOf(QTest::currentDataTag()), QByteArray(QTest::currentDataTag()).startsWith("ranks") ? 2 : 1);
    m_fixture->theme().setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
    m_page->resize(size);
    child<QCheckBox>(*m_page, "compare.singles")->click();
    auto* scroll = child<QScrollArea>(*m_page, "compare.scroll");
    QTest::qWait(250); // plots repaint at most ten times a second
    QVERIFY2(m_page->minimumSizeHint().width() <= size.width(),
             qPrintable(QString::number(m_page->minimumSizeHint().width())));
    QVERIFY(scroll->widget()->minimumSizeHint().width() <= scroll->viewport()->width());
    // Every wrapped label is as tall as its text needs.
    for (const QLabel* label : scroll->widget()->findChildren<QLabel*>())
        if (label->isVisibleTo(scroll->widget()) && label->wordWrap() && !label->text().isEmpty())
            QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    const QString name =
        QString("compare-%1").arg(QString(QTest::currentDataTag()).replace(", ", "-").replace(' ', '-'));
    takePicture(*m_page, name);
    if (!qEnvironmentVariableIsEmpty("ACCUMULUS_TEST_PICTURES"))
        takePicture(*scroll->widget(), name + "-whole");
}

QTEST_MAIN(TestComparePage)
} // namespace test_compare_page
#include "test_compare_page.moc"
