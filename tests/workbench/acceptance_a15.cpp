// SPDX-License-Identifier: GPL-3.0-or-later
// Runs grouped by configuration: the groups' means and deviations are SQL's, a pinned baseline stays on top and the
// others are measured against it, and all of it is there again after a restart.
#include "tests/support/synthetic_library.h"
#include "tests/widgets/screenshot.h"
#include "tests/workbench/library_in_window.h"
#include "widgets/pages/library/run_table.h"

#include <QComboBox>
#include <QRegularExpression>
#include <cmath>

namespace acceptance_a15 {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

/// A group as SQL sees it.
struct SqlGroup {
    QSet<QString> runs;
    int n = 0;
    double mean = 0.0, sd = 0.0; ///< of the final accuracy
    double loss = 0.0;           ///< mean of the lowest loss
};

std::vector<SqlGroup> groupsInSql(const std::filesystem::path& library) {
    SQLite::Database database(library.string(), SQLite::OPEN_READONLY, sqlPatience);
    SQLite::Statement query(database, "SELECT group_concat(id, '|'), count(test_accuracy), avg(test_accuracy), "
                                      "sum(test_accuracy * test_accuracy), avg(lowest_loss) FROM runs "
                                      "WHERE trashed_at IS NULL AND state = 'completed' GROUP BY arm, config");
    std::vector<SqlGroup> groups;
    while (query.executeStep()) {
        SqlGroup group;
        for (const QString& run : QString::fromStdString(query.getColumn(0).getString()).split('|'))
            group.runs.insert(run);
        group.n = query.getColumn(1).getInt();
        group.mean = query.getColumn(2).getDouble();
        group.sd = std::sqrt((query.getColumn(3).getDouble() - group.n * group.mean * group.mean) / (group.n - 1));
        group.loss = query.getColumn(4).getDouble();
        groups.push_back(group);
    }
    return groups;
}

} // namespace

class AcceptanceA15 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        // Three learning rates, two arms each, five seeds: 6 groups of 5, whose means go apart.
        double shift = 0.0;
        for (const double rate : {0.05, 0.1, 0.2}) {
            SyntheticStudy study;
            study.name = "rate-" + std::to_string(static_cast<int>(100 * rate));
            study.seedsA = study.seedsB = firstSeeds(5);
            study.finalA = {0.9712 - shift, 0.9745 - shift, 0.9698 - shift, 0.9730 - shift, 0.9721 - shift};
            study.finalB = {0.9702 - shift, 0.9755 - shift, 0.9691 - shift, 0.9738 - shift, 0.9729 - shift};
            study.learningRate = rate;
            study.windows = 60;
            study.createdAt = 1'790'000'000.0 + 1000.0 * rate;
            shift += 0.011;
            QVERIFY(addSyntheticStudy(m_fixture.library(), study));
        }
        showLibrary(m_fixture, 30);
        auto* grouping = m_fixture.find<QComboBox>("libraryGrouping");
        grouping->setFocus();
        QTest::keyClick(grouping, Qt::Key_Down); // by configuration
        QTRY_COMPARE_WITH_TIMEOUT(model().rowCount(), 6, patience);
    }

    void parentRowsAreTheMeansOfSql();
    void childrenAreTheSeeds();
    void theBaselineStaysOnTopAndOthersAreMeasured();
    void theBaselineCanBeUndone();
    void theViewSurvivesARestart();

private:
    [[nodiscard]] RunListModel& model() { return runList(m_fixture); }
    [[nodiscard]] RunTable* table() { return m_fixture.window().findChild<RunTable*>(); }
    [[nodiscard]] QString cell(int row, RunColumn column, int role = Qt::DisplayRole) {
        return model().index(row, static_cast<int>(column)).data(role).toString();
    }
    [[nodiscard]] SqlGroup inSql(int row) {
        const QStringList ids = model().runsOf(row);
        const QSet<QString> runs(ids.begin(), ids.end());
        for (const SqlGroup& group : groupsInSql(m_fixture.library()))
            if (group.runs == runs)
                return group;
        return {};
    }
    /// For looking at, where a folder for them is named.
    void takePictures() {
        clickHeader(m_fixture, RunColumn::FinalMetric);
        table()->horizontalScrollBar()->setValue(0);
        model().setExpanded(1, true);
        clickRows(m_fixture, {2});
        for (const auto& [mode, name] : {std::pair(ThemeMode::Dark, "dark"), std::pair(ThemeMode::Light, "light")}) {
            m_fixture.workbench().theme().setMode(mode);
            for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
                m_fixture.window().resize(size);
                QTest::qWait(50);
                saveScreenshot(m_fixture.window(), QStringLiteral("library-%1-%2").arg(name).arg(size.width()));
                table()->horizontalScrollBar()->setValue(1200);
                table()->setFrozen(2);
                saveScreenshot(m_fixture.window(), QStringLiteral("library-%1-%2-frozen").arg(name).arg(size.width()));
                table()->setFrozen(0);
                table()->horizontalScrollBar()->setValue(0);
            }
        }
        model().setExpanded(1, false);
        clickRows(m_fixture, {1, 2});
        saveScreenshot(m_fixture.window(), QStringLiteral("library-several"));
    }
    /// The fourth of the groups, the worst first: a large-batch one.
    void pinBaseline() {
        if (model().hasBaselineRow())
            return;
        clickHeader(m_fixture, RunColumn::FinalMetric);
        m_baseline = cell(3, RunColumn::Name, RunListModel::GroupRole);
        clickRows(m_fixture, {3});
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_P);
        QTRY_VERIFY_WITH_TIMEOUT(model().hasBaselineRow(), patience);
    }
    void isBaseline(int row, const QString& key) {
        QVERIFY(model().index(row, 0).data(RunListModel::BaselineRole).toBool());
        QCOMPARE(cell(row, RunColumn::Name, RunListModel::GroupRole), key);
    }

    WorkbenchFixture m_fixture;
    QString m_baseline; ///< key of the group
};

void AcceptanceA15::parentRowsAreTheMeansOfSql() {
    QCOMPARE(groupsInSql(m_fixture.library()).size(), std::size_t{6});
    static const QRegularExpression pattern(QStringLiteral("^([\\d.]+) ± ([\\d.]+).% \\((\\d+)\\)$"));
    for (int row = 0; row < 6; ++row) {
        const SqlGroup group = inSql(row);
        QCOMPARE(group.n, 5); // the same runs are one group in SQL
        const auto shown = pattern.match(cell(row, RunColumn::FinalMetric));
        QVERIFY2(shown.hasMatch(), qPrintable(cell(row, RunColumn::FinalMetric)));
        // Shown with two decimals of a per cent.
        QVERIFY(std::abs(shown.captured(1).toDouble() - 100.0 * group.mean) <= 0.005 + 1e-9);
        QVERIFY(std::abs(shown.captured(2).toDouble() - 100.0 * group.sd) <= 0.005 + 1e-9);
        QCOMPARE(shown.captured(3).toInt(), group.n);
        const QString name = cell(row, RunColumn::Name);
        QVERIFY2(saysPlural(name.section(QStringLiteral(" · "), 1), QStringLiteral("5 "), QStringLiteral("run")),
                 qPrintable(name));
        QCOMPARE(cell(row, RunColumn::Seed), QStringLiteral("0–4"));
    }
    const QString counted = m_fixture.find<QLabel>("libraryCount")->text();
    QVERIFY2(saysPlural(counted, QStringLiteral("30 runs in 6 "), QStringLiteral("group")), qPrintable(counted));
}

void AcceptanceA15::childrenAreTheSeeds() {
    clickRows(m_fixture, {2});
    table()->setFocus();
    QTest::keyClick(table(), Qt::Key_Right);
    QCOMPARE(model().rowCount(), 11);
    QStringList seeds;
    for (int row = 3; row < 8; ++row) {
        QVERIFY(model().index(row, 0).data(RunListModel::ChildRole).toBool());
        seeds << cell(row, RunColumn::Seed);
    }
    seeds.sort();
    QCOMPARE(seeds, QStringList({"0", "1", "2", "3", "4"}));
    QTest::keyClick(table(), Qt::Key_Down);
    QTest::keyClick(table(), Qt::Key_Left); // from a run to its group
    QCOMPARE(table()->currentIndex().row(), 2);
    QTest::keyClick(table(), Qt::Key_Left);
    QCOMPARE(model().rowCount(), 6);
    QTest::keyClick(table(), Qt::Key_Asterisk);
    QCOMPARE(model().rowCount(), 36);
    QTest::keyClick(table(), Qt::Key_Slash);
    QCOMPARE(model().rowCount(), 6);
    // The mark before the name does the same.
    const QRect name = table()->visualRect(model().index(2, static_cast<int>(RunColumn::Name)));
    QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, QPoint(name.left() + 14, name.center().y()));
    QCOMPARE(model().rowCount(), 11);
    QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, QPoint(name.left() + 14, name.center().y()));
    QCOMPARE(model().rowCount(), 6);
}

void AcceptanceA15::theBaselineStaysOnTopAndOthersAreMeasured() {
    pinBaseline();
    QCOMPARE(askSql(m_fixture.library(), "SELECT count(*) FROM library_notes WHERE key = 'baseline'"), 1);
    isBaseline(0, m_baseline);
    const SqlGroup base = inSql(0);
    QCOMPARE(base.n, 5);
    QCOMPARE(model().rowCount(), 6);
    QCOMPARE(cell(0, RunColumn::FinalMetric, RunListModel::DifferenceRole), QString());

    int better = 0, worse = 0;
    for (int row = 1; row < 6; ++row) {
        const SqlGroup group = inSql(row);
        const double points = 100.0 * (group.mean - base.mean);
        const QString shown = cell(row, RunColumn::FinalMetric, RunListModel::DifferenceRole);
        QVERIFY2(shown.startsWith(points > 0 ? QStringLiteral("▲ +") : QStringLiteral("▼ −")), qPrintable(shown));
        QVERIFY2(std::abs(shown.mid(3).toDouble() - std::abs(points)) <= 0.005 + 1e-9, qPrintable(shown));
        const QString said = cell(row, RunColumn::FinalMetric, Qt::AccessibleTextRole);
        QVERIFY2(said.contains(points > 0 ? QStringLiteral("better") : QStringLiteral("worse")), qPrintable(said));
        (points > 0 ? better : worse) += 1;
        // Of a loss the lower is better.
        const double loss = group.loss - base.loss;
        QVERIFY(loss != 0.0);
        QCOMPARE(cell(row, RunColumn::LowestLoss, RunListModel::JudgementRole), QString::number(loss < 0 ? 1 : -1));
        QVERIFY(cell(row, RunColumn::LowestLoss, RunListModel::DifferenceRole).startsWith(loss > 0 ? "▲ +" : "▼ −"));
    }
    QVERIFY(better > 0 && worse > 0);

    for (std::size_t column = 0; column < runColumnCount; ++column) {
        if (table()->isColumnHidden(static_cast<int>(column)))
            continue;
        for (int click = 0; click < 2; ++click) {
            clickHeader(m_fixture, static_cast<RunColumn>(column));
            isBaseline(0, m_baseline);
        }
        QCOMPARE(model().sortKeys().front().column, static_cast<RunColumn>(column));
    }
    takePictures();

    // A filter that it does not match leaves it there, too, and hides the rest.
    const auto armOf = [this](int row) { return cell(row, RunColumn::Name, RunListModel::ArmRole).toInt(); };
    QCOMPARE(armOf(0), static_cast<int>(Arm::LargeBatch));
    m_fixture.find<QLineEdit>("libraryFilter")->setText(QStringLiteral("arm:accumulated"));
    QCOMPARE(model().rowCount(), 4);
    isBaseline(0, m_baseline);
    QVERIFY(!model().matches(0));
    for (int row = 1; row < 4; ++row)
        QCOMPARE(armOf(row), static_cast<int>(Arm::Accumulated));
    m_fixture.find<QLineEdit>("libraryFilter")->clear();
    isBaseline(0, m_baseline);
}

void AcceptanceA15::theBaselineCanBeUndone() {
    pinBaseline();
    QTest::keyClick(&m_fixture.window(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!model().hasBaselineRow(), patience);
    QCOMPARE(askSql(m_fixture.library(), "SELECT count(*) FROM library_notes"), 0);
    QTest::keyClick(&m_fixture.window(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(model().hasBaselineRow(), patience);
    isBaseline(0, m_baseline);
}

void AcceptanceA15::theViewSurvivesARestart() {
    pinBaseline();
    clickHeader(m_fixture, RunColumn::Arm);
    clickHeader(m_fixture, RunColumn::FinalMetric, Qt::ShiftModifier);
    clickHeader(m_fixture, RunColumn::FinalMetric, Qt::ShiftModifier); // the best first
    const auto keys = model().sortKeys();
    QCOMPARE(keys, (std::vector<SortKey>{{RunColumn::Arm, Qt::AscendingOrder},
                                         {RunColumn::FinalMetric, Qt::DescendingOrder}}));
    table()->setColumnHidden(static_cast<int>(RunColumn::Precision), true);
    table()->horizontalHeader()->moveSection(
        table()->horizontalHeader()->visualIndex(static_cast<int>(RunColumn::Tags)), 2);
    table()->setColumnWidth(static_cast<int>(RunColumn::Name), 311);
    table()->setFrozen(2);
    QStringList names;
    for (int row = 0; row < 6; ++row)
        names << cell(row, RunColumn::Name);
    const auto columns = table()->shownColumns();
    const int metricWidth = table()->columnWidth(static_cast<int>(RunColumn::FinalMetric));

    m_fixture.reopen();
    showLibrary(m_fixture, 6);
    QTRY_VERIFY_WITH_TIMEOUT(model().hasBaselineRow(), patience);
    isBaseline(0, m_baseline);
    QCOMPARE(model().grouping(), RunGrouping::Configuration);
    QCOMPARE(model().sortKeys(), keys);
    for (int row = 0; row < 6; ++row)
        QCOMPARE(cell(row, RunColumn::Name), names[row]);
    QCOMPARE(table()->shownColumns(), columns);
    QVERIFY(table()->isColumnHidden(static_cast<int>(RunColumn::Precision)));
    QCOMPARE(table()->columnWidth(static_cast<int>(RunColumn::Name)), 311);
    QCOMPARE(table()->columnWidth(static_cast<int>(RunColumn::FinalMetric)), metricWidth); // no wider once more
    // Scrolled to the end, the first two columns are still there.
    auto* frozen = m_fixture.find<QTableView>("runTableFrozen");
    table()->horizontalScrollBar()->setValue(table()->horizontalScrollBar()->maximum());
    QVERIFY(frozen->isVisible());
    QVERIFY(!frozen->isColumnHidden(static_cast<int>(RunColumn::Name)));
    QVERIFY(frozen->isColumnHidden(static_cast<int>(RunColumn::Seed)));
    QCOMPARE(frozen->columnViewportPosition(static_cast<int>(RunColumn::Name)), 0);
}

QTEST_MAIN(AcceptanceA15)
} // namespace acceptance_a15
#include "acceptance_a15.moc"
