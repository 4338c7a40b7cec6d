// SPDX-License-Identifier: GPL-3.0-or-later
// "Add to Compare as a group" in the Library: when it can be done, why not, and with which runs.
#include "core/analysis/compare_family.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/models/run_groups.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/library/library_page.h"

#include <QAction>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QUndoStack>

namespace test_library_add_group {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestLibraryAddGroup : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_fixture = std::make_unique<PageFixture>();
        m_runs = m_fixture->add(studyOf(equivalentCase()));
        SyntheticStudy other = studyOf(differentCase());
        other.name = "other";
        other.micro = 64;
        m_other = m_fixture->add(other);
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<LibraryPage>(m_fixture->services());
        m_page->resize(1280, 760);
        m_page->show();
        m_page->activated();
        QTRY_VERIFY(table()->model()->rowCount() > 0);
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void aSelectionIsAdded();
    void itSaysWhyNot();
    void eightGroupsAreTheMost();
    void whatIsComparedIsTold();
    void whatCanBeAdded();

private:
    [[nodiscard]] QTableView* table() const { return child<QTableView>(*m_page, "runTable"); }
    [[nodiscard]] QAction* action() const { return m_page->findChild<QAction*>("libraryAddGroup"); }
    [[nodiscard]] QString why() const { return action()->property(kWhyNotProperty).toString(); }
    [[nodiscard]] QList<QStringList> pair() const { return {qtList(m_runs.groupA), qtList(m_runs.groupB)}; }
    void select(const std::vector<std::string>& runs) const {
        m_page->selectRuns(qtList(runs));
        QTRY_COMPARE(table()->selectionModel()->selectedRows().size(), static_cast<qsizetype>(runs.size()));
        QTest::qWait(50); // it settles
    }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<LibraryPage> m_page;
    SyntheticRuns m_runs, m_other;
};

void TestLibraryAddGroup::aSelectionIsAdded() {
    m_page->setComparedGroups(pair());
    select(m_other.groupA);
    QTRY_VERIFY2(action()->isEnabled(), qPrintable(why()));
    QVERIFY(why().isEmpty());
    QVERIFY(m_page->runActions().contains(action()) && table()->actions().contains(action()));
    const auto* button = child<QToolButton>(*m_page, "libraryAddGroupButton");
    QVERIFY(button->isVisible() && button->isEnabled());
    QSignalSpy asked(m_page.get(), &LibraryPage::groupRequested);
    m_page->activateWindow(); // a window that is not in front has no shortcuts
    QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_G);
    QCOMPARE(asked.count(), 1);
    QStringList runs = asked.front().front().toStringList();
    QStringList wanted = qtList(m_other.groupA);
    runs.sort();
    wanted.sort();
    QCOMPARE(runs, wanted);
}

void TestLibraryAddGroup::itSaysWhyNot() {
    table()->clearSelection();
    m_page->setComparedGroups(pair());
    QTRY_COMPARE(why(), QString("Select runs to add them to the comparison as one more group."));
    QVERIFY(!action()->isEnabled());
    select(m_other.groupA);
    QTRY_VERIFY(action()->isEnabled());
    m_page->setComparedGroups({});
    QVERIFY(!action()->isEnabled());
    QCOMPARE(why(), QString("Nothing is compared yet. Compare two groups first."));
    QCOMPARE(action()->toolTip(), why()); // for the pointer as well
    m_page->setComparedGroups(pair() << qtList(m_other.groupA));
    QVERIFY(!action()->isEnabled());
    QCOMPARE(why(), QString("These runs are compared already."));
    auto* trash = child<QPushButton>(*m_page, "libraryTrashView");
    trash->click();
    QVERIFY(!action()->isEnabled());
    QVERIFY2(why().contains("Trash"), qPrintable(why()));
}

void TestLibraryAddGroup::eightGroupsAreTheMost() {
    QList<QStringList> groups = pair();
    while (groups.size() < static_cast<qsizetype>(mostGroups))
        groups << QStringList{QString("other run %1").arg(groups.size())};
    m_page->setComparedGroups(groups);
    select(m_other.groupA);
    QTRY_VERIFY(why().startsWith("Eight groups are compared already."));
    QVERIFY(!action()->isEnabled());
    groups[5].clear(); // waits for runs
    m_page->setComparedGroups(groups);
    QVERIFY2(action()->isEnabled(), qPrintable(why()));
}

void TestLibraryAddGroup::whatIsComparedIsTold() {
    ComparePage compare(m_fixture->services());
    QVERIFY(compare.comparedGroups().isEmpty());
    connect(&compare, &ComparePage::comparedGroupsChanged, m_page.get(), &LibraryPage::setComparedGroups);
    connect(m_page.get(), &LibraryPage::groupRequested, &compare, &ComparePage::addGroup);
    QSignalSpy told(&compare, &ComparePage::comparedGroupsChanged);
    compare.show();
    select(m_other.groupA);
    QTRY_VERIFY(why().startsWith("Nothing is compared"));
    compare.compareGroups(qtList(m_runs.groupA), qtList(m_runs.groupB));
    QTRY_VERIFY(action()->isEnabled());
    QCOMPARE(told.count(), 1);
    QCOMPARE(compare.comparedGroups(), pair());
    action()->trigger();
    QTRY_COMPARE(compare.comparedGroups().size(), 3);
    QCOMPARE(compare.comparedGroups().back().size(), static_cast<qsizetype>(m_other.groupA.size()));
    QTRY_COMPARE(why(), QString("These runs are compared already."));
    compare.undo();
    QTRY_COMPARE(compare.comparedGroups(), pair());
    QTRY_VERIFY(action()->isEnabled());
}

void TestLibraryAddGroup::whatCanBeAdded() {
    const QList<QStringList> two{{"a"}, {"b"}};
    QVERIFY(furtherGroup({}, two) == FurtherGroup::NoRuns);
    QVERIFY(furtherGroup({"c"}, {}) == FurtherGroup::NothingCompared);
    QVERIFY(furtherGroup({"a", "b"}, two) == FurtherGroup::AllCompared);
    QVERIFY(furtherGroup({"a", "c"}, two) == FurtherGroup::Possible); // c alone
    QList<QStringList> eight(static_cast<qsizetype>(mostGroups), QStringList{"a"});
    QVERIFY(furtherGroup({"c"}, eight) == FurtherGroup::TooMany);
    eight.last().clear();
    QVERIFY(furtherGroup({"c"}, eight) == FurtherGroup::Possible);
}

QTEST_MAIN(TestLibraryAddGroup)
} // namespace test_library_add_group
#include "test_library_add_group.moc"
