// SPDX-License-Identifier: GPL-3.0-or-later
// accumulus-cli export and import as scripts see them: what goes out comes in, exit codes say what was wrong, and what
// was wrong changes nothing.
#include "core/store/run_reader.h"
#include "tests/support/cli_program.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

namespace test_cli_import {
using namespace accumulus;
using namespace accumulus::test;

namespace {

const QString experiment = R"(
[data]
dataset = "digits-generated"
train_limit = 192
test_limit = 60
[model]
name = "mlp"
hidden = [16]
[batch]
effective = 64
micro = 16
[train]
length = "2 epochs"
[device]
lanes = 1
threads = 1
)";

QJsonObject objectOf(const CliResult& result) { return QJsonDocument::fromJson(result.output.toUtf8()).object(); }

} // namespace

class TestCliImport : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString m_run;

    [[nodiscard]] CliResult cli(const QStringList& arguments) const { return runCli(arguments, m_folder.path()); }
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] CliResult exported(const QStringList& how) const {
        return cli(QStringList{"export", m_run, "--library", "library.sqlite"} + how);
    }
    /// Losses of the run's windows.
    [[nodiscard]] std::vector<double> losses(const QString& library, const QString& run) const {
        RunReader reader(Library::open(path(library).toStdString(), Library::Mode::Read).value());
        const auto windows = reader.windows(run.toStdString()).value();
        std::vector<double> found;
        for (const WindowRecord& window : windows)
            found.push_back(window.loss);
        return found;
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(!programPath("accumulus-cli").isEmpty(),
                 "accumulus-cli is not built, or ACCUMULUS_TEST_PROGRAMS is not set");
        QVERIFY(writeText(m_folder.path(), "small.toml", experiment));
        const CliResult run = cli({"run", "small.toml", "--library", "library.sqlite", "--json"});
        QVERIFY2(run.exitCode == 0 && run.events("run-finished").size() == 1, qPrintable(run.all()));
        m_run = run.events("run-finished").front()["run"].toString();
    }

    void whatGoesOutComesIn_data() {
        QTest::addColumn<QStringList>("how");
        QTest::addColumn<bool>("floats");
        QTest::newRow("long csv") << QStringList{"--format", "csv", "--out", "long.csv"} << false;
        QTest::newRow("wide csv") << QStringList{"--format", "csv", "--layout", "wide", "--out", "wide.csv"} << false;
        QTest::newRow("json") << QStringList{"--format", "json", "--out", "run.json"} << false;
        QTest::newRow("tensorboard") << QStringList{"--format", "tensorboard", "--out", "board"} << true;
        QTest::newRow("tensorboard by samples")
            << QStringList{"--format", "tensorboard", "--step", "samples", "--out", "by.tfevents"} << true;
    }
    void whatGoesOutComesIn() {
        QFETCH(QStringList, how);
        QFETCH(bool, floats);
        const CliResult out = exported(how);
        QVERIFY2(out.exitCode == 0, qPrintable(out.all()));
        const QString file = out.output.trimmed(); // the file that was written
        QVERIFY2(QFile::exists(path(file)), qPrintable(file));
        const QString library = QString(QTest::currentDataTag()).replace(' ', '-') + ".sqlite";
        const CliResult in = cli({"import", file, "--library", library, "--json"});
        QVERIFY2(in.exitCode == 0, qPrintable(in.all()));
        const QString run = objectOf(in)["imported"].toArray().at(0).toString();
        auto wanted = losses("library.sqlite", m_run);
        QCOMPARE(wanted.size(), std::size_t{6});
        for (double& loss : wanted)
            loss = floats ? double(float(loss)) : loss;
        QVERIFY(losses(library, run) == wanted);
        const CliResult again = cli({"import", file, "--library", library, "--json"});
        QCOMPARE(objectOf(again)["known"].toInt(), 1);
        QVERIFY(objectOf(again)["imported"].toArray().isEmpty());
        const CliResult resumed = cli({"resume", run, "--library", library});
        QVERIFY2(resumed.exitCode == 2, qPrintable(resumed.all())); // imported, and completed besides
        const CliResult verified = cli({"verify", run, "--library", library});
        QVERIFY2(verified.exitCode == 2 && verified.errors.contains("was imported"), qPrintable(verified.all()));
    }

    void librariesAreMerged() {
        const CliResult in = cli({"import", "library.sqlite", "--library", "merged.sqlite"});
        QCOMPARE(in.exitCode, 0);
        QCOMPARE(in.output.trimmed(), m_run);
        QVERIFY2(in.errors.contains("1 run imported."), qPrintable(in.errors));
        QVERIFY(losses("merged.sqlite", m_run) == losses("library.sqlite", m_run));
    }

    void whatIsWrongIsSaidAndChangesNothing_data() {
        QTest::addColumn<QStringList>("files");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("words");
        QTest::newRow("no file") << QStringList{} << 2 << "";
        QTest::newRow("absent") << QStringList{"nowhere.csv"} << 3 << "nowhere.csv";
        QTest::newRow("folder") << QStringList{"."} << 3 << "folder";
        QTest::newRow("other CSV") << QStringList{"other.csv"} << 3 << "line 1";
        QTest::newRow("cut off") << QStringList{"cut.csv"} << 3 << "not copied completely";
        QTest::newRow("no library") << QStringList{"fake.sqlite"} << 5 << "not an Accumulus library";
        QTest::newRow("the good with the bad") << QStringList{"good.csv", "other.csv"} << 3 << "other.csv";
    }
    void whatIsWrongIsSaidAndChangesNothing() {
        QFETCH(QStringList, files);
        QFETCH(int, code);
        QFETCH(QString, words);
        QVERIFY(writeText(m_folder.path(), "other.csv", "a,b\n1,2\n"));
        QVERIFY(writeText(m_folder.path(), "fake.sqlite", "SQLite format 3, as they say"));
        QCOMPARE(exported({"--format", "csv", "--out", "good.csv"}).exitCode, 0);
        QFile good(path("good.csv"));
        QVERIFY(good.open(QIODevice::ReadOnly));
        const QByteArray whole = good.readAll();
        QVERIFY(writeText(m_folder.path(), "cut.csv", QString::fromUtf8(whole.left(whole.size() / 2 + 3))));
        const CliResult result = cli(QStringList{"import"} + files + QStringList{"--library", "bad.sqlite"});
        QCOMPARE(result.exitCode, code);
        QVERIFY2(result.errors.contains(words), qPrintable(result.all()));
        if (code != 2) {
            RunReader reader(Library::open(path("bad.sqlite").toStdString(), Library::Mode::Read).value());
            QVERIFY(reader.runs().value().empty());
        }
    }
};

QTEST_GUILESS_MAIN(TestCliImport)
} // namespace test_cli_import
#include "test_cli_import.moc"
