// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of the Log dock: time, level, message; the newest 10 000. append() from any thread, the rest on the GUI
// thread. LogFilterModel shows those of a level and above that contain a text.
#pragma once

#include "core/base/log.h"

#include <QAbstractTableModel>
#include <QDateTime>
#include <QSortFilterProxyModel>
#include <deque>
#include <mutex>
#include <vector>

namespace accumulus::ui {

class LogModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { TimeColumn, LevelColumn, MessageColumn, ColumnCount };
    enum Role { LevelRole = Qt::UserRole };
    static constexpr int capacity = 10'000;

    explicit LogModel(QObject* parent = nullptr);

    void append(LogLevel level, const QString& message); ///< any thread
    void clear();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Line {
        QDateTime time;
        LogLevel level;
        QString message;
    };
    void takeOver();

    std::deque<Line> m_lines;
    std::mutex m_mutex;
    std::vector<Line> m_waiting; ///< guarded by m_mutex
};

class LogFilterModel : public QSortFilterProxyModel {
    Q_OBJECT
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setLevel(LogLevel lowest);
    void setText(const QString& text);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    LogLevel m_level = LogLevel::Info;
    QString m_text;
};

} // namespace accumulus::ui
