// SPDX-License-Identifier: GPL-3.0-or-later
// The driver of a run's GPU in the library, also in one of a version that did not know it.
#include "core/store/connection.h"
#include "tests/unit/store/store_fixture.h"

namespace test_library_driver {
using namespace accumulus;
using namespace accumulus::test;
namespace fs = std::filesystem;

class TestLibraryDriver : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Version 9 did not keep it: a run on the CPU had none, of one on a GPU it is not known.
    void version9IsUnderstood() {
        const LibraryFolder folder;
        const std::string script = fileContent(fs::path(qEnvironmentVariable("ACCUMULUS_SOURCE").toStdString()) /
                                               "tests/unit/store/library_v9.sql");
        QVERIFY2(!script.empty(), "ACCUMULUS_SOURCE must name the source folder");
        SQLite::Database(folder.file().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec(script);
        REQUIRE(Library::open(folder.file(), Library::Mode::Write));
        auto reader = folder.reader();
        QCOMPARE(reader.run("08b11377-66e2").value().environment.driver, std::string("none"));
        QCOMPARE(reader.run("08b11377-0000").value().environment.driver, std::string());
        QCOMPARE(reader.run("08b11377-1111").value().environment.driver, std::string());
        QCOMPARE(reader.windows(reader.run("08b11377-66e2")->id).value().size(), std::size_t{2});
        QCOMPARE(reader.audits(true, true).value().size(), std::size_t{1});
    }

    void itIsWrittenWhereTheRunStarts() {
        const LibraryFolder folder;
        auto store = folder.store();
        RunRecord run = makeRun();
        run.environment.driver.clear();
        REQUIRE(store.addRun(run));
        QCOMPARE(folder.reader().run(run.id).value().environment.driver, std::string());
        run.environment.driver = "NVIDIA 580.65.06, CUDA 13.0";
        REQUIRE(store.updateStarted(run));
        QCOMPARE(folder.reader().run(run.id).value().environment.driver, run.environment.driver);
        run.environment.driver.clear();
        REQUIRE(store.updateStarted(run));
        auto& database = store.library().connection().database;
        QVERIFY(database.execAndGet("SELECT driver IS NULL FROM runs").getInt() == 1);
    }
};

QTEST_APPLESS_MAIN(TestLibraryDriver)
} // namespace test_library_driver
#include "test_library_driver.moc"
