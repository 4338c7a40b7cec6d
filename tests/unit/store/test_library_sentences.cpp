// SPDX-License-Identifier: GPL-3.0-or-later
// What the library keeps of events and of why a run failed: English text and, for every other language, the message.
#include "core/base/message.h"
#include "core/store/connection.h"
#include "tests/unit/store/store_fixture.h"

namespace test_library_sentences {
using namespace accumulus;
using namespace accumulus::test;
namespace fs = std::filesystem;

namespace {

Error failed() {
    return {"training.nonfinite", {{"update", "12"}, {"microStep", "3"}, {"microSteps", "4"}, {"where", ""}}};
}

EventRecord skipped() {
    const Message message{"training.skipped", {{"window", "7"}, {"place", ""}}};
    return {1.5, "warning", message.code, messageText(message), 6, message.arguments};
}

/// A run that has failed, with an event.
void addFailedRun(const LibraryFolder& folder) {
    RunStore store = folder.store();
    REQUIRE(store.addRun(makeRun()));
    const EventRecord event = skipped();
    REQUIRE(store.addEvents(uuid(1), {&event, 1}));
    REQUIRE(store.finishRun(uuid(1), RunState::Failed, {}, 5.0, describe(failed()), failed()));
}

/// Every sentence is this one.
Language another() {
    return {[](std::string_view) { return std::string("ein Satz"); },
            [](std::int64_t number) { return std::to_string(number); }};
}

} // namespace

class TestLibrarySentences : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theMessageStandsBesideItsText() {
        const LibraryFolder folder;
        addFailedRun(folder);
        RunReader reader = folder.reader();
        const auto events = reader.events(uuid(1)).value();
        QVERIFY(events == std::vector{skipped()});
        QCOMPARE(eventText(events.front(), another()), std::string("ein Satz"));
        const RunRecord run = reader.run(uuid(1)).value();
        QCOMPARE(run.error, describe(failed()));
        QVERIFY(run.errorMessage == failed());
        QVERIFY(runErrorText(run, another()).starts_with("ein Satz"));
        QCOMPARE(runErrorText(run, english()), run.error);
    }

    /// Whoever reads the file with other tools finds the values by their names.
    void itIsJsonInTheFile() {
        const LibraryFolder folder;
        addFailedRun(folder);
        RunStore store = folder.store();
        auto& database = store.library().connection().database;
        QCOMPARE(database.execAndGet("SELECT arguments ->> 'window' FROM events").getString(), std::string("7"));
        QCOMPARE(database.execAndGet("SELECT error_code FROM runs").getString(), std::string("training.nonfinite"));
        QCOMPARE(database.execAndGet("SELECT error_arguments ->> 'update' FROM runs").getString(), std::string("12"));
    }

    void aRunThatGoesOnForgetsIt_data() {
        QTest::addColumn<int>("state");
        for (const RunState state : {RunState::Starting, RunState::Queued, RunState::Stopped})
            QTest::newRow(runStateName(state).c_str()) << int(state);
    }
    void aRunThatGoesOnForgetsIt() {
        QFETCH(int, state);
        const LibraryFolder folder;
        addFailedRun(folder);
        REQUIRE(folder.store().setState(uuid(1), RunState(state)));
        const RunRecord run = folder.reader().run(uuid(1)).value();
        QVERIFY(run.error.empty() && !run.errorMessage);
    }

    void itIsAddedWithARun() {
        const LibraryFolder folder;
        RunRecord run = makeRun();
        run.state = RunState::Failed;
        run.error = describe(failed());
        run.errorMessage = failed();
        REQUIRE(folder.store().addRun(run));
        QVERIFY(folder.reader().run(run.id).value().errorMessage == failed());
    }

    void whatIsNoJsonLeavesTheText() {
        const LibraryFolder folder;
        addFailedRun(folder);
        {
            RunStore store = folder.store();
            store.library().connection().database.exec(
                "UPDATE events SET arguments = 'x'; UPDATE runs SET error_arguments = '[1]'");
        }
        RunReader reader = folder.reader();
        QCOMPARE(eventText(reader.events(uuid(1)).value().front(), another()), skipped().text);
        QCOMPARE(runErrorText(reader.run(uuid(1)).value(), another()), describe(failed()));
    }

    /// Version 10 kept the text alone.
    void version10IsUnderstood() {
        const LibraryFolder folder;
        const std::string script = fileContent(fs::path(qEnvironmentVariable("ACCUMULUS_SOURCE").toStdString()) /
                                               "tests/unit/store/library_v10.sql");
        QVERIFY2(!script.empty(), "ACCUMULUS_SOURCE must name the source folder");
        SQLite::Database(folder.file().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(script);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        RunReader reader = folder.reader();
        const auto runs = reader.runs().value();
        const auto failed = std::ranges::find(runs, RunState::Failed, &RunRecord::state);
        QVERIFY(failed != runs.end());
        QVERIFY(failed->error.starts_with("Training broke down at update ") && !failed->errorMessage);
        QCOMPARE(runErrorText(*failed, another()), failed->error);
        const auto events = reader.events(failed->id).value();
        QVERIFY(!events.empty());
        for (const EventRecord& event : events) {
            QVERIFY(!event.text.empty() && !event.arguments);
            QCOMPARE(eventText(event, another()), event.text);
        }
    }
};

QTEST_APPLESS_MAIN(TestLibrarySentences)
} // namespace test_library_sentences
#include "test_library_sentences.moc"
