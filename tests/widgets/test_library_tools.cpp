// SPDX-License-Identifier: GPL-3.0-or-later
// What a person does with many runs on the Library page: edits them in one step, copies them, keeps views of them.
#include "core/base/hash.h"
#include "core/store/run_owner.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/bridge/queue_keeper.h"
#include "widgets/models/run_list_model.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/library/run_table.h"
#include "widgets/style/controls.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QToolButton>
#include <QUndoStack>

namespace test_library_tools {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestLibraryTools : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_fixture = std::make_unique<PageFixture>();
        m_runs = m_fixture->add(studyOf(equivalentCase()));
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<LibraryPage>(m_fixture->services());
        m_page->resize(1280, 760);
        m_page->show();
        m_page->activated();
        QTRY_COMPARE(model().rowCount(), 10);
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void tagsAndNotesOfManyAreOneStep();
    void whatIsTypedForManyIsKept();
    void coloursAndProtectionOfManyAreOneStep();
    void rowsAreCopiedAsTsvAndMarkdown();
    void allThatAreSelectedAreThoseThatAreShown();
    void viewsAreKeptUnderAName();
    void theFilterOffersWhatTheRunsHave();
    void aColumnsMenuNarrowsTheRuns();
    void theLibraryIsCheckedBackedUpAndRestored();
    void nothingIsRestoredWhileAnotherProgramTrains();
    void theQueueStaysThatOfTheWindow();

private:
    [[nodiscard]] bool says(const char* words) {
        const auto* notice = child<NoticeBar>(*m_page, "libraryNotice");
        return notice->isVisible() && std::ranges::any_of(notice->findChildren<QLabel*>(), [&](const QLabel* label) {
                   return label->text().contains(QString::fromLatin1(words));
               });
    }
    [[nodiscard]] QStringList storedQueue() {
        QStringList names;
        const auto queue = RunReader(Library::open(m_fixture->file(), Library::Mode::Read).value()).queue().value();
        for (const QueueRecord& record : queue)
            names << QString::fromStdString(record.name);
        return names;
    }
    [[nodiscard]] RunTable* table() { return m_page->findChild<RunTable*>(); }
    [[nodiscard]] RunListModel& model() { return *qobject_cast<RunListModel*>(table()->model()); }
    [[nodiscard]] std::vector<RunRecord> stored() {
        return RunReader(Library::open(m_fixture->file(), Library::Mode::Read).value()).runs().value();
    }
    [[nodiscard]] auto countStored(auto having) { return std::ranges::count_if(stored(), having); }
    void select(const std::vector<std::string>& runs) {
        m_page->selectRuns(qtList(runs));
        QCOMPARE(table()->selectedRuns().size(), static_cast<qsizetype>(runs.size()));
    }
    void trigger(const char* action) {
        auto* found = m_page->findChild<QAction*>(QString::fromLatin1(action));
        QVERIFY2(found && found->isEnabled(), action);
        found->trigger();
    }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<LibraryPage> m_page;
    SyntheticRuns m_runs;
};

void TestLibraryTools::tagsAndNotesOfManyAreOneStep() {
    {
        RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
        for (const std::string& run : m_runs.groupA)
            QVERIFY(store.setTags(run, run == m_runs.groupA.front() ? std::vector<std::string>{"all", "one"}
                                                                    : std::vector<std::string>{"all"}));
    }
    const auto tagsOf = [this](std::size_t run) {
        return model().find(QString::fromStdString(m_runs.groupA[run]))->tags;
    };
    QTRY_COMPARE(tagsOf(0).size(), std::size_t{2});
    QTRY_COMPARE(tagsOf(4).size(), std::size_t{1});
    select(m_runs.groupA);
    auto* editor = child<QWidget>(*m_page, "runsEditor");
    QVERIFY(editor->isVisible());
    QVERIFY(!child<QWidget>(*m_page, "runInspector")->isVisible());
    auto* tags = child<QLineEdit>(*m_page, "runsEditorTags");
    QCOMPARE(tags->text(), QStringLiteral("all"));
    QCOMPARE(child<QLabel>(*m_page, "runsEditorSome")->text(), QStringLiteral("Of some of them: one"));
    QVERIFY(!child<QPushButton>(*m_page, "runsEditorApply")->isEnabled());

    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_T);
    QTRY_VERIFY(tags->hasFocus());
    QTest::keyClicks(tags, QStringLiteral("paper, new")); // instead of "all"
    child<QPlainTextEdit>(*m_page, "runsEditorNotes")->setFocus();
    QTest::keyClicks(child<QPlainTextEdit>(*m_page, "runsEditorNotes"), QStringLiteral("# For the paper"));
    QTest::mouseClick(child<QPushButton>(*m_page, "runsEditorApply"), Qt::LeftButton);
    const auto edited = [](const RunRecord& run) {
        return run.notes == "# For the paper" && std::ranges::find(run.tags, "paper") != run.tags.end() &&
               std::ranges::find(run.tags, "all") == run.tags.end();
    };
    QTRY_COMPARE(countStored(edited), 5);
    QCOMPARE(countStored([](const RunRecord& run) { return std::ranges::find(run.tags, "one") != run.tags.end(); }), 1);
    QTRY_COMPARE(m_page->undoStack().count(), 1);
    m_page->undoStack().undo();
    QTRY_COMPARE(countStored(edited), 0);
    QTRY_COMPARE(countStored([](const RunRecord& run) { return std::ranges::find(run.tags, "all") != run.tags.end(); }),
                 5);
    QCOMPARE(countStored([](const RunRecord& run) { return !run.notes.empty(); }), 0);
    QTRY_COMPARE(tags->text(), QStringLiteral("all")); // the fields follow
}

void TestLibraryTools::whatIsTypedForManyIsKept() {
    select(m_runs.groupA);
    auto* tags = child<QLineEdit>(*m_page, "runsEditorTags");
    auto* notes = child<QPlainTextEdit>(*m_page, "runsEditorNotes");
    const auto* kept = child<NoticeBar>(*m_page, "libraryDrafts");
    QVERIFY(!m_page->hasUnsaved());
    tags->setText(QStringLiteral("paper"));
    notes->setFocus();
    QTest::keyClicks(notes, QStringLiteral("as typed"));
    QVERIFY(m_page->hasUnsaved());
    // The same runs in another order.
    table()->sortByColumn(static_cast<int>(RunColumn::Seed), Qt::AscendingOrder);
    table()->sortByColumn(static_cast<int>(RunColumn::Seed), Qt::DescendingOrder);
    Q_EMIT table()->selectionSettled();
    QCOMPARE(tags->text(), QStringLiteral("paper"));
    // Others, and back.
    select(m_runs.groupB);
    QVERIFY(tags->text().isEmpty() && notes->toPlainText().isEmpty());
    QVERIFY(kept->isVisible() && m_page->hasUnsaved());
    select(m_runs.groupA);
    QCOMPARE(tags->text(), QStringLiteral("paper"));
    QCOMPARE(notes->toPlainText(), QStringLiteral("as typed"));
    QVERIFY(!kept->isVisible());

    // Applied twice in a row: the second time nothing of the first is lost.
    auto* apply = child<QPushButton>(*m_page, "runsEditorApply");
    QTest::mouseClick(apply, Qt::LeftButton);
    QVERIFY(!m_page->hasUnsaved());
    tags->setText(QStringLiteral("paper, second"));
    QTest::mouseClick(apply, Qt::LeftButton);
    QTRY_COMPARE(countStored([](const RunRecord& run) {
                     return run.tags == std::vector<std::string>{"paper", "second"} && run.notes == "as typed";
                 }),
                 5);
}

void TestLibraryTools::coloursAndProtectionOfManyAreOneStep() {
    select(m_runs.groupB);
    trigger("libraryColor#cc79a7");
    QTRY_COMPARE(countStored([](const RunRecord& run) { return run.color == "#cc79a7"; }), 5);
    QTRY_COMPARE(model()
                     .index(model().rowOf(QString::fromStdString(m_runs.groupB[0])), 0)
                     .data(RunListModel::ColorRole)
                     .toString(),
                 QStringLiteral("#cc79a7"));
    trigger("libraryProtect");
    QTRY_COMPARE(countStored([](const RunRecord& run) { return run.isProtected; }), 5);
    auto* protect = m_page->findChild<QAction*>(QStringLiteral("libraryProtect"));
    QTRY_COMPARE(protect->text(), QStringLiteral("Unprotect"));
    QTRY_COMPARE(m_page->undoStack().count(), 2);
    m_page->undoStack().undo();
    m_page->undoStack().undo();
    QTRY_COMPARE(countStored([](const RunRecord& run) { return run.isProtected || !run.color.empty(); }), 0);
}

void TestLibraryTools::rowsAreCopiedAsTsvAndMarkdown() {
    for (std::size_t column = 0; column < runColumnCount; ++column)
        table()->setColumnHidden(static_cast<int>(column), true);
    for (const RunColumn column : {RunColumn::Name, RunColumn::Seed, RunColumn::FinalMetric})
        table()->setColumnHidden(static_cast<int>(column), false);
    table()->sortByColumn(static_cast<int>(RunColumn::Seed), Qt::AscendingOrder);
    select({m_runs.groupA[1], m_runs.groupA[0]});
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QGuiApplication::clipboard()->text().split('\n');
    QCOMPARE(lines.size(), 4); // the last line ends, too
    QCOMPARE(lines[0], QStringLiteral("Name\tFinal metric\tSeed"));
    const auto accuracy = [this](std::size_t run) {
        return model().find(QString::fromStdString(m_runs.groupA[run]))->summary.testAccuracy.value();
    };
    for (std::size_t run = 0; run < 2; ++run) {
        const QStringList cells = lines[static_cast<qsizetype>(run) + 1].split('\t');
        QCOMPARE(cells.size(), 3);
        QCOMPARE(cells[2], QString::number(run));
        QVERIFY(std::abs(cells[1].toDouble() - accuracy(run)) < 1e-10); // as measured, not as shown
    }
    trigger("libraryCopyMarkdown");
    const QStringList table = QGuiApplication::clipboard()->text().split('\n');
    QCOMPARE(table[0], QStringLiteral("| Name | Final metric | Seed |"));
    QCOMPARE(table[1], QStringLiteral("| --- | ---: | ---: |"));
    QCOMPARE(table[2], QStringLiteral("| %1 | %2 | 0 |")
                           .arg(model()
                                    .index(model().rowOf(QString::fromStdString(m_runs.groupA[0])),
                                           static_cast<int>(RunColumn::Name))
                                    .data()
                                    .toString(),
                                model()
                                    .index(model().rowOf(QString::fromStdString(m_runs.groupA[0])),
                                           static_cast<int>(RunColumn::FinalMetric))
                                    .data()
                                    .toString()));
}

void TestLibraryTools::allThatAreSelectedAreThoseThatAreShown() {
    select({m_runs.groupA[0]});
    trigger("libraryPin");
    QTRY_VERIFY(model().hasBaselineRow());
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(table()->selectedRuns().size(), 10);
    child<QLineEdit>(*m_page, "libraryFilter")->setText(QStringLiteral("arm:large"));
    QCOMPARE(model().rowCount(), 6); // the baseline stays in sight
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(table()->selectedRuns().size(), 5);
    QTest::keyClick(table(), Qt::Key_Delete);
    QTRY_COMPARE(stored().size(), std::size_t{5});
    QVERIFY(std::ranges::all_of(stored(), [](const RunRecord& run) { return run.arm == Arm::Accumulated; }));
}

void TestLibraryTools::viewsAreKeptUnderAName() {
    auto* filter = child<QLineEdit>(*m_page, "libraryFilter");
    auto* grouping = child<QComboBox>(*m_page, "libraryGrouping");
    auto* menu = m_page->findChild<QMenu*>(QStringLiteral("libraryViewsMenu"));
    filter->setText(QStringLiteral("seed<3"));
    grouping->setCurrentIndex(1);
    table()->setColumnHidden(static_cast<int>(RunColumn::Model), true);
    table()->sortByColumn(static_cast<int>(RunColumn::Arm), Qt::DescendingOrder);
    QCOMPARE(model().rowCount(), 2);
    menu->popup(QPoint(0, 0));
    auto* name = menu->findChild<QLineEdit*>(QStringLiteral("libraryViewName"));
    QVERIFY(name);
    QTest::keyClicks(name, QStringLiteral("few & grouped"));
    QTest::keyClick(name, Qt::Key_Return);
    QVERIFY(!menu->isVisible());

    m_page->resetLayout();
    filter->clear();
    QCOMPARE(model().rowCount(), 1); // the study
    QVERIFY(!table()->isColumnHidden(static_cast<int>(RunColumn::Model)));
    menu->popup(QPoint(0, 0));
    QCOMPARE(menu->actions().front()->text(), QStringLiteral("few && grouped"));
    menu->actions().front()->trigger();
    menu->close();
    QCOMPARE(filter->text(), QStringLiteral("seed<3"));
    QCOMPARE(model().grouping(), RunGrouping::Configuration);
    QCOMPARE(model().rowCount(), 2);
    QVERIFY(table()->isColumnHidden(static_cast<int>(RunColumn::Model)));
    QCOMPARE(model().sortKeys(), (std::vector<SortKey>{{RunColumn::Arm, Qt::DescendingOrder}}));
    // Gone when it is deleted.
    menu->popup(QPoint(0, 0));
    menu->actions().back()->menu()->actions().front()->trigger();
    menu->close();
    menu->popup(QPoint(0, 0));
    QVERIFY(menu->actions().front()->text() != QStringLiteral("few && grouped"));
    menu->close();
}

void TestLibraryTools::theFilterOffersWhatTheRunsHave() {
    auto* filter = child<QLineEdit>(*m_page, "libraryFilter");
    filter->setFocus();
    QTest::keyClicks(filter, QStringLiteral("ar"));
    auto* words = qobject_cast<QListView*>(QApplication::activePopupWidget());
    QVERIFY(words);
    QCOMPARE(words->objectName(), QStringLiteral("libraryFilterWords"));
    QCOMPARE(words->model()->index(0, 0).data().toString(), QStringLiteral("arm:"));
    QTest::keyClick(words, Qt::Key_Down);
    QTest::keyClick(words, Qt::Key_Return);
    QCOMPARE(filter->text(), QStringLiteral("arm:"));
    QTest::keyClicks(filter, QStringLiteral("l"));
    words = qobject_cast<QListView*>(QApplication::activePopupWidget());
    QVERIFY(words);
    QTest::keyClick(words, Qt::Key_Down);
    QTest::keyClick(words, Qt::Key_Return);
    QCOMPARE(filter->text(), QStringLiteral("arm:large-batch"));
    QCOMPARE(model().rowCount(), 5);
    QVERIFY(!QApplication::activePopupWidget());
}

void TestLibraryTools::aColumnsMenuNarrowsTheRuns() {
    auto* filter = child<QLineEdit>(*m_page, "libraryFilter");
    const auto choose = [this](RunColumn column, const QString& term) {
        QMenu menu;
        Q_EMIT table()->columnMenuOpening(column, &menu);
        auto* choices = menu.findChild<QMenu*>(QStringLiteral("libraryFilterMenu"));
        for (QAction* action : choices ? choices->actions() : QList<QAction*>())
            if (action->text() == term)
                return action->trigger(), true;
        return false;
    };
    QVERIFY(choose(RunColumn::Arm, QStringLiteral("arm:accumulated")));
    QCOMPARE(model().rowCount(), 5);
    table()->sortByColumn(static_cast<int>(RunColumn::Seed), Qt::AscendingOrder);
    table()->setCurrentIndex(model().index(3, 0)); // seed 3
    QVERIFY(choose(RunColumn::Seed, QStringLiteral("seed>=3")));
    QCOMPARE(filter->text(), QStringLiteral("arm:accumulated seed>=3"));
    QCOMPARE(model().rowCount(), 2);
    QVERIFY(!choose(RunColumn::DaysLeft, QString()));
}

void TestLibraryTools::theLibraryIsCheckedBackedUpAndRestored() {
    trigger("libraryCheck");
    QVERIFY(says("Checking the library"));
    QTRY_VERIFY(says("The library is sound: 10 run(s), 0 checkpoint(s)."));
    const QString copy = m_fixture->path(QStringLiteral("copy.sqlite"));
    m_page->backUp(copy);
    QTRY_VERIFY(says("Backed up as"));
    select(m_runs.groupA);
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_Delete);
    QTRY_COMPARE(model().rowCount(), 5);
    m_page->restoreFrom(copy);
    QTRY_VERIFY(says("Restored."));
    QTRY_COMPARE(model().rowCount(), 10);
    QVERIFY(!m_page->undoStack().canUndo()); // those steps were about other contents
    // As it was before, it is still there.
    const auto kept = QDir(m_fixture->path({})).entryList({QStringLiteral("*.before-*.sqlite")});
    QCOMPARE(kept.size(), 1);
    RunReader before(Library::open(m_fixture->path(kept.front()).toStdString(), Library::Mode::Read).value());
    QCOMPARE(before.runs().value().size(), std::size_t{5});
    m_page->restoreFrom(m_fixture->path(QStringLiteral("none.sqlite")));
    QTRY_VERIFY(!says("Restored."));
    QCOMPARE(model().rowCount(), 10);
}

void TestLibraryTools::nothingIsRestoredWhileAnotherProgramTrains() {
    const QString copy = m_fixture->path(QStringLiteral("copy.sqlite"));
    m_page->backUp(copy);
    QTRY_VERIFY(says("Backed up as"));
    const LiveClaim claim; // of this process, but the window knows nothing of it
    RunRecord training = stored().front();
    training.id = newUuid();
    training.state = RunState::Running;
    training.owner = claim.owner();
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QVERIFY(store.addRun(training));
    m_page->restoreFrom(copy);
    QTRY_VERIFY(says("is training or waits for its turn"));
    QCOMPARE(stored().size(), std::size_t{11});
    QVERIFY(QDir(m_fixture->path({})).entryList({QStringLiteral("*.before-*.sqlite")}).isEmpty());
    QVERIFY(store.setState(training.id, RunState::Stopped));
    m_page->restoreFrom(copy);
    QTRY_VERIFY(says("Restored."));
    QCOMPARE(stored().size(), std::size_t{10});
}

void TestLibraryTools::theQueueStaysThatOfTheWindow() {
    const Services services = m_fixture->services();
    const QueueKeeper keeper(services.runs, services.library);
    QVERIFY(m_fixture->open()); // as the keeper wants to see it
    StudyQueue& queue = services.runs.queue();
    QueuedStudy study;
    study.name = QStringLiteral("before");
    queue.addPaused(study);
    QTRY_COMPARE(storedQueue(), QStringList{QStringLiteral("before")});
    const QString copy = m_fixture->path(QStringLiteral("copy.sqlite"));
    m_page->backUp(copy);
    QTRY_VERIFY(says("Backed up as"));
    queue.remove(queue.waiting().front().id);
    QTRY_VERIFY(storedQueue().isEmpty());
    m_page->restoreFrom(copy);
    services.runs.start(study.experiment); // waits until the library is there again
    QVERIFY(!services.runs.busy());
    QCOMPARE(services.runs.queued(), std::size_t{1});
    queue.remove(queue.waiting().front().id);
    QTRY_VERIFY(says("Restored."));
    QTRY_VERIFY(storedQueue().isEmpty()); // the copy's had come with it
}

QTEST_MAIN(TestLibraryTools)
} // namespace test_library_tools
#include "test_library_tools.moc"
