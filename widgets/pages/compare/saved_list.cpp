// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare/saved_list.h"
#include "widgets/style/row_copy.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QShortcut>
#include <QTableView>
#include <algorithm>

namespace accumulus::ui {

namespace {
constexpr int kRowHeight = 30;
} // namespace

SavedList::SavedList(const Theme& theme, QWidget* parent)
    : Card(theme, tr("Saved comparisons"), parent), m_model(new SavedComparisonModel(this)),
      m_table(new QTableView(this)),
      m_empty(new RoleLabel(theme, TextRole::Caption,
                            tr("No comparison is saved yet. “Save” keeps the groups, the metric, the margin and when "
                               "it was set, the x axis and the band."),
                            this)),
      m_open(primaryButton(theme, tr("Open"), this)), m_rename(new QPushButton(tr("Rename"), this)),
      m_remove(new QPushButton(tr("Delete"), this)) {
    setObjectName(QStringLiteral("compare.savedList"));
    m_table->setObjectName(QStringLiteral("compare.savedTable"));
    m_table->setAccessibleName(tr("Saved comparisons"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    for (const int column : {SavedComparisonModel::Metric, SavedComparisonModel::Runs, SavedComparisonModel::Saved})
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    m_empty->setObjectName(QStringLiteral("compare.savedEmpty"));
    m_open->setObjectName(QStringLiteral("compare.savedOpen"));
    m_rename->setObjectName(QStringLiteral("compare.savedRename"));
    m_remove->setObjectName(QStringLiteral("compare.savedDelete"));
    m_open->setToolTip(tr("Shows the selected comparison as it was saved (Enter)"));
    m_rename->setToolTip(tr("Changes the name of the selected comparison (F2)"));
    m_remove->setToolTip(tr("Deletes the selected comparison, not its runs (Del)"));

    auto* row = new QHBoxLayout;
    row->setSpacing(space::s);
    addCopy(*m_table);
    for (QPushButton* button : {m_open, m_rename, m_remove}) {
        row->addWidget(button);
        addToMenu(*m_table, *button);
    }
    row->addStretch(1);
    content()->addWidget(m_empty);
    content()->addWidget(m_table, 1);
    content()->addLayout(row);

    const auto open = [this] {
        if (const ComparisonRecord* record = current())
            Q_EMIT openRequested(*record);
    };
    const auto remove = [this] {
        if (const ComparisonRecord* record = current(); record && m_writable)
            Q_EMIT removeRequested(*record);
    };
    connect(m_open, &QPushButton::clicked, this, open);
    connect(m_table, &QTableView::doubleClicked, this, open);
    connect(m_rename, &QPushButton::clicked, this, [this] {
        if (const ComparisonRecord* record = current())
            editName(record->id);
    });
    connect(m_remove, &QPushButton::clicked, this, remove);
    const auto addKey = [this](Qt::Key key, const QPushButton* button, const auto& act) {
        auto* shortcut = new QShortcut(key, m_table, nullptr, nullptr, Qt::WidgetShortcut);
        if (button)
            shortcut->setWhatsThis(button->text().remove(QLatin1Char('&')));
        connect(shortcut, &QShortcut::activated, this, act);
    };
    addKey(Qt::Key_Return, m_open, open);
    addKey(Qt::Key_Enter, nullptr, open); // of the number pad
    addKey(Qt::Key_Delete, m_remove, remove);
    connect(m_model, &SavedComparisonModel::renameRequested, this, &SavedList::renameRequested);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SavedList::updateButtons);
    connect(m_model, &QAbstractItemModel::modelReset, this, &SavedList::updateButtons);
    setRecords({});
}

void SavedList::setRecords(const std::vector<ComparisonRecord>& records) {
    const ComparisonRecord* selected = current();
    const std::string id = selected ? selected->id : std::string();
    m_model->setRecords(records);
    if (const auto same = std::ranges::find(records, id, &ComparisonRecord::id);
        same != records.end() && current() == nullptr)
        m_table->selectRow(static_cast<int>(same - records.begin()));
    m_empty->setVisible(records.empty());
    m_table->setVisible(!records.empty());
    updateButtons();
}

void SavedList::setWritable(bool on) {
    m_writable = on;
    m_model->setWritable(on);
    updateButtons();
}

void SavedList::editName(const std::string& id) {
    const auto& all = records();
    const auto found = std::ranges::find(all, id, &ComparisonRecord::id);
    if (found == all.end())
        return;
    const QModelIndex name = m_model->index(static_cast<int>(found - all.begin()), SavedComparisonModel::Name);
    m_table->setCurrentIndex(name);
    m_table->setFocus(Qt::OtherFocusReason);
    m_table->edit(name);
}

void SavedList::focusTable() {
    if (m_model->rowCount() > 0 && current() == nullptr)
        m_table->selectRow(0);
    m_table->setFocus(Qt::OtherFocusReason);
}

const ComparisonRecord* SavedList::current() const {
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    return rows.isEmpty() ? nullptr : m_model->at(rows.first());
}

void SavedList::updateButtons() {
    const bool some = current() != nullptr;
    m_open->setEnabled(some);
    m_rename->setEnabled(some && m_writable);
    m_remove->setEnabled(some && m_writable);
}

} // namespace accumulus::ui
