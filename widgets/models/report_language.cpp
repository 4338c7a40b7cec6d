// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/report_language.h"

#include <QLocale>
#include <QTranslator>

namespace accumulus::ui {
namespace {

const QString chineseCode = QStringLiteral("zh_CN");

/// The sentences of reports and of the core, and the titles of models and data sets. Only read once it is loaded, so
/// any thread may ask.
const QTranslator& chineseWords() {
    static const QTranslator& loaded = []() -> const QTranslator& {
        auto* words = new QTranslator; // for as long as the program lives
        std::ignore = words->load(QStringLiteral("accumulus_") + chineseCode, QStringLiteral(":/i18n"));
        return *words;
    }();
    return loaded;
}

std::string inChinese(std::string_view words) {
    const std::string english(words);
    for (const char* context : {"reports", "messages", "choices"})
        if (const QString found = chineseWords().translate(context, english.c_str()); !found.isEmpty())
            return found.toStdString();
    return english;
}

} // namespace

const std::vector<std::pair<QString, QString>>& reportLanguages() {
    static const std::vector<std::pair<QString, QString>> languages{{QStringLiteral("en"), QStringLiteral("English")},
                                                                    {chineseCode, QStringLiteral("中文")}};
    return languages;
}

QString windowLanguage() {
    return QLocale().language() == QLocale::Chinese ? chineseCode : reportLanguages().front().first;
}

const Language& languageOf(const QString& code) {
    static const Language chinese{
        inChinese, [](std::int64_t number) {
            return QLocale(chineseCode).toString(static_cast<qlonglong>(number)).toStdString();
        }};
    return code == chineseCode ? chinese : english();
}

std::string languageTag(const QString& code) {
    return QString(code).replace(QLatin1Char('_'), QLatin1Char('-')).toStdString();
}

} // namespace accumulus::ui
