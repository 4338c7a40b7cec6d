// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pages/library/import_jobs.h"

#include "widgets/bridge/library_gateway.h"

#include <QFile>
#include <filesystem>
#include <stop_token>
#include <utility>

namespace accumulus::ui {

/// One import on its way.
struct ImportJobs::Job {
    Job(QStringList given, std::filesystem::path into) : files(std::move(given)), library(std::move(into)) {}

    QStringList files;
    std::filesystem::path library; ///< that takes them up
    std::stop_source stop{std::nostopstate};
    RunsToImport runs;
};

ImportJobs::ImportJobs(LibraryGateway& library) : m_library(library) {}

ImportJobs::~ImportJobs() { cancel(); }

void ImportJobs::read(const QStringList& files, const ImportOptions& options) {
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
                finish(job, status.error());
        });
    m_jobs.push_back(job);
}

/// Long reading is over: only now edits have to wait.
void ImportJobs::write(const std::shared_ptr<Job>& job) {
    if (job->stop.stop_requested() || m_library.path() != job->library)
        return finish(job, {"library.cancelled", {}});
    const auto outcome = std::make_shared<ImportOutcome>();
    m_library.edit(
        this,
        [job, outcome](RunStore& store) -> Status {
            ACCUMULUS_TRY_ASSIGN(*outcome, addRuns(store, std::move(job->runs), job->stop.get_token()));
            return {};
        },
        [this, job, outcome](const Status& status) {
            if (!status)
                return finish(job, status.error());
            std::erase(m_jobs, job);
            Q_EMIT imported(*outcome);
        });
}

void ImportJobs::finish(const std::shared_ptr<Job>& job, const Error& error) {
    std::erase(m_jobs, job);
    Q_EMIT failed(error, job->files);
}

void ImportJobs::cancel() {
    for (const auto& job : m_jobs)
        job->stop.request_stop();
}

int ImportJobs::files() const {
    int files = 0;
    for (const auto& job : m_jobs)
        files += static_cast<int>(job->files.size());
    return files;
}

} // namespace accumulus::ui
