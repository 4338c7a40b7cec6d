// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the Library page that narrows what is shown by a column's menu, and keeps views under a name.
#include "widgets/models/run_filter_completion.h"
#include "widgets/pages/library/library_page_impl.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QWidgetAction>
#include <cmath>

namespace accumulus::ui {
namespace {

const QString viewsKey = QStringLiteral("library/views");
constexpr int viewVersion = 1;
constexpr qsizetype mostValues = 12;

/// Those of this version: what another one means is unknown.
QVariantMap savedViews() {
    QVariantMap views = QSettings().value(viewsKey).toMap();
    for (auto view = views.begin(); view != views.end();)
        view =
            view->toMap().value(QStringLiteral("version")).toInt() == viewVersion ? std::next(view) : views.erase(view);
    return views;
}

/// All views, before and after one was saved or deleted.
class ViewsEdit : public QUndoCommand {
public:
    ViewsEdit(const QString& text, QVariantMap before, QVariantMap after)
        : QUndoCommand(text), m_before(std::move(before)), m_after(std::move(after)) {}
    void redo() override { QSettings().setValue(viewsKey, m_after); }
    void undo() override { QSettings().setValue(viewsKey, m_before); }

private:
    QVariantMap m_before, m_after;
};

/// As it is, without a letter behind Alt.
QString menuText(QString text) { return text.replace(QLatin1Char('&'), QStringLiteral("&&")); }

} // namespace

void LibraryPage::Impl::addFilterChoices(RunColumn column, QMenu& menu) {
    const QString key = runQueryKey(column);
    if (key.isEmpty())
        return;
    QMenu* choices = menu.addMenu(LibraryPage::tr("Show only"));
    choices->setObjectName(QStringLiteral("libraryFilterMenu"));
    const auto add = [&](const QString& term) {
        connect(choices->addAction(menuText(term)), &QAction::triggered, &page,
                [this, term] { filter->addTerm(term); });
    };
    for (const QString& value : queryValues(column, model.rows(), mostValues))
        add(queryTerm(key, QStringLiteral(":"), value));
    if (column == RunColumn::Note)
        for (const char* comparison : {":", "!="})
            add(queryTerm(QStringLiteral("has"), QLatin1String(comparison), QStringLiteral("note")));
    // Of a number, what the current row has.
    if (const QModelIndex at = table->currentIndex(); isNumeric(column) && at.isValid())
        if (const double number = model.number(at.row(), column); std::isfinite(number)) {
            const RunRecord* run = model.find(model.runsOf(at.row()).value(0));
            const QString value = queryNumber(column, number, run ? run->config : RunConfig());
            for (const char* comparison : {"=", ">=", "<="})
                add(queryTerm(key, QLatin1String(comparison), value));
        }
    choices->setEnabled(!choices->isEmpty());
}

void LibraryPage::Impl::fillViewsMenu(QMenu& menu) {
    menu.clear();
    qDeleteAll(menu.findChildren<QMenu*>(Qt::FindDirectChildrenOnly));
    const QVariantMap saved = savedViews();
    for (auto view = saved.begin(); view != saved.end(); ++view) {
        QAction* action = menu.addAction(menuText(view.key()));
        connect(action, &QAction::triggered, &page, [this, name = view.key()] { showView(name); });
    }
    menu.addSeparator();
    auto* name = new QLineEdit;
    name->setObjectName(QStringLiteral("libraryViewName"));
    name->setAccessibleName(LibraryPage::tr("Name of a view to save"));
    name->setPlaceholderText(LibraryPage::tr("Save as: name, then Enter"));
    name->setMinimumWidth(name->fontMetrics().averageCharWidth() * 30);
    auto* field = new QWidgetAction(&menu);
    field->setDefaultWidget(name);
    menu.addAction(field);
    connect(name, &QLineEdit::returnPressed, &page, [this, name, popup = &menu] {
        if (const QString text = name->text().trimmed(); !text.isEmpty()) {
            saveView(text);
            popup->close();
        }
    });
    if (saved.isEmpty())
        return;
    QMenu* remove = menu.addMenu(LibraryPage::tr("Delete view"));
    for (auto view = saved.begin(); view != saved.end(); ++view)
        connect(remove->addAction(menuText(view.key())), &QAction::triggered, &page, [this, gone = view.key()] {
            QVariantMap left = savedViews();
            left.remove(gone);
            edits.stack().push(new ViewsEdit(LibraryPage::tr("Delete the view"), savedViews(), left));
            offerUndo(LibraryPage::tr("The view “%1” was deleted.").arg(gone));
        });
}

void LibraryPage::Impl::saveView(const QString& name) {
    const QVariantMap before = savedViews();
    QVariantMap saved = before;
    saved[name] = QVariantMap{{QStringLiteral("version"), viewVersion},
                              {QStringLiteral("filter"), filter->text()},
                              {QStringLiteral("grouping"), grouping->currentData()},
                              {QStringLiteral("layout"), table->layoutState()}};
    edits.stack().push(new ViewsEdit(LibraryPage::tr("Save the view"), before, saved));
    if (before.contains(name))
        offerUndo(LibraryPage::tr("The view “%1” was replaced.").arg(name));
}

void LibraryPage::Impl::showView(const QString& name) {
    const QVariantMap view = savedViews().value(name).toMap();
    if (view.isEmpty())
        return;
    runsButton->setChecked(true);
    filter->setText(view.value(QStringLiteral("filter")).toString());
    setGrouping(static_cast<RunGrouping>(view.value(QStringLiteral("grouping")).toInt()));
    table->setLayoutState(view.value(QStringLiteral("layout")).toMap());
}

} // namespace accumulus::ui
