// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/settings_figure.h"

#include "widgets/models/comparison_text.h"
#include "widgets/models/setting_axis_text.h"
#include "widgets/style/format.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

namespace accumulus::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::SettingsFigure)
};

constexpr std::size_t kFewestRuns = 2;

QString axisLine(const SettingsFigure& figure, const SettingAxis& axis, std::size_t run) {
    return Words::tr("%1: %2", "an axis and its value")
        .arg(setting_axis_text::title(figure.axes, axis), setting_axis_text::value(figure.axes, axis, run));
}

QStringList headLines(const SettingsFigure& figure, std::size_t run) {
    const MeasuredRun& measured = figure.axes.runs[run];
    return {format::fromUtf8(measured.name),
            Words::tr("%1, seed %2").arg(groupName(figure, measured.group)).arg(measured.seed)};
}

bool hasOwnColour(const MeasuredRun& run) { return !run.color.empty(); }

QString groupSummary(const SettingsFigure& figure, std::size_t group) {
    double sum = 0.0;
    int runs = 0;
    for (const MeasuredRun& run : figure.axes.runs)
        if (run.group == group) {
            sum += run.metric;
            ++runs;
        }
    if (runs == 0)
        return {};
    return Words::tr("%1: %n run(s), mean %2", nullptr, runs)
        .arg(groupName(figure, group), comparison_text::value(figure.axes.judged, sum / runs));
}

} // namespace

bool SettingsFigure::empty() const {
    return axes.runs.size() < kFewestRuns || !axes.settingsDiffer() || x >= axes.axes.size();
}

std::vector<const SettingAxis*> SettingsFigure::columns() const {
    std::vector<const SettingAxis*> shown;
    if (empty())
        return shown;
    if (view == SettingsView::Scatter)
        shown.push_back(&xAxis());
    else
        for (const std::size_t axis : parallelAxes(axes))
            shown.push_back(&axes.axes[axis]);
    shown.push_back(&axes.metric);
    return shown;
}

QString figureTitle(const SettingsFigure& figure) {
    const QString metric = comparison_text::metricTitle(figure.axes.judged);
    if (figure.view == SettingsView::Parallel || figure.empty())
        return Words::tr("Settings and metric: %1").arg(metric);
    return Words::tr("%1 against %2", "metric, setting")
        .arg(metric, setting_axis_text::title(figure.axes, figure.xAxis()));
}

QString groupName(const SettingsFigure& figure, std::size_t group) {
    return Words::tr("%1: %2", "letter of a group, its title")
        .arg(setting_axis_text::groupLetter(group), figure.groups.value(static_cast<qsizetype>(group)));
}

std::vector<std::size_t> groupsWithRuns(const SettingsFigure& figure) {
    std::vector<std::size_t> groups;
    for (qsizetype group = 0; group < figure.groups.size(); ++group)
        if (!figure.groups[group].isEmpty())
            groups.push_back(static_cast<std::size_t>(group));
    return groups;
}

QString emptyReason(const SettingsFigure& figure) {
    if (figure.axes.runs.size() < kFewestRuns)
        return Words::tr("Needs at least two completed runs.");
    return Words::tr("All runs have the same settings.");
}

QString figureSummary(const SettingsFigure& figure) {
    if (figure.empty())
        return emptyReason(figure);
    QStringList titles;
    for (const SettingAxis* axis : figure.columns())
        titles << setting_axis_text::title(figure.axes, *axis);
    QStringList parts{figureTitle(figure), Words::tr("Axes: %1").arg(titles.join(QStringLiteral(", ")))};
    for (const std::size_t group : groupsWithRuns(figure))
        if (const QString words = groupSummary(figure, group); !words.isEmpty())
            parts << words;
    const auto colored = std::ranges::count_if(figure.axes.runs, hasOwnColour);
    if (colored > 0)
        parts << Words::tr("%n run(s) in a colour of their own", nullptr, static_cast<int>(colored));
    return parts.join(QStringLiteral("; "));
}

QStringList readoutLines(const SettingsFigure& figure, std::size_t run) {
    QStringList lines = headLines(figure, run);
    if (figure.view == SettingsView::Scatter)
        lines << axisLine(figure, figure.xAxis(), run);
    return lines << axisLine(figure, figure.axes.metric, run);
}

QString runSummary(const SettingsFigure& figure, std::size_t run) {
    QStringList lines = headLines(figure, run);
    if (hasOwnColour(figure.axes.runs[run]))
        lines << Words::tr("in a colour of its own");
    for (const SettingAxis* axis : figure.columns())
        if (axis->subject != SettingAxis::Subject::Seed) // the head says it
            lines << axisLine(figure, *axis, run);
    return lines.join(QStringLiteral("; "));
}

std::vector<std::size_t> runOrder(const SettingsFigure& figure) {
    std::vector<std::size_t> order;
    if (figure.empty())
        return order;
    const bool scatter = figure.view == SettingsView::Scatter;
    for (std::size_t run = 0; run < figure.axes.runs.size(); ++run)
        if (!scatter || figure.xAxis().values[run])
            order.push_back(run);
    std::ranges::stable_sort(order, {}, [&](std::size_t run) {
        return std::pair(scatter ? *figure.xAxis().values[run] : 0.0, figure.axes.runs[run].metric);
    });
    return order;
}

} // namespace accumulus::ui
