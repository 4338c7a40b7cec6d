// SPDX-License-Identifier: GPL-3.0-or-later
// A saved view of the Library that is deleted or replaced comes back.
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/style/controls.h"

#include <QLineEdit>
#include <QMenu>
#include <QPushButton>

namespace test_saved_views {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestSavedViews : public QObject {
    Q_OBJECT

private:
    PageFixture m_fixture;
    std::unique_ptr<LibraryPage> m_page;

    [[nodiscard]] QMenu* menu() { return m_page->findChild<QMenu*>(QStringLiteral("libraryViewsMenu")); }
    void saveAs(const QString& name) {
        menu()->popup(QPoint(0, 0));
        auto* field = menu()->findChild<QLineEdit*>(QStringLiteral("libraryViewName"));
        QTest::keyClicks(field, name);
        QTest::keyClick(field, Qt::Key_Return);
    }
    /// What the first of the menu does to the filter; empty where there is no view.
    [[nodiscard]] QString filterOfFirst(const QString& name) {
        auto* filter = child<QLineEdit>(*m_page, "libraryFilter");
        filter->clear();
        menu()->popup(QPoint(0, 0));
        if (menu()->actions().front()->text() == name)
            menu()->actions().front()->trigger();
        menu()->close();
        return filter->text();
    }
    void undo() {
        auto* toast = child<NoticeBar>(*m_page, "libraryToast");
        QVERIFY(toast->isVisible());
        for (auto* button : toast->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Undo"))
                return button->click();
        QFAIL("nothing to undo it by");
    }

private Q_SLOTS:
    void theyComeBack() {
        QVERIFY(m_fixture.open());
        m_page = std::make_unique<LibraryPage>(m_fixture.services());
        m_page->resize(1110, 690);
        m_page->show();
        auto* filter = child<QLineEdit>(*m_page, "libraryFilter");
        filter->setText(QStringLiteral("seed<3"));
        saveAs(QStringLiteral("few"));
        QCOMPARE(filterOfFirst(QStringLiteral("few")), QStringLiteral("seed<3"));
        menu()->popup(QPoint(0, 0));
        menu()->actions().back()->menu()->actions().front()->trigger();
        menu()->close();
        QCOMPARE(filterOfFirst(QStringLiteral("few")), QString());
        undo();
        QCOMPARE(filterOfFirst(QStringLiteral("few")), QStringLiteral("seed<3"));
        filter->setText(QStringLiteral("seed<2"));
        saveAs(QStringLiteral("few"));
        QCOMPARE(filterOfFirst(QStringLiteral("few")), QStringLiteral("seed<2"));
        undo();
        QCOMPARE(filterOfFirst(QStringLiteral("few")), QStringLiteral("seed<3"));
        m_page.reset();
    }
};

QTEST_MAIN(TestSavedViews)
} // namespace test_saved_views
#include "test_saved_views.moc"
