// SPDX-License-Identifier: GPL-3.0-or-later
// accumulus-cli as scripts see it: exit codes, JSON that agrees with the library and the exported files, every verb.
#include "core/base/measured_values.h"
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/store/run_reader.h"
#include "tests/support/cli_program.h"
#include "tests/support/numeric.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace accumulus;
using namespace accumulus::test;

namespace {

/// 1 000 samples, 32 x 8 = 256, 2 epochs: each epoch has 3 full windows and one of 232 samples, in 8 micro-batches as
/// well.
const QString smallExperiment = R"(
[data]
dataset = "digits-generated"
train_limit = 1000
test_limit = 200
[batch]
effective = 256
micro = 32
[train]
length = "2 epochs"
[checkpoint]
initial = true
)";

constexpr int limitMilliseconds = 300'000;

Result<RunReader> readerOf(const QString& library) {
    auto opened = Library::open(library.toStdString(), Library::Mode::Read);
    if (!opened)
        return failure(opened.error());
    return RunReader(std::move(*opened));
}

QString fileText(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QJsonObject objectOf(const CliResult& result) { return QJsonDocument::fromJson(result.output.toUtf8()).object(); }
QJsonArray arrayOf(const CliResult& result) { return QJsonDocument::fromJson(result.output.toUtf8()).array(); }

} // namespace

class TestCli : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    CliResult m_run;   ///< small.toml, in library.sqlite
    CliResult m_pairs; ///< three seeds of both arms, in pairs.sqlite

    [[nodiscard]] CliResult cli(const QStringList& arguments) const { return runCli(arguments, m_folder.path()); }
    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] QString runId() const { return m_run.events("run-finished").front()["run"].toString(); }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(!programPath("accumulus-cli").isEmpty(),
                 "accumulus-cli is not built, or ACCUMULUS_TEST_PROGRAMS is not set");
        QVERIFY(writeText(m_folder.path(), "small.toml", smallExperiment));
        m_run = cli({"run", "small.toml", "--library", "library.sqlite", "--json"});
        QVERIFY2(m_run.exitCode == 0 && m_run.events("run-finished").size() == 1, qPrintable(m_run.all()));
        m_pairs = cli({"run", "small.toml", "--library", "pairs.sqlite", "--json", "--set", "study.seeds=[0, 1, 2]",
                       "--set", "study.large_batch=true", "--set", "data.train_limit=612", "--set",
                       "data.validation=100", "--set", "study.name=Three pairs"});
        QVERIFY2(m_pairs.exitCode == 0 && m_pairs.events("run-finished").size() == 6, qPrintable(m_pairs.all()));
    }

    void withoutAVerbTheHelpIsPrinted() {
        const CliResult result = shell("\"$cli\"");
        QCOMPARE(result.exitCode, 2);
        for (const char* word : {"Usage:", "run", "compare", "VERB --help"})
            QVERIFY2(result.output.contains(word), qPrintable(result.all()));
    }

    void exitCodes_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("words"); // part of what is said on standard error
        const auto row = [](const char* name, int code, const char* words, const QStringList& arguments) {
            QTest::newRow(name) << arguments << code << words;
        };
        const auto with = [](const QStringList& assignments) {
            QStringList arguments{"run", "small.toml", "--library", "x.sqlite"};
            for (const QString& assignment : assignments)
                arguments << "--set" << assignment;
            return arguments;
        };
        // Weights of size 10 and this learning rate overflow within two updates.
        const QStringList breaking{"optimizer.lr=1000", "model.init=normal", "model.init_std=10"};
        row("help", 0, "", {"--help"});
        row("help of a verb", 0, "", {"run", "--help"});
        row("version", 0, "", {"--version"});
        row("no verb", 2, "", {});
        row("unknown verb", 2, "", {"dance"});
        row("unknown option", 2, "", {"run", "small.toml", "--fast"});
        row("file is missing", 2, "", {"run"});
        row("bad format", 2, "", {"export", "abcd", "--format", "xls", "--out", "x"});
        row("no such file", 2, "none.toml", {"run", "none.toml"});
        row("not TOML", 2, "line 2", {"run", "broken.toml"});
        row("unknown key", 2, "batch.micro", with({"batch.mikro=3"}));
        row("no equals sign", 2, "key=value", with({"batch.micro"}));
        row("bad value", 2, "optimizer.lr", with({"optimizer.lr=-1"}));
        row("not a multiple", 2, "256", with({"batch.effective=250"}));
        row("batch beyond the data", 2, "2048", with({"batch.effective=2048"}));
        row("unknown metric", 2, "beauty",
            {"compare", "Three pairs", "--metric", "beauty", "--library", "pairs.sqlite"});
        row("nothing to compare", 2, "compare", {"compare", "--library", "pairs.sqlite"});
        row("half a comparison", 2, "--b", {"compare", "--a", "Three pairs", "--library", "pairs.sqlite"});
        row("no such data", 3, "nowhere", with({"data.dataset=mnist", "data.path=nowhere"}));
        row("damaged data", 3, "damaged", with({"data.dataset=mnist", "data.path=damaged"}));
        row("no such checkpoint", 3, "none.safetensors", {"verify", "none.safetensors", "--library", "library.sqlite"});
        row("not a library", 5, "small.toml", {"list", "--library", "small.toml"});
        row("library that is not there", 5, "none.sqlite", {"list", "--library", "none.sqlite"});
        row("unknown run", 5, "ffffffff", {"report", "ffffffff", "--out", "x.html", "--library", "library.sqlite"});
        row("one arm", 5, "large-batch", {"compare", "small", "--library", "library.sqlite"});
        row("training breaks", 6, "update", with(breaking));
        row("runs of a study break", 6, "2 of 2 runs failed", with(breaking + QStringList{"study.seeds=[0, 1]"}));
    }
    void exitCodes() {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QFETCH(QString, words);
        QVERIFY(writeText(m_folder.path(), "broken.toml", "[data]\ndataset = = 3\n"));
        QVERIFY(QDir(m_folder.path()).mkpath("damaged"));
        for (const char* name :
             {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"})
            QVERIFY(writeText(path("damaged"), name, "this is not an IDX file"));
        const CliResult result = cli(arguments);
        QVERIFY2(result.exitCode == code, qPrintable(result.all()));
        QVERIFY2(result.errors.contains(words), qPrintable(result.all()));
        QVERIFY2(code == 0 || !result.errors.trimmed().isEmpty(), "an error without a word");
    }

    /// 3 GB of address space hold the program, but not the activations of 60 000 images in one micro-batch (LeNet-5's
    /// first convolution alone: 60 000 x 6 x 28 x 28 x 4 bytes = 1.1 GB, its padded input and its activation as much
    /// again).
    void memoryThatRunsOutIsExitCode4() {
        QProcess shell;
        shell.setWorkingDirectory(m_folder.path());
        shell.start(
            "bash",
            {"-c",
             "ulimit -v 3000000; exec \"$0\" run small.toml --library memory.sqlite --set data.train_limit=60000 "
             "--set batch.effective=60000 --set batch.micro=60000 --set device.threads=1 --set device.on_oom=stop",
             programPath("accumulus-cli")});
        QVERIFY(shell.waitForFinished(limitMilliseconds));
        const QByteArray errors = shell.readAllStandardError();
        QVERIFY2(shell.exitStatus() == QProcess::NormalExit && shell.exitCode() == 4, errors.constData());
    }

    void everyFieldOfTheTableIsListed() {
        const CliResult json = cli({"fields", "--json"});
        QCOMPARE(json.exitCode, 0);
        const QJsonArray rows = arrayOf(json);
        QCOMPARE(static_cast<std::size_t>(rows.size()), configFields().size());
        const QString text = cli({"fields"}).output;
        for (qsizetype at = 0; at < rows.size(); ++at) {
            const QJsonObject row = rows[at].toObject();
            const QString key = QString::fromStdString(configFields()[static_cast<std::size_t>(at)].key);
            QCOMPARE(row["key"].toString(), key);
            QVERIFY2(!row["help"].toString().isEmpty() && !row["type"].toString().isEmpty() && row.contains("default"),
                     qPrintable(key));
            QVERIFY2(text.contains(key + " = "), qPrintable(key));
        }
        QCOMPARE(rows.first().toObject()["default"].toString(), QString("mnist"));
    }

    /// An evaluation in chunks of 200 takes more than micro-batches of 32, and is not training.
    void peaksAreToldApart() {
        const QJsonObject finished = m_run.events("run-finished").front();
        const double training = finished["training_peak_bytes"].toDouble();
        const double evaluation = finished["evaluation_peak_bytes"].toDouble();
        QVERIFY(training > 0 && evaluation > 0);
        const QJsonObject listed = arrayOf(cli({"list", "--library", "library.sqlite", "--json"})).first().toObject();
        QCOMPARE(listed["training_peak_bytes"].toDouble(), training);
        QCOMPARE(listed["evaluation_peak_bytes"].toDouble(), evaluation);
    }

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
                                "training_peak_bytes", "evaluation_peak_bytes"}));
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

    void aBrokenRunPrintsNullAndIsRecordedAsFailed() {
        const CliResult broken = cli({"run", "small.toml", "--library", "failed.sqlite", "--json", "--set",
                                      "optimizer.lr=1000", "--set", "model.init=normal", "--set", "model.init_std=10"});
        QCOMPARE(broken.exitCode, 6);
        const auto windows = broken.events("window");
        QVERIFY2(!windows.empty() && windows.back()["loss"].isNull(), qPrintable(broken.all()));
        QCOMPARE(broken.events("run-finished").size(), std::size_t{1});
        const QJsonArray rows = arrayOf(cli({"list", "--json", "--library", "failed.sqlite"}));
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows[0].toObject()["state"].toString(), QString("failed"));
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

    void theLastAssignmentWins() {
        const CliResult result = cli({"run", "small.toml", "--json", "--library", "last.sqlite", "--set",
                                      "train.length=3 epochs", "--set", "train.length=\"1 epoch\""});
        QVERIFY2(result.exitCode == 0, qPrintable(result.all()));
        QCOMPARE(result.events("run-finished").front()["updates"].toInt(), 4);
    }

    // Said, with what to type, and not done.
    void anotherEffectiveBatchSuggestsLearningRates() {
        const QString batch = QStringLiteral("batch.effective=64");
        const CliResult result = cli({"run", "small.toml", "--json", "--library", "lr.sqlite", "--set", batch, "--set",
                                      "train.length=2 updates"});
        QVERIFY2(result.exitCode == 0, qPrintable(result.all()));
        QVERIFY(result.errors.contains("The learning rate was tuned for batch 256; the batch is now 64."));
        QVERIFY2(result.errors.contains("Linear: 0.0025"), qPrintable(result.errors));
        QVERIFY2(result.errors.contains("--set optimizer.lr=0.0025\n"), qPrintable(result.errors));
        QVERIFY2(result.errors.contains("--set optimizer.lr=0.005\n"), qPrintable(result.errors));
        for (const QJsonObject& window : result.events("window"))
            QVERIFY(compareBits(window["lr"].toDouble(), 0.01));
        const CliResult ramp = cli({"run", "small.toml", "--json", "--library", "lr.sqlite", "--set",
                                    "batch.ramp=[[2, 512]]", "--set", "train.length=2 updates"});
        QVERIFY(ramp.errors.contains("The learning rate was tuned for batch 256; the batch is now 512."));
        QVERIFY(!m_run.errors.contains("tuned for batch"));
        const CliResult chosen = cli({"run", "small.toml", "--json", "--library", "lr.sqlite", "--set", batch, "--set",
                                      "optimizer.lr=0.0025", "--set", "train.length=2 updates"});
        QVERIFY(!chosen.errors.contains("tuned for batch"));
    }

    /// What "Copy as command" puts into the clipboard runs when it is pasted into a shell, and gives the same run.
    void aCopiedCommandRuns_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("study"); // what the library calls it
        QTest::newRow("without a name") << ""
                                        << "mlp on digits-generated, B = 64";
        QTest::newRow("a name for shells to stumble over") << "it's \"mine\" $HOME; exit 3"
                                                           << "it's \"mine\" $HOME; exit 3";
    }
    void aCopiedCommandRuns() {
        QFETCH(QString, name);
        QFETCH(QString, study);
        ExperimentConfig experiment;
        for (const char* assignment :
             {"data.dataset=digits-generated", "data.train_limit=128", "data.test_limit=50", "model.name=mlp",
              "batch.effective=64", "batch.micro=16", "train.length=3 updates", "study.seeds=[7]"})
            QVERIFY(applyAssignment(experiment, assignment));
        experiment.study.name = name.toStdString();
        QProcess shell;
        shell.setWorkingDirectory(m_folder.path());
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", qEnvironmentVariable("ACCUMULUS_TEST_PROGRAMS") + ":" + environment.value("PATH"));
        environment.insert("XDG_DATA_HOME", path(QTest::currentDataTag())); // the default library lies there
        shell.setProcessEnvironment(environment);
        shell.start("/bin/sh", {"-c", QString::fromStdString(commandLine(experiment))});
        QVERIFY(shell.waitForFinished(limitMilliseconds));
        const QByteArray said = shell.readAllStandardOutput() + shell.readAllStandardError();
        QVERIFY2(shell.exitStatus() == QProcess::NormalExit && shell.exitCode() == 0, said.constData());
        auto reader = readerOf(path(QString(QTest::currentDataTag()) + "/accumulus/library.sqlite"));
        QVERIFY(reader);
        const auto runs = reader->runs();
        const auto studies = reader->studies();
        QVERIFY(runs && studies);
        QCOMPARE(runs->size(), std::size_t{1});
        QVERIFY(runs->front().config == experiment.run);
        QCOMPARE(runs->front().seed, 7);
        QCOMPARE(runs->front().summary.updates, 3);
        QCOMPARE(QString::fromStdString(studies->front().name), study);
    }

    void aStudyWithBothArmsEndsWithAVerdict() {
        const auto verdicts = m_pairs.events("verdict");
        QCOMPARE(verdicts.size(), std::size_t{1});
        QCOMPARE(verdicts.front()["pairs"].toArray().size(), 3);
        for (const QJsonObject& run : m_pairs.events("run-finished")) {
            QCOMPARE(run["updates"].toInt(), 4);
            QCOMPARE(run["micro_steps"].toInt(), run["arm"] == "accumulated" ? 32 : 4);
        }
    }

    void compareAgreesInAllItsForms() {
        QStringList a, b;
        for (const QJsonObject& run : m_pairs.events("run-finished"))
            (run["arm"] == "accumulated" ? a : b) << run["run"].toString();
        const QStringList common{"--json", "--library", "pairs.sqlite"};
        const CliResult byStudy = cli(QStringList{"compare", "Three pairs"} + common);
        const CliResult byGroups = cli(QStringList{"compare", "--a"} + a + QStringList{"--b"} + b + common);
        QVERIFY2(byStudy.exitCode == 0, qPrintable(byStudy.all()));
        QVERIFY2(byGroups.exitCode == 0, qPrintable(byGroups.all()));
        QVERIFY(!objectOf(byStudy)["verdict"].toString().isEmpty());
        QCOMPARE(objectOf(byGroups)["pairs"], objectOf(byStudy)["pairs"]);
        QCOMPARE(objectOf(byGroups)["sentence"], objectOf(byStudy)["sentence"]);
        const CliResult byRuns = cli(QStringList{"compare", a.first().left(8), b.first().left(8)} + common);
        QCOMPARE(objectOf(byRuns)["pairs"].toArray().size(), 1);
        const CliResult text = cli({"compare", "Three pairs", "--library", "pairs.sqlite"});
        QVERIFY2(text.output.contains(objectOf(byStudy)["headline"].toString()), qPrintable(text.all()));
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

    void bestWeightsNeedValidationSamples() {
        const CliResult none = cli({"export", runId(), "--library", "library.sqlite", "--format", "safetensors",
                                    "--checkpoint", "best", "--out", "none.safetensors"});
        QCOMPARE(none.exitCode, 5);
        QVERIFY2(none.all().contains("data.validation"), qPrintable(none.all()));
        QVERIFY(!QFile::exists(path("none.safetensors")));
        QVERIFY(cli({"export", "--help"}).output.contains("data.validation"));
    }

    void verifyTrustsOnlyWhatAgrees() {
        const CliResult good = cli({"verify", runId(), "--library", "library.sqlite", "--json"});
        QVERIFY2(good.exitCode == 0, qPrintable(good.all()));
        QVERIFY(objectOf(good)["agrees"].toBool());
        QCOMPARE(objectOf(good)["weights_hash"], m_run.events("run-finished").front()["weights_hash"]);

        // One bit of the last weight.
        QFile weights(QDir(m_folder.path()).filePath(m_run.events("run-finished").front()["checkpoint"].toString()));
        QVERIFY(weights.copy(path("altered.safetensors")));
        QFile altered(path("altered.safetensors"));
        QVERIFY(altered.open(QIODevice::ReadWrite));
        const QByteArray bytes = altered.readAll();
        altered.seek(bytes.size() - 1);
        altered.putChar(static_cast<char>(bytes.back() ^ 1));
        altered.close();
        const CliResult bad = cli({"verify", "altered.safetensors", "--library", "library.sqlite"});
        QVERIFY2(bad.exitCode == 5 && bad.errors.contains("altered.safetensors"), qPrintable(bad.all()));
    }

    void listWithoutALibraryIsNoError() {
        const CliResult result = cli({"list", "--json"});
        QCOMPARE(result.exitCode, 0);
        QCOMPARE(result.output.trimmed(), QString("[]"));
    }

    /// Through a shell, where `script` finds the program as "$cli".
    [[nodiscard]] CliResult shell(const QString& script) const {
        QProcess process;
        process.setWorkingDirectory(m_folder.path());
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("cli", programPath("accumulus-cli"));
        process.setProcessEnvironment(environment);
        process.start("bash", {"-c", script});
        CliResult result;
        if (process.waitForFinished(limitMilliseconds) && process.exitStatus() == QProcess::NormalExit)
            result.exitCode = process.exitCode();
        result.output = QString::fromUtf8(process.readAllStandardOutput());
        result.errors = QString::fromUtf8(process.readAllStandardError());
        return result;
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

QTEST_APPLESS_MAIN(TestCli)
#include "test_cli.moc"
