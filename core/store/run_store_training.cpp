// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RunStore that writes what a run measures.
#include "core/store/run_rows.h"
#include "core/store/run_store_impl.h"
#include <cmath>
#include <nlohmann/json.hpp>

namespace accumulus {
namespace {

/// The run's counters after these windows, as the runs table shows them while it trains.
void advanceCounters(Library::Connection& connection, std::int64_t run, std::span<const WindowRecord> windows) {
    std::optional<std::int64_t> update;
    std::int64_t microSteps = 0;
    for (const WindowRecord& window : windows) {
        microSteps += window.microSteps;
        if (window.update)
            update = window.update;
    }
    const WindowRecord& last = windows.back();
    Query(connection,
          "UPDATE runs SET updates = coalesce(?, updates), micro_steps = micro_steps + ?, samples = ?, active_seconds "
          "= ?, "
          "peak_bytes = max(peak_bytes, ?) WHERE number = ?",
          update, microSteps, last.samples, last.activeSeconds, last.peakBytes, run)
        .run();
}

} // namespace

Status RunStore::addWindows(const std::string& run, std::int64_t attempt, std::span<const WindowRecord> windows) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto number, runNumber(connection, run));
        if (windows.empty())
            return {};
        Query insert(
            connection,
            "INSERT INTO windows (run, attempt, window, update_number, samples, epoch_position, wall_time, "
            "active_seconds, seconds, loss, grad_norm, lr, epoch, tokens, units, micro_steps, nonfinite, clipped, "
            "loss_scale, noise_s, noise_g2, peak_bytes, grad_norm_clipped, micro_batch, last_micro_batch, left_out, "
            "data_seconds, forward_seconds, backward_seconds, commit_seconds, update_seconds) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        for (const WindowRecord& row : windows) {
            insert.bind(number, attempt, row.window, row.update, row.samples, row.epochPosition, row.wallTime,
                        row.activeSeconds, row.seconds, row.loss, row.gradNorm, row.lr, row.epoch, row.tokens,
                        row.units, row.microSteps, row.nonfinite, row.clipped, row.lossScale, row.noiseS, row.noiseG2,
                        row.peakBytes, row.clippedNorm, row.microBatch, row.lastMicroBatch, row.leftOut,
                        row.dataSeconds, row.forwardSeconds, row.backwardSeconds, row.commitSeconds, row.updateSeconds);
            insert.run();
        }
        advanceCounters(connection, number, windows);
        return {};
    });
}

Status RunStore::addMicroSteps(const std::string& run, std::int64_t attempt,
                               std::span<const MicroStepRecord> microSteps) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto number, runNumber(connection, run));
        // A window that was stopped in its middle brings its first micro-steps again.
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
        ACCUMULUS_TRY_ASSIGN(const auto number, runNumber(connection, run));
        // The same weights may be evaluated twice (at an epoch's end that is also the run's): one row, the later.
        Query insert(connection,
                     "INSERT OR REPLACE INTO evaluations (run, attempt, update_number, split, samples, epoch_position, "
                     "count, loss, accuracy, seconds, active_seconds, wall_time) "
                     "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
        for (const EvaluationRecord& row : evaluations) {
            insert.bind(number, attempt, row.update, row.split, row.samples, row.epochPosition, row.count, row.loss,
                        row.accuracy, row.seconds, row.activeSeconds, row.wallTime);
            insert.run();
        }
        return {};
    });
}

Status RunStore::addEvents(const std::string& run, std::span<const EventRecord> events) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto number, runNumber(connection, run));
        Query insert(connection,
                     "INSERT INTO events (run, wall_time, level, code, text, update_number) VALUES (?, ?, ?, ?, ?, ?)");
        for (const EventRecord& row : events) {
            insert.bind(number, row.wallTime, row.level, row.code, row.text, row.update);
            insert.run();
        }
        return {};
    });
}

Status RunStore::addCheckpoint(const std::string& run, const CheckpointRecord& checkpoint) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto number, runNumber(connection, run));
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
        ACCUMULUS_TRY_ASSIGN(const auto number, runNumber(connection, run));
        Query(connection, "DELETE FROM checkpoints WHERE run = ? AND weights_path = ?", number,
              connection.storedPath(weightsPath))
            .run();
        return {};
    });
}

Status RunStore::supersede(const std::string& run, std::int64_t afterWindow, std::int64_t afterUpdate) {
    return m_impl->write([&](Library::Connection& connection) -> Status {
        ACCUMULUS_TRY_ASSIGN(const auto number, runNumber(connection, run));
        Query(connection, "UPDATE windows SET superseded = 1 WHERE run = ? AND superseded = 0 AND window > ?", number,
              afterWindow)
            .run();
        Query(connection,
              "UPDATE evaluations SET superseded = 1 WHERE run = ? AND superseded = 0 AND update_number > ?", number,
              afterUpdate)
            .run();
        Query(connection,
              "UPDATE runs SET (updates, micro_steps, samples, active_seconds) = (SELECT coalesce(max(update_number), "
              "0), "
              "coalesce(sum(micro_steps), 0), coalesce(max(samples), 0), coalesce(max(active_seconds), 0) FROM windows "
              "WHERE windows.run = runs.number AND superseded = 0) WHERE number = ?",
              number)
            .run();
        return {};
    });
}

} // namespace accumulus
