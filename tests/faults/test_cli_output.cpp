// SPDX-License-Identifier: GPL-3.0-or-later
// What accumulus-cli prints and writes: numbers that agree in the library, in JSON and in exported files, and
// outputs that cannot be written, are lost or that nobody reads to the end.
#include "core/base/measured_values.h"
#include "core/config/config_fields.h"
#include "core/store/run_reader.h"
#include "tests/faults/cli_studies.h"
#include "tests/support/cli_program.h"
#include "tests/support/numeric.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace test_cli_output {
using namespace accumulus;
using namespace accumulus::test;

namespace {

QString fileText(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class TestCliOutput : public QObject, protected CliStudies {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { trainStudies(); }

    /// A4: 8 updates, 64 micro-steps and 2 000 samples, in JSON, database and CSV alike.
    void countsAgreeEverywhere() {
        const QJsonObject finished = m_run.events("run-finished").front();
        QCOMPARE(finished["updates"].toInt(), 8);
        QCOMPARE(finished["micro_steps"].toInt(), 64);
        QCOMPARE(finished["samples"].toInt(), 2000);

        auto reader = readerOf(path("library.sqlite"));
        QVERIFY(reader);
        const auto run = reader->run(runId().toStdString());
        QVERIFY(run && run->state == RunState::Completed);
        QCOMPARE(run->summary.updates, 8);
        QCOMPARE(run->summary.microSteps, 64);
        QCOMPARE(run->summary.samples, 2000);
        const auto windows = reader->windows(run->id);
        QVERIFY(windows);
        QCOMPARE(windows->size(), std::size_t{8});
        QCOMPARE(windows->back().samples, 2000);
        std::int64_t recorded = 0;
        for (const WindowRecord& window : *windows)
            recorded += window.microSteps;
        QCOMPARE(recorded, 64);

        QCOMPARE(
            cli({"export", runId(), "--library", "library.sqlite", "--format", "csv", "--out", "run.csv"}).exitCode, 0);
        const QStringList lines = fileText(path("run.csv")).split('\n', Qt::SkipEmptyParts);
        const QStringList header = lines.first().split(',');
        int updates = 0, microSteps = 0, samples = 0;
        for (const QString& line : lines.mid(1)) {
            const QStringList cells = line.split(',');
            QCOMPARE(cells.size(), header.size());
            if (cells[0] != "window")
                continue;
            updates = cells[header.indexOf("update")].toInt();
            microSteps += cells[header.indexOf("micro_steps")].toInt();
            samples = cells[header.indexOf("samples")].toInt();
        }
        QCOMPARE(updates, 8);
        QCOMPARE(microSteps, 64);
        QCOMPARE(samples, 2000);
    }

    /// What an event says of a window or an evaluation is what the export says, member by member.
    void eventsAndExportsSayTheSame() {
        QCOMPARE(
            cli({"export", runId(), "--library", "library.sqlite", "--format", "json", "--out", "run.json"}).exitCode,
            0);
        const QJsonObject exported = QJsonDocument::fromJson(fileText(path("run.json")).toUtf8()).object();
        const auto agree = [&](const char* event, const char* rows, const char* key) {
            const auto events = m_run.events(event);
            QVERIFY(!events.empty());
            for (QJsonObject said : events) {
                QCOMPARE(said.take("event").toString(), QString(event));
                QCOMPARE(said.take("run").toString(), runId());
                said.remove("windows_left_out"); // of the stream, not of the window
                bool found = false;
                for (const QJsonValue& row : exported[rows].toArray())
                    if (row.toObject()[key] == said[key]) {
                        QCOMPARE(said, row.toObject());
                        found = true;
                    }
                QVERIFY(found);
            }
        };
        agree("window", "windows", "window");
        agree("evaluation", "evaluations", "update");
        QCOMPARE(m_run.events("window").front()["epoch"].toInt(), 1); // the first epoch is 1 everywhere
        const QString help = cli({"export", "--help"}).output;
        for (const WindowValue& value : windowValues())
            QVERIFY2(help.contains(QString::fromUtf8(value.description.data(), qsizetype(value.description.size()))),
                     value.name.data());
    }

    void jsonLinesHaveTheKeysThatProgramsRead() {
        const std::vector<QJsonObject> lines = m_run.jsonLines();
        QVERIFY(!lines.empty());
        QCOMPARE(lines.front()["event"].toString(), QString("run-started"));
        const QJsonObject finished = m_run.events("run-finished").front();
        const QStringList keys = finished.keys();
        QCOMPARE(QSet<QString>(keys.begin(), keys.end()),
                 (QSet<QString>{"event", "run", "arm", "seed", "updates", "micro_steps", "samples", "test_loss",
                                "test_accuracy", "test_top5", "samples_per_second", "checkpoint", "weights_hash",
                                "training_peak_bytes", "evaluation_peak_bytes", "others_share"}));
        QCOMPARE(finished["arm"].toString(), QString("accumulated"));
        QVERIFY(QFile::exists(QDir(m_folder.path()).filePath(finished["checkpoint"].toString())));
        const double accuracy = finished["test_accuracy"].toDouble(-1.0);
        QVERIFY(accuracy >= 0.0 && accuracy <= 1.0);
        // Thinned, but never without the last one.
        const auto windows = m_run.events("window");
        QVERIFY(!windows.empty());
        QCOMPARE(windows.back()["update"].toInt(), 8);
        const auto evaluations = m_run.events("evaluation");
        QCOMPARE(evaluations.size(), std::size_t{2});
        QVERIFY(compareBits(evaluations.back()["accuracy"].toDouble(), accuracy));
    }

    void logLinesComeEveryNUpdates() {
        const CliResult result = cli({"run", "small.toml", "--library", "log.sqlite", "--log-every", "2"});
        QCOMPARE(result.exitCode, 0);
        const QStringList lines =
            result.output.split('\n').filter(QRegularExpression("^epoch \\d+, update \\d+, loss \\d+\\.\\d{4}$"));
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines.first().startsWith("epoch 1, update 2, "));
        QVERIFY(lines.last().startsWith("epoch 2, update 8, "));
    }

    void reportsAndExportsAreWritten_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("part");
        const QString run = runId();
        QTest::newRow("run") << QStringList{"report", run.left(8), "--library", "library.sqlite"} << "run.html"
                             << "</html>";
        QTest::newRow("study") << QStringList{"report", "Three pairs", "--library", "pairs.sqlite"} << "study.html"
                               << "</html>";
        QTest::newRow("Markdown") << QStringList{"report", "Three pairs", "--library", "pairs.sqlite"} << "study.md"
                                  << "# ";
        QTest::newRow("JSON") << QStringList{"export", run, "--format", "json", "--library", "library.sqlite"}
                              << "run.json" << run;
        const auto weights = [](const char* kind, const QString& id, const char* library) {
            QTest::newRow(kind) << QStringList{"export",       id,   "--format",  "safetensors",
                                               "--checkpoint", kind, "--library", library}
                                << QString("%1.safetensors").arg(kind) << "accumulus.config";
        };
        weights("initial", run, "library.sqlite");
        weights("last", run, "library.sqlite");
        // Chosen on validation samples, which only this study has.
        weights("best", m_pairs.events("run-finished").front()["run"].toString(), "pairs.sqlite");
    }
    void reportsAndExportsAreWritten() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, file);
        QFETCH(QString, part);
        const CliResult result = cli(arguments + QStringList{"--out", file});
        QVERIFY2(result.exitCode == 0, qPrintable(result.all()));
        QVERIFY2(fileText(path(file)).contains(part), qPrintable(file));
    }

    /// /dev/full is a disk without room. The work is done all the same.
    void anOutputThatIsLostIsNoSuccess_data() {
        QTest::addColumn<QString>("arguments");
        QTest::newRow("list") << "list --library library.sqlite";
        QTest::newRow("list, JSON") << "list --json --library library.sqlite";
        QTest::newRow("fields") << "fields";
        QTest::newRow("help") << "--help";
        QTest::newRow("help of a verb") << "run --help";
        QTest::newRow("version") << "--version";
        QTest::newRow("export") << "export " + runId() + " --format csv --out full.csv --library library.sqlite";
        QTest::newRow("run") << "run small.toml --library full.sqlite --json --set 'train.length=2 updates'";
    }
    void anOutputThatIsLostIsNoSuccess() {
        QFETCH(QString, arguments);
        for (const char* target : {">/dev/full", ">&-"}) {
            const CliResult lost = shell("\"$cli\" " + arguments + target);
            QVERIFY2(lost.exitCode == 1, qPrintable(lost.all()));
            QVERIFY2(lost.errors.contains("standard output cannot be written"), qPrintable(lost.all()));
        }
        // A reader who has seen enough is no failure, even where the signal for it is switched off.
        const CliResult left = shell("trap '' PIPE; \"$cli\" " + arguments + " | true; exit ${PIPESTATUS[0]}");
        QVERIFY2(left.exitCode == 0, qPrintable(left.all()));
        const CliResult good = shell("\"$cli\" " + arguments + " >/dev/null");
        QVERIFY2(good.exitCode == 0 && !good.errors.contains("standard output"), qPrintable(good.all()));
    }

    void anUnreachableDefaultLibraryIsALibraryError() {
        QVERIFY(QFile::link("circle", path("circle")));
        const CliResult result = shell("XDG_DATA_HOME=\"$PWD/circle\" \"$cli\" list");
        QVERIFY2(result.exitCode == 5, qPrintable(result.all()));
        QVERIFY2(result.errors.contains("circle"), qPrintable(result.all()));
    }

    /// \xE9 is é in Latin-1 and no UTF-8.
    void namesThatAreNotUtf8() {
        const CliResult run = shell(
            "mkdir -p $'donn\\xE9es' && cp small.toml $'exp\\xE9.toml' && cp \"$ACCUMULUS_SOURCE\"/resources/"
            "datasets/mnist/* $'donn\\xE9es' && \"$cli\" run $'exp\\xE9.toml' --library $'bibl\\xE9.sqlite' --json "
            "--set data.dataset=mnist --set $'data.path=donn\\xE9es' --set 'train.length=1 update'");
        QVERIFY2(run.exitCode == 0, qPrintable(run.all()));
        QCOMPARE(run.events("run-finished").size(), std::size_t{1});
        QVERIFY2(!run.all().contains(QChar::ReplacementCharacter), qPrintable(run.all()));
        const QJsonObject finished = run.events("run-finished").front();
        QVERIFY2(finished["checkpoint"].toString().contains("bibl\\xE9.sqlite.files"), qPrintable(run.all()));
        // The settings in the library still name the folder: the checkpoint is loaded and evaluated on its data.
        const QString id = finished["run"].toString();
        const CliResult verified = shell("\"$cli\" verify " + id + " --library $'bibl\\xE9.sqlite'");
        QVERIFY2(verified.exitCode == 0, qPrintable(verified.all()));
        QVERIFY2(!verified.all().contains(QChar::ReplacementCharacter), qPrintable(verified.all()));
        const CliResult exported =
            shell("\"$cli\" export " + id +
                  " --format csv --library $'bibl\\xE9.sqlite' --out $'caf\\xE9.csv' && test -s $'caf\\xE9.csv'");
        QVERIFY2(exported.exitCode == 0, qPrintable(exported.all()));
        QCOMPARE(exported.output.trimmed(), QString("caf\\xE9.csv"));
        const CliResult list = shell("\"$cli\" list --library $'bibl\\xE9.sqlite' --json");
        QCOMPARE(arrayOf(list).first().toObject()["name"].toString().section(',', 0, 0), QString("exp\\xE9"));
        const CliResult missing =
            shell("\"$cli\" run small.toml --library x.sqlite --set data.dataset=mnist --set $'data.path=l\\xE0-bas'");
        QVERIFY2(missing.exitCode == 3 && missing.errors.contains("l\\xE0-bas"), qPrintable(missing.all()));
    }

    /// A link to a descriptor, as /dev/stdout is one.
    void filesCanBeWrittenToStandardOutput() {
        QVERIFY(QFile::link("/proc/self/fd/1", path("stdout")));
        const CliResult result =
            shell("\"$cli\" export " + runId() + " --format csv --out stdout --library library.sqlite | cat");
        QVERIFY2(result.output.contains("window,"), qPrintable(result.all()));
        QVERIFY(QFileInfo(path("stdout")).isSymLink());
    }

    void aReaderWhoLeavesDoesNotStopTheRun() {
        QProcess shell;
        shell.setWorkingDirectory(m_folder.path());
        shell.start("bash",
                    // A reader that is gone before the first line: one that reads it may outlive so short a run.
                    {"-c", "\"$0\" run small.toml --library pipe.sqlite --json | true; exit ${PIPESTATUS[0]}",
                     programPath("accumulus-cli")});
        QVERIFY(shell.waitForFinished(limitMilliseconds));
        const QByteArray errors = shell.readAllStandardError();
        QVERIFY2(shell.exitCode() == 0, errors.constData());
        QVERIFY2(errors.contains("standard output was closed"), errors.constData());
        auto reader = readerOf(path("pipe.sqlite"));
        QVERIFY(reader);
        const auto runs = reader->runs();
        QVERIFY(runs && runs->size() == 1);
        QCOMPARE(runs->front().state, RunState::Completed);
        QCOMPARE(runs->front().summary.updates, 8);
    }
};

QTEST_APPLESS_MAIN(TestCliOutput)
} // namespace test_cli_output
#include "test_cli_output.moc"
