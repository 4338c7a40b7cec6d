// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/queue_keeper.h"

#include "core/base/log.h"
#include "core/config/experiment_file.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace accumulus::ui {
namespace {

constexpr auto retryInterval = std::chrono::seconds(3);

QueueRecord recordOf(const QueuedStudy& study) {
    QueueRecord record;
    record.id = study.id.toStdString();
    record.name = study.name.toStdString();
    if (study.resumes.empty())
        record.experiment = experimentToml(study.experiment);
    record.resumes = study.resumes;
    record.place = study.place;
    record.addedAt = study.addedAt;
    record.notBefore = study.notBefore;
    record.smallerParts = study.smallerParts;
    return record;
}

/// Runs that have come to their end in the meantime, or are not there any more, are left out.
Result<std::vector<std::string>> unfinished(RunReader& reader, const std::vector<std::string>& runs) {
    std::vector<std::string> left;
    for (const std::string& id : runs) {
        const auto run = reader.run(id);
        if (!run && run.error().code != "library.no-run")
            return failure(run.error());
        if (run && run->state != RunState::Completed && !run->trashed)
            left.push_back(id);
    }
    return left;
}

Result<QueuedStudy> studyOf(const QueueRecord& record) {
    QueuedStudy study;
    study.id = QString::fromStdString(record.id);
    study.name = QString::fromStdString(record.name);
    study.resumes = record.resumes;
    study.place = record.place;
    study.addedAt = record.addedAt;
    study.notBefore = record.notBefore;
    study.smallerParts = record.smallerParts;
    if (record.resumes.empty()) {
        ACCUMULUS_TRY_ASSIGN(study.experiment, parseExperiment(record.experiment, "queue"));
    }
    return study;
}

} // namespace

QueueKeeper::QueueKeeper(RunController& runs, LibraryGateway& library, QObject* parent)
    : QObject(parent), m_runs(runs), m_library(library) {
    connect(&m_runs.queue(), &StudyQueue::changed, this, &QueueKeeper::save);
    connect(&m_library, &LibraryGateway::opened, this, &QueueKeeper::load);
    connect(&m_library, &LibraryGateway::replaced, this, &QueueKeeper::saveAgain);
    connect(&m_library, &LibraryGateway::changed, this, [this] {
        if (m_library.readOnly())
            load();
    });
    m_retry.setSingleShot(true);
    m_retry.setInterval(retryInterval);
    connect(&m_retry, &QTimer::timeout, this, &QueueKeeper::save);
}

/// What cannot be read now is left as it is.
std::vector<QueuedStudy> QueueKeeper::readable(const std::vector<QueueRecord>& records) {
    std::vector<QueuedStudy> waiting;
    m_aside.clear();
    for (const QueueRecord& record : records) {
        auto runs = unfinished(m_library.reader(), record.resumes);
        if (runs && runs->empty() && !record.resumes.empty())
            continue;
        auto study = runs ? studyOf(record) : Result<QueuedStudy>(failure(runs.error()));
        if (!study) {
            logError(describe(study.error()));
            m_aside.push_back(record);
            continue;
        }
        study->resumes = std::move(*runs);
        waiting.push_back(std::move(*study));
    }
    return waiting;
}

void QueueKeeper::cannotRead(const Error& error) {
    logError(describe(error));
    m_loading = true;
    m_runs.queue().replace({});
    m_loading = false;
    if (m_library.readOnly())
        return; // it is read again at the next change
    m_unreadable = m_library.path();
    Q_EMIT failed(error);
}

void QueueKeeper::load() {
    const bool writes = !m_library.readOnly();
    if (writes && m_file == m_library.path())
        return; // what is here is newer than what has been written
    m_retry.stop();
    m_file.clear();
    const bool again = m_unreadable == m_library.path(); // what was added since then is not written yet
    std::vector<QueuedStudy> added = again && writes ? m_runs.queue().waiting() : std::vector<QueuedStudy>();
    const auto records = m_library.reader().queue();
    if (!records) {
        if (!again)
            cannotRead(records.error());
        return;
    }
    m_unreadable.clear();
    std::vector<QueuedStudy> waiting = readable(*records);
    if (!writes && waiting == m_runs.queue().waiting())
        return;
    if (writes)
        m_file = m_library.path();
    const auto count = static_cast<int>(waiting.size());
    std::ranges::move(added, std::back_inserter(waiting));
    m_loading = true;
    m_saved = *records;
    m_runs.queue().replace(std::move(waiting));
    m_runs.queue().setSaved(true);
    m_loading = false;
    if (!added.empty())
        save();
    if (writes && count > 0)
        Q_EMIT restored(count);
}

void QueueKeeper::saveAgain() {
    m_saved.reset();
    save();
}

void QueueKeeper::save() {
    if (m_loading || !m_library.isOpen() || m_library.readOnly())
        return;
    std::vector<QueueRecord> records;
    for (const QueuedStudy& study : m_runs.queue().kept())
        if (study.follows.empty()) // its launch is in the library, and offered again
            records.push_back(recordOf(study));
    if (m_file.empty()) {
        m_runs.queue().setSaved(records.empty());
        return;
    }
    records.insert(records.end(), m_aside.begin(), m_aside.end());
    if (records == m_saved)
        return;
    m_saved = records;
    m_retry.stop();
    m_library.edit(
        this, [records = std::move(records)](RunStore& store) { return store.putQueue(records); },
        [this, file = m_file](const Status& status) { written(status, file); });
}

/// Tried again after a while, with what waits by then.
void QueueKeeper::written(const Status& status, const std::filesystem::path& file) {
    if (file != m_file) {
        if (!status)
            Q_EMIT failed(status.error());
        return;
    }
    const bool wasSaved = m_runs.queue().isSaved();
    m_runs.queue().setSaved(status.has_value());
    if (status)
        return;
    m_saved.reset();
    m_retry.start();
    if (wasSaved)
        Q_EMIT failed(status.error());
}

} // namespace accumulus::ui
