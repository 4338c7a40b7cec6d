// SPDX-License-Identifier: GPL-3.0-or-later
// What is typed for many runs and not applied yet lives on when the window is built anew, for another language or text
// size.
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/library/run_table.h"
#include "widgets/style/controls.h"

#include <QAbstractButton>
#include <QAbstractItemModel>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <SQLiteCpp/SQLiteCpp.h>

namespace test_runs_drafts {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestRunsDrafts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_fixture = std::make_unique<PageFixture>();
        m_runs = m_fixture->add(studyOf(equivalentCase()));
        QVERIFY(m_fixture->open());
        m_page = newPage();
        QTRY_COMPARE(table()->model()->rowCount(), 10);
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void draftsOfManyRunsAreHandedOver() {
        select(m_runs.groupA);
        tags()->setText(QStringLiteral("paper"));
        notes()->setFocus();
        QTest::keyClicks(notes(), QStringLiteral("as typed"));
        select(m_runs.groupB);
        tags()->setText(QStringLiteral("other")); // and no notes
        QVERIFY(m_page->hasUnsaved());

        replacePage();
        QTRY_COMPARE(table()->selectedRuns().size(), static_cast<qsizetype>(m_runs.groupB.size()));
        QTRY_COMPARE(tags()->text(), QStringLiteral("other"));
        QVERIFY(notes()->toPlainText().isEmpty() && !notes()->document()->isModified());
        QVERIFY(child<QPushButton>(*m_page, "runsEditorApply")->isEnabled());
        QVERIFY(child<NoticeBar>(*m_page, "libraryDrafts")->isVisible()); // of the first runs
        QVERIFY(m_page->hasUnsaved());

        replacePage(); // once more, without a look at the first ones
        QTRY_COMPARE(tags()->text(), QStringLiteral("other"));
        select(m_runs.groupA);
        QCOMPARE(tags()->text(), QStringLiteral("paper"));
        QCOMPARE(notes()->toPlainText(), QStringLiteral("as typed"));
        QTest::mouseClick(child<QPushButton>(*m_page, "runsEditorApply"), Qt::LeftButton);
        QTRY_COMPARE(written("paper", "as typed"), std::ptrdiff_t{5});
        QCOMPARE(written("other", ""), std::ptrdiff_t{0});
    }

    /// Also while a single run is selected, or none: what waits is found again, or given up.
    void whatWaitsIsShownOrDiscarded() {
        auto* bar = child<NoticeBar>(*m_page, "libraryDrafts");
        select({m_runs.groupA[0], m_runs.groupA[1]});
        tags()->setText(QStringLiteral("paper"));
        QVERIFY(!bar->isVisible()); // it is in front of the person
        select({m_runs.groupA[2]});
        QVERIFY(bar->isVisible() && m_page->hasUnsaved());
        QVERIFY2(bar->accessibleName().contains(QStringLiteral("2 run")), qPrintable(bar->accessibleName()));
        bar->findChild<QPushButton*>(QStringLiteral("noticeAction"))->click();
        QTRY_COMPARE(tags()->text(), QStringLiteral("paper"));
        QCOMPARE(table()->selectedRuns().size(), 2);
        QVERIFY(!bar->isVisible());
        select({m_runs.groupA[2], m_runs.groupA[3]});
        QVERIFY(bar->isVisible());
        child<QPushButton>(*m_page, "libraryDraftsDiscard")->click();
        QVERIFY(!bar->isVisible() && !m_page->hasUnsaved());
        select({m_runs.groupA[0], m_runs.groupA[1]});
        QVERIFY(tags()->text().isEmpty());
    }

    /// Behind a filter, and in the Trash, too.
    void whatIsHiddenIsShown() {
        select({m_runs.groupA[0], m_runs.groupA[1]});
        tags()->setText(QStringLiteral("paper"));
        select({m_runs.groupA[2]});
        m_page->setFilter(QStringLiteral("arm:large"));
        child<QAbstractButton>(*m_page, "libraryTrashView")->click();
        auto* bar = child<NoticeBar>(*m_page, "libraryDrafts");
        bar->findChild<QPushButton*>(QStringLiteral("noticeAction"))->click();
        QTRY_COMPARE(tags()->text(), QStringLiteral("paper"));
        QVERIFY(child<QWidget>(*m_page, "runsEditor")->isVisible());
    }

    void whatWasTypedForRunsThatAreGoneIsForgotten() {
        select({m_runs.groupA[0], m_runs.groupA[1]});
        tags()->setText(QStringLiteral("paper"));
        select({m_runs.groupA[2]});
        QVERIFY(m_page->hasUnsaved());
        m_fixture->services().session.edits.moveToTrash({QString::fromStdString(m_runs.groupA[0])});
        QTRY_VERIFY(!m_page->hasUnsaved());
        QVERIFY(!child<NoticeBar>(*m_page, "libraryDrafts")->isVisible());
    }

    /// The fields hold it again, or it waits for its runs.
    void whatCannotBeWrittenIsNotLost() {
        SQLite::Database other(m_fixture->file().string(), SQLite::OPEN_READWRITE, 5000);
        other.exec("CREATE TRIGGER refused BEFORE INSERT ON tags BEGIN SELECT RAISE(ABORT, 'refused'); END");
        auto* apply = child<QPushButton>(*m_page, "runsEditorApply");
        const QSignalSpy failed(&m_fixture->services().session.edits, &LibraryEdits::failed);
        select({m_runs.groupA[0], m_runs.groupA[1]});
        tags()->setText(QStringLiteral("paper"));
        QTest::mouseClick(apply, Qt::LeftButton);
        QVERIFY(!m_page->hasUnsaved());
        QTRY_COMPARE(failed.count(), 1);
        QTRY_VERIFY(m_page->hasUnsaved() && apply->isEnabled());
        QCOMPARE(tags()->text(), QStringLiteral("paper"));
        QTest::mouseClick(apply, Qt::LeftButton);
        select({m_runs.groupB[0], m_runs.groupB[1]});
        QTRY_COMPARE(failed.count(), 2);
        QTRY_VERIFY(child<NoticeBar>(*m_page, "libraryDrafts")->isVisible());
        other.exec("DROP TRIGGER refused");
        select({m_runs.groupA[0], m_runs.groupA[1]});
        QCOMPARE(tags()->text(), QStringLiteral("paper"));
        QTest::mouseClick(apply, Qt::LeftButton);
        QTRY_COMPARE(written("paper", ""), std::ptrdiff_t{2});
        QVERIFY(!m_page->hasUnsaved());
    }

    void tagsAreSeparatedAsPeopleWrite() {
        select({m_runs.groupA[0], m_runs.groupA[1]});
        tags()->setText(QStringLiteral("论文，第一次、x, y"));
        QTest::mouseClick(child<QPushButton>(*m_page, "runsEditorApply"), Qt::LeftButton);
        const auto tagged = [&](const std::vector<std::string>& wanted) {
            const auto all = RunReader(Library::open(m_fixture->file(), Library::Mode::Read).value()).runs().value();
            return std::ranges::count_if(all, [&](const RunRecord& run) { return run.tags == wanted; });
        };
        QTRY_COMPARE(tagged({"x", "y", "第一次", "论文"}), std::ptrdiff_t{2});
    }

    /// As another program may have written it.
    void aTagWithACommaIsNoEdit() {
        {
            RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
            for (const std::string& run : m_runs.groupA)
                QVERIFY(store.setTags(run, {"a，b"}));
        }
        m_page->activated();
        const auto* apply = child<QPushButton>(*m_page, "runsEditorApply");
        QTRY_VERIFY_WITH_TIMEOUT((select(m_runs.groupB), select(m_runs.groupA), tags()->text() == "a，b"), 10'000);
        QVERIFY(!apply->isEnabled() && !m_page->hasUnsaved());
    }

    void nothingTypedIsNothingHandedOver() {
        select(m_runs.groupA);
        QVERIFY(!m_page->hasUnsaved());
        replacePage();
        QTRY_COMPARE(table()->selectedRuns().size(), static_cast<qsizetype>(m_runs.groupA.size()));
        QVERIFY(!m_page->hasUnsaved());
        QVERIFY(!child<NoticeBar>(*m_page, "libraryDrafts")->isVisible());
    }

private:
    [[nodiscard]] std::unique_ptr<LibraryPage> newPage() {
        auto page = std::make_unique<LibraryPage>(m_fixture->services());
        page->resize(1280, 760);
        page->show();
        page->activated();
        return page;
    }
    /// As the application does it: the new page stands before the old one goes.
    void replacePage() {
        m_page->saveEdits();
        const QVariant kept = m_page->state();
        auto page = newPage();
        page->setState(kept);
        m_page = std::move(page);
    }
    [[nodiscard]] RunTable* table() { return m_page->findChild<RunTable*>(); }
    [[nodiscard]] QLineEdit* tags() { return child<QLineEdit>(*m_page, "runsEditorTags"); }
    [[nodiscard]] QPlainTextEdit* notes() { return child<QPlainTextEdit>(*m_page, "runsEditorNotes"); }
    void select(const std::vector<std::string>& runs) {
        m_page->selectRuns(qtList(runs));
        QCOMPARE(table()->selectedRuns().size(), static_cast<qsizetype>(runs.size()));
    }
    [[nodiscard]] std::ptrdiff_t written(const std::string& tag, const std::string& text) {
        const auto runs = RunReader(Library::open(m_fixture->file(), Library::Mode::Read).value()).runs().value();
        return std::ranges::count_if(
            runs, [&](const RunRecord& run) { return run.tags == std::vector<std::string>{tag} && run.notes == text; });
    }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<LibraryPage> m_page;
    SyntheticRuns m_runs;
};

QTEST_MAIN(TestRunsDrafts)
} // namespace test_runs_drafts
#include "test_runs_drafts.moc"
