// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/setting_run_model.h"

#include "widgets/models/setting_axis_text.h"
#include "widgets/style/format.h"

#include <utility>

namespace accumulus::ui {

namespace {

QString lineOf(const QStringList& cells) { return cells.join(QLatin1Char('\t')) + QLatin1Char('\n'); }

} // namespace

SettingRunModel::SettingRunModel(SettingAxes axes, QObject* parent)
    : QAbstractTableModel(parent), m_axes(std::move(axes)) {
    for (std::size_t i = 0; i < m_axes.axes.size(); ++i)
        if (m_axes.axes[i].subject == SettingAxis::Subject::Setting)
            m_settings.push_back(i);
}

int SettingRunModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_axes.runs.size());
}

int SettingRunModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : FirstSetting + static_cast<int>(m_settings.size()) + 1;
}

const SettingAxis& SettingRunModel::axis(int column) const {
    const auto setting = static_cast<std::size_t>(column - FirstSetting);
    return setting < m_settings.size() ? m_axes.axes[m_settings[setting]] : m_axes.metric;
}

QString SettingRunModel::cell(int row, int column) const {
    switch (column) {
    case Run:
        return format::fromUtf8(run(row).name);
    case Group:
        return setting_axis_text::groupLetter(run(row).group);
    case Seed:
        return QString::number(run(row).seed);
    default:
        return setting_axis_text::value(m_axes, axis(column), static_cast<std::size_t>(row));
    }
}

QVariant SettingRunModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((index.column() >= FirstSetting ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return cell(index.row(), index.column());
    return {};
}

QVariant SettingRunModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount())
        return {};
    switch (section) {
    case Run:
        return tr("Run");
    case Group:
        return tr("Group");
    case Seed:
        return tr("Seed");
    default:
        return setting_axis_text::title(m_axes, axis(section));
    }
}

QString SettingRunModel::text() const {
    QStringList titles;
    for (int column = 0; column < columnCount(); ++column)
        titles << headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    QString text = lineOf(titles);
    for (int row = 0; row < rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < columnCount(); ++column)
            cells << cell(row, column);
        text += lineOf(cells);
    }
    return text;
}

} // namespace accumulus::ui
