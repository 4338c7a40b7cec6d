// SPDX-License-Identifier: GPL-3.0-or-later
// The real accumulus-cli under a real mpirun: the numbers of one rank, a log each, and what happens when ranks are
// killed, hang, differ or run out of disk.
#include "tests/support/cli_program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/mount.h>

namespace test_cli_ranks {
using namespace accumulus::test;

namespace {

/// fp64, and sums in micro-step order: the weights of any number of ranks have the same bits.
const char* const experiment = R"([data]
dataset = "digits-generated"
train_limit = 400
test_limit = 50
[model]
name = "mlp"
hidden = [256, 256]
[batch]
effective = 64
micro = 8
[parallel]
order = "micro-steps"
[train]
length = "40 updates"
[numerics]
precision = "fp64"
[device]
lanes = 1
threads = 1
[evaluate]
every = "0 epochs"
[checkpoint]
every = "5 updates"
)";

struct Ended {
    int exitCode = -1;
    QString output, errors;
    [[nodiscard]] QJsonObject event(const QString& name) const {
        QJsonObject found;
        for (const QString& line : output.split('\n', Qt::SkipEmptyParts))
            if (const QJsonObject object = QJsonDocument::fromJson(line.toUtf8()).object(); object["event"] == name)
                found = object;
        return found;
    }
    [[nodiscard]] QString all() const { return QString("exit code %1\n%2\n%3").arg(exitCode).arg(output, errors); }
};

/// A study on several ranks that is still at work.
class RunningRanks {
public:
    RunningRanks(int ranks, const QStringList& arguments, const QString& folder, const QByteArray& input = {}) {
        start({"-n", QString::number(ranks), programPath("accumulus-cli")}, arguments, folder, input);
    }
    /// mpirun's own arguments.
    RunningRanks(const QStringList& mpirun, const QString& folder) { start(mpirun, {}, folder, {}); }
    ~RunningRanks() {
        if (m_process.state() != QProcess::NotRunning) {
            m_process.terminate();
            m_process.waitForFinished(10'000);
            m_process.kill();
            m_process.waitForFinished();
        }
    }
    [[nodiscard]] bool waitForWindow(int window) {
        QElapsedTimer watch;
        watch.start();
        while (watch.elapsed() < 60'000) {
            m_process.waitForReadyRead(200);
            m_output += m_process.readAllStandardOutput();
            for (const QByteArray& line : m_output.split('\n'))
                if (const QJsonObject object = QJsonDocument::fromJson(line).object();
                    object["event"] == "window" && object["window"].toInt() >= window)
                    return true;
            if (m_process.state() == QProcess::NotRunning)
                return false;
        }
        return false;
    }
    [[nodiscard]] bool waitForNote(const QString& code) {
        QElapsedTimer watch;
        watch.start();
        while (watch.elapsed() < 60'000) {
            m_process.waitForReadyRead(200);
            m_output += m_process.readAllStandardOutput();
            if (m_output.contains(code.toUtf8()))
                return true;
        }
        return false;
    }
    /// The process of a rank, found by what mpirun gave it into its environment.
    [[nodiscard]] pid_t process(int rank) const {
        const QByteArray wanted = "OMPI_COMM_WORLD_RANK=" + QByteArray::number(rank);
        const QStringList processes = QDir("/proc").entryList(QDir::Dirs);
        for (const QString& name : processes) {
            QFile status("/proc/" + name + "/stat");
            QFile environment("/proc/" + name + "/environ");
            if (name.toInt() == 0 || !status.open(QIODevice::ReadOnly) || !environment.open(QIODevice::ReadOnly))
                continue;
            const QByteArray stat = status.readAll();
            const QByteArray parent = stat.mid(stat.lastIndexOf(')') + 4).split(' ').value(0);
            if (parent.toLongLong() == m_process.processId() && environment.readAll().split('\0').contains(wanted))
                return name.toInt();
        }
        return 0;
    }
    void signal(int number) { ::kill(static_cast<pid_t>(m_process.processId()), number); }
    [[nodiscard]] Ended finish(int limitMilliseconds = 120'000) {
        Ended ended;
        if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(limitMilliseconds))
            return ended;
        ended.exitCode = m_process.exitCode();
        ended.output = QString::fromUtf8(m_output + m_process.readAllStandardOutput());
        ended.errors = QString::fromUtf8(m_process.readAllStandardError());
        return ended;
    }

private:
    void start(const QStringList& mpirun, const QStringList& arguments, const QString& folder,
               const QByteArray& input) {
        m_process.setProgram(qEnvironmentVariable("ACCUMULUS_MPIRUN"));
        m_process.setArguments(mpirun + arguments);
        m_process.setWorkingDirectory(folder);
        m_process.start();
        m_process.write(input);
        m_process.closeWriteChannel();
    }
    QProcess m_process;
    QByteArray m_output;
};

Ended runRanks(int ranks, const QStringList& arguments, const QString& folder, const QByteArray& input = {}) {
    return RunningRanks(ranks, arguments, folder, input).finish();
}

} // namespace

class TestCliRanks : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString m_hash, m_longHash; ///< of the runs on one rank
    static constexpr int longUpdates = 200;
    /// On 3 ranks the last round of a window has work for 2 of them.
    const QStringList m_long{"--set", QString("train.length=%1 updates").arg(longUpdates), "--set",
                             "batch.ragged=weight"};

    [[nodiscard]] QString folder() const { return m_folder.path(); }
    [[nodiscard]] QString onlyRun(const QString& library) const {
        const CliResult listed = runCli({"list", "--json", "--library", library}, folder());
        return QJsonDocument::fromJson(listed.output.toUtf8())[0]["run"].toString();
    }
    [[nodiscard]] QStringList run(const QString& library, const QStringList& more = {}) const {
        return QStringList{"run", "ranks.toml", "--json", "--library", library} + more;
    }

private Q_SLOTS:
    void initTestCase() {
        if (qEnvironmentVariable("ACCUMULUS_MPIRUN").isEmpty())
            QSKIP("built without MPI, or there is no mpirun");
        QVERIFY(!programPath("accumulus-cli").isEmpty());
        QVERIFY(writeText(folder(), "ranks.toml", experiment));
        const CliResult alone = runCli(run("alone.sqlite"), folder());
        QVERIFY2(alone.exitCode == 0, qPrintable(alone.all()));
        m_hash = alone.events("run-finished").front()["weights_hash"].toString();
        QVERIFY(!m_hash.isEmpty());
        const CliResult whole = runCli(run("long.sqlite", m_long), folder());
        QVERIFY2(whole.exitCode == 0, qPrintable(whole.all()));
        m_longHash = whole.events("run-finished").front()["weights_hash"].toString();
        QVERIFY(!m_longHash.isEmpty() && m_longHash != m_hash);
    }

    void theyAreOneRank() {
        const Ended two = runRanks(2, run("two.sqlite"), folder());
        QVERIFY2(two.exitCode == 0, qPrintable(two.all()));
        QCOMPARE(two.event("run-finished")["weights_hash"].toString(), m_hash);
        const QString id = two.event("run-finished")["run"].toString();
        for (int rank = 0; rank < 2; ++rank) {
            QFile log(folder() + "/two.sqlite.files/" + id + QString("/rank-%1.log").arg(rank));
            QVERIFY(log.open(QIODevice::ReadOnly));
            QVERIFY(log.readAll().contains("window 40"));
        }
        const CliResult verified = runCli({"verify", id, "--library", "two.sqlite"}, folder());
        QVERIFY2(verified.exitCode == 0, qPrintable(verified.all()));
    }

    /// MindSpore's optimizer parallelism (S7): 8 ranks on however few cores equal one rank with all their samples.
    void eightRanksShareTheOptimizer() {
        const QStringList more{"--set", "parallel.mode=zero1", "--set", "train.length=3 updates"};
        const CliResult alone = runCli(run("one3.sqlite", more), folder());
        const Ended eight = runRanks(8, run("eight.sqlite", more), folder());
        QVERIFY2(eight.exitCode == 0, qPrintable(eight.all()));
        QCOMPARE(eight.event("run-finished")["weights_hash"].toString(),
                 alone.events("run-finished").front()["weights_hash"].toString());
        const QString id = eight.event("run-finished")["run"].toString();
        QCOMPARE(QDir(folder() + "/eight.sqlite.files/" + id).entryList({"rank-*.log"}).size(), 8);
    }

    void theExperimentComesOnStandardInput() {
        const Ended ended =
            runRanks(2, {"run", "/dev/stdin", "--json", "--library", "stdin.sqlite"}, folder(), experiment);
        QVERIFY2(ended.exitCode == 0, qPrintable(ended.all()));
        QCOMPARE(ended.event("run-finished")["weights_hash"].toString(), m_hash);
    }

    void aStudyHasBothArms() {
        const Ended ended = runRanks(
            2, run("study.sqlite", {"--set", "study.large_batch=true", "--set", "train.length=4 updates"}), folder());
        QVERIFY2(ended.exitCode == 0, qPrintable(ended.all()));
        QStringList arms;
        for (const QString& line : ended.output.split('\n'))
            if (const QJsonObject event = QJsonDocument::fromJson(line.toUtf8()).object();
                event["event"] == "run-finished")
                arms << QString("%1 %2").arg(event["arm"].toString()).arg(event["updates"].toInt());
        QCOMPARE(arms, QStringList({"accumulated 4", "large-batch 4"}));
    }

    /// kill -9 of each rank in turn: all end, the checkpoint stays, and other numbers of ranks go on with it.
    void aKilledRankEndsAll_data() {
        QTest::addColumn<int>("victim");
        QTest::addColumn<int>("resumedOn");
        QTest::addRow("rank 0, on 2") << 0 << 2;
        QTest::addRow("rank 1, on 3") << 1 << 3;
        QTest::addRow("rank 2, on 1") << 2 << 1;
    }
    void aKilledRankEndsAll() {
        QFETCH(int, victim);
        QFETCH(int, resumedOn);
        const QString library = QString("killed%1.sqlite").arg(victim);
        RunningRanks ranks(3, run(library, m_long), folder());
        QVERIFY(ranks.waitForWindow(20));
        QElapsedTimer watch;
        watch.start();
        const pid_t process = ranks.process(victim);
        QVERIFY(process > 0);
        ::kill(process, SIGKILL);
        const Ended ended = ranks.finish(60'000);
        QVERIFY2(ended.exitCode != 0 && ended.exitCode != -1, qPrintable(ended.all()));
        QVERIFY2(watch.elapsed() < 30'000, qPrintable(QString::number(watch.elapsed())));
        qInfo("ended after %lld ms", watch.elapsed());
        if (victim != 0) {
            QVERIFY2(ended.errors.contains(QString("Rank %1 (").arg(victim)), qPrintable(ended.errors));
            QVERIFY2(ended.errors.contains("Its log ends with"), qPrintable(ended.errors));
            QVERIFY2(ended.output.contains("run.saves-alone"), qPrintable(ended.all()));
        }
        goesOn(library, resumedOn);
    }

    /// mpirun waits for seconds where a rank ends with anything but 0. Who follows the events knows how it ended.
    void ranksThatAreFollowedEndWithZero() {
        QStringList missing{"run",   "ranks.toml",         "--library", "none.sqlite",
                            "--set", "data.dataset=mnist", "--set",     "data.path=/nowhere"};
        QCOMPARE(runRanks(2, missing, folder()).exitCode, 3);
        const Ended followed = runRanks(2, missing << "--events", folder());
        QVERIFY2(followed.exitCode == 0 && followed.output.contains("data.missing"), qPrintable(followed.all()));
        const QByteArray stopsAtOnce = QByteArray(experiment) + "---\nstop\n";
        const Ended stopped = runRanks(2, QStringList{"run", "-", "--events", "--library", "none.sqlite"} + m_long,
                                       folder(), stopsAtOnce);
        QVERIFY2(stopped.exitCode == 0 && stopped.output.contains("\"stopped\":true"), qPrintable(stopped.all()));
    }

    void aRankThatHangsEndsAll() {
        RunningRanks ranks(3, run("hangs.sqlite", m_long), folder());
        QVERIFY(ranks.waitForWindow(20));
        const pid_t process = ranks.process(1);
        QVERIFY(process > 0);
        QElapsedTimer watch;
        watch.start();
        ::kill(process, SIGSTOP);
        const Ended ended = ranks.finish(60'000);
        QVERIFY2(ended.exitCode != 0 && ended.exitCode != -1, qPrintable(ended.all()));
        QVERIFY(watch.elapsed() < 30'000);
        qInfo("ended after %lld ms", watch.elapsed());
        QVERIFY2(ended.errors.contains("Rank 1"), qPrintable(ended.all()));
        goesOn("hangs.sqlite", 2);
    }

    void ranksThatDifferDoNotStart() {
        QVERIFY(writeText(folder(), "other.toml", QString(experiment).replace("micro = 8", "micro = 16")));
        const QString cli = programPath("accumulus-cli");
        RunningRanks ranks({"-n", "1", cli, "run", "ranks.toml", "--library", "differ.sqlite", ":", "-n", "1", cli,
                            "run", "other.toml", "--library", "differ.sqlite"},
                           folder());
        const Ended ended = ranks.finish();
        QCOMPARE(ended.exitCode, 2);
        QVERIFY2(ended.errors.contains("batch.micro = 16"), qPrintable(ended.all()));
    }

    /// The same settings, but other data at the same relative path.
    void ranksWithOtherDataDoNotStart() {
        const QString cli = programPath("accumulus-cli");
        QStringList mpirun;
        for (const QString& machine : {QString("machine-a"), QString("machine-b")}) {
            QVERIFY(QDir(folder()).mkpath(machine));
            QVERIFY(writeText(folder() + '/' + machine, "text.txt",
                              QString("to be, or not to be: that is the question of %1\n").arg(machine).repeated(40)));
            QVERIFY(writeText(folder() + '/' + machine, "text.toml",
                              "[data]\ndataset = \"tinyshakespeare\"\nblock = 8\n[model]\nname = "
                              "\"char-gpt\"\nlayers = 1\nheads = 1\nwidth = 8\n[batch]\neffective = 8\nmicro = 4\n"));
            mpirun << (mpirun.isEmpty() ? QStringList() : QStringList{":"})
                   << QStringList{"-n",
                                  "1",
                                  "--wdir",
                                  folder() + '/' + machine,
                                  cli,
                                  "run",
                                  "text.toml",
                                  "--library",
                                  folder() + "/data.sqlite",
                                  "--set",
                                  "data.path=text.txt"}; // starts at each rank's working directory
        }
        const Ended ended = RunningRanks(mpirun, folder()).finish();
        QCOMPARE(ended.exitCode, 2);
        QVERIFY2(ended.errors.contains("Rank 1 cannot join: its data set differs"), qPrintable(ended.all()));
    }

    void anotherNumberOfDevicesIsRefused() {
        const Ended ended = runRanks(2, run("devices.sqlite", {"--set", "batch.devices=4"}), folder());
        QCOMPARE(ended.exitCode, 2);
        QVERIFY2(ended.errors.contains("batch.devices = 4, but 2 ranks were started"), qPrintable(ended.all()));
    }

    void stopsLeaveAResumableRun_data() {
        QTest::addColumn<int>("number");
        QTest::addRow("SIGUSR1") << SIGUSR1;
        QTest::addRow("Ctrl+C") << SIGINT;
    }
    void stopsLeaveAResumableRun() {
        QFETCH(int, number);
        const QString library = QString("stopped%1.sqlite").arg(number);
        RunningRanks ranks(2, run(library, m_long), folder());
        QVERIFY(ranks.waitForWindow(20));
        ranks.signal(number);
        const Ended ended = ranks.finish();
        QVERIFY2(ended.exitCode != 0 && ended.exitCode != -1, qPrintable(ended.all()));
        if (number == SIGUSR1)
            QCOMPARE(ended.exitCode, 130);
        goesOn(library, 2);
    }

    /// Weights and momentum in fp64 are 4.3 MB, more than the disk.
    void aFullDiskOfTheFirstRankIsWaitedFor() {
        const QString disk = folder() + "/disk";
        QVERIFY(QDir().mkpath(disk));
        if (::mount("tmpfs", disk.toUtf8().constData(), "tmpfs", 0, "size=4m") != 0)
            QSKIP("only root can make a small disk");
        RunningRanks ranks(2, run("disk/full.sqlite"), folder());
        const bool told = ranks.waitForNote("checkpoint.disk-full");
        QTest::qWait(7000); // longer than a rank may be silent
        const bool grown = ::mount("tmpfs", disk.toUtf8().constData(), "tmpfs", MS_REMOUNT, "size=200m") == 0;
        const Ended ended = ranks.finish();
        ::umount2(disk.toUtf8().constData(), MNT_DETACH);
        QVERIFY(grown);
        QVERIFY2(told, qPrintable(ended.all()));
        QVERIFY2(ended.exitCode == 0, qPrintable(ended.all()));
        QCOMPARE(ended.event("run-finished")["weights_hash"].toString(), m_hash);
    }

private:
    /// To its end it is the run that was never interrupted.
    void goesOn(const QString& library, int ranks) {
        const QString id = onlyRun(library);
        QVERIFY(!id.isEmpty());
        const Ended ended = runRanks(ranks, {"resume", id, "--json", "--library", library}, folder());
        QVERIFY2(ended.exitCode == 0, qPrintable(ended.all()));
        QCOMPARE(ended.event("run-finished")["updates"].toInt(), longUpdates);
        QCOMPARE(ended.event("run-finished")["weights_hash"].toString(), m_longHash);
        const CliResult verified = runCli({"verify", id, "--library", library}, folder());
        QVERIFY2(verified.exitCode == 0, qPrintable(verified.all()));
    }
};

QTEST_GUILESS_MAIN(TestCliRanks)
} // namespace test_cli_ranks
#include "test_cli_ranks.moc"
