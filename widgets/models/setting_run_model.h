// SPDX-License-Identifier: GPL-3.0-or-later
// The completed runs of a comparison with their settings that differ and their metric, one row each: what the settings
// plot draws, to be read and copied. A snapshot. GUI thread.
#pragma once

#include "core/analysis/setting_axes.h"

#include <QAbstractTableModel>

namespace accumulus::ui {

class SettingRunModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Run, Group, Seed, FirstSetting }; ///< the metric stands last

    explicit SettingRunModel(SettingAxes axes, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] const MeasuredRun& run(int row) const { return m_axes.runs[static_cast<std::size_t>(row)]; }
    [[nodiscard]] QString text() const; ///< tab-separated, as shown, with a header line

private:
    [[nodiscard]] const SettingAxis& axis(int column) const; ///< of FirstSetting and what follows
    [[nodiscard]] QString cell(int row, int column) const;

    SettingAxes m_axes;
    std::vector<std::size_t> m_settings; ///< axes that have a column
};

} // namespace accumulus::ui
