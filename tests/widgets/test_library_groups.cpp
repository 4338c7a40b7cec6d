// SPDX-License-Identifier: GPL-3.0-or-later
// Runs by studies, as a new profile has them: what is chosen elsewhere is found there, and a person's choice stays.
#include "core/base/clock.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/library/run_table.h"

#include <QAction>
#include <QComboBox>
#include <QSignalSpy>

namespace test_library_groups {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestLibraryGroups : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_fixture = std::make_unique<PageFixture>();
        QSettings().clear(); // a new profile
        m_runs = m_fixture->add(studyOf(equivalentCase()));
        QVERIFY(m_fixture->open());
        showPage();
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void aNewProfileShowsStudies() {
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        auto* grouping = child<QComboBox>(*m_page, "libraryGrouping");
        QCOMPARE(grouping->currentData().toInt(), static_cast<int>(RunGrouping::Study));
        grouping->setCurrentIndex(grouping->findData(static_cast<int>(RunGrouping::None)));
        QCOMPARE(table()->model()->rowCount(), 10);
        showPage(); // the next session
        QTRY_COMPARE(table()->model()->rowCount(), 10);
        m_page->resetLayout();
        QCOMPARE(table()->model()->rowCount(), 1);
    }

    void columnsOfValidationSamplesWaitInTheMenu() {
        for (const RunColumn column : {RunColumn::Validation, RunColumn::BestValidation, RunColumn::ValidationLoss}) {
            QVERIFY(table()->isColumnHidden(static_cast<int>(column)));
            table()->showColumn(static_cast<int>(column));
            QVERIFY(table()->shownColumns().contains(column));
        }
        QVERIFY(!table()->isColumnHidden(static_cast<int>(RunColumn::LowestLoss)));
        m_page->resetLayout();
        QVERIFY(table()->isColumnHidden(static_cast<int>(RunColumn::Validation)));
    }

    void aRunThatIsAskedForIsShown() {
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        const QString run = QString::fromStdString(m_runs.groupB[2]);
        m_page->selectRuns({run});
        QCOMPARE(table()->model()->rowCount(), 11);
        QCOMPARE(table()->selectedRuns(), QStringList(run));
        // Its curves: the run before the others of its study; of the study's row, none.
        QSignalSpy asked(m_page.get(), &LibraryPage::showCurvesRequested);
        auto* curves = child<QAction>(*m_page, "libraryCurves");
        QTRY_VERIFY(curves->isEnabled());
        curves->trigger();
        QCOMPARE(asked.takeFirst().at(1).toStringList(), QStringList(run));
        table()->selectRow(0);
        curves->trigger();
        QCOMPARE(asked.takeFirst().at(1).toStringList(), QStringList());
    }

    /// As on Home; it follows its runs.
    void aStudysRowHasItsVerdict() {
        const auto verdictOf = [this](int row) {
            return table()->model()->index(row, static_cast<int>(RunColumn::Verdict)).data().toString();
        };
        QTRY_COMPARE(verdictOf(0), QStringLiteral("Equivalent"));
        QVERIFY(table()->shownColumns().contains(RunColumn::Verdict));
        SyntheticStudy unfinished = studyOf(differentCase());
        unfinished.createdAt += 1000.0;
        unfinished.learningRate = 0.1; // other configurations
        unfinished.lastState = RunState::Queued;
        m_fixture->add(unfinished);
        QTRY_COMPARE(table()->model()->rowCount(), 2);
        QCOMPARE(verdictOf(0), QString()); // it is not over
        QCOMPARE(verdictOf(1), QStringLiteral("Equivalent"));
        auto* grouping = child<QComboBox>(*m_page, "libraryGrouping");
        grouping->setCurrentIndex(grouping->findData(static_cast<int>(RunGrouping::Configuration)));
        QCOMPARE(verdictOf(2), QStringLiteral("Equivalent"));
        QCOMPARE(verdictOf(3), QStringLiteral("Equivalent"));
        // Two pairs are left.
        RunStore store(Library::open(m_fixture->file(), Library::Mode::Write).value());
        QVERIFY(store.moveToTrash(std::vector(m_runs.groupB.begin(), m_runs.groupB.begin() + 3), unixTime()));
        QTRY_COMPARE(verdictOf(3), QStringLiteral("Not enough seeds"));
        QCOMPARE(verdictOf(2), QStringLiteral("Not enough seeds"));
        takePicture(*m_page, QStringLiteral("library-verdicts"));
    }

    /// Keys go on from where the run was, and not from the row of its study.
    void afterADeletionTheNeighbourIsNext() {
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        m_page->selectRuns({QString::fromStdString(m_runs.groupA[2])});
        QTRY_COMPARE(table()->selectedRuns().size(), 1);
        const int row = table()->currentIndex().row();
        const int rows = table()->model()->rowCount();
        const QString next = table()->model()->index(row + 1, 0).data(RunListModel::IdRole).toString();
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_Delete);
        QTRY_COMPARE(table()->model()->rowCount(), rows - 1);
        QTRY_COMPARE(table()->currentIndex().data(RunListModel::IdRole).toString(), next);
        QVERIFY(table()->selectedRuns().isEmpty());
        QTest::keyClick(table(), Qt::Key_Down);
        QCOMPARE(table()->selectedRuns().size(), 1);
    }

    void whatIsOpenStaysOpen() {
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        table()->setCurrentIndex(table()->model()->index(0, 0));
        QTest::keyClick(table(), Qt::Key_Right);
        QCOMPARE(table()->model()->rowCount(), 11);
        const QVariant state = m_page->state();
        m_page.reset();
        QSettings().clear();
        showPage(); // of a window in another language
        QTRY_COMPARE(table()->model()->rowCount(), 1);
        m_page->setState(state);
        QTRY_COMPARE(table()->model()->rowCount(), 11);
        showPage(); // the next session
        QTRY_COMPARE(table()->model()->rowCount(), 11);
        table()->setCurrentIndex(table()->model()->index(0, 0));
        QTest::keyClick(table(), Qt::Key_Left);
        QCOMPARE(table()->model()->rowCount(), 1);
        showPage();
        QTRY_COMPARE(table()->model()->rowCount(), 1);
    }

private:
    void showPage() {
        m_page.reset();
        m_page = std::make_unique<LibraryPage>(m_fixture->services());
        m_page->resize(1280, 760);
        m_page->show();
        m_page->activated();
    }
    [[nodiscard]] RunTable* table() { return m_page->findChild<RunTable*>(); }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<LibraryPage> m_page;
    SyntheticRuns m_runs;
};

QTEST_MAIN(TestLibraryGroups)
} // namespace test_library_groups
#include "test_library_groups.moc"
