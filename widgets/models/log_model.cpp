// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/log_model.h"

#include <QLocale>
#include <algorithm>

namespace accumulus::ui {

LogModel::LogModel(QObject* parent) : QAbstractTableModel(parent) {}

void LogModel::append(LogLevel level, const QString& message) {
    bool first = false;
    {
        const std::lock_guard lock(m_mutex);
        first = m_waiting.empty();
        m_waiting.push_back({QDateTime::currentDateTime(), level, message});
    }
    if (first)
        QMetaObject::invokeMethod(this, &LogModel::takeOver, Qt::QueuedConnection);
}

void LogModel::takeOver() {
    std::vector<Line> lines;
    {
        const std::lock_guard lock(m_mutex);
        lines.swap(m_waiting);
    }
    if (lines.size() > static_cast<std::size_t>(capacity))
        lines.erase(lines.begin(), lines.end() - capacity);
    const int surplus = rowCount() + static_cast<int>(lines.size()) - capacity;
    if (surplus > 0) {
        beginRemoveRows({}, 0, surplus - 1);
        m_lines.erase(m_lines.begin(), m_lines.begin() + surplus);
        endRemoveRows();
    }
    if (lines.empty())
        return;
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(lines.size()) - 1);
    std::ranges::move(lines, std::back_inserter(m_lines));
    endInsertRows();
}

void LogModel::clear() {
    beginResetModel();
    m_lines.clear();
    endResetModel();
}

int LogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int LogModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant LogModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Line& line = m_lines[static_cast<std::size_t>(index.row())];
    if (role == LevelRole)
        return static_cast<int>(line.level);
    if (role == Qt::ToolTipRole && index.column() == MessageColumn)
        return line.message;
    if (role == Qt::ToolTipRole && index.column() == TimeColumn) // of a study that trains for days
        return line.time.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case TimeColumn:
        return QLocale().toString(line.time.time(), QStringLiteral("HH:mm:ss.zzz"));
    case LevelColumn:
        switch (line.level) {
        case LogLevel::Debug:
            return tr("Debug");
        case LogLevel::Info:
            return tr("Info");
        case LogLevel::Warning:
            return tr("Warning");
        case LogLevel::Error:
            return tr("Error");
        }
        return {};
    default:
        return line.message;
    }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case TimeColumn:
        return tr("Time");
    case LevelColumn:
        return tr("Level");
    case MessageColumn:
        return tr("Message");
    default:
        return {};
    }
}

void LogFilterModel::setLevel(LogLevel lowest) {
    m_level = lowest;
    invalidateFilter();
}

void LogFilterModel::setText(const QString& text) {
    m_text = text;
    invalidateFilter();
}

bool LogFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const QModelIndex index = sourceModel()->index(row, LogModel::MessageColumn, parent);
    if (index.data(LogModel::LevelRole).toInt() < static_cast<int>(m_level))
        return false;
    return m_text.isEmpty() || index.data(Qt::DisplayRole).toString().contains(m_text, Qt::CaseInsensitive);
}

} // namespace accumulus::ui
