// SPDX-License-Identifier: GPL-3.0-or-later
// What a person keeps and changes on the Compare page: saved comparisons, the last one, groups, more seeds.
#include "core/base/clock.h"
#include "tests/support/numeric.h"
#include "tests/widgets/page_fixture.h"
#include "tests/widgets/saved_comparisons.h"
#include "widgets/models/saved_comparison_model.h"
#include "widgets/models/saved_comparisons.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/style/controls.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTableView>

namespace test_compare_saved {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestCompareSaved : public QObject, protected SavedComparisons {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void cleanup() { closePage(); }

    void aSavedOneComesBackAsItWas();
    void renamingAndDeletingCanBeUndone();
    void aReadOnlyLibraryKeepsNothing();
    void deletedRunsAreNamed();
    void anotherMarginThanTheSavedOneIsTold();
    void whatIsStillReadIsNotSaved();
    void whatCannotBeReadIsNotAskedFor();
    void runsInTheTrashDoNotCount();
    void whatIsRestoredCountsAtOnce();
    void whatWasComparedLastComesBack();
    void ofAnotherLibraryNothingComesBack();
    void theFacesFitTheirPage_data();
    void theFacesFitTheirPage();
};

void TestCompareSaved::aSavedOneComesBackAsItWas() {
    showCase(equivalentCase());
    typeMargin("0.05");
    QTRY_COMPARE(text("compare.verdictWord"), QString("Inconclusive"));
    choose("compare.axis", "Updates");
    choose("compare.band", "mean ± SE");
    QTRY_VERIFY(text("compare.curvesNote").contains("mean ± SE"));
    QTRY_VERIFY(text("compare.curvesNote").contains("at equal updates"));
    const double typedAt = request().marginSetAt;
    QVERIFY(std::abs(typedAt - unixTime()) < 60.0);
    save();

    QCOMPARE(stored().size(), std::size_t{1});
    const ComparisonRecord record = stored().front();
    QVERIFY2(record.name.find("32 × 8 against large batch 256 × 1") != std::string::npos, record.name.c_str());
    QCOMPARE(record.groupA, m_runs.groupA);
    QCOMPARE(record.groupB, m_runs.groupB);
    QCOMPARE(record.metric, std::string("test_accuracy"));
    QVERIFY(compareRel(record.margin, 0.0005, 1e-12));
    QVERIFY(record.ownMargin && record.marginAfterResults);
    QVERIFY(compareBits(record.marginSetAt, typedAt));
    QCOMPARE(record.axis, std::string("updates"));
    QCOMPARE(record.band, std::string("se"));
    const QString note = savedModel()->index(0, SavedComparisonModel::Margin).data().toString();
    QVERIFY2(note.contains(QString::fromUtf8("0.05\u00A0points")) && note.contains("after the results were seen"),
             qPrintable(note));
    takePicture(*m_page, "compare-saved");

    // Everything is changed, and the saved one is opened again.
    click("compare.saved");
    click("compare.marginReset");
    QTRY_VERIFY(text("compare.verdictWord").startsWith("Equivalent"));
    choose("compare.axis", "Samples");
    click("compare.swap");
    QTRY_VERIFY(text("compare.curvesNote").contains("at equal samples"));
    click("compare.saved");
    child<QTableView>(*m_page, "compare.savedTable")->selectRow(0);
    click("compare.savedOpen");
    QTRY_COMPARE(text("compare.verdictWord"), QString("Inconclusive"));
    QVERIFY(child<QScrollArea>(*m_page, "compare.scroll")->isVisible());
    QVERIFY(compareAbs(child<QDoubleSpinBox>(*m_page, "compare.margin")->value(), 0.05, 1e-9));
    QVERIFY(text("compare.marginNote").startsWith("Margin changed after the results were seen"));
    QTRY_COMPARE(child<QComboBox>(*m_page, "compare.axis")->currentText(), QString("Updates"));
    QCOMPARE(child<QComboBox>(*m_page, "compare.band")->currentText(), QString::fromUtf8("mean ± SE"));
    QCOMPARE(request().groupA, qtList(m_runs.groupA));
    // The report is told when the margin was set: not when it was opened.
    QSignalSpy report(m_page.get(), &ComparePage::reportRequested);
    click("compare.report");
    QVERIFY(compareBits(report[0][0].value<ComparisonRequest>().marginSetAt, typedAt));
}

void TestCompareSaved::renamingAndDeletingCanBeUndone() {
    showCase(equivalentCase());
    save();
    const ComparisonRecord record = stored().front();
    const QAbstractItemModelTester tester(savedModel());
    auto* table = child<QTableView>(*m_page, "compare.savedTable");
    table->selectRow(0);
    click("compare.savedRename");
    QTRY_VERIFY(nameEditor() != nullptr);
    QLineEdit* name = nameEditor();
    name->selectAll();
    QTest::keyClicks(name, "first try");
    QTest::keyClick(name, Qt::Key_Return);
    QTRY_COMPARE(stored().front().name, std::string("first try"));
    QTRY_COMPARE(savedModel()->index(0, 0).data().toString(), QString("first try"));
    // Saved once more, it stands beside the first.
    click("compare.saved");
    save();
    QCOMPARE(stored().size(), std::size_t{2});

    const std::string gone = savedModel()->records()[0].id;
    table->setFocus();
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Delete);
    QTRY_COMPARE(stored().size(), std::size_t{1});
    auto* toast = child<NoticeBar>(*m_page, "compare.toast");
    QTRY_VERIFY(toast->isVisible());
    QTRY_COMPARE(savedModel()->rowCount(), 1);
    QTest::mouseClick(child<QPushButton>(*toast, "noticeAction"), Qt::LeftButton);
    QTRY_COMPARE(stored().size(), std::size_t{2});
    QVERIFY(std::ranges::any_of(stored(), [&](const ComparisonRecord& one) { return one.id == gone; }));
    QVERIFY(!toast->isVisible());
    QTRY_COMPARE(savedModel()->rowCount(), 2);
    // Runs are untouched all the while.
    RunReader reader(Library::open(m_fixture->file(), Library::Mode::Read).value());
    QCOMPARE(reader.runs().value().size(), std::size_t{10});
    QVERIFY(record.id != gone);
}

void TestCompareSaved::aReadOnlyLibraryKeepsNothing() {
    showCase(equivalentCase());
    save();
    const Services own = m_fixture->services();
    LibraryGateway second; // the first holds the library
    QVERIFY(second.open(m_fixture->file()));
    QVERIFY(second.readOnly());
    LibrarySession session(second, own.runs);
    ComparePage page({own.theme, second, own.runs, session});
    page.resize(1110, 690);
    page.show();
    page.compareStudy(QString::fromStdString(m_runs.study));
    page.activated();
    auto* table = child<QTableView>(page, "compare.savedTable");
    QTRY_COMPARE(table->model()->rowCount(), 1);
    QTRY_VERIFY(child<QScrollArea>(page, "compare.scroll")->isVisible());
    QVERIFY(!child<QPushButton>(page, "compare.save")->isEnabled());
    QTest::mouseClick(child<QPushButton>(page, "compare.saved"), Qt::LeftButton);
    table->selectRow(0);
    QVERIFY(child<QPushButton>(page, "compare.savedOpen")->isEnabled());
    QVERIFY(!child<QPushButton>(page, "compare.savedRename")->isEnabled());
    QVERIFY(!child<QPushButton>(page, "compare.savedDelete")->isEnabled());
    QVERIFY((table->model()->flags(table->model()->index(0, 0)) & Qt::ItemIsEditable) == 0);
}

void TestCompareSaved::deletedRunsAreNamed() {
    showCase(equivalentCase());
    save();
    click("compare.saved");
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QVERIFY(store.moveToTrash(std::vector{m_runs.groupA[1]}, unixTime()));
    QCOMPARE(store.emptyTrash().value().removed, std::int64_t{1});
    click("compare.saved");
    child<QTableView>(*m_page, "compare.savedTable")->selectRow(0);
    click("compare.savedOpen");
    QVERIFY(waitUntilShown(4));
    const QString left = text("compare.unpaired");
    QVERIFY2(left.contains(
                 QString("Run %1 was deleted from the library.").arg(QString::fromStdString(m_runs.groupA[1]).left(8))),
             qPrintable(left));
    QVERIFY2(left.contains("seed 1") && left.contains("no partner"), qPrintable(left));
}

void TestCompareSaved::anotherMarginThanTheSavedOneIsTold() {
    showCase(equivalentCase());
    save();
    auto* bar = child<NoticeBar>(*m_page, "compare.savedMargin");
    const auto openSaved = [this] {
        if (!child<QPushButton>(*m_page, "compare.saved")->isChecked())
            click("compare.saved");
        child<QTableView>(*m_page, "compare.savedTable")->selectRow(0);
        click("compare.savedOpen");
    };
    openSaved();
    QVERIFY(waitUntilShown(5));
    QVERIFY(!bar->isVisible()); // the study's, then as now

    // As if the study had had another margin when it was saved.
    ComparisonRecord record = stored().front();
    QVERIFY(!record.ownMargin);
    record.margin = 0.0005;
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QVERIFY(putComparison(store, record));
    m_page->activated();
    QTRY_VERIFY(savedModel()->records().front().margin < 0.001);
    openSaved();
    QTRY_VERIFY(bar->isVisible());
    QVERIFY2(bar->accessibleName().contains(QString::fromUtf8("±0.05\u00A0points; ±1")),
             qPrintable(bar->accessibleName()));
    QVERIFY(text("compare.verdictWord").startsWith("Equivalent"));
    QTest::mouseClick(child<QPushButton>(*bar, "noticeAction"), Qt::LeftButton);
    QTRY_COMPARE(text("compare.verdictWord"), QString("Inconclusive"));
    QVERIFY(compareRel(request().margin.value(), 0.0005, 1e-12));
    QVERIFY(compareBits(request().marginSetAt, record.marginSetAt));
    QTRY_VERIFY(!bar->isVisible());
    QVERIFY(!text("compare.marginNote").contains("changed after"));

    // Two that differ in their fifth digit only.
    record.margin = 0.010001;
    QVERIFY(putComparison(store, record));
    m_page->activated();
    QTRY_VERIFY(savedModel()->records().front().margin > 0.01);
    openSaved();
    QTRY_VERIFY(bar->isVisible());
    QVERIFY2(bar->accessibleName().contains(QString::fromUtf8("±1.0001\u00A0points; ±1\u00A0points")),
             qPrintable(bar->accessibleName()));
}

void TestCompareSaved::whatIsStillReadIsNotSaved() {
    showCase(equivalentCase());
    for (const char* button : {"compare.save", "compare.report"})
        QVERIFY(child<QPushButton>(*m_page, button)->isEnabled());
    auto* margin = child<QDoubleSpinBox>(*m_page, "compare.margin");
    margin->setFocus();
    margin->selectAll();
    QTest::keyClicks(margin, "0.05");
    QTest::keyClick(margin, Qt::Key_Return);
    for (const char* button : {"compare.save", "compare.report"}) // its answer is on its way
        QVERIFY(!child<QPushButton>(*m_page, button)->isEnabled());
    QTRY_COMPARE(text("compare.verdictWord"), QString("Inconclusive"));
    save();
    QVERIFY(stored().front().ownMargin && compareRel(stored().front().margin, 0.0005, 1e-12));
}

void TestCompareSaved::whatCannotBeReadIsNotAskedFor() {
    showCase(equivalentCase());
    const ComparisonRequest before = request();
    m_page->compareGroups({"no such run"}, {"nor such a one"});
    QVERIFY(!child<QPushButton>(*m_page, "compare.save")->isEnabled());
    QTRY_VERIFY(child<NoticeBar>(*m_page, "compare.notice")->isVisible());
    QVERIFY(request() == before); // as on screen
    QVERIFY(child<QScrollArea>(*m_page, "compare.scroll")->isVisible());
    save();
    QCOMPARE(stored().front().groupA, m_runs.groupA);
}

void TestCompareSaved::runsInTheTrashDoNotCount() {
    showCase(equivalentCase());
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QVERIFY(store.moveToTrash(std::vector{m_runs.groupA[1]}, unixTime()));
    m_page->activated();
    QVERIFY(waitUntilShown(4));
    const QString left = text("compare.unpaired");
    QVERIFY2(left.contains(QString("Run %1 is in the Trash.").arg(QString::fromStdString(m_runs.groupA[1]).left(8))),
             qPrintable(left));
    QVERIFY(store.restoreFromTrash(std::vector{m_runs.groupA[1]}));
    m_page->activated();
    QVERIFY(waitUntilShown(5));
    QVERIFY(!text("compare.unpaired").contains("Trash"));
}

/// While the page is seen, as by Undo.
void TestCompareSaved::whatIsRestoredCountsAtOnce() {
    showCase(equivalentCase());
    m_fixture->services().session.edits.moveToTrash({QString::fromStdString(m_runs.groupA[1])});
    QTRY_VERIFY(m_fixture->services().library.idle());
    m_page->activated();
    QVERIFY(waitUntilShown(4));
    m_fixture->services().session.edits.stack().undo();
    QVERIFY(waitUntilShown(5));
    QVERIFY(!text("compare.unpaired").contains("Trash"));
}

void TestCompareSaved::whatWasComparedLastComesBack() {
    showCase(equivalentCase());
    typeMargin("0.05");
    choose("compare.axis", "Epochs");
    QTRY_VERIFY(text("compare.curvesNote").contains("at equal epochs"));
    click("compare.swap");
    QTRY_VERIFY(text("compare.groupA").contains("large batch"));
    const double typedAt = request().marginSetAt;

    makePage();
    QVERIFY(waitUntilShown(5));
    QCOMPARE(text("compare.verdictWord"), QString("Inconclusive"));
    QVERIFY(text("compare.groupA").contains("large batch"));
    QVERIFY(compareBits(request().marginSetAt, typedAt));
    QVERIFY(compareRel(request().margin.value(), 0.0005, 1e-12));
    QCOMPARE(child<QComboBox>(*m_page, "compare.axis")->currentText(), QString("Epochs"));

    // Where its runs are gone there is nothing to say about it.
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QVERIFY(store.moveToTrash(m_runs.groupA, unixTime()));
    QCOMPARE(store.emptyTrash().value().removed, std::int64_t{5});
    makePage();
    QTRY_VERIFY(request().groupA.isEmpty());
    QVERIFY(child<EmptyState>(*m_page, "compare.empty")->isVisible());
    QVERIFY(!child<NoticeBar>(*m_page, "compare.notice")->isVisible());
}

void TestCompareSaved::ofAnotherLibraryNothingComesBack() {
    showCase(equivalentCase());
    QTRY_VERIFY(lastCompared(m_fixture->file()).has_value());
    QVERIFY(!lastCompared(m_fixture->path("other.sqlite").toStdString()).has_value());
}

void TestCompareSaved::theFacesFitTheirPage_data() {
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QSize>("size");
    QTest::newRow("light, 1280 x 720") << false << QSize(1110, 640);
    QTest::newRow("dark, 1600 x 1000") << true << QSize(1430, 920);
    QTest::newRow("light, narrow") << false << QSize(790, 640);
}

void TestCompareSaved::theFacesFitTheirPage() {
    QFETCH(bool, dark);
    QFETCH(QSize, size);
    showCase(equivalentCase());
    m_fixture->theme().setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
    m_page->resize(size);
    QVERIFY2(m_page->minimumSizeHint().width() <= size.width(),
             qPrintable(QString::number(m_page->minimumSizeHint().width())));
    save();
    const QString name = QString(QTest::currentDataTag()).replace(", ", "-").replace(' ', '-');
    takePicture(*m_page, "compare-saved-" + name);
    click("compare.editGroups");
    QTRY_COMPARE(child<QTableView>(*m_page, "compare.runTable")->model()->rowCount(), 10);
    QVERIFY(!child<QPushButton>(*m_page, "compare.saved")->isChecked()); // one face at a time
    QVERIFY(!child<QTableView>(*m_page, "compare.savedTable")->isVisible());
    takePicture(*m_page, "compare-groups-" + name);
}

QTEST_MAIN(TestCompareSaved)
} // namespace test_compare_saved
#include "test_compare_saved.moc"
