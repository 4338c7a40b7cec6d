// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of accumulus-cli's verbs share: a folder with a run and a study of pairs that the real program has
// trained, and how it is asked about them.
#pragma once

#include "core/config/config_fields.h"
#include "core/store/run_reader.h"
#include "tests/support/cli_program.h"

#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

namespace accumulus::test {

/// 1 000 samples, 32 x 8 = 256, 2 epochs: each epoch has 3 full windows and one of 232 samples, in 8 micro-batches as
/// well.
inline const QString smallExperiment = R"(
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

inline constexpr int limitMilliseconds = 300'000;

inline Result<RunReader> readerOf(const QString& library) {
    auto opened = Library::open(library.toStdString(), Library::Mode::Read);
    if (!opened)
        return failure(opened.error());
    return RunReader(std::move(*opened));
}

inline QJsonArray arrayOf(const CliResult& result) { return QJsonDocument::fromJson(result.output.toUtf8()).array(); }

/// Trains both once for all functions of a test.
class CliStudies {
protected:
    [[nodiscard]] CliResult cli(const QStringList& arguments) const { return runCli(arguments, m_folder.path()); }

    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }

    [[nodiscard]] QString runId() const { return m_run.events("run-finished").front()["run"].toString(); }

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

    void trainStudies() {
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

    QTemporaryDir m_folder;
    CliResult m_run;   ///< small.toml, in library.sqlite
    CliResult m_pairs; ///< three seeds of both arms, in pairs.sqlite
};

} // namespace accumulus::test
