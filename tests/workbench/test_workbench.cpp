// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window: a person starts, watches, stops, resumes, filters, trashes, exports and closes.
#include "app/workbench/page_table.h"
#include "core/base/atomic_file.h"
#include "core/config/experiment_file.h"
#include "tests/support/brought_files.h"
#include "tests/workbench/tiny_runs.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/models/config_form.h"
#include "widgets/pages/home/home_page.h"
#include "widgets/pages/home/own_network.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/style/icons.h"

#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAction>
#include <QDialog>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

namespace test_workbench {
using namespace accumulus;
using namespace accumulus::ui;

class TestWorkbench : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void startsOnHomeWithThreeCardsAndADevice();
    void railAndKeysShowEveryPage();
    void everyControlHasAName();
    void filterShowsAnErrorInPlaceAndKeepsTheLastResult();
    void trashCanBeUndoneAndSurvivesARestart();
    void notesAndTagsAreSavedAndUndone();
    void newExperimentStartsAfresh();
    void aLibraryThatIsNoneIsSaidInTheWindow();
    void languageChangesWithoutARestart();
    void filesDroppedOnHomeArriveOnSetUp();
    void filesOfTheCommandLineArriveOnSetUp();
    void theWindowHasTheApplicationsIcon();
};

void TestWorkbench::filesOfTheCommandLineArriveOnSetUp() {
    WorkbenchFixture fixture;
    ExperimentConfig experiment = tinyExperiment();
    experiment.study.name = "from the command line";
    const QString file = fixture.file(QStringLiteral("mine, with spaces & 100 %.toml"));
    QVERIFY(writeFileAtomically(file.toStdString(), experimentToml(experiment)));
    const auto name = [&] { return fixture.window().findChild<SetupPage*>()->experiment().study.name; };
    const QString here = QDir::currentPath();
    QDir::setCurrent(QFileInfo(file).absolutePath());
    // Absolute, relative to where the program starts, and as file managers give it.
    for (const QString& argument :
         {file, QFileInfo(file).fileName(), QUrl::fromLocalFile(file).toString(QUrl::FullyEncoded)}) {
        fixture.reopen({argument});
        QTRY_COMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
        QTRY_COMPARE(name(), experiment.study.name);
    }
    QDir::setCurrent(here);
    // A file that is not there is named, and Set up stays what it was.
    fixture.reopen({QStringLiteral("/nowhere/absent.toml")});
    QTRY_VERIFY(std::ranges::any_of(fixture.window().findChildren<QLabel*>(), [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("absent.toml")) &&
               !label->text().startsWith(QStringLiteral("Reading"));
    }));
}

/// Title bar and task bar show it; its picture is in the program, so that it needs no installation.
void TestWorkbench::theWindowHasTheApplicationsIcon() {
    WorkbenchFixture fixture;
    const QIcon icon = fixture.window().windowIcon();
    QVERIFY(!icon.isNull());
    const QImage image = icon.pixmap(QSize(64, 64), 1.0).toImage();
    QCOMPARE(image.size(), QSize(64, 64));
    QCOMPARE(image.pixelColor(0, 0).alpha(), 0); // its corners are round
    QCOMPARE(image.pixelColor(32, 8).name(), QStringLiteral("#10324a"));
}

void TestWorkbench::filesDroppedOnHomeArriveOnSetUp() {
    WorkbenchFixture fixture;
    const QString file = fixture.file(QStringLiteral("weights.safetensors"));
    test::writeFile(file.toStdString(),
                    test::safetensorsOf(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    auto* home = fixture.window().findChild<HomePage*>();
    QDragEnterEvent enter(QPoint(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(home, &enter); // a drop goes where the drag has entered
    QDropEvent drop(QPointF(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(home, &drop);
    QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
    QTRY_COMPARE(fixture.window().findChild<SetupPage*>()->experiment().run.model.weights, file.toStdString());
    fixture.find<QAction>("actionOwnNetwork")->trigger();
    auto* dialog = fixture.window().findChild<QDialog*>(QStringLiteral("ownNetworkDialog"));
    QVERIFY(dialog && dialog->isVisible());
    QVERIFY(dialog->findChild<QPushButton*>(QStringLiteral("ownNetworkCopy")));
    const auto weightsOfForm = [&] { return fixture.window().findChild<SetupPage*>()->experiment().run.model.weights; };
    for (const bool dropped : {false, true}) { // what is chosen or dropped in the dialog arrives as well
        const QString other =
            fixture.file(dropped ? QStringLiteral("dropped.safetensors") : QStringLiteral("b.safetensors"));
        QVERIFY(QFile::copy(file, other));
        if (dropped) {
            data.setUrls({QUrl::fromLocalFile(other)});
            QVERIFY(dialog->acceptDrops());
            QDragEnterEvent overDialog(QPoint(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(dialog, &overDialog);
            QVERIFY(overDialog.isAccepted());
            QDropEvent onDialog(QPointF(40, 40), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(dialog, &onDialog);
        } else {
            Q_EMIT dialog->findChild<OwnNetwork*>()->filesChosen({other});
        }
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
        QTRY_COMPARE(weightsOfForm(), other.toStdString());
    }
    dialog->close();
}

void TestWorkbench::startsOnHomeWithThreeCardsAndADevice() {
    WorkbenchFixture fixture;
    QVERIFY(fixture.window().isVisible());
    QCOMPARE(fixture.window().currentPage(), QStringLiteral("home"));
    for (const char* button : {"homeDemoButton", "homeSetupButton", "homeOpenLibraryButton"})
        QVERIFY2(fixture.find<QPushButton>(button)->isVisible(), button);
    QTRY_VERIFY(fixture.find<QLabel>("homeDevice")->text().contains(QStringLiteral("CPU")));
    fixture.click("homeSetupButton");
    QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
}

void TestWorkbench::railAndKeysShowEveryPage() {
    WorkbenchFixture fixture;
    // Backwards, so that each is a change.
    for (auto entry = pageTable().rbegin(); entry != pageTable().rend(); ++entry) {
        const QByteArray button = QByteArray("rail-") + entry->id;
        fixture.click(button.constData());
        QCOMPARE(fixture.window().currentPage(), QLatin1String(entry->id));
        QVERIFY(fixture.find<QToolButton>(button.constData())->isChecked());
        QCOMPARE(fixture.find<QToolButton>(button.constData())->text(), pageTitle(*entry));
        QVERIFY2(iconNames().contains(QLatin1String(entry->icon)), entry->icon);
    }
    for (auto entry = pageTable().rbegin(); entry != pageTable().rend(); ++entry) {
        const QKeySequence keys(QLatin1String(entry->shortcut));
        QTest::keyClick(&fixture.window(), keys[0].key(), keys[0].keyboardModifiers());
        QCOMPARE(fixture.window().currentPage(), QLatin1String(entry->id));
    }
    QTest::keyClick(&fixture.window(), Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(fixture.window().currentPage(), QStringLiteral("library"));
    QTRY_VERIFY(fixture.find<QLineEdit>("libraryFilter")->hasFocus());
}

void TestWorkbench::everyControlHasAName() {
    WorkbenchFixture fixture;
    QStringList nameless;
    for (const PageEntry& page : pageTable()) {
        fixture.window().showPage(QLatin1String(page.id));
        for (auto* widget : fixture.window().findChildren<QWidget*>()) {
            if (!widget->isVisible() || (widget->focusPolicy() & Qt::TabFocus) == 0)
                continue;
            if (qobject_cast<QAbstractSpinBox*>(widget->parentWidget())) // the box around it speaks
                continue;
            QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
            const QString spoken = accessible ? accessible->text(QAccessible::Name) : QString();
            if (spoken.isEmpty() && !qobject_cast<QAbstractScrollArea*>(widget))
                nameless << QStringLiteral("%1 (%2)").arg(widget->objectName(),
                                                          QLatin1String(widget->metaObject()->className()));
        }
    }
    nameless.removeDuplicates();
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral("; "))));
}

void TestWorkbench::filterShowsAnErrorInPlaceAndKeepsTheLastResult() {
    WorkbenchFixture fixture;
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.train.length = {2, Extent::Unit::Updates};
    experiment.study.largeBatch = true;
    trainTiny(fixture, experiment);
    fixture.window().showPage(QStringLiteral("library"));
    QTRY_COMPARE(visibleRows(fixture), 2);

    auto* filter = fixture.find<QLineEdit>("libraryFilter");
    auto* message = fixture.find<QLabel>("libraryFilterError");
    filter->setFocus();
    QTest::keyClicks(filter, QStringLiteral("m:32"));
    QCOMPARE(visibleRows(fixture), 1);
    QVERIFY(fixture.find<QLabel>("libraryCount")->text().contains(QStringLiteral("1 of 2")));
    filter->setText(QStringLiteral("m:32 lr<")); // pasted: typed, "lr" alone would be a word first
    QVERIFY(message->isVisible());
    QVERIFY(message->text().contains(QStringLiteral("9"))); // the value is missing after "m:32 lr<"
    QCOMPARE(visibleRows(fixture), 1);
    filter->clear();
    QVERIFY(!message->isVisible());
    QTest::keyClicks(filter, QStringLiteral("nothing-like-this"));
    QCOMPARE(visibleRows(fixture), 0);
    auto* clear = fixture.find<QWidget>("libraryEmpty")->findChild<QPushButton*>();
    QTest::mouseClick(clear, Qt::LeftButton);
    QCOMPARE(visibleRows(fixture), 2);
}

void TestWorkbench::trashCanBeUndoneAndSurvivesARestart() {
    WorkbenchFixture fixture;
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.train.length = {2, Extent::Unit::Updates};
    experiment.study.seeds = {0, 1};
    trainTiny(fixture, experiment);
    fixture.window().showPage(QStringLiteral("library"));
    QTRY_COMPARE(visibleRows(fixture), 2);

    auto* table = fixture.find<QTableView>("runTable");
    table->setFocus();
    table->selectAll();
    QTest::keyClick(table, Qt::Key_Delete);
    QTRY_COMPARE(visibleRows(fixture), 0);
    QTRY_VERIFY(fixture.find<QWidget>("libraryToast")->isVisible());
    QCOMPARE(runsOf(fixture, true).size(), std::size_t{2});
    QTest::keyClick(&fixture.window(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(visibleRows(fixture), 2);
    QCOMPARE(runsOf(fixture, true).size(), std::size_t{0});

    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Delete);
    QTRY_COMPARE(visibleRows(fixture), 1);
    fixture.reopen();
    fixture.window().showPage(QStringLiteral("library"));
    QTRY_COMPARE(visibleRows(fixture), 1);
    fixture.click("libraryTrashView");
    QTRY_COMPARE(visibleRows(fixture), 1);
    fixture.find<QTableView>("runTable")->selectRow(0);
    fixture.click("libraryRestoreButton");
    QTRY_COMPARE(visibleRows(fixture), 0);
    QCOMPARE(runsOf(fixture).size(), std::size_t{2});
}

void TestWorkbench::notesAndTagsAreSavedAndUndone() {
    WorkbenchFixture fixture;
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.train.length = {2, Extent::Unit::Updates};
    trainTiny(fixture, experiment);
    fixture.window().showPage(QStringLiteral("library"));
    QTRY_COMPARE(visibleRows(fixture), 1);
    auto* table = fixture.find<QTableView>("runTable");
    table->setFocus();
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_T);
    auto* tags = fixture.find<QLineEdit>("inspectorTags");
    QTRY_VERIFY(tags->hasFocus());
    QTest::keyClicks(tags, QStringLiteral("paper, first try"));
    QTest::keyClick(tags, Qt::Key_Return);
    QTRY_COMPARE(runsOf(fixture).front().tags, (std::vector<std::string>{"first try", "paper"}));
    auto* notes = fixture.find<QPlainTextEdit>("inspectorNotes");
    notes->setFocus();
    QTest::keyClicks(notes, QStringLiteral("worked"));
    QTRY_COMPARE(runsOf(fixture).front().notes, std::string("worked")); // saved soon after the last key

    fixture.window().findChild<LibraryPage*>()->setFocus();
    table->setFocus();
    QTest::keyClick(&fixture.window(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(runsOf(fixture).front().notes, std::string());
    QTest::keyClick(&fixture.window(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(runsOf(fixture).front().tags.empty());

    // What was typed a moment before the end is kept, too.
    QTRY_COMPARE(notes->toPlainText(), QString()); // the undo has arrived
    notes->setFocus();
    QTest::keyClicks(notes, QStringLiteral("late"));
    fixture.reopen();
    QCOMPARE(runsOf(fixture).front().notes, std::string("late"));
}

void TestWorkbench::newExperimentStartsAfresh() {
    WorkbenchFixture fixture;
    auto* setup = fixture.window().findChild<SetupPage*>();
    setup->setExperiment(tinyExperiment());
    fixture.find<QAction>("actionNewSetup")->trigger();
    QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
    QCOMPARE(setup->experiment(), newExperiment());
}

void TestWorkbench::aLibraryThatIsNoneIsSaidInTheWindow() {
    WorkbenchFixture fixture;
    const QString file = fixture.file(QStringLiteral("letter.txt"));
    QVERIFY(writeFileAtomically(file.toStdString(), "Dear reader, this is a letter and no library at all.\n"));
    Q_EMIT fixture.window().libraryRequested(file);
    QTRY_VERIFY(fixture.find<QWidget>("windowNotice")->isVisible());
    QVERIFY(fixture.workbench().library().isOpen()); // the old one stays open
    QCOMPARE(fixture.workbench().library().path(), fixture.library());
}

void TestWorkbench::languageChangesWithoutARestart() {
    WorkbenchFixture fixture;
    fixture.window().showPage(QStringLiteral("setup"));
    fixture.window().findChild<SetupPage*>()->setExperiment(tinyExperiment());
    MainWindow* before = &fixture.window();
    fixture.find<QAction>("actionLanguageChinese")->trigger();
    QTRY_VERIFY(&fixture.window() != before);
    QTRY_VERIFY(fixture.window().isVisible());
    QCOMPARE(fixture.workbench().language(), QStringLiteral("zh_CN"));
    QCOMPARE(fixture.find<QToolButton>("rail-home")->text(), QStringLiteral("首页"));
    QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
    QCOMPARE(fixture.window().findChild<SetupPage*>()->experiment(), tinyExperiment());
    fixture.find<QAction>("actionLanguageEnglish")->trigger();
    QTRY_COMPARE(fixture.workbench().language(), QStringLiteral("en"));
}

QTEST_MAIN(TestWorkbench)
} // namespace test_workbench
#include "test_workbench.moc"
