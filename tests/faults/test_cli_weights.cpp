// SPDX-License-Identifier: GPL-3.0-or-later
// accumulus-cli with initial weights from a file and frozen parameters: what a run says and records, what resuming
// minds, and the exit codes of files that cannot be used.
#include "tests/support/cli_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace test_cli_weights {
using namespace accumulus::test;

namespace {

const QString experiment = R"(
[data]
dataset = "digits-generated"
train_limit = 64
test_limit = 16
[model]
name = "lenet5"
[batch]
effective = 16
micro = 8
[train]
length = "4 updates"
[evaluate]
every = "0 epochs"
[checkpoint]
every = "0 epochs"
best = false
[device]
kind = "cpu"
lanes = 1
threads = 1
[study]
seeds = [0]
large_batch = false
)";

} // namespace

class TestCliWeights : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_weights; ///< of a run of this network

    [[nodiscard]] CliResult run(const QStringList& settings) const {
        QStringList arguments{"run", "experiment.toml", "--json", "--library", "weights.sqlite"};
        for (const QString& setting : settings)
            arguments << "--set" << setting;
        return runCli(arguments, m_folder.path());
    }
    [[nodiscard]] static QString idOf(const CliResult& result) {
        const auto started = result.events("run-started");
        return started.empty() ? QString() : started.front().value("run").toString();
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(writeText(m_folder.path(), "experiment.toml", experiment));
        const CliResult first = run({});
        QVERIFY2(first.exitCode == 0, qPrintable(first.all()));
        m_weights = m_folder.filePath("first.safetensors");
        const CliResult exported = runCli(
            {"export", idOf(first), "--format", "safetensors", "--out", m_weights, "--library", "weights.sqlite"},
            m_folder.path());
        QVERIFY2(QFile::exists(m_weights), qPrintable(exported.all()));
    }

    // A path that stayed when the person went back to a built-in network.
    void theFileOfAnotherNetworkIsNotAskedFor() {
        const CliResult leftover = run({"model.path=/nonexistent.pt"});
        QVERIFY2(leftover.exitCode == 0, qPrintable(leftover.all()));
        QVERIFY(run({"model.path=/nonexistent.pt", "model.name=file"}).exitCode != 0);
    }

    void aRunStartsFromTheFileAndRemembersIt() {
        const CliResult result = run({"model.weights=\"first.safetensors\"", "model.freeze=[\"conv1.*\"]"});
        QVERIFY2(result.exitCode == 0, qPrintable(result.all()));
        QVERIFY2(result.output.contains("weights.loaded"), qPrintable(result.all()));
        QVERIFY2(result.output.contains("model.frozen"), qPrintable(result.all()));
        QCOMPARE(result.events("run-started").front().value("initial_weights_hash").toString().size(), 32);
    }

    void filesThatCannotBeUsedEndWithTheirExitCode() {
        QVERIFY(writeText(m_folder.path(), "text.pt", "these are no weights"));
        QVERIFY(writeText(m_folder.path(), "empty.pt", ""));
        const auto code = [&](const QString& setting) { return run({setting}).exitCode; };
        QCOMPARE(code("model.weights=\"none.pt\""), 3);
        QCOMPARE(code("model.weights=\"text.pt\""), 3);
        QCOMPARE(code("model.weights=\"empty.pt\""), 3);
        QCOMPARE(code("model.weights=\".\""), 3);
        QCOMPARE(code("model.freeze=[\"conv9.*\"]"), 2);
        QCOMPARE(code("model.freeze=[\"*\"]"), 2);
        const CliResult other = run({"model.weights=\"first.safetensors\"", "model.name=\"mlp\""});
        QCOMPARE(other.exitCode, 3);
        QVERIFY2(other.all().contains("do not fit the model"), qPrintable(other.all()));
    }

    /// Half of a file, at every length: an error with its cure, never a crash.
    void truncatedFilesAreErrors() {
        QFile whole(m_weights);
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const QByteArray bytes = whole.readAll();
        for (int i = 1; i <= 5; ++i) {
            QVERIFY(QFile::remove(m_folder.filePath("cut.pt")) || i == 1);
            QFile cut(m_folder.filePath("cut.pt"));
            QVERIFY(cut.open(QIODevice::WriteOnly));
            cut.write(bytes.left(bytes.size() * i / 6));
            cut.close();
            QCOMPARE(run({"model.weights=\"cut.pt\""}).exitCode, 3);
        }
    }
};

QTEST_APPLESS_MAIN(TestCliWeights)
} // namespace test_cli_weights
#include "test_cli_weights.moc"
