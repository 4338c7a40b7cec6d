// SPDX-License-Identifier: GPL-3.0-or-later
// Trap T18: a run that is interrupted after any micro-step of two windows, in any of three ways, and resumed ends with
// the same bits as one that was not.
#include "tests/support/training.h"

#include <QProcess>
#include <QTest>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <thread>
#include <unistd.h>

namespace test_interrupts {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr int microStepsInAll = 13; // windows of 4, 4, 4 and 1
const char* const killedAfter = "ACCUMULUS_TEST_KILLED_AFTER";
const char* const killedFolder = "ACCUMULUS_TEST_KILLED_FOLDER";

RunConfig interruptConfig() {
    RunConfig config = tinyConfig(97, 32, 8);
    config.data.testLimit = 10;
    config.model.dropout = 0.5; // random draws have to go on where they were
    config.optimizer.name = OptimizerKind::Adam;
    config.optimizer.lr = 0.001;
    config.checkpoint.every = {1, Extent::Unit::Updates};
    return config;
}

TrainerSetup setupIn(const std::string& folder, int lanes) {
    TrainerSetup setup;
    setup.config = interruptConfig();
    setup.lanes = {lanes, 1};
    setup.data = loadDataset(setup.config.data, {}).value();
    setup.folder = folder;
    return setup;
}

/// Stops at once as soon as `after` micro-steps are committed; with a pause before it.
struct Interrupts final : RecordingObserver {
    Wish proceed() override {
        if (committed < after)
            return Wish::GoOn;
        if (pauses) // what the person sees: paused for a while, then quit
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return Wish::StopNow;
    }
    std::atomic<int> committed = 0;
    int after = 0;
    bool pauses = false;
};

std::string hashOfWhole(int lanes) {
    QTemporaryDir folder;
    RecordingObserver undisturbed;
    return Trainer::create(setupIn(folder.path().toStdString(), lanes)).value()->train(undisturbed).summary.weightsHash;
}

std::string newestBundle(const std::string& folder) {
    std::string newest; // names sort by update
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".resume")
            newest = std::max(newest, entry.path().string());
    return newest;
}

std::string resumeFrom(const TrainerSetup& setup, const std::string& bundle) {
    const auto trainer = Trainer::create(setup).value();
    if (!bundle.empty() && !trainer->restore(bundle))
        return "not restored";
    RecordingObserver rest;
    return trainer->train(rest).summary.weightsHash;
}

/// The hash of the resumed run; counts in `stopped` whether the first one was stopped in time.
std::string interruptedAndResumed(int after, bool pauses, int lanes, PlantedBug bug, int& stopped) {
    QTemporaryDir folder;
    Interrupts observer;
    observer.after = after;
    observer.pauses = pauses;
    TrainerSetup setup = setupIn(folder.path().toStdString(), lanes);
    TrainerSetup interrupted = setup;
    interrupted.bug = bug;
    interrupted.afterCommit = [&](std::int64_t) { ++observer.committed; };
    const TrainingEnd end = Trainer::create(interrupted).value()->train(observer);
    stopped += end.stopped;
    return resumeFrom(setup, observer.checkpoints.back().bundlePath);
}

} // namespace

class TestInterrupts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void stoppedNowOrPausedAndQuit_data() {
        QTest::addColumn<bool>("pauses");
        QTest::addColumn<int>("lanes");
        for (const bool pauses : {false, true})
            for (const int lanes : {1, 2})
                QTest::addRow("%s, %d lanes", pauses ? "paused and quit" : "stopped now", lanes) << pauses << lanes;
    }
    void stoppedNowOrPausedAndQuit() {
        QFETCH(bool, pauses);
        QFETCH(int, lanes);
        const std::string whole = hashOfWhole(lanes);
        int stopped = 0;
        for (int after = 0; after < microStepsInAll; ++after)
            QCOMPARE(interruptedAndResumed(after, pauses, lanes, PlantedBug::None, stopped), whole);
        QVERIFY(stopped >= microStepsInAll - lanes); // two lanes may have taken the last micro-steps already
    }

    // The mutant: a bundle without the open window's sums.
    void aForgottenWindowShows() {
        const std::string whole = hashOfWhole(1);
        int stopped = 0;
        QVERIFY(interruptedAndResumed(6, false, 1, PlantedBug::ResumeForgetsWindow, stopped) !=
                whole); // in the middle of window 2
        QCOMPARE(stopped, 1);
        QCOMPARE(interruptedAndResumed(8, false, 1, PlantedBug::ResumeForgetsWindow, stopped),
                 whole); // at a boundary nothing is forgotten
    }

    // kill -9: goes on from the last bundle.
    void killed() {
        const std::string whole = hashOfWhole(2);
        for (int after = 1; after <= 8; ++after) {
            QTemporaryDir folder;
            QProcess process;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(killedAfter, QString::number(after));
            environment.insert(killedFolder, folder.path());
            process.setProcessEnvironment(environment);
            process.start(QCoreApplication::applicationFilePath(),
                          {QStringLiteral("test_interrupts"), QStringLiteral("beKilled")});
            QVERIFY(process.waitForFinished(60000));
            QCOMPARE(process.exitStatus(), QProcess::CrashExit);
            QCOMPARE(process.exitCode(), SIGKILL);
            QCOMPARE(resumeFrom(setupIn(folder.path().toStdString(), 2), newestBundle(folder.path().toStdString())),
                     whole);
        }
    }

    /// The child of killed(); nothing without its variables.
    void beKilled() {
        if (!qEnvironmentVariableIsSet(killedAfter))
            return;
        TrainerSetup setup = setupIn(qEnvironmentVariable(killedFolder).toStdString(), 2);
        std::atomic<int> committed = 0;
        const int after = qEnvironmentVariableIntValue(killedAfter);
        setup.afterCommit = [&](std::int64_t) {
            if (++committed == after)
                ::kill(::getpid(), SIGKILL);
        };
        RecordingObserver observer;
        (void)Trainer::create(setup).value()->train(observer);
    }
};

QTEST_GUILESS_MAIN(TestInterrupts)
} // namespace test_interrupts
#include "test_interrupts.moc"
