// SPDX-License-Identifier: GPL-3.0-or-later
// Launches that cannot be followed for a while, or not any more: nothing of them ends by that, and nothing is begun.
#include "core/config/experiment_file.h"
#include "core/launch/remote_study.h"
#include "tests/support/far_studies.h"

#include <atomic>
#include <csignal>
#include <thread>

namespace test_follow_again {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// trainElsewhere() on a thread, and what it says.
class Following {
public:
    Following(const Libraries& libraries, const LaunchPlace& place)
        : m_thread([this, &libraries, place] {
              const auto experiment = readExperiment(libraries.folder.filePath("far.toml").toStdString());
              m_outcome = trainElsewhere(*experiment, place, libraries.here().toStdString(), control,
                                         [this](auto events) { take(events); });
              ended = true;
          }) {}
    ~Following() {
        control.leave();
        m_thread.join();
    }
    /// Once it has ended.
    [[nodiscard]] const Result<RemoteOutcome>& outcome() const { return m_outcome; }

    RunControl control;
    std::atomic<std::int64_t> windows = 0;
    std::atomic<bool> paused = false, lost = false, ended = false;

private:
    void take(std::span<const RunEvent> events) {
        for (const RunEvent& event : events) {
            if (const auto* closed = std::get_if<WindowClosed>(&event))
                windows = closed->window.window;
            if (const auto* changed = std::get_if<RunStateChanged>(&event))
                paused = changed->state == RunState::Paused;
            if (const auto* noted = std::get_if<RunNoted>(&event))
                lost = lost || noted->event.code == "launch.lost";
        }
    }

    Result<RemoteOutcome> m_outcome = failure("launch.none", {});
    std::thread m_thread;
};

/// Of the connection that is up.
pid_t connectionOf(const Libraries& libraries) {
    QFile file(libraries.folder.filePath("pid"));
    return file.open(QFile::ReadOnly) ? file.readAll().trimmed().toInt() : 0;
}

} // namespace

class TestFollowAgain : public QObject {
    Q_OBJECT

    /// Its follower has left, and it waits.
    static void leavePaused(const Libraries& libraries) {
        RunningCli child(libraries.train({"--on", ""}), libraries.folder.path());
        QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 50); }));
        QVERIFY(journalOf(libraries).ask("pause"));
        child.signal(SIGHUP);
        QCOMPARE(child.finish().exitCode, 130);
    }

private Q_SLOTS:
    // Over there it is not found for now: that says nothing of what trains.
    void aRefusalIsNoEnd() {
        const Libraries libraries;
        leavePaused(libraries);
        const QString journals = libraries.there() + ".journals";
        QVERIFY(QDir().rename(journals, journals + ".away"));
        const CliResult refused = libraries.cli({"follow"});
        QVERIFY2(refused.exitCode == static_cast<int>(ErrorKind::Library), qPrintable(refused.all()));
        QVERIFY2(refused.errors.contains("follow --forget"), qPrintable(refused.all()));
        QCOMPARE(libraries.run().state, RunState::Interrupted);
        QVERIFY(QDir().rename(journals + ".away", journals));
        const CliResult end = libraries.cli({"follow", "--resume", "--json"});
        QVERIFY2(end.exitCode == 0, qPrintable(end.all()));
        QCOMPARE(libraries.run().state, RunState::Completed);
        QVERIFY(libraries.hasAllWindows());
    }

    // It goes on as it was begun: what would have begun it otherwise is refused, and the rest is followed.
    void whatIsAskedTooLate() {
        const Libraries libraries;
        leavePaused(libraries); // not to end before all of them were refused
        for (const QStringList& options :
             {QStringList{"--ranks", "2"}, QStringList{"--slurm"}, QStringList{"--remote-program", "/bin/false"},
              QStringList{"--other-data"}}) {
            const CliResult refused = libraries.cli(QStringList{"resume", libraries.id()} + options);
            QVERIFY2(refused.exitCode == static_cast<int>(ErrorKind::Configuration), qPrintable(refused.all()));
            QVERIFY2(refused.errors.contains(options.front() + " would have no effect"), qPrintable(refused.all()));
            QCOMPARE(libraries.run().state, RunState::Interrupted);
        }
        QVERIFY(isTrained(libraries) && journalOf(libraries).ask("resume"));
        const CliResult followed = libraries.cli(
            {"resume", libraries.id(), "--take-over", "--remote-program", programPath("accumulus-cli")}); // as it was
        QVERIFY2(followed.exitCode == 0, qPrintable(followed.all()));
        QCOMPARE(libraries.run().state, RunState::Completed);
        QVERIFY(libraries.hasAllWindows());
    }

    // What the refusal advises works.
    void aRefusedLaunchCanBeForgotten() {
        const Libraries libraries;
        leavePaused(libraries);
        const QString journals = libraries.there() + ".journals";
        QVERIFY(QDir().rename(journals, journals + ".away"));
        QCOMPARE(libraries.cli({"follow"}).exitCode, static_cast<int>(ErrorKind::Library));
        const CliResult other = libraries.cli({"follow", "zzzz"});
        QVERIFY2(other.errors.contains("matches zzzz") && other.errors.contains("In progress: "),
                 qPrintable(other.all()));
        const CliResult forgotten = libraries.cli({"follow", "--forget"});
        QVERIFY2(forgotten.exitCode == 0, qPrintable(forgotten.all()));
        QVERIFY(libraries.cli({"follow"}).errors.contains("No study is in progress"));
        QVERIFY(QDir().rename(journals + ".away", journals)); // for who ends what trains
    }

    // Found again, and refused for a reason that may pass, such as a full disk: tried again.
    void aRefusalThatPassesIsWaitedFor() {
        const Libraries libraries;
        const FakeSsh fake(libraries, "echo >>calls\necho $$ >pid\n" + FakeSsh::through());
        RunningCli child(libraries.train({"--on", "far"}), libraries.folder.path());
        QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 50); }));
        const QString lock = QString::fromStdString((journalOf(libraries).folder() / "lock").string());
        QVERIFY(QFile::remove(lock) && QDir().mkdir(lock)); // now it cannot be written
        QVERIFY(connectionOf(libraries) > 1);
        QVERIFY(isTrained(libraries));
        ::kill(connectionOf(libraries), SIGKILL);
        // The second connection was refused, and a third one is there.
        QVERIFY(eventually([&] { return QFileInfo(libraries.folder.filePath("calls")).size() >= 3; }));
        QVERIFY(QDir().rmdir(lock));
        const CliResult end = child.finish();
        QVERIFY2(end.exitCode == 0, qPrintable(end.all()));
        QCOMPARE(libraries.run().state, RunState::Completed);
        QVERIFY(libraries.hasAllWindows());
    }

    // Asked for while nobody over there could hear it.
    void aWishIsKeptWhileTheConnectionIsDown() {
        const Libraries libraries;
        const FakeSsh fake(libraries, "[ ! -e down ] || exit 255\necho $$ >pid\n" + FakeSsh::through());
        Following following(libraries, {"far", programPath("accumulus-cli").toStdString(),
                                        libraries.there().toStdString(), std::nullopt});
        QVERIFY(eventually([&] { return following.windows >= 50; }));
        following.control.pause();
        QVERIFY(eventually([&] { return following.paused.load(); }));
        QVERIFY(writeText(libraries.folder.path(), "down", ""));
        QVERIFY(connectionOf(libraries) > 1);
        ::kill(connectionOf(libraries), SIGKILL);
        QVERIFY(eventually([&] { return following.lost.load(); }));
        following.control.resume();
        QVERIFY(QFile::remove(libraries.folder.filePath("down")));
        QVERIFY(eventually([&] { return following.ended.load(); }));
        QVERIFY(following.outcome());
        QCOMPARE(libraries.run().state, RunState::Completed);
        QVERIFY(libraries.hasAllWindows());
    }

    // A run went on over there, has ended, and its journal is gone. To follow it is not to begin it once more.
    void toFollowBeginsNothing() {
        const Libraries libraries;
        {
            RunningCli child(libraries.train({"--on", ""}), libraries.folder.path());
            QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 50); }));
            child.signal(SIGINT);
            QCOMPARE(child.finish().exitCode, 130);
        }
        const auto first = static_cast<int>(libraries.run().summary.updates);
        {
            RunningCli resumed({"resume", libraries.id(), "--json", "--library", libraries.here()},
                               libraries.folder.path());
            QVERIFY(resumed.waitFor([&](const QJsonObject& line) { return isPast(line, first + 30); }));
            resumed.signal(SIGHUP);
            QCOMPARE(resumed.finish().exitCode, 130);
        }
        const Journal journal = journalOf(libraries);
        QVERIFY(journal.ask("stop"));
        QVERIFY(eventually([&] { return journal.exitCode().has_value(); }));
        const RunRecord there = Libraries::reader(libraries.there()).runs()->front();
        QVERIFY(QDir(libraries.there() + ".journals").removeRecursively());
        const CliResult followed = libraries.cli({"follow"});
        QVERIFY2(followed.exitCode == static_cast<int>(ErrorKind::Library), qPrintable(followed.all()));
        QVERIFY2(followed.errors.contains("unknown on the machine that should train it"), qPrintable(followed.all()));
        QVERIFY(!QDir(libraries.there() + ".journals").exists());
        QVERIFY(Libraries::reader(libraries.there()).runs()->front() == there);
    }
};

QTEST_APPLESS_MAIN(TestFollowAgain)
} // namespace test_follow_again
#include "test_follow_again.moc"
