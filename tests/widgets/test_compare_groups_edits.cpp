// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to a comparison of several groups when they are changed: which group stays the reference, what can be
// undone, and whose verdict stays on the card.
#include "tests/widgets/three_groups.h"
#include "widgets/plots/plot_view.h"

namespace test_compare_groups_edits {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestCompareGroupsEdits : public QObject, protected ThreeGroups {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void cleanup() { closePage(); }

    void theReferenceStaysWhenAnotherGroupGoes();
    void lettersOnScreenAreThoseThatCount();
    void aGroupWithoutRunsMovesBehindTheOthers();
    void aGroupIsJudgedByTheMarginOfAAndB();
    void anEmptyGroupIsNoReference();
    void aChosenPairGivesTheGroupsBack();
    void aSuggestedPairGivesTheGroupsBack();
    void aSavedComparisonGivesTheGroupsBack();
    void theNoteNamesAllThatIsCorrectedTogether();
    void theCardOutlivesThePage();
    void theCardIsTheFirstOfAnotherComparison();
    void hiddenCurvesAreThoseOfTheirRuns();
};

/// The mistake that this is to catch: B - C where there was C - B.
void TestCompareGroupsEdits::theReferenceStaysWhenAnotherGroupGoes() {
    startWithThree();
    QVERIFY(verdict(1, GroupVerdictModel::Difference).startsWith('+')); // C - B
    child<QToolButton>(*m_page, "compare.removeGroupA")->click();
    QTRY_COMPARE(verdicts()->rowCount(), 1);
    QCOMPARE(request().groupA, qtList(m_second.groupA));
    QCOMPARE(request().groupB, qtList(m_first.groupB));
    QCOMPARE(request().reference, std::size_t{1});
    QVERIFY2(verdict(0, GroupVerdictModel::Difference).startsWith('+'),
             qPrintable(verdict(0, GroupVerdictModel::Difference)));
    m_page->undo();
    QTRY_COMPARE(verdicts()->rowCount(), 2);
    QCOMPARE(request().groupA, qtList(m_first.groupA));
    QCOMPARE(request().further, QList<QStringList>{qtList(m_second.groupA)});

    // Likewise where A is the reference.
    chooseReference(0);
    QTRY_VERIFY(verdict(0, GroupVerdictModel::Group).startsWith("B ("));
    child<QToolButton>(*m_page, "compare.removeGroupC")->click();
    QTRY_COMPARE(verdicts()->rowCount(), 1);
    QCOMPARE(request().groupA, qtList(m_first.groupB));
    QCOMPARE(request().groupB, qtList(m_first.groupA));
    m_page->undo();
    QTRY_COMPARE(verdicts()->rowCount(), 2);
    QCOMPARE(request().reference, std::size_t{0});
}

/// The mistake that this is to catch: the letters on screen meet groups that have moved on.
void TestCompareGroupsEdits::lettersOnScreenAreThoseThatCount() {
    startWithThree();
    SyntheticStudy fourth = studyOf(differentCase());
    fourth.name = "fourth";
    fourth.micro = 16;
    const SyntheticRuns runs = m_fixture->add(fourth);
    m_page->addGroup(qtList(runs.groupA));
    QTRY_COMPARE(verdicts()->rowCount(), 3);
    child<QToolButton>(*m_page, "compare.removeGroupA")->click();
    child<QToolButton>(*m_page, "compare.removeGroupC")->click(); // still C on screen
    QCOMPARE(request().groups(), (QList<QStringList>{qtList(runs.groupA), qtList(m_first.groupB)}));
}

void TestCompareGroupsEdits::aGroupWithoutRunsMovesBehindTheOthers() {
    startWithThree();
    ComparisonRequest wanted = request();
    wanted.setGroups({qtList(m_first.groupA), qtList(m_first.groupB), {}, qtList(m_second.groupA)}, 1);
    m_page->compare(wanted);
    QTRY_COMPARE(verdicts()->rowCount(), 2);
    child<QToolButton>(*m_page, "compare.removeGroupB")->click();
    QCOMPARE(request().groups(), (QList<QStringList>{qtList(m_first.groupA), qtList(m_second.groupA), {}}));
    QVERIFY(request().isComparable());
}

void TestCompareGroupsEdits::aGroupIsJudgedByTheMarginOfAAndB() {
    start();
    const QString alone = text("compare.marginNote");
    QVERIFY2(alone.startsWith("Margin fixed on"), qPrintable(alone));
    m_page->addGroup(qtList(m_second.groupA));
    QTRY_COMPARE(verdicts()->rowCount(), 2);
    QCOMPARE(text("compare.marginNote"), alone);
    QVERIFY2(verdict(0, GroupVerdictModel::Margin).contains("1"), qPrintable(verdict(0, GroupVerdictModel::Margin)));
}

void TestCompareGroupsEdits::anEmptyGroupIsNoReference() {
    startWithThree();
    m_page->addGroup({});
    const auto* box = child<QComboBox>(*m_page, "compare.reference");
    QTRY_COMPARE(box->count(), 4);
    const auto enabled = [box](int group) { return box->model()->index(group, 0).flags().testFlag(Qt::ItemIsEnabled); };
    QVERIFY(!enabled(3));
    QVERIFY(enabled(0) && enabled(1) && enabled(2));
    chooseReference(3);
    QCOMPARE(request().reference, std::size_t{1});
    QVERIFY(child<QPushButton>(*m_page, "compare.report")->isEnabled()); // the comparison is still there
    m_page->addGroup(qtList(m_second.groupB));
    QTRY_VERIFY(enabled(3));
    chooseReference(3);
    QCOMPARE(request().reference, std::size_t{3});
}

void TestCompareGroupsEdits::aChosenPairGivesTheGroupsBack() {
    startWithThree();
    ComparisonRequest wanted = request();
    wanted.margin = 0.02;
    wanted.marginSetAt = 1'790'000'000.0;
    m_page->compare(wanted);
    QCOMPARE(request().further.size(), 1);
    m_page->compareGroups(qtList(m_second.groupA), qtList(m_second.groupB));
    QVERIFY(request().further.isEmpty());
    QVERIFY(!request().margin); // another question
    QTRY_COMPARE(m_page->undoText(), QString("Compare a pair"));
    QTRY_COMPARE(verdicts()->rowCount(), 1);
    m_page->undo();
    QCOMPARE(request().groupA, qtList(m_first.groupA));
    QCOMPARE(request().further, QList<QStringList>{qtList(m_second.groupA)});
    QVERIFY(compareBits(request().margin.value_or(0.0), 0.02));
    QTRY_COMPARE(verdicts()->rowCount(), 2);
    m_page->redo();
    QCOMPARE(request().groupB, qtList(m_second.groupB));
    QVERIFY(request().further.isEmpty() && !request().margin);
    // And after a second choice.
    m_page->compareGroups(qtList(m_first.groupB), qtList(m_second.groupB));
    m_page->undo();
    m_page->undo();
    QCOMPARE(request().further, QList<QStringList>{qtList(m_second.groupA)});
    m_page->undo(); // that C was added
    QCOMPARE(request().groups(), (QList<QStringList>{qtList(m_first.groupA), qtList(m_first.groupB)}));
}

void TestCompareGroupsEdits::aSuggestedPairGivesTheGroupsBack() {
    startWithThree();
    ComparisonRequest wanted = request();
    wanted.groupA.clear(); // nothing can be compared until it is filled
    m_page->compare(wanted);
    auto* empty = child<EmptyState>(*m_page, "compare.empty");
    QTRY_VERIFY(empty->isVisible());
    QTRY_VERIFY(child<QPushButton>(*empty, "emptyStateAction")->text().contains("found"));
    child<QPushButton>(*empty, "emptyStateAction")->click();
    QVERIFY(!request().groupA.isEmpty() && request().further.isEmpty());
    QTRY_COMPARE(verdicts()->rowCount(), 1);
    m_page->undo();
    QVERIFY(request().groupA.isEmpty());
    QCOMPARE(request().further, QList<QStringList>{qtList(m_second.groupA)});
}

void TestCompareGroupsEdits::aSavedComparisonGivesTheGroupsBack() {
    start();
    auto* saved = child<QTableView>(*m_page, "compare.savedTable");
    child<QPushButton>(*m_page, "compare.save")->click(); // of A and B; opens the list
    QTRY_COMPARE(saved->model()->rowCount(), 1);
    m_page->addGroup(qtList(m_second.groupA));
    QTRY_COMPARE(verdicts()->rowCount(), 2);
    auto* axis = child<QComboBox>(*m_page, "compare.axis");
    axis->setCurrentIndex(axis->findText("Updates"));
    Q_EMIT axis->activated(axis->currentIndex());
    QTRY_VERIFY(text("compare.curvesNote").contains("at equal updates"));

    saved->selectRow(0);
    child<QPushButton>(*m_page, "compare.savedOpen")->click();
    QVERIFY(request().further.isEmpty());
    QTRY_COMPARE(verdicts()->rowCount(), 1);
    QTRY_VERIFY(text("compare.curvesNote").contains("at equal samples")); // as it was saved
    QTRY_COMPARE(m_page->undoText(), QString("Open a comparison"));
    m_page->undo();
    QCOMPARE(request().groups(),
             (QList<QStringList>{qtList(m_first.groupA), qtList(m_first.groupB), qtList(m_second.groupA)}));
    QTRY_COMPARE(verdicts()->rowCount(), 2);
}

void TestCompareGroupsEdits::theNoteNamesAllThatIsCorrectedTogether() {
    start();
    ComparisonRequest wanted = request();
    wanted.together = QStringList{"test_loss"};
    m_page->compare(wanted);
    const auto* metrics = child<QTableView>(*m_page, "compare.metricTable")->model();
    QTRY_COMPARE(metrics->rowCount(), 2);
    QVERIFY2(text("compare.metricNote").contains("all these metrics at 5 %"), qPrintable(text("compare.metricNote")));
    m_page->addGroup(qtList(m_second.groupA));
    QTRY_COMPARE(verdicts()->rowCount(), 2);
    QVERIFY2(text("compare.metricNote").contains("of all pairs of groups"), qPrintable(text("compare.metricNote")));
}

/// As when the window is built anew in another language.
void TestCompareGroupsEdits::theCardOutlivesThePage() {
    startWithThree();
    family()->selectRow(1);
    QCOMPARE(text("compare.verdictWord"), QString("Different"));
    const QVariant state = m_page->state();
    m_page = std::make_unique<ComparePage>(m_fixture->services());
    m_page->setState(state);
    QTRY_COMPARE(verdicts()->rowCount(), 2);
    QCOMPARE(family()->currentIndex().row(), 1);
    QCOMPARE(text("compare.verdictWord"), QString("Different"));
    QTRY_VERIFY(child<QPushButton>(*m_page, "compare.report")->isEnabled()); // what is asked for is shown
}

void TestCompareGroupsEdits::theCardIsTheFirstOfAnotherComparison() {
    startWithThree();
    QTRY_VERIFY(child<QPushButton>(*m_page, "compare.save")->isEnabled());
    child<QPushButton>(*m_page, "compare.save")->click();
    auto* saved = child<QTableView>(*m_page, "compare.savedTable");
    QTRY_COMPARE(saved->model()->rowCount(), 1);
    chooseReference(2);
    QTRY_VERIFY(verdict(1, GroupVerdictModel::Group).startsWith("B ("));
    family()->selectRow(1);
    child<QPushButton>(*m_page, "compare.saved")->setChecked(true);
    saved->selectRow(0);
    child<QPushButton>(*m_page, "compare.savedOpen")->click();
    QTRY_VERIFY(verdict(1, GroupVerdictModel::Group).startsWith("C ("));
    QCOMPARE(family()->currentIndex().row(), 0);
    QVERIFY2(text("compare.verdictWord").startsWith("Equivalent"), qPrintable(text("compare.verdictWord")));
}

/// A letter that other runs take over hides nothing of them.
void TestCompareGroupsEdits::hiddenCurvesAreThoseOfTheirRuns() {
    start();
    auto* plot = child<PlotView>(*m_page, "compare.accuracy");
    plot->setCurveHidden(QStringLiteral("a"), true);
    auto* swap = child<QPushButton>(*m_page, "compare.swap");
    QTRY_VERIFY(swap->isEnabled());
    swap->click();
    QTRY_COMPARE(plot->hiddenCurves(), QStringList());
    plot->setCurveHidden(QStringLiteral("a"), true);
    m_page->addGroup(qtList(m_second.groupA)); // the others keep theirs
    QTRY_COMPARE(verdicts()->rowCount(), 2);
    QCOMPARE(plot->hiddenCurves(), QStringList(QStringLiteral("a")));
}

QTEST_MAIN(TestCompareGroupsEdits)
} // namespace test_compare_groups_edits
#include "test_compare_groups_edits.moc"
