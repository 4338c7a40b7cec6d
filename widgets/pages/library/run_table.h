// SPDX-License-Identifier: GPL-3.0-or-later
// The library's table: columns that can be hidden, moved and kept in sight, several columns to sort by, groups that
// open and close; layout and sort order are remembered. Keeps the selection by run and group, and the name that is
// being typed, while the model is reset. GUI thread.
#pragma once

#include "widgets/pages/library/run_columns.h"
#include "widgets/style/theme.h"

#include <QHash>
#include <QMenu>
#include <QStringList>
#include <QTableView>
#include <optional>

class QLineEdit;

namespace accumulus::ui {

class FrozenColumns;

class RunTable : public QTableView {
    Q_OBJECT
public:
    RunTable(const Theme& theme, RunListModel& model, QWidget* parent = nullptr);
    ~RunTable() override; ///< remembers the layout

    [[nodiscard]] QStringList selectedRuns() const; ///< in the order of the rows, those of groups as well, each once
    void selectRuns(const QStringList& runs);
    void renameSelected(); ///< a field in place of the name of the one selected row, where it has one of its own
    void keepSelected(const QStringList& runs); ///< once they have been read
    void resetColumns();
    void saveColumns() const;
    /// Columns, their order and widths, those that are kept in sight, and the sort order.
    [[nodiscard]] QVariantMap layoutState() const;
    void setLayoutState(const QVariantMap& state);
    void setFrozen(int columns);                         ///< of the first ones; 0: none
    void showTrash(bool trash);                          ///< with the days that are left
    [[nodiscard]] QList<RunColumn> shownColumns() const; ///< from left to right
    void showColumnMenu();                               ///< of the current cell's column, below its header

public Q_SLOTS:
    void selectAll() override; ///< what the filter leaves: not a baseline that it hides

Q_SIGNALS:
    void shown(bool visible); ///< or hidden
    void selectionSettled();  ///< after a change of selection or of the rows below it
    /// Before the menu of a column is shown, for what others add to it.
    void columnMenuOpening(accumulus::ui::RunColumn column, QMenu* menu);

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

protected Q_SLOTS:
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void showColumnMenu(int column, const QPoint& position);
    void addColumnChoices(QMenu& menu);
    void addSortChoices(QMenu& menu, int section);
    void placeColumns(const ColumnLayout& layout, bool roomForDifferences);
    void addMoveChoices(QMenu& menu, int section);
    void makeRoomForDifferences();
    void keepSelection();
    void restoreSelection();
    [[nodiscard]] int nearestRun(int row) const;    ///< at `row`, else below, else above it; -1: there is none
    [[nodiscard]] QLineEdit* openNameField() const; ///< null: none is
    void keepName();
    void restoreName();
    [[nodiscard]] int widthFor(int section, int firstRow, int lastRow) const;
    [[nodiscard]] int differenceRoom(RunColumn column) const;
    void fitColumns(int firstRow, int lastRow, bool anew = false);
    void giveWidth(int section, int width);

    RunListModel& m_model;
    FrozenColumns* m_frozen = nullptr;
    QStringList m_kept, m_keptGroups;
    QStringList m_wanted;
    QString m_current, m_currentGroup; ///< of the current row, either of them
    int m_currentRow = -1;
    struct TypedName {
        QString text;
        bool modified = false;
        int cursor = 0, selectionStart = -1, selected = 0;
    };
    std::optional<TypedName> m_name;   ///< in the field of the current row, while the rows are exchanged
    QHash<int, int> m_hiddenWidths;    ///< by section: how wide it was when it was hidden
    QHash<int, int> m_fitted;          ///< by section: the width that the table gave it, not a person
    bool m_roomForDifferences = false; ///< measured columns are that much wider
    bool m_trash = false;
};

} // namespace accumulus::ui
