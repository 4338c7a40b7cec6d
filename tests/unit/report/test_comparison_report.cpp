// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a comparison's report, and the figures beside one that is written as Markdown.
#include "core/report/comparison_report.h"
#include "core/report/small_figures.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace test_comparison_report {
using namespace accumulus;

namespace {

ComparedRun makeRun(Arm arm, std::int64_t seed) {
    ComparedRun run;
    run.id = armName(arm) + std::to_string(seed);
    run.arm = arm;
    run.seed = seed;
    run.complete = true;
    run.samples = 768;
    run.updates = 3;
    run.config.batch = {.effective = 256, .micro = arm == Arm::Accumulated ? 32 : 256};
    run.batch = resolveBatch(run.config.batch).value();
    run.trainLoss = {{256.0, 512.0, 768.0}, {3.0, 2.0, 1.0}};
    EvaluationRecord test;
    test.samples = 768;
    test.accuracy = 0.97 + 0.001 * static_cast<double>(seed * seed) + (arm == Arm::Accumulated ? 0.0003 : 0.0);
    run.tests.push_back(test);
    run.ends.testAccuracy = test.accuracy;
    return run;
}

/// `othersShare`: of the last run of B; `testCount`: samples of the test set.
ReportDocument comparison(double othersShare = 0.02, const CurveSmoothing& smoothing = usualLossSmoothing,
                          double margin = 0.005, std::int64_t testCount = 0) {
    ComparisonReportInput report;
    report.input.margin = margin;
    report.input.marginSetAt = 1'760'000'000.0;
    report.commonSettings = {{"data.dataset", "\"mnist\""},
                             {"batch.effective", "256"},
                             {"batch.steps", "0"},
                             {"data.path", "\"\""},
                             {"data.shuffle", "true"},
                             {"model.hidden", "[512, 256]"},
                             {"schedule.warmup", "\"0 updates\""},
                             {"train.length", "\"1 epoch\""}};
    for (std::int64_t seed = 0; seed < 4; ++seed) {
        report.input.groupA.push_back(makeRun(Arm::Accumulated, seed));
        report.input.groupB.push_back(makeRun(Arm::LargeBatch, seed));
        report.input.groupA.back().samplesPerSecond = 1000.0 + 100.0 * static_cast<double>(seed);
    }
    report.input.groupB.back().ends.othersShare = othersShare;
    for (auto* group : {&report.input.groupA, &report.input.groupB})
        for (ComparedRun& run : *group)
            run.testCount = testCount;
    report.comparison = compareGroups(report.input, BandKind::MinMax, smoothing);
    GradientAudit& audit = report.audits.emplace_back();
    audit.subject = subjectAsNamed("LeNet-5, MNIST, 256 = 32 x 8");
    audit.headline = {"verdict.equivalent", {}};
    return makeComparisonReport(report);
}

} // namespace

class TestComparisonReport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itSaysHowTheLossIsSmoothed() {
        const auto says = [](const CurveSmoothing& smoothing, const char* words) {
            return reportHtml(comparison(0.02, smoothing)).find(words) != std::string::npos;
        };
        QVERIFY(says(usualLossSmoothing, "by a debiased exponential average with factor 0.95;"));
        QVERIFY(says({.beta = 0.0, .half = 5}, "by a centred mean of 11 windows;"));
        QVERIFY(says({}, "Loss per window, unsmoothed."));
    }

    void settingsHaveTheNamesOfTheWindow() {
        const std::string html = reportHtml(comparison());
        for (const char* row :
             {"<td>Data set</td><td>MNIST</td>", "<td>Effective batch B</td><td>256</td>",
              "<td>Accumulation steps K</td><td>0 = derived</td>", "<td>File or folder</td><td>bundled copy</td>",
              "<td>Shuffle every epoch</td><td>yes</td>", "<td>Hidden layers</td><td>512, 256</td>",
              "<td>Warm-up</td><td>0 = none</td>", "<td>Length of a run</td><td>1 epoch</td>",
              "<td>Micro-batch m</td>"})
            QVERIFY2(html.find(row) != std::string::npos, row);
        QVERIFY(html.find("batch.micro<") == std::string::npos);
    }

    void aDefaultMarginIsToldToBeOne() {
        QVERIFY(reportHtml(comparison()).find("±0.5 points, set 2025-10-09") != std::string::npos);
        const std::string html = reportHtml(comparison(0.02, usualLossSmoothing, 0.0));
        QVERIFY(html.find("±0.2 points, the metric&#39;s default, set 2025-10-09") != std::string::npos ||
                html.find("±0.2 points, the metric's default, set 2025-10-09") != std::string::npos);
    }

    /// The interval lies inside the margin, and shows no equivalence.
    void stepsLargerThanTheMarginAreToldBesideThePicture() {
        const auto verdictOf = [](std::int64_t testCount) {
            const ReportDocument document = comparison(0.02, usualLossSmoothing, 0.005, testCount);
            for (const ReportBlock& block : document.blocks)
                if (const auto* verdict = std::get_if<ReportVerdict>(&block))
                    return *verdict;
            return ReportVerdict();
        };
        const std::string why = "A single prediction changes the metric by more than the margin, so staying inside it "
                                "does not show equivalence.";
        const ReportVerdict coarse = verdictOf(150), fine = verdictOf(10'000);
        QVERIFY(coarse.verdict == Verdict::Inconclusive && fine.verdict == Verdict::DifferentWithinMargin);
        const std::string ink = "stroke=\"" + verdictColour(coarse.verdict);
        QVERIFY2(coarse.intervalCaption.ends_with(why), coarse.intervalCaption.c_str());
        QVERIFY(coarse.intervalSvg.find(ink) != std::string::npos);
        QVERIFY2(fine.intervalCaption.find(why) == std::string::npos, fine.intervalCaption.c_str());
        QVERIFY(fine.intervalSvg.find(ink) == std::string::npos);
    }

    void aCostHasItsSpread() {
        const std::string html = reportHtml(comparison());
        QVERIFY2(html.find("1\u00a0150 (1\u00a0000 to 1\u00a0300)") != std::string::npos, html.c_str());
    }

    void aBusyMachineIsTold() {
        const std::string warning = "Other programs used up to 43 % of the processor";
        QVERIFY(reportHtml(comparison(0.43)).find(warning) != std::string::npos);
        QVERIFY(reportHtml(comparison(0.05)).find(warning) == std::string::npos);
    }

    void theAuditIsShown() {
        const std::string html = reportHtml(comparison());
        for (const char* part : {"Gradient audit", "LeNet-5, MNIST, 256 = 32 x 8"})
            QVERIFY2(html.find(part) != std::string::npos, part);
    }

    void noRowOfATableIsThereTwice() {
        const ReportDocument document = comparison();
        bool numbers = false;
        for (const ReportBlock& block : document.blocks)
            if (const auto* table = std::get_if<ReportTable>(&block)) {
                std::set<std::string> first;
                for (const auto& row : table->rows)
                    QVERIFY2(first.insert(row.front()).second, row.front().c_str());
                numbers = numbers || first.contains("95 % interval");
            }
        QVERIFY(numbers);
    }

    void figuresOfALongerReportGo() {
        const QTemporaryDir folder;
        const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "report.md";
        const std::filesystem::path figures = file.parent_path() / "report-figures";
        const ReportDocument document = comparison();
        const auto count = [&] { return std::distance(std::filesystem::directory_iterator(figures), {}); };
        QVERIFY(writeReport(document, file).has_value());
        const auto written = count();
        QVERIFY(written > 0);
        for (const auto number : {written + 1, written + 2})
            std::ofstream(figures / ("figure-" + std::to_string(number) + ".svg")) << "<svg/>";
        std::ofstream(figures / "mine.svg") << "<svg/>";
        QVERIFY(writeReport(document, file).has_value());
        QCOMPARE(count(), written + 1);
    }
};

QTEST_APPLESS_MAIN(TestComparisonReport)
} // namespace test_comparison_report
#include "test_comparison_report.moc"
