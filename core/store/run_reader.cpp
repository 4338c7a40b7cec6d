// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_reader.h"

#include "core/base/kept_message.h"
#include "core/config/experiment_file.h"
#include "core/store/run_reader_impl.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

namespace accumulus {
namespace {

using Connection = Library::Connection;

Result<StudyRecord> readStudy(Query& row, const Connection& connection) {
    StudyRecord study;
    study.id = row.text();
    study.name = row.text();
    auto config = studyConfigFromJson(row.text());
    if (!config)
        return failure(connection.corrupt({"reason.study-config", {{"study", study.id}}}));
    study.config = std::move(*config);
    study.createdAt = row.realOrZero();
    return study;
}

} // namespace

template <class... Values>
Result<std::vector<RunRecord>> RunReader::Impl::select(Connection& opened, const std::string& rest,
                                                       const Values&... values) {
    std::vector<RunRecord> runs;
    std::unordered_map<std::int64_t, std::size_t> places;
    Query query(opened, selectRunsSql() + rest, values...);
    while (query.step()) {
        ACCUMULUS_TRY_ASSIGN(auto run, accumulus::readRun(query, opened, configs));
        places.emplace(query.integer(), runs.size());
        runs.push_back(std::move(run));
    }
    if (runs.size() == 1) {
        Query tags(opened, "SELECT tag FROM tags WHERE run = ? ORDER BY tag", places.begin()->first);
        while (tags.step())
            runs.front().tags.push_back(tags.text());
        Query bytes(opened, "SELECT sum(bytes) FROM checkpoints WHERE run = ?", places.begin()->first);
        if (bytes.step())
            runs.front().checkpointBytes = bytes.integer();
    } else if (!runs.empty()) {
        Query tags(opened, "SELECT run, tag FROM tags ORDER BY run, tag");
        while (tags.step())
            if (const auto place = places.find(tags.integer()); place != places.end())
                runs[place->second].tags.push_back(tags.text());
        Query bytes(opened, "SELECT run, sum(bytes) FROM checkpoints GROUP BY run");
        while (bytes.step())
            if (const auto place = places.find(bytes.integer()); place != places.end())
                runs[place->second].checkpointBytes = bytes.integer();
    }
    return runs;
}

RunReader::RunReader(Library library) : m_impl(std::make_unique<Impl>(Impl{std::move(library), {}})) {}
RunReader::RunReader(RunReader&&) noexcept = default;
RunReader& RunReader::operator=(RunReader&&) noexcept = default;
RunReader::~RunReader() = default;

Library& RunReader::library() { return m_impl->library; }

Result<std::vector<RunRecord>> RunReader::runs(const RunFilter& filter) {
    return m_impl->read([&](Connection& connection) {
        std::string trash = filter.trashed ? "trashed_at IS NOT NULL" : "trashed_at IS NULL";
        if (filter.interrupted)
            trash += fmt::format(" AND (state = 'interrupted' OR study IN (SELECT study FROM runs WHERE "
                                 "state = 'interrupted' AND NOT {0})) AND NOT {0}",
                                 importedSql());
        if (filter.active)
            trash += " AND state IN ('starting', 'running', 'paused', 'stopping')";
        const std::string order = " ORDER BY created_at DESC, number DESC";
        if (filter.study.empty())
            return m_impl->select(connection, "WHERE " + trash + order);
        return m_impl->select(connection, "WHERE study = ? AND " + trash + order, filter.study);
    });
}

Result<RunRecord> RunReader::run(const std::string& idOrPrefix) {
    return m_impl->read([&](Connection& connection) -> Result<RunRecord> {
        ACCUMULUS_TRY_ASSIGN(auto exact, m_impl->select(connection, "WHERE id = ?", idOrPrefix));
        if (!exact.empty())
            return std::move(exact.front());
        std::vector<RunRecord> found;
        if (constexpr std::size_t shortest = 4; idOrPrefix.size() >= shortest) {
            // '~' comes after every character of an id.
            auto matches =
                m_impl->select(connection, "WHERE id >= ?1 AND id < ?1 || '~' ORDER BY number LIMIT 20", idOrPrefix);
            if (!matches)
                return failure(matches.error());
            found = std::move(*matches);
        }
        if (found.empty())
            return failure("library.no-run", {{"run", idOrPrefix}, {"file", connection.path.string()}});
        if (found.size() > 1) {
            std::string candidates;
            for (const RunRecord& run : found)
                candidates += (candidates.empty() ? "" : ", ") + run.id;
            return failure("library.ambiguous-run", {{"run", idOrPrefix}, {"candidates", candidates}});
        }
        return std::move(found.front());
    });
}

Result<std::vector<StudyRecord>> RunReader::studies() {
    return m_impl->read([&](Connection& connection) -> Result<std::vector<StudyRecord>> {
        std::vector<StudyRecord> studies;
        Query query(connection,
                    "SELECT id, name, config, created_at FROM studies ORDER BY created_at DESC, rowid DESC");
        while (query.step()) {
            ACCUMULUS_TRY_ASSIGN(auto study, readStudy(query, connection));
            studies.push_back(std::move(study));
        }
        return studies;
    });
}

Result<StudyRecord> RunReader::study(const std::string& id) {
    return m_impl->read([&](Connection& connection) -> Result<StudyRecord> {
        Query query(connection, "SELECT id, name, config, created_at FROM studies WHERE id = ?", id);
        if (!query.step())
            return failure("library.no-study", {{"study", id}, {"file", connection.path.string()}});
        return readStudy(query, connection);
    });
}

Result<std::vector<EventRecord>> RunReader::events(const std::string& run) {
    return m_impl->readRun(run, [&](Connection& connection, std::int64_t number) -> Result<std::vector<EventRecord>> {
        std::vector<EventRecord> events;
        Query query(connection,
                    "SELECT wall_time, level, code, text, update_number, arguments FROM events WHERE run = ? "
                    "ORDER BY number",
                    number);
        while (query.step()) {
            EventRecord event;
            event.wallTime = query.real();
            event.level = query.text();
            event.code = query.text();
            event.text = query.text();
            event.update = query.integer();
            event.arguments = argumentsFromJson(query.text());
            events.push_back(std::move(event));
        }
        return events;
    });
}

Result<std::vector<CheckpointRecord>> RunReader::checkpoints(const std::string& run) {
    return m_impl->readRun(
        run, [&](Connection& connection, std::int64_t number) -> Result<std::vector<CheckpointRecord>> {
            std::vector<CheckpointRecord> checkpoints;
            Query query(connection,
                        "SELECT kind, update_number, samples, weights_path, bundle_path, weights_hash, bytes, "
                        "wall_time FROM checkpoints "
                        "WHERE run = ? ORDER BY update_number, wall_time, weights_path",
                        number);
            while (query.step()) {
                CheckpointRecord checkpoint;
                const auto kind = checkpointKindFromName(query.text());
                if (!kind)
                    return failure(connection.corrupt({"reason.checkpoint-kind", {{"run", run}}}));
                checkpoint.kind = *kind;
                checkpoint.update = query.integer();
                checkpoint.samples = query.integer();
                for (std::string* path : {&checkpoint.weightsPath, &checkpoint.bundlePath}) {
                    auto full = connection.fullPath(query.text());
                    if (!full)
                        return failure(connection.corrupt({"reason.checkpoint-outside", {{"run", run}}}));
                    *path = std::move(*full);
                }
                checkpoint.weightsHash = query.text();
                checkpoint.bytes = query.integer();
                checkpoint.wallTime = query.real();
                checkpoints.push_back(std::move(checkpoint));
            }
            return checkpoints;
        });
}

Result<std::string> RunReader::note(const std::string& key) {
    return m_impl->read([&](Connection& connection) -> Result<std::string> {
        Query query(connection, "SELECT value FROM library_notes WHERE key = ?", key);
        return query.step() ? query.text() : std::string();
    });
}

Result<std::int64_t> RunReader::dataVersion() {
    return m_impl->connection().guarded(Access::Read, [&]() -> Result<std::int64_t> {
        Query query(m_impl->connection(), "PRAGMA data_version");
        return query.step() ? query.integer() : 0;
    });
}

} // namespace accumulus
