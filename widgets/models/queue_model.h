// SPDX-License-Identifier: GPL-3.0-or-later
// The queue as a table, one row for each study that waits. Rows can be dragged to another place. GUI thread.
#pragma once

#include "widgets/bridge/library_gateway.h"
#include "widgets/bridge/run_controller.h"

#include <QAbstractTableModel>
#include <QHash>
#include <optional>

namespace accumulus::ui {

/// What a row calls what waits there.
[[nodiscard]] QString titleOf(const QueuedStudy& study);

class QueueModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Study, Batch, Seeds, Runs, Time, Starts, ColumnCount };
    static constexpr int IdRole = Qt::UserRole;

    QueueModel(RunController& runs, LibraryGateway& library, QObject* parent = nullptr); ///< both outlive it

    [[nodiscard]] QString idAt(int row) const; ///< empty: no such row
    void retranslate();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override;
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

Q_SIGNALS:
    void moveRequested(const QString& id, int to); ///< by a drop; `to`: its row afterwards

private:
    void update();
    void askForTimes(bool anew);
    [[nodiscard]] QString text(const QueuedStudy& study, int row, int column) const;
    [[nodiscard]] QString startText(const QueuedStudy& study, int row) const;

    RunController& m_runs;
    LibraryGateway& m_library;
    std::vector<QueuedStudy> m_rows;
    QHash<QString, double> m_seconds; ///< by id; negative: not known
};

} // namespace accumulus::ui
