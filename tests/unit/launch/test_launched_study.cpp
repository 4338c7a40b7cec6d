// SPDX-License-Identifier: GPL-3.0-or-later
// The launcher with children of a few lines of shell, which say what a test wants them to say.
#include "core/base/clock.h"
#include "core/config/experiment_file.h"
#include "core/launch/event_stream.h"
#include "core/launch/launched_study.h"
#include "tests/support/study_fixture.h"

#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <future>
#include <thread>
#include <unistd.h>

namespace test_launched_study {
using namespace accumulus;
using namespace accumulus::test;
using namespace std::chrono_literals;

namespace {

/// Reads the experiment into "experiment", then does `script`. Files lie in the folder it runs for.
class Scene {
public:
    [[nodiscard]] std::string path(const std::string& name) const {
        return (fs::path(m_folder.path().toStdString()) / name).string();
    }
    [[nodiscard]] LaunchCommand child(const std::string& script) const {
        LaunchCommand command;
        command.arguments = {"/bin/sh", "-c",
                             "cd \"$1\"; while read -r line; do [ \"$line\" = --- ] && break; echo \"$line\"; "
                             "done > experiment; : > begun; " +
                                 script,
                             "sh", m_folder.path().toStdString()};
        return command;
    }
    /// Lines that the child can print with `cat NAME`.
    void write(const std::string& name, const std::vector<RunEvent>& all) const {
        std::ofstream file(path(name));
        for (const RunEvent& event : all)
            file << eventLine(event) << '\n';
    }
    [[nodiscard]] std::string text(const std::string& name) const {
        std::ifstream file(path(name));
        return {std::istreambuf_iterator<char>(file), {}};
    }
    /// The limit only ends a test that hangs.
    [[nodiscard]] bool eventually(const std::function<bool()>& reached) const {
        const Stopwatch stopwatch;
        while (!reached()) {
            if (stopwatch.seconds() > 60.0)
                return false;
            std::this_thread::sleep_for(5ms);
        }
        return true;
    }
    [[nodiscard]] bool hasBegun() const {
        return eventually([this] { return fs::exists(path("begun")); });
    }

    RunControl control;
    Events events;

    Result<StudyOutcome> launch(const LaunchCommand& command) {
        return launchStudy(smallStudy(), command, control, std::ref(events));
    }
    std::future<Result<StudyOutcome>> inBackground(const LaunchCommand& command) {
        return std::async(std::launch::async, [this, command] { return launch(command); });
    }

private:
    QTemporaryDir m_folder;
};

std::vector<RunEvent> wholeStudy() {
    RunFinished run{"run-1", RunState::Completed, {}, Arm::Accumulated, 1, {}};
    run.summary.weightsHash = "hash";
    return {StudyStarted{{"study-1", "a study", {}, 1.0}, {}}, WindowClosed{"run-1", {}}, run,
            StudyFinished{"study-1", false, {}}};
}

/// What the child writes down of the commands that it gets, up to the one that ends it.
const std::string obeys = "while read -r line; do echo \"$line\" >> commands; [ \"$line\" = stop ] && break; done; "
                          "cat events";

} // namespace

class TestLaunchedStudy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aStudyIsFollowedToItsEnd() {
        Scene scene;
        scene.write("events", wholeStudy());
        const auto outcome = scene.launch(scene.child("cat events; echo bye >&2"));
        REQUIRE(outcome);
        QCOMPARE(outcome->study.name, std::string("a study"));
        QCOMPARE(outcome->runs.size(), std::size_t{1});
        QCOMPARE(outcome->runs[0].summary.weightsHash, std::string("hash"));
        QVERIFY(!outcome->stopped && !outcome->error);
        QCOMPARE(scene.events.all.size(), wholeStudy().size());
        const auto experiment = parseExperiment(scene.text("experiment"), "what the child got");
        REQUIRE(experiment);
        QVERIFY(*experiment == smallStudy());
    }

    void theStudysOwnErrors() {
        Scene scene;
        const Error error{"data.missing", {{"name", "fact.mnist"}}};
        scene.write("of-run", {StudyStarted{}, StudyFinished{"study-1", true, error}});
        const auto ofRun = scene.launch(scene.child("cat of-run; exit 6"));
        REQUIRE(ofRun);
        QVERIFY(ofRun->stopped && ofRun->error == error);
        scene.write("of-study", {StudyFinished{"", false, error}});
        const auto ofStudy = scene.launch(scene.child("cat of-study; exit 3"));
        QVERIFY(!ofStudy && ofStudy.error() == error);
    }

    void aChildThatEndsTooSoon_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("words");
        const QString ended = "The training process ended before its study was complete: ";
        QTest::newRow("killed") << "kill -9 $$" << ended + "signal SIGKILL. It did not say why.";
        QTest::newRow("exit code") << "exit 7" << ended + "exit code 7. It did not say why.";
        QTest::newRow("last words") << "echo one >&2; printf 'out of luck \\n------\\n' >&2; exit 7"
                                    << ended + "exit code 7. Its last output was: out of luck.";
        QTest::newRow("half a line") << "head -c 60 events; kill -9 $$"
                                     << ended + "signal SIGKILL. It did not say why.";
        QTest::newRow("garbage") << "echo 'loading libraries'; exit 0"
                                 << ended + "exit code 0. Its last output was: loading libraries.";
        QTest::newRow("no study") << "head -n 2 events" << ended + "exit code 0. It did not say why.";
        QTest::newRow("binary") << "head -c 300000 /dev/zero; echo; exit 2" << ended + "exit code 2.";
        QTest::newRow("deaf and dumb") << "exec <&- >&- 2>&-; sleep 0.2; exit 9"
                                       << ended + "exit code 9. It did not say why.";
    }
    void aChildThatEndsTooSoon() {
        QFETCH(QString, script);
        QFETCH(QString, words);
        Scene scene;
        scene.write("events", wholeStudy());
        const auto outcome = scene.launch(scene.child(script.toStdString()));
        QVERIFY(!outcome);
        const QString said = QString::fromStdString(describe(outcome.error()));
        QVERIFY2(said.startsWith(words), qPrintable(said));
    }

    // Something is missing then, but the study went on and what came after is not lost.
    void aLineThatIsNoEvent() {
        Scene scene;
        scene.write("events", wholeStudy());
        const auto outcome = scene.launch(scene.child("echo '{\"event\":\"dance\"}'; echo hello; cat events"));
        REQUIRE(outcome);
        QVERIFY(outcome->error);
        QCOMPARE(outcome->error->code, std::string("launch.event"));
        QCOMPARE(scene.events.all.size(), wholeStudy().size());
    }

    void whatIsAskedBecomesCommands() {
        Scene scene;
        scene.write("events", wholeStudy());
        auto outcome = scene.inBackground(scene.child(obeys));
        const auto wrote = [&](const std::string& lines) {
            return scene.eventually([&] { return scene.text("commands") == lines; });
        };
        QVERIFY(scene.hasBegun());
        scene.control.pause();
        QVERIFY(wrote("pause\n"));
        scene.control.resume();
        QVERIFY(wrote("pause\nresume\n"));
        scene.control.pause();
        QVERIFY(wrote("pause\nresume\npause\n"));
        scene.control.stop();
        REQUIRE(outcome.get());
        QCOMPARE(scene.text("commands"), std::string("pause\nresume\npause\nstop\n"));
    }

    void askedBeforeItBegan() {
        Scene scene;
        scene.write("events", wholeStudy());
        scene.control.stop();
        REQUIRE(scene.launch(scene.child(obeys)));
        QCOMPARE(scene.text("commands"), std::string("stop\n"));
    }

    // Mostly it obeys; one that hangs is asked by a signal, then ended.
    void aChildThatDoesNotStop_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("words");
        QTest::newRow("asked") << "exec sleep 300"
                               << "signal SIGTERM";
        QTest::newRow("ended") << "trap '' TERM; sleep 300 & wait; wait"
                               << "signal SIGKILL";
    }
    void aChildThatDoesNotStop() {
        QFETCH(QString, script);
        QFETCH(QString, words);
        Scene scene;
        // A thread that keeps signals for itself, as the command line's do, does not keep them from the child.
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, &before);
        LaunchCommand command = scene.child(script.toStdString());
        command.grace = 100ms;
        auto outcome = scene.inBackground(command);
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        QVERIFY(scene.hasBegun());
        scene.control.stopNow();
        const auto ended = outcome.get();
        QVERIFY(!ended);
        const QString said = QString::fromStdString(describe(ended.error()));
        QVERIFY2(said.contains(words), qPrintable(said));
    }

    void whoInsistsIsHeard() {
        Scene scene;
        scene.write("events", wholeStudy());
        LaunchCommand command = scene.child("read -r a; echo $a > first; read -r b; echo $a $b > both; cat events");
        command.grace = 3600s;
        auto outcome = scene.inBackground(command);
        QVERIFY(scene.hasBegun());
        scene.control.stopNow();
        QVERIFY(scene.eventually([&] { return scene.text("first") == "stop-now\n"; }));
        scene.control.stopNow();
        REQUIRE(outcome.get());
        QCOMPARE(scene.text("both"), std::string("stop-now stop-now\n"));
    }

    void nothingElseIsOpenInTheChild() {
        Scene scene;
        const int leaked = fcntl(STDIN_FILENO, F_DUPFD, 200); // without the flag, as some libraries do
        QVERIFY(leaked >= 200);
        const auto outcome = scene.launch(scene.child("for f in /proc/$$/fd/*; do echo ${f##*/}; done > files"));
        close(leaked);
        QVERIFY(!outcome);
        QVERIFY(scene.text("files").starts_with("0\n1\n"));
        QVERIFY(scene.text("files").find("\n" + std::to_string(leaked) + "\n") == std::string::npos);
    }

    void optionsOfAResumeReachItsRanks() {
        if (!launchingFeatures().launchesRanks)
            QSKIP("There is no mpirun, or no accumulus-cli beside this program.");
        const auto command = mpirunCommand(2, "library", "run-1", {"--take-over", "--other-data"});
        QVERIFY(command);
        for (const char* word : {"run-1", "--take-over", "--other-data"})
            QVERIFY2(std::ranges::find(command->arguments, word) != command->arguments.end(), word);
    }

    void programsThatAreMissing() {
        Scene scene;
        LaunchCommand nothing;
        nothing.arguments = {scene.path("no-such-program")};
        const auto outcome = scene.launch(nothing);
        QVERIFY(!outcome);
        QCOMPARE(outcome.error().code, std::string("launch.start"));

        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", "");
        const auto command = localRanksCommand(2, scene.path("library"));
        const bool launches = launchingFeatures().launchesRanks;
        qputenv("PATH", path);
        QVERIFY(!command);
        QCOMPARE(command.error().code, std::string("launch.no-mpirun"));
        QCOMPARE(errorKind(command.error()), ErrorKind::Device);
        QVERIFY(!launches);
    }
};

QTEST_APPLESS_MAIN(TestLaunchedStudy)
} // namespace test_launched_study
#include "test_launched_study.moc"
