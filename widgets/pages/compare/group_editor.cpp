// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare/group_editor.h"

#include "widgets/models/comparison_text.h"
#include "widgets/style/flow_layout.h"
#include "widgets/style/row_copy.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

namespace accumulus::ui {

namespace {

constexpr int kRowHeight = 30;
/// Of the columns beside the name.
constexpr std::array<std::pair<int, int>, 7> kLetters{{{GroupModel::Group, 7},
                                                       {GroupModel::Arm, 13},
                                                       {GroupModel::Split, 10},
                                                       {GroupModel::Seed, 6},
                                                       {GroupModel::State, 12},
                                                       {GroupModel::Result, 12},
                                                       {GroupModel::Created, 21}}};

/// Rows that hold each of the words in one of their columns.
class WordFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setWords(const QString& text) {
        m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        invalidateFilter();
    }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        return std::ranges::all_of(m_words, [&](const QString& word) {
            for (int column = 0; column < sourceModel()->columnCount(parent); ++column)
                if (sourceModel()->index(row, column, parent).data().toString().contains(word, Qt::CaseInsensitive))
                    return true;
            return false;
        });
    }

private:
    QStringList m_words;
};

} // namespace

GroupEditor::GroupEditor(const Theme& theme, QWidget* parent)
    : Card(theme, tr("Runs of the groups"), parent), m_model(new GroupModel(this)), m_shown(new WordFilter(this)),
      m_filter(new QLineEdit(this)), m_table(new QTableView(this)),
      m_counts(new RoleLabel(theme, TextRole::Body, {}, this)),
      m_leftOut(new RoleLabel(theme, TextRole::Caption, {}, this)) {
    setObjectName(QStringLiteral("compare.groupEditor"));
    m_shown->setSourceModel(m_model);
    m_filter->setObjectName(QStringLiteral("compare.runFilter"));
    m_filter->setAccessibleName(tr("Filter of the runs"));
    m_filter->setPlaceholderText(tr("Words that a run must have: name, arm, seed, status …"));
    m_filter->setClearButtonEnabled(true);
    m_counts->setObjectName(QStringLiteral("compare.groupCounts"));
    m_leftOut->setObjectName(QStringLiteral("compare.editorLeftOut"));

    m_table->setObjectName(QStringLiteral("compare.runTable"));
    m_table->setAccessibleName(tr("Runs of the library and their groups"));
    m_table->setModel(m_shown);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    addCopy(*m_table);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    m_table->horizontalHeader()->setSectionResizeMode(GroupModel::Name, QHeaderView::Stretch);
    const QFontMetrics metrics(theme.numberFont());
    for (const auto& [column, letters] : kLetters)
        m_table->setColumnWidth(column, letters * metrics.averageCharWidth() + space::xl);

    auto* close = primaryButton(theme, tr("Compare these runs"), this);
    close->setObjectName(QStringLiteral("compare.groupsDone"));
    auto* row = new QHBoxLayout;
    row->setSpacing(space::s);
    row->addWidget(makeButtons(), 1);
    row->addWidget(close, 0, Qt::AlignTop);
    content()->addWidget(m_counts);
    content()->addWidget(m_filter);
    content()->addWidget(m_table, 1);
    content()->addWidget(m_leftOut);
    content()->addLayout(row);
    m_leftOut->hide();

    connect(m_filter, &QLineEdit::textChanged, this,
            [this](const QString& text) { static_cast<WordFilter*>(m_shown)->setWords(text); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &GroupEditor::updateButtons);
    connect(m_shown, &QAbstractItemModel::modelReset, this, &GroupEditor::updateButtons);
    connect(m_model, &GroupModel::groupsMoved, this, [this] {
        showCounts();
        updateButtons();
        Q_EMIT groupsChanged(m_model->groups());
    });
    connect(close, &QPushButton::clicked, this, &GroupEditor::done);
    showCounts();
    updateButtons();
}

QPushButton* GroupEditor::addButton(QLayout* row, const QString& text, const QString& name, const QString& tip,
                                    Qt::Key key, GroupModel::Membership to) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setToolTip(tip);
    row->addWidget(button);
    connect(button, &QPushButton::clicked, this, [this, to] { moveSelected(to); });
    auto* shortcut = new QShortcut(key, m_table, nullptr, nullptr, Qt::WidgetShortcut);
    if (!to)
        shortcut->setWhatsThis(text); // the letters have one line together
    connect(shortcut, &QShortcut::activated, this, [this, to] { moveSelected(to); });
    return button;
}

QWidget* GroupEditor::makeButtons() {
    auto* buttons = new QWidget(this);
    auto* row = new FlowLayout(space::s, buttons);
    for (std::size_t group = 0; group < mostGroups; ++group) {
        const QString letter = comparison_text::groupLetter(group);
        m_into.push_back(addButton(row, tr("Put into %1", "letter of a group").arg(letter),
                                   QStringLiteral("compare.into") + letter,
                                   tr("Puts the selected runs into group %1 (key %1)").arg(letter),
                                   static_cast<Qt::Key>(Qt::Key_A + static_cast<int>(group)), group));
    }
    m_out = addButton(row, tr("Take out"), QStringLiteral("compare.takeOut"),
                      tr("Takes the selected runs out of their group (key Del)"), Qt::Key_Delete, std::nullopt);
    m_add = new QPushButton(tr("Add group"), this);
    m_add->setObjectName(QStringLiteral("compare.editorAddGroup"));
    m_add->setToolTip(tr("One more group, without runs at first: up to eight"));
    row->addWidget(m_add);
    connect(m_add, &QPushButton::clicked, this, &GroupEditor::groupRequested);
    return buttons;
}

void GroupEditor::setRuns(std::vector<RunRecord> runs) {
    keepingSelection([&] { m_model->setRuns(std::move(runs)); });
    showCounts();
}

void GroupEditor::setGroups(const QList<QStringList>& groups) {
    keepingSelection([&] { m_model->setGroups(groups); });
    showCounts();
    updateButtons();
}

void GroupEditor::keepingSelection(const std::function<void()>& change) {
    std::set<std::string> chosen;
    for (const int row : selectedRows())
        chosen.insert(m_model->run(row).id);
    const QModelIndex at = m_table->currentIndex();
    const std::string current = at.isValid() ? m_model->run(m_shown->mapToSource(at).row()).id : std::string();
    const int scrolled = m_table->verticalScrollBar()->value();
    change();
    if (current.empty() || m_table->currentIndex().isValid()) // no reset
        return;
    QItemSelection selection;
    for (int row = 0; row < m_shown->rowCount(); ++row) {
        const QModelIndex index = m_shown->index(row, GroupModel::Name);
        const std::string& run = m_model->run(m_shown->mapToSource(index).row()).id;
        if (chosen.contains(run))
            selection.select(index, index);
        if (run == current)
            m_table->selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
    }
    m_table->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    m_table->verticalScrollBar()->setValue(scrolled);
}

void GroupEditor::setLeftOut(const QStringList& sentences) {
    m_leftOut->setText(tr("Left out: %1").arg(sentences.join(QLatin1Char(' '))));
    m_leftOut->setVisible(!sentences.isEmpty());
}

void GroupEditor::focusFilter() { m_filter->setFocus(Qt::OtherFocusReason); }

QList<int> GroupEditor::selectedRows() const {
    QList<int> rows;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows())
        rows << m_shown->mapToSource(index).row();
    std::ranges::sort(rows);
    return rows;
}

void GroupEditor::moveSelected(GroupModel::Membership to) {
    if (!to || static_cast<qsizetype>(*to) < m_model->groups().size())
        m_model->move(selectedRows(), to);
}

void GroupEditor::showCounts() {
    const QList<QStringList>& groups = m_model->groups();
    QStringList counts;
    for (qsizetype group = 0; group < groups.size(); ++group)
        counts << tr("%1: %n run(s)", "letter of a group", static_cast<int>(groups[group].size()))
                      .arg(comparison_text::groupLetter(static_cast<std::size_t>(group)));
    m_counts->setText(counts.join(QStringLiteral("   ·   ")));
}

void GroupEditor::updateButtons() {
    const QList<int> rows = selectedRows();
    const auto some = [&](GroupModel::Membership other) {
        return std::ranges::any_of(rows, [&](int row) { return m_model->membership(row) != other; });
    };
    const auto count = static_cast<std::size_t>(m_model->groups().size());
    for (std::size_t group = 0; group < m_into.size(); ++group) {
        m_into[group]->setVisible(group < std::max<std::size_t>(count, 2));
        m_into[group]->setEnabled(some(group));
    }
    m_out->setEnabled(some(std::nullopt));
    m_add->setEnabled(count < mostGroups);
}

} // namespace accumulus::ui
