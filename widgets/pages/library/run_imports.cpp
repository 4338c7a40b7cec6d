// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/run_imports.h"

#include "core/run/run_import_words.h"
#include "widgets/models/library_rights.h"
#include "widgets/pages/file_drop.h"
#include "widgets/pages/library/event_steps_dialog.h"
#include "widgets/style/controls.h"
#include "widgets/style/format.h"

#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QSettings>
#include <QUrl>
#include <chrono>
#include <utility>

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

/// One import on its way.
struct RunImports::Job {
    Job(QStringList given, std::filesystem::path into) : files(std::move(given)), library(std::move(into)) {}

    QStringList files;
    std::filesystem::path library; ///< that takes them up
    std::stop_source stop{std::nostopstate};
    RunsToImport runs;
};

RunImports::RunImports(Services services, QWidget& page)
    : QObject(&page), m_library(services.library), m_page(page), m_notice(new NoticeBar(services.theme, &page)),
      m_frame(new DropFrame(services.theme, &page)) {
    m_notice->setObjectName(QStringLiteral("libraryImport"));
    m_notice->hide();
    m_noticeEnd.setSingleShot(true);
    connect(&m_noticeEnd, &QTimer::timeout, m_notice, &NoticeBar::clear);
    connect(m_notice, &NoticeBar::actionTriggered, this, &RunImports::cancel);
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
    m_notice->showNotice(NoticeLevel::Info, tr("Importing %n file(s)…", nullptr, static_cast<int>(files.size())),
                         tr("Cancel"));
    std::vector<std::filesystem::path> paths;
    for (const QString& file : files)
        paths.emplace_back(QFile::encodeName(file).toStdString());
    const auto job = std::make_shared<Job>(files, m_library.path());
    job->stop = m_library.start(
        this,
        [paths, options, job](RunReader&, const std::stop_token& stop) -> Status {
            ACCUMULUS_TRY_ASSIGN(job->runs, readRuns(paths, job->library, options, stop));
            return {};
        },
        [this, job](const Status& status) {
            if (status)
                write(job);
            else
                finish(*job, status.error());
        });
    m_jobs.push_back(job);
}

/// Long reading is over: only now edits have to wait.
void RunImports::write(const std::shared_ptr<Job>& job) {
    if (job->stop.stop_requested() || m_library.path() != job->library)
        return finish(*job, {"library.cancelled", {}});
    const auto outcome = std::make_shared<ImportOutcome>();
    m_library.edit(
        this,
        [job, outcome](RunStore& store) -> Status {
            ACCUMULUS_TRY_ASSIGN(*outcome, addRuns(store, std::move(job->runs), job->stop.get_token()));
            return {};
        },
        [this, job, outcome](const Status& status) {
            if (!status)
                return finish(*job, status.error());
            std::erase(m_jobs, job);
            show(*outcome);
        });
}

void RunImports::cancel() {
    for (const auto& job : m_jobs)
        job->stop.request_stop();
}

void RunImports::finish(const Job& job, const Error& error) {
    std::erase_if(m_jobs, [&](const auto& known) { return known.get() == &job; });
    if (error.code == "library.cancelled")
        m_notice->clear();
    else
        showError(error, job.files);
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
    if (error.code != "import.no-batch") {
        m_notice->showNotice(NoticeLevel::Error, format::error(error));
        return;
    }
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
