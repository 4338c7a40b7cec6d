// SPDX-License-Identifier: GPL-3.0-or-later
// A report is said in one language, and every sentence of it can be translated.
#include "core/analysis/number_text.h"
#include "core/report/report_words.h"
#include "core/report/run_report.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include <thread>

namespace test_report_words {
using namespace accumulus;

namespace {

/// Marks what it is asked for.
const Language& marking() {
    static const Language language{[](std::string_view words) { return "«" + std::string(words) + "»"; },
                                   [](std::int64_t number) { return std::to_string(number); }};
    return language;
}

QString sourceFolder() { return qEnvironmentVariable("ACCUMULUS_SOURCE"); }

/// The texts of neighbouring literals, joined as the compiler joins them.
QString joined(const QString& literals) {
    static const QRegularExpression literal(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
    QString text;
    for (auto each = literal.globalMatch(literals); each.hasNext();)
        text += each.next().captured(1).replace(QStringLiteral("\\\""), QStringLiteral("\""));
    return text;
}

RunReportInput smallRun() {
    RunReportInput input;
    input.run.name = "one";
    input.run.batch = resolveBatch({.effective = 8, .micro = 4}).value();
    input.run.trainLoss = {{8, 16, 24}, {3.0, 2.0, 1.0}};
    input.gradNorm = input.learningRate = input.run.trainLoss;
    input.settings = {{"batch.micro", "4"}};
    input.command = "accumulus-cli run";
    return input;
}

} // namespace

class TestReportWords : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// What say() is given in the sources is what can be translated.
    void everySentenceIsInTheList() {
        QSet<QString> listed;
        for (const std::string_view words : reportWords()) {
            const QString text = QString::fromUtf8(words.data(), qsizetype(words.size()));
            QVERIFY2(!listed.contains(text), qPrintable(text));
            listed << text;
        }
        static const QRegularExpression said(
            QStringLiteral("\\b(?:say|counted)\\([^\";()]*?((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)"));
        QStringList files;
        for (const char* name : {"library_views_reports", "library_views_run_report"})
            files << sourceFolder() + QStringLiteral("/core/run/%1.cpp").arg(QLatin1String(name));
        for (const QFileInfo& file : QDir(sourceFolder() + QStringLiteral("/core/report")).entryInfoList({"*.cpp"}))
            files << file.filePath();
        int found = 0;
        for (const QString& name : files) {
            QFile file(name);
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(name));
            const QString source = QString::fromUtf8(file.readAll());
            for (auto each = said.globalMatch(source); each.hasNext(); ++found) {
                const QString text = joined(each.next().captured(1));
                QVERIFY2(listed.contains(text), qPrintable(name + QStringLiteral(": ") + text));
            }
        }
        QVERIFY2(found > 150, qPrintable(QString::number(found)));
    }

    void aReportIsSaidInItsLanguage() {
        const ReportDocument plain = makeRunReport(smallRun());
        QCOMPARE(plain.language, std::string("en"));
        ReportDocument document;
        {
            const ReportLanguage scope(marking(), "x-marked");
            document = makeRunReport(smallRun());
        }
        QCOMPARE(document.language, std::string("x-marked"));
        QCOMPARE(document.blocks.size(), plain.blocks.size());
        int headings = 0, figures = 0;
        const auto isMarked = [](const std::string& text) { return text.find("«") != std::string::npos; };
        for (const ReportBlock& block : document.blocks) {
            if (const auto* heading = std::get_if<ReportHeading>(&block)) {
                QVERIFY2(isMarked(heading->text), heading->text.c_str());
                ++headings;
            } else if (const auto* figure = std::get_if<ReportFigure>(&block)) {
                QVERIFY2(isMarked(figure->caption), figure->caption.c_str());
                QVERIFY2(isMarked(figure->svg), figure->svg.c_str());
                ++figures;
            } else if (const auto* table = std::get_if<ReportTable>(&block)) {
                for (const std::string& header : table->header)
                    QVERIFY2(isMarked(header), header.c_str());
            }
        }
        QVERIFY(headings >= 3 && figures >= 3);
        QVERIFY(reportHtml(document).find("lang=\"x-marked\"") != std::string::npos);
        QCOMPARE(makeRunReport(smallRun()).title, plain.title); // English again
    }

    void whatRanksCostIsSaidInItsLanguage() {
        RunReportInput input = smallRun();
        input.rankCost = RankCost{2, 4.0, 1.98e6, std::nullopt, 0.031, 0.05, 1};
        const ReportLanguage scope(marking(), "x-marked");
        const std::string html = reportHtml(makeRunReport(input));
        QVERIFY2(html.find("«{#ranks}") != std::string::npos || html.find("«2 ranks") != std::string::npos,
                 html.c_str());
        QCOMPARE(saidNumber(numberText(std::numeric_limits<double>::infinity(), 2)), std::string("«not finite»"));
        QCOMPARE(saidNumber(numberText(1.0, 2)), std::string("1.00"));
    }

    void aLanguageIsOneOfItsThread() {
        const ReportLanguage scope(marking(), "x-marked");
        QCOMPARE(say("Value"), std::string("«Value»"));
        std::string other;
        std::thread([&other] { other = say("Value"); }).join();
        QCOMPARE(other, std::string("Value"));
    }
};

QTEST_APPLESS_MAIN(TestReportWords)
} // namespace test_report_words
#include "test_report_words.moc"
