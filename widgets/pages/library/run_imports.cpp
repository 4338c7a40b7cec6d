// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/run_imports.h"

#include "core/run/run_import_words.h"
#include "widgets/models/library_rights.h"
#include "widgets/pages/file_drop.h"
#include "widgets/pages/library/event_steps_dialog.h"
#include "widgets/pages/library/import_jobs.h"
#include "widgets/pages/library_session.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"

#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QSettings>
#include <QUrl>
#include <chrono>

namespace accumulus::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto noticeTime = 10s;
const QString folderKey = QStringLiteral("library/importFolder");

QStringList localFiles(const QDropEvent& event) {
    QStringList files;
    if (const QMimeData* data = event.mimeData())
        for (const QUrl& url : data->urls())
            if (url.isLocalFile())
                files << url.toLocalFile();
    return files;
}

} // namespace

RunImports::RunImports(Services services, QWidget& page)
    : QObject(&page), m_library(services.library), m_jobs(services.session.imports), m_page(page),
      m_notice(new NoticeBar(services.theme, &page)), m_frame(new DropFrame(services.theme, &page)) {
    m_notice->setObjectName(QStringLiteral("libraryImport"));
    m_notice->hide();
    m_noticeEnd.setSingleShot(true);
    connect(&m_noticeEnd, &QTimer::timeout, m_notice, &NoticeBar::clear);
    connect(m_notice, &NoticeBar::actionTriggered, &m_jobs, &ImportJobs::cancel);
    connect(&m_jobs, &ImportJobs::imported, this, &RunImports::show);
    connect(&m_jobs, &ImportJobs::failed, this, &RunImports::showError);
    if (m_jobs.files() > 0) // asked for on a page before this one
        showReading();
    page.setAcceptDrops(true);
    page.installEventFilter(this);
}

void RunImports::ask() {
    const QStringList files = QFileDialog::getOpenFileNames(
        &m_page, tr("Import runs"), QSettings().value(folderKey).toString(),
        tr("Libraries, CSV, JSON and TensorBoard's files (*.sqlite *.csv *.json *tfevents*);;All files (*)"));
    if (files.isEmpty())
        return;
    QSettings().setValue(folderKey, QFileInfo(files.front()).absolutePath());
    read(files);
}

void RunImports::read(const QStringList& files, const ImportOptions& options) {
    m_noticeEnd.stop();
    if (const QString why = whyNoWriting(m_library); !why.isEmpty())
        return m_notice->showNotice(NoticeLevel::Warning, why);
    m_jobs.read(files, options);
    showReading();
}

void RunImports::showReading() {
    m_notice->showNotice(NoticeLevel::Info, tr("Importing %n file(s)…", nullptr, m_jobs.files()), tr("Cancel"));
}

void RunImports::show(const ImportOutcome& outcome) {
    QStringList words;
    for (const Message& message : importMessages(outcome))
        words << format::message(message);
    m_notice->showNotice(outcome.added.empty() ? NoticeLevel::Info : NoticeLevel::Success,
                         words.join(QLatin1Char(' ')));
    m_noticeEnd.start(noticeTime);
    QStringList runs;
    for (const std::string& run : outcome.added)
        runs << QString::fromStdString(run);
    Q_EMIT imported(runs);
}

void RunImports::showError(const Error& error, const QStringList& files) {
    if (error.code == "library.cancelled")
        return m_notice->clear();
    if (error.code != "import.no-batch" || m_page.window()->isHidden()) // else the page that follows asks
        return m_notice->showNotice(NoticeLevel::Error, format::error(error));
    // What the file does not say, the person may know.
    m_notice->clear();
    auto* dialog = new EventStepsDialog(format::message(error), &m_page);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, files] { read(files, dialog->options()); });
    dialog->open();
}

bool RunImports::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::DragEnter:
    case QEvent::DragMove:
        return entered(*event);
    case QEvent::DragLeave:
        m_frame->hide();
        return true;
    case QEvent::Drop: {
        auto& drop = static_cast<QDropEvent&>(*event);
        const QStringList files = localFiles(drop);
        m_frame->hide();
        if (files.isEmpty())
            return false;
        drop.setDropAction(Qt::CopyAction);
        drop.accept();
        read(files);
        return true;
    }
    default:
        return QObject::eventFilter(watched, event);
    }
}

bool RunImports::entered(QEvent& event) {
    auto& drop = static_cast<QDropEvent&>(event);
    const QStringList files = localFiles(drop);
    if (files.isEmpty())
        return false;
    drop.setDropAction(Qt::CopyAction); // never a move: the person's file stays where it is
    drop.accept();
    if (event.type() != QEvent::DragEnter)
        return true;
    const QString why = whyNoWriting(m_library);
    m_frame->showWords(!why.isEmpty() ? why
                                      : tr("The runs of %n file(s) will be added to the library. Runs that are in it "
                                           "already stay as they are.",
                                           nullptr, static_cast<int>(files.size())),
                       why.isEmpty());
    return true;
}

} // namespace accumulus::ui
