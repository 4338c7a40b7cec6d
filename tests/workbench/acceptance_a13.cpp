// SPDX-License-Identifier: GPL-3.0-or-later
// Ten thousand runs: the Library opens them, filters them by a typed query to what SQL counts, and keeps its rows where
// the query is wrong. Times are printed beside their budgets, not asserted: tests are not optimised, bench_library is.
#include "tests/support/many_runs.h"
#include "tests/workbench/library_in_window.h"
#include "widgets/pages/library/filter_line.h"
#include "widgets/pages/library/run_table.h"
#include "widgets/style/format.h"

#include <QClipboard>
#include <QComboBox>

namespace acceptance_a13 {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

constexpr int runCount = 10'000;
/// What the query finds, as SQL counts it.
constexpr auto matchingRuns = "SELECT count(*) FROM runs WHERE trashed_at IS NULL AND effective_batch >= 256 "
                              "AND number IN (SELECT run FROM tags WHERE tag = 'paper') "
                              "AND number NOT IN (SELECT run FROM tags WHERE tag = 'tmp')";

void print(const char* what, qint64 milliseconds, int budget) {
    qInfo("A13: %s took %lld ms (budget %d ms)", what, static_cast<long long>(milliseconds), budget);
}

} // namespace

class AcceptanceA13 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        auto store = storeOf(m_fixture);
        QVERIFY(addManyRuns(store, runCount));
    }
    void opensTenThousandRuns();
    void aTypedQueryCountsAsSqlDoes();
    void aWrongQueryKeepsTheRows();
    void groupsAreMadeOfRowsOnly();

private:
    [[nodiscard]] int rowCount() { return runList(m_fixture).rowCount(); }
    [[nodiscard]] QLineEdit* filter() { return m_fixture.find<QLineEdit>("libraryFilter"); }

    WorkbenchFixture m_fixture;
};

void AcceptanceA13::opensTenThousandRuns() {
    m_fixture.reopen();
    QElapsedTimer watch;
    watch.start();
    showLibrary(m_fixture, runCount);
    m_fixture.find<QTableView>("runTable")->grab(); // painted
    print("opening", watch.elapsed(), 1000);
    QCOMPARE(askSql(m_fixture.library(), "SELECT count(*) FROM runs WHERE trashed_at IS NULL"), rowCount());
    QCOMPARE(m_fixture.find<QLabel>("libraryCount")->text(), QStringLiteral("10000 runs"));
    auto* table = m_fixture.find<QTableView>("runTable");
    qint64 slowest = 0;
    for (int place = 0; place <= 100; ++place) {
        watch.restart();
        table->verticalScrollBar()->setValue(table->verticalScrollBar()->maximum() * place / 100);
        table->viewport()->repaint();
        slowest = std::max(slowest, watch.elapsed());
    }
    print("the slowest of 100 scrolled screens", slowest, 100);
}

void AcceptanceA13::aTypedQueryCountsAsSqlDoes() {
    filter()->setFocus();
    const QString query = QStringLiteral("B>=256 tag:paper NOT tag:tmp");
    qint64 slowest = 0;
    QElapsedTimer watch;
    for (const QChar key : query) {
        watch.restart();
        QTest::keyClick(filter(), key.toLatin1());
        slowest = std::max(slowest, watch.elapsed());
    }
    QCOMPARE(filter()->text(), query);
    print("the slowest key of the query", slowest, 150);
    const int expected = askSql(m_fixture.library(), matchingRuns);
    QVERIFY(expected > 100);
    QCOMPARE(rowCount(), expected);
    QCOMPARE(m_fixture.find<QLabel>("libraryCount")->text(),
             QStringLiteral("%1 of %2 runs").arg(format::count(expected), format::count(runCount)));
}

void AcceptanceA13::aWrongQueryKeepsTheRows() {
    const int before = rowCount();
    const QString first = runList(m_fixture).index(0, 0).data(RunListModel::IdRole).toString();
    auto* edit = static_cast<QueryEdit*>(filter());
    const QColor bad = m_fixture.workbench().theme().colors().bad;
    const auto redOnTheFrame = [&] {
        const QImage picture = edit->grab().toImage();
        int red = 0;
        for (int x = picture.width() / 4; x < picture.width() / 2; ++x)
            red += picture.pixelColor(x, 1) == bad || picture.pixelColor(x, 0) == bad ? 1 : 0;
        return red;
    };
    QCOMPARE(redOnTheFrame(), 0);
    filter()->setFocus();
    filter()->end(false);
    const int wrongAt = static_cast<int>(filter()->text().size()) + 1 + 3; // behind " lr<"
    QGuiApplication::clipboard()->setText(QStringLiteral(" lr<many"));     // typed, " lr" alone would be a right one
    QTest::keyClick(edit, Qt::Key_V, Qt::ControlModifier);
    QVERIFY(edit->error().has_value());
    QCOMPARE(edit->error()->position, wrongAt);
    QVERIFY(redOnTheFrame() > edit->width() / 8);
    auto* message = m_fixture.find<QLabel>("libraryFilterError");
    QVERIFY(message->isVisible());
    QVERIFY2(message->text().contains(QStringLiteral("At character %1:").arg(wrongAt + 1)),
             qPrintable(message->text()));
    QCOMPARE(rowCount(), before);
    QCOMPARE(runList(m_fixture).index(0, 0).data(RunListModel::IdRole).toString(), first);
    filter()->clear();
    QVERIFY(!edit->error().has_value());
    QVERIFY(!message->isVisible());
    QCOMPARE(redOnTheFrame(), 0);
    QCOMPARE(rowCount(), runCount);
}

/// Without the tables that hold points, all is the same: a listing never looks at them.
void AcceptanceA13::groupsAreMadeOfRowsOnly() {
    m_fixture.quit();
    {
        SQLite::Database database(m_fixture.library().string(), SQLite::OPEN_READWRITE, sqlPatience);
        database.exec("DROP VIEW run_windows; DROP TABLE windows; DROP TABLE rank_windows; DROP TABLE micro_steps; "
                      "DROP TABLE evaluations");
    }
    m_fixture.reopen();
    showLibrary(m_fixture, runCount);
    auto* grouping = m_fixture.find<QComboBox>("libraryGrouping");
    QElapsedTimer watch;
    watch.start();
    grouping->setCurrentIndex(grouping->findData(static_cast<int>(RunGrouping::Configuration)));
    m_fixture.find<QTableView>("runTable")->grab();
    print("grouping by configuration", watch.elapsed(), 150);
    QCOMPARE(askSql(m_fixture.library(), "SELECT count(*) FROM (SELECT 1 FROM runs GROUP BY arm, config)"), rowCount());
    const QString counted = m_fixture.find<QLabel>("libraryCount")->text();
    QVERIFY2(saysPlural(counted, QStringLiteral("10000 runs in 2000 "), QStringLiteral("group")), qPrintable(counted));
    watch.restart();
    runList(m_fixture).setAllExpanded(true);
    m_fixture.find<QTableView>("runTable")->grab();
    print("opening 2 000 groups", watch.elapsed(), 150);
    QCOMPARE(rowCount(), runCount + 2000);
    watch.restart();
    filter()->setText(QStringLiteral("B>=256 tag:paper NOT tag:tmp"));
    print("filtering open groups", watch.elapsed(), 150);
    m_fixture.find<QTableView>("runTable")->selectAll();
    QCOMPARE(m_fixture.window().findChild<RunTable*>()->selectedRuns().size(),
             askSql(m_fixture.library(), matchingRuns));
    QCOMPARE(m_fixture.find<QLabel>("libraryFilterError")->isVisible(), false);
}

QTEST_MAIN(AcceptanceA13)
} // namespace acceptance_a13
#include "acceptance_a13.moc"
