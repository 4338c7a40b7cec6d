// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/report_language.h"

#include "core/report/report_languages.h"
#include "widgets/style/format.h"

#include <QLocale>

namespace accumulus::ui {

const std::vector<std::pair<QString, QString>>& reportLanguages() {
    static const auto languages = [] {
        std::vector<std::pair<QString, QString>> rows;
        for (const ReportLanguageRow& row : reportLanguageRows)
            rows.emplace_back(format::fromUtf8(std::string(row.code)), format::fromUtf8(std::string(row.name)));
        return rows;
    }();
    return languages;
}

QString windowLanguage() {
    return QLocale().language() == QLocale::Chinese ? reportLanguages().back().first : reportLanguages().front().first;
}

const Language& languageOf(const QString& code) { return languageOfReports(code.toStdString()); }

std::string languageTag(const QString& code) { return tagOfReports(code.toStdString()); }

} // namespace accumulus::ui
