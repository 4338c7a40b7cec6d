// SPDX-License-Identifier: GPL-3.0-or-later
// accumulus-cli as scripts see it: exit codes, every verb, and what it refuses.
#include "core/config/config_fields.h"
#include "core/config/experiment_file.h"
#include "core/store/run_reader.h"
#include "tests/faults/cli_studies.h"
#include "tests/support/cli_program.h"
#include "tests/support/numeric.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTest>

namespace test_cli {
using namespace accumulus;
using namespace accumulus::test;

namespace {

QJsonObject objectOf(const CliResult& result) { return QJsonDocument::fromJson(result.output.toUtf8()).object(); }

} // namespace

class TestCli : public QObject, protected CliStudies {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { trainStudies(); }

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

    /// 2 GB of address space hold the program, but not the activations of 60 000 images in one micro-batch (LeNet-5's
    /// first convolution alone: 60 000 x 6 x 28 x 28 x 4 bytes = 1.1 GB).
    void memoryThatRunsOutIsExitCode4() {
        QProcess shell;
        shell.setWorkingDirectory(m_folder.path());
        shell.start(
            "bash",
            {"-c",
             "ulimit -v 2000000; exec \"$0\" run small.toml --library memory.sqlite --set data.train_limit=60000 "
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

    void oneFieldIsListedWithItsDetails() {
        const QString all = cli({"fields"}).output;
        const CliResult one = cli({"fields", "optimizer.momentum"});
        QCOMPARE(one.exitCode, 0);
        const std::string details = findField("optimizer.momentum")->details;
        QVERIFY(!details.empty() && !all.contains(QString::fromStdString(details)));
        QVERIFY2(one.output.startsWith("optimizer.momentum = ") && one.output.contains(QString::fromStdString(details)),
                 qPrintable(one.output));
        QVERIFY2(one.output.contains("depends on optimizer.name."), qPrintable(one.output));
        QVERIFY(!one.output.contains("optimizer.name = "));
        const QJsonArray json = arrayOf(cli({"fields", "optimizer.momentum", "--json"}));
        QVERIFY(json.size() == 1 && json[0].toObject()["details"].toString() == QString::fromStdString(details));
        const CliResult section = cli({"fields", "batch"});
        QVERIFY2(section.exitCode == 0 && section.output.startsWith("[batch]\nbatch.effective = "),
                 qPrintable(section.all()));
        QVERIFY(!section.output.contains("\n[") && !section.output.contains("data.path"));
        const CliResult unknown = cli({"fields", "lr"});
        QVERIFY2(unknown.exitCode == 2 && unknown.errors.contains("optimizer.lr"), qPrintable(unknown.all()));
        QVERIFY2(cli({"fields", "optimizer.lr"}).output.contains("(a number, above 0, up to 1\u00a0000"),
                 "in small letters, grouped");
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

    // A slip in its name would hide all that it holds.
    void aLibraryThatIsNotThereIsNotMade() {
        for (const QStringList& asked :
             {QStringList{"follow"}, QStringList{"fetch", "abc"}, QStringList{"resume", "abc"}, QStringList{"list"}}) {
            const CliResult result = cli(asked + QStringList{"--library", "mistyped.sqlite"});
            QVERIFY2(result.exitCode == 5, qPrintable(asked.first() + result.all()));
            QVERIFY2(!QFile::exists(QDir(m_folder.path()).filePath("mistyped.sqlite")), qPrintable(asked.first()));
        }
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
                                        << "MLP on Generated digits, B = 64";
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
        static const QRegularExpression speeds(
            "^Speed +.*samples/s \\(.*samples/s to .*samples/s\\) +.*samples/s \\(.*\\)$",
            QRegularExpression::MultilineOption);
        QVERIFY2(text.output.contains(speeds), qPrintable(text.all()));
        const QJsonObject cost = objectOf(byStudy)["cost"].toObject()["a"].toObject();
        const QJsonArray range = cost["samples_per_second_range"].toArray();
        const double mean = cost["samples_per_second"].toDouble();
        QVERIFY(range[0].toDouble() > 0.0 && range[0].toDouble() <= mean && mean <= range[1].toDouble());
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

    void whatDoesNotTrainStartsWithoutLibTorch() {
        const auto librariesOf = [this](const char* program) {
            return shell(QString("LD_TRACE_LOADED_OBJECTS=1 \"%1\"").arg(program)).output;
        };
        QVERIFY(librariesOf("$(dirname \"$cli\")/accumulus-engine").contains("libtorch_cpu"));
        const QString own = librariesOf("$cli");
        QVERIFY2(own.contains("libsqlite3") && !own.contains("torch") && !own.contains("libc10"), qPrintable(own));
    }

    void withoutTheEngineALibraryCanBeRead() {
        const CliResult help = shell("mkdir -p alone && cp \"$cli\" alone && alone/accumulus-cli run --help");
        QCOMPARE(help.exitCode, 0);
        QVERIFY(help.output.contains("--log-every"));
        const CliResult list = shell("alone/accumulus-cli list --library library.sqlite --json");
        QCOMPARE(list.exitCode, 0);
        QVERIFY2(list.output.contains("\"completed\""), qPrintable(list.all()));
        const CliResult noise = shell("alone/accumulus-cli noise 'Three pairs' --library pairs.sqlite");
        QVERIFY2(noise.exitCode == 0 && noise.output.contains("gradient noise scale"), qPrintable(noise.all()));
        const CliResult report = shell("alone/accumulus-cli report 'Three pairs' --library pairs.sqlite --out x.md");
        QVERIFY2(report.exitCode == 0 && QFile::exists(path("x.md")), qPrintable(report.all()));
        const QString run = m_run.events("run-finished").front()["run"].toString();
        for (const QString& computes :
             {"noise " + run + " --by-layer", "report " + run + " --out y.md", QString("run small.toml")}) {
            const CliResult refused = shell("alone/accumulus-cli " + computes + " --library library.sqlite");
            QCOMPARE(refused.exitCode, 1);
            QVERIFY2(refused.output.isEmpty(), qPrintable(refused.all()));
            for (const char* word : {"alone/accumulus-engine cannot be started", "Install Accumulus again"})
                QVERIFY2(refused.all().contains(word), qPrintable(refused.all()));
        }
    }

    void listWithoutALibraryIsNoError() {
        const CliResult result = cli({"list", "--json"});
        QCOMPARE(result.exitCode, 0);
        QCOMPARE(result.output.trimmed(), QString("[]"));
    }
};

QTEST_APPLESS_MAIN(TestCli)
} // namespace test_cli
#include "test_cli.moc"
