// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/trash_dialog.h"

#include "widgets/style/controls.h"
#include "widgets/style/format.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace accumulus::ui {

namespace {

/// The files of a run are below it, closed at first.
QTreeWidget* listOf(const std::vector<RunFiles>& runs) {
    auto* list = new QTreeWidget;
    list->setObjectName(QStringLiteral("emptyTrashFiles"));
    list->setHeaderHidden(true); // the columns explain themselves
    list->setColumnCount(2);
    list->setSelectionMode(QAbstractItemView::NoSelection);
    list->setTextElideMode(Qt::ElideMiddle);
    const auto add = [](auto* parent, const QString& name, qint64 bytes) {
        auto* item = new QTreeWidgetItem(parent, {name, format::bytes(bytes)});
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(0, name);
        return item;
    };
    for (const RunFiles& deleted : runs) {
        QTreeWidgetItem* run = add(list, format::fromUtf8(deleted.run.name), deleted.bytes());
        for (const RunFiles::File& file : deleted.files)
            add(run, file.name, file.bytes);
    }
    list->header()->setStretchLastSection(false);
    list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    return list;
}

} // namespace

EmptyTrashDialog::EmptyTrashDialog(const Theme& theme, const std::vector<RunFiles>& runs, QWidget* parent)
    : QDialog(parent) {
    qint64 bytes = 0;
    std::size_t files = 0;
    for (const RunFiles& deleted : runs) {
        bytes += deleted.bytes();
        files += deleted.files.size();
    }
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
    QTreeWidget* list = listOf(runs);
    list->setAccessibleName(tr("Runs that will be deleted"));
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
