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

/// That of the system first, which the menu shows, then those of other systems.
QList<QKeySequence> redoKeys() {
    QList<QKeySequence> keys{QKeySequence(QKeySequence::Redo)};
    for (const QKeySequence& key : {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)})
        if (!keys.contains(key))
            keys << key;
    return keys;
}

class Maker {
public:
    explicit Maker(QMainWindow& window) : m_window(window) {}

    /// `english`: in the translation context of the menus.
    QAction* make(const char* name, const char* english, const QKeySequence& keys = {}) const {
        auto* action = new QAction(Menu::tr(english), &m_window);
        action->setObjectName(QString::fromLatin1(name));
        action->setProperty(kEnglishProperty, QString::fromUtf8(english));
        action->setShortcut(keys);
        m_window.addAction(action); // the key works while the menu bar is hidden, too
        return action;
    }

    QActionGroup* group() const {
        auto* group = new QActionGroup(&m_window);
        group->setExclusive(true);
        return group;
    }

    void choice(QActionGroup* group, const char* name, const char* english, const QVariant& data, bool chosen) const {
        QAction* action = make(name, english);
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
    actions.newSetup =
        maker.make("actionNewSetup", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&New experiment"), QKeySequence::New);
    actions.examples = maker.make("actionExamples", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Examples…"));
    actions.newLibrary = maker.make("actionNewLibrary", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "New &library…"));
    actions.openLibrary =
        maker.make("actionOpenLibrary", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Open library…"), QKeySequence::Open);
    actions.showLibraryFolder =
        maker.make("actionShowLibraryFolder", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Show library &folder"));
    actions.importRuns = maker.make("actionImport", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Import runs…"));
    actions.exportRuns = maker.make("actionExport", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Export selected runs…"),
                                    QKeySequence(Qt::CTRL | Qt::Key_E));
    actions.savePlot = maker.make("actionSavePlot", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Save &plot…"));
    actions.savePlot->setToolTip(Menu::tr("The plot that has the focus, else the first one of the page"));
    actions.report =
        maker.make("actionReport", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Report"), QKeySequence::Print);
    actions.quit =
        maker.make("actionQuit", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q));
    actions.quit->setMenuRole(QAction::QuitRole);

    actions.undo = maker.make("actionUndo", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Undo"), QKeySequence::Undo);
    actions.redo = maker.make("actionRedo", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Redo"));
    actions.redo->setShortcuts(redoKeys());
    actions.copyCommand =
        maker.make("actionCopyCommand", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Copy experiment as command"));
    actions.filterRuns =
        maker.make("actionFilterRuns", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Filter runs"), QKeySequence::Find);

    actions.demo = maker.make("actionDemo", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Run the 1-minute &demo"));
    actions.start =
        maker.make("actionStart", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Start"), QKeySequence(Qt::Key_F5));
    actions.start->setAutoRepeat(false); // a key that is held down starts one study
    actions.enqueue = maker.make("actionEnqueue", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Add to the queue"),
                                 QKeySequence(Qt::CTRL | Qt::Key_F5));
    actions.enqueue->setAutoRepeat(false);
    actions.enqueue->setToolTip(Menu::tr("What stands in Set up waits for its turn"));
    actions.pause =
        maker.make("actionPause", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Pause"), QKeySequence(Qt::Key_F8));
    actions.stop = maker.make("actionStop", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "S&top at the next update"),
                              QKeySequence(Qt::SHIFT | Qt::Key_F5));
    actions.stopNow = maker.make("actionStopNow", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Stop &now"));
    actions.stop->setToolTip(Menu::tr("Finishes the open window and saves a checkpoint"));
    actions.stopNow->setToolTip(
        Menu::tr("Stops after the current micro-step and saves what can be kept of the open window"));

    actions.pauseQueue =
        maker.make("actionPauseQueue", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Pause the &queue after this study"));

    actions.notifyEnds =
        maker.make("actionNotifyEnds", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Notify when a study &ends"));
    actions.notifyFailures =
        maker.make("actionNotifyFailures", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Notify when training &fails"));

    for (const PageEntry& page : pageTable())
        actions.pages << maker.make(qPrintable(QStringLiteral("actionPage-") + QLatin1String(page.id)), page.title,
                                    QKeySequence::fromString(QLatin1String(page.shortcut), QKeySequence::PortableText));
    actions.theme = maker.group();
    maker.choice(actions.theme, "actionThemeSystem", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Follow the &system"),
                 static_cast<int>(ThemeMode::System), theme.mode() == ThemeMode::System);
    maker.choice(actions.theme, "actionThemeLight", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Light"),
                 static_cast<int>(ThemeMode::Light), theme.mode() == ThemeMode::Light);
    maker.choice(actions.theme, "actionThemeDark", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Dark"),
                 static_cast<int>(ThemeMode::Dark), theme.mode() == ThemeMode::Dark);
    actions.language = maker.group();
    // Each language by its own name: a person who cannot read the others finds it.
    maker.choice(actions.language, "actionLanguageEnglish", "English", QStringLiteral("en"),
                 language == QLatin1String("en"));
    maker.choice(actions.language, "actionLanguageChinese", "中文", QStringLiteral("zh_CN"),
                 language == QLatin1String("zh_CN"));
    actions.textSize = maker.group();
    for (const int percent : {80, 90, 100, 110, 125, 150, 175, 200})
        maker.choice(actions.textSize, qPrintable(QStringLiteral("actionTextSize-%1").arg(percent)),
                     qPrintable(QStringLiteral("%1\u00A0%").arg(percent)), percent, theme.textSize() == percent);
    actions.largerText =
        maker.make("actionLargerText", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Larger text"), QKeySequence::ZoomIn);
    actions.smallerText = maker.make("actionSmallerText", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Smaller text"),
                                     QKeySequence::ZoomOut);
    actions.animations = maker.make("actionAnimations", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "A&nimations"));
    actions.animations->setCheckable(true);
    actions.animations->setChecked(theme.animations());
    actions.animations->setToolTip(Menu::tr("Panels slide, and the bar on Live fills while a window is computed"));
    actions.showInspector = maker.make("actionShowInspector", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Inspector"),
                                       QKeySequence(Qt::CTRL | Qt::Key_I));
    actions.showInspector->setCheckable(true);
    actions.showInspector->setToolTip(Menu::tr("Details of the run that the page is about"));
    actions.showQueue = maker.make("actionShowQueue", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Queue"),
                                   QKeySequence(Qt::CTRL | Qt::Key_J));
    actions.showQueue->setCheckable(true);
    actions.fullScreen = maker.make("actionFullScreen", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Full screen"),
                                    QKeySequence(Qt::Key_F11));
    actions.fullScreen->setCheckable(true);
    actions.resetLayout = maker.make("actionResetLayout", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Reset layout"));

    actions.search = maker.make("actionSearch", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Search actions…"),
                                QKeySequence(Qt::CTRL | Qt::Key_K));
    actions.manual =
        maker.make("actionManual", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Manual"), QKeySequence::HelpContents);
    actions.ownNetwork =
        maker.make("actionOwnNetwork", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Bring your own network"));
    actions.words = maker.make("actionWords", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "The &words of Accumulus"));
    actions.keys =
        maker.make("actionKeys", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&Keys"), QKeySequence(Qt::Key_Question));
    actions.hints = maker.make("actionHints", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "Show &hints again"));
    actions.about = maker.make("actionAbout", QT_TRANSLATE_NOOP("accumulus::ui::Menu", "&About Accumulus"));
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

void createMenus(QMainWindow& window, const WindowActions& actions, const PageMenus& pages, QMenu* recentLibraries,
                 QAction* showLog) {
    QMenuBar* bar = window.menuBar();
    QMenu* file = bar->addMenu(Menu::tr("&File"));
    file->addActions({actions.newSetup, actions.examples});
    file->addSeparator();
    file->addActions({actions.newLibrary, actions.openLibrary});
    file->addMenu(recentLibraries);
    file->addAction(actions.showLibraryFolder);
    file->addSeparator();
    file->addActions(pages.file);
    file->addSeparator();
    file->addAction(actions.importRuns);
    QMenu* exports = file->addMenu(Menu::tr("E&xport"));
    exports->addActions({actions.exportRuns, actions.savePlot});
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
    run->addActions({actions.demo, actions.start, actions.enqueue, actions.pause, actions.stop, actions.stopNow});
    run->addSeparator();
    run->addAction(actions.pauseQueue);
    run->addActions({actions.notifyEnds, actions.notifyFailures});
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
    view->addAction(actions.animations);
    view->addSeparator();
    view->addActions(pages.view);
    view->addSeparator();
    view->addActions({actions.showInspector, showLog, actions.showQueue, actions.fullScreen, actions.resetLayout});

    bar->addMenu(Menu::tr("&Tools"))->addActions(pages.tools);

    QMenu* help = bar->addMenu(Menu::tr("&Help"));
    help->addActions({actions.search, actions.manual, actions.ownNetwork, actions.words, actions.keys, actions.hints});
    help->addSeparator();
    help->addAction(actions.about);
}

} // namespace accumulus::ui
