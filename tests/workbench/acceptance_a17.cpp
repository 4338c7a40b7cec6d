// SPDX-License-Identifier: GPL-3.0-or-later
// "Copy as command", pasted into a shell beside the open window: the same run to the last bit, and it appears in the
// window while it trains, once.
#include "tests/support/cli_program.h"
#include "tests/support/numeric.h"
#include "tests/workbench/machine_pace.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/models/run_row.h"
#include "widgets/pages/setup/setup_page.h"

#include <QClipboard>
#include <QElapsedTimer>
#include <QProcess>
#include <QPushButton>
#include <QTableView>

namespace acceptance_a17 {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

constexpr int appearsWithin = 2'000; // milliseconds after its row is in the file, on a machine that is idle

/// One lane of one thread: another number of threads may round differently. Long enough to be seen training.
ExperimentConfig experiment() {
    ExperimentConfig config = tinyExperiment();
    config.run.data.dataset = "digits-generated";
    config.run.model.hidden = {256, 256};
    config.run.train.length = {600, Extent::Unit::Updates};
    config.run.evaluate.every = config.run.checkpoint.every = {0, Extent::Unit::Epochs}; // at the end
    config.run.device.lanes = 1;
    config.run.device.threads = 1;
    config.study.name = "it's one & the same";
    config.study.seeds = {3};
    return config;
}

std::vector<RunRecord> runsOf(const std::filesystem::path& library) {
    auto opened = Library::open(library, Library::Mode::Read);
    return opened ? RunReader(std::move(*opened)).runs().value_or(std::vector<RunRecord>()) : std::vector<RunRecord>();
}

QString copiedCommand(WorkbenchFixture& fixture) {
    QGuiApplication::clipboard()->clear();
    fixture.click("rail-setup");
    fixture.click("setup.copy");
    return QGuiApplication::clipboard()->text();
}

} // namespace

class AcceptanceA17 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QVERIFY2(!test::programPath("accumulus-cli").isEmpty(), "accumulus-cli is not built"); }

    void theCopiedCommandIsTheSameRunInTheOpenWindow() {
        WorkbenchFixture fixture;
        fixture.click("rail-setup");
        fixture.window().findChild<SetupPage*>()->setExperiment(experiment());
        QTRY_VERIFY_WITH_TIMEOUT(fixture.find<QPushButton>("setup.start")->isEnabled(), runTimeout);
        fixture.click("setup.start");
        QVERIFY(fixture.workbench().runs().busy());
        fixture.waitUntilIdle(runTimeout);
        const QString command = copiedCommand(fixture);
        QVERIFY2(command.startsWith("accumulus-cli run "), qPrintable(command));

        fixture.click("rail-library");
        const QAbstractItemModel* table = fixture.find<QTableView>("runTable")->model();
        QTRY_COMPARE_WITH_TIMEOUT(table->rowCount(), 1, runTimeout);
        QProcess shell;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", qEnvironmentVariable("ACCUMULUS_TEST_PROGRAMS") + ":" + environment.value("PATH"));
        shell.setProcessEnvironment(environment);
        shell.setProcessChannelMode(QProcess::MergedChannels);
        const MachinePace pace;
        shell.start("/bin/sh", {"-c", command});
        QTRY_VERIFY_WITH_TIMEOUT(runsOf(fixture.library()).size() == 2, runTimeout);
        QElapsedTimer clock;
        clock.start();
        QTRY_VERIFY_WITH_TIMEOUT(table->rowCount() == 2, runTimeout);
        const auto shownAfter = static_cast<double>(clock.elapsed());
        QCOMPARE(shell.state(), QProcess::Running); // it still trains
        const double allowed = appearsWithin * pace.slowdown() + pace.lateness();
        qInfo("in the window after %.0f ms; allowed on this machine now: %.0f ms", shownAfter, allowed);
        QVERIFY(shownAfter <= allowed);
        const auto states = [table] {
            QStringList shown;
            for (int row = 0; row < table->rowCount(); ++row)
                shown << table->index(row, static_cast<int>(RunColumn::Status)).data().toString();
            shown.sort();
            return shown;
        };
        QTRY_VERIFY_WITH_TIMEOUT(shell.state() == QProcess::NotRunning, runTimeout);
        const QByteArray said = shell.readAll();
        QVERIFY2(shell.exitStatus() == QProcess::NormalExit && shell.exitCode() == 0, said.constData());
        QTRY_COMPARE_WITH_TIMEOUT(states(), (QStringList{"completed", "completed"}), runTimeout);
        QTest::qWait(appearsWithin); // once: no second row comes later
        QCOMPARE(table->rowCount(), 2);

        const auto runs = runsOf(fixture.library());
        QCOMPARE(runs.size(), std::size_t{2});
        const RunRecord& one = runs[0];
        const RunRecord& other = runs[1];
        QVERIFY(one.id != other.id);
        QCOMPARE(one.configHash, other.configHash);
        QCOMPARE(one.pairHash, other.pairHash);
        QCOMPARE(one.threads, other.threads);
        QCOMPARE(one.name, other.name);
        QVERIFY(one.summary.finalTrainLoss && other.summary.finalTrainLoss);
        QVERIFY(test::compareBits(*one.summary.finalTrainLoss, *other.summary.finalTrainLoss));
        QVERIFY(test::compareBits(one.summary.testLoss.value(), other.summary.testLoss.value()));
        QCOMPARE(one.summary.weightsHash, other.summary.weightsHash);
    }

    /// The command names the library that is open, unless it is the one that every program opens by itself.
    void theCommandLeadsToTheOpenLibrary() {
        WorkbenchFixture fixture;
        const QString option = QStringLiteral(" --library ");
        QVERIFY(copiedCommand(fixture).contains(option + QString::fromStdString(fixture.library().string())));
        const QString awkward = fixture.file(QStringLiteral("it's another.sqlite"));
        Q_EMIT fixture.window().libraryRequested(awkward);
        QTRY_COMPARE(QString::fromStdString(fixture.workbench().library().path().string()), awkward);
        QProcess shell; // takes the command apart
        shell.start("/bin/sh", {"-c", QStringLiteral("for word in %1; do printf '%s\\n' \"$word\"; done")
                                          .replace(QStringLiteral("%1"), copiedCommand(fixture))});
        QVERIFY(shell.waitForFinished());
        const QStringList words = QString::fromUtf8(shell.readAll()).split('\n');
        QCOMPARE(words.value(words.indexOf("--library") + 1), awkward);

        Q_EMIT fixture.window().libraryRequested(QString::fromStdString(defaultLibraryPath().string()));
        QTRY_COMPARE(fixture.workbench().library().path(), defaultLibraryPath());
        QVERIFY(!copiedCommand(fixture).contains(option));
    }
};

QTEST_MAIN(AcceptanceA17)
} // namespace acceptance_a17
#include "acceptance_a17.moc"
