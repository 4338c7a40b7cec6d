// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/home/home_page.h"

#include "tests/widgets/page_fixture.h"

#include <QAction>
#include <QClipboard>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableWidget>

namespace test_home_page {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestHomePage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void aStudyShowsTheBestOfItsMetric();
    void studiesOfOneNameAreToldApart();
    void aStudyIsCopied();
    void nothingIsCutInANarrowWindow();
    void theListFollowsTheLibrary();
};

void TestHomePage::aStudyShowsTheBestOfItsMetric() {
    PageFixture fixture;
    QVERIFY(fixture.open());
    SyntheticStudy errors = studyOf(equivalentCase());
    errors.name = "errors";
    errors.loss = LossKind::Mse;
    errors.finalB[2] = 0.125; // the smallest error is the best
    errors.createdAt += 1000.0;
    fixture.add(errors);
    SyntheticStudy accuracies = studyOf(equivalentCase());
    accuracies.finalB[2] = 0.99;
    fixture.add(accuracies);

    HomePage page(fixture.services());
    page.activated();
    const auto* recent = child<QTableWidget>(page, "homeRecent");
    QTRY_COMPARE(recent->rowCount(), 2);
    QCOMPARE(recent->horizontalHeaderItem(2)->text(), QStringLiteral("Best result"));
    QCOMPARE(recent->item(0, 2)->text(), QStringLiteral("RMSE") + QChar(0x00A0) + QStringLiteral("0.1250"));
    QVERIFY2(recent->item(1, 2)->text().startsWith(QStringLiteral("99")), qPrintable(recent->item(1, 2)->text()));
}

/// While the page is seen, whoever writes.
void TestHomePage::theListFollowsTheLibrary() {
    PageFixture fixture;
    QVERIFY(fixture.open());
    const SyntheticRuns runs = fixture.add(studyOf(equivalentCase()));
    HomePage page(fixture.services());
    page.show();
    page.activated();
    const auto* recent = child<QTableWidget>(page, "homeRecent");
    QTRY_COMPARE(recent->rowCount(), 1);
    LibraryEdits& edits = fixture.services().session.edits;
    edits.renameStudy(QString::fromStdString(runs.study), recent->item(0, 0)->text(), QStringLiteral("renamed"));
    QTRY_COMPARE(recent->item(0, 0)->text(), QStringLiteral("renamed"));
    edits.moveToTrash(qtList(runs.groupA) + qtList(runs.groupB));
    QTRY_COMPARE(recent->rowCount(), 0);
}

/// Two studies that ask the same: by their dates, seeds and verdicts.
void TestHomePage::studiesOfOneNameAreToldApart() {
    PageFixture fixture;
    QVERIFY(fixture.open());
    SyntheticStudy first = studyOf(equivalentCase());
    SyntheticStudy second = studyOf(differentCase());
    second.name = first.name;
    second.id = "second";
    second.createdAt = first.createdAt + 86'400.0;
    SyntheticStudy third = studyOf(notEnoughCase());
    third.name = first.name;
    third.id = "third";
    third.createdAt = first.createdAt + 2 * 86'400.0;
    third.lastState = RunState::Queued;
    for (const SyntheticStudy& study : {first, second, third})
        fixture.add(study);

    HomePage page(fixture.services());
    page.activated();
    const auto* recent = child<QTableWidget>(page, "homeRecent");
    QTRY_COMPARE(recent->rowCount(), 3);
    QStringList heads;
    for (int column = 0; column < recent->columnCount(); ++column)
        heads << recent->horizontalHeaderItem(column)->text();
    const auto seeds = static_cast<int>(heads.indexOf(QStringLiteral("Seeds")));
    const auto verdict = static_cast<int>(heads.indexOf(QStringLiteral("Verdict")));
    QCOMPARE(recent->item(0, seeds)->text(), QStringLiteral("2"));
    QCOMPARE(recent->item(0, verdict)->text(), QString()); // it is not over
    QCOMPARE(recent->item(1, seeds)->text(), QStringLiteral("5"));
    QCOMPARE(recent->item(1, verdict)->text(), QStringLiteral("Different"));
    QVERIFY(!recent->item(1, verdict)->icon().isNull());
    QCOMPARE(recent->item(2, verdict)->text(), QStringLiteral("Equivalent"));
    const auto date = static_cast<int>(heads.indexOf(QStringLiteral("Date")));
    QVERIFY(recent->item(1, date)->text() != recent->item(2, date)->text());
}

void TestHomePage::aStudyIsCopied() {
    PageFixture fixture;
    QVERIFY(fixture.open());
    fixture.add(studyOf(equivalentCase()));
    SyntheticStudy other = studyOf(differentCase());
    other.createdAt += 1000.0;
    fixture.add(other);
    HomePage page(fixture.services());
    page.show();
    QVERIFY(QTest::qWaitForWindowActive(&page)); // shortcuts work in no other
    page.activated();
    auto* recent = child<QTableWidget>(page, "homeRecent");
    QTRY_COMPARE(recent->rowCount(), 2);
    recent->selectRow(1);
    recent->setFocus();
    QTest::keyClick(recent, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), 2); // the heads, and one row
    QCOMPARE(lines[0].section(QLatin1Char('\t'), 0, 1), QStringLiteral("Study\tCompleted"));
    QVERIFY2(lines[1].startsWith(QStringLiteral("equal\t10 of 10\t")), qPrintable(lines[1]));

    QSignalSpy asked(&page, &HomePage::studyRequested);
    QCOMPARE(recent->contextMenuPolicy(), Qt::ActionsContextMenu);
    recent->actions().front()->trigger(); // "Show curves"
    QCOMPARE(asked.count(), 1);
}

/// What the rail leaves of a window of 960 x 600, and half of that.
void TestHomePage::nothingIsCutInANarrowWindow() {
    PageFixture fixture;
    QVERIFY(fixture.open());
    HomePage page(fixture.services());
    page.show();
    const auto* area = page.findChild<QScrollArea*>();
    for (const int width : {800, 420}) {
        page.resize(width, 520);
        QTRY_COMPARE(page.width(), width);
        QTRY_COMPARE(area->horizontalScrollBar()->maximum(), 0);
        for (const char* name : {"homeDemoButton", "homeSetupButton", "homeOpenLibraryButton"}) {
            const auto* button = child<QPushButton>(page, name);
            QVERIFY2(button->mapTo(&page, QPoint(button->width(), 0)).x() <= width, name);
        }
    }
    const auto place = [&](const char* name) { return child<QPushButton>(page, name)->mapTo(&page, QPoint()); };
    QVERIFY(place("homeOpenLibraryButton").y() > place("homeSetupButton").y()); // below each other
    page.resize(1100, 520);
    QTRY_COMPARE(place("homeOpenLibraryButton").y(), place("homeSetupButton").y());
}

QTEST_MAIN(TestHomePage)
} // namespace test_home_page
#include "test_home_page.moc"
