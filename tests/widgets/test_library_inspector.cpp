// SPDX-License-Identifier: GPL-3.0-or-later
// A double click on a run opens its details, and the keyboard goes on there.
#include "tests/widgets/page_fixture.h"
#include "widgets/models/run_list_model.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/library/run_table.h"

#include <QAbstractButton>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QTabWidget>
#include <QTreeWidget>

namespace test_library_inspector {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestLibraryInspector : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_fixture = std::make_unique<PageFixture>();
        m_fixture->add(studyOf(equivalentCase()));
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<LibraryPage>(m_fixture->services());
        m_page->resize(1280, 760);
        m_page->show();
        m_page->activated();
        QTRY_COMPARE(table()->model()->rowCount(), 10);
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void theKeyboardGoesOnInTheDetails() {
        auto* overview = child<QTreeWidget>(*m_page, "inspectorOverview");
        doubleClick(3);
        QTRY_VERIFY(overview->hasFocus());
        QTRY_VERIFY(overview->topLevelItemCount() > 2);
        QTest::keyClick(overview, Qt::Key_Home);
        const int before = overview->currentIndex().row();
        QTest::keyClick(overview, Qt::Key_Down);
        QVERIFY(overview->currentIndex().row() > before);
        QCOMPARE(table()->currentIndex().row(), 3); // arrows do not change the run
        const QString run = table()->selectedRuns().value(0);
        QTest::keyClick(overview, Qt::Key_P);
        QTRY_VERIFY(table()->model()->index(0, 0).data(RunListModel::BaselineRole).toBool());
        QCOMPARE(table()->model()->index(0, 0).data(RunListModel::IdRole).toString(), run);
        QTest::keyClick(overview, Qt::Key_T);
        QVERIFY(child<QLineEdit>(*m_page, "inspectorTags")->hasFocus());
    }

    void everyTabTakesTheKeyboard() {
        auto* tabs = child<QTabWidget>(*m_page, "inspectorTabs");
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            table()->setFocus();
            doubleClick(2);
            const auto isInside = [tabs] { return tabs->isAncestorOf(QApplication::focusWidget()); };
            QTRY_VERIFY2(QApplication::focusWidget() && isInside(), qPrintable(tabs->tabText(tab)));
        }
    }

    /// Nothing would save it.
    void nothingIsTypedForARunInTheTrash() {
        auto* name = child<QLineEdit>(*m_page, "inspectorName");
        table()->setCurrentIndex(table()->model()->index(0, 0));
        QVERIFY(!name->isReadOnly());
        m_fixture->services().session.edits.moveToTrash({table()->selectedRuns().value(0)});
        QTRY_COMPARE(table()->model()->rowCount(), 9);
        child<QAbstractButton>(*m_page, "libraryTrashView")->click();
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        table()->setCurrentIndex(table()->model()->index(0, 0));
        QTRY_VERIFY(name->isReadOnly());
        QVERIFY(child<QLineEdit>(*m_page, "inspectorTags")->isReadOnly());
        QVERIFY(child<QPlainTextEdit>(*m_page, "inspectorNotes")->isReadOnly());
    }

    void aCollapsedPaneOpens() {
        auto* splitter = child<QSplitter>(*m_page, "librarySplitter");
        splitter->setSizes({splitter->width(), 0});
        QCOMPARE(splitter->sizes()[1], 0);
        doubleClick(1);
        QVERIFY(splitter->sizes()[1] > 0);
        QTRY_VERIFY(child<QTreeWidget>(*m_page, "inspectorOverview")->hasFocus());
        // One that a person has made wide stays so.
        splitter->setSizes({splitter->width() - 600, 600});
        const int wide = splitter->sizes()[1];
        doubleClick(2);
        QCOMPARE(splitter->sizes()[1], wide);
    }

private:
    [[nodiscard]] RunTable* table() { return m_page->findChild<RunTable*>(); }
    void doubleClick(int row) {
        const QModelIndex cell = table()->model()->index(row, static_cast<int>(RunColumn::Name));
        table()->setCurrentIndex(cell);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(cell).center());
        QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(cell).center());
    }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<LibraryPage> m_page;
};

QTEST_MAIN(TestLibraryInspector)
} // namespace test_library_inspector
#include "test_library_inspector.moc"
