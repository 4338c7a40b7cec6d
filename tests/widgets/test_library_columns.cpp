// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts of the library's table outlive columns that are added: those stand where they stand at first.
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/library/library_page.h"
#include "widgets/pages/library/run_table.h"

#include <QHeaderView>
#include <QMenu>
#include <QStandardItemModel>
#include <QTableView>

namespace test_library_columns {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

int sectionOf(RunColumn column) { return static_cast<int>(column); }

/// As a version with that many columns kept it: speed in front, no model, a wide name, and rows by seed, downwards.
QVariantMap earlierLayout(int columns) {
    QStandardItemModel model(0, columns);
    QTableView view;
    view.setModel(&model);
    QHeaderView* header = view.horizontalHeader();
    header->moveSection(header->visualIndex(sectionOf(RunColumn::SamplesPerSecond)), 0);
    header->moveSection(header->visualIndex(sectionOf(RunColumn::PeakMemory)), 5);
    header->resizeSection(sectionOf(RunColumn::Name), 311);
    header->setSectionHidden(sectionOf(RunColumn::Model), true);
    return {{QStringLiteral("header"), header->saveState()},
            {QStringLiteral("sort"), QStringLiteral("-%1").arg(sectionOf(RunColumn::Seed))},
            {QStringLiteral("frozen"), 0},
            {QStringLiteral("differences"), false}};
}

} // namespace

class TestLibraryColumns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_fixture = std::make_unique<PageFixture>();
        m_fixture->add(studyOf(equivalentCase()));
        QVERIFY(m_fixture->open());
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    /// Saved when there was no memory of evaluations yet, which is hidden at first, and no verdict.
    void anEarlierViewHasNewColumnsInTheirPlaces() {
        const QVariantMap view{{QStringLiteral("version"), 1},
                               {QStringLiteral("filter"), QString()},
                               {QStringLiteral("grouping"), 0},
                               {QStringLiteral("layout"), earlierLayout(27)}};
        QSettings().setValue(QStringLiteral("library/views"), QVariantMap{{QStringLiteral("old"), view}});
        showPage();
        auto* menu = m_page->findChild<QMenu*>(QStringLiteral("libraryViewsMenu"));
        menu->popup(QPoint(0, 0));
        QCOMPARE(menu->actions().front()->text(), QStringLiteral("old"));
        menu->actions().front()->trigger();
        menu->close();
        isTheEarlierLayout();
        QVERIFY(table()->isColumnHidden(sectionOf(RunColumn::EvaluationPeak)));
        follows(RunColumn::EvaluationPeak, RunColumn::PeakMemory);
        QVERIFY(!table()->isColumnHidden(sectionOf(RunColumn::Verdict)));
        follows(RunColumn::Verdict, RunColumn::FinalMetric);
    }

    void theLayoutOfAnEarlierVersionIsTakenOver_data() {
        QTest::addColumn<int>("columns");
        QTest::newRow("27") << 27;
        QTest::newRow("28") << 28;
    }
    void theLayoutOfAnEarlierVersionIsTakenOver() {
        QFETCH(const int, columns);
        QSettings().setValue(QStringLiteral("library/columns-4-%1").arg(columns), earlierLayout(columns));
        showPage();
        isTheEarlierLayout();
        // What that version knew stays as it was, and the next start knows no earlier one.
        QCOMPARE(table()->isColumnHidden(sectionOf(RunColumn::EvaluationPeak)), columns == 27);
        table()->setColumnHidden(sectionOf(RunColumn::Model), false);
        showPage();
        QVERIFY(!table()->isColumnHidden(sectionOf(RunColumn::Model)));
    }

    /// By names: one that a layout lacks is added, whichever it is, and one that is gone is none.
    void columnsThatALayoutLacksAreAdded() {
        showPage();
        table()->horizontalHeader()->moveSection(table()->horizontalHeader()->visualIndex(sectionOf(RunColumn::Seed)),
                                                 0);
        table()->setFrozen(4); // seed, name, status, metric
        QVariantMap state = table()->layoutState();
        QStringList columns = state.value(QStringLiteral("columns")).toStringList();
        const auto drop = [&columns](const char* name) {
            return columns.removeIf(
                [name](const QString& text) { return text.startsWith(QLatin1String(name) + QLatin1Char(':')); });
        };
        QCOMPARE(drop("status") + drop("audit") + drop("-loss") + drop("checkpoints"), 4);
        columns.insert(1, QStringLiteral("colour:90"));
        state[QStringLiteral("columns")] = columns;
        state[QStringLiteral("frozen")] = 3; // seed, name, metric
        const QList<RunColumn> before = table()->shownColumns();
        table()->resetColumns();
        QVERIFY(table()->shownColumns() != before);
        table()->setLayoutState(state);
        QCOMPARE(table()->shownColumns(), before);
        QVERIFY(table()->isColumnHidden(sectionOf(RunColumn::Loss)));
        follows(RunColumn::Loss, RunColumn::BestAccuracy);
        QCOMPARE(table()->layoutState().value(QStringLiteral("frozen")).toInt(), 4); // up to the metric, as before
    }

    void aHiddenColumnKeepsItsWidth() {
        showPage();
        table()->setColumnWidth(sectionOf(RunColumn::Data), 222);
        table()->setColumnHidden(sectionOf(RunColumn::Data), true);
        for (int start = 0; start < 2; ++start)
            showPage();
        QVERIFY(table()->isColumnHidden(sectionOf(RunColumn::Data)));
        table()->setColumnHidden(sectionOf(RunColumn::Data), false);
        QCOMPARE(table()->columnWidth(sectionOf(RunColumn::Data)), 222);
    }

    /// What tells runs apart stays in sight, and what came of them stands beside it.
    void theNameStaysAndTheResultComesEarly() {
        showPage();
        QCOMPARE(table()->layoutState().value(QStringLiteral("frozen")).toInt(), 1);
        QCOMPARE(table()->shownColumns().first(4),
                 (QList<RunColumn>{RunColumn::Name, RunColumn::Status, RunColumn::FinalMetric, RunColumn::Verdict}));
        auto* frozen = child<QTableView>(*m_page, "runTableFrozen");
        QVERIFY(frozen->isVisible());
        QVERIFY(!frozen->isColumnHidden(sectionOf(RunColumn::Name)));
        const QHeaderView* header = table()->horizontalHeader();
        const int end = header->sectionViewportPosition(sectionOf(RunColumn::Verdict)) +
                        header->sectionSize(sectionOf(RunColumn::Verdict));
        QVERIFY2(end <= table()->viewport()->width(), qPrintable(QString::number(end)));
    }

    /// At any size of the text, for what is a short word in one library and a long one in another.
    void widthsFollowFontAndContent() {
        m_fixture->add(studyOf(differentCase()));
        showPage();
        QTRY_COMPARE(table()->model()->rowCount(), 20);
        nothingIsCut();
        table()->setColumnWidth(sectionOf(RunColumn::Optimizer), 77); // a person's own
        const int before = table()->columnWidth(sectionOf(RunColumn::Name));
        const QVariantMap small = table()->layoutState();
        QFont large = table()->font();
        large.setPointSizeF(1.5 * large.pointSizeF());
        table()->setFont(large);
        nothingIsCut();
        QVERIFY(table()->columnWidth(sectionOf(RunColumn::Name)) > before);
        QCOMPARE(table()->columnWidth(sectionOf(RunColumn::Optimizer)), 77);
        QVERIFY(table()->rowHeight(0) >= QFontMetrics(large).height());
        table()->setLayoutState(small); // as the next session does
        nothingIsCut();
        QCOMPARE(table()->columnWidth(sectionOf(RunColumn::Optimizer)), 77);
    }

private:
    /// But for the column that a person has made narrow.
    void nothingIsCut() {
        const QFontMetrics metrics(table()->font());
        for (const RunColumn column : table()->shownColumns())
            for (int row = 0; column != RunColumn::Optimizer && row < table()->model()->rowCount(); ++row) {
                const QString text = table()->model()->index(row, sectionOf(column)).data().toString();
                QVERIFY2(metrics.horizontalAdvance(text) + 8 <= table()->columnWidth(sectionOf(column)),
                         qPrintable(text));
            }
    }
    void showPage() {
        m_page.reset();
        m_page = std::make_unique<LibraryPage>(m_fixture->services());
        m_page->resize(1280, 760);
        m_page->show();
        m_page->activated();
        QTRY_VERIFY(table()->model()->rowCount() > 0);
    }
    [[nodiscard]] RunTable* table() { return m_page->findChild<RunTable*>(); }
    void follows(RunColumn column, RunColumn before) {
        const QHeaderView* header = table()->horizontalHeader();
        QCOMPARE(header->visualIndex(sectionOf(column)), header->visualIndex(sectionOf(before)) + 1);
    }
    void isTheEarlierLayout() {
        QCOMPARE(table()->shownColumns().front(), RunColumn::SamplesPerSecond);
        QCOMPARE(table()->columnWidth(sectionOf(RunColumn::Name)), 311);
        QVERIFY(table()->isColumnHidden(sectionOf(RunColumn::Model)));
        const auto& model = static_cast<const RunListModel&>(*table()->model());
        QCOMPARE(model.sortKeys(), (std::vector<SortKey>{{RunColumn::Seed, Qt::DescendingOrder}}));
    }

    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<LibraryPage> m_page;
};

QTEST_MAIN(TestLibraryColumns)
} // namespace test_library_columns
#include "test_library_columns.moc"
