// SPDX-License-Identifier: GPL-3.0-or-later
// What a shell does to accumulus-cli: nohup, other folders, pipes that do not wait, files that are not there, and
// options that have nothing to say to each other.
#include "core/launch/launch_command.h"
#include "tests/faults/cli_studies.h"
#include "tests/support/cli_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace test_cli_shell {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Starts what trains for long, sends it a signal once it is under way, and prints what became of it.
QString signalled(const QString& before, const QString& options, const QString& signal) {
    return QStringLiteral("%1 \"$cli\" run small.toml --json --set 'train.length=1000000 updates' --set "
                          "'evaluate.every=0 epochs' --set 'checkpoint.every=0 epochs' %2 > under-way.txt & p=$!\n"
                          "for i in $(seq 1200); do grep -q '\"window\"' under-way.txt && break; sleep 0.05; done\n"
                          "kill -%3 $p; sleep 1; kill -0 $p 2>/dev/null && echo trains on\n"
                          "kill -TERM $p 2>/dev/null; wait $p; echo ended with $?\n")
        .arg(before, options, signal);
}

/// What the program writes into a pipe that refuses to wait, read slowly.
QByteArray throughNonBlockingPipe(const QStringList& arguments, int& status) {
    int ends[2]; // NOLINT
    if (pipe2(ends, O_CLOEXEC) != 0)
        return {};
    fcntl(ends[1], F_SETPIPE_SZ, 4096);
    fcntl(ends[1], F_SETFL, O_WRONLY | O_NONBLOCK);
    std::vector<QByteArray> words{programPath("accumulus-cli").toUtf8()};
    for (const QString& argument : arguments)
        words.push_back(argument.toUtf8());
    std::vector<char*> pointers;
    for (QByteArray& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    pid_t process = 0;
    const int begun = posix_spawn(&process, pointers[0], &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    QByteArray all;
    QTest::qWait(500);
    char block[1024]; // NOLINT
    for (ssize_t count = 0; begun == 0 && (count = read(ends[0], block, sizeof block)) > 0; QTest::qWait(2))
        all.append(block, static_cast<qsizetype>(count));
    close(ends[0]);
    if (begun == 0)
        waitpid(process, &status, 0);
    return all;
}

} // namespace

class TestCliShell : public QObject, protected CliStudies {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { trainStudies(); }

    /// Blocked signals come also where they are ignored; the training of a night must not end with the session.
    void nohupIsHeeded() {
        const CliResult kept = shell(signalled("nohup", "--library kept.sqlite 2> /dev/null", "HUP"));
        QVERIFY2(kept.output.contains("trains on"), qPrintable(kept.all()));
        QVERIFY2(kept.output.contains("ended with 130"), qPrintable(kept.all()));
        const CliResult lost = shell(signalled("", "--library lost.sqlite 2> /dev/null", "HUP"));
        QVERIFY2(!lost.output.contains("trains on"), qPrintable(lost.all()));
    }

    /// Those that had not begun, too.
    void aStoppedStudyNamesAllThatIsLeft() {
        const CliResult stopped =
            shell(signalled("",
                            "--library left.sqlite --set 'study.seeds=[0,1]' --set study.large_batch=true --set "
                            "'study.name=two words'",
                            "TERM"));
        static const QRegularExpression resume("accumulus-cli resume [0-9a-f]{8} --library");
        QCOMPARE(stopped.errors.count(resume), 4);
        QVERIFY2(stopped.errors.contains("accumulus-cli compare 'two words' --library"), qPrintable(stopped.errors));
        const CliResult alone = shell(signalled("", "--library alone.sqlite", "TERM"));
        QCOMPARE(alone.errors.count(resume), 1);
        QVERIFY2(!alone.errors.contains("compare"), qPrintable(alone.errors));
    }

    /// What one device leaves idle may be what several cannot do: the run stays as it was.
    void whatRanksCannotDoIsRefusedBeforehand() {
        if (!launchingFeatures().launchesRanks)
            QSKIP("there is no mpirun, or this build has no MPI");
        const CliResult stopped = shell(signalled("",
                                                  "--library lean.sqlite --set batch.lean=true --set "
                                                  "parallel.mode=zero2 2> lean.txt",
                                                  "TERM"));
        QVERIFY2(stopped.output.contains("ended with 130"), qPrintable(stopped.all()));
        const QString run =
            "$(\"$cli\" list --library lean.sqlite --json | grep -o '\"run\": *\"[0-9a-f-]*\"' | cut -d "
            "'\"' -f 4)";
        const CliResult refused = shell("\"$cli\" resume " + run + " --library lean.sqlite --ranks 2");
        QVERIFY2(refused.exitCode == 2 && refused.errors.contains("batch.lean"), qPrintable(refused.all()));
        QVERIFY(shell("\"$cli\" list --library lean.sqlite --json").output.contains("\"stopped\""));
    }

    /// On standard error, whatever standard output is for.
    void whatIsWorthKnowingIsSaid_data() {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("note");
        QTest::newRow("mean of means")
            << "--set loss.normalise=mean-of-means --set batch.ragged=weight --set batch.effective=240"
            << "averaged per micro-batch";
        QTest::newRow("lean lanes") << "--set batch.lean=true --set device.lanes=2"
                                    << "the 2 lanes asked for";
        QTest::newRow("seeds") << "--set study.large_batch=true --set data.test_limit=0"
                               << "needs at least 3 seeds";
        QTest::newRow("ranks") << "--set parallel.mode=zero1"
                               << "parallel.mode = \"zero1\" changes nothing";
        QTest::newRow("none") << "--set optimizer.momentum=0.5"
                              << "";
    }
    void whatIsWorthKnowingIsSaid() {
        QFETCH(QString, settings);
        QFETCH(QString, note);
        for (const QString& form : {QString("--json"), QString()}) {
            const CliResult result = shell("\"$cli\" run small.toml --library notes.sqlite --set 'train.length=1 "
                                           "update' --set batch.tail=drop " +
                                           form + ' ' + settings);
            QVERIFY2(result.exitCode == 0, qPrintable(result.all()));
            QCOMPARE(result.errors.count("Note: "), note.isEmpty() ? 1 : 2);
            QVERIFY2(result.errors.contains("Note: The last window of each epoch has"), qPrintable(result.all()));
            QVERIFY2(result.errors.contains(note), qPrintable(result.all()));
        }
    }

    void settingsWithoutEffectAreTold() {
        const QString idle = " small.toml --library library.sqlite --set loss.class_weights=[1] --set loss.kind=mse";
        for (const char* verb : {"plan --sizes 8", "audit --no-reference"}) {
            const CliResult told = shell("\"$cli\" " + QString(verb) + idle);
            QVERIFY2(told.errors.contains("Note: loss.class_weights = [1.0] changes nothing"), qPrintable(told.all()));
        }
    }

    void optionsWithoutEffectAreRefused_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("says");
        QTest::newRow("checkpoint of a table") << "export RUN --format csv --checkpoint best --out x.csv"
                                               << "--format safetensors";
        QTest::newRow("layout of weights") << "export RUN --format safetensors --layout wide --out x.safetensors"
                                           << "--format csv";
        QTest::newRow("step of JSON") << "export RUN --format json --step samples --out x.json"
                                      << "--format tensorboard";
        QTest::newRow("metric of a run") << "report RUN --metric test-loss --out x.md"
                                         << "single run";
        QTest::newRow("margin of a run") << "report RUN --margin 0.1 --out x.md"
                                         << "single run";
        QTest::newRow("checkpoint of windows") << "noise RUN --checkpoint last"
                                               << "--by-layer";
        QTest::newRow("windows of windows") << "noise RUN --windows 5"
                                            << "--by-layer";
        QTest::newRow("no rank") << "run small.toml --ranks 0"
                                 << "--ranks: 0 is not above 0";
        QTest::newRow("half a rank") << "run small.toml --ranks 1.5"
                                     << "--ranks: 1.5 is no whole number";
        QTest::newRow("no number") << "audit small.toml --tolerance abc"
                                   << "--tolerance: abc is no number";
        QTest::newRow("unknown checkpoint") << "noise RUN --by-layer --checkpoint nonsense"
                                            << "nonsense";
    }
    void optionsWithoutEffectAreRefused() {
        QFETCH(QString, command);
        QFETCH(QString, says);
        const CliResult result = shell("\"$cli\" " + command.replace("RUN", runId()) + " --library library.sqlite");
        QVERIFY2(result.exitCode == 2 && result.errors.contains(says), qPrintable(result.all()));
    }

    void pathsThatWereTypedHoldAnywhere() {
        QByteArray table = "a,b,y\n";
        for (int i = 0; i < 200; ++i)
            table += QByteArray::number(i % 7) + "," + QByteArray::number(i % 5) + (i % 7 > 3 ? ",yes\n" : ",no\n");
        QFile file(path("rows.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(table) == table.size());
        file.close();
        const CliResult there = shell(
            "\"$cli\" run small.toml --library typed.sqlite --set data.dataset=table --set data.path=rows.csv --set "
            "data.target=y --set data.train_limit=0 --set data.validation=40 --set model.name=mlp --set "
            "batch.effective=32 --set batch.micro=8 --set checkpoint.initial=false && mkdir -p below && cd below && "
            "run=$(\"$cli\" "
            "list --library ../typed.sqlite --json | grep -o '\"run\": *\"[0-9a-f-]*\"' | cut -d '\"' -f 4) && "
            "\"$cli\" verify \"$run\" --library ../typed.sqlite && \"$cli\" audit \"$run\" --no-reference --library "
            "../typed.sqlite");
        QVERIFY2(there.exitCode == 0, qPrintable(there.all()));
    }

    void aLibraryThatIsNamedMustOpen() {
        const QString checkpoint = "$(find library.sqlite.files -name '*.safetensors' | head -n 1)";
        QCOMPARE(shell("\"$cli\" verify " + checkpoint + " --library library.sqlite").exitCode, 0);
        QCOMPARE(shell("\"$cli\" verify " + checkpoint + " --library typo.sqlite").exitCode, 5);
        QCOMPARE(
            shell("echo no library > junk.sqlite; \"$cli\" verify " + checkpoint + " --library junk.sqlite").exitCode,
            5);
        const CliResult without = shell("XDG_DATA_HOME=$PWD/nothing \"$cli\" verify " + checkpoint);
        QVERIFY2(without.exitCode == 0, qPrintable(without.all())); // nobody has named one
    }

    void anAuditTakesTheSeedItIsTold() {
        const CliResult told = cli({"audit", "small.toml", "--json", "--no-reference", "--set", "study.seeds=[7]"});
        QVERIFY2(told.output.contains(QRegularExpression("\"seed\": *7[,}]")), qPrintable(told.all()));
        const CliResult both = cli({"audit", "--accumulated", "a", "--reference", "b", "--updates", "5"});
        QCOMPARE(both.exitCode, 2);
        QVERIFY2(both.errors.contains("--updates"), qPrintable(both.errors));
    }

    /// At most ten windows a second are printed, and the others counted.
    void windowsLeftOutAreCounted() {
        const CliResult run =
            cli({"run", "small.toml", "--library", "many.sqlite", "--json", "--set", "train.length=2000 updates",
                 "--set", "evaluate.every=0 epochs", "--set", "model.name=mlp", "--set", "model.hidden=[8]", "--set",
                 "batch.effective=16", "--set", "batch.micro=8", "--set", "checkpoint.every=0 epochs"});
        QVERIFY2(run.exitCode == 0, qPrintable(run.all()));
        int printed = 0, leftOut = 0;
        for (const QJsonObject& window : run.events("window")) {
            ++printed;
            leftOut += window["windows_left_out"].toInt();
        }
        QVERIFY(leftOut > 0);
        QCOMPARE(printed + leftOut, 2000);
    }

    void aPipeThatDoesNotWaitLosesNothing() {
        int status = -1;
        const QByteArray found = throughNonBlockingPipe({"fields"}, status);
        QCOMPARE(status, 0);
        QCOMPARE(QString::fromUtf8(found), cli({"fields"}).output);
        QVERIFY(found.size() > 8192);
    }
};

QTEST_GUILESS_MAIN(TestCliShell)
} // namespace test_cli_shell
#include "test_cli_shell.moc"
