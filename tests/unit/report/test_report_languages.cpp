// SPDX-License-Identifier: GPL-3.0-or-later
// The table that the build makes of the translations says what the file of translations says.
#include "core/report/report_languages.h"
#include "core/report/sentence_table.h"

#include <QFile>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <map>

namespace test_report_languages {
using namespace accumulus;

namespace {

/// English and Chinese of a context, read by Qt's own parser.
std::map<std::string, std::string> translationsOf(const QString& wanted) {
    QFile file(qEnvironmentVariable("ACCUMULUS_SOURCE") + QStringLiteral("/resources/translations/accumulus_zh_CN.ts"));
    std::map<std::string, std::string> found;
    if (!file.open(QIODevice::ReadOnly))
        return found;
    QXmlStreamReader xml(&file);
    QString context, source;
    while (!xml.atEnd()) {
        if (!xml.readNextStartElement())
            continue;
        if (xml.name() == QLatin1String("name"))
            context = xml.readElementText();
        else if (xml.name() == QLatin1String("source"))
            source = xml.readElementText();
        else if (xml.name() == QLatin1String("translation") && xml.attributes().isEmpty() && context == wanted)
            found.emplace(source.toStdString(), xml.readElementText().toStdString());
    }
    return found;
}

} // namespace

class TestReportLanguages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theTableIsTheFileOfTranslations() {
        std::map<std::string, std::string> expected;
        for (const char* context : {"reports", "messages", "choices", "fields"})
            expected.merge(translationsOf(QString::fromLatin1(context))); // what is there already stays
        QVERIFY(expected.size() > 1000);
        const Language& chinese = languageOfReports("zh_CN");
        for (const auto& [english, translation] : expected)
            QVERIFY2(chinese.translate(english) == translation,
                     (english + ": " + chinese.translate(english) + ", not " + translation).c_str());
        QCOMPARE(chineseSentences().size(), expected.size());
        QVERIFY(std::ranges::is_sorted(chineseSentences(), {}, &TranslatedSentence::english));
        QCOMPARE(chinese.translate("never heard"), std::string("never heard"));
    }

    /// With the spaces and signs of English reports.
    void numbersAreGrouped() {
        const auto count = languageOfReports("zh_CN").count;
        QCOMPARE(count(0), std::string("0"));
        QCOMPARE(count(999), std::string("999"));
        QCOMPARE(count(60000), std::string("60\u00a0000"));
        QCOMPARE(count(-1234567), std::string("\u22121\u00a0234\u00a0567"));
    }

    void englishIsForAllOthers() {
        QVERIFY(&languageOfReports("en") == &english());
        QVERIFY(&languageOfReports("fr") == &english());
        QVERIFY(&languageOfReports("zh_CN") != &english());
        QCOMPARE(tagOfReports("zh_CN"), std::string("zh-CN"));
        QCOMPARE(tagOfReports("fr"), std::string("en"));
    }

    void theLocaleDecides() {
        const auto with = [](const char* all, const char* messages, const char* lang) {
            qputenv("LC_ALL", all);
            qputenv("LC_MESSAGES", messages);
            qputenv("LANG", lang);
            return std::string(localeOfReports());
        };
        const QByteArray before[] = {qgetenv("LC_ALL"), qgetenv("LC_MESSAGES"), qgetenv("LANG")};
        const std::vector<std::string> found{with("", "", "zh_CN.UTF-8"), with("", "zh_CN", "en_US.UTF-8"),
                                             with("C", "zh_CN", "zh_CN"), with("", "", ""),
                                             with("zh", "", ""),          with("zha_CN", "", "")};
        int i = 0;
        for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
            qputenv(name, before[i++]);
        QVERIFY((found == std::vector<std::string>{"zh_CN", "zh_CN", "en", "en", "zh_CN", "en"}));
    }
};

QTEST_APPLESS_MAIN(TestReportLanguages)
} // namespace test_report_languages
#include "test_report_languages.moc"
