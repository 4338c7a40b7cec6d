// SPDX-License-Identifier: GPL-3.0-or-later
// The real program is killed with -9 while it trains. The next one offers the run, goes on at the last saved update,
// leaves a curve without gap or overlap, and ends with the weights of a run that nothing broke.
#include "core/base/atomic_file.h"
#include "core/config/experiment_file.h"
#include "core/store/run_reader.h"
#include "tests/support/numeric.h"
#include "tests/workbench/remote_workbench.h"

#include <QTemporaryDir>
#include <algorithm>
#include <sqlite3.h>

namespace acceptance_a12 {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr int runTimeout = 300'000;
constexpr std::int64_t updates = 4000;
constexpr std::int64_t savedEvery = 1000; // more than a second: a saved update has all before it written to the library
constexpr std::int64_t effective = 16;
constexpr std::int64_t killedFrom = 1300; // during this update or soon after
constexpr std::int64_t lostAtLeast = 5;   // updates that are logged and not saved, so that going back is seen

/// Saved now and then; one lane of one thread, so that nothing is calibrated.
ExperimentConfig experiment() {
    ExperimentConfig config;
    config.run.data.dataset = "digits-generated";
    config.run.data.trainLimit = 192;
    config.run.data.testLimit = 60;
    config.run.model.name = "lenet5";
    config.run.batch.effective = effective;
    config.run.batch.micro = 4;
    config.run.train.length = {updates, Extent::Unit::Updates};
    config.run.checkpoint.every = {savedEvery, Extent::Unit::Updates};
    config.run.evaluate.every = {250, Extent::Unit::Updates};
    config.run.device.lanes = 1;
    config.run.device.threads = 1;
    config.study.name = "killed";
    config.study.seeds = {1};
    return config;
}

/// The only run of a library; a run without an id where there is none yet.
RunRecord runOf(const std::filesystem::path& library) {
    auto opened = Library::open(library, Library::Mode::Read);
    const auto runs = opened ? RunReader(std::move(*opened)).runs() : failure(opened.error());
    return runs && runs->size() == 1 ? runs->front() : RunRecord();
}
RunReader readerOf(const std::filesystem::path& library) {
    return RunReader(Library::open(library, Library::Mode::Read).value());
}
std::int64_t lastSaved(RunReader& reader, const std::string& run) {
    std::int64_t update = 0;
    const auto saved = reader.checkpoints(run);
    for (const CheckpointRecord& checkpoint : saved.value_or(std::vector<CheckpointRecord>()))
        if (!checkpoint.bundlePath.empty())
            update = std::max(update, checkpoint.update);
    return update;
}

/// Asked of the file, past everything that hides superseded rows.
std::int64_t numberFrom(const std::filesystem::path& library, const char* sql) {
    sqlite3* connection = nullptr;
    sqlite3_stmt* query = nullptr;
    std::int64_t number = -1;
    if (sqlite3_open_v2(library.c_str(), &connection, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK &&
        sqlite3_prepare_v2(connection, sql, -1, &query, nullptr) == SQLITE_OK && sqlite3_step(query) == SQLITE_ROW)
        number = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    sqlite3_close(connection);
    return number;
}

} // namespace

class AcceptanceA12 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        for (const char* program : {"accumulus", "accumulus-cli"})
            QVERIFY2(!programPath(program).isEmpty(), program);
    }

    void aKilledRunGoesOnAsIfNothingHadHappened() {
        QTemporaryDir home;
        const QString toml = home.filePath("killed.toml");
        QVERIFY(writeFileAtomically(toml.toStdString(), experimentToml(experiment())));
        const std::filesystem::path library = home.filePath("library.sqlite").toStdString();
        const QStringList arguments{"--library", QString::fromStdString(library.string())};

        {
            RemoteWorkbench window(home.path());
            QVERIFY(window.start(arguments + QStringList{toml}));
            QTRY_VERIFY(window.text("setup.batch.line").contains(" = 16 samples")); // the file is read
            QVERIFY(window.click("setup.start"));
            QTRY_VERIFY_WITH_TIMEOUT(!runOf(library).id.empty(), runTimeout);
            RunReader reader = readerOf(library);
            const std::string run = runOf(library).id;
            const auto isTime = [&] {
                const std::int64_t logged = reader.windowCount(run).value_or(0);
                return logged >= killedFrom && logged >= lastSaved(reader, run) + lostAtLeast;
            };
            const auto isOver = [&] {
                const RunState state = runOf(library).state;
                return state != RunState::Queued && !isActive(state); // it waits until it has been set up
            };
            QVERIFY(QTest::qWaitFor([&] { return isTime() || isOver(); }, runTimeout));
            QVERIFY2(!isOver(), "it ended before it could be killed");
            QVERIFY(window.killNow());
        }

        const RunRecord killed = runOf(library);
        QCOMPARE(killed.state, RunState::Running); // as far as the file knows
        std::int64_t logged = 0, saved = 0;
        {
            RunReader reader = readerOf(library);
            logged = reader.windowCount(killed.id).value();
            saved = lastSaved(reader, killed.id);
        }
        qInfo("killed after update %lld; saved after update %lld", static_cast<long long>(logged),
              static_cast<long long>(saved));
        QVERIFY(logged >= killedFrom && logged < updates);
        QVERIFY(saved > 0 && saved % savedEvery == 0 && saved < logged);

        RemoteWorkbench window(home.path());
        QVERIFY(window.start(arguments));
        QTRY_VERIFY(window.isVisible("interruptedBar"));
        const QString banner = window.text("interruptedBar");
        QVERIFY2(banner.contains("1 run was interrupted"), qPrintable(banner));
        QCOMPARE(window.otherWindows(), QStringList());
        QCOMPARE(runOf(library).state, RunState::Interrupted);
        QVERIFY(window.click("interruptedResume"));
        QVERIFY(!window.isVisible("interruptedBar"));
        QTRY_COMPARE_WITH_TIMEOUT(runOf(library).state, RunState::Completed, runTimeout);
        const RunRecord resumed = runOf(library);
        QCOMPARE(resumed.id, killed.id);
        QCOMPARE(resumed.attempt, killed.attempt + 1);
        QCOMPARE(resumed.summary.updates, updates);

        // What was logged after the boundary counts no more, and what counts has no gap and no overlap: in the file ...
        QCOMPARE(numberFrom(library, "SELECT count(*) FROM windows WHERE superseded = 1"), logged - saved);
        QCOMPARE(numberFrom(library, "SELECT min(window) FROM windows WHERE superseded = 1"), saved + 1);
        QCOMPARE(numberFrom(library, "SELECT min(window) FROM windows WHERE attempt = 2"), saved + 1);
        QCOMPARE(numberFrom(library, "SELECT count(*) FROM windows WHERE superseded = 0"), updates);
        QCOMPARE(numberFrom(library, "SELECT count(DISTINCT update_number) FROM windows WHERE superseded = 0"),
                 updates);
        // ... and in the window.
        QTRY_COMPARE(window.text("statusState"), QString("completed"));
        QVERIFY(window.click("liveLoss"));
        std::vector<double> samples; // of its points, in the table that the key T opens
        const auto isComplete = [&] {
            samples = window.press("liveLoss", 't') ? window.column("plotTable", 0) : std::vector<double>();
            return std::ssize(samples) >= updates;
        };
        QVERIFY2(QTest::qWaitFor(isComplete, 10'000), qPrintable(QString::number(samples.size())));
        QCOMPARE(std::ssize(samples), updates);
        for (std::size_t at = 0; at < samples.size(); ++at)
            QVERIFY(compareBits(samples[at], static_cast<double>(effective * (static_cast<std::int64_t>(at) + 1))));
        QCOMPARE(window.quit(), 0);

        // Beside a run that nothing broke.
        const std::filesystem::path other = home.filePath("unbroken.sqlite").toStdString();
        const CliResult unbroken =
            runCli({"run", toml, "--library", QString::fromStdString(other.string())}, home.path());
        QVERIFY2(unbroken.exitCode == 0, qPrintable(unbroken.all()));
        QVERIFY(!resumed.summary.weightsHash.empty());
        QCOMPARE(resumed.summary.weightsHash, runOf(other).summary.weightsHash);
        RunReader mended = readerOf(library);
        RunReader whole = readerOf(other);
        const auto a = mended.windows(resumed.id).value();
        const auto b = whole.windows(runOf(other).id).value();
        QCOMPARE(a.size(), b.size());
        for (std::size_t at = 0; at < a.size(); ++at)
            QVERIFY2(compareBits(a[at].loss, b[at].loss), qPrintable(QString::number(at + 1)));
        // The hash is that of the file.
        const CliResult verified =
            runCli({"verify", QString::fromStdString(resumed.id), "--library", arguments.back()}, home.path());
        QVERIFY2(verified.exitCode == 0, qPrintable(verified.all()));
    }
};

QTEST_GUILESS_MAIN(AcceptanceA12)
} // namespace acceptance_a12
#include "acceptance_a12.moc"
