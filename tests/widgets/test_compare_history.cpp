// SPDX-License-Identifier: GPL-3.0-or-later
// What was compared, step by step: each step takes its question with it, outlives the page, and leaves what a person
// changed in the library alone.
#include "tests/widgets/three_groups.h"
#include "widgets/models/saved_comparison_model.h"
#include "widgets/pages/compare/compare_history.h"
#include "widgets/pages/compare/group_editor.h"
#include "widgets/plots/verdict_card.h"

#include <QUndoCommand>
#include <QUndoStack>

namespace test_compare_history {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

Compared comparing(const QString& run) {
    Compared compared;
    compared.request.setGroups({{run}, {QStringLiteral("reference")}}, 1);
    return compared;
}

CompareHistory::Step step(const QString& from, const QString& to) {
    return {from + QLatin1Char('>') + to, comparing(from), comparing(to), true};
}

QString groupOf(const std::optional<CompareHistory::Step>& taken) {
    return taken ? taken->after.request.groupA.value(0) : QStringLiteral("none");
}

} // namespace

class TestCompareHistory : public QObject, protected ThreeGroups {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void cleanup() { closePage(); }

    void aMarginStaysWithItsPair();
    void aStepOutlivesThePage();
    void editsOfTheLibraryStay();
    void theLaterOfBothComesFirst();
    void whatLedNowhereIsForgotten();
    void anotherLibraryHasAnotherHistory();
    void aSavedOneOfTheSameGroupsIsAStep();
    void theMarginOfASavedOneComesBack();
    void aClosedWarningStaysClosed();
    void aButtonMeansItsGroupWhileItIsRead();

private:
    void typeMargin(double margin) const { Q_EMIT m_page->findChild<VerdictCard*>()->marginEdited(margin); }
    [[nodiscard]] double margin() const { return request().margin.value_or(0.0); }
    /// Opens the only one that is saved.
    void openSaved() const {
        child<QTableView>(*m_page, "compare.savedTable")->selectRow(0);
        child<QPushButton>(*m_page, "compare.savedOpen")->click();
    }
};

/// The mistake that this is to catch: the first pair is judged by the margin that was typed for the second.
void TestCompareHistory::aMarginStaysWithItsPair() {
    start();
    m_page->compareGroups(qtList(m_second.groupA), qtList(m_second.groupB));
    typeMargin(0.05);
    m_page->undo();
    QCOMPARE(request().groupA, qtList(m_first.groupA));
    QVERIFY(!request().margin);
    typeMargin(0.002);
    m_page->redo();
    QCOMPARE(request().groupA, qtList(m_second.groupA));
    QVERIFY(compareBits(margin(), 0.05)); // as it was left
    m_page->undo();
    QVERIFY(compareBits(margin(), 0.002));

    // Another group asks nothing else.
    m_page->addGroup(qtList(m_second.groupA));
    typeMargin(0.003);
    m_page->undo();
    QCOMPARE(request().groups().size(), 2);
    QVERIFY(compareBits(margin(), 0.003));
}

/// As when the window is built anew in another language.
void TestCompareHistory::aStepOutlivesThePage() {
    startWithThree();
    const QVariant state = m_page->state();
    m_page.reset();
    m_page = std::make_unique<ComparePage>(m_fixture->services());
    m_page->setState(state);
    QTRY_VERIFY(m_page->canUndo());
    QCOMPARE(m_page->undoText(), QString("Add a group"));
    m_page->undo();
    QCOMPARE(request().groups(), (QList<QStringList>{qtList(m_first.groupA), qtList(m_first.groupB)}));
    QVERIFY(m_page->canRedo());
    m_page->redo();
    QCOMPARE(request().further, QList<QStringList>{qtList(m_second.groupA)});
}

/// The mistakes that this is to catch: looking at another pair costs the redo, and Ctrl+Z in the Library takes back
/// looks.
void TestCompareHistory::editsOfTheLibraryStay() {
    start();
    LibraryEdits& edits = m_fixture->services().session.edits;
    edits.moveToTrash({QString::fromStdString(m_second.groupB.front())});
    QTRY_COMPARE(edits.stack().count(), 1);
    edits.stack().undo();
    m_page->compareGroups(qtList(m_second.groupA), qtList(m_second.groupB));
    QCOMPARE(edits.stack().count(), 1);
    QVERIFY(edits.stack().canRedo() && !edits.stack().canUndo());
    QTRY_VERIFY(m_page->canUndo()); // once the edit is written
}

void TestCompareHistory::theLaterOfBothComesFirst() {
    QUndoStack edits;
    LibraryGateway library;
    CompareHistory history(library, edits);
    edits.push(new QUndoCommand(QStringLiteral("trash")));
    history.push(step("a", "b"));
    edits.push(new QUndoCommand(QStringLiteral("delete")));
    QVERIFY(!history.undoStep()); // the deletion comes first
    edits.undo();
    QVERIFY(history.undoStep());
    QCOMPARE(groupOf(history.undo(comparing("b"))), QString("a"));
    edits.undo();
    QVERIFY(!history.redoStep()); // and back the other way round
    edits.redo();
    QVERIFY(history.redoStep());
    QCOMPARE(groupOf(history.redo(comparing("a"))), QString("b"));
    edits.redo();
    QVERIFY(!history.undoStep());

    edits.clear(); // as where the trash is emptied
    QVERIFY(history.undoStep());
    edits.push(new QUndoCommand(QStringLiteral("rename")));
    QVERIFY(!history.undoStep());

    // What was undone on another page holds up nothing here.
    edits.undo();
    QCOMPARE(groupOf(history.undo(comparing("b"))), QString("a"));
    QVERIFY(history.redoStep());
    QCOMPARE(history.redoStep()->text, QString("a>b"));
}

void TestCompareHistory::whatLedNowhereIsForgotten() {
    QUndoStack edits;
    LibraryGateway library;
    CompareHistory history(library, edits);
    history.push(step("a", "b"));
    history.push(step("b", "c"));
    QCOMPARE(groupOf(history.undo(comparing("b"))), QString("a")); // c could not be read
    QCOMPARE(groupOf(history.undo(comparing("a"))), QString("none"));
    QCOMPARE(groupOf(history.redo(comparing("other"))), QString("none"));
    QVERIFY(!history.redoStep());
}

void TestCompareHistory::anotherLibraryHasAnotherHistory() {
    startWithThree();
    QTRY_VERIFY(m_page->canUndo());
    QVERIFY(m_fixture->services().library.open(m_fixture->path("other.sqlite").toStdString()));
    QVERIFY(!m_fixture->services().session.compared.undoStep());
}

void TestCompareHistory::aSavedOneOfTheSameGroupsIsAStep() {
    start();
    typeMargin(0.02);
    QTRY_VERIFY(child<QPushButton>(*m_page, "compare.save")->isEnabled());
    child<QPushButton>(*m_page, "compare.save")->click();
    QTRY_COMPARE(child<QTableView>(*m_page, "compare.savedTable")->model()->rowCount(), 1);
    typeMargin(0.03);
    openSaved();
    QVERIFY(compareBits(margin(), 0.02));
    m_page->undo();
    QCOMPARE(request().groupA, qtList(m_first.groupA));
    QVERIFY(compareBits(margin(), 0.03));
    m_page->redo();
    QVERIFY(compareBits(margin(), 0.02));
}

/// The mistake that this is to catch: after undo and redo nobody says that another margin counts than when it was
/// saved.
void TestCompareHistory::theMarginOfASavedOneComesBack() {
    start();
    child<QPushButton>(*m_page, "compare.save")->click();
    auto* table = child<QTableView>(*m_page, "compare.savedTable");
    QTRY_COMPARE(table->model()->rowCount(), 1);
    auto* model = qobject_cast<SavedComparisonModel*>(table->model());
    ComparisonRecord record = model->records().front();
    QVERIFY(!record.ownMargin);
    record.margin = 0.0005; // as if the study had had another margin when it was saved
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QVERIFY(putComparison(store, record));
    m_page->activated();
    QTRY_VERIFY(model->records().front().margin < 0.001);
    m_page->compareGroups(qtList(m_second.groupA), qtList(m_second.groupB));
    const auto* bar = child<NoticeBar>(*m_page, "compare.savedMargin");
    openSaved();
    QTRY_VERIFY(!bar->isHidden());
    m_page->undo();
    QVERIFY(bar->isHidden());
    m_page->redo();
    QTRY_VERIFY(!bar->isHidden());
}

void TestCompareHistory::aClosedWarningStaysClosed() {
    start();
    SyntheticStudy rate = studyOf(equivalentCase());
    rate.name = "rate";
    rate.learningRate = 0.1;
    const SyntheticRuns other = m_fixture->add(rate);
    m_page->compareGroups(qtList(m_first.groupA), qtList(other.groupB));
    auto* banner = child<NoticeBar>(*m_page, "compare.banner");
    QTRY_VERIFY(!banner->isHidden());
    banner->findChild<QToolButton*>(QStringLiteral("noticeClose"))->click();
    QVERIFY(banner->isHidden());
    Q_EMIT m_page->findChild<GroupEditor*>()->groupsChanged({qtList(m_first.groupA).mid(1), qtList(other.groupB)});
    QTRY_COMPARE(child<QTableView>(*m_page, "compare.seedTable")->model()->rowCount(), 5);
    QVERIFY(banner->isHidden()); // a seed less is the same pair

    m_page->compareGroups(qtList(m_first.groupA), qtList(m_first.groupB));
    QTRY_COMPARE(child<QTableView>(*m_page, "compare.seedTable")->model()->rowCount(), 6);
    QVERIFY(banner->isHidden());
    m_page->undo();
    QTRY_VERIFY(!banner->isHidden()); // another pair: it is said again
    m_page->redo();
    QTRY_COMPARE(child<QTableView>(*m_page, "compare.seedTable")->model()->rowCount(), 6);
    QVERIFY(banner->isHidden());
}

/// The mistake that this is to catch: right after its runs have changed, its cross does nothing.
void TestCompareHistory::aButtonMeansItsGroupWhileItIsRead() {
    startWithThree();
    QList<QStringList> groups = request().groups();
    groups[2].removeLast();
    Q_EMIT m_page->findChild<GroupEditor*>()->groupsChanged(groups);
    child<QToolButton>(*m_page, "compare.removeGroupC")->click();
    QCOMPARE(request().groups(), (QList<QStringList>{qtList(m_first.groupA), qtList(m_first.groupB)}));
}

QTEST_MAIN(TestCompareHistory)
} // namespace test_compare_history
#include "test_compare_history.moc"
