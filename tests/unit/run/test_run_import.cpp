// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that leave one library and come into another: the same values, whatever the way, and nothing at all from a file
// that is not whole.
#include "core/base/atomic_file.h"
#include "core/base/event_file.h"
#include "core/run/run_export.h"
#include "core/run/run_import.h"
#include "core/run/run_json.h"
#include "core/run/verify.h"
#include "core/store/library_merge.h"
#include "tests/support/event_records.h"
#include "tests/support/study_fixture.h"
#include "tests/support/synthetic_library.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <cmath>
#include <fstream>
#include <limits>

using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr double third = 1.0 / 3.0;
constexpr const char* runId = "11111111-0000-4000-8000-000000000000";

/// With every value that a window measures; a skipped one, and one that is not finite.
std::vector<WindowRecord> windowsOf() {
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

std::vector<EvaluationRecord> evaluationsOf() {
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
bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }
bool sameAsFloat(double a, double b) { return same(double(float(a)), double(float(b))); }

} // namespace

class TestRunImport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
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
        const EventRecord event{1'790'000'003.0, "warning", "some.code", "something happened", 2};
        QVERIFY(store.addEvents(runId, {&event, 1}));
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

    void longCsvComesBack() { comesBackFromCsv(false); }
    void wideCsvComesBack() { comesBackFromCsv(true); }

    void jsonComesBack() {
        QVERIFY(exportRunJson(*reader("from.sqlite"), runId, path("run.json")));
        const auto outcome = import({"run.json"});
        REQUIRE(outcome);
        QCOMPARE(outcome->added, std::vector<std::string>{runId});
        auto to = reader("to.sqlite");
        sameMeasured(*to, runId);
        const RunRecord run = to->run(runId).value();
        const RunRecord before = reader("from.sqlite")->run(runId).value();
        QVERIFY(run.config == before.config && run.batch == before.batch && run.summary == before.summary);
        QCOMPARE(run.name, before.name);
        QCOMPARE(run.notes, before.notes);
        QCOMPARE(run.pairHash, std::string("decaf"));
        QCOMPARE(run.study, std::string("study"));
        REQUIRE(to->study("study"));
        QVERIFY(run.state == RunState::Completed);
        QCOMPARE(run.createdAt, 1'790'000'000.0);
        QCOMPARE(run.tags, (std::vector<std::string>{"imported", "paper"}));
        const auto events = to->events(runId).value();
        QCOMPARE(events.size(), std::size_t{2});
        QCOMPARE(events[0].text, std::string("something happened"));
        QVERIFY2(events[1].text.find("run.json") != std::string::npos, events[1].text.c_str());
        // Once more: it is known.
        const auto again = import({"run.json"});
        REQUIRE(again);
        QCOMPARE(again->known, std::int64_t{1});
        QVERIFY(again->added.empty());
    }

    void eventFilesComeBack_data() {
        QTest::addColumn<bool>("samples");
        QTest::newRow("updates") << false;
        QTest::newRow("samples") << true;
    }
    void eventFilesComeBack() {
        QFETCH(bool, samples);
        const auto step = samples ? ExportedStep::Samples : ExportedStep::Updates;
        const auto file = exportRunEvents(*reader("from.sqlite"), runId, step, path("board"));
        REQUIRE(file);
        QVERIFY(file->filename().string().starts_with("events.out.tfevents."));
        const auto recorded = eventsOf(readFile(*file).value()); // by the test's own reader
        QVERIFY(recorded.has_value());
        const auto losses = recorded->of("train/loss");
        const auto windows = windowsOf();
        QCOMPARE(losses.size(), windows.size());
        std::int64_t updates = 0;
        for (std::size_t i = 0; i < windows.size(); ++i) {
            updates = windows[i].update.value_or(updates);
            QVERIFY(sameAsFloat(double(losses[i].value), windows[i].loss));
            QCOMPARE(losses[i].step, samples ? windows[i].samples : updates);
            QCOMPARE(losses[i].wallTime, windows[i].wallTime);
        }
        const auto accuracies = recorded->of("test/accuracy");
        QCOMPARE(accuracies.size(), std::size_t{3});
        QCOMPARE(accuracies[1].value, 0.7F);
        QCOMPARE(accuracies[1].step, std::int64_t{samples ? 512 : 2});
        QCOMPARE(recorded->of("validation/loss").size(), std::size_t{3});
        QCOMPARE(recorded->textTags, std::vector<std::string>{"accumulus/run"});
        std::int64_t last = 0;
        for (const RecordedScalar& scalar : recorded->scalars) { // TensorBoard takes a step back for a restart
            QVERIFY(scalar.step >= last);
            last = scalar.step;
        }

        const auto outcome = import({file->lexically_relative(path("")).string()});
        REQUIRE(outcome);
        QCOMPARE(outcome->added, std::vector<std::string>{runId});
        sameMeasured(*reader("to.sqlite"), runId, true);
        QCOMPARE(reader("to.sqlite")->run(runId).value().summary.updates, std::int64_t{4});
    }

    /// What is written afterwards is written.
    void aStepThatIsNoWordHoldsUpNothing() {
        nlohmann::ordered_json json = runJson(reader("from.sqlite")->run(runId).value());
        json["step"] = 5;
        EventFileWriter writer(1000.0);
        writer.addText(1000.0, 0, eventRunTag, json.dump());
        QVERIFY(writeFileAtomically(path("odd.tfevents"), writer.bytes()));
        {
            RunStore store(Library::open(path("to.sqlite"), Library::Mode::Write).value());
            const std::vector<fs::path> files{path("odd.tfevents")};
            REQUIRE(importRuns(store, files));
            QVERIFY(store.rename(runId, "renamed"));
        }
        QCOMPARE(reader("to.sqlite")->run(runId).value().name, std::string("renamed"));
    }

    void eventFilesOfOthersNeedTheirBatch() {
        EventFileWriter writer(1000.0);
        for (std::int64_t step = 0; step < 4; ++step) {
            const std::vector<EventScalar> values{{"Loss/train", 1.0F / float(step + 1)}, {"learning_rate", 0.5F}};
            writer.addScalars(1000.0 + double(step), step, values);
            const std::vector<EventScalar> other{{"weights/histogram_max", 3.0F}, {"val_acc", 0.25F * float(step)}};
            writer.addScalars(1000.5 + double(step), step, other);
        }
        QVERIFY(writeFileAtomically(path("events.out.tfevents.1"), writer.bytes()));
        QCOMPARE(codeOf(import({"events.out.tfevents.1"})), std::string("import.no-batch"));
        const auto outcome = import({"events.out.tfevents.1"}, {.effective = 64});
        REQUIRE(outcome);
        QCOMPARE(outcome->added.size(), std::size_t{1});
        auto to = reader("to.sqlite");
        const auto windows = to->windows(outcome->added[0]).value();
        QCOMPARE(windows.size(), std::size_t{4});
        QCOMPARE(windows[0].update, std::optional<std::int64_t>(1)); // steps count from 0
        QCOMPARE(windows[3].samples, std::int64_t{256});
        QCOMPARE(windows[3].loss, 0.25);
        QCOMPARE(windows[3].lr, 0.5);
        const auto evaluations = to->evaluations(outcome->added[0]).value();
        QCOMPARE(evaluations.size(), std::size_t{4});
        QCOMPARE(evaluations[3].split, std::string("validation"));
        QCOMPARE(evaluations[3].update, std::int64_t{4});
        QCOMPARE(evaluations[3].accuracy, std::optional(0.75));
        const RunRecord run = to->run(outcome->added[0]).value();
        QVERIFY(run.state == RunState::Completed);
        QCOMPARE(run.batch.effective, std::int64_t{64});
        // The same bytes are the same run.
        QCOMPARE(import({"events.out.tfevents.1"}, {.effective = 64})->known, std::int64_t{1});
    }

    void stepsMayBeSamples() {
        EventFileWriter writer(1000.0);
        for (const std::int64_t step : {64, 128, 192}) {
            const std::vector<EventScalar> values{{"loss", 1.0F}};
            writer.addScalars(1000.0, step, values);
        }
        QVERIFY(writeFileAtomically(path("run.tfevents"), writer.bytes()));
        const auto outcome = import({"run.tfevents"}, {.step = EventStep::Samples, .effective = 64});
        REQUIRE(outcome);
        const auto windows = reader("to.sqlite")->windows(outcome->added[0]).value();
        QCOMPARE(windows[2].samples, std::int64_t{192});
        // Without a learning rate, or with one that no setting allows, the run can be read all the same.
        REQUIRE(reader("to.sqlite")->run(outcome->added[0]));
        EventFileWriter wild(1000.0);
        const std::vector<EventScalar> values{{"loss", 1.0F}, {"lr", 1e30F}};
        wild.addScalars(1000.0, 1, values);
        QVERIFY(writeFileAtomically(path("wild.tfevents"), wild.bytes()));
        const auto other = import({"wild.tfevents"}, {.effective = std::int64_t{1} << 40});
        REQUIRE(other);
        REQUIRE(reader("to.sqlite")->run(other->added[0]));
        QCOMPARE(windows[2].update, std::optional<std::int64_t>(3));
    }

    void anotherLibraryIsMerged() {
        SyntheticStudy study;
        study.seedsA = study.seedsB = {0, 1};
        study.finalA = study.finalB = {0.9, 0.91};
        study.windows = 20;
        REQUIRE(addSyntheticStudy(path("to.sqlite"), study));
        const std::string before = dump("to.sqlite");
        const auto outcome = import({"from.sqlite"});
        REQUIRE(outcome);
        QCOMPARE(outcome->added, std::vector<std::string>{runId});
        auto to = reader("to.sqlite");
        sameMeasured(*to, runId);
        RunRecord expected = reader("from.sqlite")->run(runId).value();
        expected.tags = {"imported", "paper"};
        QVERIFY(to->run(runId).value() == expected);
        QVERIFY(to->study("study").has_value());
        QCOMPARE(to->microSteps(runId).value(), reader("from.sqlite")->microSteps(runId).value());
        QCOMPARE(to->events(runId).value().size(), std::size_t{2});
        // What was here is what it was.
        to.reset();
        RunStore store(Library::open(path("to.sqlite"), Library::Mode::Write).value());
        SQLite::Database(path("to.sqlite").string(), SQLite::OPEN_READWRITE)
            .exec("PRAGMA foreign_keys = ON; DELETE FROM runs WHERE id = '" + std::string(runId) +
                  "'; DELETE FROM studies WHERE id = 'study'");
        QCOMPARE(dump("to.sqlite"), before);
        // Known runs stay as they are.
        REQUIRE(import({"from.sqlite"}));
        QVERIFY(store.setNotes(runId, "mine"));
        const auto again = import({"from.sqlite"});
        REQUIRE(again);
        QCOMPARE(again->known, std::int64_t{1});
        QCOMPARE(reader("to.sqlite")->run(runId).value().notes, std::string("mine"));
        // No copy is left behind.
        for (const auto& entry : fs::directory_iterator(path("")))
            QVERIFY2(entry.path().string().find(".copy") == std::string::npos, entry.path().c_str());
    }

    void whatIsNotOverAndWhatIsInTheTrashIsLeftOut() {
        {
            RunStore store(Library::open(path("from.sqlite"), Library::Mode::Write).value());
            for (const char* id : {"22222222-a", "33333333-b"}) {
                RunRecord run;
                run.id = id;
                run.state = id[0] == '2' ? RunState::Queued : RunState::Failed;
                QVERIFY(store.addRun(run));
            }
            const std::vector<std::string> trashed{"33333333-b"};
            QVERIFY(store.moveToTrash(trashed, 1.0));
        }
        const auto outcome = import({"from.sqlite"});
        REQUIRE(outcome);
        QCOMPARE(outcome->added.size(), std::size_t{1});
        QCOMPARE(outcome->unfinished, std::int64_t{1});
        QCOMPARE(outcome->trashed, std::int64_t{1});
    }

    void olderLibrariesAreMigratedInACopy_data() {
        QTest::addColumn<int>("version");
        for (int version = 1; version < libraryVersion(); ++version)
            QTest::addRow("version %d", version) << version;
    }
    void olderLibrariesAreMigratedInACopy() {
        QFETCH(int, version);
        const fs::path dumped = fs::path(qEnvironmentVariable("ACCUMULUS_SOURCE").toStdString()) /
                                ("tests/unit/store/library_v" + std::to_string(version) + ".sql");
        SQLite::Database(path("old.sqlite").string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
            .exec(readFile(dumped).value());
        const std::string before = readFile(path("old.sqlite")).value();
        const auto outcome = import({"old.sqlite"});
        REQUIRE(outcome);
        QVERIFY(!outcome->added.empty() || outcome->unfinished > 0);
        QVERIFY(readFile(path("old.sqlite")).value() == before);
        QCOMPARE(codeOf(Library::open(path("old.sqlite"), Library::Mode::Read)), std::string("library.older"));
    }

    void anImportedRunIsNeitherResumedNorVerified() {
        {
            RunStore store(Library::open(path("from.sqlite"), Library::Mode::Write).value());
            QVERIFY(store.setState(runId, RunState::Interrupted));
        }
        REQUIRE(import({"from.sqlite"}));
        RunStore store(Library::open(path("to.sqlite"), Library::Mode::Write).value());
        const RunRecord run = reader("to.sqlite")->run(runId).value();
        QVERIFY(run.state == RunState::Interrupted && run.imported && !canResume(run)); // as it was, but here
        QVERIFY(reader("to.sqlite")->runs({.trashed = false, .study = {}, .interrupted = true}).value().empty());
        QVERIFY(canResume(reader("from.sqlite")->run(runId).value()));
        QCOMPARE(reader("from.sqlite")->runs({.trashed = false, .study = {}, .interrupted = true})->size(),
                 std::size_t{1});
        QCOMPARE(codeOf(store.claim(runId, thisProcess(), 1.0)), std::string("run.imported"));
        QCOMPARE(codeOf(verify(runId, path("to.sqlite"))), std::string("run.imported"));
        RunStore from(Library::open(path("from.sqlite"), Library::Mode::Write).value());
        REQUIRE(from.claim(runId, thisProcess(), 1.0)); // but where it was trained
    }

    void badFilesChangeNothing_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("code");
        const auto row = [](const char* title, const char* name, const QByteArray& content, const char* code) {
            QTest::newRow(title) << QString(name) << content << QString(code);
        };
        const QByteArray header = "kind,window,update,epochs,samples,loss,wall_time,split\n";
        row("nothing", "a.csv", "", "import.kind");
        row("a picture", "a.csv", QByteArray("\x89PNG\r\n\0\0", 8), "import.kind");
        row("text", "notes.txt", "some words\nand more\n", "import.kind");
        row("another CSV", "a.csv", "a,b\n1,2\n", "import.csv");
        row("header only", "a.csv", header, "import.csv");
        row("column twice", "a.csv", "kind,window,samples,loss,loss\n", "import.csv");
        row("cut in a line", "a.csv", header + "window,1,1,0.5,256,2.12", "import.csv");
        row("cut at a field", "a.csv", header + "window,1,1,0.5,256\n", "import.csv");
        row("no number", "a.csv", header + "window,1,1,0.5,many,2.5,1,\n", "import.csv");
        row("another kind", "a.csv", header + "update,1,1,0.5,256,2.5,1,\n", "import.csv");
        row("NaN as counter", "a.csv", header + "window,1,1,0.5,nan,2.5,1,\n", "import.csv");
        row("NaN as place", "a.csv", header + "window,1,1,nan,256,2.5,1,\n", "import.measured");
        row("infinite time", "a.csv", header + "window,1,1,0.5,256,2.5,inf,\n", "import.measured");
        row("negative samples", "a.csv", header + "window,1,1,0.5,-256,2.5,1,\n", "import.csv");
        row("huge samples", "a.csv", header + "window,1,1,0.5,9223372036854775807,2.5,1,\n", "import.measured");
        row("number too large", "a.csv", header + "window,1,1,0.5,99999999999999999999,2.5,1,\n", "import.csv");
        row("windows twice", "a.csv", header + "window,1,1,0.5,256,2.5,1,\nwindow,1,2,0.5,512,2.5,1,\n",
            "import.measured");
        row("samples go down", "a.csv", header + "window,1,1,0.5,256,2.5,1,\nwindow,2,2,0.5,128,2.5,1,\n",
            "import.measured");
        row("another split", "a.csv", header + "evaluation,,1,0.5,256,2.5,1,train\n", "import.measured");
        row("evaluated twice", "a.csv", header + "evaluation,,1,0.5,256,2.5,1,test\nevaluation,,1,0.5,256,2.5,1,test\n",
            "import.measured");
        row("rank of no window", "a.csv", "kind,window,samples,loss,rank\nrank,1,,,0\n", "import.csv");
        row("open quote", "a.csv", header + "window,1,1,0.5,256,\"2.5,1,\n", "data.table.form");
        row("JSON that ends early", "a.json", "{\"id\": \"1\", \"windows\": [", "import.json");
        row("another JSON", "a.json", "{\"a\": 1}", "import.json");
        row("JSON of nothing but brackets", "a.json", "{" + QByteArray(100'000, '['), "import.json");
        row("no event file", "events.out.tfevents.1", QByteArray(100, 'x'), "import.events");
        row("no library", "a.sqlite", QByteArray("SQLite format 3\0 and nothing more", 33), "library.not-ours");
    }
    void badFilesChangeNothing() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(QString, code);
        QVERIFY(exportRunJson(*reader("from.sqlite"), runId, path("good.json")));
        const std::string before = dump("to.sqlite");
        QVERIFY(writeFileAtomically(path(name.toStdString()), content.toStdString()));
        const auto outcome = import({"good.json", name.toStdString()}); // the good one goes with the bad one
        QCOMPARE(QString::fromStdString(codeOf(outcome)), code);
        QVERIFY2(describe(outcome.error()).find('{') == std::string::npos, describe(outcome.error()).c_str());
        QCOMPARE(dump("to.sqlite"), before);
        REQUIRE(import({"good.json"}));
    }

    /// Every export cut at any place, and with any byte changed: an error or another run, never a crash and never a
    /// part of it.
    void damagedExportsAreRefusedOrWhole() {
        QVERIFY(exportRunCsv(*reader("from.sqlite"), runId, path("run.csv")));
        QVERIFY(exportRunJson(*reader("from.sqlite"), runId, path("run.json")));
        const auto events = exportRunEvents(*reader("from.sqlite"), runId, ExportedStep::Updates, path("a.tfevents"));
        REQUIRE(events);
        for (const char* name : {"run.csv", "run.json", "a.tfevents"}) {
            const std::string whole = readFile(path(name)).value();
            for (std::size_t i = 0; i < 40; ++i) {
                const std::size_t at = i * whole.size() / 40;
                const std::string cut = whole.substr(0, at);
                writeFast("cut", cut);
                const auto outcome = import({"cut"});
                if (outcome) {
                    QVERIFY2(cut.ends_with('\n') || std::string(name) == "a.tfevents", name); // between two records
                    continue;
                }
                QVERIFY2(!describe(outcome.error()).empty(), name);
            }
        }
    }

    void aLibraryThatIsCutOffIsRefused() {
        const std::string before = dump("to.sqlite");
        {
            SQLite::Database(path("from.sqlite").string(), SQLite::OPEN_READWRITE)
                .exec("PRAGMA wal_checkpoint(TRUNCATE)");
        }
        const std::string whole = readFile(path("from.sqlite")).value();
        for (const double part : {0.3, 0.6, 0.95}) {
            writeFast("cut.sqlite", whole.substr(0, std::size_t(part * double(whole.size()))));
            const auto outcome = import({"cut.sqlite"});
            QVERIFY(!outcome.has_value());
            QCOMPARE(outcome.error().argument("file"), path("cut.sqlite").string());
        }
        QCOMPARE(dump("to.sqlite"), before);
    }

private:
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

QTEST_APPLESS_MAIN(TestRunImport)
#include "test_run_import.moc"
