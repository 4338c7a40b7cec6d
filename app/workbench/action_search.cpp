// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/action_search.h"

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

namespace accumulus::ui {
namespace {

enum Column { Name, Where, Keys, ColumnCount };
constexpr int indexRole = Qt::UserRole;
constexpr QSize wanted(640, 420);
constexpr int fromTop = 56;

bool isForTheList(int key) {
    return key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown;
}

} // namespace

ActionSearch::ActionSearch(const Theme& theme, QWidget& window)
    : QFrame(&window), m_theme(theme), m_text(new QLineEdit), m_list(new QTreeView),
      m_note(new RoleLabel(theme, TextRole::Caption)), m_rows(new QStandardItemModel(0, ColumnCount, this)) {
    setObjectName(QStringLiteral("actionSearch"));
    setAccessibleName(tr("Search actions"));
    m_text->setObjectName(QStringLiteral("actionSearchText"));
    m_text->setAccessibleName(tr("Search actions"));
    m_text->setPlaceholderText(tr("What do you want to do?"));
    m_text->setClearButtonEnabled(true);
    m_list->setObjectName(QStringLiteral("actionSearchList"));
    m_list->setAccessibleName(tr("Actions"));
    m_list->setModel(m_rows);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setHeaderHidden(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setFocusPolicy(Qt::NoFocus); // the text keeps the keys
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(Name, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(Where, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(Keys, QHeaderView::ResizeToContents);
    m_note->setObjectName(QStringLiteral("actionSearchNote"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(space::m, space::m, space::m, space::m);
    column->setSpacing(space::s);
    column->addWidget(m_text);
    column->addWidget(m_list, 1);
    column->addWidget(m_note);
    m_text->installEventFilter(this);
    window.installEventFilter(this);
    connect(m_text, &QLineEdit::textChanged, this, &ActionSearch::filter);
    connect(m_list, &QTreeView::clicked, this, &ActionSearch::runChosen);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ActionSearch::showChosen);
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, const QWidget* now) {
        if (isVisible() && now && now != this && !isAncestorOf(now))
            close(false);
    });
    hide();
}

void ActionSearch::open(std::vector<FoundAction> actions, WhyDisabled why) {
    if (!isVisible())
        m_focusBefore = QApplication::focusWidget();
    m_actions = std::move(actions);
    m_why = std::move(why);
    m_text->clear();
    filter();
    place();
    show();
    raise();
    m_text->setFocus(Qt::ShortcutFocusReason);
}

void ActionSearch::place() {
    const QWidget* window = parentWidget();
    const QSize size = wanted.boundedTo(window->size() - QSize(2 * space::l, fromTop + space::l));
    setGeometry(QRect(QPoint((window->width() - size.width()) / 2, fromTop), size));
}

void ActionSearch::filter() {
    std::vector<std::pair<int, int>> ranked; // the better first, then as gathered
    for (std::size_t at = 0; at < m_actions.size(); ++at)
        if (const int rank = rankOf(m_actions[at], m_text->text()); rank > 0)
            ranked.emplace_back(-rank, static_cast<int>(at));
    std::ranges::stable_sort(ranked, {}, &std::pair<int, int>::first);
    m_rows->removeRows(0, m_rows->rowCount());
    const QColor secondary = m_theme.colors().secondary;
    for (const auto& [rank, at] : ranked) {
        const FoundAction& found = m_actions[static_cast<std::size_t>(at)];
        QList<QStandardItem*> row;
        for (const QString& text : {found.name, found.where, found.keys})
            row << new QStandardItem(text);
        row[Name]->setData(at, indexRole);
        row[Where]->setForeground(secondary);
        row[Keys]->setForeground(secondary);
        if (!found.isEnabled())
            row[Name]->setForeground(secondary);
        row[Name]->setAccessibleText(
            QStringList{found.name, found.where, found.keys, reason(found)}.join(QStringLiteral(", ")));
        m_rows->appendRow(row);
    }
    if (m_rows->rowCount() > 0)
        m_list->setCurrentIndex(m_rows->index(0, Name));
    showChosen();
}

const FoundAction* ActionSearch::chosen() const {
    const QModelIndex row = m_list->currentIndex();
    return row.isValid() ? &m_actions[static_cast<std::size_t>(row.siblingAtColumn(Name).data(indexRole).toInt())]
                         : nullptr;
}

QString ActionSearch::reason(const FoundAction& found) const {
    if (found.isEnabled())
        return {};
    const QString why = m_why ? m_why(found) : QString();
    return why.isEmpty() ? tr("Not possible now.") : why;
}

/// The text keeps the focus, so it tells a screen reader what is chosen.
void ActionSearch::showChosen() {
    const FoundAction* found = chosen();
    const QString why = found ? reason(*found) : QString();
    m_note->setText(!found ? tr("No action has that name.") : why.isEmpty() ? tr("Enter runs it, Esc closes.") : why);
    m_text->setAccessibleDescription(found ? QStringList{found->name, found->where, why}.join(QStringLiteral(", "))
                                           : m_note->text());
}

void ActionSearch::runChosen() {
    const FoundAction* found = chosen();
    if (!found || !found->isEnabled())
        return;
    const FoundAction run = *found;
    close(true);
    if (run.page)
        Q_EMIT pageRequested(run.page);
    run.run();
}

void ActionSearch::close(bool restoreFocus) {
    hide();
    if (restoreFocus && m_focusBefore)
        m_focusBefore->setFocus(Qt::OtherFocusReason);
}

bool ActionSearch::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
        place();
    if (watched != m_text || event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    if (isForTheList(key->key())) {
        QCoreApplication::sendEvent(m_list, event);
        return true;
    }
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
        runChosen();
        return true;
    }
    if (key->key() == Qt::Key_Escape) {
        close(true);
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

void ActionSearch::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.colors().border);
    painter.setBrush(m_theme.colors().card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

} // namespace accumulus::ui
