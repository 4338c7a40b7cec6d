// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/examples_dialog.h"

#include "widgets/style/controls.h"
#include "widgets/style/format.h"
#include "widgets/style/rounded_row_delegate.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QListWidget>
#include <QPushButton>

namespace accumulus::ui {

ExamplesDialog::ExamplesDialog(const Theme& theme, const std::filesystem::path& folder, QWidget* parent)
    : QDialog(parent), m_list(new QListWidget), m_open(primaryButton(theme, tr("Open in Set up"))) {
    setObjectName(QStringLiteral("examples"));
    setWindowTitle(tr("Examples"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_list->setObjectName(QStringLiteral("examples.list"));
    m_list->setAccessibleName(tr("Examples"));
    m_list->setWordWrap(true);
    m_list->setItemDelegate(new RoundedRowDelegate(theme, m_list));
    m_list->setResizeMode(QListView::Adjust);
    m_list->setSpacing(2);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_open->setObjectName(QStringLiteral("examples.open"));
    m_open->setEnabled(false);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setText(QCoreApplication::translate("accumulus::ui::Dialogs", "Close"));
    buttons->addButton(m_open, QDialogButtonBox::AcceptRole);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::xl, space::xl, space::xl, space::l);
    column->setSpacing(space::l);
    column->addWidget(new RoleLabel(theme, TextRole::PageTitle, tr("Examples")));
    column->addWidget(new RoleLabel(theme, TextRole::Body,
                                    tr("Each is an experiment with one question. It opens in Set up, where you can "
                                       "change it before you start it.")));
    column->addWidget(m_list, 1);
    column->addWidget(buttons);
    resize(700, 580);
    connect(m_open, &QPushButton::clicked, this, &ExamplesDialog::choose);
    connect(m_list, &QListWidget::itemActivated, this, &ExamplesDialog::choose);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    m_lookUps.ask<std::vector<Example>>([folder]() -> Result<std::vector<Example>> { return listExamples(folder); },
                                        [this](const Result<std::vector<Example>>& examples) { fill(examples); });
}

void ExamplesDialog::fill(const Result<std::vector<Example>>& examples) {
    if (!examples) {
        (new QListWidgetItem(format::error(examples.error()), m_list))->setFlags(Qt::NoItemFlags);
        return;
    }
    for (const Example& example : *examples) {
        // The files ask in English; translations stand with those of the core.
        const QString question = QCoreApplication::translate("examples", example.question.c_str());
        auto* item =
            new QListWidgetItem(QStringLiteral("%1\n%2").arg(format::fromUtf8(example.name), question), m_list);
        item->setData(Qt::UserRole, QString::fromStdString(example.file.string()));
    }
    m_list->setCurrentRow(0);
    m_open->setEnabled(m_list->count() > 0);
    m_list->setFocus();
}

void ExamplesDialog::choose() {
    if (const QListWidgetItem* item = m_list->currentItem()) {
        Q_EMIT chosen(item->data(Qt::UserRole).toString());
        close();
    }
}

} // namespace accumulus::ui
