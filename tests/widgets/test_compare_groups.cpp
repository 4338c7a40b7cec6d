// SPDX-License-Identifier: GPL-3.0-or-later
// Compare with more than two groups: curves, verdicts with Holm's correction, the card of the chosen pair, groups that
// come and go with undo, and what is kept of them.
#include "widgets/pages/compare/compare_page.h"

#include "core/store/comparison_records.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/models/group_model.h"
#include "widgets/models/report_loader.h"
#include "widgets/models/saved_comparison_model.h"
#include "widgets/models/saved_comparisons.h"
#include "widgets/pages/compare/group_verdict_model.h"
#include "widgets/plots/group_look.h"
#include "widgets/plots/plot_view.h"
#include "widgets/style/controls.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScopeGuard>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

namespace test_compare_groups {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestCompareGroups : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void twoGroupsLookAsEver();
    void aThirdGroupIsCompared();
    void theRowChoosesTheCard();
    void theReferenceCanBeChosen();
    void groupsComeAndGoWithUndo();
    void anEmptyGroupIsFilledInTheEditor();
    void eightGroupsAreTheMost();
    void savedOnesHoldAllGroups();
    void theReportHasAChapterForEachPair();
    void noTwoGroupsLookAlike();
    void tallLettersDoNotMakeATableScroll();

private:
    /// A and B are the arms of a study that ends equivalent; C is the accumulated arm of one that lies 0.05 higher.
    void start() {
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
        m_first = m_fixture->add(studyOf(equivalentCase()));
        SyntheticStudy other = studyOf(differentCase());
        other.name = "other";
        other.micro = 64;
        other.createdAt += 1000.0;
        m_second = m_fixture->add(other);
        m_page = std::make_unique<ComparePage>(m_fixture->services());
        m_page->resize(1110, 690);
        m_page->show();
        m_page->compareGroups(qtList(m_first.groupA), qtList(m_first.groupB));
        QTRY_COMPARE(child<QTableView>(*m_page, "compare.seedTable")->model()->rowCount(), 6);
    }
    void startWithThree() {
        start();
        m_page->addGroup(qtList(m_second.groupA));
        QTRY_COMPARE(verdicts()->rowCount(), 2);
    }
    [[nodiscard]] QAbstractItemModel* verdicts() const {
        return child<QTableView>(*m_page, "compare.familyTable")->model();
    }
    [[nodiscard]] QString verdict(int row, int column) const {
        return verdicts()->index(row, column).data().toString();
    }
    [[nodiscard]] QString text(const char* name) const { return child<QLabel>(*m_page, name)->text(); }
    [[nodiscard]] PlotView& plot(const char* name) const {
        auto* found = child<PlotView>(*m_page, name);
        found->refreshNow();
        return *found;
    }
    [[nodiscard]] ComparisonRequest request() const { return m_page->request(); }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<ComparePage> m_page;
    SyntheticRuns m_first, m_second;
};

void TestCompareGroups::twoGroupsLookAsEver() {
    start();
    QVERIFY(!child<QWidget>(*m_page, "compare.family")->isVisible());
    QVERIFY(!child<QComboBox>(*m_page, "compare.reference")->isVisible());
    QVERIFY(!child<QToolButton>(*m_page, "compare.removeGroupA")->isVisible());
    QCOMPARE(plot("compare.accuracy").curveCount(), std::size_t{2});
    QCOMPARE(plot("compare.accuracyDifference").curveCount(), std::size_t{1});
    QVERIFY(text("compare.verdictWord").startsWith("Equivalent"));
    QVERIFY(!text("compare.verdictSentence").contains("Holm"));
    QVERIFY(child<QPushButton>(*m_page, "compare.swap")->isEnabled());
}

void TestCompareGroups::aThirdGroupIsCompared() {
    startWithThree();
    const QAbstractItemModelTester tester(verdicts());
    QVERIFY(child<QWidget>(*m_page, "compare.family")->isVisibleTo(m_page.get()));
    QVERIFY(text("compare.groupC").startsWith("C: "));
    QCOMPARE(plot("compare.accuracy").curveCount(), std::size_t{3});
    QCOMPARE(plot("compare.loss").curveCount(), std::size_t{6}); // behind each its values before they were smoothed
    QCOMPARE(plot("compare.accuracyDifference").curveCount(), std::size_t{2});
    QVERIFY(verdict(0, GroupVerdictModel::Group).startsWith("A ("));
    QVERIFY(verdict(1, GroupVerdictModel::Group).startsWith("C ("));
    QVERIFY2(verdict(0, GroupVerdictModel::Word).startsWith("Equivalent"),
             qPrintable(verdict(0, GroupVerdictModel::Word)));
    QCOMPARE(verdict(1, GroupVerdictModel::Word), QString("Different"));
    QVERIFY(verdict(1, GroupVerdictModel::Difference).startsWith('+')); // C - B, not B - C
    QCOMPARE(verdict(1, GroupVerdictModel::Pairs), QString("5"));
    QVERIFY(!verdicts()->index(1, GroupVerdictModel::Word).data(Qt::DecorationRole).isNull());
    QVERIFY(text("compare.familyNote").contains("Holm"));
    QVERIFY(!child<QPushButton>(*m_page, "compare.swap")->isEnabled());
    // The settings have a column for each group, and the margin stays the study's or the metric's for all.
    const auto* settings = child<QTableView>(*m_page, "compare.settingsTable")->model();
    QCOMPARE(settings->columnCount(), 5);
    QCOMPARE(settings->headerData(3, Qt::Horizontal).toString(), QString("C"));
    takePicture(*m_page, "compare-three-groups");
}

void TestCompareGroups::theRowChoosesTheCard() {
    startWithThree();
    auto* table = child<QTableView>(*m_page, "compare.familyTable");
    QCOMPARE(table->currentIndex().row(), 0);
    const QString first = text("compare.verdictWord");
    QVERIFY(text("compare.verdictSentence").contains("2 pairs of groups are judged together"));
    table->selectRow(1);
    QCOMPARE(text("compare.verdictWord"), QString("Different"));
    QVERIFY(first != text("compare.verdictWord"));
    QVERIFY2(text("compare.verdictSentence").contains("C ("), qPrintable(text("compare.verdictSentence")));
    const auto* seeds = child<QTableView>(*m_page, "compare.seedTable")->model();
    QVERIFY(seeds->headerData(1, Qt::Horizontal).toString().startsWith("C: "));
    QCOMPARE(seeds->headerData(3, Qt::Horizontal).toString(), QString::fromUtf8("C − B"));
    // A refresh keeps the chosen pair.
    m_page->activated();
    QTest::qWait(300);
    QCOMPARE(text("compare.verdictWord"), QString("Different"));
    QCOMPARE(table->currentIndex().row(), 1);
}

void TestCompareGroups::theReferenceCanBeChosen() {
    startWithThree();
    auto* box = child<QComboBox>(*m_page, "compare.reference");
    QCOMPARE(box->currentText(), QString("B"));
    box->setCurrentIndex(2);
    Q_EMIT box->activated(2);
    QTRY_VERIFY(verdict(1, GroupVerdictModel::Group).startsWith("B ("));
    QCOMPARE(request().reference, std::size_t{2});
    for (int row = 0; row < 2; ++row)
        QCOMPARE(verdict(row, GroupVerdictModel::Word), QString("Different"));
    m_page->undo();
    QTRY_VERIFY(verdict(1, GroupVerdictModel::Group).startsWith("C ("));
    QCOMPARE(request().reference, std::size_t{1});
}

void TestCompareGroups::groupsComeAndGoWithUndo() {
    startWithThree();
    QTest::mouseClick(child<QToolButton>(*m_page, "compare.removeGroupC"), Qt::LeftButton);
    QTRY_COMPARE(verdicts()->rowCount(), 1);
    QCOMPARE(request().groups().size(), 2);
    QTRY_VERIFY(!child<QWidget>(*m_page, "compare.family")->isVisible());
    QVERIFY(!text("compare.verdictSentence").contains("pairs of groups"));
    auto* toast = child<NoticeBar>(*m_page, "compare.toast");
    QVERIFY(toast->isVisible());
    QTest::mouseClick(child<QPushButton>(*toast, "noticeAction"), Qt::LeftButton);
    QTRY_COMPARE(verdicts()->rowCount(), 2);
    QCOMPARE(request().further, QList<QStringList>{qtList(m_second.groupA)});
    m_page->undo(); // that it was added
    QTRY_COMPARE(request().groups().size(), 2);
    m_page->redo();
    QTRY_COMPARE(request().groups().size(), 3);
    m_page->undo();
    QTRY_COMPARE(request().groups().size(), 2);
    // Where something else is compared by now there is nothing to go back to.
    m_page->compareGroups(qtList(m_second.groupA), qtList(m_second.groupB));
    m_page->redo();
    QCOMPARE(request().groupA, qtList(m_second.groupA));
    QCOMPARE(request().groups().size(), 2);
    // Runs are in one group at most.
    m_page->addGroup(qtList(m_second.groupA));
    QCOMPARE(request().groups().size(), 2);
    QTRY_VERIFY(child<NoticeBar>(*m_page, "compare.notice")->isVisible());
}

void TestCompareGroups::anEmptyGroupIsFilledInTheEditor() {
    start();
    auto* empty = m_page->findChild<QAction*>("compare.addEmptyGroup");
    QVERIFY(empty != nullptr);
    empty->trigger();
    QCOMPARE(request().groups().size(), 3);
    auto* table = child<QTableView>(*m_page, "compare.runTable");
    QTRY_VERIFY(table->isVisible());
    QTRY_COMPARE(table->model()->rowCount(), 20);
    auto* into = child<QPushButton>(*m_page, "compare.intoC");
    QVERIFY(into->isVisible() && !child<QPushButton>(*m_page, "compare.intoD")->isVisible());
    for (int row = 0; row < table->model()->rowCount(); ++row)
        if (table->model()->index(row, GroupModel::Split).data().toString() == QString::fromUtf8("64 × 4"))
            table->selectionModel()->select(table->model()->index(row, 0),
                                            QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QCOMPARE(table->selectionModel()->selectedRows().size(), 5);
    QVERIFY(into->isEnabled());
    QTest::mouseClick(into, Qt::LeftButton);
    QTRY_COMPARE(request().further.value(0).size(), 5);
    QTRY_COMPARE(verdicts()->rowCount(), 2);
}

void TestCompareGroups::eightGroupsAreTheMost() {
    start();
    for (int group = 2; group < 8; ++group)
        m_page->addGroup({});
    m_page->addGroup(qtList(m_second.groupA)); // into the first that is empty
    QCOMPARE(request().groups().size(), 8);
    QCOMPARE(request().groups().value(2), qtList(m_second.groupA));
    m_page->addGroup({});
    QCOMPARE(request().groups().size(), 8);
    QVERIFY(!child<QPushButton>(*m_page, "compare.editorAddGroup")->isEnabled());
    QTRY_COMPARE(verdicts()->rowCount(), 2); // groups without runs wait
}

void TestCompareGroups::savedOnesHoldAllGroups() {
    startWithThree();
    QTRY_VERIFY(child<QPushButton>(*m_page, "compare.save")->isEnabled());
    child<QPushButton>(*m_page, "compare.save")->click();
    auto* model = qobject_cast<SavedComparisonModel*>(child<QTableView>(*m_page, "compare.savedTable")->model());
    QTRY_COMPARE(model->rowCount(), 1);
    QVERIFY(model->records().front().further == (std::vector<std::vector<std::string>>{m_second.groupA}));
    QCOMPARE(model->index(0, SavedComparisonModel::Runs).data().toString(), QString("A: 5, B: 5, C: 5"));
    m_page->compareGroups(qtList(m_second.groupA), qtList(m_second.groupB));
    QTRY_COMPARE(verdicts()->rowCount(), 1);
    child<QPushButton>(*m_page, "compare.saved")->setChecked(true);
    child<QTableView>(*m_page, "compare.savedTable")->selectRow(0);
    child<QPushButton>(*m_page, "compare.savedOpen")->click();
    QTRY_COMPARE(verdicts()->rowCount(), 2);
    QCOMPARE(request().further, QList<QStringList>{qtList(m_second.groupA)});

    // What was compared last comes back, and a window that is built anew takes over.
    QTRY_VERIFY(lastCompared(m_fixture->file()).value_or(ComparisonRequest{}).further.size() == 1);
    const QVariant state = m_page->state();
    m_page = std::make_unique<ComparePage>(m_fixture->services());
    m_page->setState(state);
    QTRY_COMPARE(verdicts()->rowCount(), 2);
}

void TestCompareGroups::theReportHasAChapterForEachPair() {
    startWithThree();
    RunReader reader(Library::open(m_fixture->file(), Library::Mode::Read).value());
    ReportSubject subject;
    subject.comparison = request();
    const auto report = loadReport(reader, subject, "en");
    QVERIFY(report.has_value());
    const auto verdictsOf = [](const ReportDocument& document) {
        std::vector<Verdict> found;
        for (const auto& block : document.blocks)
            if (const auto* one = std::get_if<ReportVerdict>(&block))
                found.push_back(one->verdict);
        return found;
    };
    QVERIFY(verdictsOf(*report) == (std::vector{Verdict::Equivalent, Verdict::Different}));
    QVERIFY(reportHtml(*report).find("2 pairs of groups are judged together") != std::string::npos);
}

void TestCompareGroups::noTwoGroupsLookAlike() {
    ComparisonInput input;
    input.groupA.emplace_back();
    input.groupB.emplace_back(); // the same arm as A
    for (std::size_t group = 2; group < mostGroups; ++group)
        input.further.emplace_back().emplace_back();
    input.further.back().front().arm = Arm::LargeBatch;
    for (const ThemeColors& colors : {lightColors(), darkColors()}) {
        const std::vector<GroupLook> looks = groupLooks(colors, input);
        QCOMPARE(looks.size(), mostGroups);
        QVERIFY(looks[0].color == colors.accumulated && looks.back().color == colors.largeBatch);
        for (std::size_t a = 0; a < looks.size(); ++a)
            for (std::size_t b = a + 1; b < looks.size(); ++b)
                QVERIFY(looks[a].color != looks[b].color && looks[a].dashes != looks[b].dashes);
    }
}

void TestCompareGroups::tallLettersDoNotMakeATableScroll() {
    const QFont usual = QApplication::font();
    QFont tall = usual;
    tall.setPointSize(2 * usual.pointSize());
    QApplication::setFont(tall);
    const auto restore = qScopeGuard([&usual] { QApplication::setFont(usual); });
    start();
    const auto* table = child<QTableView>(*m_page, "compare.seedTable");
    QVERIFY(table->rowHeight(0) > 30);
    QCOMPARE(table->verticalScrollBar()->maximum(), 0);
}

QTEST_MAIN(TestCompareGroups)
} // namespace test_compare_groups
#include "test_compare_groups.moc"
