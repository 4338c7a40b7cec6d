// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunStore that writes what a run measures.
#include "core/base/kept_message.h"
#include "core/config/metric_rows.h"
#include "core/store/run_rows.h"
#include "core/store/run_store_impl.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace accumulus {
namespace {

void takeSpeed(RunSummary& summary) {
    if (summary.activeSeconds > 0.0)
        summary.samplesPerSecond = static_cast<double>(summary.samples) / summary.activeSeconds;
}

/// The run's figures after these windows, as its end would say them: it may come to none.
void takeWindows(Library::Connection& connection, std::int64_t run, std::span<const WindowRecord> windows) {
    RunSummary summary = summaryOf(connection, run);
    for (const WindowRecord& window : windows) {
        summary.microSteps += window.microSteps;
        if (window.update)
            summary.updates = *window.update;
        if (givesTrainLoss(window))
            summary.finalTrainLoss = window.loss;
    }
    const WindowRecord& last = windows.back();
    summary.samples = last.samples;
    summary.activeSeconds = last.activeSeconds;
    summary.peakBytes = std::max(summary.peakBytes, last.peakBytes);
    takeSpeed(summary);
    updateSummary(connection, run, summary);
}

/// The run's figures where it goes on after a resume: what is superseded no longer counts.
void goBack(Library::Connection& connection, std::int64_t run) {
    const RunSummary before = summaryOf(connection, run);
    RunSummary summary;
    summary.peakBytes = before.peakBytes;
    summary.evaluationPeakBytes = before.evaluationPeakBytes;
    summary.checkpoint = before.checkpoint;
    summary.othersShare = before.othersShare;
    Query sums(connection,
               "SELECT coalesce(max(update_number), 0), coalesce(sum(micro_steps), 0), coalesce(max(samples), 0), "
               "coalesce(max(active_seconds), 0) FROM windows WHERE run = ? AND superseded = 0",
               run);
    if (sums.step()) {
        summary.updates = sums.integer();
        summary.microSteps = sums.integer();
        summary.samples = sums.integer();
        summary.activeSeconds = sums.real();
    }
    takeSpeed(summary);
    Query loss(connection,
               "SELECT loss FROM windows WHERE run = ? AND superseded = 0 AND units > 0 AND (update_number IS NOT NULL "
               "OR nonfinite = 1) ORDER BY attempt DESC, window DESC LIMIT 1", // givesTrainLoss()
               run);
    if (loss.step())
        summary.finalTrainLoss = loss.real();
    for (const EvaluationRecord& evaluation : evaluationsOf(connection, run)) // by update
        takeEvaluation(summary, evaluation);
    updateSummary(connection, run, summary);
}

/// Columns that look at all evaluations.
void updateEvaluated(Library::Connection& connection, std::int64_t run) {
    Query(connection,
          "UPDATE runs SET (lowest_loss, test_count, validation_count) = "
          "(SELECT coalesce(min(CASE split WHEN 'validation' THEN loss END), min(loss)), "
          "coalesce(max(CASE split WHEN 'test' THEN count END), 0), "
          "coalesce(max(CASE split WHEN 'validation' THEN count END), 0) "
          "FROM evaluations WHERE run = runs.number AND superseded = 0) WHERE number = ?",
          run)
        .run();
}

/// Of windows that several ranks computed.
void addRanks(Library::Connection& connection, std::int64_t run, std::int64_t attempt,
              std::span<const WindowRecord> windows) {
    if (std::ranges::all_of(windows, [](const WindowRecord& window) { return window.ranks.empty(); }))
        return;
    static const std::string sql = insertSql("INSERT", "rank_windows", rankColumnList());
    Query insert(connection, sql);
    for (const WindowRecord& window : windows) {
        for (const RankTimes& times : window.ranks) {
            insert.bind(run, attempt);
            bindRank(insert, times);
            insert.run();
        }
    }
}

} // namespace

Status RunStore::addWindows(const std::string& run, std::int64_t attempt, std::span<const WindowRecord> windows) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto number, m_impl->claimedRun(connection, run));
        if (windows.empty())
            return {};
        static const std::string sql = insertSql("INSERT", "windows", windowColumnList());
        Query insert(connection, sql);
        for (const WindowRecord& row : windows) {
            insert.bind(number, attempt);
            bindWindow(insert, row);
            insert.run();
        }
        addRanks(connection, number, attempt, windows);
        takeWindows(connection, number, windows);
        return {};
    });
}

Status RunStore::addMicroSteps(const std::string& run, std::int64_t attempt,
                               std::span<const MicroStepRecord> microSteps) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto number, m_impl->claimedRun(connection, run));
        // A window that was stopped in its middle has its later micro-steps in the next attempt.
        Query insert(connection, "INSERT OR REPLACE INTO micro_steps (run, attempt, window, micro_step, "
                                 "parameter_values) VALUES (?, ?, ?, ?, ?)");
        for (const MicroStepRecord& row : microSteps) {
            insert.bind(number, attempt, row.window, row.microStep, nlohmann::json(row.values).dump());
            insert.run();
        }
        return {};
    });
}

Status RunStore::addEvaluations(const std::string& run, std::int64_t attempt,
                                std::span<const EvaluationRecord> evaluations) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto number, m_impl->claimedRun(connection, run));
        // The same weights may be evaluated twice (at an epoch's end that is also the run's): one row, the later.
        static const std::string sql = insertSql("INSERT OR REPLACE", "evaluations", evaluationColumnList());
        Query insert(connection, sql);
        RunSummary summary = summaryOf(connection, number);
        for (const EvaluationRecord& row : evaluations) {
            insert.bind(number, attempt);
            bindEvaluation(insert, row);
            insert.run();
            takeEvaluation(summary, row);
            summary.evaluationPeakBytes = std::max(summary.evaluationPeakBytes, row.peakBytes);
        }
        updateSummary(connection, number, summary);
        updateEvaluated(connection, number);
        return {};
    });
}

Status RunStore::addEvents(const std::string& run, std::span<const EventRecord> events) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto number, m_impl->claimedRun(connection, run));
        Query insert(connection, "INSERT INTO events (run, wall_time, level, code, text, update_number, arguments) "
                                 "VALUES (?, ?, ?, ?, ?, ?, ?)");
        for (const EventRecord& row : events) {
            insert.bind(number, row.wallTime, row.level, row.code, row.text, row.update,
                        row.arguments ? std::optional(argumentsJson(*row.arguments)) : std::nullopt);
            insert.run();
        }
        return {};
    });
}

Status RunStore::addCheckpoint(const std::string& run, const CheckpointRecord& checkpoint) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto number, m_impl->claimedRun(connection, run));
        // Best and last are written again under the same name.
        Query(connection,
              "INSERT OR REPLACE INTO checkpoints (run, weights_path, bundle_path, kind, update_number, samples, "
              "weights_hash, bytes, "
              "wall_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
              number, connection.storedPath(checkpoint.weightsPath), connection.storedPath(checkpoint.bundlePath),
              checkpointKindName(checkpoint.kind), checkpoint.update, checkpoint.samples, checkpoint.weightsHash,
              checkpoint.bytes, checkpoint.wallTime)
            .run();
        return {};
    });
}

Status RunStore::removeCheckpoint(const std::string& run, const std::string& weightsPath) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto number, m_impl->claimedRun(connection, run));
        const std::string stored = connection.storedPath(weightsPath);
        Query(connection, "DELETE FROM checkpoints WHERE run = ? AND weights_path = ?", number, stored).run();
        Query(connection,
              "UPDATE runs SET checkpoint = coalesce((SELECT weights_path FROM checkpoints WHERE run = ?1 ORDER BY "
              "update_number DESC LIMIT 1), '') WHERE number = ?1 AND checkpoint = ?2",
              number, stored)
            .run();
        return {};
    });
}

Status RunStore::supersede(const std::string& run, std::int64_t afterWindow, std::int64_t afterUpdate) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto number, m_impl->claimedRun(connection, run));
        Query(connection, "UPDATE windows SET superseded = 1 WHERE run = ? AND superseded = 0 AND window > ?", number,
              afterWindow)
            .run();
        Query(connection,
              "UPDATE evaluations SET superseded = 1 WHERE run = ? AND superseded = 0 AND update_number > ?", number,
              afterUpdate)
            .run();
        // The window after it may go on in its middle.
        Query(connection, "DELETE FROM micro_steps WHERE run = ? AND window > ?", number, afterWindow + 1).run();
        Query(connection, "DELETE FROM checkpoints WHERE run = ? AND update_number > ? AND bundle_path <> ''", number,
              afterUpdate)
            .run();
        goBack(connection, number);
        updateEvaluated(connection, number);
        return {};
    });
}

} // namespace accumulus
