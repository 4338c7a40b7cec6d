// SPDX-License-Identifier: GPL-3.0-or-later
// The real program `accumulus`, killed politely while it trains: it saves, quits, and another process goes on.
#include "core/store/run_reader.h"
#include "tests/support/cli_program.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <sys/types.h>

namespace test_workbench_signals {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr int limitMilliseconds = 300'000; // only there to end a test that hangs

/// The workbench on the demo: ten runs of 470 updates, far longer than it is left alone here.
class Demo {
public:
    /// `through`: a program that starts it in its own place.
    explicit Demo(const QString& through = {}) {
        QStringList command{programPath("accumulus"), "--demo", "--library",
                            QString::fromStdString(library().string())};
        if (!through.isEmpty())
            command.prepend(through);
        m_process.setProgram(command.takeFirst());
        m_process.setArguments(command);
        m_process.start();
    }
    ~Demo() {
        if (m_process.state() == QProcess::NotRunning)
            return;
        m_process.kill();
        m_process.waitForFinished();
    }

    [[nodiscard]] std::filesystem::path library() const { return m_folder.filePath("library.sqlite").toStdString(); }
    /// Oldest first; empty as long as there is no library.
    [[nodiscard]] std::vector<RunRecord> runs() const {
        auto opened = Library::open(library(), Library::Mode::Read);
        if (!opened)
            return {};
        auto runs = RunReader(std::move(*opened)).runs().value_or(std::vector<RunRecord>());
        std::ranges::reverse(runs);
        return runs;
    }
    [[nodiscard]] bool isTraining() const {
        const auto known = runs();
        return !known.empty() && known.front().summary.updates > 0;
    }
    /// Signals that arrive together, in whatever order the system chooses.
    void signal(std::initializer_list<int> numbers) {
        const auto pid = static_cast<pid_t>(m_process.processId());
        QVERIFY(pid > 0); // 0 would mean this very test
        ::kill(pid, SIGSTOP);
        for (const int number : numbers)
            ::kill(pid, number);
        ::kill(pid, SIGCONT);
    }
    /// -1: it did not end by itself.
    [[nodiscard]] int exitCode() {
        const bool ended = m_process.state() == QProcess::NotRunning || m_process.waitForFinished(limitMilliseconds);
        return ended && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    [[nodiscard]] QString folder() const { return m_folder.path(); }

private:
    QTemporaryDir m_folder;
    QProcess m_process;
};

} // namespace

class TestWorkbenchSignals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(!programPath("accumulus-cli").isEmpty(),
                 "accumulus-cli is not built, or ACCUMULUS_TEST_PROGRAMS is not set");
        if (programPath("accumulus").isEmpty())
            QSKIP("built without the workbench");
    }

    void oneOrTwoSignalsSaveAndQuit_data() {
        QTest::addColumn<bool>("two");
        QTest::newRow("one: at the update boundary") << false;
        QTest::newRow("two: now") << true;
    }
    void oneOrTwoSignalsSaveAndQuit() {
        QFETCH(bool, two);
        Demo demo;
        QTRY_VERIFY_WITH_TIMEOUT(demo.isTraining(), limitMilliseconds);
        two ? demo.signal({SIGINT, SIGTERM}) : demo.signal({SIGTERM});
        QCOMPARE(demo.exitCode(), 0);
        const auto runs = demo.runs();
        QCOMPARE(runs.size(), std::size_t{10});
        for (const RunRecord& run : runs)
            QVERIFY(run.state == RunState::Stopped && run.owner == RunOwner{});
        const RunRecord& begun = runs.front();
        QVERIFY(begun.summary.updates > 0 && begun.summary.updates < begun.totalUpdates);
        QVERIFY(std::filesystem::exists(begun.summary.checkpoint));
        // What it left is good: the command line takes the checkpoint apart and finds the weights that were recorded.
        const CliResult verified = runCli(
            {"verify", QString::fromStdString(begun.id), "--library", QString::fromStdString(demo.library().string())},
            demo.folder());
        QVERIFY2(verified.exitCode == 0, qPrintable(verified.all()));
    }

    void nohupIsHeeded() {
        Demo demo("nohup");
        QTRY_VERIFY_WITH_TIMEOUT(demo.isTraining(), limitMilliseconds);
        demo.signal({SIGHUP});
        const std::int64_t before = demo.runs().front().summary.updates;
        QTRY_VERIFY_WITH_TIMEOUT(demo.runs().front().summary.updates > before + 50, limitMilliseconds);
        demo.signal({SIGTERM});
        QCOMPARE(demo.exitCode(), 0);
    }

    /// As in the command line: the third leaves at once, and what it leaves behind is known to be interrupted.
    void threeSignalsLeaveAtOnce() {
        Demo demo;
        QTRY_VERIFY_WITH_TIMEOUT(demo.isTraining(), limitMilliseconds);
        demo.signal({SIGINT, SIGTERM, SIGHUP});
        QCOMPARE(demo.exitCode(), 130);
        const auto left = demo.runs();
        QCOMPARE(left.size(), std::size_t{10});
        const auto abandoned =
            std::ranges::count_if(left, [](const RunRecord& run) { return isAbandoned(run, run.heartbeat); });
        QVERIFY(abandoned >= 9); // the one that trained may have been saved before the third came
    }

    void aSignalWithoutTrainingQuits() {
        Demo demo;
        QTRY_VERIFY_WITH_TIMEOUT(demo.isTraining(), limitMilliseconds);
        demo.signal({SIGINT});
        QCOMPARE(demo.exitCode(), 0);
        QProcess idle;
        idle.start(programPath("accumulus"), {"--library", QString::fromStdString(demo.library().string())});
        QVERIFY(idle.waitForStarted());
        // Its window is there as soon as it has read the library: the stopped runs are of no further use to it.
        QTest::qWait(2000);
        QVERIFY(idle.state() == QProcess::Running);
        ::kill(static_cast<pid_t>(idle.processId()), SIGTERM);
        QVERIFY(idle.waitForFinished(limitMilliseconds));
        QCOMPARE(idle.exitStatus(), QProcess::NormalExit);
        QCOMPARE(idle.exitCode(), 0);
    }
};

QTEST_GUILESS_MAIN(TestWorkbenchSignals)
} // namespace test_workbench_signals
#include "test_workbench_signals.moc"
