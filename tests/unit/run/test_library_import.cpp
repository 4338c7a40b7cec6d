// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries that are merged into another one: the same runs, from every version, without what is not over or in the
// Trash, and nothing from one that is cut off.
#include "core/base/atomic_file.h"
#include "tests/support/event_records.h"
#include "tests/support/study_fixture.h"
#include "tests/support/synthetic_library.h"
#include "tests/unit/run/import_fixture.h"

#include <SQLiteCpp/SQLiteCpp.h>

namespace test_library_import {
using namespace accumulus;
using namespace accumulus::test;

class TestLibraryImport : public QObject, protected ImportFixture {
    Q_OBJECT
private Q_SLOTS:
    void init() { makeLibrary(); }

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
        const auto events = to->events(runId).value();
        QCOMPARE(events.size(), std::size_t{3});
        QVERIFY(std::vector(events.begin(), events.begin() + 2) == reader("from.sqlite")->events(runId).value());
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
};

QTEST_APPLESS_MAIN(TestLibraryImport)
} // namespace test_library_import
#include "test_library_import.moc"
