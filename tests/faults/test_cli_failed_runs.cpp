// SPDX-License-Identifier: GPL-3.0-or-later
// What the real program says of a study in which runs failed: none of them vanishes, and the pairs that are left are no
// proof. A resume on several ranks is told what it was allowed.
#include "core/store/run_reader.h"
#include "core/store/run_store.h"
#include "tests/support/cli_program.h"
#include "tests/support/synthetic_library.h"

#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

namespace test_cli_failed_runs {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr const char* experiment = R"(
[data]
dataset = "digits-generated"
train_limit = 256
test_limit = 64
[model]
name = "mlp"
hidden = [8]
[batch]
effective = 32
micro = 16
devices = 2
[train]
length = "6 updates"
)";

} // namespace

class TestCliFailedRuns : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStudyTellsItsFailedRuns() {
        const auto library = std::filesystem::path(m_folder.filePath("l.sqlite").toStdString());
        SyntheticStudy study = studyOf(equivalentCase());
        study.name = "demo";
        const SyntheticRuns runs = addSyntheticStudy(library, study).value();
        const auto compared = [&] { return runCli({"compare", "demo", "--library", "l.sqlite"}, m_folder.path()); };
        const CliResult whole = compared();
        QVERIFY2(whole.output.contains("Equivalent within"), qPrintable(whole.all()));
        {
            RunStore store(Library::open(library, Library::Mode::Write).value());
            for (const std::size_t i : {std::size_t{3}, std::size_t{4}})
                QVERIFY(store.finishRun(runs.groupA[i], RunState::Failed, {}, 1.0, "The loss is not finite."));
        }
        const CliResult result = compared();
        QCOMPARE(result.exitCode, 0);
        QVERIFY2(!result.output.contains("Equivalent within"), qPrintable(result.all()));
        QVERIFY2(result.output.contains("Inconclusive"), qPrintable(result.all()));
        QCOMPARE(result.output.count("failed: The loss is not finite."), 2);
        QVERIFY2(result.output.contains("Warning: Runs of group A diverged"), qPrintable(result.all()));
        QCOMPARE(runCli({"report", "demo", "--library", "l.sqlite", "--out", "r.md"}, m_folder.path()).exitCode, 0);
        QFile report(m_folder.filePath("r.md"));
        QVERIFY(report.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(report.readAll()).count("failed: The loss is not finite."), 2);
    }

    /// Data that have changed, on two ranks: without the option the run does not go on.
    void aResumeOnRanksKeepsItsOptions() {
        if (!has("mpirun"))
            QSKIP("There is no mpirun.");
        QVERIFY(writeText(m_folder.path(), "e.toml", experiment));
        const auto cli = [&](QStringList arguments) {
            return runCli(arguments << "--library"
                                    << "ranks.sqlite",
                          m_folder.path());
        };
        const CliResult trained = cli({"run", "e.toml", "--ranks", "2", "--json"});
        QVERIFY2(trained.exitCode == 0, qPrintable(trained.all()));
        const QString run = trained.events("run-finished").front()["run"].toString();
        {
            const auto library = std::filesystem::path(m_folder.filePath("ranks.sqlite").toStdString());
            RunStore store(Library::open(library, Library::Mode::Write).value());
            QVERIFY(store.setState(run.toStdString(), RunState::Interrupted));
            RunReader reader(Library::open(library, Library::Mode::Read).value());
            RunRecord changed = reader.run(run.toStdString()).value();
            changed.datasetHash = "of other data";
            QVERIFY(store.updateStarted(changed));
            QVERIFY(store.setState(run.toStdString(), RunState::Interrupted));
        }
        const CliResult refused = cli({"resume", run, "--ranks", "2"});
        QVERIFY2(refused.exitCode != 0 && refused.errors.contains("data"), qPrintable(refused.all()));
        const CliResult resumed = cli({"resume", run, "--ranks", "2", "--other-data"});
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.all()));
    }

private:
    [[nodiscard]] static bool has(const QString& program) { return !QStandardPaths::findExecutable(program).isEmpty(); }
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestCliFailedRuns)
} // namespace test_cli_failed_runs
#include "test_cli_failed_runs.moc"
