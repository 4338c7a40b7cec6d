// SPDX-License-Identifier: GPL-3.0-or-later
// Names that are edited in their place in the library's table.
#include "widgets/pages/library/frozen_columns.h"
#include "widgets/pages/library/run_delegate.h"
#include "widgets/pages/library/run_table.h"

#include <QLineEdit>
#include <algorithm>
#include <utility>

namespace accumulus::ui {

void RunTable::renameSelected() {
    const QModelIndexList chosen = selectionModel()->selectedRows(static_cast<int>(RunColumn::Name));
    if (chosen.size() != 1 || !chosen.front().flags().testFlag(Qt::ItemIsEditable))
        return;
    const QModelIndex name = chosen.front();
    if (currentIndex().row() != name.row()) // where the keyboard is afterwards
        selectionModel()->setCurrentIndex(name, QItemSelectionModel::NoUpdate);
    scrollTo(name);
    m_frozen->viewOf(name.column()).edit(name);
}

QLineEdit* RunTable::openNameField() const { // here or in the columns that are kept in sight
    const auto fields = findChildren<QLineEdit*>(QLatin1String(RunDelegate::nameEditor));
    const auto open = std::ranges::find_if(fields, [](const QLineEdit* field) { return !field->isHidden(); });
    return open == fields.end() ? nullptr : *open;
}

void RunTable::keepName() {
    m_name.reset();
    if (const QLineEdit* field = openNameField())
        m_name = {field->text(), field->isModified(), field->cursorPosition(), field->selectionStart(),
                  static_cast<int>(field->selectedText().size())};
}

/// In the row that is the current one again.
void RunTable::restoreName() {
    const auto name = std::exchange(m_name, std::nullopt);
    const QModelIndex at = m_model.index(currentIndex().row(), static_cast<int>(RunColumn::Name));
    if (!name || !at.flags().testFlag(Qt::ItemIsEditable))
        return;
    scrollTo(at);
    m_frozen->viewOf(at.column()).edit(at);
    QLineEdit* field = openNameField();
    if (!field)
        return;
    field->setText(name->text);
    field->setModified(name->modified);
    if (name->selectionStart >= 0)
        field->setSelection(name->selectionStart, name->selected);
    else
        field->setCursorPosition(name->cursor);
}

} // namespace accumulus::ui
