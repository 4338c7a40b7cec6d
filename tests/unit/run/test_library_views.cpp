// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/library_views.h"

#include "core/config/config_fields.h"
#include "tests/support/numeric.h"
#include "tests/unit/run/library_views_fixture.h"

#include <QtTest>
#include <algorithm>

namespace test_library_views {
using namespace accumulus;
using namespace accumulus::test;

class TestLibraryViews : public QObject, protected LibraryViewsFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { useNewLibrary(); }

    void aRunComesWithItsCurves();
    void aRunThatStillTrainsShowsWhatItHasDone();
    void ranksHaveTheirCost();
    void theStudyBringsMarginAndTime();
    void anotherMarginIsNamedAsSetAfterTheResults();
    void aMarginSetBeforeTheResultsIsNotBlamed();
    void aMarginKeepsTheTimeAtWhichItWasSet();
    void furtherMetricsBringTheirMargins();
    void curvesRunOverEveryAxis();
    void aMarginStaysInItsUnit_data();
    void aMarginStaysInItsUnit();
    void wrongRequestsAreErrors_data();
    void wrongRequestsAreErrors();
    void aRunReportHoldsItsNumbers();
    void aReportShowsTheMetricsOfTheLoss();
    void aComparisonReportHoldsVerdictAndSeeds();
};

void TestLibraryViews::aRunComesWithItsCurves() {
    const SyntheticStudy study = studyOf(equivalentCase());
    const SyntheticRuns runs = add(study);
    RunReader library = reader();

    const auto run = loadComparedRun(library, library.run(runs.groupA[1]).value());
    QVERIFY(run.has_value());
    QCOMPARE(run->seed, std::int64_t{1});
    QVERIFY(run->arm == Arm::Accumulated);
    QVERIFY(run->complete);
    QCOMPARE(run->trainLoss.size(), std::size_t{300});
    QVERIFY(compareBits(run->trainLoss.x.back(), 300.0 * 256.0));
    const Series accuracy = metricCurve(*run, CompareMetric::TestAccuracy);
    QCOMPARE(accuracy.size(), std::size_t{7}); // 6 x 47 and the end
    QVERIFY(run->ends.testAccuracy.has_value());
    QVERIFY(compareBits(*run->ends.testAccuracy, study.finalA[1]));
    QVERIFY(run->ends.finalTrainLoss && compareBits(*run->ends.finalTrainLoss, run->trainLoss.y.back()));
    QVERIFY(run->samplesPerSecond > 0.0);
    const auto has = [&run](const std::string& name) {
        return std::any_of(run->environment.begin(), run->environment.end(),
                           [&name](const auto& fact) { return fact.first == name; });
    };
    QVERIFY(has("libtorch"));
    QVERIFY(has("data"));
}

void TestLibraryViews::aRunThatStillTrainsShowsWhatItHasDone() {
    SyntheticStudy study = studyOf(equivalentCase());
    study.lastState = RunState::Running;
    const SyntheticRuns runs = add(study);
    RunReader library = reader();

    const auto run = loadComparedRun(library, library.run(runs.groupB.back()).value());
    QVERIFY(run.has_value());
    QVERIFY(!run->complete);
    QCOMPARE(run->updates, std::int64_t{150});
    QCOMPARE(run->samples, std::int64_t{150 * 256});
    const Series accuracy = metricCurve(*run, CompareMetric::TestAccuracy);
    QCOMPARE(accuracy.size(), std::size_t{3});
    QVERIFY(run->ends.testAccuracy && compareBits(*run->ends.testAccuracy, accuracy.y.back()));
    // 256 samples in 12 ms each window; the division of two sums rounds once.
    QVERIFY2(compareRel(run->samplesPerSecond, 256.0 / 0.012, 1e-12), std::to_string(run->samplesPerSecond).c_str());
}

void TestLibraryViews::ranksHaveTheirCost() {
    SyntheticStudy study = studyOf(equivalentCase());
    study.ranks = 2;
    const SyntheticRuns runs = add(study);
    RunReader library = reader();
    const auto input = loadComparison(library, runs.groupA, runs.groupB, "", std::nullopt);
    QVERIFY(input.has_value());
    const GroupCost a = groupCost(input->groupA);
    const GroupCost b = groupCost(input->groupB);
    QVERIFY(a.ranks && !b.ranks);
    QCOMPARE(a.ranks->runs, std::int64_t{5});
    QCOMPARE(a.ranks->most, std::int64_t{2});
    QVERIFY(compareBits(a.ranks->bytes, 100'000.0));
    // 2 ms of 10 ms on one of two ranks, 0.5 ms on both: sums over 300 windows, a rounding each.
    QVERIFY(compareRel(a.ranks->waiting, 0.1, 1e-13));
    QVERIFY(compareRel(a.ranks->reducing, 0.05, 1e-13));
    QCOMPARE(a.ranks->slowest, std::int64_t{1});
    QVERIFY(compareBits(a.peakBytes.mean, 21e6) && compareBits(b.peakBytes.mean, 64e6));

    // A run without a measurement is no part of a mean.
    std::vector<ComparedRun> half = input->groupA;
    half.front().peakBytes = 0;
    half.front().rankCost.reset();
    QVERIFY(compareBits(groupCost(half).peakBytes.mean, 21e6));
    QCOMPARE(groupCost(half).ranks->runs, std::int64_t{4});
    QCOMPARE(groupCost(half).ranks->all, std::int64_t{5});

    const auto report = runReport(library, runs.groupA[0]);
    QVERIFY(report.has_value());
    QVERIFY(reportHtml(*report).find("Peak tensor memory, training, of rank 0") != std::string::npos);
    const auto alone = runReport(library, runs.groupB[0]);
    QVERIFY(alone.has_value() && reportHtml(*alone).find("rank 0") == std::string::npos);
}

void TestLibraryViews::theStudyBringsMarginAndTime() {
    const SyntheticStudy study = studyOf(equivalentCase());
    const SyntheticRuns runs = add(study);
    RunReader library = reader();

    const auto input = loadComparison(library, runs.groupA, runs.groupB, "", std::nullopt);
    QVERIFY(input.has_value());
    QCOMPARE(input->groupA.size(), std::size_t{5});
    QCOMPARE(input->groupB.size(), std::size_t{5});
    QVERIFY(input->metric == CompareMetric::TestAccuracy);
    QVERIFY(compareBits(input->margin, 0.01));
    QVERIFY(compareBits(input->marginSetAt, study.createdAt));
    QVERIFY(!input->marginSetAfterResults);

    const Comparison comparison = compareGroups(*input);
    QVERIFY(comparison.test.verdict == Verdict::Equivalent);
    // scipy 1.17.1, stats.t.interval(0.90, 4, mean, stats.sem) of the five differences; 1e-6 relative as asked of every
    // number of a verdict.
    QVERIFY(compareRel(comparison.test.ci90Lower, -0.000955538307216, 1e-6));
    QVERIFY(compareRel(comparison.test.ci90Upper, 0.000995538307216, 1e-6));
}

void TestLibraryViews::anotherMarginIsNamedAsSetAfterTheResults() {
    const SyntheticRuns runs = add(studyOf(equivalentCase()));
    RunReader library = reader();

    const auto changed = loadComparison(library, runs.groupA, runs.groupB, "", 0.02);
    QVERIFY(changed.has_value());
    QVERIFY(compareBits(changed->margin, 0.02));
    QVERIFY(changed->marginSetAfterResults);

    const auto same = loadComparison(library, runs.groupA, runs.groupB, "", 0.01);
    QVERIFY(same.has_value());
    QVERIFY(!same->marginSetAfterResults);

    // The study fixed its margin for test accuracy, not for the loss.
    const auto otherMetric = loadComparison(library, runs.groupA, runs.groupB, "test_loss", std::nullopt);
    QVERIFY(otherMetric.has_value());
    QVERIFY(otherMetric->marginSetAfterResults);
    QVERIFY(otherMetric->metricChosenAfterResults);
    QVERIFY(!(otherMetric->marginSetAt > 0.0));

    // Another metric of the same unit is judged by the margin that was fixed: nobody changed it.
    const auto best = loadComparison(library, runs.groupA, runs.groupB, "best_test_accuracy", std::nullopt);
    QVERIFY(best.has_value());
    QVERIFY(compareBits(best->margin, 0.01));
    QVERIFY(best->metricChosenAfterResults);
    QVERIFY(!best->marginSetAfterResults);
    QVERIFY(!same->metricChosenAfterResults);
}

void TestLibraryViews::aMarginSetBeforeTheResultsIsNotBlamed() {
    // Two studies with one margin: the second one adds seeds after the first has ended, with the margin that was fixed
    // then.
    SyntheticStudy first = studyOf(equivalentCase());
    SyntheticStudy more = first;
    more.name = "more";
    more.seedsA = more.seedsB = {5, 6, 7, 8, 9};
    more.createdAt = first.createdAt + 86'400.0;
    const SyntheticRuns a = add(first);
    const SyntheticRuns b = add(more);
    std::vector<std::string> groupA = a.groupA;
    groupA.insert(groupA.end(), b.groupA.begin(), b.groupA.end());
    std::vector<std::string> groupB = a.groupB;
    groupB.insert(groupB.end(), b.groupB.begin(), b.groupB.end());
    RunReader library = reader();

    const auto input = loadComparison(library, groupA, groupB, "", std::nullopt);
    QVERIFY(input.has_value());
    QVERIFY(compareBits(input->marginSetAt, first.createdAt));
    QVERIFY(!input->marginSetAfterResults);
    QCOMPARE(compareGroups(*input).pairs.size(), std::size_t{10});
    // The seeds themselves came after the first results, and that is said.
    QVERIFY(input->seedsAddedAfterResults);
    QVERIFY(!loadComparison(library, a.groupA, a.groupB, "", std::nullopt)->seedsAddedAfterResults);
    QVERIFY(!loadComparison(library, b.groupA, b.groupB, "", std::nullopt)->seedsAddedAfterResults);
}

void TestLibraryViews::aMarginKeepsTheTimeAtWhichItWasSet() {
    const SyntheticStudy study = studyOf(equivalentCase());
    const SyntheticRuns runs = add(study);
    RunReader library = reader();
    const auto at = [&](double setAt) {
        return loadComparison(library, runs.groupA, runs.groupB, "", 0.02, {.marginSetAt = setAt}).value();
    };
    const double late = study.createdAt + 1e6;
    QVERIFY(compareBits(at(late).marginSetAt, late));
    QVERIFY(at(late).marginSetAfterResults);
    QVERIFY(!at(study.createdAt).marginSetAfterResults); // before the first run had ended
}

void TestLibraryViews::furtherMetricsBringTheirMargins() {
    const SyntheticRuns runs = add(studyOf(equivalentCase()));
    RunReader library = reader();
    const auto input = loadComparison(
        library, runs.groupA, runs.groupB, "", std::nullopt,
        {.together = {"best_test_accuracy", "test_loss", "test_accuracy", "test_rmse", "nonsense", "test_loss"}});
    QVERIFY(input.has_value());
    // Neither the metric of the verdict itself, nor what the runs do not have, nor anything twice.
    QCOMPARE(input->together.size(), std::size_t{2});
    QVERIFY(input->together[0].metric == CompareMetric::BestTestAccuracy);
    QVERIFY(compareBits(input->together[0].margin, 0.01) && input->together[0].marginFixed);
    QVERIFY(input->together[1].metric == CompareMetric::TestLoss);
    QVERIFY(compareBits(input->together[1].margin, 0.0) && !input->together[1].marginFixed);
}

void TestLibraryViews::curvesRunOverEveryAxis() {
    const SyntheticStudy study = studyOf(equivalentCase());
    const SyntheticRuns runs = add(study);
    RunReader library = reader();
    const RunRecord record = library.run(runs.groupA[0]).value();
    const WindowRecord last = library.windows(record.id).value().back();
    const std::vector<std::pair<CurveAxis, double>> ends{{CurveAxis::Samples, static_cast<double>(last.samples)},
                                                         {CurveAxis::Updates, static_cast<double>(last.update.value())},
                                                         {CurveAxis::Epochs, last.epochPosition},
                                                         {CurveAxis::WallTime, last.wallTime - record.startedAt},
                                                         {CurveAxis::ActiveTime, last.activeSeconds}};
    for (const auto& [axis, end] : ends) {
        const auto run = loadComparedRun(library, record, axis);
        QVERIFY(run.has_value() && run->axis == axis);
        QCOMPARE(run->trainLoss.x.size(), run->trainLoss.y.size());
        QVERIFY(compareBits(run->trainLoss.x.back(), end));
        QVERIFY(std::ranges::is_sorted(run->trainLoss.x));
        QCOMPARE(run->seen.size(), isTime(axis) ? run->trainLoss.size() : std::size_t{0});
        QVERIFY(metricCurve(*run, CompareMetric::TestAccuracy).x.back() <= end);
    }
}

void TestLibraryViews::aMarginStaysInItsUnit_data() {
    QTest::addColumn<QString>("fixedFor");
    QTest::addColumn<QString>("judged");
    QTest::addColumn<bool>("keeps");
    QTest::newRow("the same") << "test_rmse"
                              << "test_rmse" << true;
    QTest::newRow("rmse to mae") << "test_rmse"
                                 << "test_mae" << true;
    QTest::newRow("mae to rmse") << "test_mae"
                                 << "test_rmse" << true;
    QTest::newRow("rmse to r2") << "test_rmse"
                                << "test_r2" << false;
    QTest::newRow("rmse to its square") << "test_rmse"
                                        << "test_loss" << false;
    QTest::newRow("losses") << "test_loss"
                            << "train_loss" << true;
    QTest::newRow("loss to perplexity") << "test_loss"
                                        << "test_perplexity" << false;
    QTest::newRow("r2 to mae") << "test_r2"
                               << "test_mae" << false;
    QTest::newRow("shares") << "test_accuracy"
                            << "best_test_accuracy" << true;
    QTest::newRow("share to loss") << "test_accuracy"
                                   << "train_loss" << false;
}

void TestLibraryViews::aMarginStaysInItsUnit() {
    QFETCH(QString, fixedFor);
    QFETCH(QString, judged);
    QFETCH(bool, keeps);
    SyntheticStudy study = studyOf(equivalentCase());
    study.loss = fixedFor == "test_accuracy" ? LossKind::CrossEntropy : LossKind::Mse;
    study.metric = fixedFor.toStdString();
    study.margin = 0.03;
    const SyntheticRuns runs = add(study);
    RunReader library = reader();
    const auto input = loadComparison(library, runs.groupA, runs.groupB, judged.toStdString(), std::nullopt);
    QVERIFY(input.has_value());
    QVERIFY(compareBits(input->margin, keeps ? 0.03 : 0.0)); // 0: the metric's own
    QVERIFY(compareBits(input->marginSetAt, keeps ? study.createdAt : 0.0));
}

void TestLibraryViews::wrongRequestsAreErrors_data() {
    QTest::addColumn<QString>("metric");
    QTest::addColumn<double>("margin");
    QTest::addColumn<bool>("emptyGroup");
    QTest::addColumn<QString>("code");
    QTest::newRow("metric") << "beauty" << 0.01 << false << "compare.metric";
    QTest::newRow("zero margin") << "" << 0.0 << false << "compare.margin";
    QTest::newRow("negative margin") << "" << -0.01 << false << "compare.margin";
    QTest::newRow("NaN margin") << "" << std::nan("") << false << "compare.margin";
    QTest::newRow("empty group") << "" << 0.01 << true << "compare.empty-group";
}

void TestLibraryViews::wrongRequestsAreErrors() {
    QFETCH(QString, metric);
    QFETCH(double, margin);
    QFETCH(bool, emptyGroup);
    QFETCH(QString, code);
    const SyntheticRuns runs = add(studyOf(notEnoughCase()));
    RunReader library = reader();
    const auto input = loadComparison(library, runs.groupA, emptyGroup ? std::vector<std::string>{} : runs.groupB,
                                      metric.toStdString(), margin);
    QVERIFY(!input.has_value());
    QCOMPARE(QString::fromStdString(input.error().code), code);
    QCOMPARE(QString::fromUtf8(errorWords(input.error().code).code.data()), code); // the catalogue has words for it
}

void TestLibraryViews::aRunReportHoldsItsNumbers() {
    const SyntheticRuns runs = add(studyOf(equivalentCase()));
    RunReader library = reader();
    const auto report = runReport(library, runs.groupA[0]);
    QVERIFY(report.has_value());
    const std::string html = reportHtml(*report);
    for (const char* text : {"micro-batch 32 x 8 accumulation steps x 1 device = 256 samples per update", "92.23 %",
                             "Tuned for batch", "accumulus-cli run", "<svg"})
        QVERIFY2(html.find(text) != std::string::npos, text);
    QVERIFY(!runReport(library, "there-is-none").has_value());
}

void TestLibraryViews::aReportShowsTheMetricsOfTheLoss() {
    SyntheticStudy study = studyOf(equivalentCase());
    study.name = "errors";
    study.loss = LossKind::Mse;
    const SyntheticRuns errors = add(study);
    const SyntheticRuns accuracies = add(studyOf(equivalentCase()));
    RunReader library = reader();
    const auto factsOf = [&](const std::string& run) {
        const auto report = runReport(library, run);
        std::vector<std::pair<std::string, std::string>> figures;
        return report ? reportMarkdown(*report, "figures", figures) : std::string();
    };
    const std::string regression = factsOf(errors.groupA[0]);
    for (const char* row : {"| Final root mean squared error | 0.9223 |", "| Final mean absolute error | 0.6917 |",
                            "| Final R² | 0.5 |", "| Final test loss | 0.8506 |"})
        QVERIFY2(regression.find(row) != std::string::npos, regression.c_str());
    QVERIFY2(regression.find("ccuracy") == std::string::npos, regression.c_str());
    const std::string classes = factsOf(accuracies.groupA[0]);
    for (const char* row : {"| Final test accuracy | 92.23 % |", "| Best test accuracy | 92.", "| Final test loss | "})
        QVERIFY2(classes.find(row) != std::string::npos, classes.c_str());
    QVERIFY2(classes.find("squared") == std::string::npos, classes.c_str());
}

void TestLibraryViews::aComparisonReportHoldsVerdictAndSeeds() {
    const SyntheticRuns runs = add(studyOf(differentCase()));
    noteOn(runs.groupB[1], "the fan was loud");
    RunReader library = reader();
    const auto input = loadComparison(library, runs.groupA, runs.groupB, "", 0.02);
    QVERIFY(input.has_value());
    const Comparison comparison = compareGroups(*input);
    const auto report = comparisonReport(library, *input, comparison);
    QVERIFY(report.has_value());
    const auto* verdict = [&]() -> const ReportVerdict* {
        for (const ReportBlock& block : report->blocks)
            if (const auto* found = std::get_if<ReportVerdict>(&block))
                return found;
        return nullptr;
    }();
    QVERIFY(verdict != nullptr);
    QVERIFY(verdict->verdict == Verdict::Different);
    const std::string html = reportHtml(*report);
    QVERIFY2(html.find("is accumulated as 32 × 8 and") != std::string::npos, "as in the title");
    QVERIFY2(html.find("after the results") != std::string::npos, "the changed margin is named");
    QCOMPARE(report->title, std::string("shifted: Accumulated 32 × 8 and large batch 256 × 1"));
    QVERIFY2(html.find("the fan was loud") != std::string::npos, "notes of both groups");
    const auto common = std::ranges::find_if(report->blocks, [](const ReportBlock& block) {
        const auto* heading = std::get_if<ReportHeading>(&block);
        return heading != nullptr && heading->text == "Settings of both groups";
    });
    QVERIFY(common != report->blocks.end());
    const auto* table = std::get_if<ReportTable>(&*std::next(common));
    QVERIFY(table != nullptr);
    const auto has = [table](const char* key) {
        return std::ranges::any_of(table->rows, [key](const auto& row) { return row.front() == key; });
    };
    QVERIFY(has("Learning rate"));
    QVERIFY2(!has("Micro-batch m"), "it differs");
    QVERIFY(!comparisonReport(library, ComparisonInput{}, comparison).has_value());
}

QTEST_APPLESS_MAIN(TestLibraryViews)
} // namespace test_library_views
#include "test_library_views.moc"
