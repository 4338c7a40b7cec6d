// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"
#include "widgets/pages/library/library_page.h"

#include "core/base/atomic_file.h"
#include "core/base/event_file.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/library/event_steps_dialog.h"
#include "widgets/pages/library/run_exports.h"
#include "widgets/pages/library/run_imports.h"
#include "widgets/pages/library/run_table.h"
#include "widgets/style/controls.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPaintEvent>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QUndoStack>
#include <QUrl>
#include <semaphore>

namespace test_library_page {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

/// What a widget paints while this lives.
class Painted : public QObject {
public:
    explicit Painted(QWidget& widget) { widget.installEventFilter(this); }
    [[nodiscard]] const QRegion& region() const { return m_region; }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint)
            m_region += static_cast<QPaintEvent*>(event)->region();
        return false;
    }

private:
    QRegion m_region;
};

} // namespace

class TestLibraryPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_fixture = std::make_unique<PageFixture>();
        m_runs = m_fixture->add(studyOf(equivalentCase()));
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void aQuietLibraryIsReadOnce();
    void anotherLibraryIsReadAlthoughOneIsBeingRead();
    void editsDoNotHoldUpTheWindow();
    void notesThatCouldNotBeSavedComeBack();
    void notesOfAPageThatGoesAreSaved();
    void undoOutlivesThePage();
    void filterSelectionAndColumnsGoToTheNextPage();
    void escapeClearsTheFilter();
    void theFrameOfTheFormerRowIsPaintedOver();
    void anExportEndsOrIsCancelled();
    void runsAreExportedAndImported();
    void filesDroppedOnThePageAreImported();

private:
    void show() {
        m_page = std::make_unique<LibraryPage>(m_fixture->services());
        m_page->resize(1280, 760);
        m_page->show();
        m_page->activated();
    }
    void open() {
        QVERIFY(m_fixture->open());
        show();
        QTRY_VERIFY(table()->model()->rowCount() > 0);
    }
    [[nodiscard]] QTableView* table() { return child<QTableView>(*m_page, "runTable"); }
    [[nodiscard]] LibraryGateway& library() { return m_fixture->services().library; }
    [[nodiscard]] std::string notesOf(const std::string& run) {
        return RunReader(Library::open(m_fixture->file(), Library::Mode::Read).value()).run(run).value().notes;
    }
    QPlainTextEdit* typeNotes(int row, const QString& text) {
        table()->selectRow(row);
        auto* tabs = child<QTabWidget>(*m_page, "inspectorTabs");
        tabs->setCurrentIndex(tabs->count() - 1);
        auto* notes = child<QPlainTextEdit>(*m_page, "inspectorNotes");
        notes->setFocus();
        notes->selectAll();
        QTest::keyClicks(notes, text);
        return notes;
    }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<LibraryPage> m_page;
    SyntheticRuns m_runs;
};

void TestLibraryPage::aQuietLibraryIsReadOnce() {
    open();
    QTest::qWait(200);
    QSignalSpy reset(table()->model(), &QAbstractItemModel::modelReset);
    QSignalSpy changed(table()->model(), &QAbstractItemModel::dataChanged);
    QTest::qWait(2000);
    QCOMPARE(reset.count() + changed.count(), 0);
    m_page->hide();
    RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QVERIFY(store.setNotes(m_runs.groupA.front(), "seen when it is shown again"));
    QTest::qWait(1500);
    QCOMPARE(reset.count() + changed.count(), 0);
    m_page->show();
    m_page->activated();
    QTRY_VERIFY(reset.count() + changed.count() > 0);
}

void TestLibraryPage::anotherLibraryIsReadAlthoughOneIsBeingRead() {
    const auto other = m_fixture->path("other.sqlite").toStdString();
    SyntheticStudy study;
    study.seedsA = study.seedsB = {0};
    study.finalA = study.finalB = {0.9};
    study.windows = 20;
    QVERIFY(addSyntheticStudy(other, study));
    QVERIFY(m_fixture->open());
    // The query thread is busy, so that the page's question is open when the library changes.
    std::binary_semaphore goOn{0};
    library().query<int>(
        this, "busy", [&](RunReader&) { return goOn.acquire(), 1; }, [](int) {});
    show();
    QVERIFY(library().open(other));
    goOn.release();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    RunStore store(Library::open(other, Library::Mode::Write).value());
    RunReader reader(Library::open(other, Library::Mode::Read).value());
    QVERIFY(store.moveToTrash(std::vector{reader.runs().value().front().id}, unixTime()));
    QTRY_COMPARE(table()->model()->rowCount(), 1);
}

void TestLibraryPage::editsDoNotHoldUpTheWindow() {
    open();
    const int rows = table()->model()->rowCount();
    QTRY_VERIFY(!library().writing());
    RunStore other(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QVERIFY(other.begin());
    QVERIFY(other.setNotes(m_runs.groupA.back(), "locks the library"));
    table()->selectRow(0);
    table()->setFocus();
    QElapsedTimer time;
    time.start();
    QTest::keyClick(table(), Qt::Key_Delete);
    QVERIFY(time.elapsed() < 500);
    QVERIFY(library().writing());
    QVERIFY(m_page->undoStack().isClean() && m_page->undoStack().count() == 0);
    QVERIFY(other.commit());
    QTRY_COMPARE_WITH_TIMEOUT(table()->model()->rowCount(), rows - 1, 10'000);
    QCOMPARE(m_page->undoStack().count(), 1);
    m_page->undoStack().undo();
    QTRY_COMPARE(table()->model()->rowCount(), rows);
}

void TestLibraryPage::notesThatCouldNotBeSavedComeBack() {
    open();
    QTRY_VERIFY(!library().writing());
    table()->selectRow(0);
    auto other = std::make_unique<RunStore>(Library::open(m_fixture->file(), Library::Mode::Write).value());
    QVERIFY(other->begin());
    QVERIFY(other->setNotes(m_runs.groupA.back(), "locks the library"));
    auto* notes = typeNotes(0, "typed while it was locked");
    m_page->saveEdits();
    QVERIFY(library().writing());
    table()->selectRow(1); // somebody moves on
    QVERIFY(notes->toPlainText().isEmpty());
    QTRY_VERIFY_WITH_TIMEOUT(!library().writing(), 15'000);
    QVERIFY(child<NoticeBar>(*m_page, "libraryNotice")->isVisible());
    QVERIFY(m_page->hasUnsaved());
    other.reset();
    table()->selectRow(0);
    QCOMPARE(notes->toPlainText(), QStringLiteral("typed while it was locked"));
    QTRY_VERIFY(!m_page->hasUnsaved()); // tried again by itself
    QTRY_VERIFY(!library().writing());
    bool found = false;
    for (const auto& group : {m_runs.groupA, m_runs.groupB})
        for (const std::string& run : group)
            found = found || notesOf(run) == "typed while it was locked";
    QVERIFY(found);
}

void TestLibraryPage::notesOfAPageThatGoesAreSaved() {
    open();
    typeNotes(0, "a moment ago");
    m_page.reset();
    QTRY_VERIFY(!library().writing());
    bool found = false;
    for (const auto& group : {m_runs.groupA, m_runs.groupB})
        for (const std::string& run : group)
            found = found || notesOf(run) == "a moment ago";
    QVERIFY(found);
}

void TestLibraryPage::undoOutlivesThePage() {
    open();
    const int rows = table()->model()->rowCount();
    table()->selectRow(0);
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_Delete);
    QTRY_COMPARE(table()->model()->rowCount(), rows - 1);
    show(); // as a window in another language does
    QTRY_COMPARE(table()->model()->rowCount(), rows - 1);
    QVERIFY(m_page->undoStack().canUndo());
    m_page->undoStack().undo();
    QTRY_COMPARE(table()->model()->rowCount(), rows);
}

void TestLibraryPage::escapeClearsTheFilter() {
    open();
    auto* filter = child<QLineEdit>(*m_page, "libraryFilter");
    filter->setText("seed:1");
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QTest::keyClick(filter, Qt::Key_Escape);
    QCOMPARE(filter->text(), QString());
    QTRY_VERIFY(table()->model()->rowCount() > 2);
}

void TestLibraryPage::filterSelectionAndColumnsGoToTheNextPage() {
    open();
    auto* filter = child<QLineEdit>(*m_page, "libraryFilter");
    filter->setText("seed:1");
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    table()->selectRow(1);
    table()->horizontalHeader()->resizeSection(0, 333);
    const QVariant state = m_page->state();
    auto next = std::make_unique<LibraryPage>(m_fixture->services());
    next->setState(state);
    next->show();
    next->activated();
    m_page.swap(next); // the old one goes after the new one stands
    next.reset();
    QTRY_COMPARE(table()->model()->rowCount(), 2);
    QTRY_COMPARE(table()->selectionModel()->selectedRows().size(), 1);
    QCOMPARE(table()->selectionModel()->selectedRows().front().row(), 1);
    QCOMPARE(table()->horizontalHeader()->sectionSize(0), 333);
    m_page.reset();
    show();
    QCOMPARE(table()->horizontalHeader()->sectionSize(0), 333); // not written over by the old one
}

/// With Ctrl and an arrow key the current row moves and the selection stays. Columns that are kept in sight are a view
/// of their own.
void TestLibraryPage::theFrameOfTheFormerRowIsPaintedOver() {
    open();
    auto* frozen = child<QTableView>(*m_page, "runTableFrozen");
    dynamic_cast<RunTable&>(*table()).setFrozen(2);
    QVERIFY(frozen->isVisible());
    table()->selectRow(1);
    table()->setFocus();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    for (QTableView* view : {table(), frozen})
        view->viewport()->repaint(); // what was to be painted before is
    QCoreApplication::processEvents();
    const Painted painted(*table()->viewport());
    const Painted paintedAbove(*frozen->viewport());
    QTest::keyClick(table(), Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(table()->currentIndex().row(), 2);
    for (const int row : {1, 2}) {
        const QRect whole(0, table()->rowViewportPosition(row), table()->viewport()->width(), table()->rowHeight(row));
        const QRect above(frozen->viewport()->mapTo(table(), QPoint()) - table()->viewport()->pos(),
                          frozen->viewport()->size());
        QTRY_VERIFY2((QRegion(whole) - above - painted.region()).isEmpty(), qPrintable(QString::number(row)));
        const QRect rowAbove(0, whole.top(), above.width(), whole.height());
        QTRY_VERIFY2((QRegion(rowAbove) - paintedAbove.region()).isEmpty(), qPrintable(QString::number(row)));
    }
}

void TestLibraryPage::anExportEndsOrIsCancelled() {
    open();
    RunExports exports(library(), m_page.get());
    QSignalSpy written(&exports, &RunExports::written);
    QSignalSpy cancelled(&exports, &RunExports::cancelled);
    QSignalSpy failed(&exports, &RunExports::failed);
    RunRecord run;
    run.id = m_runs.groupA.front();
    const QString file = m_fixture->path("run.csv");
    exports.write({run}, ExportKind::Csv, {file});
    QTRY_COMPARE(written.count(), 1);
    QVERIFY(QFile::exists(file));
    // One after the other: the second is cancelled while the first is busy.
    std::binary_semaphore goOn{0};
    std::ignore = library().start(
        this, [&](RunReader&, const std::stop_token&) -> Status { return goOn.acquire(), Status(); }, {});
    const QString never = m_fixture->path("never.json");
    exports.write({run}, ExportKind::Json, {never});
    exports.cancel();
    goOn.release();
    QTRY_COMPARE(cancelled.count(), 1);
    QVERIFY(!QFile::exists(never));
    exports.write({run}, ExportKind::WeightsLast, {m_fixture->path("weights")}); // there is no checkpoint
    QTRY_VERIFY(failed.count() >= 1);
}

void TestLibraryPage::runsAreExportedAndImported() {
    open();
    RunExports exports(library(), m_page.get());
    QSignalSpy written(&exports, &RunExports::written);
    RunRecord run;
    run.id = m_runs.groupA.front();
    const QString events = m_fixture->path("board/events.out.tfevents.1");
    exports.write({run}, ExportKind::EventsBySamples, {events});
    QTRY_COMPARE(written.count(), 1);
    QVERIFY(QFile::exists(events));
    // Another library, so that the run is new.
    QVERIFY(library().open(m_fixture->path("other.sqlite").toStdString()));
    QTRY_COMPARE(table()->model()->rowCount(), 0);
    auto* imports = m_page->findChild<RunImports*>();
    QSignalSpy imported(imports, &RunImports::imported);
    imports->read({events});
    QTRY_COMPARE(imported.count(), 1);
    QTRY_COMPARE(table()->model()->rowCount(), 1);
    QTRY_COMPARE(table()->selectionModel()->selectedRows().size(), 1); // what came is selected
    auto* notice = child<NoticeBar>(*m_page, "libraryImport");
    QVERIFY(notice->isVisible());
    QCOMPARE(notice->accessibleName(), QStringLiteral("1 run imported."));
    takePicture(*m_page, "library-imported");
    imports->read({events});
    QTRY_VERIFY(notice->accessibleName().contains("in the library already"));
    QCOMPARE(table()->model()->rowCount(), 1);
    imports->read({m_fixture->path("nothing.csv")});
    QTRY_VERIFY(notice->accessibleName().contains("nothing.csv"));
    // It can be cancelled as long as nothing of it is written.
    const auto before = imported.count();
    imports->read({QString::fromStdString(m_fixture->file().string())});
    QTest::mouseClick(notice->findChild<QPushButton*>(), Qt::LeftButton);
    QTRY_VERIFY(!notice->isVisible());
    QCOMPARE(table()->model()->rowCount(), 1);
    QCOMPARE(imported.count(), before);
    imports->read({m_fixture->path("nothing.csv")});
    QTRY_VERIFY(notice->accessibleName().contains("nothing.csv"));
    takePicture(*m_page, "library-import-failed");
}

void TestLibraryPage::filesDroppedOnThePageAreImported() {
    open();
    const int rows = table()->model()->rowCount();
    const auto other = m_fixture->path("other.sqlite");
    SyntheticStudy study;
    study.seedsA = study.seedsB = {0};
    study.finalA = study.finalB = {0.9};
    study.windows = 20;
    QVERIFY(addSyntheticStudy(other.toStdString(), study));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(other)});
    QDragEnterEvent entered(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(m_page.get(), &entered);
    QVERIFY(entered.isAccepted());
    QVERIFY(child<QWidget>(*m_page, "dropFrame")->isVisible());
    takePicture(*m_page, "library-drop");
    QDropEvent dropped(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(m_page.get(), &dropped);
    QVERIFY(!child<QWidget>(*m_page, "dropFrame")->isVisible());
    QTRY_COMPARE(table()->model()->rowCount(), rows + 2);
    // What an event file of another program leaves open is asked for.
    EventFileWriter writer(1000.0);
    const std::vector<EventScalar> values{{"loss", 0.5F}};
    writer.addScalars(1000.0, 1, values);
    const QString events = m_fixture->path("run.tfevents");
    QVERIFY(writeFileAtomically(events.toStdString(), writer.bytes()));
    m_page->findChild<RunImports*>()->read({events});
    QTRY_VERIFY(m_page->findChild<EventStepsDialog*>());
    auto* dialog = m_page->findChild<EventStepsDialog*>();
    child<QSpinBox>(*dialog, "eventStepsEffective")->setValue(64);
    takePicture(*dialog, "library-event-steps");
    QTest::mouseClick(child<QPushButton>(*dialog, "eventStepsImport"), Qt::LeftButton);
    QTRY_COMPARE(table()->model()->rowCount(), rows + 3);
}

QTEST_MAIN(TestLibraryPage)
} // namespace test_library_page
#include "test_library_page.moc"
