// SPDX-License-Identifier: GPL-3.0-or-later
// A run that is stopped, stopped at once, or killed, and then resumed, ends with the very weights and the very curve of
// an unbroken run.
#include "core/base/clock.h"
#include "core/store/run_reader.h"
#include "core/store/run_store.h"
#include "tests/support/cli_program.h"
#include "tests/support/numeric.h"

#include <QJsonDocument>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace test_cli_interrupt {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// 1 000 samples by 16: 62 full windows and one of 8 samples, 63 updates an epoch, so that an interruption nearly
/// always falls inside an epoch and the sampler's position has to come back. Momentum and a schedule that depends on
/// the update make every forgotten counter visible in the weights.
const QString longExperiment = R"(
[data]
dataset = "digits-generated"
train_limit = 1000
test_limit = 100
[model]
name = "lenet5"
[batch]
effective = 16
micro = 4
[optimizer]
lr = 0.01
momentum = 0.9
[schedule]
kind = "cosine"
[train]
length = "8 epochs"
[evaluate]
every = "4 epochs"
[checkpoint]
every = "1 epoch"
[device]
lanes = 2
threads = 1
)";
constexpr int allUpdates = 8 * 63;
constexpr int enoughUpdates = 80; // past the first checkpoint (update 63) and long before the end

bool wellUnderWay(const QJsonObject& line) {
    return line["event"] == "window" && line["update"].toInt() >= enoughUpdates;
}

QString hashOf(const CliResult& result) {
    const auto finished = result.events("run-finished");
    return finished.empty() ? QString("none") : finished.back()["weights_hash"].toString();
}

/// The id that the printed `accumulus-cli resume ID` names.
QString resumableRun(const CliResult& stopped) {
    static const QRegularExpression command("accumulus-cli resume ([0-9a-f]{8}) --library");
    return command.match(stopped.errors).captured(1);
}

} // namespace

class TestCliInterrupt : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    CliResult m_unbroken;

    [[nodiscard]] CliResult cli(const QStringList& arguments) const { return runCli(arguments, m_folder.path()); }

    /// Of the library's only run; empty when it is in another state.
    [[nodiscard]] std::vector<WindowRecord> windowsOf(const QString& library, RunState state) const {
        auto opened = Library::open(m_folder.filePath(library).toStdString(), Library::Mode::Read);
        if (!opened)
            return {};
        RunReader reader(std::move(*opened));
        const auto runs = reader.runs();
        if (!runs || runs->size() != 1 || runs->front().state != state)
            return {};
        return reader.windows(runs->front().id).value_or(std::vector<WindowRecord>());
    }

    /// Newest first, as `list` has them.
    [[nodiscard]] QStringList runIds(const QString& library) const {
        QStringList ids;
        const CliResult listed = cli({"list", "--json", "--library", library});
        const QJsonArray runs = QJsonDocument::fromJson(listed.output.toUtf8()).array();
        for (const QJsonValue& run : runs)
            ids << run["run"].toString();
        return ids;
    }

    /// The resumed run has the unbroken run's weights and curve, bit for bit, without gap or overlap.
    void expectUnbroken(const CliResult& resumed, const QString& library) const {
        QVERIFY2(resumed.exitCode == 0, qPrintable(resumed.all()));
        QCOMPARE(hashOf(resumed), hashOf(m_unbroken));
        const auto whole = windowsOf("unbroken.sqlite", RunState::Completed);
        const auto parts = windowsOf(library, RunState::Completed);
        QCOMPARE(whole.size(), std::size_t{allUpdates});
        QCOMPARE(parts.size(), whole.size());
        for (std::size_t at = 0; at < whole.size(); ++at) {
            QCOMPARE(parts[at].window, static_cast<std::int64_t>(at + 1));
            QCOMPARE(parts[at].samples, whole[at].samples);
            QVERIFY2(compareBits(parts[at].loss, whole[at].loss), qPrintable(QString("loss of window %1").arg(at + 1)));
        }
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(!programPath("accumulus-cli").isEmpty(),
                 "accumulus-cli is not built, or ACCUMULUS_TEST_PROGRAMS is not set");
        QVERIFY(writeText(m_folder.path(), "long.toml", longExperiment));
        m_unbroken = cli({"run", "long.toml", "--library", "unbroken.sqlite", "--json"});
        QVERIFY2(m_unbroken.exitCode == 0, qPrintable(m_unbroken.all()));
        QCOMPARE(m_unbroken.events("run-finished").front()["updates"].toInt(), allUpdates);
    }

    /// The hash is able to differ: two seeds end with different weights, one seed twice with the same.
    void theHashTellsRunsApart() {
        const auto hash = [this](const QString& seed, const QString& library) {
            return hashOf(cli({"run", "long.toml", "--library", library, "--json", "--set", "train.length=1 epoch",
                               "--set", "study.seeds=[" + seed + "]"}));
        };
        const QString zero = hash("0", "zero.sqlite");
        QCOMPARE(zero.size(), 32);
        QCOMPARE(hash("0", "again.sqlite"), zero);
        QVERIFY(hash("1", "one.sqlite") != zero);
    }

    void ctrlCStopsWithACheckpointAndResumes() {
        RunningCli running({"run", "long.toml", "--library", "stopped.sqlite", "--json"}, m_folder.path());
        QVERIFY(running.waitFor(wellUnderWay));
        running.signal(SIGINT);
        const CliResult stopped = running.finish();
        QVERIFY2(stopped.exitCode == 130, qPrintable(stopped.errors));
        const std::size_t before = windowsOf("stopped.sqlite", RunState::Stopped).size();
        QVERIFY2(before >= enoughUpdates && before < allUpdates, qPrintable(QString::number(before)));
        QVERIFY2(!resumableRun(stopped).isEmpty(), qPrintable(stopped.errors));
        const CliResult resumed = cli({"resume", resumableRun(stopped), "--library", "stopped.sqlite", "--json"});
        expectUnbroken(resumed, "stopped.sqlite");
    }

    void aSecondCtrlCStopsNow() {
        RunningCli running({"run", "long.toml", "--library", "now.sqlite", "--json"}, m_folder.path());
        QVERIFY(running.waitFor(wellUnderWay));
        running.signal(SIGINT);
        running.signal(SIGTERM); // two of one kind at once could count as one
        const CliResult stopped = running.finish();
        QVERIFY2(stopped.exitCode == 130, qPrintable(stopped.errors));
        QVERIFY2(!resumableRun(stopped).isEmpty(), qPrintable(stopped.errors));
        expectUnbroken(cli({"resume", resumableRun(stopped), "--library", "now.sqlite", "--json"}), "now.sqlite");
    }

    void aKilledRunLosesNothingThatWasPublishedAndResumes() {
        RunningCli running({"run", "long.toml", "--library", "killed.sqlite", "--json"}, m_folder.path());
        int published = 0;
        QString run;
        QVERIFY(running.waitFor([&](const QJsonObject& line) {
            if (line["event"] == "window")
                published = line["window"].toInt();
            if (line["event"] == "run-started")
                run = line["run"].toString();
            return wellUnderWay(line);
        }));
        running.signal(SIGKILL);
        QCOMPARE(running.finish().exitCode, -1);
        // Rows are printed after they were committed (every 250 ms), so what a reader saw is in the library, without a
        // gap.
        const auto rows = windowsOf("killed.sqlite", RunState::Running);
        QVERIFY2(static_cast<int>(rows.size()) >= published,
                 qPrintable(QString("%1 of %2").arg(rows.size()).arg(published)));
        QVERIFY(rows.size() < allUpdates);
        for (std::size_t at = 0; at < rows.size(); ++at)
            QCOMPARE(rows[at].window, static_cast<std::int64_t>(at + 1));

        const CliResult resumed = cli({"resume", run, "--library", "killed.sqlite", "--json"});
        QVERIFY2(!resumed.errors.contains("sign of life"), qPrintable(resumed.errors)); // known to be dead at once
        expectUnbroken(resumed, "killed.sqlite");
        if (QTest::currentTestFailed())
            return;
        QCOMPARE(resumed.events("run-started").front()["attempt"].toInt(), 2);
    }

    /// Neither the run that was training nor the one that waited for its turn is left behind by a killed program.
    void aKilledStudyIsInterruptedAtOnceAndGoesOn() {
        constexpr int epochs = 14; // others are asked while the first of them trains
        RunningCli running({"run", "long.toml", "--library", "study.sqlite", "--json", "--set", "study.seeds=[0, 1]",
                            "--set", QString("train.length=%1 epochs").arg(epochs)},
                           m_folder.path());
        QVERIFY(running.waitFor([](const QJsonObject& line) { return line["event"] == "window"; }));
        const auto states = [this] {
            QStringList found;
            const CliResult listed = cli({"list", "--json", "--library", "study.sqlite"});
            const QJsonArray runs = QJsonDocument::fromJson(listed.output.toUtf8()).array();
            for (const QJsonValue& run : runs)
                found << run["state"].toString();
            return found;
        };
        QCOMPARE(states(), (QStringList{"queued", "running"})); // newest first
        const CliResult busy = cli({"resume", runIds("study.sqlite").value(1), "--library", "study.sqlite"});
        QVERIFY2(busy.exitCode == 2 && busy.errors.contains("process"), qPrintable(busy.all()));
        running.signal(SIGKILL);
        QCOMPARE(running.finish().exitCode, -1);
        QCOMPARE(states(), (QStringList{"interrupted", "interrupted"}));
        QStringList left = runIds("study.sqlite");
        QCOMPARE(left.size(), 2);
        for (const QString& run : left) {
            const CliResult resumed = cli({"resume", run, "--library", "study.sqlite", "--json"});
            QVERIFY2(resumed.exitCode == 0 && !resumed.errors.contains("sign of life"), qPrintable(resumed.all()));
            QCOMPARE(resumed.events("run-finished").front()["updates"].toInt(), epochs * 63);
        }
        QCOMPARE(states(), (QStringList{"completed", "completed"}));
    }

    /// Its computer is gone, and its clock was ahead: without a word of the person nobody could ever go on with it.
    void aRunOfAnotherComputerIsTakenOver() {
        RunningCli running({"run", "long.toml", "--library", "far.sqlite", "--json"}, m_folder.path());
        QVERIFY(running.waitFor(wellUnderWay));
        running.signal(SIGINT);
        QCOMPARE(running.finish().exitCode, 130);
        const std::string file = m_folder.filePath("far.sqlite").toStdString();
        const std::string id = runIds("far.sqlite").value(0).toStdString();
        {
            RunStore store(Library::open(file, Library::Mode::Write).value());
            RunRecord run = RunReader(Library::open(file, Library::Mode::Read).value()).run(id).value();
            run.owner = {.pid = 4711, .started = 815, .host = "another computer", .claim = "theirs"};
            QVERIFY(store.updateStarted(run) && store.setState(id, RunState::Running));
            QVERIFY(store.heartbeat(id, unixTime() + 1e6));
        }
        const CliResult refused = cli({"resume", QString::fromStdString(id), "--library", "far.sqlite"});
        QVERIFY2(refused.exitCode == 2 && refused.errors.contains("far.sqlite --take-over"), qPrintable(refused.all()));
        expectUnbroken(cli({"resume", QString::fromStdString(id), "--library", "far.sqlite", "--json", "--take-over"}),
                       "far.sqlite");
    }

    void aCompletedRunIsNotResumed() {
        const QString run = m_unbroken.events("run-finished").front()["run"].toString();
        const CliResult again = cli({"resume", run, "--library", "unbroken.sqlite"});
        QVERIFY2(again.exitCode == 2 && again.errors.contains("completed"), qPrintable(again.all()));
    }
};

QTEST_APPLESS_MAIN(TestCliInterrupt)
} // namespace test_cli_interrupt
#include "test_cli_interrupt.moc"
