// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector beside Live, Compare, and the report or audit of a run: it follows the run that the page is about, by
// its key, and is there again after a restart.
#include "tests/support/synthetic_library.h"
#include "tests/workbench/library_in_window.h"
#include "widgets/pages/audit/audit_page.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/live/live_page.h"
#include "widgets/plots/plot_view.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

namespace test_inspector {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

QDockWidget* dockOf(WorkbenchFixture& fixture) { return fixture.find<QDockWidget>("inspectorDock"); }

QString titleOf(WorkbenchFixture& fixture) {
    return dockOf(fixture)->findChild<QLabel*>(QStringLiteral("inspectorTitle"))->text();
}

QString nameOf(WorkbenchFixture& fixture, const std::string& run) {
    return QString::fromStdString(fixture.workbench().library().reader().run(run).value().name);
}

void pressKey(WorkbenchFixture& fixture) { QTest::keyClick(&fixture.window(), Qt::Key_I, Qt::ControlModifier); }

} // namespace

class TestInspector : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itFollowsTheRunOfThePageInFront() {
        WorkbenchFixture fixture;
        const SyntheticRuns runs = addSyntheticStudy(fixture.library(), studyOf(equivalentCase())).value();
        auto* live = fixture.window().findChild<LivePage*>();
        live->showStudy(QString::fromStdString(runs.study));
        fixture.window().showPage(QStringLiteral("live"));
        auto* loss = fixture.find<PlotView>("liveLoss");
        QTRY_VERIFY_WITH_TIMEOUT(loss->curveCount() > 1, patience);
        QVERIFY(dockOf(fixture)->isHidden());
        pressKey(fixture);
        QVERIFY(dockOf(fixture)->isVisible());
        QVERIFY(fixture.find<QAction>("actionShowInspector")->isChecked());
        const QString current = nameOf(fixture, live->inspectedRun()->toStdString());
        QTRY_COMPARE_WITH_TIMEOUT(titleOf(fixture), current, patience);

        // Another curve, by its key and by a click.
        loss->setFocus();
        QTest::keyClick(loss, Qt::Key_Down, Qt::ControlModifier);
        QTest::keyClick(loss, Qt::Key_Down, Qt::ControlModifier);
        const QString second = nameOf(fixture, live->inspectedRun()->toStdString());
        QVERIFY(second != current);
        QTRY_COMPARE_WITH_TIMEOUT(titleOf(fixture), second, patience);

        // A seed of Compare: A's run, or B's in its column.
        fixture.window().findChild<ComparePage*>()->compareGroups(listOf(runs.groupA), listOf(runs.groupB));
        fixture.window().showPage(QStringLiteral("compare"));
        auto* seeds = fixture.find<QTableView>("compare.seedTable");
        QTRY_COMPARE_WITH_TIMEOUT(seeds->model()->rowCount(), 6, patience);
        seeds->setCurrentIndex(seeds->model()->index(1, 1));
        QTRY_COMPARE_WITH_TIMEOUT(titleOf(fixture), nameOf(fixture, runs.groupA[1]), patience);
        seeds->setCurrentIndex(seeds->model()->index(1, 2));
        QTRY_COMPARE_WITH_TIMEOUT(titleOf(fixture), nameOf(fixture, runs.groupB[1]), patience);

        // The Library has its own, Set up no run.
        for (const char* page : {"library", "setup"}) {
            fixture.window().showPage(QLatin1String(page));
            QVERIFY2(dockOf(fixture)->isHidden(), page);
            QVERIFY2(!fixture.find<QAction>("actionShowInspector")->isEnabled(), page);
        }
        fixture.window().showPage(QStringLiteral("live"));
        QVERIFY(dockOf(fixture)->isVisible());
    }

    void itStandsBesideAnAuditedRun() {
        WorkbenchFixture fixture;
        const SyntheticRuns runs = addSyntheticStudy(fixture.library(), studyOf(equivalentCase())).value();
        auto* audit = fixture.window().findChild<AuditPage*>();
        fixture.window().showPage(QStringLiteral("audit"));
        QVERIFY(!audit->inspectedRun()); // the set-up is no run
        QVERIFY(!fixture.find<QAction>("actionShowInspector")->isEnabled());
        audit->chooseRun(QString::fromStdString(runs.groupA[1]));
        QVERIFY(fixture.find<QAction>("actionShowInspector")->isEnabled());
        pressKey(fixture);
        QVERIFY(dockOf(fixture)->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(titleOf(fixture), nameOf(fixture, runs.groupA[1]), patience);
        audit->chooseRun(QString::fromStdString(runs.groupB[0]));
        QTRY_COMPARE_WITH_TIMEOUT(titleOf(fixture), nameOf(fixture, runs.groupB[0]), patience);

        auto* subject = fixture.find<QComboBox>("auditSubject");
        subject->setCurrentIndex(subject->findData(false)); // the set-up again
        QVERIFY(dockOf(fixture)->isHidden());
        subject->setCurrentIndex(subject->findData(true));
        QVERIFY(dockOf(fixture)->isVisible());
        fixture.setLanguage(QStringLiteral("zh_CN"));
        QTRY_COMPARE_WITH_TIMEOUT(fixture.window().findChild<AuditPage*>()->inspectedRun().value_or(QString()),
                                  QString::fromStdString(runs.groupB[0]), patience);
    }

    void itIsThereAgainAndGoesByItsKey() {
        WorkbenchFixture fixture;
        const SyntheticRuns runs = addSyntheticStudy(fixture.library(), studyOf(equivalentCase())).value();
        fixture.window().showPage(QStringLiteral("live"));
        pressKey(fixture);
        fixture.window().resize(1280, 720);
        QTRY_VERIFY_WITH_TIMEOUT(!titleOf(fixture).isEmpty(), patience);
        QCOMPARE(fixture.window().size(), QSize(1280, 720)); // the page makes room
        fixture.window().close();
        fixture.reopen();
        fixture.window().showPage(QStringLiteral("live"));
        QVERIFY(dockOf(fixture)->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(!titleOf(fixture).isEmpty(), patience);
        pressKey(fixture);
        QVERIFY(dockOf(fixture)->isHidden());
        QVERIFY(!fixture.find<QAction>("actionShowInspector")->isChecked());
        pressKey(fixture);
        dockOf(fixture)->close(); // by its button
        fixture.window().showPage(QStringLiteral("setup"));
        fixture.window().showPage(QStringLiteral("live"));
        QVERIFY(dockOf(fixture)->isHidden());
    }

    /// In a window of usual size its tabs stand side by side; in a small one neither it nor Live gets less than it
    /// needs.
    void itHasRoomBesideLive() {
        WorkbenchFixture fixture;
        const SyntheticRuns runs = addSyntheticStudy(fixture.library(), studyOf(equivalentCase())).value();
        auto* live = fixture.window().findChild<LivePage*>();
        live->showStudy(QString::fromStdString(runs.study));
        fixture.window().showPage(QStringLiteral("live"));
        fixture.window().resize(1440, 900);
        QTRY_VERIFY_WITH_TIMEOUT(fixture.find<PlotView>("liveLoss")->curveCount() > 1, patience);
        pressKey(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(!titleOf(fixture).isEmpty(), patience);
        QTRY_VERIFY2(dockOf(fixture)->width() >= 340, qPrintable(QString::number(dockOf(fixture)->width())));
        auto* tabs = dockOf(fixture)->findChild<QTabBar*>();
        for (const QToolButton* arrow : tabs->findChildren<QToolButton*>())
            QVERIFY2(!arrow->isVisible(), qPrintable(QString::number(tabs->width())));
        QVERIFY(live->width() >= live->minimumSizeHint().width());

        fixture.window().resize(1280, 720);
        QTRY_COMPARE(fixture.window().size(), QSize(1280, 720));
        QVERIFY(dockOf(fixture)->width() >= 280);
        QTRY_VERIFY2(live->width() >= live->minimumSizeHint().width(),
                     qPrintable(QStringLiteral("%1 of %2").arg(live->width()).arg(live->minimumSizeHint().width())));
    }

    void aWindowInAnotherLanguageShowsTheSameRun() {
        WorkbenchFixture fixture;
        const SyntheticRuns runs = addSyntheticStudy(fixture.library(), studyOf(equivalentCase())).value();
        auto* live = fixture.window().findChild<LivePage*>();
        live->showStudy(QString::fromStdString(runs.study));
        fixture.window().showPage(QStringLiteral("live"));
        auto* loss = fixture.find<PlotView>("liveLoss");
        QTRY_VERIFY_WITH_TIMEOUT(loss->curveCount() > 1, patience);
        const QString current = live->inspectedRun().value();
        loss->setFocus();
        QTest::keyClick(loss, Qt::Key_Down, Qt::ControlModifier);
        QTest::keyClick(loss, Qt::Key_Down, Qt::ControlModifier);
        const QString pointedAt = live->inspectedRun().value();
        QVERIFY(pointedAt != current);
        fixture.setLanguage(QStringLiteral("zh_CN"));
        QTRY_COMPARE_WITH_TIMEOUT(fixture.window().findChild<LivePage*>()->inspectedRun().value(), pointedAt, patience);
    }

    void aWindowInAnotherLanguageShowsTheRunThatWasChosenOnCompare() {
        WorkbenchFixture fixture;
        const SyntheticRuns runs = addSyntheticStudy(fixture.library(), studyOf(equivalentCase())).value();
        fixture.window().findChild<ComparePage*>()->compareGroups(listOf(runs.groupA), listOf(runs.groupB));
        fixture.window().showPage(QStringLiteral("compare"));
        pressKey(fixture);
        auto* seeds = fixture.find<QTableView>("compare.seedTable");
        QTRY_COMPARE_WITH_TIMEOUT(seeds->model()->rowCount(), 6, patience);
        seeds->setCurrentIndex(seeds->model()->index(3, 2));
        const QString chosen = nameOf(fixture, runs.groupB[3]);
        QTRY_COMPARE_WITH_TIMEOUT(titleOf(fixture), chosen, patience);
        fixture.setLanguage(QStringLiteral("zh_CN"));
        seeds = fixture.find<QTableView>("compare.seedTable");
        QTRY_COMPARE_WITH_TIMEOUT(seeds->currentIndex().row(), 3, patience);
        QTRY_COMPARE_WITH_TIMEOUT(titleOf(fixture), chosen, patience);
    }

    void notesOfItGoToTheLibrary() {
        WorkbenchFixture fixture;
        const SyntheticRuns runs = addSyntheticStudy(fixture.library(), studyOf(equivalentCase())).value();
        fixture.window().showPage(QStringLiteral("live"));
        pressKey(fixture);
        QTRY_VERIFY_WITH_TIMEOUT(!titleOf(fixture).isEmpty(), patience);
        const std::string run = fixture.window().findChild<LivePage*>()->inspectedRun()->toStdString();
        auto* tabs = dockOf(fixture)->findChild<QTabWidget*>(QStringLiteral("inspectorTabs"));
        tabs->setCurrentIndex(tabs->count() - 1);
        auto* notes = dockOf(fixture)->findChild<QPlainTextEdit*>(QStringLiteral("inspectorNotes"));
        notes->setPlainText(QStringLiteral("seen on Live"));
        fixture.window().showPage(QStringLiteral("setup")); // before they were saved by themselves
        QTRY_COMPARE_WITH_TIMEOUT(fixture.workbench().library().reader().run(run).value().notes,
                                  std::string("seen on Live"), patience);
    }

    /// What was selected in the Library is drawn in full on Live, and the others thin.
    void chosenRunsStandOutOnLive() {
        WorkbenchFixture fixture;
        const SyntheticRuns runs = addSyntheticStudy(fixture.library(), studyOf(equivalentCase())).value();
        fixture.window().showPage(QStringLiteral("library"));
        auto* library = fixture.window().findChild<LibraryPage*>();
        auto* table = fixture.find<QTableView>("runTable");
        QTRY_COMPARE_WITH_TIMEOUT(table->model()->rowCount(), 10, patience);
        library->selectRuns({QString::fromStdString(runs.groupA[1])});
        auto* curves = fixture.find<QAction>("libraryCurves");
        QTRY_VERIFY(curves->isEnabled());
        curves->trigger();
        auto* loss = fixture.find<PlotView>("liveLoss");
        const auto says = [loss](const char* count) { return loss->summaryText().contains(QLatin1String(count)); };
        QTRY_VERIFY2_WITH_TIMEOUT(says("1 curve"), qPrintable(loss->summaryText()), patience); // thin ones do not count
        auto* bar = fixture.find<QWidget>("liveChosen");
        QVERIFY(bar->isVisible());
        QTest::mouseClick(bar->findChild<QPushButton*>(), Qt::LeftButton);
        QTRY_VERIFY2_WITH_TIMEOUT(says("2 curves"), qPrintable(loss->summaryText()), patience); // a seed's pair
        QVERIFY(!bar->isVisible());
    }
};

QTEST_MAIN(TestInspector)
} // namespace test_inspector
#include "test_inspector.moc"
