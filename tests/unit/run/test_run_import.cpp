// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that leave one library and come into another: the same values, whatever the way, and nothing at all from a file
// that is not whole.
#include "core/base/atomic_file.h"
#include "core/base/event_file.h"
#include "core/run/run_export.h"
#include "core/run/run_import.h"
#include "core/run/run_json.h"
#include "core/run/verify.h"
#include "tests/support/event_records.h"
#include "tests/support/study_fixture.h"
#include "tests/unit/run/import_fixture.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <cerrno>
#include <cstring>
#include <sys/resource.h>

namespace test_run_import {
using namespace accumulus;
using namespace accumulus::test;

class TestRunImport : public QObject, protected ImportFixture {
    Q_OBJECT
private Q_SLOTS:
    void init() { makeLibrary(); }

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
        QCOMPARE(events.size(), std::size_t{3});
        QCOMPARE(events[0].text, std::string("something happened"));
        QVERIFY(std::vector(events.begin(), events.begin() + 2) == reader("from.sqlite")->events(runId).value());
        QVERIFY2(events[2].text.find("run.json") != std::string::npos, events[2].text.c_str());
        QCOMPARE(eventText(events[2], english()), events[2].text);
        // Once more: it is known.
        const auto again = import({"run.json"});
        REQUIRE(again);
        QCOMPARE(again->known, std::int64_t{1});
        QVERIFY(again->added.empty());
    }

    /// As words and as a message for other languages, whatever brings the run.
    void whyItFailedComesAlong_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"run.json", "run.tfevents", "from.sqlite"})
            QTest::newRow(name) << QString(name);
    }
    void whyItFailedComesAlong() {
        QFETCH(QString, name);
        const Error error{"training.memory", {{"reason", "no \"room\""}}};
        {
            RunStore store(Library::open(path("from.sqlite"), Library::Mode::Write).value());
            REQUIRE(store.finishRun(runId, RunState::Failed, {}, 1'790'000'009.0, describe(error), error));
        }
        const auto from = reader("from.sqlite");
        REQUIRE(exportRunJson(*from, runId, path("run.json")));
        REQUIRE(exportRunEvents(*from, runId, ExportedStep::Updates, path("run.tfevents")));
        REQUIRE(import({name.toStdString()}));
        const RunRecord run = reader("to.sqlite")->run(runId).value();
        QVERIFY(run.state == RunState::Failed);
        QCOMPARE(run.error, describe(error));
        QVERIFY(run.errorMessage == error);
    }

    /// Files of earlier versions have the text alone, those of others anything.
    void withoutAMessageTheTextIsThere() {
        nlohmann::ordered_json json = runJson(reader("from.sqlite")->run(runId).value());
        json["error"] = "why";
        QVERIFY(!runFromJson(json)->errorMessage);
        json.erase("error_message");
        QVERIFY(!runFromJson(json)->errorMessage);
        for (const char* odd : {"5", "{}", "{\"code\": \"x\"}", "{\"code\": \"x\", \"arguments\": [1]}"}) {
            json["error_message"] = nlohmann::ordered_json::parse(odd);
            QVERIFY2(!runFromJson(json)->errorMessage, odd);
            QCOMPARE(runFromJson(json)->error, std::string("why"));
        }
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

    // 0, B, 2B: the samples before each update. And more steps than updates: each micro-batch, say.
    void samplesMayBeginAtZero() {
        using Updates = std::vector<std::optional<std::int64_t>>;
        const std::vector<std::pair<std::vector<std::int64_t>, Updates>> files{
            {{0, 64, 128}, {1, 2, 3}}, {{16, 32, 64, 80, 128}, {std::nullopt, std::nullopt, 1, std::nullopt, 2}}};
        for (const auto& [steps, updates] : files) {
            EventFileWriter writer(1000.0);
            for (const std::int64_t step : steps) {
                const std::vector<EventScalar> values{{"train/loss", 1.0F}, {"test/loss", 2.0F}};
                writer.addScalars(1000.0, step, values);
            }
            QVERIFY(writeFileAtomically(path("zero.tfevents"), writer.bytes()));
            const auto outcome = import({"zero.tfevents"}, {.step = EventStep::Samples, .effective = 64});
            REQUIRE(outcome);
            const auto windows = reader("to.sqlite")->windows(outcome->added[0]).value();
            const auto evaluations = reader("to.sqlite")->evaluations(outcome->added[0]).value();
            Updates found;
            for (const WindowRecord& window : windows)
                found.push_back(window.update);
            QCOMPARE(found, updates);
            QCOMPARE(windows.back().samples, steps.front() == 0 ? std::int64_t{192} : std::int64_t{128});
            QCOMPARE(evaluations.back().samples, windows.back().samples);
            QCOMPARE(evaluations.back().update, *updates.back());
        }
    }

    // There, but not to be opened: what the system says of it, not what kind of file it might be.
    void aFileThatCannotBeOpenedIsSaid() {
        QVERIFY(writeFileAtomically(path("closed.csv"), "a,b\n1,2\n"));
        const std::vector<fs::path> files{path("closed.csv")};
        rlimit usual{};
        QCOMPARE(getrlimit(RLIMIT_NOFILE, &usual), 0);
        const rlimit none{0, usual.rlim_max};
        QCOMPARE(setrlimit(RLIMIT_NOFILE, &none), 0);
        const auto runs = readRuns(files, path("to.sqlite"), {}, {});
        QCOMPARE(setrlimit(RLIMIT_NOFILE, &usual), 0);
        QVERIFY(!runs);
        QCOMPARE(runs.error().code, std::string("file.open"));
        QCOMPARE(runs.error().argument("reason"), std::string(std::strerror(EMFILE)));
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
        QCOMPARE(codeOf(store.claim(runId, thisProcess(), 1.0)), std::string("run.is-imported"));
        QCOMPARE(codeOf(verify(runId, {path("to.sqlite")})), std::string("run.is-imported"));
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
};

QTEST_APPLESS_MAIN(TestRunImport)
} // namespace test_run_import
#include "test_run_import.moc"
