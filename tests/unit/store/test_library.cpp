// SPDX-License-Identifier: GPL-3.0-or-later
// Opening: new files, known files, and everything that is no library of this version.
#include "core/store/comparison_records.h"
#include "core/store/connection.h"
#include "core/store/migrations.h"
#include "tests/support/numeric.h"
#include "tests/unit/store/store_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace accumulus;
using namespace accumulus::test;
namespace fs = std::filesystem;

namespace {

std::string journalMode(Library& library) {
    return library.connection().database.execAndGet("PRAGMA journal_mode").getString();
}

/// The file of that version as SQL text; empty when there is none.
std::string dumpOf(std::size_t version) {
    return fileContent(fs::path(qEnvironmentVariable("ACCUMULUS_SOURCE").toStdString()) /
                       fmt::format("tests/unit/store/library_v{}.sql", version));
}

void restore(const LibraryFolder& folder, std::size_t version) {
    const std::string script = dumpOf(version);
    QVERIFY2(!script.empty(), "ACCUMULUS_SOURCE must name the source folder");
    SQLite::Database(folder.file().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(script);
}

} // namespace

class TestLibrary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void newLibraryIsMade() {
        const LibraryFolder folder;
        const auto file = folder.folder() / "new" / "folders" / "größe 100%?#.sqlite";
        {
            auto library = Library::open(file, Library::Mode::Write);
            REQUIRE(library);
            QVERIFY(library->path() == file);
            QVERIFY(library->notices().empty());
            QCOMPARE(journalMode(*library), std::string("wal"));
            auto& database = library->connection().database;
            QCOMPARE(database.execAndGet("PRAGMA user_version").getInt(), libraryVersion());
            QCOMPARE(database.execAndGet("PRAGMA application_id").getInt(), libraryApplicationId);
            QCOMPARE(database.execAndGet("PRAGMA foreign_keys").getInt(), 1);
            QCOMPARE(database.execAndGet("PRAGMA integrity_check").getString(), std::string("ok"));
            QVERIFY(library->runFolder("RUN") == fs::path(file.string() + ".files") / "RUN");
        }
        REQUIRE(Library::open(file, Library::Mode::Read));
    }

    void emptyFileBecomesALibrary() {
        const LibraryFolder folder;
        writeFile(folder.file(), "");
        QCOMPARE(codeOf(Library::open(folder.file(), Library::Mode::Read)), std::string("library.open"));
        QCOMPARE(fs::file_size(folder.file()), std::uintmax_t{0});
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        REQUIRE(Library::open(folder.file(), Library::Mode::Read));
    }

    void openingAgainKeepsEverything() {
        const LibraryFolder folder;
        REQUIRE(folder.store().addRun(makeRun()));
        auto store = folder.store();
        QVERIFY(RunReader(Library::open(folder.file(), Library::Mode::Write).value()).run(uuid(1)).value() ==
                makeRun());
    }

    /// A file of version 1 as it was released; every later version must open it. New versions add a dump of their own.
    void version1IsUnderstood() {
        const LibraryFolder folder;
        restore(folder, 1);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const RunRecord run = reader.run("a0000001").value();
        RunRecord stored = makeRun(1, makeStudy().id);
        stored.configHash = "4700f5d7b3ddd15e27c52291a1b692ee"; // as stored, however hashes are made today
        stored.pairHash = "0e91e428cb21133c3560f90590b009ea";
        stored.owner = {}; // not known in version 1
        stored.tags = {"first"};
        stored.summary.updates = 3;
        stored.summary.microSteps = 24;
        stored.summary.samples = 750;
        stored.summary.activeSeconds = 1.5;
        stored.summary.peakBytes = makeWindow(3).peakBytes;
        stored.lowestLoss = makeEvaluation(2).loss;
        stored.checkpointBytes = reader.checkpoints(run.id).value().front().bytes;
        QVERIFY(run == stored);
        QVERIFY(reader.study(makeStudy().id).value() == makeStudy());
        auto expected = makeWindows(1, 3);
        expected[1].update.reset();
        for (WindowRecord& window : expected) { // not known in version 1
            window.clippedNorm = window.gradNorm;
            window.microBatch = window.lastMicroBatch = window.leftOut = 0;
            window.dataSeconds = window.forwardSeconds = window.backwardSeconds = window.commitSeconds =
                window.updateSeconds = 0.0;
        }
        QVERIFY(reader.windows(run.id).value() == expected);
        QVERIFY(reader.evaluations(run.id).value() == std::vector{makeEvaluation(2)});
        QCOMPARE(reader.events(run.id).value().front().text, std::string("It's started"));
        QCOMPARE(reader.checkpoints(run.id).value().front().weightsHash, std::string("cafe"));
    }

    /// Version 2 knows which process answers for a run; the rest is as in version 1.
    void version2IsUnderstood() {
        const LibraryFolder folder;
        restore(folder, 2);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        QCOMPARE(reader.runs().value().size(), std::size_t{2});
        QVERIFY(reader.run("a0000001").value().owner == RunOwner{});
        const RunRecord run = reader.run("a0000002").value();
        QVERIFY((run.owner == RunOwner{.pid = 4711, .started = 815, .host = "another computer"}));
        QVERIFY(run.state == RunState::Running);
        QVERIFY(run.config == makeRun().config); // settings of later versions have their defaults
        const WindowRecord window = reader.windows(run.id).value().at(0);
        QVERIFY(test::compareBits(window.clippedNorm, window.gradNorm)); // not known in version 2
        QVERIFY(test::compareBits(window.forwardSeconds, 0.0));
        QVERIFY(reader.microSteps(run.id).value().empty());
    }

    /// Version 3 knows where the time of a window went, and the parameter probe.
    void version3IsUnderstood() {
        const LibraryFolder folder;
        restore(folder, 3);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const RunRecord run = reader.run("8e926d2c").value();
        RunConfig expected;
        expected.data.dataset = "digits-generated";
        expected.data.trainLimit = 96;
        expected.data.testLimit = 20;
        expected.model.name = "mlp";
        expected.batch.effective = 64;
        expected.batch.micro = 16;
        expected.batch.ramp = {{2, 32}};
        expected.train.length = {2, Extent::Unit::Updates};
        expected.evaluate.every.count = 0;
        expected.checkpoint.every.count = 0;
        expected.checkpoint.best = false;
        expected.probe.parameter = "fc3.bias";
        expected.device.lanes = expected.device.threads = 1;
        QVERIFY(run.config == expected);
        QVERIFY(run.state == RunState::Completed);
        const auto windows = reader.windows(run.id).value();
        QCOMPARE(windows.size(), std::size_t{2});
        QCOMPARE(windows[0].microSteps, std::int64_t{4});
        QCOMPARE(windows[1].microSteps, std::int64_t{2});
        QCOMPARE(windows[1].units, std::int64_t{32});
        QCOMPARE(windows[1].microBatch, std::int64_t{16});
        QVERIFY(windows[0].forwardSeconds > 0.0 && windows[0].backwardSeconds > 0.0 && windows[0].noiseS);
        const auto probed = reader.microSteps(run.id).value();
        QCOMPARE(probed.size(), std::size_t{5 + 3}); // K micro-steps and the update, for each window
        for (std::size_t step = 1; step < 4; ++step)
            QVERIFY(probed[step].values == probed[0].values);
        QVERIFY(probed[4].values != probed[0].values);
        QCOMPARE(probed[4].values.size(), std::size_t{10});
        QVERIFY(reader.study(run.study).value().config.seeds == std::vector<std::int64_t>{5});
        // Version 4 tells the peaks of training and evaluations apart and knows the data and who may write.
        QCOMPARE(run.summary.peakBytes, std::int64_t{13235568});
        QCOMPARE(run.summary.evaluationPeakBytes, std::int64_t{0});
        QVERIFY(run.datasetHash.empty() && run.owner == RunOwner{});
        QCOMPARE(reader.evaluations(run.id).value().front().peakBytes, std::int64_t{0});
    }

    /// Version 4 knows nothing of ranks.
    void version4IsUnderstood() {
        const LibraryFolder folder;
        restore(folder, 4);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const RunRecord run = reader.run("1708e0ff").value();
        QVERIFY(run.config.parallel == ParallelConfig{});
        QCOMPARE(run.summary.peakBytes, std::int64_t{11247808});
        QCOMPARE(run.summary.evaluationPeakBytes, std::int64_t{8838528});
        QCOMPARE(run.datasetHash, std::string("c962e10387058f0abf8e775f089916f0"));
        QCOMPARE(run.owner.claim, std::string());
        const auto windows = reader.windows(run.id).value();
        QCOMPARE(windows.size(), std::size_t{2});
        QCOMPARE(windows[1].microSteps, std::int64_t{2});
        QVERIFY(windows[0].ranks.empty());
        QVERIFY(reader.rankTimes(run.id).value().empty());
        QVERIFY(reader.rankTotals(run.id).value() == RankTotals());
    }

    void version5IsUnderstood() {
        const LibraryFolder folder;
        restore(folder, 5);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const RunRecord run = reader.run("3c52ddb5").value();
        QCOMPARE(run.config.batch.devices, std::int64_t{2});
        QCOMPARE(reader.windows(run.id).value().size(), std::size_t{2});
        QCOMPARE(reader.rankTimes(run.id).value().size(), std::size_t{4});
        QVERIFY(reader.launches().value().empty());
        QVERIFY(!reader.launchOf(run).value());
    }

    void version6IsUnderstood() {
        const LibraryFolder folder;
        restore(folder, 6);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const RunRecord run = reader.runs().value().front();
        QCOMPARE(reader.windows(run.id).value().size(), std::size_t{2});
        QCOMPARE(reader.launchOf(run).value().value().place.host, std::string("far"));
        QVERIFY(reader.audits(true, true).value().empty());
        QVERIFY(!reader.plan("any").value());
    }

    /// Version 7 knows audits and plans, and nothing of files that a model comes from.
    void version7IsUnderstood() {
        const LibraryFolder folder;
        restore(folder, 7);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const RunRecord run = reader.run("a80936ee").value();
        QVERIFY(run.modelFileHash.empty() && run.initialWeightsHash.empty());
        QVERIFY(run.config.model.weights.empty() && run.config.model.freeze.empty());
        QCOMPARE(reader.windows(run.id).value().size(), std::size_t{2});
        QCOMPARE(reader.evaluations(run.id).value().size(), std::size_t{1});
        QCOMPARE(reader.audits(true, true).value().size(), std::size_t{1});
        QVERIFY(reader.plan("9f937001094d974eb3fd9c8b934d4ba7").value());
    }

    /// Version 8 knows no colours, protection, lowest loss (which its evaluations tell), saved comparisons or queue.
    void version8IsUnderstood() {
        const LibraryFolder folder;
        restore(folder, 8);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        const RunRecord run = reader.run("08b11377").value();
        QVERIFY(run.color.empty() && !run.isProtected);
        const auto evaluations = reader.evaluations(run.id).value();
        QCOMPARE(evaluations.size(), std::size_t{1});
        QCOMPARE(run.lowestLoss, std::optional(evaluations.front().loss));
        QCOMPARE(reader.note("baseline").value(), std::string());
        QVERIFY(test::compareBits(run.summary.testAccuracy.value(), 0.15625));
        QCOMPARE(reader.windows(run.id).value().size(), std::size_t{2});
        QVERIFY(savedComparisons(reader).value().empty());
        RunStore store = folder.store();
        ComparisonRecord comparison;
        comparison.id = comparison.name = "first";
        REQUIRE(putComparison(store, comparison));
        QCOMPARE(savedComparisons(reader).value().size(), std::size_t{1});
        QVERIFY(reader.queue().value().empty());
    }

    void theQueueComesBackInItsOrder() {
        const LibraryFolder folder;
        auto store = folder.store();
        QueueRecord first{"1", "first", "[batch]\nmicro = 8\n", {}, {}, 1.0, 0.0};
        QueueRecord second{"2", "", "", {"a", "b"}, {}, 2.0, 3.5, true};
        QueueRecord third{"3", "third", "x = 1\n", {}, LaunchPlace{"far", "there", "lib", "--time 1"}, 4.0, 0.0};
        REQUIRE(store.putQueue(std::vector{first, second, third}));
        QVERIFY(folder.reader().queue().value() == (std::vector{first, second, third}));
        third.place->slurm.reset();
        REQUIRE(store.putQueue(std::vector{third, first}));
        QVERIFY(folder.reader().queue().value() == (std::vector{third, first}));
        REQUIRE(store.putQueue({}));
        QVERIFY(folder.reader().queue().value().empty());
    }

    void bothPeaksComeBack() {
        const LibraryFolder folder;
        auto store = folder.store();
        RunRecord run = makeRun();
        run.datasetHash = "beef";
        run.modelFileHash = "cafe";
        run.initialWeightsHash = "f00d";
        run.summary.peakBytes = 3;
        run.summary.evaluationPeakBytes = 7;
        REQUIRE(store.addRun(run));
        QVERIFY(folder.reader().run(run.id).value() == run);
        // Of a run that was cut off they are known from its rows.
        WindowRecord window = makeWindow(1);
        window.peakBytes = 11;
        EvaluationRecord evaluation = makeEvaluation(1);
        evaluation.peakBytes = 13;
        REQUIRE(store.addWindows(run.id, 1, std::vector{window}));
        REQUIRE(store.addEvaluations(run.id, 1, std::vector{evaluation}));
        auto reader = folder.reader();
        QCOMPARE(reader.run(run.id)->summary.peakBytes, std::int64_t{11});
        QCOMPARE(reader.run(run.id)->summary.evaluationPeakBytes, std::int64_t{13});
        QCOMPARE(reader.evaluations(run.id)->front().peakBytes, std::int64_t{13});
        auto& database = store.library().connection().database;
        QCOMPARE(database.execAndGet("SELECT peak_bytes FROM runs").getInt(), 13); // as ever: the larger one
    }

    void everyOlderVersionHasADump() {
        // Whoever adds a version adds a file of the one before, whose script may not change any more.
        for (std::size_t version = 1; version < migrations().size(); ++version)
            QVERIFY2(!dumpOf(version).empty(), qPrintable(QStringLiteral("no library_v%1.sql").arg(version)));
    }

    void tablesAreThoseOfTheirVersion() {
        // The released scripts may not change: after the first n of them the tables are those of the dump of version n.
        const auto schemaOf = [](SQLite::Database& database) {
            std::string text;
            SQLite::Statement query(database, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name");
            while (query.executeStep())
                text += query.getColumn(0).getString() + "\n";
            return text;
        };
        SQLite::Database now(":memory:", SQLite::OPEN_READWRITE);
        for (std::size_t version = 1; version <= migrations().size(); ++version) {
            now.exec(migrations()[version - 1]);
            if (dumpOf(version).empty()) // only the newest may be without
                break;
            SQLite::Database old(":memory:", SQLite::OPEN_READWRITE);
            old.exec(dumpOf(version));
            QCOMPARE(schemaOf(now), schemaOf(old));
        }
    }

    void otherFilesAreRefused() {
        const LibraryFolder folder;
        const auto text = folder.folder() / "notes.txt";
        writeFile(
            text,
            "This is a text that is longer than the hundred bytes of a header of SQLite, so that nobody takes it for "
            "an empty or a short database by mistake.");
        const auto foreign = folder.folder() / "foreign.sqlite";
        SQLite::Database(foreign.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
            .exec("CREATE TABLE runs (id TEXT)");
        const auto branded = folder.folder() / "branded.sqlite";
        SQLite::Database(branded.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
            .exec("PRAGMA application_id = 1196444487; PRAGMA user_version = 1; CREATE TABLE gpkg (a)");
        for (const auto& file : {text, foreign, branded}) {
            const std::string before = fileContent(file);
            QCOMPARE(codeOf(Library::open(file, Library::Mode::Write)), std::string("library.not-ours"));
            QCOMPARE(codeOf(Library::open(file, Library::Mode::Read)), std::string("library.not-ours"));
            QVERIFY(fileContent(file) == before);
            QVERIFY(!fs::exists(file.string() + "-wal"));
        }
    }

    void otherVersionsAreRefused() {
        const LibraryFolder folder;
        static_cast<void>(folder.store());
        const auto setVersion = [&](int version) {
            SQLite::Database(folder.file().string(), SQLite::OPEN_READWRITE)
                .exec("PRAGMA user_version = " + std::to_string(version));
        };
        setVersion(libraryVersion() + 1);
        for (const auto mode : {Library::Mode::Write, Library::Mode::Read}) {
            const auto opened = Library::open(folder.file(), mode);
            QCOMPARE(codeOf(opened), std::string("library.newer"));
            QCOMPARE(opened.error().argument("version"), std::to_string(libraryVersion() + 1));
        }
        setVersion(-1);
        QCOMPARE(codeOf(Library::open(folder.file(), Library::Mode::Write)), std::string("library.corrupt"));
    }

    void impossiblePathsAreRefused() {
        const LibraryFolder folder;
        writeFile(folder.folder() / "file", "x");
        const auto open = std::string("library.open");
        QCOMPARE(codeOf(Library::open(folder.folder(), Library::Mode::Write)), open);
        QCOMPARE(codeOf(Library::open(folder.folder(), Library::Mode::Read)), open);
        QCOMPARE(codeOf(Library::open(folder.folder() / "file" / "library.sqlite", Library::Mode::Write)), open);
        QCOMPARE(codeOf(Library::open(folder.file(), Library::Mode::Read)), open);
        QCOMPARE(codeOf(Library::open("", Library::Mode::Write)), open);
        QVERIFY(!fs::exists(folder.file()));
    }

    void readersCannotWrite() {
        const LibraryFolder folder;
        REQUIRE(folder.store().addRun(makeRun()));
        RunStore store(Library::open(folder.file(), Library::Mode::Read).value());
        QCOMPARE(codeOf(store.rename(uuid(1), "x")), std::string("library.refused"));
    }

    void networkStorageGoesWithoutWal() {
        const LibraryFolder folder;
        { // first made locally, in WAL mode
            auto store = folder.store();
            REQUIRE(store.addRun(makeRun()));
        }
        {
            auto library = Library::Connection::open(folder.file(), Library::Mode::Write, Storage::Network);
            REQUIRE(library);
            QCOMPARE(journalMode(*library), std::string("delete"));
            QVERIFY(!library->notices().empty());
            RunStore store(std::move(*library));
            REQUIRE(store.addWindows(uuid(1), 1, makeWindows(1, 5)));
            QVERIFY(folder.reader().windows(uuid(1)).value() == makeWindows(1, 5));
        }
        QCOMPARE(journalMode(folder.store().library()), std::string("wal"));
        QVERIFY(storageOf("/proc") == Storage::Local);
    }

    void readOnlyFolderIsRead() {
        const LibraryFolder folder;
        {
            auto store = folder.store();
            REQUIRE(store.addRun(makeRun()));
            REQUIRE(store.addWindows(uuid(1), 1, makeWindows(1, 50)));
        }
        const auto copy = folder.folder() / "read only #1?";
        fs::create_directory(copy);
        fs::copy_file(folder.file(), copy / "library.sqlite");
        fs::permissions(folder.folder(), fs::perms(0755));
        fs::permissions(copy / "library.sqlite", fs::perms(0444));
        fs::permissions(copy, fs::perms(0555));
        const int outcome = asNobody([&] {
            auto library = Library::open(copy / "library.sqlite", Library::Mode::Read);
            if (!library)
                return 1;
            if (library->notices().empty())
                return 2;
            RunReader reader(std::move(*library));
            const auto windows = reader.windows(uuid(1));
            if (!windows || *windows != makeWindows(1, 50))
                return 3;
            if (codeOf(Library::open(copy / "library.sqlite", Library::Mode::Write)) != "library.open")
                return 4;
            return codeOf(Library::open(copy / "new.sqlite", Library::Mode::Write)) == "library.open" ? 0 : 5;
        });
        fs::permissions(copy, fs::perms(0755));
        if (outcome == 99)
            QSKIP("cannot give up root's rights here");
        QCOMPARE(outcome, 0);
        QVERIFY(!fs::exists(copy / "library.sqlite-wal"));
    }

    void everybodyReadsTheColumns() {
        // What a person types into any SQLite tool.
        const LibraryFolder folder;
        auto store = folder.store();
        REQUIRE(store.addRun(makeRun()));
        REQUIRE(store.addWindows(uuid(1), 1, makeWindows(1, 4)));
        REQUIRE(store.supersede(uuid(1), 3, 3));
        auto& database = store.library().connection().database;
        QCOMPARE(database.execAndGet("SELECT count(*) FROM run_windows WHERE run_id = '" + uuid(1) + "'").getInt(), 3);
        QCOMPARE(database.execAndGet("SELECT model || ' ' || dataset || ' ' || optimizer || ' ' || precision FROM runs")
                     .getString(),
                 std::string("lenet5 mnist adamw fp64"));
        QCOMPARE(database.execAndGet("SELECT window FROM windows ORDER BY loss LIMIT 1").getInt(), 4);
    }

    void listingNeverReadsWindows() {
        const LibraryFolder folder;
        auto store = folder.store();
        REQUIRE(store.addStudy(makeStudy()));
        REQUIRE(store.addRun(makeRun(1, makeStudy().id)));
        auto& database = store.library().connection().database;
        database.exec("DROP VIEW run_windows; DROP TABLE windows");
        RunReader reader(Library::open(folder.file(), Library::Mode::Read).value());
        QCOMPARE(reader.runs().value().size(), std::size_t{1});
        QCOMPARE(reader.runs({.trashed = false, .study = makeStudy().id}).value().size(), std::size_t{1});
        QVERIFY(reader.run("a000").has_value());
        QVERIFY(!reader.windows(uuid(1)));
    }

    void defaultPathFollowsXdg() {
        const QByteArray data = qgetenv("XDG_DATA_HOME");
        const QByteArray home = qgetenv("HOME");
        qputenv("HOME", "/home/person");
        qputenv("XDG_DATA_HOME", "/data/home");
        QVERIFY(defaultLibraryPath() == fs::path("/data/home/accumulus/library.sqlite"));
        qputenv("XDG_DATA_HOME", "relative");
        QVERIFY(defaultLibraryPath() == fs::path("/home/person/.local/share/accumulus/library.sqlite"));
        qunsetenv("XDG_DATA_HOME");
        QVERIFY(defaultLibraryPath() == fs::path("/home/person/.local/share/accumulus/library.sqlite"));
        qputenv("XDG_DATA_HOME", data);
        qputenv("HOME", home);
    }

    void everyErrorHasWords() {
        for (const char* code :
             {"library.open", "library.newer", "library.older", "library.not-ours", "library.corrupt", "library.locked",
              "library.disk-full", "library.read", "library.write", "library.refused", "library.folder",
              "library.files", "library.no-run", "library.ambiguous-run", "library.run-active", "library.no-study"}) {
            QCOMPARE(std::string(errorWords(code).code), std::string(code));
            QCOMPARE(exitCode({code, {}}), 5);
        }
    }
};

QTEST_APPLESS_MAIN(TestLibrary)
#include "test_library.moc"
