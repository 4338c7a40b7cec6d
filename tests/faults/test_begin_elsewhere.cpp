// SPDX-License-Identifier: GPL-3.0-or-later
// How a study that is to be trained elsewhere begins, or does not: settings, hosts, libraries, and connections that
// break at the first word.
#include "tests/support/far_studies.h"
#include "tests/support/loopback_host.h"

#include <csignal>
#include <memory>

namespace test_begin_elsewhere {
using namespace accumulus;
using namespace accumulus::test;

class TestBeginElsewhere : public QObject {
    Q_OBJECT

    std::unique_ptr<LoopbackHost> m_host;

private Q_SLOTS:
    void initTestCase() { m_host = std::make_unique<LoopbackHost>(); }
    void cleanupTestCase() { m_host.reset(); }

    // The same default library on both sides would be written by both.
    void bothSidesHaveALibraryOfTheirOwn() {
        const Libraries libraries;
        const CliResult far = runCli({"run", "far.toml", "--on", "", "--json", "--library", libraries.here(), "--set",
                                      "train.length=20 updates"},
                                     libraries.folder.path());
        QVERIFY2(far.exitCode == 0, qPrintable(far.all()));
        QVERIFY(QFile::exists(libraries.folder.filePath("here-jobs.sqlite")));
        QCOMPARE(libraries.run().state, RunState::Completed);
        const CliResult same = runCli({"run", "far.toml", "--on", "", "--json", "--library", libraries.here(),
                                       "--remote-library", libraries.here()},
                                      libraries.folder.path());
        QVERIFY2(same.exitCode == static_cast<int>(ErrorKind::Configuration), qPrintable(same.all()));
        QVERIFY2(same.errors.contains("--remote-library"), qPrintable(same.all()));
        QVERIFY(!QDir(libraries.here() + ".journals").exists());
        QCOMPARE(libraries.cli({"follow"}).exitCode, static_cast<int>(ErrorKind::Library));
    }

    // The connection is lost before the other side has said a word, or right after it: nothing begins, or all of it is
    // found again.
    void lostAtTheBeginning_data() {
        QTest::addColumn<QString>("ssh");
        QTest::addColumn<bool>("begins");
        QTest::newRow("before a word") << "cat >/dev/null & sleep 1; exit 255" << false;
        QTest::newRow("after the greeting")
            << "if mkdir once 2>/dev/null; then eval \"$last\" | head -2; exit 255; fi; eval \"exec $last\"" << true;
        QTest::newRow("greeted by a shell without an end of line")
            << "printf 'Welcome to the far side'; eval \"exec $last\"" << true;
    }
    void lostAtTheBeginning() {
        QFETCH(QString, ssh);
        QFETCH(bool, begins);
        const Libraries libraries;
        const FakeSsh fake(libraries, ssh);
        const CliResult result =
            runCli(libraries.train({"--on", "far"}, {"--set", "train.length=40 updates"}), libraries.folder.path());
        QVERIFY2(result.exitCode == (begins ? 0 : static_cast<int>(ErrorKind::Device)), qPrintable(result.all()));
        QCOMPARE(libraries.cli({"follow"}).exitCode, static_cast<int>(ErrorKind::Library)); // nothing is open
        if (begins)
            QCOMPARE(libraries.run().summary.updates, std::int64_t{40});
        else
            QVERIFY(!QFile::exists(libraries.there()));
    }

    // Who leaves before there was an answer leaves nothing behind that could be followed.
    void leftBeforeTheGreeting() {
        const Libraries libraries;
        const FakeSsh fake(libraries, "exec sleep 600");
        RunningCli child(libraries.train({"--on", "far"}), libraries.folder.path());
        QVERIFY(child.waitUntilItHandles(SIGTERM));
        child.signal(SIGTERM);
        const CliResult left = child.finish();
        QVERIFY2(left.exitCode == 130, qPrintable(left.all()));
        QVERIFY2(left.errors.contains("Nothing was started on far"), qPrintable(left.all()));
        QVERIFY2(!left.errors.contains("goes on"), qPrintable(left.all()));
        QCOMPARE(libraries.cli({"follow"}).exitCode, static_cast<int>(ErrorKind::Library));
    }

    void whatCannotBegin_data() {
        QTest::addColumn<QStringList>("where");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("words");
        const int device = static_cast<int>(ErrorKind::Device);
        QTest::newRow("an option as a host")
            << QStringList{"--on=-oProxyCommand=true"} << 2 << "not a host name that ssh";
        QTest::newRow("no such host") << QStringList{"--on", "nowhere.invalid"} << device
                                      << "nowhere.invalid cannot be reached over ssh";
        QTest::newRow("no program") << QStringList{"--on", LoopbackHost::name(), "--remote-program", "/nowhere/cli"}
                                    << device << "/nowhere/cli cannot be started";
        QTest::newRow("another program") << QStringList{"--on", LoopbackHost::name(), "--remote-program", "/bin/false"}
                                         << static_cast<int>(ErrorKind::Training) << "Nothing was started";
        QTest::newRow("no Slurm") << QStringList{"--slurm", "--set", "train.length=1 updates"} << device
                                  << "There is no sbatch";
    }
    void whatCannotBegin() {
        QFETCH(QStringList, where);
        QFETCH(int, code);
        QFETCH(QString, words);
        if (where.contains(LoopbackHost::name()) && !m_host->problem().isEmpty())
            QSKIP(qPrintable(m_host->problem()));
        const Libraries libraries;
        QStringList arguments = libraries.train({});
        if (where.contains("--remote-program"))
            arguments.remove(arguments.indexOf("--remote-program"), 2);
        const QByteArray path = qgetenv("PATH");
        if (where.contains("--slurm"))
            qputenv("PATH", "/nowhere");
        const CliResult result = runCli(arguments + where, libraries.folder.path());
        qputenv("PATH", path);
        QVERIFY2(result.exitCode == code, qPrintable(result.all()));
        QVERIFY2(result.errors.contains(words), qPrintable(result.all()));
        if (code == 2) // refused before anything is written
            return;
        QVERIFY(Libraries::reader(libraries.here()).runs()->empty());
        QCOMPARE(libraries.cli({"follow"}).exitCode, static_cast<int>(ErrorKind::Library)); // nothing goes on
    }

    // An option that nothing would come of is a slip.
    void optionsThatNeedAPlace_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("words");
        const QString place = "requires --on or --slurm";
        QTest::newRow("library") << QStringList{"run", "far.toml", "--remote-library", "x.sqlite"} << place;
        QTest::newRow("program") << QStringList{"run", "far.toml", "--remote-program", "/bin/false"} << place;
        QTest::newRow("begun there, from here")
            << QStringList{"run", "far.toml", "--events", "--detached", "abc", "--on", "far"} << "--on";
        QTest::newRow("a journal has its own")
            << QStringList{"run", "far.toml", "--events", "--detached", "abc", "--commands", "x"} << "--commands";
        QTest::newRow("here and there") << QStringList{"resume", "abc", "--here", "--on", "far"} << "--here";
    }
    void optionsThatNeedAPlace() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, words);
        const Libraries libraries;
        const CliResult result = libraries.cli(arguments);
        QVERIFY2(result.exitCode == static_cast<int>(ErrorKind::Configuration), qPrintable(result.all()));
        QVERIFY2(result.errors.contains(words), qPrintable(result.all()));
        QVERIFY(!QFile::exists(libraries.here()));
    }

    // A relative path in the file means its folder here, and over there the folder where those who come by ssh begin.
    void relativePathsOfTheFile_data() {
        QTest::addColumn<QString>("host");
        QTest::addColumn<bool>("atTheFile");
        QTest::newRow("this machine") << "" << true;
        QTest::newRow("another") << "far" << false;
    }
    void relativePathsOfTheFile() {
        QFETCH(QString, host);
        QFETCH(bool, atTheFile);
        const Libraries libraries;
        QVERIFY(QDir(libraries.folder.path()).mkpath("apart"));
        QVERIFY(
            writeText(libraries.folder.path(), "apart/far.toml",
                      "[data]\ndataset = \"table\"\npath = \"none.csv\"\ntarget = \"x\"\n[model]\nname = \"mlp\"\n"));
        const FakeSsh fake(libraries, FakeSsh::through());
        QStringList arguments = libraries.train({"--on", host});
        arguments.replaceInStrings("far.toml", "apart/far.toml");
        const CliResult result = runCli(arguments, libraries.folder.path());
        QVERIFY2(result.exitCode == static_cast<int>(ErrorKind::Data), qPrintable(result.all()));
        QVERIFY2(result.errors.contains("no table at " +
                                        libraries.folder.filePath(atTheFile ? "apart/none.csv" : "none.csv")),
                 qPrintable(result.all()));
    }

    // The settings are refused over there, in the same words as here.
    void whatIsRefusedThere() {
        const Libraries libraries;
        const CliResult result =
            runCli(libraries.train({"--on", ""}, {"--set", "data.dataset=cifar10", "--set", "data.path=/nowhere",
                                                  "--set", "model.name=resnet18"}),
                   libraries.folder.path());
        QVERIFY2(result.exitCode == static_cast<int>(ErrorKind::Data), qPrintable(result.all()));
        QVERIFY2(result.errors.contains("/nowhere"), qPrintable(result.all()));
        QCOMPARE(libraries.cli({"follow"}).exitCode, static_cast<int>(ErrorKind::Library));
    }
};

QTEST_APPLESS_MAIN(TestBeginElsewhere)
} // namespace test_begin_elsewhere
#include "test_begin_elsewhere.moc"
