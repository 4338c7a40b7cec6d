// SPDX-License-Identifier: GPL-3.0-or-later
// The tensors of an audit: a table that sorts by its headers and by keys, filtered by name and by result. GUI thread.
#pragma once

#include "widgets/models/audited_tensor_model.h"
#include "widgets/style/controls.h"

class QAction;
class QCheckBox;
class QLineEdit;
class QTableView;

namespace accumulus::ui {

class AuditTensorTable : public Card {
    Q_OBJECT
public:
    explicit AuditTensorTable(const Theme& theme, QWidget* parent = nullptr);
    void setAudit(const GradientAudit& audit);
    [[nodiscard]] QAction* columnAction() { return m_columnAction; } ///< the menu of the current cell's column

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void filtered();
    void addColumnAction();
    void showColumnMenu();

    AuditedTensorModel* m_model;
    RoleLabel* m_count;
    QCheckBox* m_failedOnly;
    QLineEdit* m_filter;
    QTableView* m_table;
    QAction* m_columnAction;
};

} // namespace accumulus::ui
