// SPDX-License-Identifier: GPL-3.0-or-later
// Following that fails before it begins leaves the launch free: the process that tried lives on, as the workbench does.
#include "core/base/clock.h"
#include "core/launch/remote_study.h"
#include "core/store/run_reader.h"
#include "core/store/run_store.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace test_follow_refused {
using namespace accumulus;

namespace {

constexpr const char* launchId = "11111111-0000-4000-8000-000000000000";
constexpr const char* runId = "33333333-0000-4000-8000-000000000000";

/// Of a study with one run.
void addOpenLaunch(const std::filesystem::path& library, const RunOwner& owner, RunState state) {
    RunStore store(Library::open(library, Library::Mode::Write).value());
    StudyRecord study;
    study.id = "22222222-0000-4000-8000-000000000000";
    study.name = "study";
    study.createdAt = unixTime();
    QVERIFY(store.addStudy(study));
    RunRecord run;
    run.id = runId;
    run.study = study.id;
    run.state = state;
    run.createdAt = run.heartbeat = unixTime();
    run.owner = owner;
    QVERIFY(store.addRun(run));
    LaunchRecord launch;
    launch.id = launchId;
    launch.study = study.id;
    launch.createdAt = unixTime();
    QVERIFY(store.addLaunch(launch));
}

} // namespace

class TestFollowRefused : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunThatIsBusyLocksNobodyOut() {
        const QTemporaryDir folder;
        const std::filesystem::path library = folder.filePath("library.sqlite").toStdString();
        addOpenLaunch(library, processOf(getpid()), RunState::Queued);
        for (int attempt = 0; attempt < 2; ++attempt) {
            RunControl control;
            const auto outcome = followElsewhere(launchId, library, control, {});
            QVERIFY(!outcome);
            QCOMPARE(outcome.error().code, std::string("run.busy"));
        }
        RunReader reader(Library::open(library, Library::Mode::Read).value());
        QCOMPARE(reader.launches()->front().follower.pid, std::int64_t{0});
    }

    void aRunInTheTrashLosesNothing() {
        const QTemporaryDir folder;
        const std::filesystem::path library = folder.filePath("library.sqlite").toStdString();
        addOpenLaunch(library, {}, RunState::Interrupted);
        {
            RunStore store(Library::open(library, Library::Mode::Write).value());
            QVERIFY(store.moveToTrash(std::vector<std::string>{runId}, unixTime()));
        }
        RunControl control;
        const auto outcome = followElsewhere(launchId, library, control, {});
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, std::string("run.in-trash"));
    }
};

QTEST_APPLESS_MAIN(TestFollowRefused)
} // namespace test_follow_refused
#include "test_follow_refused.moc"
