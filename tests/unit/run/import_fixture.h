// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of imports share: a library with a run of every measured value, another one to import into, and
// comparisons of what came in.
#pragma once

#include "core/run/run_export.h"
#include "core/run/run_import.h"
#include "tests/support/event_records.h"
#include "tests/support/study_fixture.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <cmath>
#include <fstream>
#include <limits>

namespace accumulus::test {

inline constexpr double third = 1.0 / 3.0;

inline constexpr const char* runId = "11111111-0000-4000-8000-000000000000";

/// With every value that a window measures; a skipped one, and one that is not finite.
inline std::vector<WindowRecord> windowsOf() {
    std::vector<WindowRecord> windows;
    for (std::int64_t number = 1; number <= 5; ++number) {
        WindowRecord window;
        window.window = number;
        if (number != 3)
            window.update = number < 3 ? number : number - 1;
        window.epoch = number / 3;
        window.epochPosition = third * double(number);
        window.samples = 256 * number;
        window.units = 256;
        window.microSteps = 8;
        window.microBatch = 32;
        window.lastMicroBatch = 32;
        window.loss = number == 3 ? std::numeric_limits<double>::quiet_NaN() : 2.0 + third / double(number);
        window.nonfinite = number == 3;
        window.lr = 0.1 * double(number);
        window.gradNorm = window.clippedNorm = 1.5 + third;
        window.noiseS = number == 2 ? std::optional<double>() : 0.25;
        window.noiseG2 = number == 2 ? std::optional<double>() : -0.125;
        window.seconds = 0.125;
        window.activeSeconds = 0.125 * double(number);
        window.wallTime = 1'790'000'000.25 + double(number);
        window.peakBytes = 1'000'000;
        windows.push_back(window);
    }
    return windows;
}

inline std::vector<EvaluationRecord> evaluationsOf() {
    std::vector<EvaluationRecord> evaluations;
    for (const std::int64_t update : {0, 2, 4}) {
        EvaluationRecord evaluation;
        evaluation.update = update;
        evaluation.samples = update == 4 ? 5 * 256 : update * 256;
        evaluation.epochPosition = update == 4 ? third * 5.0 : third * double(update);
        evaluation.count = 500;
        evaluation.loss = third * double(update + 1);
        evaluation.accuracy = 0.5 + 0.1 * double(update);
        evaluation.seconds = 0.5;
        evaluation.activeSeconds = 0.125 * double(update);
        evaluation.wallTime = 1'790'000'000.5 + double(update);
        evaluations.push_back(evaluation);
        evaluation.split = "validation";
        evaluation.count = 100;
        evaluations.push_back(evaluation);
    }
    return evaluations;
}

/// NaN equals NaN.
inline bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

inline bool sameAsFloat(double a, double b) { return same(double(float(a)), double(float(b))); }

/// A library with one run, and what is asked of the library that it is brought into.
class ImportFixture {
protected:
    void makeLibrary() {
        m_folder = std::make_unique<QTemporaryDir>();
        RunStore store(Library::open(path("from.sqlite"), Library::Mode::Write).value());
        StudyRecord study;
        study.id = "study";
        study.name = "a study";
        QVERIFY(store.addStudy(study));
        RunRecord run;
        run.id = runId;
        run.study = "study";
        run.name = "größer, \"批\"";
        run.config.batch = {.effective = 256, .micro = 32};
        run.batch = resolveBatch(run.config.batch).value();
        run.notes = "line one\nline \"two\"";
        run.createdAt = 1'790'000'000.0;
        run.configHash = "c0ffee";
        run.pairHash = "decaf";
        QVERIFY(store.addRun(run));
        const auto windows = windowsOf();
        const auto evaluations = evaluationsOf();
        QVERIFY(store.addWindows(runId, 1, windows));
        QVERIFY(store.addEvaluations(runId, 1, evaluations));
        const std::vector<EventRecord> events{{1'790'000'003.0, "warning", "some.code", "something happened", 2},
                                              {1'790'000'004.0, "warning", "weights.prefix", "A prefix.", 3,
                                               MessageArguments{{"prefix", "größer \"批\""}}}};
        QVERIFY(store.addEvents(runId, events));
        const std::vector<MicroStepRecord> microSteps{{1, 0, {0.5, third}}};
        QVERIFY(store.addMicroSteps(runId, 1, microSteps));
        QVERIFY(store.setTags(runId, {"paper"}));
        RunSummary summary;
        summary.updates = 4;
        summary.microSteps = 40;
        summary.samples = 1280;
        summary.testAccuracy = 0.9;
        QVERIFY(store.finishRun(runId, RunState::Completed, summary, 1'790'000'009.0));
    }

    [[nodiscard]] fs::path path(const std::string& name) const {
        return fs::path(m_folder->path().toStdString()) / name;
    }

    [[nodiscard]] std::unique_ptr<RunReader> reader(const std::string& name) const {
        return std::make_unique<RunReader>(Library::open(path(name), Library::Mode::Read).value());
    }

    [[nodiscard]] Result<ImportOutcome> import(const std::vector<std::string>& names,
                                               const ImportOptions& options = {}) {
        RunStore store(Library::open(path("to.sqlite"), Library::Mode::Write).value());
        std::vector<fs::path> files;
        for (const std::string& name : names)
            files.push_back(path(name));
        return importRuns(store, files, options);
    }

    static std::string codeOf(const auto& result) { return result.has_value() ? "no error" : result.error().code; }

    void writeFast(const std::string& name, const std::string& content) const {
        std::ofstream(path(name), std::ios::binary) << content;
    }

    /// Every row of every table, as text.
    [[nodiscard]] std::string dump(const std::string& name) const {
        { std::ignore = Library::open(path(name), Library::Mode::Write); }
        SQLite::Database database(path(name).string(), SQLite::OPEN_READONLY);
        std::string text;
        SQLite::Statement tables(database, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
        while (tables.executeStep()) {
            SQLite::Statement rows(database, "SELECT * FROM " + tables.getColumn(0).getString());
            while (rows.executeStep()) {
                text += tables.getColumn(0).getString() + ":";
                for (int i = 0; i < rows.getColumnCount(); ++i)
                    text += " " + rows.getColumn(i).getString();
                text += '\n';
            }
        }
        return text;
    }

    void comesBackFromCsv(bool wide) {
        const auto from = reader("from.sqlite");
        REQUIRE(wide ? exportRunWideCsv(*from, runId, path("run.csv")) : exportRunCsv(*from, runId, path("run.csv")));
        const auto outcome = import({"run.csv"});
        REQUIRE(outcome);
        QCOMPARE(outcome->added.size(), std::size_t{1});
        auto to = reader("to.sqlite");
        sameMeasured(*to, outcome->added[0]);
        const RunRecord run = to->run(outcome->added[0]).value();
        QCOMPARE(run.name, std::string("run"));
        QCOMPARE(to->study(run.study).value().name, std::string("run")); // so that Live shows its curves
        QVERIFY(run.state == RunState::Completed);
        QCOMPARE(run.batch.effective, std::int64_t{256});
        QCOMPARE(run.batch.steps, std::int64_t{8});
        QVERIFY(run.arm == Arm::Accumulated);
        QCOMPARE(run.summary.updates, std::int64_t{4});
        QCOMPARE(run.summary.microSteps, std::int64_t{40});
        QCOMPARE(run.summary.testAccuracy, std::optional(0.9));
        QCOMPARE(run.tags, std::vector<std::string>{"imported"});
        QCOMPARE(import({"run.csv"})->known, std::int64_t{1});
    }

    /// As they were made; `floats`: but for what a float rounds off.
    void sameMeasured(RunReader& reader, const std::string& run, bool floats = false) {
        const auto equal = [floats](double a, double b) { return floats ? sameAsFloat(a, b) : same(a, b); };
        const auto windows = reader.windows(run).value();
        const auto expected = windowsOf();
        QCOMPARE(windows.size(), expected.size());
        for (std::size_t i = 0; i < windows.size(); ++i) {
            const auto& a = windows[i];
            const auto& b = expected[i];
            QCOMPARE(a.update, b.update);
            QCOMPARE(a.wallTime, b.wallTime);
            QVERIFY(a.window == b.window && a.samples == b.samples && a.epoch == b.epoch && a.units == b.units &&
                    a.microSteps == b.microSteps && a.microBatch == b.microBatch && a.nonfinite == b.nonfinite &&
                    a.noiseS == b.noiseS && a.noiseG2 == b.noiseG2 && a.peakBytes == b.peakBytes);
            QVERIFY(equal(a.epochPosition, b.epochPosition) && equal(a.loss, b.loss) && equal(a.lr, b.lr) &&
                    equal(a.gradNorm, b.gradNorm) && equal(a.activeSeconds, b.activeSeconds));
        }
        auto evaluations = reader.evaluations(run).value();
        auto wanted = evaluationsOf();
        for (auto* list : {&evaluations, &wanted})
            std::ranges::sort(*list, {}, [](const EvaluationRecord& row) { return std::pair(row.update, row.split); });
        QCOMPARE(evaluations.size(), wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const auto& a = evaluations[i];
            const auto& b = wanted[i];
            QVERIFY(a.update == b.update && a.samples == b.samples && a.split == b.split && a.count == b.count &&
                    a.wallTime == b.wallTime);
            QVERIFY(equal(a.loss, b.loss) && equal(*a.accuracy, *b.accuracy) &&
                    equal(a.epochPosition, b.epochPosition) && equal(a.seconds, b.seconds));
        }
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

} // namespace accumulus::test
