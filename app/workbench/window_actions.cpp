// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window_actions.h"

#include "app/workbench/page_table.h"

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace accumulus::ui {
namespace {

struct Menu {
    Q_DECLARE_TR_FUNCTIONS(accumulus::ui::Menu)
};

class Maker {
public:
    explicit Maker(QMainWindow& window) : m_window(window) {}

    QAction* make(const char* name, const QString& text, const QKeySequence& keys = {}) const {
        auto* action = new QAction(text, &m_window);
        action->setObjectName(QString::fromLatin1(name));
        action->setShortcut(keys);
        m_window.addAction(action); // the key works while the menu bar is hidden, too
        return action;
    }

    QActionGroup* group() const {
        auto* group = new QActionGroup(&m_window);
        group->setExclusive(true);
        return group;
    }

    void choice(QActionGroup* group, const char* name, const QString& text, const QVariant& data, bool chosen) const {
        QAction* action = make(name, text);
        action->setCheckable(true);
        action->setChecked(chosen);
        action->setData(data);
        group->addAction(action);
    }

private:
    QMainWindow& m_window;
};

} // namespace

WindowActions createActions(QMainWindow& window, const Theme& theme, const QString& language) {
    const Maker maker(window);
    WindowActions actions{};
    actions.newSetup = maker.make("actionNewSetup", Menu::tr("&New experiment"), QKeySequence::New);
    actions.openLibrary = maker.make("actionOpenLibrary", Menu::tr("&Open library…"), QKeySequence::Open);
    actions.showLibraryFolder = maker.make("actionShowLibraryFolder", Menu::tr("Show library &folder"));
    actions.exportRuns =
        maker.make("actionExport", Menu::tr("&Export selected runs…"), QKeySequence(Qt::CTRL | Qt::Key_E));
    actions.report = maker.make("actionReport", Menu::tr("&Report"), QKeySequence::Print);
    actions.quit = maker.make("actionQuit", Menu::tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q));
    actions.quit->setMenuRole(QAction::QuitRole);

    actions.undo = maker.make("actionUndo", Menu::tr("&Undo"), QKeySequence::Undo);
    actions.redo = maker.make("actionRedo", Menu::tr("&Redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z));
    actions.copyCommand = maker.make("actionCopyCommand", Menu::tr("&Copy experiment as command"));
    actions.filterRuns = maker.make("actionFilterRuns", Menu::tr("&Filter runs"), QKeySequence::Find);

    actions.demo = maker.make("actionDemo", Menu::tr("Run the 1-minute &demo"));
    actions.start = maker.make("actionStart", Menu::tr("&Start"), QKeySequence(Qt::Key_F5));
    actions.pause = maker.make("actionPause", Menu::tr("&Pause"), QKeySequence(Qt::Key_F8));
    actions.stop = maker.make("actionStop", Menu::tr("S&top at the next update"), QKeySequence(Qt::SHIFT | Qt::Key_F5));
    actions.stopNow = maker.make("actionStopNow", Menu::tr("Stop &now"));
    actions.stop->setToolTip(Menu::tr("Finishes the open window and saves a checkpoint"));
    actions.stopNow->setToolTip(
        Menu::tr("Stops after the current micro-step and saves what can be kept of the open window"));

    for (const PageEntry& page : pageTable())
        actions.pages << maker.make(qPrintable(QStringLiteral("actionPage-") + QLatin1String(page.id)), pageTitle(page),
                                    QKeySequence::fromString(QLatin1String(page.shortcut), QKeySequence::PortableText));
    actions.theme = maker.group();
    maker.choice(actions.theme, "actionThemeSystem", Menu::tr("Follow the &system"),
                 static_cast<int>(ThemeMode::System), theme.mode() == ThemeMode::System);
    maker.choice(actions.theme, "actionThemeLight", Menu::tr("&Light"), static_cast<int>(ThemeMode::Light),
                 theme.mode() == ThemeMode::Light);
    maker.choice(actions.theme, "actionThemeDark", Menu::tr("&Dark"), static_cast<int>(ThemeMode::Dark),
                 theme.mode() == ThemeMode::Dark);
    actions.language = maker.group();
    // Each language by its own name: a person who cannot read the others finds it.
    maker.choice(actions.language, "actionLanguageEnglish", QStringLiteral("English"), QStringLiteral("en"),
                 language == QLatin1String("en"));
    maker.choice(actions.language, "actionLanguageChinese", QStringLiteral("中文"), QStringLiteral("zh_CN"),
                 language == QLatin1String("zh_CN"));
    actions.textSize = maker.group();
    for (const int percent : {80, 90, 100, 110, 125, 150, 175, 200})
        maker.choice(actions.textSize, qPrintable(QStringLiteral("actionTextSize-%1").arg(percent)),
                     QStringLiteral("%1\u00A0%").arg(percent), percent, theme.textSize() == percent);
    actions.largerText = maker.make("actionLargerText", Menu::tr("&Larger text"), QKeySequence::ZoomIn);
    actions.smallerText = maker.make("actionSmallerText", Menu::tr("&Smaller text"), QKeySequence::ZoomOut);
    actions.fullScreen = maker.make("actionFullScreen", Menu::tr("&Full screen"), QKeySequence(Qt::Key_F11));
    actions.fullScreen->setCheckable(true);
    actions.resetLayout = maker.make("actionResetLayout", Menu::tr("&Reset layout"));

    actions.ownNetwork = maker.make("actionOwnNetwork", Menu::tr("&Bring your own network"));
    actions.words = maker.make("actionWords", Menu::tr("The &words of Accumulus"), QKeySequence::HelpContents);
    actions.keys = maker.make("actionKeys", Menu::tr("&Keys"), QKeySequence(Qt::Key_Question));
    actions.about = maker.make("actionAbout", Menu::tr("&About Accumulus"));
    actions.about->setMenuRole(QAction::AboutRole);
    return actions;
}

void connectTextSizes(const WindowActions& actions, Theme& theme) {
    QObject::connect(actions.textSize, &QActionGroup::triggered, &theme,
                     [&theme](const QAction* chosen) { theme.setTextSize(chosen->data().toInt()); });
    const auto step = [sizes = actions.textSize->actions(), &theme](bool larger) {
        QAction* next = nullptr;
        for (QAction* size : sizes) { // from the smallest to the largest
            const int percent = size->data().toInt();
            if (larger ? percent > theme.textSize() && !next : percent < theme.textSize())
                next = size;
        }
        if (next)
            next->trigger();
    };
    QObject::connect(actions.largerText, &QAction::triggered, actions.textSize, [step] { step(true); });
    QObject::connect(actions.smallerText, &QAction::triggered, actions.textSize, [step] { step(false); });
}

void createMenus(QMainWindow& window, const WindowActions& actions, const PageMenus& pages, QAction* showLog) {
    QMenuBar* bar = window.menuBar();
    QMenu* file = bar->addMenu(Menu::tr("&File"));
    file->addActions({actions.newSetup, actions.openLibrary, actions.showLibraryFolder});
    file->addSeparator();
    QMenu* exports = file->addMenu(Menu::tr("E&xport"));
    exports->addAction(actions.exportRuns);
    exports->addSeparator();
    exports->addActions(pages.exports);
    file->addAction(actions.report);
    file->addSeparator();
    file->addAction(actions.quit);

    QMenu* edit = bar->addMenu(Menu::tr("&Edit"));
    edit->addActions({actions.undo, actions.redo});
    edit->addSeparator();
    edit->addActions({actions.copyCommand, actions.filterRuns});
    edit->addSeparator();
    edit->addActions(pages.edit);

    QMenu* run = bar->addMenu(Menu::tr("&Run"));
    run->addActions({actions.demo, actions.start, actions.pause, actions.stop, actions.stopNow});
    run->addSeparator();
    run->addActions(pages.runs);

    QMenu* view = bar->addMenu(Menu::tr("&View"));
    view->addActions(actions.pages);
    view->addSeparator();
    view->addMenu(Menu::tr("&Theme"))->addActions(actions.theme->actions());
    view->addMenu(Menu::tr("&Language"))->addActions(actions.language->actions());
    QMenu* textSize = view->addMenu(Menu::tr("Text &size"));
    textSize->addActions({actions.largerText, actions.smallerText});
    textSize->addSeparator();
    textSize->addActions(actions.textSize->actions());
    view->addSeparator();
    view->addActions({showLog, actions.fullScreen, actions.resetLayout});

    QMenu* help = bar->addMenu(Menu::tr("&Help"));
    help->addActions({actions.ownNetwork, actions.words, actions.keys});
    help->addSeparator();
    help->addAction(actions.about);
}

} // namespace accumulus::ui
