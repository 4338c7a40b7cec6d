// SPDX-License-Identifier: GPL-3.0-or-later
// accumulus-cli says where training broke down: micro-step and layer, as text, as JSON and in the library.
#include "tests/support/cli_program.h"
#include "tests/support/overflowing_weights.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

namespace test_cli_nonfinite {
using namespace accumulus::test;

namespace {

const QString experiment = R"(
[data]
dataset = "digits-generated"
train_limit = 64
test_limit = 16
[model]
name = "mlp"
hidden = [64]
weights = "huge.safetensors"
[batch]
effective = 32
micro = 8
[train]
length = "2 epochs"
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

class TestCliNonfinite : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    [[nodiscard]] CliResult run(const QStringList& more) const {
        return runCli(QStringList{"run", "experiment.toml", "--library", "nan.sqlite"} + more, m_folder.path());
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(writeText(m_folder.path(), "experiment.toml", experiment));
        QVERIFY(writeOverflowingWeights(m_folder.filePath("huge.safetensors")));
    }

    void theErrorNamesTheLayer() {
        const CliResult text = run({});
        QCOMPARE(text.exitCode, 6);
        QVERIFY2(text.errors.contains("(micro-step 1 of 4, layer fc2)"), qPrintable(text.all()));
        const CliResult json = run({"--json"});
        QCOMPARE(json.exitCode, 6);
        const auto states = json.events("run-state");
        QVERIFY(!states.empty());
        QVERIFY2(states.back()["error"].toString().contains("micro-step 1 of 4, layer fc2"), qPrintable(json.all()));
    }

    void theNoteOfASkippedUpdateNamesTheLayer() {
        const CliResult json = run({"--json", "--set", "numerics.nonfinite=\"skip-update\""});
        QVERIFY2(json.exitCode == 0, qPrintable(json.all()));
        int told = 0;
        for (const QJsonObject& note : json.events("note"))
            if (note["code"].toString() == "training.skipped") {
                ++told;
                QVERIFY2(note["text"].toString().endsWith("First at micro-step 1 of 4, layer fc2."),
                         qPrintable(note["text"].toString()));
                QCOMPARE(note["arguments"]["window"].toString(), QString::number(told)); // for other languages
            }
        QCOMPARE(told, 4); // two epochs of two windows
        // The library keeps the sentence, and what is exported of it.
        const QString id = json.events("run-started").front()["run"].toString();
        const CliResult exported = runCli(
            {"export", id, "--format", "json", "--out", m_folder.filePath("run.json"), "--library", "nan.sqlite"},
            m_folder.path());
        QVERIFY2(exported.exitCode == 0, qPrintable(exported.all()));
        QFile file(m_folder.filePath("run.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray content = file.readAll();
        QCOMPARE(content.count("First at micro-step 1 of 4, layer fc2."), 4);
        int kept = 0;
        for (const QJsonValue event : QJsonDocument::fromJson(content)["events"].toArray())
            if (event["arguments"]["where"].toString() == "phrase.nonfinite-layer")
                ++kept;
        QCOMPARE(kept, 4);
    }
};

QTEST_APPLESS_MAIN(TestCliNonfinite)
} // namespace test_cli_nonfinite
#include "test_cli_nonfinite.moc"
