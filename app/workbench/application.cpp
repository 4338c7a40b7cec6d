// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/application.h"

#include "core/base/error.h"
#include "core/base/log.h"
#include "core/store/library.h"
#include "widgets/models/recent_files.h"
#include "widgets/style/format.h"

#include <QApplication>
#include <QFileInfo>
#include <QIcon>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <QTimer>
#include <QUrl>
#include <chrono>
#include <cstdlib>
#include <initializer_list>
#include <utility>

using namespace std::chrono_literals;

namespace accumulus::ui {
namespace {

const QString languageKey = QStringLiteral("view/language");
const QString chinese = QStringLiteral("zh_CN");
const QString english = QStringLiteral("en");

QString rememberedLanguage() {
    const QString remembered = QSettings().value(languageKey).toString();
    if (remembered == chinese || remembered == english)
        return remembered;
    return QLocale::system().language() == QLocale::Chinese ? chinese : english;
}

QLocale localeOf(const QString& language) {
    const QLocale system = QLocale::system();
    const QLocale wanted(language);
    // The system's own conventions where it speaks that language, else the language's.
    return system.language() == wanted.language() ? system : wanted;
}

Error noLetters() { return {"language.no-letters", {}}; }

/// Relative to where the program was started. A file manager may give a URL.
QStringList pathsOf(const QStringList& files) {
    QStringList paths;
    for (const QString& file : files)
        paths
            << QFileInfo(file.startsWith(QLatin1String("file:")) ? QUrl(file).toLocalFile() : file).absoluteFilePath();
    return paths;
}

} // namespace

Application::Application(QApplication& application, ApplicationOptions options)
    : m_application(application), m_options(std::move(options)), m_theme(application),
      m_log(new LogModel, [](LogModel* log) { log->deleteLater(); }), // the last owner may be another thread
      m_runs(m_options.library.empty() ? defaultLibraryPath() : m_options.library), m_queue(m_runs, m_library),
      m_session(m_library, m_runs), m_language(rememberedLanguage()),
      m_stalls([this] { return m_window ? m_window->currentPage() : QString(); }) {
    application.setWindowIcon(QIcon(QStringLiteral(":/io.github.accumulus.Accumulus.svg")));
    addLogReceiver([log = std::weak_ptr(m_log)](LogLevel level, const std::string& message) {
        if (const auto model = log.lock())
            model->append(level, format::fromUtf8(message));
    });
    // Sizes are measured in letters when a window is built. Queued: its own menu asks for it.
    connect(&m_theme, &Theme::textSizeChanged, this, &Application::replaceWindow, Qt::QueuedConnection);
    m_narrator = std::make_unique<RunNarrator>(m_runs, m_library, *m_log);
    for (QObject* keys : std::initializer_list<QObject*>{&m_undoKeys, &m_menuKeys, &m_buttonKeys})
        application.installEventFilter(keys);
    if (!canShow(m_language))
        m_language = english;
    connect(&m_building, &QTimer::timeout, this, &Application::buildNext);
    connect(&m_dismantling, &QTimer::timeout, this, &Application::dismantleReplaced);
    connect(&m_library, &LibraryGateway::opened, this, &Application::rememberLibrary);
    connect(&m_library, &LibraryGateway::openFailed, this, [this](const Error& error) {
        tellError(error);
        openDefaultLibrary();
        if (!m_library.isOpen() && m_library.awaited().empty())
            m_options.demo = false; // what a person opens later is not for it
    });
    loadTranslations();
    m_window = makeWindow();
    while (m_window->buildNext())
        continue;
}

Application::~Application() = default;

void Application::start() {
    m_window->show();
    m_stalls.begin();
    // The first frame comes before the file is read.
    QTimer::singleShot(0, this, [this] {
        m_window->beginSession();               // before the files: what they bring stands in front
        if (m_language != rememberedLanguage()) // which comes back once its letters are there
            tellError(noLetters());
        openFirstLibrary();
        if (!m_options.files.isEmpty())
            m_window->bringFiles(pathsOf(m_options.files));
        if (m_library.awaited().empty())
            return runDemo();
        connect(&m_library, &LibraryGateway::opened, this, &Application::runDemo, Qt::QueuedConnection);
    });
}

void Application::runDemo() {
    if (std::exchange(m_options.demo, false))
        m_window->runDemo();
}

void Application::quitBySignal(int count) {
    switch (count) {
    case 1:
        m_window->saveAndClose();
        break;
    case 2:
        m_runs.stopNow();
        break;
    default:
        // Everything committed so far is safe in the library; the run shows as interrupted and can be resumed.
        std::_Exit(static_cast<int>(ErrorKind::Interrupted));
    }
}

std::unique_ptr<MainWindow> Application::makeWindow() {
    auto window = std::make_unique<MainWindow>(Services{m_theme, m_library, m_runs, m_session}, *m_log, m_language);
    connect(window.get(), &MainWindow::languageRequested, this, &Application::setLanguage, Qt::QueuedConnection);
    // Queued: the window clears what it has said about another library first.
    connect(&m_queue, &QueueKeeper::restored, window.get(), &MainWindow::showRestoredQueue, Qt::QueuedConnection);
    connect(&m_queue, &QueueKeeper::failed, window.get(), &MainWindow::showError, Qt::QueuedConnection);
    connect(window.get(), &MainWindow::libraryRequested, this,
            [this](const QString& file) { openLibrary(file.toStdString()); });
    return window;
}

void Application::openLibrary(const std::filesystem::path& file) {
    if (!m_window->mayOpenLibrary()) // a study may have begun while a person looked for the file
        return;
    if (const Status status = m_library.open(file); !status)
        return tellError(status.error());
}

void Application::rememberLibrary() {
    rememberFile(FileRole::Library, QString::fromStdString(m_library.path().string()));
}

void Application::openFirstLibrary() {
    const QString last = m_options.library.empty() ? recentFiles(FileRole::Library).value(0) : QString();
    const bool gone = !last.isEmpty() && !QFileInfo::exists(last); // never made anew, unlike the default one
    m_mayUseDefault = true;
    if (!last.isEmpty() && !gone)
        openLibrary(last.toStdString());
    openDefaultLibrary();
    if (gone)
        tellError({"library.gone", {{"file", last.toStdString()}}});
}

void Application::openDefaultLibrary() {
    if (!m_library.isOpen() && m_library.awaited().empty() && std::exchange(m_mayUseDefault, false))
        openLibrary(m_options.library.empty() ? defaultLibraryPath() : m_options.library);
}

void Application::tellError(const Error& error) {
    logError(describe(error));
    m_window->showError(error);
}

void Application::setLanguage(const QString& language) {
    if (!canShow(language)) {
        tellError(noLetters());
        return;
    }
    QSettings().setValue(languageKey, language);
    if (language == m_language)
        return;
    m_language = language;
    loadTranslations();
    replaceWindow();
}

bool Application::canShow(const QString& language) const { return language != chinese || m_options.drawsChinese(); }

void Application::replaceWindow() {
    m_next = makeWindow(); // another language may have been asked for before the last one was there
    m_building.start();
}

void Application::buildNext() {
    const bool waits = mustWait();
    m_building.setInterval(waits ? 50ms : 0ms);
    if (!waits && !m_next->buildNext()) {
        m_building.stop();
        takeNext();
    }
}

/// Whether a person is in the middle of something that belongs to the window that is there: a dialog, a menu, a drag.
/// Each runs events of its own; who opened it goes on in that window.
bool Application::mustWait() {
    return QApplication::activeModalWidget() || QApplication::activePopupWidget() ||
           QApplication::mouseButtons() != Qt::NoButton;
}

void Application::takeNext() {
    if (!m_window->isVisible()) { // closed meanwhile
        m_next.reset();
        return;
    }
    const MainWindow::Kept kept = m_window->kept();
    m_next->restoreGeometry(m_window->saveGeometry());
    m_next->restoreState(m_window->saveState());
    m_next->takeOver(kept);
    // The new window stands before the old one goes: the program never has none, which would end it.
    m_next->show();
    m_window->retire();
    m_replaced = std::exchange(m_window, std::move(m_next));
    m_dismantling.start();
    Q_EMIT windowReplaced();
}

void Application::dismantleReplaced() {
    if (m_replaced->dismantleNext())
        return;
    m_dismantling.stop();
    m_replaced.reset();
}

void Application::loadTranslations() {
    QLocale::setDefault(localeOf(m_language));
    m_application.removeTranslator(&m_words);
    m_application.removeTranslator(&m_qtWords);
    // English is loaded, too: it holds the plurals.
    if (m_words.load(QStringLiteral("accumulus_") + m_language, QStringLiteral(":/i18n")))
        m_application.installTranslator(&m_words);
    if (m_language != english &&
        m_qtWords.load(QStringLiteral("qtbase_") + m_language, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        m_application.installTranslator(&m_qtWords);
}

} // namespace accumulus::ui
