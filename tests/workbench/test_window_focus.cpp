// SPDX-License-Identifier: GPL-3.0-or-later
// Where the keyboard is: in an open menu, after the control that had it has gone, on a page that comes to the front, in
// the offer at the start; and what Enter and F5 do.
#include "core/store/run_store.h"
#include "tests/support/synthetic_library.h"
#include "tests/workbench/keyboard.h"
#include "tests/workbench/library_in_window.h"
#include "tests/workbench/queue_in_window.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/style/controls.h"

#include <QClipboard>
#include <QDialog>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

namespace test_window_focus {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

/// Five pairs that were trained before; the table of the library has the keyboard.
QTableView* openLibrary(WorkbenchFixture& fixture) {
    [&] { QVERIFY(test::addSyntheticStudy(fixture.library(), test::studyOf(test::equivalentCase()))); }();
    fixture.reopen();
    Keyboard(fixture).returnToWindow();
    showLibrary(fixture, 10);
    clickRows(fixture, {0});
    return fixture.find<QTableView>("runTable");
}

bool isInPage(WorkbenchFixture& fixture) {
    const QList<Page*> pages = fixture.window().findChildren<Page*>();
    return std::ranges::any_of(
        pages, [](const Page* page) { return page->isVisible() && page->isAncestorOf(QApplication::focusWidget()); });
}

QMenu* openMenu() { return qobject_cast<QMenu*>(QApplication::activePopupWidget()); }

} // namespace

class TestWindowFocus : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void escapeInAMenuGivesTheKeyboardBack() {
        WorkbenchFixture fixture;
        const QTableView* table = openLibrary(fixture);
        Keyboard keys(fixture);
        QCOMPARE(QApplication::focusWidget(), table);
        keys.press(Qt::Key_E, Qt::AltModifier);
        QTRY_VERIFY(openMenu());
        keys.press(Qt::Key_Escape);
        QTRY_VERIFY(!openMenu());
        QCOMPARE(QApplication::focusWidget(), table);
        QVERIFY(!fixture.window().menuBar()->activeAction());
        const QModelIndex before = table->currentIndex();
        keys.press(Qt::Key_Down);
        QCOMPARE(table->currentIndex().row(), before.row() + 1);
    }

    void escapeInAMenuThatTheBarHasOpenedDoesSo() {
        WorkbenchFixture fixture;
        const QTableView* table = openLibrary(fixture);
        Keyboard keys(fixture);
        QTest::keyPress(fixture.window().windowHandle(), Qt::Key_Alt, Qt::AltModifier);
        QTest::keyRelease(fixture.window().windowHandle(), Qt::Key_Alt, Qt::AltModifier);
        QTRY_COMPARE(QApplication::focusWidget(), fixture.window().menuBar());
        keys.press(Qt::Key_Down);
        QTRY_VERIFY(openMenu());
        keys.press(Qt::Key_Escape);
        QTRY_VERIFY(!openMenu());
        QCOMPARE(QApplication::focusWidget(), table);
    }

    void theLettersOfAnOpenMenuAreIts() {
        WorkbenchFixture fixture;
        openLibrary(fixture);
        Keyboard keys(fixture);
        QApplication::clipboard()->clear();
        keys.press(Qt::Key_E, Qt::AltModifier);
        QTRY_VERIFY(openMenu());
        keys.press(Qt::Key_C); // in the table it is the menu of a column
        QTRY_VERIFY(!openMenu());
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("accumulus-cli run")));
    }

    void aButtonThatIsDisabledLeavesTheKeyboardToItsNeighbour() {
        WorkbenchFixture fixture;
        openLibrary(fixture);
        clickRows(fixture, {0, 1});
        auto* apply = fixture.find<QPushButton>("runsEditorApply");
        auto* tags = fixture.find<QLineEdit>("runsEditorTags");
        QTRY_VERIFY(tags->isVisible());
        tags->setFocus();
        QTest::keyClicks(tags, QStringLiteral("paper"));
        apply->setFocus();
        QTest::mouseClick(apply, Qt::LeftButton);
        QVERIFY(!apply->isEnabled());
        QTRY_VERIFY2(fixture.find<QWidget>("runsEditor")->isAncestorOf(QApplication::focusWidget()),
                     qPrintable(QApplication::focusWidget()->objectName()));
        fixture.settle();
        Keyboard(fixture).press(Qt::Key_Space);
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("library"));
    }

    void aNoticeThatGoesLeavesTheKeyboardToThePage() {
        WorkbenchFixture fixture;
        Keyboard keys(fixture);
        keys.returnToWindow();
        QSettings().remove(QStringLiteral("hints/read"));
        fixture.window().showPage(QStringLiteral("planner"));
        auto* hint = fixture.find<NoticeBar>("pageHint");
        hint->findChild<QPushButton*>(QStringLiteral("noticeAction"))->setFocus();
        keys.press(Qt::Key_Space);
        QTRY_VERIFY(!hint->isVisible());
        QTRY_VERIFY(isInPage(fixture));
    }

    void aPageThatComesToTheFrontHasTheKeyboard() {
        WorkbenchFixture fixture;
        Keyboard keys(fixture);
        keys.returnToWindow();
        for (int number = 8; number > 0; --number) {
            fixture.find<QWidget>("rail-home")->setFocus();
            keys.press(static_cast<Qt::Key>(Qt::Key_0 + number), Qt::ControlModifier);
            QVERIFY2(isInPage(fixture), qPrintable(QString::number(number)));
        }
        keys.press(Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(QApplication::focusWidget(), fixture.find<QWidget>("setup.presets")); // the first of the page
        fixture.find<QWidget>("setup.study.name")->setFocus();
        keys.press(Qt::Key_1, Qt::ControlModifier);
        QVERIFY(isInPage(fixture));
        keys.press(Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(QApplication::focusWidget(), fixture.find<QWidget>("setup.study.name"));
        // With the mouse, too: what had the keyboard is hidden with its page.
        fixture.click("rail-planner");
        QTRY_VERIFY(isInPage(fixture));
    }

    /// From a control of another page as well: not where Tab's order happens to lead, with the page scrolled there.
    void theFirstVisitBeginsAtTheTop() {
        for (const bool byMouse : {false, true}) {
            WorkbenchFixture fixture;
            Keyboard keys(fixture);
            keys.returnToWindow();
            fixture.window().showPage(QStringLiteral("library"));
            fixture.find<QWidget>("runTable")->setFocus();
            if (byMouse)
                fixture.click("rail-setup");
            else
                keys.press(Qt::Key_2, Qt::ControlModifier);
            QCOMPARE(QApplication::focusWidget(), fixture.find<QWidget>("setup.presets"));
        }
    }

    /// What a menu does to the runs that are selected in the Library is seen there.
    void movingToTheTrashShowsTheLibrary() {
        WorkbenchFixture fixture;
        openLibrary(fixture);
        clickRows(fixture, {1});
        fixture.window().showPage(QStringLiteral("reports"));
        fixture.find<QAction>("libraryTrash")->trigger();
        QTRY_COMPARE(fixture.window().currentPage(), QStringLiteral("library"));
        // Undone from a page that does not show it, it is said.
        auto* undo = fixture.find<QAction>("actionUndo");
        fixture.window().showPage(QStringLiteral("reports"));
        QTRY_VERIFY(undo->isEnabled());
        undo->trigger();
        const auto* notice = fixture.find<NoticeBar>("windowNotice");
        QTRY_VERIFY2(notice->accessibleName().startsWith(QStringLiteral("Undone: ")) && notice->isVisible(),
                     qPrintable(notice->accessibleName()));
    }

    void theRailIsOneStop() {
        WorkbenchFixture fixture;
        Keyboard keys(fixture);
        keys.returnToWindow();
        fixture.window().showPage(QStringLiteral("planner"));
        QVERIFY(keys.tabTo("rail-planner"));
        keys.press(Qt::Key_Down);
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("reports"));
        QCOMPARE(QApplication::focusWidget(), fixture.find<QWidget>("rail-reports"));
        keys.press(Qt::Key_Tab);
        QVERIFY2(isInPage(fixture), qPrintable(QApplication::focusWidget()->objectName()));
    }

    void tabGoesFromTheNoticesToThePage() {
        WorkbenchFixture fixture;
        Keyboard keys(fixture);
        keys.returnToWindow();
        fixture.window().showPage(QStringLiteral("setup"));
        fixture.window().showError({"library.gone", {{"file", "gone.sqlite"}}});
        auto* notice = fixture.find<NoticeBar>("windowNotice");
        notice->findChild<QWidget*>(QStringLiteral("noticeClose"))->setFocus();
        keys.press(Qt::Key_Tab);
        QVERIFY2(isInPage(fixture), qPrintable(QApplication::focusWidget()->objectName()));
    }

    void theOfferToResumeHasTheKeyboardAtTheStart() {
        WorkbenchFixture fixture;
        {
            RunStore store(storeOf(fixture));
            RunRecord run;
            run.id = "00000000-0000-4000-8000-000000000001";
            run.config = tinyExperiment().run;
            QVERIFY(store.addRun(run));
            QVERIFY(store.setState(run.id, RunState::Running));
            QVERIFY(store.heartbeat(run.id, 1000.0));
        }
        fixture.reopen();
        QTRY_VERIFY(fixture.find<QWidget>("interruptedBar")->isVisible());
        Keyboard keys(fixture);
        keys.returnToWindow();
        QTRY_COMPARE(QApplication::focusWidget(), fixture.find<QWidget>("interruptedResume"));
        QStringList order;
        for (int tabs = 0; tabs < 4; ++tabs) {
            keys.press(Qt::Key_Tab);
            order << QApplication::focusWidget()->objectName();
        }
        QCOMPARE(order, (QStringList{"interruptedMarkStopped", "interruptedShow", "interruptedLog", "noticeClose"}));
    }

    void enterPressesAButton_data() {
        QTest::addColumn<int>("key");
        QTest::newRow("Return") << static_cast<int>(Qt::Key_Return);
        QTest::newRow("Enter of the number pad") << static_cast<int>(Qt::Key_Enter);
    }
    void enterPressesAButton() {
        QFETCH(int, key);
        WorkbenchFixture fixture;
        Keyboard keys(fixture);
        keys.returnToWindow();
        fixture.find<QWidget>("homeSetupButton")->setFocus();
        keys.press(static_cast<Qt::Key>(key), key == Qt::Key_Enter ? Qt::KeypadModifier : Qt::NoModifier);
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
        fixture.find<QWidget>("rail-library")->setFocus();
        keys.press(static_cast<Qt::Key>(key), key == Qt::Key_Enter ? Qt::KeypadModifier : Qt::NoModifier);
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("library"));
    }

    void enterPressesAButtonOfADialogOnce() {
        WorkbenchFixture fixture;
        QDialog dialog(&fixture.window());
        auto* column = new QVBoxLayout(&dialog);
        QHash<QString, int> pressed;
        for (const QString& name : {QStringLiteral("usual"), QStringLiteral("other")}) {
            auto* button = new QPushButton(name, &dialog);
            column->addWidget(button);
            connect(button, &QPushButton::clicked, this, [&pressed, name] { ++pressed[name]; });
            if (name == QLatin1String("usual"))
                button->setDefault(true);
            else
                button->setFocus();
        }
        dialog.show();
        QTRY_COMPARE(QGuiApplication::focusWindow(), dialog.windowHandle());
        QTest::keyClick(dialog.windowHandle(), Qt::Key_Return);
        QCOMPARE(pressed.value(QStringLiteral("other")), 1);
        QCOMPARE(pressed.value(QStringLiteral("usual")), 0);
    }

    void startTwiceStaysWithWhatWasStarted() {
        WorkbenchFixture fixture;
        Keyboard keys(fixture);
        keys.returnToWindow();
        fixture.window().findChild<SetupPage*>()->setExperiment(shortStudy("twice", endless));
        fixture.window().showPage(QStringLiteral("setup"));
        QTRY_VERIFY_WITH_TIMEOUT(fixture.find<QPushButton>("setup.start")->isEnabled(), patience);
        keys.press(Qt::Key_F5);
        keys.press(Qt::Key_F5);
        QVERIFY(fixture.workbench().runs().busy());
        QCOMPARE(fixture.workbench().runs().queued(), std::size_t{0});
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("live"));
        stopAll(fixture);
    }
};

QTEST_MAIN(TestWindowFocus)
} // namespace test_window_focus
#include "test_window_focus.moc"
