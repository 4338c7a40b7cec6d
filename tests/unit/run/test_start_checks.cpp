// SPDX-License-Identifier: GPL-3.0-or-later
// What keeps a start from working is told before it.
#include "core/run/start_checks.h"
#include "core/store/run_owner.h"
#include "tests/support/as_nobody.h"

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace test_start_checks {
using namespace accumulus;
using accumulus::test::asNobody;

namespace {

std::string codeOf(const Status& status) { return status ? std::string() : status.error().code; }

} // namespace

class TestStartChecks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFolderOfTheLibraryIsLookedAt() {
        namespace fs = std::filesystem;
        QTemporaryDir temporary;
        const fs::path folder = temporary.filePath(QStringLiteral("out")).toStdString();
        const fs::path library = folder / "library.sqlite";
        const Status missing = checkOutputFolder(library);
        QCOMPARE(codeOf(missing), std::string("library.output"));
        QVERIFY(!missing.error().argument("reason").empty());
        fs::create_directories(folder / "library.sqlite.files");
        std::ofstream(library) << "x";
        QCOMPARE(codeOf(checkOutputFolder(library)), std::string());

        // Another user's: everything may be written, then one thing less at a time.
        fs::permissions(temporary.path().toStdString(), fs::perms(0755));
        const auto seenByNobody = [&](fs::perms ofFolder, fs::perms ofLibrary, fs::perms ofFiles) {
            fs::permissions(folder, ofFolder);
            fs::permissions(library, ofLibrary);
            fs::permissions(folder / "library.sqlite.files", ofFiles);
            return asNobody([&] { return codeOf(checkOutputFolder(library)) == "library.output" ? 1 : 0; });
        };
        using fs::perms;
        QCOMPARE(seenByNobody(perms(0777), perms(0666), perms(0777)), 0);
        QCOMPARE(seenByNobody(perms(0777), perms(0666), perms(0555)), 1);
        QCOMPARE(seenByNobody(perms(0777), perms(0444), perms(0777)), 1);
        QCOMPARE(seenByNobody(perms(0555), perms(0666), perms(0777)), 1);
        fs::permissions(folder, perms(0777));
    }

    void aCpuCanAlwaysBegin() {
        DeviceConfig device;
        device.kind = "cpu";
        QVERIFY(checkDeviceNow(device, "/nowhere/library.sqlite"));
    }

    void aRunOfAnotherProcessOccupiesItsDevice() {
        const pid_t other = fork();
        if (other == 0) {
            pause();
            _exit(0);
        }
        QVERIFY(other > 0);
        std::vector<RunRecord> runs(1);
        RunRecord& run = runs.front();
        run.id = "run";
        run.state = RunState::Running;
        run.environment.device = "cuda:0";
        run.owner = processOf(other);
        QCOMPARE(runOnDevice(runs, {}, "cuda:0"), &runs.front());
        QVERIFY(!runOnDevice(runs, {}, "cuda:1"));
        LaunchRecord launch;
        launch.resumes = run.id;
        QVERIFY(runOnDevice(runs, {launch}, "cuda:0")); // as a process of this machine
        launch.place.host = "gpu-host";
        QVERIFY(!runOnDevice(runs, {launch}, "cuda:0"));
        launch.endedAt = 1.0;
        QVERIFY(runOnDevice(runs, {launch}, "cuda:0")); // it goes on here
        run.state = RunState::Completed;
        QVERIFY(!runOnDevice(runs, {}, "cuda:0"));
        run.state = RunState::Running;
        run.owner = thisProcess(); // what this process trains queues
        QVERIFY(!runOnDevice(runs, {}, "cuda:0"));
        run.owner = processOf(other);
        kill(other, SIGKILL);
        waitpid(other, nullptr, 0);
        QVERIFY(!runOnDevice(runs, {}, "cuda:0")); // it will never end its run
    }

    void answersBecomeFindingsWithACure() {
        QVERIFY(startFindings({}, {}).empty());
        const auto findings = startFindings(failure("library.output", {{"folder", "/out"}, {"reason", "no rights"}}),
                                            failure("device.busy", {{"device", "cuda:0"}}));
        QCOMPARE(findings.size(), std::size_t{2});
        QCOMPARE(findings[0].id, std::string("P02"));
        QCOMPARE(messageText(findings[0].message), std::string("The output folder /out is not writable."));
        QCOMPARE(findings[0].fixes.at(0).id, std::string("choose-library"));
        QCOMPARE(findings[1].id, std::string("D01"));
        QCOMPARE(messageText(findings[1].message), std::string("cuda:0 is in use by another run."));
        QCOMPARE(findings[1].fixes.size(), std::size_t{2});
        QCOMPARE(findings[1].fixes[1].assignments, std::vector<std::string>{"device.kind=cpu"});
        for (const Finding& finding : findings)
            QVERIFY(finding.level == FindingLevel::Error);
    }
};

QTEST_APPLESS_MAIN(TestStartChecks)
} // namespace test_start_checks
#include "test_start_checks.moc"
