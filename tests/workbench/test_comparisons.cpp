// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons in the real window: what was compared last comes back after a restart, undo from the menu, one word.
#include "tests/support/report_saving.h"
#include "tests/support/synthetic_library.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/compare/compare_page.h"
#include "widgets/pages/reports/reports_page.h"

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>

namespace test_comparisons {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestComparisons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLastComparisonComesBackAfterARestart() {
        WorkbenchFixture fixture;
        const SyntheticRuns runs = add(fixture, studyOf(differentCase()));
        compare(fixture, runs);
        fixture.reopen();
        QVERIFY(word(fixture).isEmpty()); // nothing is read before the page is shown
        fixture.window().showPage(QStringLiteral("compare"));
        QTRY_COMPARE(word(fixture), QStringLiteral("Different"));
    }

    void moreSeedsArePooledAfterARestart() {
        WorkbenchFixture fixture;
        const SyntheticRuns first = add(fixture, studyOf(equivalentCase()));
        SyntheticStudy more = studyOf(equivalentCase());
        more.name = "equal, more seeds";
        more.seedsA = more.seedsB = {5, 6, 7};
        more.finalA = {0.981, 0.982, 0.983};
        more.finalB = {0.981, 0.982, 0.983};
        more.createdAt += 86'400.0;
        const SyntheticRuns second = add(fixture, more);
        fixture.reopen();
        compare(fixture, second);
        QTRY_COMPARE(fixture.find<QTableView>("compare.seedTable")->model()->rowCount(), 9); // eight pairs and the mean
    }

    void theMenuUndoesADeletedComparison() {
        WorkbenchFixture fixture;
        compare(fixture, add(fixture, studyOf(equivalentCase())));
        fixture.click("compare.save");
        auto* table = fixture.find<QTableView>("compare.savedTable");
        QTRY_COMPARE(table->model()->rowCount(), 1);
        QTRY_VERIFY(table->findChild<QLineEdit*>() != nullptr);
        QTest::keyClick(table->findChild<QLineEdit*>(), Qt::Key_Escape);
        table->selectRow(0);
        fixture.click("compare.savedDelete");
        QTRY_COMPARE(table->model()->rowCount(), 0);
        fixture.window().showPage(QStringLiteral("home")); // from any page
        auto* undo = fixture.find<QAction>("actionUndo");
        QTRY_VERIFY(undo->isEnabled());
        QCOMPARE(undo->text(), QStringLiteral("&Undo: Delete a comparison"));
        undo->trigger();
        fixture.window().showPage(QStringLiteral("compare"));
        QTRY_COMPARE(table->model()->rowCount(), 1);
    }

    void theReportIsOfWhatIsShown() {
        WorkbenchFixture fixture;
        compare(fixture, add(fixture, studyOf(equivalentCase())));
        fixture.find<QAction>("compare.together.test_loss")->trigger();
        QTRY_VERIFY(fixture.find<QLabel>("compare.verdictSentence")->text().contains(QStringLiteral("Holm")));
        fixture.click("compare.report");
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("reports"));
        auto* page = fixture.window().findChild<ReportsPage*>();
        const QString file = fixture.file(QStringLiteral("report.md"));
        QTRY_VERIFY(savedBy(*page, file).has_value());
        QFile report(file);
        QVERIFY(report.open(QIODevice::ReadOnly));
        const QByteArray text = report.readAll();
        QVERIFY2(text.contains("2 metrics are judged together") && text.contains("corrected by Holm's method"),
                 text.left(4000));
    }

private:
    static SyntheticRuns add(const WorkbenchFixture& fixture, const SyntheticStudy& study) {
        return addSyntheticStudy(fixture.library(), study).value();
    }
    static QString word(WorkbenchFixture& fixture) { return fixture.find<QLabel>("compare.verdictWord")->text(); }
    static void compare(WorkbenchFixture& fixture, const SyntheticRuns& runs) {
        fixture.window().showPage(QStringLiteral("compare"));
        fixture.window().findChild<ComparePage*>()->compareStudy(QString::fromStdString(runs.study));
        QTRY_VERIFY(!word(fixture).isEmpty());
        QTRY_VERIFY(fixture.find<QPushButton>("compare.save")->isEnabled());
    }
};

QTEST_MAIN(TestComparisons)
} // namespace test_comparisons
#include "test_comparisons.moc"
