// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_reader.h"

#include "core/config/experiment_file.h"
#include "core/store/run_rows.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

namespace accumulus {
namespace {

using Connection = Library::Connection;

/// Several queries of one call see the same state of the file.
class ReadScope {
public:
    explicit ReadScope(Connection& connection) {
        if (!connection.inTransaction())
            m_transaction.emplace(connection.database, SQLite::TransactionBehavior::DEFERRED);
    }

private:
    std::optional<SQLite::Transaction> m_transaction; // ends by rolling back: nothing was written
};

/// Calls `read(attempt)` for each attempt that has windows, in order. Attempts never overlap in windows that are not
/// superseded, so reading them one after the other gives all windows in order, and each is a range of the primary key.
template <class Read>
Status forEachAttempt(Connection& connection, std::int64_t run, Read&& read) {
    std::int64_t attempt = std::numeric_limits<std::int64_t>::min();
    for (;;) {
        std::optional<std::int64_t> next;
        {
            Query query(connection, "SELECT min(attempt) FROM windows WHERE run = ? AND attempt > ?", run, attempt);
            next = query.step() ? query.optionalInteger() : std::nullopt;
        }
        if (!next)
            return {};
        if (*next <= attempt) // only a broken index says so; without this check it could go on for ever
            return failure(connection.corrupt({"reason.attempts-order", {}}));
        attempt = *next;
        ACCUMULUS_TRY(read(attempt));
    }
}

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

std::string windowColumnsSql(unsigned metrics) {
    std::string columns = "window, update_number, samples, epoch_position, wall_time, active_seconds";
    if (metrics & MetricLoss)
        columns += ", loss";
    if (metrics & MetricGradNorm)
        columns += ", grad_norm";
    if (metrics & MetricLr)
        columns += ", lr";
    if (metrics & MetricSamplesPerSecond)
        columns += ", seconds";
    if (metrics & MetricNoise)
        columns += ", noise_s, noise_g2, units";
    return fmt::format(
        "SELECT {} FROM windows WHERE run = ? AND attempt = ? AND window >= ? AND superseded = 0 ORDER BY window",
        columns);
}

/// One row per rank: windows, updates, seconds, then what readRank reads.
std::string rankTotalsSql() {
    std::string columns = "count(*), count(w.update_number), sum(w.seconds)";
    for (const RankValue& value : rankValues())
        columns += value.column == "window" ? std::string(", 0")
                   : value.column == "rank" ? std::string(", r.rank")
                                            : fmt::format(", sum(r.{})", value.column);
    return fmt::format("SELECT {} FROM rank_windows AS r JOIN windows AS w ON w.run = r.run AND w.attempt = r.attempt "
                       "AND w.window = r.window WHERE r.run = ? AND r.attempt = ? AND w.superseded = 0 GROUP BY r.rank "
                       "ORDER BY r.rank",
                       columns);
}

/// Appends rows to columns. Samples per second need the row before, so reading starts at afterWindow itself and leaves
/// it out.
class ColumnFiller {
public:
    ColumnFiller(WindowColumns& columns, unsigned metrics, std::int64_t afterWindow)
        : m_columns(columns), m_metrics(metrics), m_afterWindow(afterWindow),
          m_samplesBefore(afterWindow > 0 ? unknown : 0.0) {}

    void add(Query& row) {
        const std::int64_t window = row.integer();
        const double update = row.real();
        const double samples = row.real();
        const double windowSamples = samples - std::exchange(m_samplesBefore, samples);
        if (window <= m_afterWindow)
            return;
        m_columns.window.push_back(window);
        m_columns.update.push_back(update);
        m_columns.samples.push_back(samples);
        m_columns.epochs.push_back(row.real());
        m_columns.wallTime.push_back(row.real());
        m_columns.activeSeconds.push_back(row.real());
        if (m_metrics & MetricLoss)
            m_columns.loss.push_back(row.real());
        if (m_metrics & MetricGradNorm)
            m_columns.gradNorm.push_back(row.real());
        if (m_metrics & MetricLr)
            m_columns.lr.push_back(row.real());
        if (m_metrics & MetricSamplesPerSecond) {
            const double seconds = row.real();
            m_columns.samplesPerSecond.push_back(seconds > 0.0 ? windowSamples / seconds : unknown);
        }
        if (m_metrics & MetricNoise) {
            m_columns.noiseS.push_back(row.real());
            m_columns.noiseG2.push_back(row.real());
            m_columns.units.push_back(row.real());
        }
    }

private:
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    WindowColumns& m_columns;
    unsigned m_metrics;
    std::int64_t m_afterWindow;
    double m_samplesBefore;
};

} // namespace

struct RunReader::Impl {
    Library library;
    ConfigCache configs;

    [[nodiscard]] Connection& connection() { return library.connection(); }

    template <class Work>
    auto read(Work&& work) -> std::invoke_result_t<Work, Connection&> {
        return connection().guarded(Access::Read, [&] {
            ReadScope scope(connection());
            return work(connection());
        });
    }

    /// The same with the run's number.
    template <class Work>
    auto readRun(const std::string& run, Work&& work) -> std::invoke_result_t<Work, Connection&, std::int64_t> {
        return read([&](Connection& opened) -> std::invoke_result_t<Work, Connection&, std::int64_t> {
            ACCUMULUS_TRY_ASSIGN(const auto number, runNumber(opened, run));
            return work(opened, number);
        });
    }

    /// Runs of a query that begins with selectRunsSql, with their tags.
    template <class... Values>
    Result<std::vector<RunRecord>> select(Connection& opened, const std::string& rest, const Values&... values);
};

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
    } else if (!runs.empty()) {
        Query tags(opened, "SELECT run, tag FROM tags ORDER BY run, tag");
        while (tags.step())
            if (const auto place = places.find(tags.integer()); place != places.end())
                runs[place->second].tags.push_back(tags.text());
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
        const std::string trash = filter.trashed ? "trashed_at IS NOT NULL" : "trashed_at IS NULL";
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

Result<std::vector<WindowRecord>> RunReader::windows(const std::string& run, std::int64_t afterWindow) {
    return m_impl->readRun(run, [&](Connection& connection, std::int64_t number) -> Result<std::vector<WindowRecord>> {
        std::vector<WindowRecord> windows;
        static const std::string sql = fmt::format(
            "SELECT {} FROM windows WHERE run = ? AND attempt = ? AND window > ? AND superseded = 0 ORDER BY window",
            windowColumnList());
        ACCUMULUS_TRY(forEachAttempt(connection, number, [&](std::int64_t attempt) -> Status {
            Query query(connection, sql, number, attempt, afterWindow);
            while (query.step())
                windows.push_back(readWindow(query));
            return {};
        }));
        return windows;
    });
}

Result<std::vector<RankTimes>> RunReader::rankTimes(const std::string& run, std::int64_t afterWindow) {
    return m_impl->readRun(run, [&](Connection& connection, std::int64_t number) -> Result<std::vector<RankTimes>> {
        std::vector<RankTimes> rows;
        static const std::string sql =
            fmt::format("SELECT {} FROM rank_windows AS r WHERE run = ? AND attempt = ? AND window > ? AND EXISTS "
                        "(SELECT 1 FROM windows AS w WHERE w.run = r.run AND w.attempt = r.attempt AND w.window = "
                        "r.window AND w.superseded = 0) ORDER BY window, rank",
                        rankColumnList());
        ACCUMULUS_TRY(forEachAttempt(connection, number, [&](std::int64_t attempt) -> Status {
            Query query(connection, sql, number, attempt, afterWindow);
            while (query.step())
                rows.push_back(readRank(query));
            return {};
        }));
        return rows;
    });
}

Result<RankTotals> RunReader::rankTotals(const std::string& run) {
    return m_impl->readRun(run, [&](Connection& connection, std::int64_t number) -> Result<RankTotals> {
        static const std::string sql = rankTotalsSql();
        RankTotals totals;
        // All windows of an attempt have as many ranks.
        ACCUMULUS_TRY(forEachAttempt(connection, number, [&](std::int64_t attempt) -> Status {
            RankTotals part;
            Query query(connection, sql, number, attempt);
            while (query.step()) {
                part.windows = query.integer();
                part.updates = query.integer();
                part.seconds = query.realOrZero();
                part.ranks.push_back(readRank(query));
            }
            totals.add(part);
            return {};
        }));
        return totals;
    });
}

Result<std::vector<MicroStepRecord>> RunReader::microSteps(const std::string& run, std::int64_t afterWindow) {
    return m_impl->readRun(
        run, [&](Connection& connection, std::int64_t number) -> Result<std::vector<MicroStepRecord>> {
            std::vector<MicroStepRecord> rows;
            Query query(connection,
                        "SELECT window, micro_step, parameter_values FROM micro_steps AS m WHERE run = ? AND window > "
                        "? AND attempt = (SELECT max(attempt) "
                        "FROM micro_steps WHERE run = m.run AND window = m.window AND micro_step = m.micro_step) ORDER "
                        "BY window, micro_step",
                        number, afterWindow);
            while (query.step()) {
                MicroStepRecord record;
                record.window = query.integer();
                record.microStep = query.integer();
                const auto values = nlohmann::json::parse(query.text(), nullptr, /*allow_exceptions=*/false);
                if (!values.is_array())
                    return failure(connection.corrupt({"reason.parameter-values", {}}));
                for (const auto& value : values)
                    record.values.push_back(value.is_number() ? value.get<double>() : std::nan(""));
                rows.push_back(std::move(record));
            }
            return rows;
        });
}

Result<WindowColumns> RunReader::windowColumns(const std::string& run, unsigned metrics, std::int64_t afterWindow) {
    return m_impl->readRun(run, [&](Connection& connection, std::int64_t number) -> Result<WindowColumns> {
        WindowColumns columns;
        ColumnFiller filler(columns, metrics, afterWindow);
        const std::string sql = windowColumnsSql(metrics);
        ACCUMULUS_TRY(forEachAttempt(connection, number, [&](std::int64_t attempt) -> Status {
            Query query(connection, sql, number, attempt, afterWindow);
            while (query.step())
                filler.add(query);
            return {};
        }));
        return columns;
    });
}

Result<std::int64_t> RunReader::windowCount(const std::string& run) {
    return m_impl->readRun(run, [&](Connection& connection, std::int64_t number) -> Result<std::int64_t> {
        Query query(connection, "SELECT count(*) FROM windows WHERE run = ? AND superseded = 0", number);
        return query.step() ? query.integer() : 0;
    });
}

Result<std::vector<EvaluationRecord>> RunReader::evaluations(const std::string& run) {
    return m_impl->readRun(
        run, [&](Connection& connection, std::int64_t number) -> Result<std::vector<EvaluationRecord>> {
            std::vector<EvaluationRecord> evaluations;
            // max() makes SQLite take the other columns from the latest attempt's row: a resume may evaluate its
            // starting point again.
            static const std::string sql =
                fmt::format("SELECT {}, max(attempt) FROM evaluations WHERE run = ? AND superseded = 0 GROUP BY "
                            "update_number, split ORDER BY update_number, split",
                            evaluationColumnList());
            Query query(connection, sql, number);
            while (query.step())
                evaluations.push_back(readEvaluation(query));
            return evaluations;
        });
}

Result<std::vector<EventRecord>> RunReader::events(const std::string& run) {
    return m_impl->readRun(run, [&](Connection& connection, std::int64_t number) -> Result<std::vector<EventRecord>> {
        std::vector<EventRecord> events;
        Query query(connection,
                    "SELECT wall_time, level, code, text, update_number FROM events WHERE run = ? ORDER BY number",
                    number);
        while (query.step()) {
            EventRecord event;
            event.wallTime = query.real();
            event.level = query.text();
            event.code = query.text();
            event.text = query.text();
            event.update = query.integer();
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

Result<std::int64_t> RunReader::dataVersion() {
    return m_impl->connection().guarded(Access::Read, [&]() -> Result<std::int64_t> {
        Query query(m_impl->connection(), "PRAGMA data_version");
        return query.step() ? query.integer() : 0;
    });
}

} // namespace accumulus
