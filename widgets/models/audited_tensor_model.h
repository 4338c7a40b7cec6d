// SPDX-License-Identifier: GPL-3.0-or-later
// The tensors of an audit as a table that sorts and filters. GUI thread.
#pragma once

#include "core/analysis/gradient_audit.h"

#include <QAbstractTableModel>
#include <vector>

namespace accumulus::ui {

class AuditedTensorModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Name,
        Result,
        Error,
        Tolerance,
        NoiseFloor,
        LargestError,
        Cosine,
        Norm,
        ReferenceNorm,
        ErrorFp64,
        ReferenceErrorFp64,
        Shape,
        ColumnCount
    };
    enum Role {
        PassedRole = Qt::UserRole, ///< bool
        SortRole,                  ///< number or text that the column sorts by
    };
    using QAbstractTableModel::QAbstractTableModel;

    void setTensors(std::vector<AuditedTensor> tensors, AuditVerdict verdict);
    void setFailedOnly(bool on);
    void setFilter(const QString& text); ///< part of the name, whatever its case
    [[nodiscard]] std::size_t totalCount() const { return m_tensors.size(); }
    [[nodiscard]] std::size_t failedCount() const;
    [[nodiscard]] const AuditedTensor& tensor(int row) const { return m_tensors[m_visible[std::size_t(row)]]; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override; ///< column -1: the model's own order

private:
    void refill();
    [[nodiscard]] QString text(const AuditedTensor& tensor, int column) const;

    std::vector<AuditedTensor> m_tensors;
    std::vector<std::size_t> m_visible; ///< indices into m_tensors
    AuditVerdict m_verdict = AuditVerdict::Equivalent;
    bool m_failedOnly = false;
    QString m_filter;
    int m_sortColumn = -1;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace accumulus::ui
