// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that another program starts and follows: the whole stream of events, commands on standard input, and what
// becomes of the run when either side is gone.
#include "core/base/clock.h"
#include "core/launch/event_stream.h"
#include "core/launch/launched_study.h"
#include "core/store/run_reader.h"
#include "core/store/run_store.h"
#include "tests/support/far_studies.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <thread>

namespace test_launched_ranks {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr int limitMilliseconds = 300'000; // only ends a test that hangs

/// A program that is followed by its events.
class Launched {
public:
    Launched(const QString& folder, const QStringList& arguments) {
        m_process.setWorkingDirectory(folder);
        m_process.setProgram(programPath("accumulus-cli"));
        m_process.setArguments(arguments);
        m_process.start();
    }
    ~Launched() {
        if (m_process.state() != QProcess::NotRunning)
            m_process.kill();
        m_process.waitForFinished();
    }

    void say(const QByteArray& text) {
        m_process.write(text);
        while (m_process.bytesToWrite() > 0 && m_process.waitForBytesWritten(limitMilliseconds)) {
        }
    }
    /// Reads until an event for which `enough` holds; false when there is none, or a line is no event.
    bool waitFor(const std::function<bool(const RunEvent&)>& enough) {
        for (;;) {
            while (m_process.canReadLine()) {
                const auto event = eventOfLine(m_process.readLine().toStdString());
                if (!event) {
                    m_problem = QString::fromStdString(describe(event.error()));
                    return false;
                }
                events.push_back(*event);
                if (enough(*event))
                    return true;
            }
            if (!m_process.waitForReadyRead(limitMilliseconds))
                return false;
        }
    }
    /// Of its own end; the events go on being read.
    int finish() {
        (void)waitFor([](const RunEvent&) { return false; });
        if (m_process.state() != QProcess::NotRunning)
            m_process.waitForFinished(limitMilliseconds);
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    /// As when the program that follows it is killed.
    void leave() {
        m_process.closeReadChannel(QProcess::StandardOutput);
        m_process.closeReadChannel(QProcess::StandardError);
        m_process.closeWriteChannel();
    }
    void kill() { ::kill(static_cast<pid_t>(m_process.processId()), SIGKILL); }
    [[nodiscard]] QString all() {
        return m_problem + QString::fromUtf8(m_process.readAllStandardError()) +
               QString(" %1 events").arg(events.size());
    }

    std::vector<RunEvent> events;

private:
    QProcess m_process;
    QString m_problem;
};

bool isUnderWay(const RunEvent& event) {
    const auto* closed = std::get_if<WindowClosed>(&event);
    return closed && closed->window.update.value_or(0) >= pastCheckpoint;
}
bool isPaused(const RunEvent& event) {
    const auto* changed = std::get_if<RunStateChanged>(&event);
    return changed && changed->state == RunState::Paused;
}
bool isRunning(const RunEvent& event) {
    const auto* changed = std::get_if<RunStateChanged>(&event);
    return changed && changed->state == RunState::Running;
}

} // namespace

class TestLaunchedRanks : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_unbroken; // weights of one process

    [[nodiscard]] QString library(const char* name) const { return m_folder.filePath(QString("%1.sqlite").arg(name)); }
    [[nodiscard]] RunRecord runOf(const char* name) const {
        RunReader reader(Library::open(library(name).toStdString(), Library::Mode::Read).value());
        return reader.runs().value().front();
    }
    [[nodiscard]] QStringList arguments(const char* name) const {
        return {"run", "-", "--ranks", "2", "--events", "--library", library(name)};
    }

private Q_SLOTS:
    void initTestCase() {
        if (!launchingFeatures().launchesRanks)
            QSKIP("there is no mpirun, or this build has no MPI");
        QVERIFY(writeText(m_folder.path(), "one.toml", farExperiment()));
        const CliResult one = runCli({"run", "one.toml", "--json", "--library", library("one")}, m_folder.path());
        QCOMPARE(one.exitCode, 0);
        m_unbroken = one.events("run-finished").back()["weights_hash"].toString();
        QVERIFY(!m_unbroken.isEmpty());
    }

    void everyEventArrives() {
        Launched child(m_folder.path(), arguments("whole"));
        child.say(farExperiment().toUtf8() + "---\nwhat is this\n");
        QCOMPARE(child.finish(), 0);
        QVERIFY2(!child.events.empty(), qPrintable(child.all()));
        QVERIFY(std::holds_alternative<StudyStarted>(child.events.front()));
        const auto* end = std::get_if<StudyFinished>(&child.events.back());
        QVERIFY(end && !end->stopped && !end->error);
        const auto windows = std::ranges::count_if(
            child.events, [](const RunEvent& event) { return std::holds_alternative<WindowClosed>(event); });
        QCOMPARE(windows, farUpdates()); // none is left out
        const RunRecord run = runOf("whole");
        QCOMPARE(run.config.batch.devices, 2);
        QCOMPARE(QString::fromStdString(run.summary.weightsHash), m_unbroken);
        for (const RunEvent& event : child.events)
            if (const auto* finished = std::get_if<RunFinished>(&event))
                QVERIFY(finished->summary == run.summary);
    }

    void pausedResumedAndStopped_data() {
        QTest::addColumn<QByteArray>("stop");
        QTest::newRow("stop") << QByteArray("stop\n");
        QTest::newRow("stop now") << QByteArray("stop-now\n");
    }
    void pausedResumedAndStopped() {
        QFETCH(QByteArray, stop);
        const char* name = QTest::currentDataTag();
        Launched child(m_folder.path(), arguments(name));
        child.say(farExperiment().toUtf8() + "---\n");
        QVERIFY2(child.waitFor(isUnderWay), qPrintable(child.all()));
        child.say("pause\n");
        QVERIFY2(child.waitFor(isPaused), qPrintable(child.all()));
        child.say("resume\n");
        QVERIFY2(child.waitFor(isRunning), qPrintable(child.all()));
        child.say(stop);
        QCOMPARE(child.finish(), 130);
        const RunRecord stopped = runOf(name);
        QCOMPARE(stopped.state, RunState::Stopped);
        QVERIFY(stopped.summary.updates < farUpdates());
        // One process goes on with it.
        const CliResult resumed = runCli(
            {"resume", QString::fromStdString(stopped.id), "--json", "--library", library(name)}, m_folder.path());
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.all()));
        QCOMPARE(QString::fromStdString(runOf(name).summary.weightsHash), m_unbroken);
    }

    // Paused, it would wait for ever for one who has gone.
    void whoFollowsMayLeave_data() {
        QTest::addColumn<bool>("paused");
        QTest::newRow("left") << false;
        QTest::newRow("left paused") << true;
    }
    void whoFollowsMayLeave() {
        QFETCH(bool, paused);
        const char* name = QTest::currentDataTag();
        Launched child(m_folder.path(), arguments(name));
        child.say(farExperiment().toUtf8() + "---\n");
        QVERIFY2(child.waitFor(isUnderWay), qPrintable(child.all()));
        if (paused) {
            child.say("pause\n");
            QVERIFY2(child.waitFor(isPaused), qPrintable(child.all()));
        }
        QVERIFY(isActive(runOf(name).state));
        child.leave();
        child.finish();
        const RunRecord run = runOf(name);
        QCOMPARE(run.state, RunState::Completed);
        QCOMPARE(QString::fromStdString(run.summary.weightsHash), m_unbroken);
    }

    // The launcher's own program, mpirun, or a rank is killed: the library is consistent and the run can be resumed.
    void whatIsKilled_data() {
        QTest::addColumn<bool>("launcher");
        QTest::newRow("launcher") << true;
        QTest::newRow("rank") << false;
    }
    void whatIsKilled() {
        QFETCH(bool, launcher);
        const char* name = QTest::currentDataTag();
        Launched child(m_folder.path(), arguments(name));
        child.say(farExperiment().toUtf8() + "---\n");
        QVERIFY2(child.waitFor(isUnderWay), qPrintable(child.all()));
        const auto owner = static_cast<pid_t>(runOf(name).owner.pid);
        QVERIFY(owner > 1);
        if (launcher)
            child.kill();
        else
            ::kill(owner, SIGKILL);
        const int code = child.finish();
        QVERIFY(code != 0);
        if (!launcher) {
            const auto* end = std::get_if<StudyFinished>(&child.events.back());
            QVERIFY2(end && end->error, qPrintable(child.all()));
            QCOMPARE(end->error->code, std::string("launch.ended"));
            qInfo("%s", describe(*end->error).c_str());
            QCOMPARE(code, static_cast<int>(ErrorKind::Training));
        }
        const Stopwatch stopwatch;
        const auto isGone = [&] {
            RunStore store(Library::open(library(name).toStdString(), Library::Mode::Write).value());
            return store.markInterrupted(unixTime()).has_value() && runOf(name).state == RunState::Interrupted;
        };
        while (!isGone() && stopwatch.seconds() < 60.0) // mpirun takes a moment to end the ranks
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        QCOMPARE(runOf(name).state, RunState::Interrupted);
        const CliResult resumed = runCli(
            {"resume", QString::fromStdString(runOf(name).id), "--json", "--library", library(name)}, m_folder.path());
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.all()));
        QCOMPARE(QString::fromStdString(runOf(name).summary.weightsHash), m_unbroken);
    }

    void errorsComeAsEvents() {
        Launched child(m_folder.path(), arguments("wrong"));
        child.say("[batch]\nmicro = 0\n---\n");
        QCOMPARE(child.finish(), 2);
        QCOMPARE(child.events.size(), std::size_t{1});
        const auto& end = std::get<StudyFinished>(child.events.front());
        QVERIFY(end.study.empty() && end.error && end.error->code == "config.value");
        QCOMPARE(end.error->argument("key"), std::string("batch.micro"));
        // One that only the ranks can find.
        Launched ranks(m_folder.path(), arguments("wrong"));
        ranks.say("[data]\ndataset = \"cifar10\"\npath = \"/nowhere\"\n[model]\nname = \"resnet18\"\n---\n");
        QCOMPARE(ranks.finish(), static_cast<int>(ErrorKind::Data));
        QCOMPARE(std::get<StudyFinished>(ranks.events.back()).error->code, std::string("data.cifar.missing"));
    }

    void withoutMpirun() {
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", "/nowhere");
        const CliResult result =
            runCli({"run", "one.toml", "--ranks", "2", "--library", library("none")}, m_folder.path());
        qputenv("PATH", path);
        QCOMPARE(result.exitCode, static_cast<int>(ErrorKind::Device));
        QVERIFY2(result.errors.contains("there is no mpirun"), qPrintable(result.all()));
        QVERIFY2(result.errors.contains("openmpi-bin"), qPrintable(result.all()));
    }
};

QTEST_APPLESS_MAIN(TestLaunchedRanks)
} // namespace test_launched_ranks
#include "test_launched_ranks.moc"
