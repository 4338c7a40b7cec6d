// SPDX-License-Identifier: GPL-3.0-or-later
// The command line and the window write the same report, in each language; and both say what the window's own
// translations say.
#include "core/config/model_rows.h"
#include "core/report/report_languages.h"
#include "core/report/report_words.h"
#include "tests/support/cli_program.h"
#include "tests/support/report_saving.h"
#include "tests/widgets/page_fixture.h"

#include <QComboBox>
#include <QFile>
#include <QLocale>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTranslator>

namespace test_report_languages_agree {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

/// Without the minute that it was made in.
QString reportIn(const QString& path) {
    static const QRegularExpression minute(QStringLiteral("\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2} UTC"));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString text = QString::fromUtf8(file.readAll());
    const qsizetype at = text.indexOf(minute); // the first one is the subtitle's
    return at < 0 ? text : text.replace(at, 20, QString());
}

} // namespace

class TestReportLanguagesAgree : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothProgramsWriteTheSame_data() {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<bool>("comparison");
        for (const char* language : {"zh_CN", "en"})
            for (const char* suffix : {"html", "md"})
                for (const bool comparison : {false, true})
                    QTest::addRow("%s, %s of a %s", language, suffix, comparison ? "comparison" : "run")
                        << QString(language) << QString(suffix) << comparison;
    }
    void bothProgramsWriteTheSame() {
        QFETCH(QString, language);
        QFETCH(QString, suffix);
        QFETCH(bool, comparison);
        PageFixture fixture;
        const SyntheticRuns runs = fixture.add(studyOf(equivalentCase()));
        QVERIFY(fixture.open());
        ReportsPage page(fixture.services());
        auto* box = child<QComboBox>(page, "reports.language");
        box->setCurrentIndex(box->findData(language));
        QSignalSpy shown(&page, &ReportsPage::reportShown);
        const QString run = QString::fromStdString(runs.groupA.front());
        comparison ? page.showComparison(qtList(runs.groupA), qtList(runs.groupB)) : page.showRun(run);
        QVERIFY(shown.wait(60'000));
        const QString name = QStringLiteral("report.") + suffix; // figures are named after it
        QVERIFY(QDir(fixture.path("")).mkpath("window") && QDir(fixture.path("")).mkpath("line"));
        const QString inWindow = fixture.path("window/" + name);
        const QString inLine = fixture.path("line/" + name);
        QVERIFY(savedBy(page, inWindow).has_value());
        QStringList arguments{"report",
                              "--language",
                              language,
                              "--out",
                              inLine,
                              "--library",
                              QString::fromStdString(fixture.file().string())};
        if (!comparison)
            arguments << run;
        for (const auto& [option, group] : {std::pair("--a", &runs.groupA), std::pair("--b", &runs.groupB)})
            for (const std::string& id : comparison ? *group : std::vector<std::string>{})
                arguments << option << QString::fromStdString(id);
        const CliResult written = runCli(arguments, fixture.path(""));
        QVERIFY2(written.exitCode == 0, qPrintable(written.all()));
        const QString expected = reportIn(inWindow);
        QVERIFY(expected.size() > 1000);
        QCOMPARE(expected.contains(QStringLiteral("设置")), language == QLatin1String("zh_CN"));
        QCOMPARE(reportIn(inLine), expected);
    }

    void anUnknownLanguageIsRefused() {
        const QTemporaryDir folder;
        const CliResult result = runCli({"report", "x", "--language", "tlh", "--out", "x.html"}, folder.path());
        QVERIFY(result.exitCode != 0);
        QVERIFY2(result.errors.contains("--language"), qPrintable(result.all()));
    }

    void theTableIsWhatTheWindowSays() {
        QTranslator words;
        QVERIFY(words.load(QStringLiteral("accumulus_zh_CN"), QStringLiteral(":/i18n")));
        std::vector<std::string_view> all(reportWords().begin(), reportWords().end());
        for (const Sentence& sentence : messageCatalogue())
            all.push_back(sentence.words);
        for (const ErrorWords& error : errorCatalogue())
            all.insert(all.end(), {error.what, error.why, error.cure});
        for (const ModelRow& model : modelRows)
            all.push_back(model.title);
        for (const DatasetRow& data : datasetRows)
            all.push_back(data.title);
        for (const std::string_view sentence : all) {
            const std::string english(sentence);
            QString expected;
            for (const char* context : {"reports", "messages", "choices"})
                if (expected.isEmpty() && !english.empty())
                    expected = words.translate(context, english.c_str());
            QCOMPARE(QString::fromStdString(languageOfReports("zh_CN").translate(english)),
                     expected.isEmpty() ? QString::fromStdString(english) : expected);
        }
    }
};

QTEST_MAIN(TestReportLanguagesAgree)
} // namespace test_report_languages_agree
#include "test_report_languages_agree.moc"
