// SPDX-License-Identifier: GPL-3.0-or-later
// Every event as a line and back: nothing is lost, and what cannot be an event is refused by name.
#include "core/base/measured_values.h"
#include "core/launch/event_stream.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace test_event_stream {
using namespace accumulus;
using nlohmann::json;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// Every measured member different from every other one and from its default.
template <class Record>
Record measured(std::span<const MeasuredValue<Record>> values) {
    Record record;
    std::int64_t number = 100;
    for (const MeasuredValue<Record>& value : values) {
        ++number;
        std::visit(
            [&]<class Type>(Type Record::*member) {
                if constexpr (std::is_same_v<Type, std::string>)
                    record.*member = "text " + std::to_string(number);
                else if constexpr (std::is_same_v<Type, bool>)
                    record.*member = true;
                else if constexpr (std::is_same_v<Type, std::int64_t> ||
                                   std::is_same_v<Type, std::optional<std::int64_t>>)
                    record.*member = number;
                else
                    record.*member = static_cast<double>(number) / 7.0; // no short decimal
            },
            value.member);
    }
    return record;
}

WindowRecord fullWindow() {
    WindowRecord window = measured(windowValues());
    window.ranks.assign(2, measured(rankValues()));
    window.ranks.back().rank = 12;
    return window;
}

StudyRecord fullStudy() {
    StudyRecord study{"study-1", "B = 256, \"quoted\"\n\xE4\xB8\xAD\xE6\x96\x87", {}, 1.7e9 + 1.0 / 3.0};
    study.config = {"named", {3, 1, 4}, true, true, 0.003, "test_loss"};
    return study;
}

RunSummary fullSummary() {
    return {11,   22,   33,   0.1,  0.2,  0.3, 0.4, 0.5, 0.6, 0.7,      0.8,
            0.81, 0.82, 0.83, 0.84, 0.85, 5.5, 6.6, 77,  88,  "a hash", "/library.files/run/last.safetensors",
            0.25};
}

RunRecord fullRun() {
    RunRecord run;
    run.id = "run-1";
    run.study = "study-1";
    run.name = "a run";
    run.arm = Arm::LargeBatch;
    run.seed = -7;
    run.config.data.dataset = "digits-generated";
    run.config.batch = {0, 24, 5, 2, RaggedPolicy::Weight, TailPolicy::Carry, {{7, 480}}, true};
    run.config.optimizer.lr = 0.1 + 0.2;
    run.config.train.length = {77, Extent::Unit::Updates};
    run.config.parallel = {ParallelMode::Zero2, ReductionOrder::MicroSteps};
    run.configHash = "config hash";
    run.pairHash = "pair hash";
    run.batch = {240, 24, 5, 2, {24, 24, 24, 16}, {{7, 480}}};
    run.lanes = 3;
    run.threads = 4;
    run.trainSamples = 5000;
    run.totalUpdates = std::numeric_limits<std::int64_t>::max();
    run.environment = {"program", "libtorch", "device", "hardware", "system", "data", "driver"};
    run.datasetHash = "data hash";
    run.modelFileHash = "model hash";
    run.initialWeightsHash = "weights hash";
    run.modelTraits = "draws";
    run.state = RunState::Running;
    run.attempt = 2;
    run.createdAt = 1.5;
    run.startedAt = 2.5;
    run.finishedAt = 3.5;
    run.heartbeat = 4.5;
    run.owner = {123, 456, "host", "claim"};
    run.error = "why";
    run.summary = fullSummary();
    run.tags = {"one", "two"};
    run.notes = "a note";
    run.trashed = true;
    run.trashedAt = 5.5;
    return run;
}

const Error anError{"data.idx.open", {{"file", "/tmp/\xE9\x01.idx"}, {"reason", "reason.nothing"}, {"file", "twice"}}};

/// One of each kind, every member filled in.
std::vector<RunEvent> fullEvents() {
    return {StudyStarted{fullStudy(), {fullRun(), RunRecord{}}, {{"a.note", {{"name", "value"}}}}},
            RunStarted{fullRun(), true, 8, 9},
            WindowClosed{"run-1", fullWindow()},
            MicroStepProbed{"run-1", {4, 5, {0.1, -0.0, 1e-320, 1.0}}},
            Evaluated{"run-1", measured(evaluationValues())},
            CheckpointSaved{"run-1", {CheckpointKind::Best, 1, 2, "weights", "bundle", "hash", 3, 4.25}},
            CheckpointRemoved{"run-1", "/home/\xE9t\xE9/weights"},
            RunStateChanged{"run-1", RunState::Paused},
            RunNoted{"run-1", {1.25, "warning", "a.code", "some text", 6}, {"a.code", {{"name", "value"}}}},
            RunFinished{"run-1", RunState::Failed, fullSummary(), Arm::LargeBatch, 12, anError},
            StudyFinished{"study-1", true, anError}};
}

/// A member that no example fills in: its value is that of an event that says nothing.
QStringList unfilled(const json& example, const json& empty, const QString& path = {}) {
    QStringList found;
    for (const auto& [name, value] : example.items()) {
        const QString place = path + "/" + QString::fromStdString(name);
        if (name == "event" || name == "config") // settings have a table and tests of their own
            continue;
        if (value.is_object() && empty.contains(name) && empty[name].is_object())
            found += unfilled(value, empty[name], place);
        else if (empty.contains(name) && value == empty[name])
            found += place;
    }
    return found;
}

std::string lineOf(const RunEvent& event) { return eventLine(event); }

std::string problemOf(const std::string& line) {
    const auto event = eventOfLine(line);
    return event ? std::string() : messageText({event.error().argument("reason"), event.error().arguments});
}

} // namespace

class TestEventStream : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyEventComesBack() {
        const auto events = fullEvents();
        QCOMPARE(events.size(), std::variant_size_v<RunEvent>);
        for (std::size_t kind = 0; kind < events.size(); ++kind) {
            QCOMPARE(events[kind].index(), kind);
            const std::string line = eventLine(events[kind]);
            QVERIFY(line.find('\n') == std::string::npos);
            const auto back = eventOfLine(line);
            QVERIFY2(back, back ? "" : describe(back.error()).c_str());
            QCOMPARE(back->index(), kind);
            QCOMPARE(QString::fromStdString(eventLine(*back)), QString::fromStdString(line));
        }
    }

    // Not through the lines, which could both lack something.
    void everyMemberComesBack() {
        const auto back = [](const auto& event) {
            return std::get<std::decay_t<decltype(event)>>(eventOfLine(eventLine(event)).value());
        };
        const auto events = fullEvents();
        const auto started = back(std::get<StudyStarted>(events[0]));
        QVERIFY(started.study == fullStudy());
        QVERIFY(started.runs == std::vector({fullRun(), RunRecord{}}));
        QVERIFY(started.notes == std::get<StudyStarted>(events[0]).notes);
        const auto run = back(std::get<RunStarted>(events[1]));
        QVERIFY(run.run == fullRun());
        QVERIFY(run.resumed && run.windowsDone == 8 && run.updatesDone == 9);
        QVERIFY(back(std::get<WindowClosed>(events[2])).window == fullWindow());
        const auto probed = back(std::get<MicroStepProbed>(events[3])).microStep;
        QVERIFY(probed == std::get<MicroStepProbed>(events[3]).microStep);
        QVERIFY(std::signbit(probed.values[1]));
        QVERIFY(back(std::get<Evaluated>(events[4])).evaluation == measured(evaluationValues()));
        QVERIFY(back(std::get<CheckpointSaved>(events[5])).checkpoint ==
                std::get<CheckpointSaved>(events[5]).checkpoint);
        QCOMPARE(back(std::get<CheckpointRemoved>(events[6])).weightsPath, std::string("/home/\xE9t\xE9/weights"));
        QCOMPARE(back(std::get<RunStateChanged>(events[7])).state, RunState::Paused);
        const auto noted = back(std::get<RunNoted>(events[8]));
        QVERIFY(noted.event == std::get<RunNoted>(events[8]).event);
        QVERIFY(noted.message == std::get<RunNoted>(events[8]).message);
        const auto finished = back(std::get<RunFinished>(events[9]));
        QVERIFY(finished.run == "run-1" && finished.state == RunState::Failed && finished.summary == fullSummary());
        QVERIFY(finished.arm == Arm::LargeBatch && finished.seed == 12 && finished.error == anError);
        const auto end = back(std::get<StudyFinished>(events[10]));
        QVERIFY(end.study == "study-1" && end.stopped && end.error == anError);
    }

    // Programs of before do not write them.
    void laterMembersMayBeMissing() {
        for (const char* name : {"driver", "others_share", "validation_loss", "validation_accuracy",
                                 "best_validation_accuracy", "validation_mae", "validation_rmse"}) {
            json line = json::parse(lineOf(StudyStarted{fullStudy(), {fullRun()}}));
            json& run = line.at("runs").at(0);
            const auto erased = run.at("summary").erase(name) + run.at("environment").erase(name);
            QVERIFY2(erased == 1, name);
            QCOMPARE(QString::fromStdString(problemOf(line.dump())), QString());
        }
        json line = json::parse(lineOf(StudyStarted{fullStudy(), {fullRun()}}));
        QCOMPARE(line.erase("notes"), std::size_t{1});
        QCOMPARE(QString::fromStdString(problemOf(line.dump())), QString());
        line.at("runs").at(0).at("summary").erase("test_loss");
        QVERIFY(!problemOf(line.dump()).empty());
    }

    // A new member that the examples above forget would be compared with itself.
    void theExamplesFillEveryMember() {
        std::vector<RunEvent> empty = {StudyStarted{}, RunStarted{},      WindowClosed{},      MicroStepProbed{},
                                       Evaluated{},    CheckpointSaved{}, CheckpointRemoved{}, RunStateChanged{},
                                       RunNoted{},     RunFinished{},     StudyFinished{}};
        const auto events = fullEvents();
        for (std::size_t kind = 0; kind < events.size(); ++kind)
            QCOMPARE(unfilled(json::parse(lineOf(events[kind])), json::parse(lineOf(empty[kind]))), QStringList());
        // The windows and evaluations of the stream follow the table of what is measured, which has every member.
        const auto& [a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21,
                     a22, a23, a24, a25, a26, a27, a28, a29, ranks] = WindowRecord();
        QVERIFY(ranks.empty());
        QCOMPARE(windowValues().size(), std::size_t{29});
        const auto& [b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, lastOfEvaluation] =
            EvaluationRecord();
        QCOMPARE(lastOfEvaluation, 0);
        QCOMPARE(evaluationValues().size(), std::size_t{15});
    }

    void numbersThatAreNone() {
        WindowRecord window = measured(windowValues());
        window.loss = notANumber;
        window.gradNorm = infinity;
        window.clippedNorm = -infinity;
        window.noiseS = notANumber;
        window.noiseG2.reset();
        window.update.reset();
        const auto back = std::get<WindowClosed>(eventOfLine(eventLine(WindowClosed{"r", window})).value()).window;
        QVERIFY(std::isnan(back.loss));
        QVERIFY(back.gradNorm == infinity && back.clippedNorm == -infinity);
        QVERIFY(back.noiseS && std::isnan(*back.noiseS));
        QVERIFY(!back.noiseG2 && !back.update);
    }

    void aMillionMicroBatchesAreAFewNumbers() {
        RunRecord run = fullRun();
        run.batch.microSizes.assign(1'000'000, 3);
        run.batch.microSizes.back() = 2;
        const std::string line = eventLine(RunStarted{run});
        QVERIFY(line.size() < 10'000);
        QVERIFY(std::get<RunStarted>(eventOfLine(line).value()).run == run);
    }

    void whatANewerVersionAddsIsIgnored() {
        json line = json::parse(eventLine(RunStarted{fullRun()}));
        line["of_tomorrow"] = {1, 2};
        line["run"]["of_tomorrow"] = "x";
        line["run"]["config"]["batch"]["of_tomorrow"] = 3;
        line["run"]["config"]["tomorrow"] = {{"a", 1}};
        const auto back = eventOfLine(line.dump());
        QVERIFY2(back, back ? "" : describe(back.error()).c_str());
        QVERIFY(std::get<RunStarted>(*back).run == fullRun());
        json study = json::parse(eventLine(StudyStarted{fullStudy(), {}}));
        study["study"]["config"]["of_tomorrow"] = 1;
        QVERIFY(std::get<StudyStarted>(eventOfLine(study.dump()).value()).study == fullStudy());
    }

    void whatIsWrongIsNamed_data() {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("words");
        QTest::newRow("missing") << "/run/batch/steps"
                                 << ""
                                 << "an event has no run.batch.steps";
        QTest::newRow("missing config") << "/run/config"
                                        << ""
                                        << "an event has no run.config";
        QTest::newRow("text for a number") << "/run/batch/steps"
                                           << "\"4\""
                                           << "the value \"4\" does not fit run.batch.steps";
        QTest::newRow("too large") << "/run/seed"
                                   << "9223372036854775808"
                                   << "the value 9223372036854775808 does not fit run.seed";
        QTest::newRow("real for a whole") << "/run/lanes"
                                          << "1.5"
                                          << "the value 1.5 does not fit run.lanes";
        QTest::newRow("unknown name") << "/run/state"
                                      << "\"asleep\""
                                      << "the value \"asleep\" does not fit run.state";
        QTest::newRow("no number") << "/run/created_at"
                                   << "\"soon\""
                                   << "the value \"soon\" does not fit run.created_at";
        QTest::newRow("half a byte") << "/run/notes"
                                     << "{\"hex\":\"abc\"}"
                                     << "the value {...} does not fit run.notes";
        QTest::newRow("endless window") << "/run/batch/micro_sizes"
                                        << "[[1,1000001]]"
                                        << "the value [...] does not fit run.batch.micro_sizes";
        QTest::newRow("setting") << "/run/config/batch/micro"
                                 << "0"
                                 << "the value 0 does not fit run.config.batch.micro";
        QTest::newRow("list") << "/run/tags"
                              << "{}"
                              << "the value {...} does not fit run.tags";
    }
    void whatIsWrongIsNamed() {
        QFETCH(QString, place);
        QFETCH(QString, value);
        QFETCH(QString, words);
        json line = json::parse(eventLine(RunStarted{fullRun()}));
        const json::json_pointer where(place.toStdString());
        if (value.isEmpty())
            line[where.parent_pointer()].erase(where.back());
        else
            line[where] = json::parse(value.toStdString());
        QCOMPARE(QString::fromStdString(problemOf(line.dump())), words);
    }

    void linesThatAreNoEvents() {
        QCOMPARE(problemOf(""), std::string("a line is no JSON object"));
        QCOMPARE(problemOf("[1]"), std::string("a line is no JSON object"));
        QCOMPARE(problemOf("{\"event\":\"study-started\""), std::string("a line is no JSON object"));
        QCOMPARE(problemOf("{}"), std::string("an event has no event"));
        QCOMPARE(problemOf("{\"event\":\"dance\"}"), std::string("there is no event dance"));
        QCOMPARE(problemOf("{\"event\":\"run-state-changed\",\"run\":\"r\"}"), std::string("an event has no state"));
        // Cut anywhere, a line is never taken for the whole one.
        const std::string line = eventLine(fullEvents()[9]);
        for (std::size_t length = 0; length < line.size(); ++length)
            QVERIFY(!eventOfLine(line.substr(0, length)));
    }
};

QTEST_APPLESS_MAIN(TestEventStream)
} // namespace test_event_stream
#include "test_event_stream.moc"
