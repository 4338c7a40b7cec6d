// SPDX-License-Identifier: GPL-3.0-or-later
// Reports as HTML (one file, nothing to fetch) and Markdown (with its figures), for runs and comparisons, rich and
// empty.
#include "core/report/comparison_report.h"
#include "core/report/figure.h"
#include "core/report/report_document.h"
#include "core/report/run_report.h"
#include "tests/support/numeric.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>
#include <QXmlStreamReader>

#include <cmath>
#include <limits>

namespace test_report_document {
using namespace accumulus;

namespace {

const std::string hostile = "<script>alert(1)</script> | *x* & \"q\"";

ComparedRun makeRun(Arm arm, std::int64_t seed) {
    ComparedRun run;
    run.id = armName(arm) + std::to_string(seed);
    run.name = hostile;
    run.arm = arm;
    run.seed = seed;
    run.complete = true;
    run.samples = 60000;
    run.updates = 235;
    run.config.batch.effective = 256;
    run.config.batch.micro = arm == Arm::Accumulated ? 32 : 256;
    run.batch = resolveBatch(run.config.batch).value();
    for (int i = 1; i <= 235; ++i) {
        run.trainLoss.x.push_back(256.0 * i);
        run.trainLoss.y.push_back(2.0 / i + 0.001 * static_cast<double>(seed));
    }
    run.trainLoss.y[100] = std::numeric_limits<double>::quiet_NaN();
    const double accuracy = 0.97 + 0.0001 * static_cast<double>(seed) + (arm == Arm::Accumulated ? 0.0003 : 0.0) +
                            (seed == 1 ? 0.0002 : 0.0);
    for (const bool end : {false, true}) {
        EvaluationRecord test;
        test.samples = end ? 60000 : 30000;
        test.accuracy = end ? accuracy + (arm == Arm::Accumulated && seed == 2 ? 0.0004 : 0.0) : accuracy - 0.02;
        test.loss = end ? 0.1 : 0.2;
        run.tests.push_back(test);
    }
    run.ends.testAccuracy = run.ends.bestTestAccuracy = run.tests.back().accuracy;
    run.ends.testLoss = 0.1;
    run.ends.finalTrainLoss = 0.05;
    run.samplesPerSecond = 10000.0;
    run.activeSeconds = 6.0;
    run.peakBytes = 50000000;
    run.environment = {{"program", "Accumulus 0.1.0"}, {"data", hostile}};
    return run;
}

ReportDocument comparisonDocument() {
    ComparisonReportInput report;
    report.input.margin = 0.005;
    report.input.marginSetAt = 1.76e9;
    report.input.marginSetAfterResults = true;
    for (std::int64_t seed = 0; seed < 4; ++seed) {
        report.input.groupA.push_back(makeRun(Arm::Accumulated, seed));
        report.input.groupB.push_back(makeRun(Arm::LargeBatch, seed));
    }
    report.input.groupB[3].complete = false;
    report.comparison = compareGroups(report.input);
    report.question = "Is it the same? " + hostile;
    report.commandA = "accumulus-cli run a.toml --set batch.micro=32";
    report.commandB = "accumulus-cli run a.toml --set batch.micro=256";
    report.createdAt = 1.77e9;
    return makeComparisonReport(report);
}

/// The accumulated runs on two ranks.
ReportDocument rankComparison() {
    ComparisonReportInput report;
    for (std::int64_t seed = 0; seed < 3; ++seed) {
        report.input.groupA.push_back(makeRun(Arm::Accumulated, seed));
        report.input.groupA.back().rankCost = RankCost{2, 4.0, 1.98e6, std::nullopt, 0.031, 0.05, seed > 0 ? 1 : 0};
        report.input.groupB.push_back(makeRun(Arm::LargeBatch, seed));
    }
    report.comparison = compareGroups(report.input);
    return makeComparisonReport(report);
}

ReportDocument runDocument() {
    RunReportInput report;
    report.run = makeRun(Arm::LargeBatch, 7);
    report.facts = {{"State", "completed"}, {hostile, hostile}};
    report.settings = {{"optimizer.lr", "0.01"}};
    report.gradNorm = report.run.trainLoss;
    report.learningRate = {report.run.trainLoss.x, std::vector<double>(report.run.trainLoss.size(), 0.01)};
    report.command = "accumulus-cli run a.toml";
    return makeRunReport(report);
}

/// Two ranks, 10 updates in 20 s.
RunReportInput rankReport() {
    RunReportInput report;
    report.run = makeRun(Arm::Accumulated, 7);
    report.rankTotals = {10, 10, 20.0, {}};
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        RankTimes times;
        times.rank = rank;
        times.microSteps = 30;
        times.forwardSeconds = 5.0;
        times.backwardSeconds = 10.0 + static_cast<double>(rank);
        times.waitingSeconds = 2.0 - static_cast<double>(rank);
        times.reducingSeconds = 0.5;
        times.sentBytes = 19'776'000;
        report.rankTotals.ranks.push_back(times);
    }
    report.rankCost = rankCost(report.rankTotals, {}, 494'400); // 2 f P S = 1/2 x 2 x 494 400 x 4
    return report;
}

/// The report as XML: HTML's void elements are closed, the rest must be well-formed as it is. Empty when it is not.
QStringList elementNames(const std::string& html) {
    QString text = QString::fromStdString(html);
    text.replace(QRegularExpression(QStringLiteral("<(meta[^>]*)>")), QStringLiteral("<\\1/>"));
    text.remove(QStringLiteral("<!DOCTYPE html>"));
    QXmlStreamReader reader(text);
    QStringList names;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement)
            names.append(reader.name().toString());
    return reader.hasError() ? QStringList() : names;
}

QByteArray fileContent(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestReportDocument : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ranksHaveATable() {
        const auto tableOf = [](const ReportDocument& document) {
            for (const ReportBlock& block : document.blocks)
                if (const auto* table = std::get_if<ReportTable>(&block); table && table->header.front() == "Rank")
                    return *table;
            return ReportTable{};
        };
        RunReportInput input = rankReport();
        const ReportTable table = tableOf(makeRunReport(input));
        using Row = std::vector<std::string>;
        QCOMPARE(table.rows.size(), std::size_t{3});
        QVERIFY((table.rows[0] == Row{"0", "0.00 s (0.0 %)", "5.00 s (25.0 %)", "10.0 s (50.0 %)", "0.00 s (0.0 %)",
                                      "2.00 s (10.0 %)", "0.50 s (2.5 %)", "1.98 MB"}));
        QVERIFY((table.rows[1] == Row{"1", "0.00 s (0.0 %)", "5.00 s (25.0 %)", "11.0 s (55.0 %)", "0.00 s (0.0 %)",
                                      "1.00 s (5.0 %)", "0.50 s (2.5 %)", "1.98 MB"}));
        QVERIFY((table.rows[2] == Row{"2 f P S", "", "", "", "", "", "", "1.98 MB"}));
        const std::string html = reportHtml(makeRunReport(input));
        QVERIFY(html.find("2 ranks: sent 1.98 MB per update and rank (2 f P S: 1.98 MB), waiting 7.5 %, reducing 2.5 "
                          "%; slowest: rank 1.") != std::string::npos);
        QVERIFY(!elementNames(html).isEmpty());
        // Without the data set nobody knows P; one rank has no table.
        input.rankCost = rankCost(input.rankTotals, {}, std::nullopt);
        QCOMPARE(tableOf(makeRunReport(input)).rows.size(), std::size_t{2});
        QVERIFY(tableOf(runDocument()).rows.empty());
    }

    void auditsAndPlansArePartOfIt() {
        RunReportInput input;
        input.run = makeRun(Arm::Accumulated, 7);
        const std::string plain = reportHtml(makeRunReport(input));
        QVERIFY(plain.find("Gradient audit") == std::string::npos && plain.find("Micro-batch</h") == std::string::npos);
        GradientAudit audit;
        audit.subject = subjectAsNamed(hostile);
        audit.createdAt = 1.77e9;
        audit.headline = {"audit.found.factor-k", {{"factor", "4.00"}}};
        audit.tensors = {{hostile, {2}, 4.0, 1.0, 3.0, 2.0, 1.0, {}, {}, {}, 1e-5, false}};
        audit.windows = {{{4, 4, 2}, {1.0, 1.0, 1.0}, {0.4, 0.4, 0.2}, {}, 0.0, 3.0, "a"}};
        GradientAudit older = audit;
        older.headline = {"audit.equivalent", {{"tensor", "a"}, {"error", "1e-7"}, {"tolerance", "1e-5"}}};
        input.audits = {audit, older};
        MicroPlan plan;
        plan.sentence = {"plan.recommended-unlimited", {}};
        MicroPoint fits, refused;
        fits.micro = 32;
        fits.steps = 8;
        fits.lanes = 2;
        fits.peakBytes = 5'900'000;
        fits.samplesPerSecond = 28'400.0;
        fits.updateSeconds = 0.009;
        fits.fits = true;
        refused.micro = 64;
        refused.problem = Message{"plan.refused", {}};
        plan.points = {fits, refused};
        plan.recommended = 0;
        input.plan = plan;
        const std::string html = reportHtml(makeRunReport(input));
        for (const char* text : {"factor 4.00 on all tensors", "Weights of the micro-batches", "FAILED",
                                 "Earlier audits", "Equivalent: worst tensor a", "recommended", "5.9 MB", "9 ms"})
            QVERIFY2(html.find(text) != std::string::npos, text);
        QVERIFY(!elementNames(html).isEmpty()); // markup in names is escaped
    }

    void aComparisonTellsWhatRanksCost() {
        const auto tableOf = [](const ReportDocument& document) {
            for (const ReportBlock& block : document.blocks)
                if (const auto* table = std::get_if<ReportTable>(&block); table && table->header.back() == "Ratio")
                    return *table;
            return ReportTable{};
        };
        using Row = std::vector<std::string>;
        const ReportTable table = tableOf(rankComparison());
        QCOMPARE(table.rows.size(), std::size_t{8});
        const std::string same = "50.0 MB (50.0 MB to 50.0 MB)";
        QVERIFY2((table.rows[2] == Row{"Peak tensor memory, training, of rank 0", same, same, "1.00"}),
                 table.rows[2][1].c_str());
        QVERIFY((table.rows[3] == Row{"Ranks", "2", "1", ""}));
        QVERIFY((table.rows[4] == Row{"Sent per update and rank", "1.98 MB", "–", ""}));
        QVERIFY((table.rows[5] == Row{"Waiting (share of time)", "3.1 %", "–", ""}));
        QVERIFY((table.rows[6] == Row{"Reducing (share of time)", "5.0 %", "–", ""}));
        QVERIFY((table.rows[7] == Row{"Slowest rank", "1 (in 2 of 3 runs)", "–", ""}));
        QVERIFY(!elementNames(reportHtml(rankComparison())).isEmpty());
        const ReportTable alone = tableOf(comparisonDocument());
        QCOMPARE(alone.rows.size(), std::size_t{3});
        QCOMPARE(alone.rows.back().front(), std::string("Peak tensor memory, training"));
    }

    // 100 windows with S = 512 and G2 near 1: B_simple = 512, B = 256.
    void bothReportsTellTheNoiseScale() {
        const auto withNoise = [](ComparedRun run) {
            for (int i = 1; i <= 100; ++i)
                run.noise.terms.push_back({256 * i, 512.0, i % 2 == 0 ? 0.9 : 1.1});
            return run;
        };
        ComparisonReportInput both;
        for (std::int64_t seed = 0; seed < 3; ++seed) {
            both.input.groupA.push_back(withNoise(makeRun(Arm::Accumulated, seed)));
            both.input.groupB.push_back(makeRun(Arm::LargeBatch, seed));
        }
        both.comparison = compareGroups(both.input);
        const std::string html = reportHtml(makeComparisonReport(both));
        for (const char* part :
             {"The gradient noise scale is about 510 samples (95 %: ",
              "an order of magnitude; at B = 256: 1.5 times the fewest possible samples, 3 "
              "times the fewest possible updates.",
              "none: one micro-batch a window", "B_simple in samples (log scale)", "accumulated, seed 2"})
            QVERIFY2(html.find(part) != std::string::npos, part);
        RunReportInput one;
        one.run = withNoise(makeRun(Arm::Accumulated, 0));
        QVERIFY(reportHtml(makeRunReport(one)).find("B_simple in samples (log scale)") != std::string::npos);
        for (const std::string& without : {reportHtml(comparisonDocument()), reportHtml(runDocument())})
            QVERIFY(without.find("B_simple") == std::string::npos);
    }

    void htmlNeedsNothingFromOutside() {
        for (const ReportDocument& document : {comparisonDocument(), runDocument(), ReportDocument{}}) {
            QString html = QString::fromStdString(reportHtml(document));
            html.remove(QStringLiteral("xmlns=\"http://www.w3.org/2000/svg\""));
            for (const char* forbidden : {"http", "<script", "src=", "href=", "@import", "url(", "<link"})
                QVERIFY2(!html.contains(QLatin1String(forbidden)), forbidden);
            QVERIFY(html.contains(QLatin1String("<meta charset=\"utf-8\">")));
        }
    }

    void htmlIsWellFormedAndEscaped() {
        for (const ReportDocument& document : {comparisonDocument(), runDocument()}) {
            const std::string html = reportHtml(document);
            const QStringList names = elementNames(html);
            QVERIFY(!names.isEmpty());
            QVERIFY(!names.contains(QStringLiteral("script")));
            QVERIFY(html.find("&lt;script&gt;") != std::string::npos);
            QCOMPARE(names.count(QStringLiteral("h1")), 1);
        }
        // The counter-example: markup that is not escaped is found by the same reader.
        QVERIFY(elementNames("<p>a & b</p>").isEmpty());
    }

    void comparisonReportHoldsWhatItPromises() {
        const std::string html = reportHtml(comparisonDocument());
        for (const char* part : {"Is it the same?",
                                 "Equivalent within ±0.5 points",
                                 "class=\"verdict\"",
                                 "role=\"img\" aria-label=",
                                 "The margin was set after the results were seen.",
                                 "is not complete.",
                                 "Accumulated: micro-batch × accumulation steps = 32 × 8.",
                                 "Difference in test accuracy, accumulated − large batch",
                                 "margin ±0.5",
                                 "Difference in training loss",
                                 "from unsmoothed values",
                                 "debiased exponential average with factor 0.95",
                                 "Final test accuracy per seed, in %",
                                 "Micro-batch m",
                                 "Peak tensor memory",
                                 "50.0 MB",
                                 "Smallest margin that would pass",
                                 "2025-10-09 08:53 UTC",
                                 "after the results were seen",
                                 "Accumulus 0.1.0",
                                 "--set batch.micro=256",
                                 "60\u00a0000"})
            QVERIFY2(html.find(part) != std::string::npos, part);
    }

    void runReportHoldsWhatItPromises() {
        const std::string html = reportHtml(runDocument());
        for (const char* part : {"The large-batch arm with seed 7: 235 updates over 60\u00a0000 training samples.",
                                 "Training loss", "each window, unsmoothed", "Accuracy (%)", "Gradient norm",
                                 "Learning rate", "<td>0.01</td>", "accumulus-cli run a.toml", "256 × 1"})
            QVERIFY2(html.find(part) != std::string::npos, part);
    }

    void markdownFindsItsFigures() {
        QTemporaryDir folder;
        const std::filesystem::path file = (folder.path() + QStringLiteral("/my report (1).md")).toStdString();
        QVERIFY(writeReport(comparisonDocument(), file).has_value());
        const QString text = QString::fromUtf8(fileContent(QString::fromStdString(file.string())));
        static const QRegularExpression link(QStringLiteral("!\\[[^\\n]*\\]\\(([^)\\n]+)\\)"));
        auto found = link.globalMatch(text);
        int figures = 0;
        while (found.hasNext()) {
            const QString path = QUrl::fromPercentEncoding(found.next().captured(1).toUtf8());
            const QByteArray svg = fileContent(folder.path() + QLatin1Char('/') + path);
            QVERIFY2(svg.contains("<svg"), qPrintable(path));
            QXmlStreamReader reader(svg);
            while (!reader.atEnd())
                reader.readNext();
            QVERIFY(!reader.hasError());
            ++figures;
        }
        QCOMPARE(figures, 7); // interval, two batch bars, accuracy and loss with their differences
        QCOMPARE(QDir(folder.path() + QStringLiteral("/my report (1)-figures")).entryList(QDir::Files).size(), 7);
        QVERIFY(!text.contains(QLatin1String("<script")));
        QVERIFY(text.contains(QStringLiteral("> **Equivalent within ±0.5 points**")));
    }

    void markdownTablesKeepTheirColumns() {
        ReportDocument document;
        document.title = "T";
        document.blocks.emplace_back(ReportTable{"", {"a|b", "c"}, {{"1|2", "x\ny"}, {"3"}}, {false, true}});
        document.blocks.emplace_back(ReportCode{"a ``` b"});
        std::vector<std::pair<std::string, std::string>> figures;
        const std::string text = reportMarkdown(document, "", figures);
        QVERIFY(text.find("| a\\|b | c |\n| --- | ---: |\n| 1\\|2 | x y |\n| 3 |  |\n") != std::string::npos);
        QVERIFY(text.find("````\na ``` b\n````") != std::string::npos);
    }

    void theSuffixChoosesTheFormat() {
        QTemporaryDir folder;
        const auto path = [&](const char* name) {
            return std::filesystem::path((folder.path() + QLatin1Char('/') + QLatin1String(name)).toStdString());
        };
        QVERIFY(writeReport(runDocument(), path("a.HTML")).has_value());
        QVERIFY(fileContent(folder.path() + QStringLiteral("/a.HTML")).startsWith("<!DOCTYPE html>"));
        const Status unknown = writeReport(runDocument(), path("a.docx"));
        QVERIFY(!unknown.has_value());
        QCOMPARE(QString::fromStdString(unknown.error().code), QStringLiteral("report.format"));
        QVERIFY(errorWords("report.format").code == "report.format");
        QFile blocker(folder.path() + QStringLiteral("/file"));
        QVERIFY(blocker.open(QIODevice::WriteOnly));
        const Status blocked = writeReport(runDocument(), path("file/a.html"));
        QVERIFY(!blocked.has_value());
        QCOMPARE(QString::fromStdString(blocked.error().code), QStringLiteral("file.write"));
    }

    void emptyInputMakesAReport() {
        for (const ReportDocument& document : {makeRunReport({}), makeComparisonReport({})})
            QVERIFY(!elementNames(reportHtml(document)).isEmpty());
        ComparisonReportInput noPairs;
        noPairs.input.groupA = {makeRun(Arm::Accumulated, 1)};
        noPairs.input.groupB = {makeRun(Arm::LargeBatch, 2)};
        noPairs.comparison = compareGroups(noPairs.input);
        const std::string html = reportHtml(makeComparisonReport(noPairs));
        QVERIFY(html.find("Not enough seeds (0 of at least 3)") != std::string::npos);
        QVERIFY(!elementNames(html).isEmpty());
        ComparisonReportInput onePair;
        onePair.input.groupA = {makeRun(Arm::Accumulated, 1)};
        onePair.input.groupB = {makeRun(Arm::LargeBatch, 1)};
        onePair.comparison = compareGroups(onePair.input);
        const std::string one = reportHtml(makeComparisonReport(onePair));
        QVERIFY(one.find("no interval") != std::string::npos);
        QVERIFY(one.find("nan") == std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestReportDocument)
} // namespace test_report_document
#include "test_report_document.moc"
