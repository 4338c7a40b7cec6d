// SPDX-License-Identifier: GPL-3.0-or-later
// What a file or standard input asks of who trains, here and elsewhere, while it trains: what is written after its
// beginning, and nothing from before.
#include "tests/support/far_studies.h"

#include <QProcess>

namespace test_cli_commands {
using namespace accumulus;
using namespace accumulus::test;

namespace {

const QStringList asked{"--commands", "asked", "--json"};

bool append(const Libraries& libraries, const QByteArray& text) {
    QFile file(libraries.folder.filePath("asked"));
    return file.open(QFile::Append) && file.write(text) == text.size();
}

RunningCli start(const Libraries& libraries, const QStringList& arguments) {
    return {arguments + asked + QStringList{"--library", libraries.here()}, libraries.folder.path()};
}

} // namespace

class TestCliCommands : public QObject {
    Q_OBJECT

    /// Asked by the file once it is past an update.
    static void stop(RunningCli& child, const Libraries& libraries, std::int64_t update) {
        QVERIFY(child.waitFor([&](const QJsonObject& line) { return isPast(line, static_cast<int>(update)); }));
        QVERIFY(append(libraries, "stop\n"));
        const CliResult stopped = child.finish();
        QVERIFY2(stopped.exitCode == 130, qPrintable(stopped.all()));
        QCOMPARE(libraries.run().state, RunState::Stopped);
        QVERIFY(libraries.run().summary.updates < farUpdates());
    }

private Q_SLOTS:
    void anOldWordIsNotObeyed() {
        const Libraries libraries;
        QVERIFY(append(libraries, "stop-now\nstop\n"));
        {
            auto child = start(libraries, {"run", "far.toml"});
            stop(child, libraries, farUpdates() / 3); // a second: a file is read every 200 ms
        }
        const CliResult resumed = start(libraries, {"resume", libraries.id()}).finish();
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.all()));
        QVERIFY(libraries.hasAllWindows());
    }

    // Unless that is asked for.
    void oldWordsAreObeyedOnRequest() {
        const Libraries libraries;
        QVERIFY(append(libraries, "stop\n"));
        const CliResult stopped = start(libraries, {"run", "far.toml", "--commands-so-far"}).finish();
        QVERIFY2(stopped.exitCode == 130, qPrintable(stopped.all()));
        QCOMPARE(libraries.run().state, RunState::Stopped);
    }

    // Whoever follows hands it on, both times.
    void aFileAsksForWhatIsTrainedElsewhere() {
        const Libraries libraries;
        QVERIFY(append(libraries, "stop\n"));
        {
            RunningCli child(libraries.train({"--on", ""}, {"--commands", "asked"}), libraries.folder.path());
            stop(child, libraries, 50);
        }
        auto resumed = start(libraries, {"resume", libraries.id()});
        stop(resumed, libraries, libraries.run().summary.updates + 30);
        QCOMPARE(libraries.run().attempt, std::int64_t{2});
    }

    void standardInputAsksForWhatIsTrainedElsewhere() {
        const Libraries libraries;
        QStringList arguments = libraries.train({"--on", ""});
        arguments.replaceInStrings("far.toml", "-");
        QProcess cli;
        cli.setWorkingDirectory(libraries.folder.path());
        cli.start(programPath("accumulus-cli"), arguments);
        cli.write(farExperiment().toUtf8() + "---\n");
        QByteArray output;
        while (!output.contains("\"event\":\"window\"") && cli.waitForReadyRead(120'000))
            output += cli.readAllStandardOutput();
        cli.write("stop\n");
        QVERIFY(cli.waitForFinished(120'000));
        QVERIFY2(cli.exitCode() == 130, cli.readAllStandardError().constData());
        QCOMPARE(libraries.run().state, RunState::Stopped);
    }
};

QTEST_APPLESS_MAIN(TestCliCommands)
} // namespace test_cli_commands
#include "test_cli_commands.moc"
