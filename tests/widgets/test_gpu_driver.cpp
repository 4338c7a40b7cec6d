// SPDX-License-Identifier: GPL-3.0-or-later
// The driver of a run's GPU, where a person looks for it: the run's inspector and the settings that Compare lists.
#include "core/store/run_store.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/models/difference_model.h"
#include "widgets/pages/library/library_page.h"

#include <QTableView>
#include <QTreeWidget>

namespace test_gpu_driver {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

ComparedRun runWith(const std::string& driver) {
    ComparedRun run;
    run.batch = resolveBatch(run.config.batch).value();
    run.environment = {{"program", "Accumulus 1"}, {"driver", driver}};
    return run;
}

/// What the inspector has beside `title`; empty without such a row.
QString valueOf(const QTreeWidget& tree, const QString& title) {
    for (const QTreeWidgetItem* item : tree.findItems(title, Qt::MatchExactly | Qt::MatchRecursive))
        return item->text(1);
    return {};
}

} // namespace

class TestGpuDriver : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void compareListsItAsUnexpected() {
        ComparisonInput input;
        input.groupA = {runWith("NVIDIA 580.65.06, CUDA 13.0")};
        input.groupB = {runWith("NVIDIA 590.10, CUDA 13.1")};
        const auto rowOf = [&] {
            const auto rows = differenceRows(input);
            const auto found = std::ranges::find(rows, QString("driver"), &DifferenceRow::name);
            return found == rows.end() ? DifferenceRow() : *found;
        };
        QVERIFY(rowOf().kind == DifferenceKind::Unexpected);
        QCOMPARE(rowOf().a, QString("NVIDIA 580.65.06, CUDA 13.0"));
        QCOMPARE(rowOf().b, QString("NVIDIA 590.10, CUDA 13.1"));
        input.groupB = input.groupA;
        QVERIFY(rowOf().kind == DifferenceKind::Equal && !rowOf().a.isEmpty());
    }

    void theInspectorShowsIt() {
        PageFixture fixture;
        SyntheticStudy study;
        study.seedsA = {1};
        study.finalA = {0.9};
        study.windows = 4;
        const SyntheticRuns runs = fixture.add(study);
        QCOMPARE(runs.groupA.size(), std::size_t{1});
        QVERIFY(fixture.open());
        LibraryPage page(fixture.services());
        page.resize(1280, 760);
        page.show();
        page.activated();
        auto* table = child<QTableView>(page, "runTable");
        QTRY_COMPARE(table->model()->rowCount(), 1);
        table->selectRow(0);
        auto* overview = child<QTreeWidget>(page, "inspectorOverview");
        QTRY_VERIFY(!valueOf(*overview, "LibTorch").isEmpty());
        QCOMPARE(valueOf(*overview, "GPU driver"), QString("none"));
    }
};

QTEST_MAIN(TestGpuDriver)
} // namespace test_gpu_driver
#include "test_gpu_driver.moc"
