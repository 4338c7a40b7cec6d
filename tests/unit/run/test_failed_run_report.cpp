// SPDX-License-Identifier: GPL-3.0-or-later
// What the report of a run says that failed, in its own language, or that had no end at all.
#include "core/analysis/number_text.h"
#include "core/report/report_words.h"
#include "core/run/library_views.h"
#include "core/store/run_store.h"
#include "tests/unit/run/library_views_fixture.h"

#include <QtTest>
#include <cmath>
#include <map>

namespace test_failed_run_report {
using namespace accumulus;
using namespace accumulus::test;

class TestFailedRunReport : public QObject, protected LibraryViewsFixture {
    Q_OBJECT
private Q_SLOTS:
    void init() { useNewLibrary(); }

    void whyARunEndedIsSaidInTheReportsLanguage() {
        const SyntheticRuns runs = add(studyOf(equivalentCase()));
        const Error error{"training.all-skipped", {{"windows", "3"}}};
        const std::string known = runs.groupA[0], old = runs.groupA[1];
        {
            RunStore store(Library::open(file(), Library::Mode::Write).value());
            QVERIFY(store.finishRun(known, RunState::Failed, {}, 1.0, describe(error), error));
            QVERIFY(store.finishRun(old, RunState::Failed, {}, 1.0, describe(error)));
        }
        RunReader library = reader();
        const auto htmlOf = [&](const std::string& run) { return reportHtml(runReport(library, run).value()); };
        QVERIFY(htmlOf(known).find(describe(error)) != std::string::npos);
        const Language marking{[](std::string_view words) { return "«" + std::string(words) + "»"; }, english().count};
        const ReportLanguage scope(marking, "x-marked");
        QVERIFY(htmlOf(known).find("«3 windows in a row had no finite gradient.» «Skipping no longer helps.»") !=
                std::string::npos);
        QVERIFY(htmlOf(old).find("3 windows in a row had no finite gradient. Skipping") != std::string::npos);
    }

    void whatIsNotFiniteHasNoUnit() {
        const std::string id = add(studyOf(equivalentCase())).groupA.front();
        {
            RunStore store(Library::open(file(), Library::Mode::Write).value());
            RunSummary summary = reader().run(id)->summary;
            summary.testAccuracy = summary.testLoss = std::nan("");
            QVERIFY(store.finishRun(id, RunState::Completed, summary, 1.0));
        }
        RunReader library = reader();
        const std::string text = reportHtml(runReport(library, id).value());
        QVERIFY2(text.find("not finite") != std::string::npos, text.c_str());
        for (const char* wrong : {"nan %", ">nan<", "not finite %"})
            QVERIFY2(text.find(wrong) == std::string::npos, wrong);
    }

    void aRunWithoutAnEndSaysTheSameEverywhere_data() {
        QTest::addColumn<bool>("resumed");
        QTest::newRow("killed in its first session") << false;
        QTest::newRow("stopped, resumed and killed") << true;
    }
    void aRunWithoutAnEndSaysTheSameEverywhere() {
        QFETCH(bool, resumed);
        SyntheticStudy study = studyOf(equivalentCase());
        study.createdAt = 1'700'000'000.0; // so long ago was its last sign of life
        study.lastState = resumed ? RunState::Stopped : RunState::Running;
        const std::string id = add(study).groupB.back();
        {
            RunStore store(Library::open(file(), Library::Mode::Write).value());
            WindowRecord window = reader().windows(id)->back();
            if (resumed) {
                QVERIFY(store.supersede(id, window.window, window.window));
                QVERIFY(store.setState(id, RunState::Running));
                QVERIFY(store.heartbeat(id, study.createdAt + 9.0));
            }
            window.window += 1;
            window.update = window.window;
            window.samples += 256;
            window.activeSeconds *= 2.0; // a machine that others use, too
            window.loss = 0.4375;
            EvaluationRecord last = reader().evaluations(id)->back();
            last.update = window.window;
            last.accuracy = 0.8125;
            QVERIFY(store.addWindows(id, 2, std::vector{window}));
            QVERIFY(store.addEvaluations(id, 2, std::vector{last}));
        }
        RunReader library = reader();
        const RunRecord row = library.run(id).value();
        QCOMPARE(row.summary.testAccuracy, std::optional(0.8125));
        QCOMPARE(row.summary.finalTrainLoss, std::optional(0.4375));
        const ComparedRun run = loadComparedRun(library, row).value();
        QCOMPARE(metricValue(run, CompareMetric::TestAccuracy), row.summary.testAccuracy);
        QCOMPARE(metricValue(run, CompareMetric::TrainLoss), row.summary.finalTrainLoss);
        QCOMPARE(run.samplesPerSecond, double(row.summary.samples) / row.summary.activeSeconds);
        QCOMPARE(run.samplesPerSecond, row.summary.samplesPerSecond);
        std::map<std::string, std::string> facts;
        std::string text;
        const ReportDocument report = runReport(library, id).value();
        for (const auto& block : report.blocks) {
            if (const auto* table = std::get_if<ReportTable>(&block))
                for (const auto& cells : table->rows)
                    facts.emplace(cells[0], cells[1]);
            if (const auto* paragraph = std::get_if<ReportParagraph>(&block))
                text += paragraph->text;
        }
        QVERIFY2(text.find("Test accuracy 81.25 % at the end") != std::string::npos, text.c_str());
        QCOMPARE(facts["Final test accuracy"], std::string("81.25 %"));
        QCOMPARE(facts["Training loss, last window"], std::string("0.4375"));
        QVERIFY(facts["Speed"].starts_with(countText(std::llround(run.samplesPerSecond)) + " samples/s over 3.6 s"));
        QCOMPARE(facts["Status"], std::string("interrupted"));
    }
};

QTEST_APPLESS_MAIN(TestFailedRunReport)
} // namespace test_failed_run_report
#include "test_failed_run_report.moc"
