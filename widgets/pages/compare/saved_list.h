// SPDX-License-Identifier: GPL-3.0-or-later
// Saved comparisons: open, rename, delete. Shows values and tells what the person wants. GUI thread.
#pragma once

#include "widgets/models/saved_comparison_model.h"
#include "widgets/style/controls.h"

class QPushButton;
class QTableView;

namespace accumulus::ui {

class SavedList : public Card {
    Q_OBJECT
public:
    explicit SavedList(const Theme& theme, QWidget* parent = nullptr);

    void setRecords(const std::vector<ComparisonRecord>& records);
    void setWritable(bool on);
    void editName(const std::string& id); ///< the row is selected, its name can be typed
    void focusTable();
    [[nodiscard]] const std::vector<ComparisonRecord>& records() const { return m_model->records(); }

Q_SIGNALS:
    void openRequested(const accumulus::ComparisonRecord& record);
    void renameRequested(const accumulus::ComparisonRecord& record, const QString& name);
    void removeRequested(const accumulus::ComparisonRecord& record);

private:
    [[nodiscard]] const ComparisonRecord* current() const;
    void updateButtons();

    SavedComparisonModel* m_model;
    QTableView* m_table;
    RoleLabel* m_empty;
    QPushButton* m_open;
    QPushButton* m_rename;
    QPushButton* m_remove;
    bool m_writable = true;
};

} // namespace accumulus::ui
