// SPDX-License-Identifier: GPL-3.0-or-later
// Runs with their curves, read by several threads at once.
#include "core/run/compared_run.h"
#include "tests/unit/run/library_views_fixture.h"

#include <QtTest>

namespace test_compared_runs {
using namespace accumulus;
using namespace accumulus::test;

class TestComparedRuns : public QObject, protected LibraryViewsFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { useNewLibrary(); }

    void anOutlineSaysTheSameOfTheRun() {
        const SyntheticRuns runs = add(studyOf(equivalentCase()));
        RunReader library = reader();
        RunRecord record = library.run(runs.groupA.front()).value();
        const auto all = loadComparedRun(library, record);
        const auto readOutline = [&] { return loadComparedRuns(library, {record}, {.outline = true}).value().front(); };
        QVERIFY(!readOutline().outlined); // too short
        QVERIFY(readOutline().trainLoss == all->trainLoss);
        record.totalUpdates = 1'000'000;
        const ComparedRun outline = readOutline();
        QVERIFY(outline.outlined);
        QCOMPARE(outline.trainLoss.x, (std::vector{all->trainLoss.x.front(), all->trainLoss.x.back()}));
        QCOMPARE(outline.trainLoss.y, (std::vector{all->trainLoss.y.front(), all->trainLoss.y.back()}));
        QVERIFY(outline.tests == all->tests && outline.ends == all->ends);
        QCOMPARE(outline.samplesPerSecond, all->samplesPerSecond);
        QVERIFY(outline.noise.terms.empty());
    }

    void longRunsAreReadSideBySide() {
        const SyntheticStudy study = studyOf(equivalentCase());
        const SyntheticRuns runs = add(study);
        RunReader library = reader();
        std::vector<RunRecord> records;
        for (const auto* group : {&runs.groupA, &runs.groupB})
            for (const std::string& id : *group) {
                records.push_back(library.run(id).value());
                records.back().totalUpdates = 1'000'000; // so that several threads are worth while
            }
        const auto together = loadComparedRuns(library, records, {CurveAxis::Updates});
        QVERIFY(together.has_value());
        QCOMPARE(together->size(), records.size());
        for (std::size_t i = 0; i < records.size(); ++i) {
            const auto alone = loadComparedRun(library, records[i], CurveAxis::Updates);
            QVERIFY(alone.has_value());
            const ComparedRun& run = (*together)[i];
            QCOMPARE(run.id, records[i].id);
            QVERIFY(run.trainLoss == alone->trainLoss);
            QVERIFY(run.tests == alone->tests && !run.tests.empty());
            QVERIFY(run.validations == alone->validations);
            QVERIFY(run.noise == alone->noise);
            QVERIFY(!run.trainLoss.x.empty());
        }
        records[1].id = "none";
        const auto missing = loadComparedRuns(library, records);
        QVERIFY(!missing.has_value());
        QCOMPARE(missing.error().code, std::string("library.no-run"));
    }
};

QTEST_APPLESS_MAIN(TestComparedRuns)
} // namespace test_compared_runs
#include "test_compared_runs.moc"
