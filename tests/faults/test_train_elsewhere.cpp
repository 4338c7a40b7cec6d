// SPDX-License-Identifier: GPL-3.0-or-later
// Studies that are trained elsewhere: as a process of this machine that outlives its follower, and on a host that a
// real sshd is. Connections are cut, followers and trainers killed; nothing is lost and nothing comes twice.
#include "core/base/clock.h"
#include "tests/support/far_studies.h"
#include "tests/support/loopback_host.h"

#include <QDir>

#include <csignal>
#include <memory>

namespace test_train_elsewhere {
using namespace accumulus;
using namespace accumulus::test;

class TestTrainElsewhere : public QObject {
    Q_OBJECT

    std::unique_ptr<LoopbackHost> m_host;
    QString m_unbroken;

    static void places() {
        QTest::addColumn<QStringList>("where");
        QTest::newRow("this machine") << QStringList{"--on", ""};
        QTest::newRow("ssh") << QStringList{"--on", LoopbackHost::name()};
    }
    QString skipped() const {
        QFETCH(QStringList, where);
        return where.back() == LoopbackHost::name() ? m_host->problem() : QString();
    }

private Q_SLOTS:
    void initTestCase() {
        m_host = std::make_unique<LoopbackHost>();
        const Libraries libraries;
        const CliResult plain = libraries.cli({"run", "far.toml", "--json"});
        QVERIFY2(plain.exitCode == 0, qPrintable(plain.all()));
        m_unbroken = libraries.weights();
        QVERIFY(!m_unbroken.isEmpty());
    }
    void cleanupTestCase() { m_host.reset(); }

    void itIsRecordedAsIfTrainedHere_data() { places(); }
    void itIsRecordedAsIfTrainedHere() {
        if (!skipped().isEmpty())
            QSKIP(qPrintable(skipped()));
        QFETCH(QStringList, where);
        const Libraries libraries;
        const CliResult far = libraries.cli(libraries.train(where).mid(0, 3) + libraries.train(where).mid(5));
        QVERIFY2(far.exitCode == 0, qPrintable(far.all()));
        QCOMPARE(libraries.weights(), m_unbroken);
        QCOMPARE(libraries.run().state, RunState::Completed);
        QVERIFY(libraries.hasAllWindows());
        // Every number of the run is the one over there.
        for (const QString& library : {libraries.here(), libraries.there()})
            QCOMPARE(
                runCli({"export", libraries.id(), "--format", "csv", "--out", library + ".csv", "--library", library},
                       libraries.folder.path())
                    .exitCode,
                0);
        QFile a(libraries.here() + ".csv"), b(libraries.there() + ".csv");
        QVERIFY(a.open(QFile::ReadOnly) && b.open(QFile::ReadOnly));
        QCOMPARE(a.readAll(), b.readAll());
        // The journal has done its work.
        QVERIFY(!QDir(libraries.there() + ".journals").exists());
        // Checkpoints come when they are wanted.
        const CliResult missing = libraries.cli({"verify", libraries.id()});
        QCOMPARE(missing.exitCode, static_cast<int>(ErrorKind::Library));
        QVERIFY2(missing.errors.contains("accumulus-cli fetch " + libraries.id() + " --library "),
                 qPrintable(missing.all()));
        const CliResult weights = libraries.cli({"export", libraries.id(), "--format", "safetensors", "--out",
                                                 libraries.folder.filePath("weights.safetensors")});
        QVERIFY2(weights.exitCode == 0, qPrintable(weights.all()));
        const CliResult verified = libraries.cli({"verify", libraries.id()});
        QVERIFY2(verified.exitCode == 0, qPrintable(verified.all()));
        const CliResult fetched = libraries.cli({"fetch", libraries.id()});
        QVERIFY2(fetched.output.endsWith("fetched.\n"), qPrintable(fetched.all())); // what resuming needs, too
        QCOMPARE(libraries.cli({"fetch", libraries.id()}).output.trimmed(), QString("All checkpoints are here."));
    }

    // The connection goes away for a while, twice. Three times as long, so that it is trained all the while.
    void aLostConnectionIsFoundAgain() {
        if (!m_host->problem().isEmpty())
            QSKIP(qPrintable(m_host->problem()));
        const QStringList longer{"--set", QString("train.length=%1 epochs").arg(3 * farEpochs())};
        const Libraries plain, libraries;
        RunningCli unbroken(QStringList{"run", "far.toml", "--json", "--library", plain.here()} + longer,
                            plain.folder.path());
        RunningCli child(libraries.train({"--on", LoopbackHost::name()}, longer), libraries.folder.path());
        QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 50); }));
        QVERIFY(m_host->control("cut"));
        QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 100); }));
        QVERIFY(m_host->control("down"));
        QVERIFY(isTrained(libraries));
        QTest::qSleep(2500); // it tries in vain meanwhile
        QVERIFY(m_host->control("up"));
        const CliResult far = child.finish();
        QVERIFY2(far.exitCode == 0, qPrintable(far.all()));
        const CliResult here = unbroken.finish();
        QVERIFY2(here.exitCode == 0, qPrintable(here.all()));
        QCOMPARE(libraries.weights(), plain.weights());
        QVERIFY(libraries.hasAllWindows(3 * farUpdates()));
        QVERIFY(libraries.codes().contains("launch.lost"));
        QVERIFY(libraries.codes().contains("launch.found"));
    }

    // Whoever follows is killed, or leaves when the terminal closes: training goes on, and the gap is filled.
    void whoFollowsMayGo_data() {
        QTest::addColumn<QStringList>("where");
        QTest::addColumn<int>("signal");
        QTest::addColumn<bool>("paused");
        for (const bool paused : {false, true}) {
            const char* state = paused ? "paused" : "training";
            QTest::addRow("this machine, killed, %s", state) << QStringList{"--on", ""} << SIGKILL << paused;
            QTest::addRow("this machine, leaves, %s", state) << QStringList{"--on", ""} << SIGHUP << paused;
            QTest::addRow("ssh, killed, %s", state) << QStringList{"--on", LoopbackHost::name()} << SIGKILL << paused;
        }
    }
    void whoFollowsMayGo() {
        if (!skipped().isEmpty())
            QSKIP(qPrintable(skipped()));
        QFETCH(QStringList, where);
        QFETCH(int, signal);
        QFETCH(bool, paused);
        const Libraries libraries;
        {
            RunningCli child(libraries.train(where), libraries.folder.path());
            QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 50); }));
            if (paused)
                QVERIFY(journalOf(libraries).ask("pause"));
            child.signal(signal);
            const CliResult left = child.finish();
            QCOMPARE(left.exitCode, signal == SIGKILL ? -1 : 130);
            if (signal != SIGKILL)
                QVERIFY2(left.errors.contains("accumulus-cli follow"), qPrintable(left.all()));
        }
        const RunRecord before = libraries.run();
        QVERIFY(before.summary.updates < farUpdates());
        QVERIFY(isTrained(libraries));
        if (paused) {
            // It waits until somebody lets it go on.
            QTest::qSleep(1000);
            QVERIFY(isTrained(libraries));
            {
                RunningCli again({"follow", "--library", libraries.here()}, libraries.folder.path());
                QVERIFY(eventually([&] { return libraries.run().state == RunState::Paused; }));
                QVERIFY(eventually([&] { return libraries.codes().contains("launch.paused"); }));
                again.signal(SIGHUP);
                QCOMPARE(again.finish().exitCode, 130);
            }
            QCOMPARE(libraries.run().state, RunState::Interrupted); // nobody follows it
            const CliResult end = libraries.cli({"follow", "--resume", "--json"});
            QVERIFY2(end.exitCode == 0, qPrintable(end.all()));
        } else {
            // resume finds out that it goes on.
            const CliResult end = libraries.cli({"resume", libraries.id(), "--json"});
            QVERIFY2(end.exitCode == 0, qPrintable(end.all()));
        }
        QCOMPARE(libraries.run().state, RunState::Completed);
        QCOMPARE(libraries.weights(), m_unbroken);
        QVERIFY(libraries.hasAllWindows());
        const CliResult none = libraries.cli({"follow"});
        QCOMPARE(none.exitCode, static_cast<int>(ErrorKind::Library));
    }

    // Stopped from here, resumed over there, and then on this machine.
    void stoppedAndResumed_data() { places(); }
    void stoppedAndResumed() {
        if (!skipped().isEmpty())
            QSKIP(qPrintable(skipped()));
        QFETCH(QStringList, where);
        const Libraries libraries;
        RunningCli child(libraries.train(where), libraries.folder.path());
        QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 50); }));
        child.signal(SIGINT);
        const CliResult stopped = child.finish();
        QVERIFY2(stopped.exitCode == 130, qPrintable(stopped.all()));
        QCOMPARE(libraries.run().state, RunState::Stopped);
        const std::int64_t first = libraries.run().summary.updates;
        QVERIFY(first < farUpdates());

        if (where.contains(LoopbackHost::name())) {
            const CliResult moved = libraries.cli({"resume", libraries.id(), "--remote-program", "/nowhere/cli"});
            QVERIFY2(moved.exitCode == static_cast<int>(ErrorKind::Device), qPrintable(moved.all()));
            QVERIFY2(moved.errors.contains("/nowhere/cli cannot be started"), qPrintable(moved.all()));
            QCOMPARE(libraries.run().state, RunState::Stopped);
        }
        RunningCli resumed({"resume", libraries.id(), "--json", "--library", libraries.here()},
                           libraries.folder.path());
        QVERIFY(resumed.waitFor([&](const QJsonObject& line) { return isPast(line, static_cast<int>(first) + 30); }));
        resumed.signal(SIGINT);
        const CliResult again = resumed.finish();
        QVERIFY2(again.exitCode == 130, qPrintable(again.all()));
        QVERIFY(libraries.run().summary.updates > first);
        QCOMPARE(libraries.run().attempt, std::int64_t{2});
        QVERIFY(!QDir(libraries.folder.filePath("here.sqlite.files")).exists()); // all of it was over there

        const CliResult here = libraries.cli({"resume", libraries.id(), "--here", "--json"});
        QVERIFY2(here.exitCode == 0, qPrintable(here.all()));
        QCOMPARE(libraries.weights(), m_unbroken);
        QVERIFY(libraries.hasAllWindows());
    }

    // What trains is killed over there.
    void theTrainerIsKilled_data() { places(); }
    void theTrainerIsKilled() {
        if (!skipped().isEmpty())
            QSKIP(qPrintable(skipped()));
        QFETCH(QStringList, where);
        const Libraries libraries;
        RunningCli child(libraries.train(where), libraries.folder.path());
        QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, pastCheckpoint); }));
        const auto trainer = journalOf(libraries).trainer();
        QVERIFY(trainer && trainer->process.pid > 1);
        ::kill(-static_cast<pid_t>(trainer->process.pid), SIGKILL);
        const CliResult ended = child.finish();
        QVERIFY2(ended.exitCode == static_cast<int>(ErrorKind::Training), qPrintable(ended.all()));
        QVERIFY2(ended.errors.contains("SIGKILL"), qPrintable(ended.all()));
        QCOMPARE(libraries.run().state, RunState::Interrupted);
        QVERIFY(journalOf(libraries).trainer()); // with the log of what failed
        const CliResult resumed = libraries.cli({"resume", libraries.id(), "--json"});
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.all()));
        QCOMPARE(libraries.weights(), m_unbroken);
        QVERIFY(libraries.hasAllWindows());
    }

    // The third Ctrl+C ends what does not obey.
    void itCanBeEnded() {
        const Libraries libraries;
        RunningCli child(libraries.train({"--on", ""}), libraries.folder.path());
        QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, pastCheckpoint); }));
        const auto trainer = journalOf(libraries).trainer();
        QVERIFY(trainer);
        ::kill(-static_cast<pid_t>(trainer->process.pid), SIGSTOP);
        for (int i = 0; i < 3; ++i) {
            child.signal(SIGINT);
            QTest::qSleep(300);
        }
        const CliResult ended = child.finish(); // SIGTERM does not reach it, SIGKILL after 10 s does
        QVERIFY2(ended.exitCode == static_cast<int>(ErrorKind::Training), qPrintable(ended.all()));
        QVERIFY(lifeOf(trainer->process) == OwnerLife::Dead);
        QCOMPARE(libraries.run().state, RunState::Interrupted);
        const CliResult resumed = libraries.cli({"resume", libraries.id(), "--json"});
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.all()));
        QCOMPARE(libraries.weights(), m_unbroken);
    }

    // The fourth leaves it alone, even where it will end.
    void whoInsistsMoreLeaves() {
        const Libraries libraries;
        RunningCli child(libraries.train({"--on", ""}), libraries.folder.path());
        QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 50); }));
        ::kill(-static_cast<pid_t>(journalOf(libraries).trainer()->process.pid), SIGSTOP);
        for (int i = 0; i < 4; ++i) {
            child.signal(SIGINT);
            QTest::qSleep(300);
        }
        const Stopwatch stopwatch;
        QCOMPARE(child.finish().exitCode, 130);
        QVERIFY(stopwatch.seconds() < 8.0);
        QCOMPARE(libraries.run().state, RunState::Interrupted);
    }

    // What is still trained there is not trained here as well; what came back stays here.
    void resumeHereOnceItHasEndedThere() {
        const Libraries libraries;
        RunningCli child(libraries.train({"--on", ""}), libraries.folder.path());
        QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 50); }));
        QVERIFY(journalOf(libraries).ask("pause"));
        child.signal(SIGHUP);
        QCOMPARE(child.finish().exitCode, 130);
        const CliResult early = libraries.cli({"resume", libraries.id(), "--here"});
        QVERIFY2(early.exitCode == static_cast<int>(ErrorKind::Configuration), qPrintable(early.all()));
        QVERIFY2(early.errors.contains("still trained"), qPrintable(early.all()));
        QVERIFY(journalOf(libraries).ask("stop"));
        QCOMPARE(libraries.cli({"follow", "--resume"}).exitCode, 130);
        RunningCli here({"resume", libraries.id(), "--here", "--json", "--library", libraries.here()},
                        libraries.folder.path());
        QVERIFY(here.waitFor([](const QJsonObject& line) { return line["event"] == "window"; }));
        here.signal(SIGINT);
        (void)here.finish();
        // From now on it is a run of this machine.
        const CliResult end = libraries.cli({"resume", libraries.id(), "--json"});
        QVERIFY2(end.exitCode == 0, qPrintable(end.all()));
        QCOMPARE(libraries.weights(), m_unbroken);
        QVERIFY(libraries.hasAllWindows());
        QCOMPARE(Libraries::reader(libraries.there()).runs()->front().state, RunState::Stopped);
    }

    // Two seeds with both arms; left in the first run, and followed again to the verdict on all.
    void theVerdictIsThatOfTheWholeStudy() {
        const Libraries libraries;
        {
            const QString length = QString("train.length=%1 epochs").arg(farEpochs() / 3);
            RunningCli child(libraries.train({"--on", ""}, {"--set", "study.large_batch=true", "--set",
                                                            "study.seeds=[0, 1]", "--set", length}),
                             libraries.folder.path());
            QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 10); }));
            child.signal(SIGKILL);
            (void)child.finish();
        }
        QVERIFY(isTrained(libraries));
        const CliResult end = libraries.cli({"follow", "--json"});
        QVERIFY2(end.exitCode == 0, qPrintable(end.all()));
        QCOMPARE(end.events("verdict").size(), std::size_t{1});
        const QJsonObject verdict = end.events("verdict").front();
        QCOMPARE(verdict["n"].toInt(), 2);
        QVERIFY(!verdict["study"].toString().isEmpty());
    }

    // A host that cannot be reached leaves everything as it was, for a later try.
    void followedInVain() {
        if (!m_host->problem().isEmpty())
            QSKIP(qPrintable(m_host->problem()));
        const Libraries libraries;
        {
            RunningCli child(libraries.train({"--on", LoopbackHost::name()}), libraries.folder.path());
            QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 50); }));
            child.signal(SIGKILL);
            (void)child.finish();
        }
        QVERIFY(m_host->control("down"));
        QVERIFY(isTrained(libraries));
        const CliResult vain = libraries.cli({"follow"});
        QVERIFY(m_host->control("up"));
        QVERIFY2(vain.exitCode == static_cast<int>(ErrorKind::Device), qPrintable(vain.all()));
        QCOMPARE(libraries.run().state, RunState::Interrupted);
        const CliResult end = libraries.cli({"follow", "--json"});
        QVERIFY2(end.exitCode == 0, qPrintable(end.all()));
        QCOMPARE(libraries.weights(), m_unbroken);
        QVERIFY(libraries.hasAllWindows());
    }

    void aLaunchCanBeForgotten() {
        const Libraries libraries;
        {
            RunningCli child(libraries.train({"--on", ""}), libraries.folder.path());
            QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 20); }));
            child.signal(SIGKILL);
            (void)child.finish();
        }
        QCOMPARE(libraries.cli({"follow", "--forget"}).exitCode, 0);
        QCOMPARE(libraries.cli({"follow"}).exitCode, static_cast<int>(ErrorKind::Library));
    }

    void ranksOverThere_data() { places(); }
    void ranksOverThere() {
        if (!skipped().isEmpty())
            QSKIP(qPrintable(skipped()));
        if (qEnvironmentVariableIsEmpty("ACCUMULUS_MPIRUN"))
            QSKIP("there is no mpirun, or this build has no MPI");
        QFETCH(QStringList, where);
        const Libraries libraries;
        RunningCli child(libraries.train(where, {"--ranks", "2"}), libraries.folder.path());
        QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 50); }));
        child.signal(SIGINT);
        const CliResult stopped = child.finish();
        QVERIFY2(stopped.exitCode == 130, qPrintable(stopped.all()));
        QCOMPARE(libraries.run().config.batch.devices, std::int64_t{2});
        const CliResult resumed = libraries.cli({"resume", libraries.id(), "--json"});
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.all()));
        QCOMPARE(libraries.weights(), m_unbroken);
        QVERIFY(libraries.hasAllWindows());
        QVERIFY(!Libraries::reader(libraries.here()).rankTimes(libraries.run().id)->empty());
    }

    // Two who follow the same study would write its rows twice.
    void onlyOneFollows() {
        const Libraries libraries;
        RunningCli child(libraries.train({"--on", ""}), libraries.folder.path());
        QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 20); }));
        const CliResult second = libraries.cli({"follow"});
        QVERIFY2(second.exitCode == static_cast<int>(ErrorKind::Configuration), qPrintable(second.all()));
        child.signal(SIGINT);
        QCOMPARE(child.finish().exitCode, 130);
    }
};

QTEST_APPLESS_MAIN(TestTrainElsewhere)
} // namespace test_train_elsewhere
#include "test_train_elsewhere.moc"
