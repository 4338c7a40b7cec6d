// SPDX-License-Identifier: GPL-3.0-or-later
// What figures and their text alternatives count in.
#include "core/report/comparison_report.h"
#include "core/report/report_languages.h"
#include "core/report/report_words.h"
#include "core/report/run_report.h"

#include <QTest>

#include <string>

namespace test_report_units {
using namespace accumulus;

namespace {

ComparedRun textRun(Normalise normalise, Arm arm = Arm::Accumulated) {
    ComparedRun run;
    run.id = armName(arm);
    run.arm = arm;
    run.complete = true;
    run.config.data.dataset = "tinyshakespeare";
    run.config.loss.normalise = normalise;
    run.trainLoss = {{256.0, 512.0}, {3.0, 2.0}};
    EvaluationRecord test;
    test.samples = 512;
    test.loss = 2.5;
    test.accuracy = 0.25;
    run.tests = {test};
    run.ends.testLoss = test.loss;
    run.ends.testAccuracy = test.accuracy;
    return run;
}

std::string reportOf(Normalise normalise) {
    RunReportInput input;
    input.run = textRun(normalise);
    return reportHtml(makeRunReport(input));
}

std::string comparisonOf(Normalise normalise) {
    ComparisonReportInput report;
    report.input.groupA = {textRun(normalise)};
    report.input.groupB = {textRun(normalise, Arm::LargeBatch)};
    report.comparison = compareGroups(report.input);
    return reportHtml(makeComparisonReport(report));
}

bool has(const std::string& html, const std::string& words) { return html.find(words) != std::string::npos; }

} // namespace

class TestReportUnits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lossesOfTextArePerToken() {
        for (const std::string& html : {reportOf(Normalise::Tokens), comparisonOf(Normalise::Tokens)}) {
            QVERIFY(has(html, "Loss per token (log scale)"));
            QVERIFY(!has(html, "per sample") && !has(html, "test sample"));
        }
        // Training may weigh samples alike, evaluations never do.
        const std::string alike = reportOf(Normalise::Samples);
        QVERIFY(has(alike, "Loss per sample (log scale)") && has(alike, "Loss per token"));
        QVERIFY(has(alike, "Mean loss per test token at each evaluation."));
        QVERIFY(has(comparisonOf(Normalise::Samples), "Loss per sample (log scale)"));
    }

    void inChineseToo() {
        const ReportLanguage scope(languageOfReports("zh_CN"), "zh-CN");
        for (const std::string& html : {reportOf(Normalise::Tokens), comparisonOf(Normalise::Tokens)})
            QVERIFY(has(html, "每词元损失") && !has(html, "每样本损失"));
    }

    void weightsOfAnAuditAreOverMicroBatches() {
        RunReportInput input;
        input.run = textRun(Normalise::Tokens);
        GradientAudit& audit = input.audits.emplace_back();
        audit.headline = {"audit.found.factor-k", {{"factor", "4.00"}}};
        audit.windows = {{{4, 4, 2}, {1.0, 1.0, 1.0}, {0.4, 0.4, 0.2}, {}, 0.0, 3.0, "a"}};
        const std::string html = reportHtml(makeRunReport(input));
        QVERIFY(has(html, "right: n_k / N: last value 0.2 at micro-batch 3"));
        QVERIFY(has(html, "each window, unsmoothed: last value 2 at 512 samples"));
    }
};

QTEST_APPLESS_MAIN(TestReportUnits)
} // namespace test_report_units
#include "test_report_units.moc"
