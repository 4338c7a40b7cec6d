// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/trash_dialog.h"

#include "widgets/style/controls.h"
#include "widgets/style/format.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace accumulus::ui {

EmptyTrashDialog::EmptyTrashDialog(const Theme& theme, const std::vector<RunRecord>& runs, qint64 files, qint64 bytes,
                                   QWidget* parent)
    : QDialog(parent) {
    const auto count = static_cast<int>(runs.size());
    setObjectName(QStringLiteral("emptyTrashDialog"));
    setWindowTitle(tr("Empty Trash"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::xl, space::xl, space::xl, space::xl);
    column->setSpacing(space::m);
    column->addWidget(new RoleLabel(theme, TextRole::CardTitle, tr("Delete %n run(s) for good?", nullptr, count)));
    column->addWidget(new RoleLabel(theme, TextRole::Body,
                                    tr("Their curves, notes and %n file(s) (%1) are removed. This cannot be undone.",
                                       nullptr, static_cast<int>(files))
                                        .arg(format::bytes(bytes))));
    auto* list = new QListWidget;
    list->setAccessibleName(tr("Runs that will be deleted"));
    list->setSelectionMode(QAbstractItemView::NoSelection);
    for (const RunRecord& run : runs)
        list->addItem(format::fromUtf8(run.name));
    column->addWidget(list, 1);
    auto* label = new RoleLabel(theme, TextRole::Body, tr("Type %1 to confirm:").arg(count));
    auto* confirmation = new QLineEdit;
    confirmation->setObjectName(QStringLiteral("emptyTrashCount"));
    confirmation->setAccessibleName(tr("Number of runs to delete"));
    label->setBuddy(confirmation);
    column->addWidget(label);
    column->addWidget(confirmation);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Cancel)->setText(tr("Cancel"));
    QPushButton* empty = buttons->addButton(tr("Delete for good"), QDialogButtonBox::AcceptRole);
    empty->setObjectName(QStringLiteral("emptyTrashConfirm"));
    empty->setEnabled(false);
    column->addWidget(buttons);
    connect(confirmation, &QLineEdit::textChanged, empty,
            [empty, count](const QString& text) { empty->setEnabled(text.trimmed() == QString::number(count)); });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    confirmation->setFocus();
    resize(460, 420);
}

} // namespace accumulus::ui
