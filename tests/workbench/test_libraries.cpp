// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries come and go: a new one, those that were open lately, and the one that is open at the next start.
#include "core/store/library.h"
#include "tests/workbench/hands.h"
#include "widgets/style/controls.h"

#include <QAction>
#include <QFile>
#include <QFileInfo>
#include <QMenu>
#include <SQLiteCpp/SQLiteCpp.h>

namespace test_libraries {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

bool isOpen(WorkbenchFixture& fixture, const QString& file) {
    return QFileInfo(QString::fromStdString(fixture.workbench().library().path().string())) == QFileInfo(file);
}

QString notice(WorkbenchFixture& fixture) { return fixture.find<NoticeBar>("windowNotice")->accessibleName(); }

/// The entry of that file under Open recent; null where there is none.
QAction* entryOf(WorkbenchFixture& fixture, const QString& file) {
    for (QAction* action : fixture.find<QMenu>("recentLibraries")->actions())
        if (QFileInfo(action->data().toString()).fileName() == QFileInfo(file).fileName())
            return action;
    return nullptr;
}

} // namespace

class TestLibraries : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLastOneIsOpenAtTheNextStart() {
        WorkbenchFixture fixture;
        const QString other = fixture.file(QStringLiteral("other.sqlite"));
        Q_EMIT fixture.window().libraryRequested(other);
        QVERIFY(isOpen(fixture, other));
        fixture.startAgain();
        QVERIFY(isOpen(fixture, other));
        fixture.reopen(); // --library says otherwise
        QVERIFY(isOpen(fixture, QString::fromStdString(fixture.library().string())));
    }

    void oneThatHasGoneIsSaidAndNotMadeAnew() {
        WorkbenchFixture fixture;
        const QString other = fixture.file(QStringLiteral("other.sqlite"));
        Q_EMIT fixture.window().libraryRequested(other);
        fixture.quit();
        QVERIFY(QFile::rename(other, fixture.file(QStringLiteral("moved.sqlite"))));
        fixture.startAgain();
        QVERIFY(isOpen(fixture, QString::fromStdString(defaultLibraryPath().string())));
        QVERIFY(!QFileInfo::exists(other));
        QTRY_VERIFY2(notice(fixture).contains(QStringLiteral("other.sqlite")), qPrintable(notice(fixture)));
    }

    void thoseThatWereOpenLatelyAreListed() {
        WorkbenchFixture fixture;
        const QString first = QString::fromStdString(fixture.library().string());
        const QString second = fixture.file(QStringLiteral("second.sqlite"));
        const QString third = fixture.file(QStringLiteral("third.sqlite"));
        Q_EMIT fixture.window().libraryRequested(second);
        Q_EMIT fixture.window().libraryRequested(third);
        auto* menu = fixture.find<QMenu>("recentLibraries");
        QVERIFY(QFile::rename(second, fixture.file(QStringLiteral("moved.sqlite"))));
        Q_EMIT menu->aboutToShow();
        QVERIFY(entryOf(fixture, third) && !entryOf(fixture, third)->isEnabled()); // it is open
        QTRY_VERIFY(entryOf(fixture, second) && !entryOf(fixture, second)->isEnabled());
        QVERIFY(entryOf(fixture, second)->text().endsWith(QStringLiteral("(not found)")));
        QVERIFY(entryOf(fixture, first) && entryOf(fixture, first)->isEnabled());

        entryOf(fixture, first)->trigger();
        QVERIFY(isOpen(fixture, first));
        QTRY_VERIFY(!entryOf(fixture, first)->isEnabled());
        fixture.find<QAction>("forgetRecentLibraries")->trigger();
        Q_EMIT menu->aboutToShow();
        QVERIFY(entryOf(fixture, first) && !entryOf(fixture, second) && !entryOf(fixture, third));
        QVERIFY(!fixture.find<QAction>("forgetRecentLibraries")->isEnabled());
    }

    void aNewOneIsMadeAndReplacesNone() {
        WorkbenchFixture fixture;
        const QString fresh = fixture.file(QStringLiteral("fresh.sqlite"));
        answerFileDialog(fixture.file(QStringLiteral("fresh"))); // the ending is added
        fixture.find<QAction>("actionNewLibrary")->trigger();
        QVERIFY(isOpen(fixture, fresh));
        QVERIFY(QFileInfo::exists(fresh));

        const QString first = QString::fromStdString(fixture.library().string());
        answerFileDialog(first);
        fixture.find<QAction>("actionNewLibrary")->trigger();
        QVERIFY2(notice(fixture).contains(QStringLiteral("there already")), qPrintable(notice(fixture)));
        QVERIFY(isOpen(fixture, fresh));
    }

    void whatCannotBeWrittenTakesUpNoRuns() {
        WorkbenchFixture fixture;
        const QString taken = fixture.file(QStringLiteral("taken.sqlite"));
        const auto* import = fixture.find<QAction>("actionImport");
        const auto* demo = fixture.find<QAction>("actionDemo");
        QVERIFY(import->isEnabled() && demo->isEnabled());
        auto other = std::make_unique<LibraryGateway>();
        QVERIFY(other->open(taken.toStdString()));
        Q_EMIT fixture.window().libraryRequested(taken);
        QVERIFY(isOpen(fixture, taken));
        for (const QAction* action : {import, demo}) {
            QVERIFY(!action->isEnabled());
            QCOMPARE(action->toolTip(), QStringLiteral("Another window has this library open."));
        }
        other.reset();
        Q_EMIT fixture.window().libraryRequested(taken); // try again
        QVERIFY(import->isEnabled() && demo->isEnabled());
    }

    /// A wait that another request ends leaves nothing behind, also where that request fails.
    void aWaitIsGivenUpForOneThatCannotBeOpened() {
        WorkbenchFixture fixture;
        const QString held = fixture.file(QStringLiteral("held.sqlite"));
        SQLite::Database holder(held.toStdString(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        holder.exec("BEGIN EXCLUSIVE");
        Q_EMIT fixture.window().libraryRequested(held);
        const auto* state = fixture.find<NoticeBar>("readOnlyNotice");
        QVERIFY(state->isVisible());
        QVERIFY(!fixture.find<QAction>("actionDemo")->isEnabled());
        QFile text(fixture.file(QStringLiteral("notes.txt")));
        QVERIFY(text.open(QIODevice::WriteOnly) && text.write(QByteArray(4096, 'x')) > 0);
        text.close();
        Q_EMIT fixture.window().libraryRequested(text.fileName());
        QVERIFY(!state->isVisible());
        QVERIFY(fixture.find<QAction>("actionDemo")->isEnabled());
        fixture.workbench().runs().start(tinyExperiment());
        QTRY_VERIFY_WITH_TIMEOUT(fixture.workbench().runs().busy(), patience);
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.workbench().runs().busy(), patience);
    }

    void oneThatAnotherProgramHoldsIsAwaited() {
        WorkbenchFixture fixture;
        const QString first = QString::fromStdString(fixture.library().string());
        const QString other = fixture.file(QStringLiteral("other.sqlite"));
        auto holder =
            std::make_unique<SQLite::Database>(other.toStdString(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        holder->exec("BEGIN EXCLUSIVE");
        Q_EMIT fixture.window().libraryRequested(other);
        auto* state = fixture.find<NoticeBar>("readOnlyNotice");
        QVERIFY2(state->isVisible() && state->accessibleName().contains(QStringLiteral("Waiting")),
                 qPrintable(state->accessibleName()));
        QVERIFY(isOpen(fixture, first)); // what is there can be looked at, but nothing begins in it any more
        fixture.workbench().runs().start(tinyExperiment());
        QVERIFY(!fixture.workbench().runs().busy());
        holder.reset();
        QTRY_VERIFY_WITH_TIMEOUT(isOpen(fixture, other), patience);
        QVERIFY(!state->isVisible());
        fixture.startAgain(); // it is the last one that was open
        QVERIFY(isOpen(fixture, other));
    }

    void whileARunTrainsNoneIsOpened() {
        WorkbenchFixture fixture;
        ExperimentConfig experiment = tinyExperiment();
        experiment.run.train.length = {500, Extent::Unit::Epochs};
        fixture.workbench().runs().start(experiment);
        QTRY_VERIFY(fixture.workbench().runs().busy());
        QTRY_VERIFY(!fixture.find<QAction>("actionNewLibrary")->isEnabled());
        QVERIFY(!fixture.find<QAction>("actionOpenLibrary")->isEnabled());
        QVERIFY(!fixture.find<QMenu>("recentLibraries")->menuAction()->isEnabled());
        const QString other = fixture.file(QStringLiteral("other.sqlite"));
        Q_EMIT fixture.window().libraryRequested(other);
        QVERIFY(!QFileInfo::exists(other));
        fixture.workbench().runs().stopNow();
        fixture.waitUntilIdle(patience);
        QTRY_VERIFY(fixture.find<QMenu>("recentLibraries")->menuAction()->isEnabled());
    }
};

QTEST_MAIN(TestLibraries)
} // namespace test_libraries
#include "test_libraries.moc"
