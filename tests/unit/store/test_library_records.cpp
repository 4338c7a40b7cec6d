// SPDX-License-Identifier: GPL-3.0-or-later
// What a library keeps beside its runs: audits, plans, launches elsewhere and the queue.
#include "tests/unit/store/store_fixture.h"

#include <unistd.h>

namespace test_library_records {
using namespace accumulus;
using namespace accumulus::test;

class TestLibraryRecords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void auditsAndPlansComeBack() {
        const LibraryFolder folder;
        auto store = folder.store();
        AuditRecord first{uuid(1), 100.0, "feed", "", "", "equivalent", "", 3e-7, 1e-5, "{}"};
        AuditRecord lesson = first;
        lesson.id = uuid(2);
        lesson.createdAt = 200.0;
        lesson.fault = lesson.pattern = "factor-k";
        lesson.verdict = "not-equivalent";
        AuditRecord ofRun = first;
        ofRun.id = uuid(3);
        ofRun.createdAt = 300.0;
        ofRun.run = uuid(7);
        ofRun.result = R"({"größer": true})";
        for (const AuditRecord& audit : {first, lesson, ofRun})
            REQUIRE(store.addAudit(audit));
        auto reader = folder.reader();
        QVERIFY(reader.audits().value() == (std::vector{ofRun, first}));
        QVERIFY(reader.audits(true, true).value() == (std::vector{ofRun, lesson, first}));
        QVERIFY(reader.audits(false).value().front().result.empty());

        QVERIFY(!reader.plan("key").value());
        PlanRecord plan{"key", 100.0, "{}"};
        REQUIRE(store.putPlan(plan));
        plan.createdAt = 200.0;
        REQUIRE(store.putPlan(plan)); // in its place
        QVERIFY(reader.plan("key").value() == plan);
        QVERIFY(!reader.plan("other").value());
    }

    void launchesComeBack() {
        const LibraryFolder folder;
        auto store = folder.store();
        LaunchRecord old;
        old.id = uuid(1);
        old.name = "night shift";
        old.createdAt = 100.0;
        LaunchRecord launch;
        launch.id = uuid(2);
        launch.name = "größer";
        launch.resumes = uuid(7);
        launch.place = {"user@far", "/opt/bin/accumulus-cli", "/data/l.sqlite", "--partition=long --time=1:00:00"};
        launch.createdAt = 200.0;
        REQUIRE(store.addLaunch(old));
        REQUIRE(store.addLaunch(launch));
        auto reader = folder.reader();
        QVERIFY(reader.launches().value() == (std::vector{launch, old}));
        RunRecord run = makeRun(7);
        run.study = uuid(3);
        RunRecord other = makeRun(8);
        other.study = uuid(3);
        QVERIFY(reader.launchOf(run).value() == launch); // that is to go on there
        QVERIFY(!reader.launchOf(other).value());
        launch.study = uuid(3);
        launch.files = "/data/l.sqlite.files";
        launch.readBytes = std::int64_t{1} << 40;
        launch.endedAt = 300.0;
        REQUIRE(store.updateLaunch(launch));
        QVERIFY(reader.launches().value() == (std::vector{launch, old}));
        QVERIFY(!reader.launchOf(other).value());
        old.study = uuid(3);
        old.follower = processOf(getpid());
        REQUIRE(store.updateLaunch(old));
        QVERIFY(reader.launchOf(other).value() == old);
        // What never began, for want of its program, is no place where the run was trained.
        LaunchRecord wrong = launch;
        wrong.id = uuid(6);
        wrong.place.program = "/nowhere/cli";
        wrong.createdAt = 250.0;
        wrong.readBytes = 0;
        REQUIRE(store.addLaunch(wrong));
        QVERIFY(reader.launchOf(run).value() == launch);
        // It came back to this machine, whose clock was ahead before.
        LaunchRecord back = launch;
        back.id = uuid(5);
        back.place.program.clear();
        back.createdAt = 50.0;
        REQUIRE(store.addLaunch(back));
        QVERIFY(!reader.launchOf(run).value());
        // Only one follows.
        QCOMPARE(codeOf(store.claimLaunch(old.id, processOf(1))), std::string("launch.busy"));
        REQUIRE(store.claimLaunch(launch.id, processOf(getpid())));
        old.place.slurm = ""; // a batch system without options is none the less one
        old.id = uuid(4);
        REQUIRE(store.addLaunch(old));
        QCOMPARE(std::ranges::count(reader.launches().value(), old), 1);
        QCOMPARE(codeOf(store.addLaunch(old)), std::string("library.refused"));
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
};

QTEST_APPLESS_MAIN(TestLibraryRecords)
} // namespace test_library_records
#include "test_library_records.moc"
