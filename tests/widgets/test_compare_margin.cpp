// SPDX-License-Identifier: GPL-3.0-or-later
// The margin and the metric of a comparison: a change is named, fields hold what was typed, and the wheel changes
// nothing.
#include "tests/support/numeric.h"
#include "tests/widgets/compare_cases.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/style/controls.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QSignalSpy>

namespace test_compare_margin {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestCompareMargin : public QObject, protected CompareCases {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void cleanup() { closePage(); }

    void aChangedMarginIsNamed();
    void anotherLibraryKeepsItsOwnQuestion();
    void anotherMetricChangesNoMargin();
    void theFieldHoldsAMarginOfAnySize_data();
    void theFieldHoldsAMarginOfAnySize();
    void theWheelDoesNotChangeTheMargin();
};

void TestCompareMargin::aChangedMarginIsNamed() {
    showCase(equivalentCase());
    auto* margin = child<QDoubleSpinBox>(*m_page, "compare.margin");
    QVERIFY(compareAbs(margin->value(), 1.0, 1e-9)); // shown in points
    QVERIFY(margin->suffix().contains("points"));
    QVERIFY(text("compare.marginNote").startsWith("Margin fixed on"));
    QVERIFY(!child<QPushButton>(*m_page, "compare.marginReset")->isVisible());

    margin->setFocus();
    margin->selectAll();
    QTest::keyClicks(margin, "0.05");
    QTest::keyClick(margin, Qt::Key_Return);
    // The interval reaches 0.0996 points: equivalence within 0.05 points cannot be shown.
    QTRY_COMPARE(text("compare.verdictWord"), QString("Inconclusive"));
    QVERIFY(text("compare.marginNote").startsWith("Margin changed after the results were seen"));
    const auto* pairs = child<QComboBox>(*m_page, "compare.pairs"); // says what the card says
    QVERIFY2(pairs->currentText().endsWith("Inconclusive"), qPrintable(pairs->currentText()));
    QSignalSpy report(m_page.get(), &ComparePage::reportRequested);
    QTest::mouseClick(child<QPushButton>(*m_page, "compare.report"), Qt::LeftButton);
    QCOMPARE(report.count(), 1);
    const auto request = report[0][0].value<ComparisonRequest>();
    QCOMPARE(request.groupA, qtList(m_runs.groupA));
    QVERIFY(compareRel(request.margin.value(), 0.0005, 1e-12));
    QVERIFY(request.marginSetAt > 1e9); // when it was typed

    auto* reset = child<QPushButton>(*m_page, "compare.marginReset");
    QVERIFY(reset->isVisible());
    takePicture(*m_page, "compare-margin");
    QTest::mouseClick(reset, Qt::LeftButton);
    QTRY_VERIFY(text("compare.verdictWord").startsWith("Equivalent"));
    QVERIFY(text("compare.marginNote").startsWith("Margin fixed on"));
}

void TestCompareMargin::anotherLibraryKeepsItsOwnQuestion() {
    showCase(equivalentCase());
    auto* margin = child<QDoubleSpinBox>(*m_page, "compare.margin");
    margin->setFocus();
    margin->selectAll();
    QTest::keyClicks(margin, "0.05");
    QTest::keyClick(margin, Qt::Key_Return);
    QTRY_VERIFY(text("compare.marginNote").startsWith("Margin changed"));

    const std::filesystem::path other = m_fixture->path("other.sqlite").toStdString();
    const auto runs = addSyntheticStudy(other, studyOf(equivalentCase()));
    QVERIFY(runs);
    QVERIFY(m_fixture->services().library.open(other));
    const ComparisonRequest asked = m_page->request();
    QVERIFY(!asked.isComparable());
    QVERIFY(!asked.margin && compareBits(asked.marginSetAt, 0.0));
    QVERIFY(asked.metric.isEmpty() && asked.together.isEmpty());
    m_page->addGroup(qtList(runs->groupA));
    m_page->addGroup(qtList(runs->groupB));
    QTRY_VERIFY(child<QScrollArea>(*m_page, "compare.scroll")->isVisible());
    QVERIFY2(text("compare.marginNote").startsWith("Margin fixed on"), qPrintable(text("compare.marginNote")));
}

void TestCompareMargin::anotherMetricChangesNoMargin() {
    showCase(equivalentCase());
    auto* metric = child<QComboBox>(*m_page, "compare.metric");
    const auto choose = [metric](const char* name) {
        metric->setCurrentIndex(metric->findData(QString(name)));
        Q_EMIT metric->activated(metric->currentIndex());
    };
    auto* margin = child<QDoubleSpinBox>(*m_page, "compare.margin");
    choose("best_test_accuracy");
    QTRY_VERIFY2(text("compare.marginNote").startsWith("The margin stands as it was fixed on"),
                 qPrintable(text("compare.marginNote")));
    QVERIFY(compareAbs(margin->value(), 1.0, 1e-9));
    QVERIFY(!child<QPushButton>(*m_page, "compare.marginReset")->isVisible());
    // A margin of accuracy says nothing of losses.
    choose("test_loss");
    QTRY_VERIFY2(text("compare.marginNote").startsWith("The study fixed no margin for this metric"),
                 qPrintable(text("compare.marginNote")));
    QVERIFY(!margin->suffix().contains("points"));
    QVERIFY(margin->value() < 0.009);
    choose("test_accuracy");
    QTRY_VERIFY(text("compare.marginNote").startsWith("Margin fixed on"));
}

void TestCompareMargin::theFieldHoldsAMarginOfAnySize_data() {
    QTest::addColumn<double>("rmse");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<double>("edited");
    QTest::newRow("large") << 180'000.0 << "2500" << 2500.0;
    QTest::newRow("larger than study.margin may be") << 3e9 << "40000000" << 4e7;
    QTest::newRow("small") << 2e-5 << "0.0000001" << 1e-7;
}

void TestCompareMargin::theFieldHoldsAMarginOfAnySize() {
    QFETCH(double, rmse);
    QFETCH(QString, typed);
    QFETCH(double, edited);
    VerdictCase errors = equivalentCase();
    for (std::size_t i = 0; i < errors.a.size(); ++i) {
        errors.b[i] = rmse;
        errors.a[i] = rmse * (1.0 + 0.001 * (static_cast<double>(i) - 2.0));
    }
    errors.margin = 0.0; // the metric's own: 1 % of the large batch's mean
    start();
    SyntheticStudy study = studyOf(errors);
    study.loss = LossKind::Mse;
    m_runs = m_fixture->add(study);
    m_page->compareStudy(QString::fromStdString(m_runs.study));
    QVERIFY(waitUntilShown(errors.a.size()));
    auto* margin = child<QDoubleSpinBox>(*m_page, "compare.margin");
    // Four digits are kept.
    QVERIFY2(compareRel(margin->value(), 0.01 * rmse, 1e-3), qPrintable(margin->text()));
    const QString verdict = text("compare.verdictWord");
    QVERIFY2(verdict.startsWith("Equivalent"), qPrintable(verdict));
    QVERIFY2(compareRel(numberIn(verdict), 0.01 * rmse, 1e-2), qPrintable(verdict));

    margin->setFocus();
    margin->selectAll();
    QTest::keyClicks(margin, typed);
    QTest::keyClick(margin, Qt::Key_Return);
    QTRY_VERIFY(text("compare.marginNote").startsWith("Margin changed after the results were seen"));
    QVERIFY2(compareRel(margin->value(), edited, 1e-9), qPrintable(margin->text()));
    QSignalSpy report(m_page.get(), &ComparePage::reportRequested);
    QTest::mouseClick(child<QPushButton>(*m_page, "compare.report"), Qt::LeftButton);
    QVERIFY(compareRel(report[0][0].value<ComparisonRequest>().margin.value(), edited, 1e-9));
}

void TestCompareMargin::theWheelDoesNotChangeTheMargin() {
    showCase(equivalentCase());
    auto* margin = child<QDoubleSpinBox>(*m_page, "compare.margin");
    margin->setFocus(); // the page scrolls under the pointer: not even then
    const double before = margin->value();
    const QPointF at = QRectF(margin->rect()).center();
    QWheelEvent wheel(at, margin->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(margin, &wheel);
    QVERIFY(compareBits(margin->value(), before));
}

QTEST_MAIN(TestCompareMargin)
} // namespace test_compare_margin
#include "test_compare_margin.moc"
