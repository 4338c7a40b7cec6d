// SPDX-License-Identifier: GPL-3.0-or-later
// Builds and owns the services and the window. Language and text size are switched by building a new window over the
// same services, in steps: a study in progress goes on, the old window answers until the new one is whole, and pages
// read their state again. GUI thread.
#pragma once

#include "app/workbench/main_window.h"
#include "app/workbench/run_narrator.h"
#include "app/workbench/stall_watch.h"
#include "widgets/bridge/queue_keeper.h"
#include "widgets/pages/library_session.h"
#include "widgets/style/button_keys.h"
#include "widgets/style/chinese_letters.h"
#include "widgets/style/menu_keys.h"
#include "widgets/style/undo_keys.h"

#include <QTimer>
#include <QTranslator>
#include <filesystem>
#include <functional>
#include <memory>

class QApplication;

namespace accumulus::ui {

struct ApplicationOptions {
    std::filesystem::path library; ///< empty: the default one
    bool demo = false;             ///< start the one-minute demo at once
    QStringList files{};           ///< for Set up, as on the command line: paths or file URLs
    /// Whether Chinese can be read here; where it cannot, the language stays English.
    std::function<bool()> drawsChinese = ui::drawsChinese;
};

class Application : public QObject {
    Q_OBJECT
public:
    Application(QApplication& application, ApplicationOptions options);
    ~Application() override;

    void start(); ///< shows the window, then opens the library
    /// What SIGINT, SIGTERM and SIGHUP ask for: the first (count 1) saves a checkpoint at the next update and quits,
    /// the second stops training now, the third leaves at once. As in accumulus-cli.
    void quitBySignal(int count);

    [[nodiscard]] MainWindow& window() { return *m_window; }
    [[nodiscard]] Theme& theme() { return m_theme; }
    [[nodiscard]] LibraryGateway& library() { return m_library; }
    [[nodiscard]] RunController& runs() { return m_runs; }
    [[nodiscard]] LibrarySession& session() { return m_session; }
    [[nodiscard]] const StallWatch& stalls() const { return m_stalls; }
    [[nodiscard]] const QString& language() const { return m_language; }
    /// "en" or "zh_CN"; remembered. windowReplaced() tells when it is there. Without letters for it, the window says so
    /// and stays as it is.
    void setLanguage(const QString& language);

Q_SIGNALS:
    void windowReplaced();

private:
    [[nodiscard]] bool canShow(const QString& language) const;
    void loadTranslations();
    [[nodiscard]] std::unique_ptr<MainWindow> makeWindow();
    /// By one that shows the same, in steps: the window that is there answers meanwhile.
    void replaceWindow();
    void buildNext();
    [[nodiscard]] static bool mustWait();
    void takeNext();
    void dismantleReplaced();
    void openLibrary(const std::filesystem::path& file);
    /// The one that was asked for, else the one that was open last, else the default one.
    void openFirstLibrary();
    void openDefaultLibrary(); ///< at the start, where no other one could be opened
    void rememberLibrary();
    void runDemo();                     ///< where it was asked for and has not begun
    void tellError(const Error& error); ///< in the window and in the log

    QApplication& m_application;
    ApplicationOptions m_options;
    Theme m_theme;
    std::shared_ptr<LogModel> m_log; ///< shared with the log, which may speak after the end
    LibraryGateway m_library;
    RunController m_runs;
    QueueKeeper m_queue;
    LibrarySession m_session;
    std::unique_ptr<RunNarrator> m_narrator;
    bool m_mayUseDefault = false; ///< at the start: it has not been tried yet
    QString m_language;
    QTranslator m_words, m_qtWords;
    UndoKeys m_undoKeys;
    MenuKeys m_menuKeys;
    ButtonKeys m_buttonKeys;
    std::unique_ptr<MainWindow> m_replaced; ///< by one that shows the same; goes page by page
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<MainWindow> m_next; ///< replaces it once it is whole
    QTimer m_building;                  ///< of m_next
    QTimer m_dismantling;               ///< of m_replaced
    StallWatch m_stalls;
};

} // namespace accumulus::ui
