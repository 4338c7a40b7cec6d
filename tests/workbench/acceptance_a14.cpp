// SPDX-License-Identifier: GPL-3.0-or-later
// Three runs go to the Trash and come back with all that belongs to them; after a restart one of three is restored.
// A protected run and one that trains refuse, and say why.
#include "core/store/run_owner.h"
#include "tests/support/synthetic_library.h"
#include "tests/workbench/library_in_window.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/style/controls.h"

#include <QAction>
#include <QPushButton>

namespace acceptance_a14 {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

QString textOf(WorkbenchFixture& fixture, const char* bar) {
    QStringList texts;
    for (const QLabel* label : fixture.find<NoticeBar>(bar)->findChildren<QLabel*>())
        texts << label->text();
    return texts.join(QLatin1Char(' ')).trimmed();
}

} // namespace

class AcceptanceA14 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<WorkbenchFixture>();
        SyntheticStudy study;
        study.seedsA = study.seedsB = firstSeeds(2);
        study.finalA = study.finalB = {0.95, 0.96};
        study.windows = 60;
        const auto runs = addSyntheticStudy(m_fixture->library(), study);
        QVERIFY(runs);
        auto store = storeOf(*m_fixture);
        for (const std::string& run : runs->groupA) {
            QVERIFY(store.setTags(run, {"paper", "first try"}));
            QVERIFY(store.setNotes(run, "# Notes\n\nof " + run));
            QVERIFY(store.setColor(run, "#cc79a7"));
        }
        showLibrary(*m_fixture, 4);
    }
    void cleanup() { m_fixture.reset(); }

    void threeRunsComeBackAsTheyWere();
    void oneOfThreeIsRestoredAfterARestart();
    void protectedAndRunningRunsRefuse();
    void whatIsOldGoesWithTheNextStart();

private:
    [[nodiscard]] std::vector<RunRecord> runs(bool trashed = false) {
        return RunReader(Library::open(m_fixture->library(), Library::Mode::Read).value()).runs({trashed, {}}).value();
    }
    [[nodiscard]] QTableView* table() { return m_fixture->find<QTableView>("runTable"); }
    [[nodiscard]] int countInSql(const std::string& where) {
        return askSql(m_fixture->library(), "SELECT count(*) FROM runs WHERE " + where);
    }
    void trashThree() {
        clickRows(*m_fixture, {0, 1, 3});
        QTest::keyClick(table(), Qt::Key_Delete);
        QTRY_COMPARE_WITH_TIMEOUT(runList(*m_fixture).rowCount(), 1, patience);
    }
    /// Tries to delete the run and gives the reason why it stays.
    QString refusal(const std::string& run) {
        m_fixture->find<NoticeBar>("libraryNotice")->clear();
        m_fixture->window().findChild<LibraryPage*>()->selectRuns({QString::fromStdString(run)});
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_Delete);
        auto* notice = m_fixture->find<QWidget>("libraryNotice");
        [&] { QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), patience); }();
        return textOf(*m_fixture, "libraryNotice");
    }

    std::unique_ptr<WorkbenchFixture> m_fixture;
};

void AcceptanceA14::threeRunsComeBackAsTheyWere() {
    const std::vector<RunRecord> before = runs();
    const auto windows = [&] { return askSql(m_fixture->library(), "SELECT count(*) FROM windows"); };
    const int windowsBefore = windows();
    QCOMPARE(windowsBefore, 4 * 60);
    trashThree();
    QTRY_VERIFY_WITH_TIMEOUT(m_fixture->find<QWidget>("libraryToast")->isVisible(), patience);
    const QString toast = textOf(*m_fixture, "libraryToast");
    QVERIFY2(toast.contains(QStringLiteral("3 runs moved to Trash.")), qPrintable(toast));
    const auto buttons = m_fixture->find<NoticeBar>("libraryToast")->findChildren<QPushButton*>();
    QVERIFY(std::ranges::any_of(buttons, [](const QPushButton* button) {
        return button->isVisible() && button->text() == QStringLiteral("Undo");
    }));
    QCOMPARE(countInSql("trashed_at IS NOT NULL"), 3);
    QTest::keyClick(&m_fixture->window(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(runList(*m_fixture).rowCount(), 4, patience);
    QVERIFY(runs() == before); // tags, notes and colour with all the rest
    QVERIFY(std::ranges::any_of(before, [](const RunRecord& run) {
        return run.color == "#cc79a7" && run.tags.size() == 2 && !run.notes.empty();
    }));
    QCOMPARE(windows(), windowsBefore);
    QVERIFY(!m_fixture->find<QWidget>("libraryToast")->isVisible()); // nothing left to undo there
}

void AcceptanceA14::oneOfThreeIsRestoredAfterARestart() {
    trashThree();
    m_fixture->reopen();
    showLibrary(*m_fixture, 1);
    QCOMPARE(m_fixture->find<QPushButton>("libraryTrashView")->text(), QStringLiteral("Trash (3)"));
    m_fixture->click("libraryTrashView");
    QTRY_COMPARE_WITH_TIMEOUT(runList(*m_fixture).rowCount(), 3, patience);
    clickRows(*m_fixture, {1});
    const std::string restored = runList(*m_fixture).record(1).id;
    m_fixture->click("libraryRestoreButton");
    QTRY_COMPARE_WITH_TIMEOUT(runList(*m_fixture).rowCount(), 2, patience);
    QCOMPARE(countInSql("trashed_at IS NOT NULL"), 2);
    QCOMPARE(countInSql("trashed_at IS NULL AND id = '" + restored + "'"), 1);
    const int daysColumn = static_cast<int>(RunColumn::DaysLeft);
    QVERIFY(!table()->isColumnHidden(daysColumn));
    for (int row = 0; row < 2; ++row)
        QCOMPARE(runList(*m_fixture).index(row, daysColumn).data().toString(), QStringLiteral("30"));
    m_fixture->click("libraryRunsView");
    QTRY_COMPARE_WITH_TIMEOUT(runList(*m_fixture).rowCount(), 2, patience);
    QVERIFY(table()->isColumnHidden(daysColumn));
}

void AcceptanceA14::protectedAndRunningRunsRefuse() {
    const std::string kept = runList(*m_fixture).record(2).id;
    clickRows(*m_fixture, {2});
    m_fixture->find<QAction>("libraryProtect")->trigger();
    QTRY_COMPARE_WITH_TIMEOUT(countInSql("protected = 1 AND id = '" + kept + "'"), 1, patience);
    QTRY_VERIFY_WITH_TIMEOUT(runList(*m_fixture).find(QString::fromStdString(kept))->isProtected, patience);
    const QString reason = refusal(kept);
    QVERIFY2(reason.contains(QStringLiteral("is protected")), qPrintable(reason));
    QCOMPARE(countInSql("trashed_at IS NOT NULL"), 0);

    // Trained by a process that lives: this one.
    auto store = storeOf(*m_fixture);
    RunRecord training = runs().front();
    training.id = "training-now";
    training.name = "trains now";
    training.state = RunState::Running;
    training.isProtected = false;
    training.owner = thisProcess();
    QVERIFY(store.addRun(training));
    QTRY_COMPARE_WITH_TIMEOUT(runList(*m_fixture).rowCount(), 5, patience);
    const QString busy = refusal(training.id);
    QVERIFY2(busy.contains(QStringLiteral("trains now")) && busy.contains(QStringLiteral("is training")),
             qPrintable(busy));
    QCOMPARE(countInSql("trashed_at IS NOT NULL"), 0);
    QCOMPARE(runList(*m_fixture).rowCount(), 5);

    // Undone, the protection goes, and so may the run.
    QTest::keyClick(&m_fixture->window(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE_WITH_TIMEOUT(countInSql("protected = 1"), 0, patience);
    QTRY_VERIFY_WITH_TIMEOUT(!runList(*m_fixture).find(QString::fromStdString(kept))->isProtected, patience);
    m_fixture->window().findChild<LibraryPage*>()->selectRuns({QString::fromStdString(kept)});
    QTest::keyClick(table(), Qt::Key_Delete);
    QTRY_COMPARE_WITH_TIMEOUT(countInSql("trashed_at IS NOT NULL"), 1, patience);
}

void AcceptanceA14::whatIsOldGoesWithTheNextStart() {
    trashThree();
    const std::string old = runs(true)[0].id, recent = runs(true)[1].id;
    m_fixture->quit();
    {
        SQLite::Database database(m_fixture->library().string(), SQLite::OPEN_READWRITE, sqlPatience);
        const auto age = [&](const std::string& run, double days) {
            database.exec("UPDATE runs SET trashed_at = trashed_at - 86400.0 * " + std::to_string(days) +
                          " WHERE id = '" + run + "'");
        };
        age(old, 30.1);
        age(recent, 20.5);
    }
    m_fixture->reopen();
    m_fixture->window().showPage(QStringLiteral("library"));
    QTRY_COMPARE_WITH_TIMEOUT(countInSql("trashed_at IS NOT NULL"), 2, patience);
    QCOMPARE(countInSql("id = '" + old + "'"), 0);
    QTRY_COMPARE_WITH_TIMEOUT(m_fixture->find<QPushButton>("libraryTrashView")->text(), QStringLiteral("Trash (2)"),
                              patience);
    m_fixture->click("libraryTrashView");
    QTRY_COMPARE_WITH_TIMEOUT(runList(*m_fixture).rowCount(), 2, patience);
    const int row = runList(*m_fixture).rowOf(QString::fromStdString(recent));
    QCOMPARE(runList(*m_fixture).index(row, static_cast<int>(RunColumn::DaysLeft)).data().toString(),
             QStringLiteral("10"));
}

QTEST_MAIN(AcceptanceA14)
} // namespace acceptance_a14
#include "acceptance_a14.moc"
