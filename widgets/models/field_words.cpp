// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/field_words.h"

#include "core/config/setting_words.h"
#include "widgets/style/format.h"
#include "widgets/style/word_table.h"

namespace accumulus::ui {

namespace {

// clang-format off
constexpr Word units[] = {
    {"samples", QT_TRANSLATE_NOOP("units", "samples")},
    {"updates", QT_TRANSLATE_NOOP("units", "updates")},
    {"epochs", QT_TRANSLATE_NOOP("units", "epochs")},
    {"pixels", QT_TRANSLATE_NOOP("units", "pixels")},
    {"tokens", QT_TRANSLATE_NOOP("units", "tokens")},
    {"layers", QT_TRANSLATE_NOOP("units", "layers")},
    {"heads", QT_TRANSLATE_NOOP("units", "heads")},
    {"channels", QT_TRANSLATE_NOOP("units", "channels")},
    {"micro-steps", QT_TRANSLATE_NOOP("units", "micro-steps")},
    {"devices", QT_TRANSLATE_NOOP("units", "devices")},
    {"lanes", QT_TRANSLATE_NOOP("units", "lanes")},
    {"threads", QT_TRANSLATE_NOOP("units", "threads")},
    {"checkpoints", QT_TRANSLATE_NOOP("units", "checkpoints")},
};
// clang-format on

/// A help text, in which other settings are named by their titles.
QString helpWords(const std::string& english) {
    return settingTitles(QCoreApplication::translate("fields", english.c_str()));
}

/// As allowedText of the core, in the current language; the form writes ramps and lists in its own way.
QString allowedWords(const ConfigField& field) {
    Message allowed = allowedMessage(field);
    if (field.type == FieldType::Ramp)
        allowed.code = "allowed.ramp-form";
    if (field.type == FieldType::IntegerList)
        allowed.code = field.distinct ? "allowed.integer-list-form" : "allowed.integers-form";
    return format::message(allowed);
}

} // namespace

QString fieldHelp(const ConfigField& field) { return helpWords(field.help); }

QString fieldToolTip(const ConfigField& field) {
    const auto line = [](const QString& text) { return QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped()); };
    QString text = QStringLiteral("<p><b>%1</b></p>").arg(fieldHelp(field).toHtmlEscaped());
    if (!field.details.empty())
        text += line(helpWords(field.details));
    const QString start = QString::fromStdString(fieldText(field.get(ExperimentConfig{})));
    text += QStringLiteral("<p><small>%1 · %2<br><code>%3</code></small></p>")
                .arg(allowedValues(field).toHtmlEscaped(),
                     QCoreApplication::translate("fields", "Default: %1").arg(start.toHtmlEscaped()),
                     QString::fromStdString(field.key).toHtmlEscaped());
    return text;
}

QString fieldUnit(const ConfigField& field) {
    const QString unit = translated("units", units, field.unit);
    return unit.isEmpty() ? QString::fromStdString(field.unit) : unit;
}

QString zeroMeaning(const ConfigField& field) {
    const std::string_view words = accumulus::zeroMeaning(field.key);
    return words.empty() ? QString() : QCoreApplication::translate("fields", words.data());
}

QString emptyMeaning(const ConfigField& field) {
    const std::string_view words = accumulus::emptyMeaning(field.key);
    return words.empty() ? QString() : QCoreApplication::translate("fields", words.data());
}

QString extentUnitTitle(Extent::Unit unit) {
    switch (unit) {
    case Extent::Unit::Updates:
        return translated("units", units, "updates");
    case Extent::Unit::Samples:
        return translated("units", units, "samples");
    case Extent::Unit::Epochs:
        return translated("units", units, "epochs");
    }
    return {};
}

QString allowedValues(const ConfigField& field) {
    return QCoreApplication::translate("fields", "Allowed: %1").arg(allowedWords(field));
}

QString findingText(const Finding& finding) { return format::message(finding.message); }

QString fixLabel(const Fix& fix) { return format::message(fix.label); }

} // namespace accumulus::ui
