// SPDX-License-Identifier: GPL-3.0-or-later
// accumulus-cli on two ranks: what each of them spent and sent stands in the events, in both exports, in the line at
// the run's end and in the report, and all say the same.
#include "core/base/measured_values.h"
#include "tests/support/cli_program.h"

#include <QFile>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

namespace test_cli_rank_times {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Three updates of 8 micro-batches: 4 for each rank.
const QString experiment = R"(
[data]
dataset = "digits-generated"
train_limit = 200
test_limit = 40
[model]
name = "mlp"
[batch]
effective = 64
micro = 8
[train]
length = "3 updates"
[device]
kind = "cpu"
lanes = 1
threads = 1
)";

constexpr int limitMilliseconds = 120'000;

CliResult onTwoRanks(const QStringList& arguments, const QString& folder) {
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(qEnvironmentVariable("ACCUMULUS_MPIRUN"),
                  QStringList{"-n", "2", programPath("accumulus-cli")} + arguments);
    CliResult result;
    if (process.waitForFinished(limitMilliseconds) && process.exitStatus() == QProcess::NormalExit)
        result.exitCode = process.exitCode();
    else
        process.kill();
    result.output = QString::fromUtf8(process.readAllStandardOutput());
    result.errors = QString::fromUtf8(process.readAllStandardError());
    return result;
}

QString fileText(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

class TestCliRankTimes : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    CliResult m_run; ///< in ranks.sqlite

    [[nodiscard]] QString runId() const { return m_run.events("run-finished").front()["run"].toString(); }
    [[nodiscard]] QString exported(const QString& format) const {
        const QString name = "run." + format;
        const CliResult result = runCli(
            {"export", runId(), "--library", "ranks.sqlite", "--format", format, "--out", name}, m_folder.path());
        return result.exitCode == 0 ? fileText(m_folder.filePath(name)) : QString();
    }

private Q_SLOTS:
    void initTestCase() {
        if (qEnvironmentVariable("ACCUMULUS_MPIRUN").isEmpty())
            QSKIP("built without MPI, or there is no mpirun");
        QVERIFY(writeText(m_folder.path(), "small.toml", experiment));
        m_run = onTwoRanks({"run", "small.toml", "--library", "ranks.sqlite", "--json"}, m_folder.path());
        QVERIFY2(m_run.exitCode == 0 && m_run.events("run-finished").size() == 1, qPrintable(m_run.all()));
    }

    void eventsAndExportsSayTheSame() {
        const QJsonArray windows = QJsonDocument::fromJson(exported("json").toUtf8()).object()["windows"].toArray();
        QCOMPARE(windows.size(), 3);
        std::vector<QJsonObject> rows;
        for (const auto& window : windows) {
            const QJsonArray ranks = window.toObject()["ranks"].toArray();
            QCOMPARE(ranks.size(), 2);
            for (const auto& rank : ranks)
                rows.push_back(rank.toObject());
        }
        for (const QJsonObject& event : m_run.events("window")) // the quickest ones may have been left out
            QCOMPARE(event["ranks"].toArray(), windows[event["window"].toInt() - 1].toObject()["ranks"].toArray());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            QCOMPARE(std::size_t(rows[i].size()), rankValues().size());
            QCOMPARE(rows[i]["rank"].toInt(), int(i % 2));
            QCOMPARE(rows[i]["micro_steps"].toInt(), 4);
            QCOMPARE(rows[i]["exchanges"].toInt(), 2);
            QVERIFY(rows[i]["forward_seconds"].toDouble() > 0.0 && rows[i]["reducing_seconds"].toDouble() > 0.0);
        }
        const QStringList lines = exported("csv").split('\n', Qt::SkipEmptyParts);
        const QStringList header = lines.front().split(',');
        std::size_t found = 0;
        for (const QString& line : lines.mid(1)) {
            const QStringList cells = line.split(',');
            QCOMPARE(cells.size(), header.size());
            if (cells.front() != "rank")
                continue;
            const QJsonObject& row = rows.at(found++);
            for (const RankValue& value : rankValues()) {
                const QString name = QString::fromUtf8(value.name.data(), qsizetype(value.name.size()));
                QCOMPARE(cells[header.indexOf(name)].toDouble(), row[name].toDouble()); // shortest digits of the same
            }
        }
        QCOMPARE(found, rows.size());
    }

    void theRunEndsWithItsCost_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QString>("formula");
        QTest::newRow("ddp") << "ddp"
                             << "2 f P S";
        QTest::newRow("zero1") << "zero1"
                               << "2 f P S";
        QTest::newRow("zero2") << "zero2"
                               << "(K + 1) f P S, K = 4";
    }
    void theRunEndsWithItsCost() {
        QFETCH(QString, mode);
        QFETCH(QString, formula);
        const CliResult run = onTwoRanks(
            {"run", "small.toml", "--library", "text.sqlite", "--set", "parallel.mode=" + mode}, m_folder.path());
        QCOMPARE(run.exitCode, 0);
        static const QRegularExpression line("^2 ranks: sent (.+) per update and rank \\((.+): (.+)\\), waiting "
                                             "\\d+\\.\\d %, reducing \\d+\\.\\d %; slowest: rank [01]$",
                                             QRegularExpression::MultilineOption);
        const auto match = line.match(run.output);
        QVERIFY2(match.hasMatch(), qPrintable(run.all()));
        QCOMPARE(match.captured(1), match.captured(3)); // what was sent is what the formula says
        QCOMPARE(match.captured(2), formula);
        QCOMPARE(run.output.count(line), 1);
    }

    void theReportHasATable() {
        QCOMPARE(runCli({"report", runId(), "--library", "ranks.sqlite", "--out", "run.md"}, m_folder.path()).exitCode,
                 0);
        const QString report = fileText(m_folder.filePath("run.md"));
        static const QRegularExpression row("^\\| 1 \\| .*MB \\|$", QRegularExpression::MultilineOption);
        QVERIFY2(report.contains("## Ranks") && report.contains(row), qPrintable(report));
    }

    /// Two ranks against one: the cost of sharing out, as text and as numbers.
    void aComparisonTellsWhatRanksCost() {
        const CliResult alone = runCli({"run", "small.toml", "--library", "ranks.sqlite", "--set", "study.seeds=[0]",
                                        "--set", "batch.micro=64", "--json"},
                                       m_folder.path());
        QVERIFY2(alone.exitCode == 0, qPrintable(alone.all()));
        const QStringList compare{"compare", runId(), alone.events("run-finished").front()["run"].toString(),
                                  "--library", "ranks.sqlite"};
        const CliResult text = runCli(compare, m_folder.path());
        QVERIFY2(text.exitCode == 0, qPrintable(text.all()));
        for (const char* line :
             {"^Ranks +2 +1$", "^Sent per update and rank +.*B +–$", "^Waiting \\(share of time\\) +\\d+\\.\\d % +–$",
              "^Reducing \\(share of time\\) +\\d+\\.\\d % +–$", "^Slowest rank +[01] +–$",
              "^Peak memory of rank 0 +.*B +.*B$", "^Speed +.*samples/s +.*samples/s$"})
            QVERIFY2(text.output.contains(QRegularExpression(line, QRegularExpression::MultilineOption)),
                     qPrintable(QString(line) + "\n" + text.all()));
        const CliResult numbers = runCli(compare + QStringList{"--json"}, m_folder.path());
        const QJsonObject cost = QJsonDocument::fromJson(numbers.output.toUtf8()).object()["cost"].toObject();
        const QJsonObject ranks = cost["a"].toObject()["ranks"].toObject();
        QCOMPARE(ranks["most"].toInt(), 2);
        QCOMPARE(ranks["fewest"].toInt(), 2);
        QCOMPARE(ranks["runs"].toInt(), 1);
        double sent = 0.0;
        for (const auto& window : QJsonDocument::fromJson(exported("json").toUtf8()).object()["windows"].toArray())
            for (const auto& rank : window.toObject()["ranks"].toArray())
                sent += rank.toObject()["sent_bytes"].toDouble();
        QCOMPARE(ranks["sent_bytes_per_update"].toDouble(), sent / 6.0); // 3 updates on 2 ranks; a whole number
        QVERIFY(cost["b"].toObject()["ranks"].isNull());
        QVERIFY(cost["b"].toObject()["training_peak_bytes_of_rank_0"].toDouble() > 0.0);
    }

    void oneRankSaysNothingOfRanks() {
        const CliResult run = runCli({"run", "small.toml", "--library", "one.sqlite"}, m_folder.path());
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(!run.output.contains("rank"), qPrintable(run.all()));
        for (const QJsonObject& event :
             runCli({"run", "small.toml", "--library", "one.sqlite", "--json"}, m_folder.path()).events("window"))
            QVERIFY(!event.contains("ranks"));
    }

    void exportsHelpExplainsRanks() {
        const QString help = runCli({"export", "--help"}, m_folder.path()).output;
        for (const RankValue& value : rankValues())
            QVERIFY2(help.contains(QString::fromUtf8(value.description.data(), qsizetype(value.description.size()))),
                     value.name.data());
    }
};

QTEST_GUILESS_MAIN(TestCliRankTimes)
} // namespace test_cli_rank_times
#include "test_cli_rank_times.moc"
