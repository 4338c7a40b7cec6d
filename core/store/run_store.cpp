// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_store.h"

#include "core/base/clock.h"
#include "core/config/experiment_file.h"
#include "core/store/library.h"
#include "core/store/library_merge.h"
#include "core/store/run_rows.h"
#include "core/store/run_store_impl.h"

#include <fmt/format.h>

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

Status RunStore::takeStudy(const StudyRecord& study) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        Query(connection,
              "INSERT INTO studies (id, name, config, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
              "name = excluded.name, config = excluded.config, created_at = excluded.created_at "
              "WHERE studies.created_at <= 0 AND excluded.created_at > 0",
              study.id, study.name, studyConfigJson(study.config), study.createdAt)
            .run();
        return {};
    });
}

Status RunStore::addRun(const RunRecord& run) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        if (!isUsableId(run.id))
            return failure("library.refused",
                           {{"file", connection.path.string()}, {"reason", "reason.no-run-id"}, {"run", run.id}});
        insertRun(connection, run);
        if (!run.owner.claim.empty())
            m_impl->claims[run.id] = run.owner.claim;
        return run.tags.empty() ? Status() : Impl::writeTags(connection, run.id, run.tags);
    });
}

Status RunStore::updateStarted(const RunRecord& run) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto number, m_impl->claimedRun(connection, run.id));
        Query query(
            connection,
            "UPDATE runs SET effective_batch = ?, micro_batch = ?, accumulation_steps = ?, lanes = ?, threads = ?, "
            "train_samples = ?, planned_updates = ?, program = ?, libtorch = ?, device = ?, hardware = ?, system = ?, "
            "data_hash = ?, dataset_hash = ?, model_file_hash = NULLIF(?, ''), "
            "initial_weights_hash = NULLIF(?, ''), model_traits = NULLIF(?, ''), driver = NULLIF(?, ''), attempt = ?, "
            "started_at = ?, "
            "owner_pid = ?, owner_started = ?, "
            "owner_host = ?, claim = ? WHERE number = ?",
            run.batch.effective, run.batch.micro, run.batch.steps, run.lanes, run.threads, run.trainSamples,
            run.totalUpdates, run.environment.program, run.environment.libtorch, run.environment.device,
            run.environment.hardware, run.environment.system, run.environment.data, run.datasetHash, run.modelFileHash,
            run.initialWeightsHash, run.modelTraits, run.environment.driver, run.attempt, run.startedAt);
        bindOwner(query, run.owner);
        query.bind(number).run();
        return {};
    });
}

Status RunStore::setState(const std::string& run, RunState state) {
    const auto update = [&](std::string_view further, const auto&... values) {
        const std::string sql = fmt::format(
            "UPDATE runs SET state = ?, error = '', error_code = NULL, error_arguments = NULL{} WHERE id = ?", further);
        return m_impl->updateClaimedRun(run, sql, runStateName(state), values...);
    };
    if (isActive(state))
        return update(", heartbeat_at = ?, finished_at = NULL", unixTime());
    if (state == RunState::Queued)
        return update("");
    return update(", owner_pid = NULL, owner_started = NULL, owner_host = NULL");
}

Status RunStore::giveUp(const std::vector<std::string>& runs) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        for (const std::string& run : runs)
            Query(connection, "UPDATE runs SET state = ? WHERE id = ? AND state = ?", runStateName(RunState::Stopped),
                  run, runStateName(RunState::Interrupted))
                .run();
        return {};
    });
}

Status RunStore::heartbeat(const std::string& run, double now) {
    return m_impl->updateClaimedRun(run, "UPDATE runs SET heartbeat_at = ? WHERE id = ?", now);
}

Result<RunState> RunStore::claim(const std::string& run, const RunOwner& owner, double now, bool takeOver) {
    auto before = m_impl->write([&](Library::Connection& connection) -> Result<RunState> {
        Query query(connection,
                    "SELECT state, created_at, started_at, heartbeat_at, owner_pid, owner_started, owner_host, claim, "
                    "trashed_at FROM runs WHERE id = ?",
                    run);
        if (!query.step())
            return failure("library.no-run", {{"run", run}, {"file", connection.path.string()}});
        if (Query(connection,
                  "SELECT 1 FROM events JOIN runs ON runs.number = events.run WHERE runs.id = ? AND events.code = ?",
                  run, importedEvent)
                .step())
            return failure("run.is-imported", {{"run", run}});
        RunRecord record;
        record.state = runStateFromName(query.text()).value_or(RunState::Draft);
        record.createdAt = query.realOrZero();
        record.startedAt = query.realOrZero();
        record.heartbeat = query.realOrZero();
        record.owner = readOwner(query);
        if (query.optionalReal())
            return failure("run.in-trash", {{"run", run}});
        const std::string state = runStateName(record.state);
        if (record.state == RunState::Queued || isActive(record.state)) {
            if (lifeOf(record.owner) == OwnerLife::Alive)
                return failure("run.busy",
                               {{"run", run}, {"state", state}, {"process", std::to_string(record.owner.pid)}});
            if (!isAbandoned(record, now) && !takeOver)
                return failure("run.elsewhere", {{"run", run},
                                                 {"state", state},
                                                 {"when", isoTime(lastSignOfLife(record))},
                                                 {"library", libraryArgument(connection.path)}});
            record.state = RunState::Interrupted;
        } else if (!isResumable(record.state)) {
            return failure("run.not-resumable", {{"run", run}, {"state", state}});
        }
        Query update(connection,
                     "UPDATE runs SET state = 'starting', heartbeat_at = ?, owner_pid = ?, "
                     "owner_started = ?, owner_host = ?, claim = ? WHERE id = ?",
                     now);
        bindOwner(update, owner);
        update.bind(run).run();
        return record.state;
    });
    if (before)
        m_impl->claims[run] = owner.claim;
    return before;
}

Status RunStore::giveBack(const std::string& run, const RunOwner& owner, RunState before) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        Query(connection,
              "UPDATE runs SET state = ?, owner_pid = NULL, owner_started = NULL, owner_host = NULL WHERE id = ? AND "
              "claim = ?",
              runStateName(before), run, owner.claim)
            .run();
        return {};
    });
}

Status RunStore::finishRun(const std::string& run, RunState state, const RunSummary& summary, double finishedAt,
                           const std::string& error, const std::optional<Error>& errorMessage) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto number, m_impl->claimedRun(connection, run));
        updateSummary(connection, number, summary);
        Query finish(connection,
                     "UPDATE runs SET state = ?, finished_at = ?, error = ?, error_code = ?, error_arguments = ?, "
                     "owner_pid = NULL, owner_started = NULL, owner_host = NULL WHERE number = ?",
                     runStateName(state), finishedAt, error);
        bindErrorMessage(finish, errorMessage);
        finish.bind(number).run();
        return {};
    });
}

Result<std::vector<std::string>> RunStore::markInterrupted(double now, double stale) {
    return m_impl->write([&](Library::Connection& connection) -> Result<std::vector<std::string>> {
        std::vector<std::string> ids;
        std::vector<std::int64_t> numbers;
        Query open(connection,
                   "SELECT number, id, state, created_at, started_at, heartbeat_at, owner_pid, "
                   "owner_started, owner_host, claim FROM runs "
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

Status RunStore::setColor(const std::string& run, const std::string& color) {
    return m_impl->updateRun(run, "UPDATE runs SET color = NULLIF(?, '') WHERE id = ?", color);
}

Status RunStore::setProtected(const std::string& run, bool isProtected) {
    return m_impl->updateRun(run, "UPDATE runs SET protected = ? WHERE id = ?", isProtected);
}

Status RunStore::putNote(const std::string& key, const std::string& value) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        if (value.empty())
            Query(connection, "DELETE FROM library_notes WHERE key = ?", key).run();
        else
            Query(connection, "INSERT OR REPLACE INTO library_notes (key, value) VALUES (?, ?)", key, value).run();
        return {};
    });
}

Status RunStore::begin() {
    Library::Connection& connection = m_impl->connection();
    if (m_impl->inBatch)
        return failure(m_impl->batchError("reason.batch-open"));
    return connection.guarded(Access::Write, [&]() -> Status {
        Query(connection, "BEGIN IMMEDIATE").run();
        m_impl->inBatch = true;
        return {};
    });
}

Status RunStore::commit() {
    Library::Connection& connection = m_impl->connection();
    if (!m_impl->inBatch)
        return failure(m_impl->batchError("reason.no-batch"));
    if (m_impl->batchIsLost()) {
        m_impl->inBatch = false;
        return failure(m_impl->batchError("reason.batch-given-up"));
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

Result<std::int64_t> RunStore::Impl::claimedRun(Library::Connection& connection, const std::string& run) const {
    Query query(connection, "SELECT number, claim FROM runs WHERE id = ?", run);
    if (!query.step())
        return failure("library.no-run", {{"run", run}, {"file", connection.path.string()}});
    const std::int64_t number = query.integer();
    if (const auto held = claims.find(run); held != claims.end() && held->second != query.text())
        return failure("run.taken-over", {{"run", run}});
    return number;
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
