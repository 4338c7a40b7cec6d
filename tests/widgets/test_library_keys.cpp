// SPDX-License-Identifier: GPL-3.0-or-later
// Both keys that are labelled Enter compare what is selected in the Library, and its colours are sharp on fine screens.
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/library/library_page.h"

#include <QAction>
#include <QTableView>

namespace test_library_keys {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestLibraryKeys : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void init() {
        QSettings().clear();
        m_fixture = std::make_unique<PageFixture>();
        m_runs = m_fixture->add(studyOf(equivalentCase()));
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<LibraryPage>(m_fixture->services());
        m_page->resize(1280, 760);
        m_page->show();
        m_page->activated();
        QTRY_COMPARE(table().model()->rowCount(), 10);
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void enterOfTheNumberPadCompares() {
        m_page->selectRuns(qtList(m_runs.groupA) + qtList(m_runs.groupB));
        const auto* compare = m_page->findChild<QAction*>("libraryCompare");
        QTRY_VERIFY(compare->isEnabled());
        QSignalSpy asked(m_page.get(), &LibraryPage::compareRequested);
        m_page->activateWindow(); // a window that is not in front has no shortcuts
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        table().setFocus();
        QTest::keyClick(&table(), Qt::Key_Enter, Qt::KeypadModifier);
        QCOMPARE(asked.count(), 1);
        QTest::keyClick(&table(), Qt::Key_Return);
        QCOMPARE(asked.count(), 2);
    }

    void coloursAreSharpOnFineScreens() {
        const auto* choice = m_page->findChild<QAction*>("libraryColor#cc79a7");
        QVERIFY(choice);
        for (const qreal ratio : {1.0, 1.5, 2.0}) {
            const int side = qRound(16 * ratio);
            QCOMPARE(choice->icon().pixmap(QSize(16, 16), ratio).size(), QSize(side, side));
        }
    }

private:
    [[nodiscard]] QTableView& table() const { return *child<QTableView>(*m_page, "runTable"); }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<LibraryPage> m_page;
    SyntheticRuns m_runs;
};

QTEST_MAIN(TestLibraryKeys)
} // namespace test_library_keys
#include "test_library_keys.moc"
