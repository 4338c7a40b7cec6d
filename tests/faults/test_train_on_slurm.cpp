// SPDX-License-Identifier: GPL-3.0-or-later
// Studies as jobs of a real Slurm cluster of one node: started, followed, cut off, found again, cancelled.
#include "tests/support/far_studies.h"
#include "tests/support/loopback_host.h"

#include <csignal>
#include <memory>

namespace test_train_on_slurm {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// What squeue says of all jobs, a word a job.
QStringList jobStates() {
    QProcess process;
    process.start("squeue", {"--noheader", "--states=all", "--format=%T"});
    process.waitForFinished(30'000);
    return QString::fromUtf8(process.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
}

} // namespace

class TestTrainOnSlurm : public QObject {
    Q_OBJECT

    std::unique_ptr<OneNodeSlurm> m_slurm;
    std::unique_ptr<LoopbackHost> m_host; // after Slurm: its programs are to know that one
    QString m_unbroken;

private Q_SLOTS:
    void initTestCase() {
        m_slurm = std::make_unique<OneNodeSlurm>();
        if (!m_slurm->problem().isEmpty())
            QSKIP(qPrintable(m_slurm->problem()));
        m_host = std::make_unique<LoopbackHost>();
        const Libraries libraries;
        const CliResult plain = libraries.cli({"run", "far.toml", "--json"});
        QVERIFY2(plain.exitCode == 0, qPrintable(plain.all()));
        m_unbroken = libraries.weights();
    }
    void cleanupTestCase() {
        m_host.reset();
        m_slurm.reset();
    }

    void aJobIsFollowed_data() {
        QTest::addColumn<QStringList>("where");
        QTest::addColumn<int>("ranks");
        QTest::newRow("here") << QStringList{"--slurm"} << 1;
        QTest::newRow("here, 2 ranks") << QStringList{"--slurm", "--ranks", "2"} << 2;
        QTest::newRow("over ssh, 2 ranks")
            << QStringList{"--on", LoopbackHost::name(), "--slurm=--partition=main --time=10", "--ranks", "2"} << 2;
    }
    void aJobIsFollowed() {
        QFETCH(QStringList, where);
        QFETCH(int, ranks);
        if (where.contains(LoopbackHost::name()) && !m_host->problem().isEmpty())
            QSKIP(qPrintable(m_host->problem()));
        if (ranks > 1 && qEnvironmentVariableIsEmpty("ACCUMULUS_MPIRUN"))
            QSKIP("there is no mpirun, or this build has no MPI");
        const Libraries libraries;
        const qsizetype before = jobStates().count("COMPLETED");
        RunningCli child(libraries.train(where), libraries.folder.path());
        QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 50); }));
        if (where.contains(LoopbackHost::name()))
            QVERIFY(m_host->control("cut") && isTrained(libraries));
        const CliResult far = child.finish();
        QVERIFY2(far.exitCode == 0, qPrintable(far.all()));
        QCOMPARE(libraries.weights(), m_unbroken);
        QVERIFY(libraries.hasAllWindows());
        QCOMPARE(libraries.run().config.batch.devices, std::int64_t{ranks});
        QCOMPARE(libraries.codes().contains("launch.lost"), where.contains(LoopbackHost::name()));
        QVERIFY(eventually([&] { return jobStates().count("COMPLETED") == before + 1; }));
    }

    // The follower dies; the job goes on, and whoever comes back has all of it.
    void aJobIsFoundAgain() {
        const Libraries libraries;
        {
            RunningCli child(libraries.train({"--slurm"}), libraries.folder.path());
            QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 20); }));
            child.signal(SIGKILL);
            (void)child.finish();
        }
        QVERIFY(isTrained(libraries));
        const CliResult end = libraries.cli({"follow", "--json"});
        QVERIFY2(end.exitCode == 0, qPrintable(end.all()));
        QCOMPARE(libraries.weights(), m_unbroken);
        QVERIFY(libraries.hasAllWindows());
    }

    void aJobIsStoppedAndResumed() {
        const Libraries libraries;
        RunningCli child(libraries.train({"--slurm"}), libraries.folder.path());
        QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 50); }));
        child.signal(SIGINT);
        const CliResult stopped = child.finish();
        QVERIFY2(stopped.exitCode == 130, qPrintable(stopped.all()));
        QCOMPARE(libraries.run().state, RunState::Stopped);
        const CliResult resumed = libraries.cli({"resume", libraries.id(), "--json"});
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.all()));
        QCOMPARE(libraries.weights(), m_unbroken);
    }

    // One that waits in the queue has nobody yet who could obey.
    void aJobInTheQueueIsCancelled() {
        const Libraries libraries;
        const qsizetype before = jobStates().count("CANCELLED");
        RunningCli child(libraries.train({"--slurm=--begin=now+1hour"}), libraries.folder.path());
        QVERIFY(eventually([] { return jobStates().contains("PENDING"); }));
        QTest::qSleep(3000); // until it is known here
        child.signal(SIGINT);
        const CliResult result = child.finish();
        QVERIFY2(result.exitCode == 130, qPrintable(result.all()));
        QVERIFY2(result.all().contains("waits in the queue"), qPrintable(result.all()));
        QCOMPARE(jobStates().count("CANCELLED"), before + 1);
        QVERIFY(Libraries::reader(libraries.here()).runs()->empty());
    }

    // The same for a run that was to go on: it stays as it was.
    void aResumedJobInTheQueueIsCancelled() {
        const Libraries libraries;
        RunningCli child(libraries.train({"--slurm"}), libraries.folder.path());
        QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 50); }));
        child.signal(SIGINT);
        QCOMPARE(child.finish().exitCode, 130);
        const RunRecord before = libraries.run();
        RunningCli resumed(
            {"resume", libraries.id(), "--slurm=--begin=now+1hour", "--json", "--library", libraries.here()},
            libraries.folder.path());
        QVERIFY(resumed.waitFor([](const QJsonObject& line) { return line["code"] == "launch.pending"; }));
        resumed.signal(SIGINT);
        const CliResult result = resumed.finish();
        QVERIFY2(result.exitCode == 130, qPrintable(result.all()));
        QCOMPARE(libraries.run().state, RunState::Stopped);
        QCOMPARE(libraries.run().attempt, before.attempt);
    }

    // Somebody else ends the job, as the cluster does when its time is over: SIGTERM, and SIGKILL later.
    void aJobIsCancelledOverThere() {
        const Libraries libraries;
        RunningCli child(libraries.train({"--slurm"}), libraries.folder.path());
        QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 50); }));
        QCOMPARE(QProcess::execute("scancel", {"--me", "--state=RUNNING"}), 0);
        const CliResult ended = child.finish();
        QVERIFY2(ended.exitCode != 0, qPrintable(ended.all()));
        const RunState state = libraries.run().state;
        QVERIFY2(state == RunState::Stopped || state == RunState::Interrupted, qPrintable(ended.all()));
        const CliResult resumed = libraries.cli({"resume", libraries.id(), "--json"});
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.all()));
        QCOMPARE(libraries.weights(), m_unbroken);
        QVERIFY(libraries.hasAllWindows());
    }

    void optionsThatSlurmRefuses() {
        const Libraries libraries;
        const CliResult result = runCli(libraries.train({"--slurm=--partition=nowhere"}), libraries.folder.path());
        QVERIFY2(result.exitCode == static_cast<int>(ErrorKind::Device), qPrintable(result.all()));
        QVERIFY2(result.errors.contains("Invalid partition"), qPrintable(result.all()));
        QCOMPARE(libraries.cli({"follow"}).exitCode, static_cast<int>(ErrorKind::Library));
    }

    // srun starts ranks like mpirun.
    void ranksOfSrun() {
        if (qEnvironmentVariableIsEmpty("ACCUMULUS_MPIRUN"))
            QSKIP("this build has no MPI");
        QProcess kinds;
        kinds.start("srun", {"--mpi=list"});
        QVERIFY(kinds.waitForFinished(30'000));
        if (!(kinds.readAllStandardOutput() + kinds.readAllStandardError()).contains("pmix"))
            QSKIP("this Slurm has no PMIx, by which Open MPI's ranks find each other");
        const Libraries libraries;
        QProcess srun;
        srun.setWorkingDirectory(libraries.folder.path());
        srun.start("srun",
                   {"--ntasks=2", programPath("accumulus-cli"), "run", "far.toml", "--library", libraries.here()});
        QVERIFY(srun.waitForFinished(300'000));
        const QString said = QString::fromUtf8(srun.readAllStandardOutput() + srun.readAllStandardError());
        QVERIFY2(srun.exitCode() == 0, qPrintable(said));
        QVERIFY2(said.contains("2 ranks: sent"), qPrintable(said));
        QCOMPARE(libraries.weights(), m_unbroken);
    }
};

QTEST_APPLESS_MAIN(TestTrainOnSlurm)
} // namespace test_train_on_slurm
#include "test_train_on_slurm.moc"
