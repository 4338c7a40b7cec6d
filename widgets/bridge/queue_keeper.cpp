// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/queue_keeper.h"

#include "core/base/log.h"
#include "core/config/experiment_file.h"

#include <utility>

namespace accumulus::ui {
namespace {

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

/// Runs that have come to their end in the meantime are left out.
std::vector<std::string> unfinished(RunReader& reader, const std::vector<std::string>& runs) {
    std::vector<std::string> left;
    for (const std::string& id : runs)
        if (const auto run = reader.run(id); run && run->state != RunState::Completed && !run->trashed)
            left.push_back(id);
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
}

void QueueKeeper::load() {
    const bool writes = !m_library.readOnly();
    if (writes && m_file == m_library.path())
        return; // what is here is newer than what has been written
    m_file = writes ? m_library.path() : std::filesystem::path();
    auto records = m_library.reader().queue();
    if (!records) {
        logError(describe(records.error()));
        records.emplace();
    }
    std::vector<QueuedStudy> waiting;
    for (QueueRecord& record : *records) {
        const bool resumes = !record.resumes.empty();
        record.resumes = unfinished(m_library.reader(), record.resumes);
        if (resumes && record.resumes.empty())
            continue;
        auto study = studyOf(record);
        if (study)
            waiting.push_back(std::move(*study));
        else
            logError(describe(study.error()));
    }
    if (!writes && waiting == m_runs.queue().waiting())
        return;
    m_loading = true;
    m_saved = std::move(*records);
    const auto count = static_cast<int>(waiting.size());
    m_runs.queue().replace(std::move(waiting));
    m_loading = false;
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
    if (records == m_saved)
        return;
    m_saved = records;
    m_library.edit(this, [records = std::move(records)](RunStore& store) { return store.putQueue(records); });
}

} // namespace accumulus::ui
