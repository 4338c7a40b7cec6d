// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_store.h"

#include "core/base/clock.h"
#include "core/config/experiment_file.h"
#include "core/store/run_rows.h"
#include "core/store/run_store_impl.h"

namespace accumulus {

RunStore::RunStore(Library library) : m_impl(std::make_unique<Impl>(Impl{std::move(library)})) {}
RunStore::RunStore(RunStore&&) noexcept = default;
RunStore& RunStore::operator=(RunStore&&) noexcept = default;
RunStore::~RunStore() = default;

Library& RunStore::library() { return m_impl->library; }

Status RunStore::addStudy(const StudyRecord& study) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        Query(connection, "INSERT INTO studies (id, name, config, created_at) VALUES (?, ?, ?, ?)", study.id,
              study.name, studyConfigJson(study.config), study.createdAt)
            .run();
        return {};
    });
}

Status RunStore::addRun(const RunRecord& run) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        if (!isUsableId(run.id))
            return failure("library.write",
                           {{"file", connection.path.string()}, {"reason", "\"" + run.id + "\" is no run id"}});
        insertRun(connection, run);
        return run.tags.empty() ? Status() : Impl::writeTags(connection, run.id, run.tags);
    });
}

Status RunStore::updateStarted(const RunRecord& run) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto number, runNumber(connection, run.id));
        Query query(
            connection,
            "UPDATE runs SET effective_batch = ?, micro_batch = ?, accumulation_steps = ?, lanes = ?, threads = ?, "
            "train_samples = ?, planned_updates = ?, program = ?, libtorch = ?, device = ?, hardware = ?, system = ?, "
            "data_hash = ?, attempt = ?, started_at = ?, owner_pid = ?, owner_started = ?, owner_host = ? "
            "WHERE number = ?",
            run.batch.effective, run.batch.micro, run.batch.steps, run.lanes, run.threads, run.trainSamples,
            run.totalUpdates, run.environment.program, run.environment.libtorch, run.environment.device,
            run.environment.hardware, run.environment.system, run.environment.data, run.attempt, run.startedAt);
        bindOwner(query, run.owner);
        query.bind(number).run();
        return {};
    });
}

Status RunStore::setState(const std::string& run, RunState state, const std::string& error) {
    if (isActive(state))
        return m_impl->updateRun(
            run, "UPDATE runs SET state = ?, error = ?, heartbeat_at = ?, finished_at = NULL WHERE id = ?",
            runStateName(state), error, unixTime());
    if (state == RunState::Queued)
        return m_impl->updateRun(run, "UPDATE runs SET state = ?, error = ? WHERE id = ?", runStateName(state), error);
    return m_impl->updateRun(run,
                             "UPDATE runs SET state = ?, error = ?, owner_pid = NULL, owner_started = NULL, "
                             "owner_host = NULL WHERE id = ?",
                             runStateName(state), error);
}

Status RunStore::heartbeat(const std::string& run, double now) {
    return m_impl->updateRun(run, "UPDATE runs SET heartbeat_at = ? WHERE id = ?", now);
}

Status RunStore::finishRun(const std::string& run, RunState state, const RunSummary& summary, double finishedAt,
                           const std::string& error) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto number, runNumber(connection, run));
        updateSummary(connection, number, summary);
        Query(connection,
              "UPDATE runs SET state = ?, finished_at = ?, error = ?, owner_pid = NULL, owner_started = NULL, "
              "owner_host = NULL WHERE number = ?",
              runStateName(state), finishedAt, error, number)
            .run();
        return {};
    });
}

Result<std::vector<std::string>> RunStore::markInterrupted(double now, double stale) {
    return m_impl->write([&](Library::Connection& connection) -> Result<std::vector<std::string>> {
        std::vector<std::string> ids;
        std::vector<std::int64_t> numbers;
        Query open(connection,
                   "SELECT number, id, state, created_at, started_at, heartbeat_at, owner_pid, "
                   "owner_started, owner_host FROM runs "
                   "WHERE state IN ('queued', 'starting', 'running', 'paused', 'stopping') ORDER BY number");
        while (open.step()) {
            const std::int64_t number = open.integer();
            RunRecord run;
            run.id = open.text();
            run.state = runStateFromName(open.text()).value_or(RunState::Queued);
            run.createdAt = open.realOrZero();
            run.startedAt = open.realOrZero();
            run.heartbeat = open.realOrZero();
            run.owner = readOwner(open);
            if (!isAbandoned(run, now, stale))
                continue;
            numbers.push_back(number);
            ids.push_back(run.id);
        }
        for (const std::int64_t number : numbers)
            Query(connection,
                  "UPDATE runs SET state = 'interrupted', owner_pid = NULL, owner_started = NULL, owner_host = NULL, "
                  "finished_at = CASE WHEN started_at IS NULL THEN NULL ELSE coalesce(heartbeat_at, started_at) END "
                  "WHERE number = ?",
                  number)
                .run();
        return ids;
    });
}

Status RunStore::setTags(const std::string& run, const std::vector<std::string>& tags) {
    return m_impl->write([&](Library::Connection& connection) { return Impl::writeTags(connection, run, tags); });
}

Status RunStore::setNotes(const std::string& run, const std::string& notes) {
    return m_impl->updateRun(run, "UPDATE runs SET notes = ? WHERE id = ?", notes);
}

Status RunStore::rename(const std::string& run, const std::string& name) {
    return m_impl->updateRun(run, "UPDATE runs SET name = ? WHERE id = ?", name);
}

Status RunStore::begin() {
    Library::Connection& connection = m_impl->connection();
    if (m_impl->inBatch)
        return failure(m_impl->batchError("a batch is already open"));
    return connection.guarded(Access::Write, [&]() -> Status {
        Query(connection, "BEGIN IMMEDIATE").run();
        m_impl->inBatch = true;
        return {};
    });
}

Status RunStore::commit() {
    Library::Connection& connection = m_impl->connection();
    if (!m_impl->inBatch)
        return failure(m_impl->batchError("no batch is open"));
    if (m_impl->batchIsLost()) {
        m_impl->inBatch = false;
        return failure(m_impl->batchError("the batch was given up"));
    }
    return connection.guarded(Access::Write, [&]() -> Status {
        Query(connection, "COMMIT").run();
        m_impl->inBatch = false;
        return {};
    });
}

void RunStore::rollback() {
    Library::Connection& connection = m_impl->connection();
    if (m_impl->inBatch && connection.inTransaction())
        static_cast<void>(connection.database.tryExec("ROLLBACK"));
    m_impl->inBatch = false;
}

Status RunStore::Impl::writeTags(Library::Connection& connection, const std::string& run,
                                 const std::vector<std::string>& tags) {
    ACCUMULUS_TRY_ASSIGN(const auto number, runNumber(connection, run));
    Query(connection, "DELETE FROM tags WHERE run = ?", number).run();
    for (const std::string& tag : tags)
        Query(connection, "INSERT OR IGNORE INTO tags (run, tag) VALUES (?, ?)", number, tag).run();
    return {};
}

Error RunStore::Impl::batchError(const std::string& reason) const {
    return {"library.write", {{"file", library.path().string()}, {"reason", reason}}};
}

} // namespace accumulus
