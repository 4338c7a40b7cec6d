// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/action_list.h"

#include "app/workbench/window_actions.h"

#include <QCoreApplication>
#include <QMenu>
#include <QRegularExpression>
#include <QSet>
#include <QTableView>
#include <QTranslator>
#include <algorithm>
#include <tuple>

namespace accumulus::ui {
namespace {

constexpr int best = 4, wordStart = 3, somewhere = 2, letters = 1;

QString plain(QString text) {
    text.remove(QRegularExpression(QStringLiteral("\\(&\\w\\)"))); // as Chinese texts have it
    text.remove(QLatin1Char('&'));
    while (text.endsWith(QChar(0x2026)))
        text.chop(1);
    return text.trimmed();
}

/// libraryExportCsv: "library export csv".
QString wordsOf(const QString& objectName) {
    static const QRegularExpression capital(QStringLiteral("([a-z])([A-Z])"));
    QString words = objectName;
    words.replace(capital, QStringLiteral("\\1 \\2")).replace(QLatin1Char('.'), QLatin1Char(' '));
    return words.replace(QLatin1Char('-'), QLatin1Char(' ')).toLower();
}

/// Chinese of an English text that `owner` or what it belongs to has said; empty: none.
QString chinese(const QObject* owner, const QString& english) {
    static const QTranslator* const words = [] {
        auto* loaded = new QTranslator(QCoreApplication::instance());
        std::ignore = loaded->load(QStringLiteral(":/i18n/accumulus_zh_CN"));
        return loaded;
    }();
    const QByteArray text = english.toUtf8();
    if (QString found = words->translate("accumulus::ui::Menu", text.constData()); !found.isEmpty())
        return found;
    for (; owner; owner = owner->parent())
        if (QString found = words->translate(owner->metaObject()->className(), text.constData()); !found.isEmpty())
            return found;
    return {};
}

FoundAction foundOf(QObject* object, const QString& text, const QString& where) {
    FoundAction found;
    found.name = plain(text);
    found.where = where;
    const QString english = object->property(kEnglishProperty).toString();
    for (const QString& other :
         {english, wordsOf(object->objectName()), chinese(object, english.isEmpty() ? text : english)})
        if (!other.isEmpty() && plain(other) != found.name)
            found.otherNames << plain(other);
    return found;
}

class Gatherer {
public:
    void add(QAction* action, const QString& where, Page* page) {
        const bool ofRows = qobject_cast<const QTableView*>(action->parent()); // in a table's context menu
        if (action->isSeparator() || plain(action->text()).isEmpty() || ofRows || m_known.contains(action))
            return;
        m_known.insert(action);
        if (const QMenu* menu = action->menu()) {
            addAll(menu->actions(), where + QStringLiteral(" › ") + plain(action->text()), page);
            return;
        }
        FoundAction& found = m_found.emplace_back(foundOf(action, action->text(), where));
        found.action = action;
        found.page = page;
        found.keys = action->shortcut().toString(QKeySequence::NativeText);
    }
    void addAll(const QList<QAction*>& actions, const QString& where, Page* page) {
        for (QAction* action : actions)
            add(action, where, page);
    }
    void addButtons(Page* page, const QString& where) {
        for (QPushButton* button : page->findChildren<QPushButton*>())
            if (FoundAction* found = add(button, where, *page))
                found->page = page;
    }
    void addButtons(QDockWidget* dock, const QString& where) {
        for (QPushButton* button : dock->findChildren<QPushButton*>())
            if (FoundAction* found = add(button, where, *dock))
                found->dock = dock;
    }
    [[nodiscard]] std::vector<FoundAction> found() { return std::move(m_found); }

private:
    FoundAction* add(QPushButton* button, const QString& where, const QWidget& owner) {
        if (plain(button->text()).isEmpty() || button->menu() || !button->isVisibleTo(&owner))
            return nullptr;
        const QList<QAction*> same = button->actions(); // what does the same stands in a menu
        if (std::ranges::any_of(same, [this](const QAction* action) { return m_known.contains(action); }))
            return nullptr;
        FoundAction& found = m_found.emplace_back(foundOf(button, button->text(), where));
        found.button = button;
        return &found;
    }

    std::vector<FoundAction> m_found;
    QSet<const QAction*> m_known;
};

bool isSubsequence(const QString& wanted, const QString& text) {
    qsizetype at = 0;
    for (const QChar letter : wanted) {
        at = text.indexOf(letter, at, Qt::CaseInsensitive);
        if (at < 0)
            return false;
        ++at;
    }
    return true;
}

int rankIn(const QString& word, const QString& text) {
    const qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive);
    if (at < 0)
        return 0;
    return at == 0 ? best : text[at - 1].isLetterOrNumber() ? somewhere : wordStart;
}

} // namespace

bool FoundAction::isEnabled() const { return action ? action->isEnabled() : button && button->isEnabled(); }

void FoundAction::run() const {
    if (dock) {
        dock->show();
        dock->raise();
    }
    if (action)
        action->trigger();
    else if (button)
        button->click();
}

std::vector<FoundAction> gatherActions(const QMenuBar& menus, const QList<Page*>& pages, const QStringList& titles,
                                       const QList<QDockWidget*>& docks) {
    Gatherer gatherer;
    for (const QAction* menu : menus.actions())
        if (menu->menu())
            gatherer.addAll(menu->menu()->actions(), plain(menu->text()), nullptr);
    for (qsizetype at = 0; at < pages.size(); ++at) {
        gatherer.addAll(pages[at]->findChildren<QAction*>(), titles[at], pages[at]);
        gatherer.addButtons(pages[at], titles[at]);
    }
    for (QDockWidget* dock : docks) // keys of its tables press its buttons
        gatherer.addButtons(dock, dock->windowTitle());
    return gatherer.found();
}

int rankOf(const FoundAction& found, const QString& query) {
    const QStringList words = query.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int sum = 0;
    bool all = true;
    for (const QString& word : words) {
        int rank = 2 * rankIn(word, found.name);
        for (const QString& other : found.otherNames)
            rank = std::max(rank, rankIn(word, other));
        if (rank == 0)
            rank = rankIn(word, found.where) > 0 ? letters : 0;
        all = all && rank > 0;
        sum += rank;
    }
    if (all)
        return sum + letters;
    return isSubsequence(words.join(QString()), found.name) ? letters : 0;
}

} // namespace accumulus::ui
