// SPDX-License-Identifier: GPL-3.0-or-later
// What is typed for many runs and not applied yet lives on when the window is built anew, for another language or text
// size.
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/library/run_table.h"

#include <QAbstractItemModel>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>

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
        QVERIFY(child<QLabel>(*m_page, "runsEditorKept")->isVisible()); // of the first runs
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

    void nothingTypedIsNothingHandedOver() {
        select(m_runs.groupA);
        QVERIFY(!m_page->hasUnsaved());
        replacePage();
        QTRY_COMPARE(table()->selectedRuns().size(), static_cast<qsizetype>(m_runs.groupA.size()));
        QVERIFY(!m_page->hasUnsaved());
        QVERIFY(!child<QLabel>(*m_page, "runsEditorKept")->isVisible());
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
#include "test_runs_drafts.moc"
