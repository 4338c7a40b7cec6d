// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/audit/audit_tensor_table.h"

#include "widgets/pages/page.h"
#include "widgets/style/format.h"
#include "widgets/style/icons.h"

#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTableView>
#include <algorithm>
#include <tuple>

namespace accumulus::ui {
namespace {

constexpr int rowHeight = 30;
constexpr int mostRows = 14; ///< longer tables scroll by themselves
constexpr int widestName = 300;

/// A mark in front of the result: form and colour.
class ResultDelegate : public QStyledItemDelegate {
public:
    ResultDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), m_theme(theme) {}

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.column() != AuditedTensorModel::Result)
            return;
        const bool passed = index.data(AuditedTensorModel::PassedRole).toBool();
        option->icon = passed ? icon(QStringLiteral("check"), m_theme.colors().good)
                              : icon(QStringLiteral("close"), m_theme.colors().bad);
        option->decorationSize = QSize(16, 16);
        option->features |= QStyleOptionViewItem::HasDecoration;
    }

private:
    const Theme& m_theme;
};

/// As tall as its rows: the page scrolls, not the table.
void fitHeight(QTableView* table) {
    const int rows = std::clamp(table->model()->rowCount(), 1, mostRows);
    table->setFixedHeight(table->horizontalHeader()->sizeHint().height() + rows * rowHeight +
                          table->horizontalScrollBar()->sizeHint().height() + 2 * table->frameWidth());
}

} // namespace

AuditTensorTable::AuditTensorTable(const Theme& theme, QWidget* parent)
    : Card(theme, tr("Tensor by tensor"), parent), m_model(new AuditedTensorModel(this)),
      m_count(new RoleLabel(theme, TextRole::Caption, {}, this)), m_failedOnly(new QCheckBox(tr("Failed on&ly"), this)),
      m_filter(new QLineEdit(this)), m_table(new QTableView(this)),
      m_columnAction(new QAction(tr("Column of the tensors…"), this)) {
    m_count->setObjectName(QStringLiteral("auditTensorCount"));
    m_count->setWordWrap(false);
    m_failedOnly->setObjectName(QStringLiteral("auditFailedOnly"));
    m_filter->setObjectName(QStringLiteral("auditTensorFilter"));
    m_filter->setAccessibleName(tr("Filter tensors by name"));
    m_filter->setPlaceholderText(tr("Filter by name"));
    m_filter->setClearButtonEnabled(true);
    auto* row = new QHBoxLayout;
    row->setSpacing(space::m);
    row->addWidget(m_filter, 1);
    row->addWidget(m_failedOnly);
    row->addStretch(1);
    row->addWidget(m_count);
    content()->addLayout(row);

    m_table->setObjectName(QStringLiteral("auditTensorTable"));
    m_table->setAccessibleName(tr("Errors of the tensors"));
    m_table->setModel(m_model);
    m_table->setItemDelegate(new ResultDelegate(theme, m_table));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    content()->addWidget(m_table);
    fitHeight(m_table);
    addColumnAction();

    connect(m_failedOnly, &QCheckBox::toggled, this, [this](bool on) {
        m_model->setFailedOnly(on);
        filtered();
    });
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_model->setFilter(text);
        filtered();
    });
    connect(&theme, &Theme::changed, m_table->viewport(), qOverload<>(&QWidget::update));
}

void AuditTensorTable::addColumnAction() {
    setAccessibleName(m_table->accessibleName()); // of the key's row in the list of keys
    m_columnAction->setObjectName(QStringLiteral("auditTensorColumn"));
    m_columnAction->setShortcut(Qt::Key_C);
    m_columnAction->setShortcutContext(Qt::WidgetShortcut); // a single key acts on the table only
    m_columnAction->setProperty(kWhyNotProperty, tr("Open an audit result first."));
    m_columnAction->setEnabled(false);
    m_table->addAction(m_columnAction);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_columnAction, &QAction::triggered, this, &AuditTensorTable::showColumnMenu);
}

void AuditTensorTable::showColumnMenu() {
    const int column = std::max(0, m_table->currentIndex().column());
    const QHeaderView& header = *m_table->horizontalHeader();
    if (m_table->currentIndex().isValid())
        m_table->scrollTo(m_table->currentIndex());
    auto* menu = new QMenu(m_table);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("auditColumnMenu"));
    menu->setAccessibleName(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    for (const auto& [text, by, order] : {std::tuple(tr("Sort ascending"), column, Qt::AscendingOrder),
                                          std::tuple(tr("Sort descending"), column, Qt::DescendingOrder),
                                          std::tuple(tr("Order of the network"), -1, Qt::AscendingOrder)})
        connect(menu->addAction(text), &QAction::triggered, m_table,
                [this, section = by, how = order] { m_table->sortByColumn(section, how); });
    menu->popup(header.mapToGlobal(QPoint(header.sectionViewportPosition(column), header.height())));
}

void AuditTensorTable::showEvent(QShowEvent* event) {
    Card::showEvent(event);
    m_columnAction->setEnabled(true);
}

void AuditTensorTable::hideEvent(QHideEvent* event) {
    Card::hideEvent(event);
    m_columnAction->setEnabled(false);
}

void AuditTensorTable::setAudit(const GradientAudit& audit) {
    m_model->setTensors(audit.tensors, audit.verdict);
    m_table->resizeColumnsToContents();
    m_table->setColumnWidth(AuditedTensorModel::Name,
                            std::min(widestName, m_table->columnWidth(AuditedTensorModel::Name)));
    filtered();
}

void AuditTensorTable::filtered() {
    const auto all = static_cast<qint64>(m_model->totalCount());
    const qint64 shown = m_model->rowCount();
    const auto failed = static_cast<qint64>(m_model->failedCount());
    m_count->setText(shown == all
                         ? tr("%1 tensors, %2 above the tolerance").arg(format::count(all), format::count(failed))
                         : tr("%1 of %2 tensors").arg(format::count(shown), format::count(all)));
    fitHeight(m_table);
}

} // namespace accumulus::ui
