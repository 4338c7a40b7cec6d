// SPDX-License-Identifier: GPL-3.0-or-later
// A page says one sentence about itself until a person has read it, and again when Help is asked.
#include "tests/workbench/workbench_fixture.h"
#include "widgets/style/controls.h"

#include <QAction>
#include <QPushButton>
#include <QSet>

namespace test_page_hints {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

/// The button in the bar of hints; null where none is shown.
QPushButton* gotIt(WorkbenchFixture& fixture) {
    const auto* bar = fixture.find<NoticeBar>("pageHint");
    return bar->isVisible() ? bar->findChild<QPushButton*>() : nullptr;
}

} // namespace

class TestPageHints : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachPageHasOneUntilItIsRead() {
        WorkbenchFixture fixture;
        QVERIFY(!gotIt(fixture)); // all are read
        QSettings().remove(QStringLiteral("hints/read"));
        fixture.reopen();
        QSet<QString> hints;
        for (const PageEntry& page : pageTable()) {
            fixture.window().showPage(QString::fromLatin1(page.id));
            QVERIFY2(gotIt(fixture), page.id);
            hints << fixture.find<NoticeBar>("pageHint")->accessibleName();
        }
        QCOMPARE(hints.size(), static_cast<qsizetype>(pageTable().size()));

        fixture.window().showPage(QStringLiteral("planner"));
        QTest::mouseClick(gotIt(fixture), Qt::LeftButton);
        QVERIFY(!gotIt(fixture));
        fixture.window().showPage(QStringLiteral("audit"));
        QVERIFY(gotIt(fixture));
        fixture.reopen();
        fixture.window().showPage(QStringLiteral("planner"));
        QVERIFY(!gotIt(fixture));
    }

    void oneThatIsClosedIsRead() {
        WorkbenchFixture fixture;
        QSettings().remove(QStringLiteral("hints/read"));
        fixture.window().showPage(QStringLiteral("planner"));
        QTest::mouseClick(fixture.find<NoticeBar>("pageHint")->findChild<QWidget*>(QStringLiteral("noticeClose")),
                          Qt::LeftButton);
        fixture.window().showPage(QStringLiteral("audit"));
        QVERIFY(gotIt(fixture));
        fixture.window().showPage(QStringLiteral("planner"));
        QVERIFY(!gotIt(fixture));
    }

    void theyWaitUntilNothingElseIsTold() {
        WorkbenchFixture fixture;
        QSettings().remove(QStringLiteral("hints/read"));
        fixture.window().showPage(QStringLiteral("planner"));
        QVERIFY(gotIt(fixture));
        fixture.window().showError({"library.gone", {{"file", "gone.sqlite"}}});
        QVERIFY(!gotIt(fixture));
        fixture.window().showPage(QStringLiteral("audit"));
        QVERIFY(!gotIt(fixture));
        fixture.find<NoticeBar>("windowNotice")->clear();
        QVERIFY(gotIt(fixture));
    }

    void helpBringsThemBack() {
        WorkbenchFixture fixture;
        fixture.window().showPage(QStringLiteral("compare"));
        QVERIFY(!gotIt(fixture));
        fixture.find<QAction>("actionHints")->trigger();
        QVERIFY(gotIt(fixture));
        fixture.window().showPage(QStringLiteral("library"));
        QVERIFY(gotIt(fixture));
    }
};

QTEST_MAIN(TestPageHints)
} // namespace test_page_hints
#include "test_page_hints.moc"
