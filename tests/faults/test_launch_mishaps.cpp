// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong beside the training of a launch: disks that are full, starts that fail, copies that are broken off.
#include "tests/support/far_studies.h"

#include <QFileInfo>

#include <cerrno>
#include <csignal>
#include <sys/mount.h>

namespace test_launch_mishaps {
using namespace accumulus;
using namespace accumulus::test;

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QFile::ReadOnly) ? file.readAll() : QByteArray();
}

/// accumulus-cli with its outputs in files.
class CliIntoFiles {
public:
    CliIntoFiles(const Libraries& libraries, const QStringList& arguments, const QString& output)
        : m_errors(libraries.folder.filePath("errors")) {
        m_process.setProgram(programPath("accumulus-cli"));
        m_process.setArguments(arguments);
        m_process.setWorkingDirectory(libraries.folder.path());
        m_process.setStandardOutputFile(output, QFile::Append);
        m_process.setStandardErrorFile(m_errors);
        m_process.start();
    }
    ~CliIntoFiles() {
        m_process.kill();
        m_process.waitForFinished();
    }
    [[nodiscard]] QByteArray errors() const { return contentOf(m_errors); }
    [[nodiscard]] bool waitFor(const char* words) const {
        return eventually([&] { return errors().contains(words); });
    }
    void say(const QByteArray& text) {
        m_process.write(text);
        m_process.closeWriteChannel();
    }
    void interrupt() const { ::kill(static_cast<pid_t>(m_process.processId()), SIGINT); }
    /// -1: it was killed, or does not end.
    int finish() {
        const bool ended = m_process.state() == QProcess::NotRunning || m_process.waitForFinished(120'000);
        return ended && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }

private:
    QString m_errors;
    QProcess m_process;
};

/// A disk of 64 KiB, of which one page is free. Only root can make one.
class FullDisk {
public:
    explicit FullDisk(const QString& place) : m_place(place.toUtf8()) {
        QDir().mkpath(place);
        m_isThere = ::mount("tmpfs", m_place.constData(), "tmpfs", 0, "size=64k") == 0;
        QFile ballast(place + "/ballast");
        while (m_isThere && ballast.open(QFile::Append | QFile::Unbuffered) && ballast.write(QByteArray(4096, 'x')) > 0)
            ballast.close();
        ballast.close();
        ballast.resize(ballast.size() - 4096);
    }
    ~FullDisk() {
        if (m_isThere)
            ::umount2(m_place.constData(), MNT_DETACH);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    [[nodiscard]] bool isThere() const { return m_isThere; }
    [[nodiscard]] bool grow() const {
        return ::mount("tmpfs", m_place.constData(), "tmpfs", MS_REMOUNT, "size=200m") == 0;
    }

private:
    QByteArray m_place;
    bool m_isThere = false;
};

/// Does a process work in this folder?
bool somebodyWorksIn(const QString& folder) {
    for (const QString& process : QDir("/proc").entryList(QDir::Dirs))
        if (QFile::symLinkTarget("/proc/" + process + "/cwd").startsWith(folder))
            return true;
    return false;
}

} // namespace

class TestLaunchMishaps : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // What is appended to a journal waits for room, and no line of it is lost or cut.
    void eventsWaitForRoom() {
        const Libraries libraries;
        const FullDisk disk(libraries.folder.filePath("disk"));
        if (!disk.isThere())
            QSKIP("only root can make a small disk");
        const QString events = libraries.folder.filePath("disk/events");
        CliIntoFiles cli(libraries, {"run", "far.toml", "--events", "--library", libraries.here()}, events);
        QVERIFY2(cli.waitFor("Trying again"), cli.errors().constData());
        QVERIFY(disk.grow());
        const int code = cli.finish();
        QVERIFY2(code == 0, cli.errors().constData());
        CliResult said;
        said.output = QString::fromUtf8(contentOf(events));
        QCOMPARE(said.events("window-closed").size(), static_cast<std::size_t>(farUpdates()));
        QCOMPARE(said.events("study-finished").size(), std::size_t{1});
    }

    // Where there never is room, who wants to stop now is not kept.
    void toStopNowNeedsNoRoom() {
        const Libraries libraries;
        CliIntoFiles cli(libraries, {"run", "far.toml", "--events", "--library", libraries.here()}, "/dev/full");
        QVERIFY2(cli.waitFor("Trying again"), cli.errors().constData());
        cli.interrupt();
        QVERIFY2(cli.waitFor("Press Ctrl+C again to stop now"), cli.errors().constData());
        cli.interrupt();
        const int code = cli.finish();
        QVERIFY2(code == 130, cli.errors().constData());
        QCOMPARE(libraries.run().state, RunState::Stopped);
    }

    // Nobody could reach what trains: it is ended.
    void aTrainerThatCannotBeNotedIsEnded() {
        const Libraries libraries;
        QVERIFY(writeText(libraries.folder.path(), "long.toml", farExperimentOf(20 * farEpochs())));
        const QString journal = libraries.here() + ".journals/abc";
        QVERIFY(QDir().mkpath(journal + "/trainer.json/in the way"));
        CliIntoFiles cli(libraries,
                         {"run", "long.toml", "--events", "--detached", "abc", "--library", libraries.here()},
                         libraries.folder.filePath("output"));
        cli.say("---\nbegin\n");
        const int code = cli.finish();
        QVERIFY2(code == static_cast<int>(ErrorKind::Library), QByteArray::number(code) + cli.errors());
        QVERIFY(!somebodyWorksIn(journal));
    }

    // What goes on alone is what was asked for, and it is called after its file.
    void aDetachedStudyHasItsSettings() {
        const Libraries libraries;
        const auto begin = [&](const QString& setting) {
            CliIntoFiles cli(
                libraries,
                {"run", "far.toml", "--events", "--detached", "abc", "--library", libraries.here(), "--set", setting},
                libraries.folder.filePath("output"));
            cli.say("begin\n");
            return cli.finish();
        };
        QCOMPARE(begin("train.lenght=20 updates"), static_cast<int>(ErrorKind::Configuration));
        QVERIFY(!QDir(libraries.here() + ".journals").exists());
        QCOMPARE(begin("train.length=20 updates"), 0);
        const Journal journal = Journal::of(libraries.here().toStdString(), "abc").value();
        QVERIFY(eventually([&] { return journal.exitCode().has_value(); }));
        QCOMPARE(libraries.run().summary.updates, std::int64_t{20});
        QCOMPARE(Libraries::reader(libraries.here()).study(libraries.run().study)->name, std::string("far"));
    }

    // Weights come alone: others may be gone over there.
    void onlyTheWeightsThatAreExportedAreFetched() {
        const Libraries libraries;
        const CliResult far = runCli(
            libraries.train({"--on", ""}, {"--set", "train.length=70 updates", "--set", "checkpoint.initial=true"}),
            libraries.folder.path());
        QVERIFY2(far.exitCode == 0, qPrintable(far.all()));
        QDir there(libraries.there() + ".files/" + libraries.id());
        const QStringList initial = there.entryList({"initial*.safetensors"});
        QCOMPARE(initial.size(), 1);
        QVERIFY(there.remove(initial.front()));
        const QString file = libraries.folder.filePath("weights.safetensors");
        const QStringList exports{"export", libraries.id(), "--format", "safetensors", "--out", file};
        const CliResult last = libraries.cli(exports + QStringList{"--checkpoint", "last"});
        QVERIFY2(last.exitCode == 0, qPrintable(last.all()));
        const QDir here(libraries.here() + ".files/" + libraries.id());
        const QStringList fetched = here.entryList(QDir::Files);
        QVERIFY2(fetched.size() == 1 && fetched.front().startsWith("last"), qPrintable(fetched.join(' ')));
        QCOMPARE(contentOf(file), contentOf(there.filePath(fetched.front())));
        const CliResult gone = libraries.cli(exports + QStringList{"--checkpoint", "initial"});
        QVERIFY2(gone.exitCode == static_cast<int>(ErrorKind::Library), qPrintable(gone.all()));
        QVERIFY2(gone.errors.contains("cannot be fetched"), qPrintable(gone.all()));
        QCOMPARE(libraries.cli({"fetch", libraries.id()}).exitCode, static_cast<int>(ErrorKind::Library));
        QCOMPARE(here.entryList({"last*.resume"}).size(), 1); // the newest first
    }

    // It is still a run of that place where it does not begin on this one.
    void aRunThatDoesNotBeginHereStaysThere() {
        const Libraries libraries;
        QString table = "a,b,y\n";
        for (int i = 0; i < 1000; ++i)
            table += QString("%1,%2,%3\n").arg(i % 17).arg(i % 23).arg(i % 2);
        QVERIFY(writeText(libraries.folder.path(), "table.csv", table));
        QVERIFY(
            writeText(libraries.folder.path(), "far.toml",
                      farExperiment().replace("\"digits-generated\"\ntrain_limit = 1000\ntest_limit = 100",
                                              "\"table\"\npath = \"table.csv\"\ntarget = \"y\"\nvalidation = 100")));
        RunningCli child(libraries.train({"--on", ""}), libraries.folder.path());
        QVERIFY(child.waitFor([](const QJsonObject& line) { return isPast(line, 50); }));
        child.signal(SIGINT);
        const CliResult stopped = child.finish();
        QVERIFY2(stopped.exitCode == 130, qPrintable(stopped.all()));
        const QString file = libraries.folder.filePath("table.csv");
        QVERIFY(QFile::rename(file, file + ".away"));
        const CliResult failed = libraries.cli({"resume", libraries.id(), "--here"});
        QVERIFY2(failed.exitCode == static_cast<int>(ErrorKind::Data), qPrintable(failed.all()));
        QVERIFY(Libraries::reader(libraries.here()).launchOf(libraries.run())->has_value());
        QVERIFY(QFile::rename(file + ".away", file));
        const CliResult here = libraries.cli({"resume", libraries.id(), "--here"});
        QVERIFY2(here.exitCode == 0, qPrintable(here.all()));
        QVERIFY(!Libraries::reader(libraries.here()).launchOf(libraries.run())->has_value());
    }

    // Ctrl+C ends the copy, too, and leaves no half of a file.
    void aFetchThatIsBrokenOff() {
        const Libraries libraries;
        const FakeSsh fake(libraries, FakeSsh::through());
        const CliResult far =
            runCli(libraries.train({"--on", "far"}, {"--set", "train.length=70 updates"}), libraries.folder.path());
        QVERIFY2(far.exitCode == 0, qPrintable(far.all()));
        QVERIFY(QDir(libraries.folder.path()).mkdir("bin"));
        QVERIFY(writeText(libraries.folder.path(), "bin/scp",
                          "#!/bin/sh\nfor last; do :; done\necho half >\"$last\"\necho $$ >'" +
                              libraries.folder.path() + "/scp.new'\nmv '" + libraries.folder.path() + "/scp.new' '" +
                              libraries.folder.path() + "/scp'\nexec sleep 600\n"));
        QFile::setPermissions(libraries.folder.filePath("bin/scp"), QFile::ReadOwner | QFile::ExeOwner);
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", libraries.folder.filePath("bin").toUtf8() + ":" + path);
        RunningCli fetch({"fetch", libraries.id(), "--library", libraries.here()}, libraries.folder.path());
        const bool copies = eventually([&] { return QFile::exists(libraries.folder.filePath("scp")); });
        qputenv("PATH", path);
        QVERIFY(copies);
        fetch.signal(SIGINT);
        const CliResult broken = fetch.finish();
        QVERIFY2(broken.exitCode == 130, qPrintable(broken.all()));
        const pid_t scp = contentOf(libraries.folder.filePath("scp")).trimmed().toInt();
        QVERIFY(scp > 1);
        QVERIFY(::kill(scp, 0) != 0 && errno == ESRCH);
        QVERIFY(QDir(libraries.here() + ".files/" + libraries.id()).entryList(QDir::Files).isEmpty());
    }

    // A run that has failed, and cannot be resumed there: why it had failed stays known.
    void whyItFailedStays_data() {
        QTest::addColumn<QString>("host");
        QTest::addColumn<QStringList>("options");
        QTest::newRow("no connection") << "far" << QStringList{};
        QTest::newRow("refused there") << "" << QStringList{"--slurm"};
    }
    void whyItFailedStays() {
        QFETCH(QString, host);
        QFETCH(QStringList, options);
        const Libraries libraries;
        {
            const FakeSsh fake(libraries, FakeSsh::through());
            const CliResult far = runCli(
                libraries.train({"--on", host}, {"--set", "optimizer.lr=1000", "--set", "optimizer.momentum=0.99"}),
                libraries.folder.path());
            QVERIFY2(far.exitCode == static_cast<int>(ErrorKind::Training), qPrintable(far.all()));
        }
        const RunRecord failed = libraries.run();
        QCOMPARE(failed.state, RunState::Failed);
        QVERIFY(failed.errorMessage);
        const FakeSsh fake(libraries, "echo 'no route' >&2; exit 255");
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", "/nowhere");
        const CliResult resumed = libraries.cli(QStringList{"resume", libraries.id()} + options);
        qputenv("PATH", path);
        QVERIFY2(resumed.exitCode == static_cast<int>(ErrorKind::Device), qPrintable(resumed.all()));
        QCOMPARE(libraries.run().state, RunState::Failed);
        QCOMPARE(libraries.run().error, failed.error);
        QVERIFY(libraries.run().errorMessage == failed.errorMessage);
    }
};

QTEST_APPLESS_MAIN(TestLaunchMishaps)
} // namespace test_launch_mishaps
#include "test_launch_mishaps.moc"
