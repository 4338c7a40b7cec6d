// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/field_titles.h"

#include "core/config/setting_words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>

namespace accumulus::ui {

namespace {

/// "clip_norm" -> "Clip norm"
QString readable(const std::string& name) {
    QString text = QString::fromStdString(name).replace(QLatin1Char('_'), QLatin1Char(' '));
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

/// "yes" for true, the title of a choice; what a person typed stays as it is.
QString valueTitle(const ConfigField& field, const QString& value) {
    if (field.type == FieldType::Boolean)
        return value == QLatin1String("true") ? QCoreApplication::translate("fields", "yes")
                                              : QCoreApplication::translate("fields", "no");
    const std::string choice = QString(value).remove(QLatin1Char('"')).toStdString();
    return std::ranges::find(field.choices, choice) == field.choices.end() ? value : choiceTitle(choice);
}

} // namespace

QString fieldTitle(const ConfigField& field) {
    const std::string_view title = settingTitle(field.key);
    return title.empty() ? readable(field.key.substr(field.key.find('.') + 1))
                         : QCoreApplication::translate("fields", title.data());
}

QString choiceTitle(const std::string& choice) {
    if (choice.starts_with("cuda:"))
        return QCoreApplication::translate("choices", "GPU %1").arg(QString::fromStdString(choice.substr(5)));
    const std::string_view title = accumulus::choiceTitle(choice);
    return title.empty() ? QString::fromStdString(choice) : QCoreApplication::translate("choices", title.data());
}

QString settingTitles(const QString& text) {
    // Not in the name of a file, and not in what is typed after --set.
    static const QRegularExpression setting(QStringLiteral(
        "(?<![\\w./-])([A-Za-z][a-z]*\\.[a-z0-9_]+)(?![\\w/=-]|\\.\\w)( = (true\\b|false\\b|\"[^\"]*\"))?"));
    QString titled;
    qsizetype at = 0;
    for (auto found = setting.globalMatch(text); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        const ConfigField* field = findField(match.captured(1).toLower().toStdString()); // it may begin the sentence
        if (!field)
            continue;
        titled += text.mid(at, match.capturedStart() - at);
        titled += QStringLiteral("“%1”").arg(fieldTitle(*field));
        if (match.hasCaptured(3))
            titled += QStringLiteral(" = ") + valueTitle(*field, match.captured(3));
        at = match.capturedEnd();
    }
    return titled + text.mid(at);
}

} // namespace accumulus::ui
