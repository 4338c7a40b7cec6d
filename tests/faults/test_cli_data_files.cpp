// SPDX-License-Identifier: GPL-3.0-or-later
// Data that people bring, from the command line: a table, a text, token files and CIFAR-100 are trained, verified,
// audited, resumed and reported; files that are none end with exit code 2 or 3 and a cure.
#include "tests/support/cli_program.h"

#include <QDir>
#include <QDirIterator>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace test_cli_data_files {
using namespace accumulus::test;

namespace {

/// 6 updates in fp64; `data` and `model` come with --set.
const QString experiment = R"(
[data]
validation = 16
[batch]
effective = 16
micro = 4
[numerics]
precision = "fp64"
[optimizer]
lr = 0.02
[train]
length = "6 updates"
[evaluate]
every = "6 updates"
[checkpoint]
every = "3 updates"
[device]
kind = "cpu"
lanes = 2
threads = 1
)";

void write(const QString& folder, const QString& name, const QByteArray& bytes) {
    QFile file(QDir(folder).filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

/// Which of two groups a row belongs to can be learnt from its numbers and its word.
QByteArray people(int rows, bool price) {
    QByteArray text = price ? "age;town;size;price\n" : "age;town;size;group\n";
    for (int i = 0; i < rows; ++i) {
        const int age = 20 + i * 7 % 50;
        const int town = i * 5 % 3;
        text +=
            QByteArray::number(age) +
            (town == 0   ? ";Ulm;"
             : town == 1 ? ";Bonn;"
                         : ";;") +
            QByteArray::number(i * 11 % 23) + ".25;" +
            (price ? QByteArray::number(age * 0.5 + town) + ".5" : QByteArray(age + 10 * town > 50 ? "old" : "young")) +
            "\n";
    }
    return text;
}

QByteArray tokens(int count, int vocabulary) {
    QByteArray bytes;
    for (int i = 0; i < count; ++i) {
        const int token = (i * i + 3 * i) % vocabulary;
        bytes += static_cast<char>(token & 0xFF);
        bytes += static_cast<char>(token >> 8);
    }
    return bytes;
}

QByteArray images100(int count) {
    QByteArray bytes;
    for (int i = 0; i < count; ++i) {
        bytes += static_cast<char>(i % 20);
        bytes += static_cast<char>(i % 100);
        for (int j = 0; j < 3072; ++j)
            bytes += static_cast<char>((i * 13 + j * 7) % 251);
    }
    return bytes;
}

QString hashOf(const CliResult& result, const QString& arm) {
    for (const QJsonObject& finished : result.events("run-finished"))
        if (finished["arm"].toString().isEmpty() || finished["arm"].toString() == arm)
            return finished["weights_hash"].toString();
    return {};
}

} // namespace

class TestCliDataFiles : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    [[nodiscard]] CliResult cli(const QStringList& arguments) const { return runCli(arguments, m_folder.path()); }
    static QStringList assigned(const QString& assignments) {
        QStringList arguments;
        for (const QString& one : assignments.split(' ', Qt::SkipEmptyParts))
            arguments << "--set" << one;
        return arguments;
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(writeText(m_folder.path(), "own.toml", experiment));
        write(m_folder.path(), "people.csv", people(120, false));
        write(m_folder.path(), "prices.csv", people(120, true));
        write(m_folder.path(), "poem.txt",
              QString::fromUtf8("床前明月光，疑是地上霜。\n举头望明月，低头思故乡。\n").repeated(40).toUtf8());
        QVERIFY(QDir(m_folder.path()).mkpath("tokens") && QDir(m_folder.path()).mkpath("cifar"));
        write(m_folder.path(), "tokens/train.bin", tokens(2000, 1000));
        write(m_folder.path(), "tokens/val.bin", tokens(300, 900));
        write(m_folder.path(), "cifar/train.bin", images100(80));
        write(m_folder.path(), "cifar/test.bin", images100(20));
    }

    void everyVerbTakesThem_data() {
        QTest::addColumn<QString>("settings");
        const QString transformer = " data.block=8 model.layers=1 model.heads=2 model.width=16";
        QTest::newRow("table") << QString("data.dataset=table data.path=people.csv data.target=group model.name=mlp "
                                          "model.hidden=[8,8] study.large_batch=true");
        QTest::newRow("characters") << "data.dataset=text data.path=poem.txt model.name=char-gpt" + transformer;
        QTest::newRow("tokens") << "data.dataset=text data.path=tokens model.name=char-gpt" + transformer;
        QTest::newRow("masked tokens") << "data.dataset=text data.path=tokens model.name=bert-mini" + transformer;
        QTest::newRow("CIFAR-100") << QString("data.dataset=cifar100 data.path=cifar model.name=mlp model.hidden=[8]");
    }
    void everyVerbTakesThem() {
        QFETCH(QString, settings);
        const QString library = QString(QTest::currentDataTag()).replace(' ', '-') + ".sqlite";
        const QStringList told = assigned(settings);
        const CliResult run = cli(QStringList{"run", "own.toml", "--library", library, "--json"} + told);
        // Where micro-batches and the whole batch come from is the same code for all data: one of them has both arms.
        QVERIFY2(run.exitCode == 0 && run.events("run-finished").size() == (settings.contains("large_batch") ? 2 : 1),
                 qPrintable(run.all()));
        for (const QJsonObject& finished : run.events("run-finished")) {
            const QString id = finished["run"].toString();
            const CliResult verified = cli({"verify", id, "--library", library});
            QVERIFY2(verified.exitCode == 0, qPrintable(verified.all()));
            const CliResult reported = cli({"report", id, "--library", library, "--out", "report.html"});
            QVERIFY2(reported.exitCode == 0, qPrintable(reported.all()));
        }
        // The number of lanes does not show in the weights.
        const CliResult alone = cli(QStringList{"run", "own.toml", "--library", "lanes-" + library, "--json"} + told +
                                    assigned("device.lanes=1 study.large_batch=false"));
        QVERIFY2(alone.exitCode == 0, qPrintable(alone.all()));
        QCOMPARE(hashOf(alone, "accumulated"), hashOf(run, "accumulated"));
        const CliResult audited = cli(QStringList{"audit", "own.toml", "--library", library} + told);
        QVERIFY2(audited.exitCode == 0, qPrintable(audited.all()));
    }

    // Stopped at once, as a rule in mid-window, and resumed: the weights of a run that nobody stopped.
    void theyAreResumed_data() {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("length"); // to be caught in the middle
        QTest::newRow("table") << QString("data.dataset=table data.path=people.csv data.target=group model.name=mlp "
                                          "model.hidden=[8,8]")
                               << "train.length=1500 updates";
        QTest::newRow("tokens") << QString("data.dataset=text data.path=tokens model.name=char-gpt data.block=8 "
                                           "model.layers=1 model.heads=2 model.width=16")
                                << "train.length=500 updates";
    }
    void theyAreResumed() {
        QFETCH(QString, settings);
        QFETCH(QString, length);
        const QString tag = QTest::currentDataTag();
        const QStringList told =
            assigned(settings + " optimizer.momentum=0.9") +
            QStringList{"--set", length, "--set", "evaluate.every=0 epochs", "--set", "checkpoint.every=0 epochs"};
        const auto library = [&](const char* name) { return QStringList{"--library", tag + name, "--json"}; };
        const CliResult whole = cli(QStringList{"run", "own.toml"} + library("-whole.sqlite") + told);
        QVERIFY2(whole.exitCode == 0, qPrintable(whole.all()));
        RunningCli running(QStringList{"run", "own.toml"} + library("-parts.sqlite") + told, m_folder.path());
        QVERIFY(running.waitFor(
            [](const QJsonObject& line) { return line["event"] == "window" && line["update"].toInt() >= 40; }));
        running.signal(SIGINT);
        running.signal(SIGTERM); // two of one kind at once could count as one
        const CliResult stopped = running.finish();
        static const QRegularExpression command("accumulus-cli resume ([0-9a-f]{8}) --library");
        const QString id = command.match(stopped.errors).captured(1);
        QVERIFY2(stopped.exitCode == 130 && !id.isEmpty(), qPrintable(stopped.all()));
        const CliResult resumed = cli(QStringList{"resume", id} + library("-parts.sqlite"));
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.all()));
        QCOMPARE(hashOf(resumed, "accumulated").size(), 32);
        QCOMPARE(hashOf(resumed, "accumulated"), hashOf(whole, "accumulated"));
    }

    // An experiment can lie with its data anywhere, and can be moved with them.
    void pathsInAFileStartAtTheFile() {
        QVERIFY(QDir(m_folder.path()).mkpath("apart/sets") && QDir(m_folder.path()).mkpath("elsewhere"));
        write(m_folder.path(), "apart/sets/people.csv", people(120, false));
        QVERIFY(writeText(m_folder.path(), "apart/own.toml",
                          QString(experiment)
                                  .replace("[data]", "[data]\ndataset = \"table\"\npath = \"sets/people.csv\"\n"
                                                     "target = \"group\"") +
                              "[model]\nname = \"mlp\"\nhidden = [8]\n"));
        const QString library = m_folder.filePath("apart.sqlite");
        RunningCli running(QStringList{"run", "apart/own.toml", "--library", library, "--json"} +
                               assigned("checkpoint.every=4000~updates evaluate.every=4000~updates "
                                        "train.length=4000~updates")
                                   .replaceInStrings("~", " "),
                           m_folder.path());
        QVERIFY(running.waitFor([](const QJsonObject& line) { return line["event"] == "window"; }));
        running.signal(SIGINT);
        const CliResult run = running.finish();
        QCOMPARE(run.events("run-finished").size(), std::size_t{1});
        const QString id = run.events("run-finished").front()["run"].toString();
        QVERIFY2(run.errors.contains("accumulus-cli resume"), qPrintable(run.errors));
        const auto there = [&](const QStringList& arguments) {
            return runCli(arguments + QStringList{"--library", library}, m_folder.filePath("elsewhere"));
        };
        const CliResult resumed = there({"resume", id});
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.all()));
        const CliResult verified = there({"verify", id});
        QVERIFY2(verified.exitCode == 0, qPrintable(verified.all()));
        const CliResult audited = there({"audit", "../apart/own.toml"});
        QVERIFY2(audited.exitCode == 0, qPrintable(audited.all()));
        // --set is typed where the program is started, and so is what it names.
        const CliResult typed = there({"audit", "../apart/own.toml", "--set", "data.path=../people.csv"});
        QVERIFY2(typed.exitCode == 0, qPrintable(typed.all()));
        const CliResult missed = there({"audit", "../apart/own.toml", "--set", "data.path=sets/people.csv"});
        QVERIFY2(missed.exitCode == 3, qPrintable(missed.all()));
    }

    // With the weights goes what makes inputs of a row.
    void aCheckpointCarriesTheStatistics() {
        const CliResult run =
            cli(QStringList{"run", "own.toml", "--library", "kept.sqlite", "--json"} +
                assigned("data.dataset=table data.path=people.csv data.target=group model.name=mlp model.hidden=[8]"));
        QVERIFY2(run.exitCode == 0, qPrintable(run.all()));
        int seen = 0;
        for (QDirIterator files(m_folder.path(), {"*.safetensors"}, QDir::Files, QDirIterator::Subdirectories);
             files.hasNext();) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray size = file.read(8);
            const auto length = static_cast<unsigned char>(size[0]) + 256 * static_cast<unsigned char>(size[1]) +
                                65'536 * static_cast<unsigned char>(size[2]);
            const auto header = QJsonDocument::fromJson(file.read(length)).object()["__metadata__"].toObject();
            const auto told = QJsonDocument::fromJson(header["accumulus.preparation"].toString().toUtf8()).object();
            if (told.isEmpty())
                continue;
            ++seen;
            QCOMPARE(told["target"]["labels"].toArray(), (QJsonArray{"old", "young"}));
            QCOMPARE(told["inputs"].toArray().size(), 3);
            QCOMPARE(told["inputs"][1]["categories"].toArray(), (QJsonArray{"Bonn", "Ulm"}));
            QCOMPARE(told["inputs"][1]["missing"].toBool(), true);
        }
        QVERIFY(seen > 0);
    }

    void whatIsWrongIsSaid_data() {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("words");
        const QString table = "model.name=mlp data.dataset=table data.path=people.csv ";
        QTest::newRow("no target") << table << 2 << "data.target";
        QTest::newRow("misspelt target") << table + "data.target=gruop" << 2 << "group";
        QTest::newRow("no test part") << table + "data.target=group data.validation=0" << 3 << "data.test_path";
        QTest::newRow("no table") << table + "data.target=group data.path=tokens/train.bin" << 3 << "line 1";
        QTest::newRow("missing") << table + "data.target=group data.path=none.csv" << 3 << "none.csv";
        QTest::newRow("a table as tokens")
            << QString("model.name=char-gpt data.dataset=text data.path=tokens data.vocabulary=500") << 3 << "token";
        QTest::newRow("no CIFAR-100") << QString("model.name=mlp data.dataset=cifar100 data.path=tokens") << 3
                                      << "test.bin";
    }
    void whatIsWrongIsSaid() {
        QFETCH(QString, settings);
        QFETCH(int, code);
        QFETCH(QString, words);
        const CliResult result = cli(QStringList{"run", "own.toml", "--library", "wrong.sqlite"} + assigned(settings));
        QVERIFY2(result.exitCode == code && result.errors.contains(words), qPrintable(result.all()));
    }
};

QTEST_APPLESS_MAIN(TestCliDataFiles)
} // namespace test_cli_data_files
#include "test_cli_data_files.moc"
