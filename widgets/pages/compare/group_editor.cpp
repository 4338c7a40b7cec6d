// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/compare/group_editor.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <algorithm>
#include <array>
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
    : Card(theme, tr("Runs of both groups"), parent), m_model(new GroupModel(this)), m_shown(new WordFilter(this)),
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
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    m_table->horizontalHeader()->setSectionResizeMode(GroupModel::Name, QHeaderView::Stretch);
    const QFontMetrics metrics(theme.numberFont());
    for (const auto& [column, letters] : kLetters)
        m_table->setColumnWidth(column, letters * metrics.averageCharWidth() + space::xl);

    auto* row = new QHBoxLayout;
    row->setSpacing(space::s);
    addButtons(theme, row);
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
        Q_EMIT groupsChanged(m_model->groupA(), m_model->groupB());
    });
    showCounts();
    updateButtons();
}

void GroupEditor::addButtons(const Theme& theme, QLayout* row) {
    const auto add = [&](const QString& text, const char* name, const QString& tip, Qt::Key key,
                         GroupModel::Membership to) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QLatin1String(name));
        button->setToolTip(tip);
        row->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, to] { moveSelected(to); });
        auto* shortcut = new QShortcut(key, m_table, nullptr, nullptr, Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, this, [this, to] { moveSelected(to); });
        return button;
    };
    m_toA = add(tr("Put into A"), "compare.intoA", tr("Puts the selected runs into group A (key A)"), Qt::Key_A,
                GroupModel::Membership::A);
    m_toB = add(tr("Put into B"), "compare.intoB", tr("Puts the selected runs into group B (key B)"), Qt::Key_B,
                GroupModel::Membership::B);
    m_out = add(tr("Take out"), "compare.takeOut", tr("Takes the selected runs out of their group (key Del)"),
                Qt::Key_Delete, GroupModel::Membership::None);
    static_cast<QHBoxLayout*>(row)->addStretch(1);
    auto* close = primaryButton(theme, tr("Compare these runs"), this);
    close->setObjectName(QStringLiteral("compare.groupsDone"));
    row->addWidget(close);
    connect(close, &QPushButton::clicked, this, &GroupEditor::done);
}

void GroupEditor::setRuns(std::vector<RunRecord> runs) {
    m_model->setRuns(std::move(runs));
    showCounts();
}

void GroupEditor::setGroups(const QStringList& groupA, const QStringList& groupB) {
    m_model->setGroups(groupA, groupB);
    showCounts();
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

void GroupEditor::moveSelected(GroupModel::Membership to) { m_model->move(selectedRows(), to); }

void GroupEditor::showCounts() {
    const auto count = [](const QStringList& group) { return static_cast<int>(group.size()); };
    m_counts->setText(QStringLiteral("%1   ·   %2")
                          .arg(tr("A: %n run(s)", nullptr, count(m_model->groupA())),
                               tr("B: %n run(s)", nullptr, count(m_model->groupB()))));
}

void GroupEditor::updateButtons() {
    const QList<int> rows = selectedRows();
    const auto some = [&](GroupModel::Membership other) {
        return std::ranges::any_of(rows, [&](int row) { return m_model->membership(row) != other; });
    };
    m_toA->setEnabled(some(GroupModel::Membership::A));
    m_toB->setEnabled(some(GroupModel::Membership::B));
    m_out->setEnabled(some(GroupModel::Membership::None));
}

} // namespace accumulus::ui
