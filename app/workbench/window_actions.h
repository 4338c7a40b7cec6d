// SPDX-License-Identifier: GPL-3.0-or-later
// Every action of the menus with its text, key and object name; what they do is connected by MainWindow and by the
// table of pages. Children of the window. GUI thread.
#pragma once

#include "widgets/pages/page.h"
#include "widgets/style/theme.h"

#include <QList>
#include <QString>

class QAction;
class QActionGroup;
class QMainWindow;
class QMenu;

namespace accumulus::ui {

struct WindowActions {
    // File
    QAction *newSetup, *examples, *newLibrary, *openLibrary, *showLibraryFolder, *importRuns, *exportRuns, *savePlot,
        *report, *quit;
    // Edit
    QAction *undo, *redo, *copyCommand, *filterRuns;
    // Run
    QAction *demo, *start, *enqueue, *pause, *stop, *stopNow, *pauseQueue, *notifyEnds, *notifyFailures;
    // View
    QList<QAction*> pages;  ///< one per page, in the order of the rail
    QActionGroup* theme;    ///< data: ThemeMode as int
    QActionGroup* language; ///< data: "en", "zh_CN"
    QActionGroup* textSize; ///< data: percent
    QAction *largerText, *smallerText, *animations;
    QAction *showInspector, *showQueue, *fullScreen, *resetLayout;
    // Help
    QAction *search, *manual, *ownNetwork, *words, *keys, *hints, *about;
};

/// Dynamic property (text) of an action: what it is called in English, whatever the language.
inline constexpr auto kEnglishProperty = "accumulusEnglish";

[[nodiscard]] WindowActions createActions(QMainWindow& window, const Theme& theme, const QString& language);

/// The choices of the text's size, and the steps to the next of them.
void connectTextSizes(const WindowActions& actions, Theme& theme);

/// `pages`: what all of them bring together.
void createMenus(QMainWindow& window, const WindowActions& actions, const PageMenus& pages, QMenu* recentLibraries,
                 QAction* showLog);

} // namespace accumulus::ui
