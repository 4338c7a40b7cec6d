// SPDX-License-Identifier: GPL-3.0-or-later
// The run that was chosen on Compare stays so, whatever is loaded, drawn or built anew.
#include "tests/widgets/compare_cases.h"
#include "widgets/models/pair_model.h"
#include "widgets/plots/settings_plot.h"

#include <QPushButton>
#include <QSignalSpy>

namespace test_compare_chosen_run {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestCompareChosenRun : public QObject, protected CompareCases {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void cleanup() { closePage(); }

    /// As when the window is built anew in another language.
    void itOutlivesThePage() {
        showCase(equivalentCase());
        const QString seed = idOf(m_runs.groupB[2]), mark = idOf(m_runs.groupA[1]);
        seeds()->setCurrentIndex(seeds()->model()->index(2, PairModel::ValueB));
        QCOMPARE(m_page->inspectedRun(), std::optional(seed));
        child<QPushButton>(*m_page, "compare.settingsParallel")->click();
        plot()->chooseRun(mark);
        QCOMPARE(plot()->chosenRun(), mark);

        for (int window = 0; window < 2; ++window) { // the second takes over before the first has anything to show
            const QVariant state = m_page->state();
            m_page = std::make_unique<ComparePage>(m_fixture->services());
            m_page->setState(state);
        }
        m_page->show();
        QVERIFY(waitUntilShown(5));
        QCOMPARE(m_page->inspectedRun(), std::optional(seed));
        QCOMPARE(seeds()->currentIndex().row(), 2);
        QCOMPARE(seeds()->currentIndex().column(), static_cast<int>(PairModel::ValueB));
        QCOMPARE(plot()->chosenRun(), mark);
        QVERIFY(plot()->figure().view == SettingsView::Parallel);
        QVERIFY(plot()->highlighted() == std::optional<std::size_t>(1));
    }

    /// As every second while a study trains; it is no choice of anybody.
    void itStaysWhileRunsAreReadAgain() {
        showCase(equivalentCase());
        seeds()->setCurrentIndex(seeds()->model()->index(3, PairModel::ValueA));
        const QSignalSpy told(m_page.get(), &ComparePage::inspectedRunChanged);
        const QSignalSpy readAgain(seeds()->model(), &QAbstractItemModel::dataChanged);
        m_page->activated();
        QTRY_VERIFY(!readAgain.isEmpty());
        QCOMPARE(seeds()->currentIndex().row(), 3);
        QCOMPARE(m_page->inspectedRun(), std::optional(idOf(m_runs.groupA[3])));
        QVERIFY(told.isEmpty());
    }

    /// Nor does the cell move in which somebody stands, or what is selected to be copied.
    void soDoesTheCell() {
        showCase(equivalentCase());
        auto* table = seeds();
        table->setCurrentIndex(table->model()->index(1, PairModel::Difference));
        table->selectionModel()->select(table->model()->index(3, 0),
                                        QItemSelectionModel::Select | QItemSelectionModel::Rows);
        const int selected = static_cast<int>(table->selectionModel()->selectedIndexes().size());
        const QSignalSpy readAgain(table->model(), &QAbstractItemModel::dataChanged);
        m_page->activated();
        QTRY_VERIFY(!readAgain.isEmpty());
        QCOMPARE(table->currentIndex().column(), static_cast<int>(PairModel::Difference));
        QCOMPARE(table->currentIndex().row(), 1);
        QCOMPARE(table->selectionModel()->selectedIndexes().size(), selected);
    }

    /// Other groups have nothing of it.
    void itGoesWithItsGroup() {
        showCase(equivalentCase());
        seeds()->setCurrentIndex(seeds()->model()->index(1, PairModel::ValueA));
        plot()->chooseRun(idOf(m_runs.groupA[1]));
        const SyntheticRuns others = m_fixture->add(studyOf(differentCase()));
        const QSignalSpy readAgain(seeds()->model(), &QAbstractItemModel::dataChanged);
        m_page->compareGroups(qtList(others.groupA), qtList(others.groupB));
        QTRY_VERIFY(!readAgain.isEmpty());
        QVERIFY(!seeds()->currentIndex().isValid());
        QCOMPARE(m_page->inspectedRun(), std::optional(QString()));
        QCOMPARE(plot()->chosenRun(), QString());
    }

private:
    static QString idOf(const std::string& run) { return QString::fromStdString(run); }
    [[nodiscard]] QTableView* seeds() const { return child<QTableView>(*m_page, "compare.seedTable"); }
    [[nodiscard]] SettingsPlot* plot() const { return child<SettingsPlot>(*m_page, "compare.settingsPlot"); }
};

QTEST_MAIN(TestCompareChosenRun)
} // namespace test_compare_chosen_run
#include "test_compare_chosen_run.moc"
