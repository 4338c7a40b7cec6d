// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of stopped runs share: a study of milliseconds, stops at a checkpoint, and statements that change a
// library behind the program's back.
#pragma once

#include "tests/support/study_fixture.h"

#include <sqlite3.h>

namespace accumulus::test {

/// 40 updates of a tenth of a millisecond's work, a checkpoint at each tenth one.
inline ExperimentConfig shortStudy() {
    ExperimentConfig experiment;
    RunConfig& run = experiment.run;
    run.data.dataset = "digits-generated";
    run.data.trainLimit = 100;
    run.data.testLimit = 20;
    run.model.name = "mlp";
    run.batch.effective = 8;
    run.batch.micro = 4;
    run.batch.ragged = RaggedPolicy::Weight;
    run.optimizer.lr = 0.01;
    run.train.length = {40, Extent::Unit::Updates};
    run.checkpoint.every = {10, Extent::Unit::Updates};
    run.evaluate.every = {15, Extent::Unit::Updates};
    run.device.kind = "cpu";
    run.device.lanes = run.device.threads = 1;
    experiment.study.seeds = {1};
    return experiment;
}

/// Calls `act` once, on the recorder's thread, when the checkpoint of that update is in the library. The trainer waits
/// for it to return.
inline RunEventReceiver atCheckpoint(std::int64_t update, std::function<void(const std::string& run)> act) {
    return [update, act = std::move(act), done = std::make_shared<bool>(false)](std::span<const RunEvent> events) {
        for (const RunEvent& event : events)
            if (const auto* saved = std::get_if<CheckpointSaved>(&event);
                saved && saved->checkpoint.update == update && !std::exchange(*done, true))
                act(saved->run);
    };
}

/// Trains until that checkpoint and stops there. Returns the run.
inline std::string stoppedAt(const ExperimentConfig& experiment, const fs::path& library, std::int64_t update) {
    RunControl control;
    const auto outcome =
        runStudy(experiment, library, control, atCheckpoint(update, [&](const std::string&) { control.stop(); }));
    return outcome && outcome->stopped ? outcome->runs.front().run : std::string();
}

inline Result<RunFinished> resume(const std::string& run, const fs::path& library, const RunEventReceiver& receive = {},
                                  const ResumeOptions& options = {}) {
    RunControl control;
    return resumeRun(run, library, control, receive, options);
}

inline std::string codeOf(const auto& result) { return result.has_value() ? "no error" : result.error().code; }

inline std::string wholeHash(const ExperimentConfig& experiment) {
    const TemporaryLibrary library;
    RunControl control;
    const auto outcome = runStudy(experiment, library.file(), control, {});
    return outcome ? outcome->runs.front().summary.weightsHash : outcome.error().code;
}

/// What a resume that is refused must not change; the sign of life may be newer.
inline RunRecord rowOf(const TemporaryLibrary& library, const std::string& run) {
    RunRecord record = library.reader().run(run).value();
    record.heartbeat = 0.0;
    return record;
}

inline void execute(const fs::path& library, const std::string& sql) {
    sqlite3* database = nullptr;
    QCOMPARE(sqlite3_open(library.c_str(), &database), SQLITE_OK);
    sqlite3_busy_timeout(database, 5000);
    char* problem = nullptr;
    const int code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &problem);
    sqlite3_close(database);
    QVERIFY2(code == SQLITE_OK, problem);
}

} // namespace accumulus::test
