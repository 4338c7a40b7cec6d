// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl+K: what is found by which words, in both languages, and what Enter and a click do.
#include "app/workbench/action_list.h"
#include "app/workbench/action_search.h"
#include "tests/workbench/pictures.h"
#include "widgets/pages/setup/setup_page.h"

#include <QAction>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QTreeView>

namespace test_action_search {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

QLineEdit* openSearch(WorkbenchFixture& fixture) {
    fixture.window().activateWindow();
    [&] { QTRY_VERIFY(fixture.window().isActiveWindow()); }();
    QTest::keyClick(&fixture.window(), Qt::Key_K, Qt::ControlModifier);
    auto* text = fixture.find<QLineEdit>("actionSearchText");
    [&] {
        QVERIFY(text->isVisible());
        QTRY_VERIFY(text->hasFocus());
    }();
    return text;
}

QStringList rows(WorkbenchFixture& fixture, int column = 0) {
    const QAbstractItemModel& model = *fixture.find<QTreeView>("actionSearchList")->model();
    QStringList found;
    for (int row = 0; row < model.rowCount(); ++row)
        found << model.index(row, column).data().toString();
    return found;
}

} // namespace

class TestActionSearch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyActionOfTheMenusIsListed() {
        WorkbenchFixture fixture;
        openSearch(fixture);
        const QStringList listed = rows(fixture);
        std::function<void(const QMenu*)> check = [&](const QMenu* menu) {
            for (const QAction* action : menu->actions()) {
                if (action->isSeparator())
                    continue;
                if (action->menu()) {
                    check(action->menu());
                    continue;
                }
                QString name = action->text().remove(QLatin1Char('&'));
                if (name.endsWith(QChar(0x2026)))
                    name.chop(1);
                QVERIFY2(listed.contains(name), qPrintable(name));
            }
        };
        for (const QAction* menu : fixture.window().menuBar()->actions())
            check(menu->menu());
        // With place and key, and what stands on pages only.
        const auto row = listed.indexOf(QStringLiteral("Dark"));
        QCOMPARE(rows(fixture, 1)[row], QStringLiteral("View › Theme"));
        QCOMPARE(rows(fixture, 2)[listed.indexOf(QStringLiteral("Full screen"))], QStringLiteral("F11"));
        QVERIFY(rows(fixture, 1).contains(QStringLiteral("Planner")));
    }

    void wordsAndLettersFind_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("first");
        QTest::newRow("a word") << "full"
                                << "Full screen";
        QTest::newRow("words in any order") << "library open"
                                            << "Open library";
        QTest::newRow("the menu's name") << "theme dark"
                                         << "Dark";
        QTest::newRow("letters in order") << "flscrn"
                                          << "Full screen";
        QTest::newRow("Chinese") << "全屏"
                                 << "Full screen";
    }
    void wordsAndLettersFind() {
        QFETCH(QString, typed);
        QFETCH(QString, first);
        WorkbenchFixture fixture;
        auto* text = openSearch(fixture);
        text->setText(typed);
        QVERIFY2(!rows(fixture).isEmpty(), qPrintable(typed));
        QCOMPARE(rows(fixture).constFirst(), first);
    }

    void englishIsUnderstoodInChinese() {
        WorkbenchFixture fixture;
        fixture.setLanguage(QStringLiteral("zh_CN"));
        auto* text = openSearch(fixture);
        QTest::keyClicks(text, QStringLiteral("full screen"));
        QVERIFY(!rows(fixture).isEmpty());
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(fixture.window().isFullScreen());
    }

    void enterRunsWhatIsChosen() {
        WorkbenchFixture fixture;
        auto* text = openSearch(fixture);
        QTest::keyClicks(text, QStringLiteral("compare"));
        auto* list = fixture.find<QTreeView>("actionSearchList");
        const QString first = list->currentIndex().data().toString();
        QTest::keyClick(text, Qt::Key_Down);
        QVERIFY(list->currentIndex().row() == 1);
        QTest::keyClick(text, Qt::Key_Up);
        QCOMPARE(list->currentIndex().data().toString(), first);
        QVERIFY(text->accessibleDescription().contains(first)); // for a screen reader
        text->setText(QStringLiteral("planner"));
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(!text->isVisible());
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("planner"));
    }

    void aClickRunsToo() {
        WorkbenchFixture fixture;
        auto* text = openSearch(fixture);
        text->setText(QStringLiteral("reports"));
        auto* list = fixture.find<QTreeView>("actionSearchList");
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 0)).center());
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("reports"));
    }

    void whatCannotBeDoneSaysWhy() {
        WorkbenchFixture fixture;
        auto* text = openSearch(fixture);
        text->setText(QStringLiteral("stop now"));
        QCOMPARE(rows(fixture).constFirst(), QStringLiteral("Stop now"));
        takePictures(fixture, QStringLiteral("search"));
        auto* note = fixture.find<QLabel>("actionSearchNote");
        QCOMPARE(note->text(), QStringLiteral("Nothing is training."));
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(text->isVisible()); // nothing happened
        text->setText(QStringLiteral("qqqq"));
        QCOMPARE(note->text(), QStringLiteral("No action has that name."));
    }

    void escAndLeavingClose() {
        WorkbenchFixture fixture;
        fixture.window().showPage(QStringLiteral("setup"));
        auto* before = fixture.find<QWidget>("rail-home");
        before->setFocus();
        auto* text = openSearch(fixture);
        QTest::keyClick(text, Qt::Key_Escape);
        QVERIFY(!text->isVisible());
        QCOMPARE(QApplication::focusWidget(), before); // where it was
        openSearch(fixture);
        before->setFocus();
        QVERIFY(!text->isVisible());
    }

    void theButtonsOfTheQueueAreFoundAndItsKeysNamed() {
        WorkbenchFixture fixture;
        auto* text = openSearch(fixture);
        text->setText(QStringLiteral("run next"));
        QCOMPARE(rows(fixture).constFirst(), QStringLiteral("Run next"));
        QCOMPARE(rows(fixture, 1).constFirst(), QStringLiteral("Queue"));
        QTest::keyClick(text, Qt::Key_Escape);
        fixture.find<QAction>("actionKeys")->trigger();
        auto* dialog = fixture.find<QDialog>("keysDialog");
        QVERIFY(dialog);
        QStringList said;
        for (const QLabel* label : dialog->findChildren<QLabel*>())
            said << label->text();
        for (const char* row : {"Waiting studies: Run next", "Saved comparisons: Open", "Saved comparisons: Delete"})
            QVERIFY2(said.contains(QLatin1String(row)), qPrintable(row + QStringLiteral(" in ") + said.join('\n')));
        for (const QString& row : said)
            QVERIFY2(!row.trimmed().endsWith(QLatin1Char(':')), qPrintable(row));
    }

    void aButtonOfAPageIsFoundAndItsPageShown() {
        WorkbenchFixture fixture;
        ExperimentConfig experiment;
        experiment.study.seeds = {0, 1, 2, 3, 4, 5}; // with five the button has nothing to do
        fixture.window().findChild<SetupPage*>()->setExperiment(experiment);
        auto* text = openSearch(fixture);
        text->setText(QStringLiteral("5 seeds"));
        QVERIFY(!rows(fixture).isEmpty());
        QCOMPARE(rows(fixture, 1).constFirst(), QStringLiteral("Set up"));
        fixture.window().showPage(QStringLiteral("reports"));
        text = openSearch(fixture);
        text->setText(QStringLiteral("5 seeds"));
        QTest::keyClick(text, Qt::Key_Return);
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
    }
};

QTEST_MAIN(TestActionSearch)
} // namespace test_action_search
#include "test_action_search.moc"
