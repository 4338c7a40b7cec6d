// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of the Library by keys alone: C opens the menu of the current cell's column, which sorts, moves, freezes,
// filters and hides.
#include "tests/widgets/page_fixture.h"
#include "widgets/models/run_list_model.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/library/run_table.h"

#include <QAction>
#include <QLineEdit>
#include <QMenu>
#include <algorithm>

namespace test_column_menu {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestColumnMenu : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_fixture = std::make_unique<PageFixture>();
        m_fixture->add(studyOf(equivalentCase()));
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<LibraryPage>(m_fixture->services());
        m_page->resize(1280, 760);
        QVERIFY(!action()->isEnabled()); // there is no table to see
        m_page->show();
        m_page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        m_page->activated();
        QTRY_COMPARE(model().rowCount(), 10);
        QVERIFY(action()->isEnabled());
        table()->setFocus();
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void aColumnIsSorted() {
        choose(RunColumn::Seed, {"Sort descending"});
        QCOMPARE(model().sortKeys(), (std::vector<SortKey>{{RunColumn::Seed, Qt::DescendingOrder}}));
        choose(RunColumn::Arm, {"Sort by this as well"});
        QCOMPARE(model().sortKeys().size(), std::size_t{2});
        choose(RunColumn::Seed, {"Sort ascending"});
        QCOMPARE(model().sortKeys(), (std::vector<SortKey>{{RunColumn::Seed, Qt::AscendingOrder}}));
    }

    void aColumnMovesPastThoseThatAreShown() {
        const auto place = [this](RunColumn column) { return table()->shownColumns().indexOf(column); };
        const auto before = place(RunColumn::LowestLoss); // a hidden one stands on its left
        choose(RunColumn::LowestLoss, {"Move left"});
        QCOMPARE(place(RunColumn::LowestLoss), before - 1);
        choose(RunColumn::LowestLoss, {"Move right"});
        QCOMPARE(place(RunColumn::LowestLoss), before);
        openMenu(RunColumn::Name); // the first one
        const QList<QAction*> entries = openedMenu()->actions();
        const auto left = std::ranges::find(entries, QStringLiteral("Move left"), &QAction::text);
        QVERIFY(left != entries.end() && !(*left)->isEnabled());
        openedMenu()->close();
    }

    void columnsAreFrozenAndHidden() {
        choose(RunColumn::Status, {"Keep in sight up to here"});
        QCOMPARE(table()->layoutState().value(QStringLiteral("frozen")).toInt(), 2);
        choose(RunColumn::Name, {"Let all columns scroll"});
        QCOMPARE(table()->layoutState().value(QStringLiteral("frozen")).toInt(), 0);
        choose(RunColumn::Model, {"Columns", "Model"});
        QVERIFY(table()->isColumnHidden(static_cast<int>(RunColumn::Model)));
        // The current cell's column is hidden now: the menu is that of the first one.
        QTest::keyClick(table(), Qt::Key_C);
        QVERIFY(openedMenu());
        QCOMPARE(openedMenu()->accessibleName(), QStringLiteral("Name"));
        openedMenu()->close();
        choose(RunColumn::Name, {"Reset columns"});
        QVERIFY(!table()->isColumnHidden(static_cast<int>(RunColumn::Model)));
    }

    void aColumnNarrowsTheRuns() {
        choose(RunColumn::Arm, {"Show only", "arm:accumulated"});
        QCOMPARE(model().rowCount(), 5);
        choose(RunColumn::Note, {"Show only", "has!=note"});
        QCOMPARE(m_page->findChild<QLineEdit*>(QStringLiteral("libraryFilter"))->text(),
                 QStringLiteral("arm:accumulated has!=note"));
        QCOMPARE(model().rowCount(), 5);
    }

    void theActionStandsInTheMenusAndInThatOfARow() {
        QVERIFY(m_page->menus().view.contains(action()));
        QVERIFY(table()->actions().contains(action()));
        m_page->hide();
        QVERIFY(!action()->isEnabled());
        QVERIFY(!action()->property(kWhyNotProperty).toString().isEmpty());
    }

private:
    [[nodiscard]] RunTable* table() { return m_page->findChild<RunTable*>(); }
    [[nodiscard]] RunListModel& model() { return *qobject_cast<RunListModel*>(table()->model()); }
    [[nodiscard]] QAction* action() { return m_page->findChild<QAction*>(QStringLiteral("libraryColumn")); }
    [[nodiscard]] static QMenu* openedMenu() { return qobject_cast<QMenu*>(QApplication::activePopupWidget()); }

    void openMenu(RunColumn column) {
        table()->setFocus();
        table()->setCurrentIndex(model().index(0, static_cast<int>(column)));
        QTest::keyClick(table(), Qt::Key_C);
        QVERIFY(openedMenu());
        QCOMPARE(openedMenu()->accessibleName(),
                 model().headerData(static_cast<int>(column), Qt::Horizontal, Qt::DisplayRole).toString());
    }

    /// By keys: down to each text, then Enter, which chooses or opens what stands below.
    void choose(RunColumn column, const QStringList& texts) {
        openMenu(column);
        for (const QString& text : texts) {
            QMenu* menu = openedMenu();
            QVERIFY(menu);
            const auto isThere = [&] { return menu->activeAction() && menu->activeAction()->text() == text; };
            for (qsizetype step = 0; step < menu->actions().size() && !isThere(); ++step)
                QTest::keyClick(menu, Qt::Key_Down);
            QVERIFY2(isThere(), qPrintable(text));
            QTest::keyClick(menu, Qt::Key_Return);
        }
        QTRY_VERIFY(!openedMenu());
    }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<LibraryPage> m_page;
};

QTEST_MAIN(TestColumnMenu)
} // namespace test_column_menu
#include "test_column_menu.moc"
