// SPDX-License-Identifier: GPL-3.0-or-later
// Long runs are drawn as an outline while all of their points are read.
#include "widgets/pages/compare/compare_page.h"

#include "tests/support/long_runs.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/models/pair_model.h"
#include "widgets/plots/plot_view.h"

#include <QLabel>
#include <QScopeGuard>

#include <semaphore>

namespace test_compare_outline {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

class TestCompareOutline : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void allPointsFollow() {
        constexpr std::int64_t updates = 2500;
        constexpr double samples = 4.0 * updates;
        PageFixture fixture;
        { // before it is opened: a change of the library would have it read once more, behind what waits below
            RunStore store(Library::open(fixture.file(), Library::Mode::Write).value());
            QVERIFY(addLongStudy(store, {0, 1}).has_value());
            for (const Arm arm : {Arm::Accumulated, Arm::LargeBatch})
                for (const std::int64_t seed : {0, 1})
                    QVERIFY(addLongRun(store, arm, seed, updates).has_value());
        }
        QVERIFY(fixture.open());
        ComparePage page(fixture.services());
        page.resize(1110, 690);
        page.show();
        std::counting_semaphore<2> goOn{0};
        const auto release = qScopeGuard([&goOn] { goOn.release(); }); // where the test fails before
        // Stands in the queue behind the outline and before what follows it.
        const auto wait = [&fixture, &goOn] {
            fixture.services().library.query<int>(
                &fixture.theme(), QStringLiteral("test.wait"),
                [&goOn](RunReader&) {
                    goOn.acquire();
                    return 0;
                },
                [](int) {});
        };
        QMetaObject::Connection once;
        once = connect(
            &page, &ComparePage::comparedGroupsChanged, &page,
            [&] {
                disconnect(once);
                wait();
            },
            Qt::QueuedConnection);
        page.compareStudy(QString::fromLatin1(longStudy));
        const auto* note = child<QLabel>(page, "compare.curvesNote");
        const auto* loss = child<PlotView>(page, "compare.loss");
        const auto isOutline = [note] { return note->text().contains(QStringLiteral("outline")); };
        QTRY_VERIFY(isOutline());
        QTRY_VERIFY(!loss->preparing() && loss->xMax() >= samples); // drawn in the next frame
        const auto* pairs = child<QTableView>(page, "compare.seedTable");
        const auto result = pairs->model()->index(0, PairModel::Difference).data();
        QVERIFY(!result.toString().isEmpty());
        goOn.release();
        QTRY_VERIFY(!isOutline());
        QTRY_VERIFY(!loss->preparing() && loss->xMax() >= samples);
        QCOMPARE(pairs->model()->index(0, PairModel::Difference).data(), result);
    }
};

QTEST_MAIN(TestCompareOutline)
} // namespace test_compare_outline
#include "test_compare_outline.moc"
