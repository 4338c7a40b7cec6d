// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that are selected in the Library become one more group on Compare, from the real window; Ctrl+K says why not.
#include "tests/support/synthetic_library.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/library/library_page.h"

#include <QAction>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTreeView>

namespace test_add_group {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestAddGroup : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void selectedRunsBecomeAGroup() {
        WorkbenchFixture fixture;
        const SyntheticRuns pair = addSyntheticStudy(fixture.library(), studyOf(equivalentCase())).value();
        SyntheticStudy third = studyOf(differentCase());
        third.name = "third";
        third.micro = 64;
        const SyntheticRuns more = addSyntheticStudy(fixture.library(), third).value();
        auto* library = fixture.window().findChild<LibraryPage*>();
        auto* compare = fixture.window().findChild<ComparePage*>();
        fixture.window().showPage(QStringLiteral("library"));
        auto* table = fixture.find<QTableView>("runTable");
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->rowCount() >= 20, patience);
        library->selectRuns(listOf(more.groupA));
        auto* action = fixture.find<QAction>("libraryAddGroup");
        QTRY_VERIFY(action->property(kWhyNotProperty).toString().startsWith(QStringLiteral("Nothing is compared")));
        QCOMPARE(whyNot(fixture), action->property(kWhyNotProperty).toString());

        compare->compareGroups(listOf(pair.groupA), listOf(pair.groupB));
        QTRY_VERIFY(action->isEnabled());
        action->trigger();
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("compare"));
        QTRY_COMPARE_WITH_TIMEOUT(fixture.find<QTableView>("compare.familyTable")->model()->rowCount(), 2, patience);

        const auto text = [&] { return fixture.find<QLabel>("compare.groupCSeeds")->text(); };
        QTRY_COMPARE_WITH_TIMEOUT(text().count(QChar(0x2713)), 5, patience);
        QVERIFY2(text().indexOf(QLatin1Char('0')) < text().indexOf(QLatin1Char('4')), qPrintable(text())); // ascending

        // Ctrl+Z in a field where nothing was typed belongs to the window; else to what was typed.
        auto* margin = fixture.find<QDoubleSpinBox>("compare.margin");
        margin->setFocus();
        QTRY_VERIFY(margin->hasFocus());
        QTest::keyClick(margin, Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(fixture.find<QTableView>("compare.familyTable")->model()->rowCount(), 1, patience);
        QTest::keyClick(margin, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE_WITH_TIMEOUT(fixture.find<QTableView>("compare.familyTable")->model()->rowCount(), 2, patience);
        margin->selectAll();
        QTest::keyClicks(margin, QStringLiteral("7"));
        QTest::keyClick(margin, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(fixture.find<QTableView>("compare.familyTable")->model()->rowCount(), 2);
        QVERIFY(margin->value() < 7.0);

        // Another language, another window: the Library knows what is compared.
        fixture.setLanguage(QStringLiteral("zh_CN"));
        fixture.settle();
        fixture.window().findChild<LibraryPage*>()->selectRuns(listOf(more.groupB));
        QTRY_VERIFY(fixture.find<QAction>("libraryAddGroup")->isEnabled());
    }

private:
    /// What Ctrl+K says of it.
    static QString whyNot(WorkbenchFixture& fixture) {
        fixture.find<QAction>("actionSearch")->trigger();
        auto* text = fixture.find<QLineEdit>("actionSearchText");
        text->setText(QStringLiteral("Add to Compare as a group"));
        const QString why = fixture.find<QLabel>("actionSearchNote")->text();
        QTest::keyClick(text, Qt::Key_Escape);
        return why;
    }
};

QTEST_MAIN(TestAddGroup)
} // namespace test_add_group
#include "test_add_group.moc"
