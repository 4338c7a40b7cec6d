// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/field_values.h"

#include "core/config/batch_plan.h"
#include "core/config/metric_rows.h"
#include "widgets/models/comparison_text.h"
#include "widgets/models/field_words.h"
#include "widgets/style/format.h"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>

namespace accumulus::ui {

namespace {

/// The value of each type in words; units are added by fieldValueText.
struct ValueWords {
    const ConfigField& field;

    QString operator()(bool on) const {
        return on ? QCoreApplication::translate("fields", "yes") : QCoreApplication::translate("fields", "no");
    }
    QString operator()(std::int64_t number) const {
        return withUnit(QLocale().toString(static_cast<qlonglong>(number)));
    }
    QString operator()(double number) const {
        return withUnit(QLocale().toString(number, 'g', QLocale::FloatingPointShortest));
    }
    QString operator()(const std::string& text) const {
        if (text.empty())
            return QStringLiteral("–");
        return field.type == FieldType::Choice ? choiceTitle(text) : format::fromUtf8(text);
    }
    QString operator()(const Extent& extent) const {
        return QLocale().toString(static_cast<qlonglong>(extent.count)) + QChar(0x00A0) + extentUnitTitle(extent.unit);
    }
    QString operator()(const std::vector<std::int64_t>& numbers) const {
        QStringList parts;
        for (const std::int64_t number : numbers)
            parts << QString::number(number);
        return parts.join(QStringLiteral(", "));
    }
    QString operator()(const std::vector<double>& numbers) const {
        QStringList parts;
        for (const double number : numbers)
            parts << QLocale().toString(number, 'g', QLocale::FloatingPointShortest);
        return parts.join(QStringLiteral("; "));
    }
    QString operator()(const std::vector<std::string>& texts) const {
        QStringList parts;
        for (const std::string& text : texts)
            parts << format::fromUtf8(text);
        return parts.join(QStringLiteral(", "));
    }
    QString operator()(const BatchRamp& ramp) const { return ramp.empty() ? emptyMeaning(field) : rampText(ramp); }

    [[nodiscard]] QString withUnit(const QString& number) const {
        return field.unit.empty() ? number : number + QChar(0x00A0) + fieldUnit(field);
    }
};

QString words(const char* text) { return QCoreApplication::translate("fields", text); }

/// The default margin of a metric, of the large batch's mean where it is a share: "0.2 points", "1 %".
QString ownMargin(CompareMetric metric) {
    const double margin = metricRow(metric).margin;
    return metricRow(metric).marginIsShare ? format::number(100.0 * margin, 3) + QStringLiteral(" %")
                                           : comparison_text::magnitude(metric, margin);
}

bool isZero(const FieldValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value))
        return *number == 0;
    if (const auto* real = std::get_if<double>(&value))
        return *real == 0.0;
    const auto* extent = std::get_if<Extent>(&value);
    return extent && extent->count == 0;
}

} // namespace

QString fieldValueText(const ConfigField& field, const ExperimentConfig& experiment) {
    const FieldValue value = field.get(experiment);
    if (const QString zero = zeroMeaning(field); isZero(value) && !zero.isEmpty())
        return QStringLiteral("0 ") + zero;
    return std::visit(ValueWords{field}, value);
}

QString zeroInField(const ConfigField& field, const ExperimentConfig& experiment) {
    if (field.key == "optimizer.lr_batch")
        if (const auto plan = resolveBatch(experiment.run.batch))
            return words(QT_TRANSLATE_NOOP("fields", "= this batch, %1")).arg(format::count(plan->largestEffective()));
    if (field.key == "study.margin")
        if (const auto metric = studyMetric(experiment.study.metric, experiment.run))
            return words(metricRow(*metric).marginIsShare ? QT_TRANSLATE_NOOP("fields", "= default, %1 of the mean")
                                                          : QT_TRANSLATE_NOOP("fields", "= default, %1"))
                .arg(ownMargin(*metric));
    return zeroMeaning(field);
}

QString marginText(const ExperimentConfig& experiment) {
    const auto metric = studyMetric(experiment.study.metric, experiment.run);
    if (!metric)
        return QStringLiteral("–");
    if (experiment.study.margin > 0.0)
        return QStringLiteral("±") + comparison_text::margin(*metric, experiment.study.margin);
    return words(metricRow(*metric).marginIsShare
                     ? QT_TRANSLATE_NOOP("fields", "±%1 of the large batch's mean, the metric's default")
                     : QT_TRANSLATE_NOOP("fields", "±%1, the metric's default"))
        .arg(ownMargin(*metric));
}

QString unitInField(const ConfigField& field, const ExperimentConfig& experiment) {
    if (field.key != "study.margin")
        return fieldUnit(field);
    const auto metric = studyMetric(experiment.study.metric, experiment.run);
    if (!metric || !metricRow(*metric).isShare)
        return {}; // Compare says the same number
    return QStringLiteral("= ") + comparison_text::margin(*metric, experiment.study.margin);
}

QString rampText(const BatchRamp& ramp) {
    QStringList parts;
    for (const RampPoint& point : ramp)
        parts << QStringLiteral("%1: %2").arg(point.update).arg(point.effective);
    return parts.join(QStringLiteral(", "));
}

std::optional<BatchRamp> rampFromText(const QString& text) {
    // As typed with a Chinese keyboard too.
    QString plain = text.normalized(QString::NormalizationForm_KC).simplified();
    static const QRegularExpression pairs(QStringLiteral("^(?:\\d+ ?: ?\\d+(?: ?[,;\u3001] ?| (?=\\d)|$))+$"));
    if (pairs.match(plain).hasMatch()) {
        static const QRegularExpression pair(QStringLiteral("(\\d+) ?: ?(\\d+)"));
        QStringList points;
        for (auto found = pair.globalMatch(plain); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            points << QStringLiteral("[%1, %2]").arg(match.captured(1), match.captured(2));
        }
        plain = QStringLiteral("[%1]").arg(points.join(QStringLiteral(", ")));
    } else if (plain.isEmpty()) {
        return BatchRamp();
    }
    ExperimentConfig scratch;
    if (!applyAssignment(scratch, "batch.ramp=" + plain.toStdString()))
        return std::nullopt;
    return scratch.run.batch.ramp;
}

} // namespace accumulus::ui
