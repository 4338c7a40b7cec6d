// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/setting_axis_text.h"

#include "widgets/models/comparison_text.h"
#include "widgets/models/field_values.h"
#include "widgets/models/field_words.h"
#include "widgets/style/format.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

namespace accumulus::ui::setting_axis_text {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::setting_axis_text)
};

constexpr double kLargestWhole = 1e15;

QString settingTitle(const SettingAxis& axis) {
    const ConfigField* field = findField(axis.key);
    if (field == nullptr)
        return format::fromUtf8(axis.key);
    const QString unit = axis.scale == AxisScale::Words ? QString()
                         : axis.unit                    ? extentUnitTitle(*axis.unit)
                                                        : fieldUnit(*field);
    const QString name = fieldTitle(*field);
    return unit.isEmpty() ? name : Words::tr("%1 (%2)", "a setting and its unit").arg(name, unit);
}

} // namespace

QString title(const SettingAxes& axes, const SettingAxis& axis) {
    if (axis.subject == SettingAxis::Subject::Seed)
        return Words::tr("Seed");
    if (axis.subject == SettingAxis::Subject::Setting)
        return settingTitle(axis);
    const QString metric = comparison_text::metricTitle(axes.judged);
    return metricRow(axes.judged).isShare ? Words::tr("%1 (%)", "a metric in per cent").arg(metric) : metric;
}

QString value(const SettingAxes& axes, const SettingAxis& axis, std::size_t run) {
    const MeasuredRun& measured = axes.runs[run];
    if (axis.subject == SettingAxis::Subject::Seed)
        return QString::number(measured.seed);
    if (axis.subject == SettingAxis::Subject::Metric)
        return comparison_text::value(axes.judged, measured.metric);
    const ConfigField* field = findField(axis.key);
    if (field == nullptr || !axis.values[run])
        return Words::tr("(not set)");
    return fieldValueText(*field, ExperimentConfig{measured.config, {}});
}

QString number(const SettingAxes& axes, const SettingAxis& axis, double value) {
    const double shown = value * factor(axes, axis);
    if (axis.subject == SettingAxis::Subject::Seed)
        return QString::number(static_cast<qlonglong>(shown));
    if (shown == std::floor(shown) && std::abs(shown) < kLargestWhole)
        return format::count(static_cast<qint64>(shown));
    return format::number(shown);
}

QString word(const SettingAxes& axes, const SettingAxis& axis, std::size_t word) {
    return word < axis.examples.size() ? value(axes, axis, axis.examples[word]) : QString();
}

double factor(const SettingAxes& axes, const SettingAxis& axis) {
    return axis.subject == SettingAxis::Subject::Metric ? comparison_text::unitFactor(axes.judged) : 1.0;
}

QString groupLetter(std::size_t group) { return comparison_text::groupLetter(group); }

} // namespace accumulus::ui::setting_axis_text
