// SPDX-License-Identifier: GPL-3.0-or-later
// A run that fails for lack of memory or for values that are not finite: the ways out that Live offers, and what a
// person who looks elsewhere is told.
#include "app/workbench/end_notifier.h"
#include "app/workbench/status_line.h"
#include "tests/workbench/pictures.h"
#include "widgets/pages/setup/setup_page.h"

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include <atomic>

namespace test_ways_out {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

ExperimentConfig oneRun(std::int64_t micro) {
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.data.dataset = "digits-generated";
    experiment.run.data.trainLimit = 1024;
    experiment.run.data.testLimit = 20;
    experiment.run.model.name = "lenet5";
    experiment.run.batch.effective = 512;
    experiment.run.batch.micro = micro;
    experiment.run.device.lanes = experiment.run.device.threads = 1;
    experiment.run.train.length = {4, Extent::Unit::Updates};
    experiment.run.evaluate.every = {0, Extent::Unit::Epochs};
    experiment.run.checkpoint.every = {1, Extent::Unit::Updates};
    return experiment;
}

/// Every update makes the weights 999 times as large.
ExperimentConfig divergingRun() {
    ExperimentConfig experiment = oneRun(16);
    experiment.run.batch.effective = 32;
    experiment.run.train.length = {40, Extent::Unit::Updates};
    experiment.run.optimizer.lr = 1000.0;
    experiment.run.optimizer.weightDecay = 1.0;
    return experiment;
}

RunRecord newest(WorkbenchFixture& fixture) { return fixture.workbench().library().reader().runs().value().front(); }

RunRecord train(WorkbenchFixture& fixture, const ExperimentConfig& experiment) {
    fixture.window().showPage(QStringLiteral("live"));
    fixture.workbench().runs().start(experiment);
    fixture.waitUntilIdle(runTimeout);
    return newest(fixture);
}

} // namespace

class TestWaysOut : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void afterMemoryRanOutTheRunGoesOnInSmallerParts() {
        WorkbenchFixture fixture;
        const std::int64_t whole = train(fixture, oneRun(512)).summary.peakBytes;
        const std::int64_t half = train(fixture, oneRun(256)).summary.peakBytes;
        QVERIFY2(half < whole, qPrintable(QStringLiteral("%1 %2").arg(half).arg(whole)));
        QVERIFY(!fixture.find<QWidget>("liveRecovery")->isVisible());
        ExperimentConfig tight = oneRun(512);
        tight.run.device.memoryLimit = std::to_string((whole + half) / 2);
        tight.run.device.onOom = OnOutOfMemory::Stop;
        const RunRecord failed = train(fixture, tight);
        QCOMPARE(failed.state, RunState::Failed);
        QTRY_VERIFY(fixture.find<QWidget>("liveRecovery")->isVisible());
        QVERIFY(fixture.find<QLabel>("liveRecoveryText")->text().contains(QStringLiteral("Memory ran out")));
        takePictures(fixture, QStringLiteral("ways-out"));
        QCOMPARE(fixture.find<QPushButton>("liveRecoverySmaller")->text(),
                 QStringLiteral("Set up with 256 × 2, same effective batch"));
        fixture.click("liveRecoveryParts");
        QVERIFY(fixture.workbench().runs().busy());
        fixture.waitUntilIdle(runTimeout);
        const RunRecord mended = fixture.workbench().library().reader().run(failed.id).value();
        QCOMPARE(mended.state, RunState::Completed);
        QCOMPARE(mended.summary.updates, 4);
        QCOMPARE(mended.summary.samples, 4 * 512);
        QVERIFY(!fixture.find<QWidget>("liveRecovery")->isVisible());
    }

    void afterANonfiniteLossASlowerStudyIsSetUp() {
        WorkbenchFixture fixture;
        const ExperimentConfig diverges = divergingRun();
        QCOMPARE(train(fixture, diverges).state, RunState::Failed);
        QTRY_VERIFY(fixture.find<QWidget>("liveRecovery")->isVisible());
        fixture.click("liveRecoveryLr");
        QCOMPARE(fixture.window().currentPage(), QStringLiteral("setup"));
        const auto* setup = fixture.window().findChild<SetupPage*>();
        QCOMPARE(setup->experiment().run.optimizer.lr, 500.0);
        QCOMPARE(setup->experiment().run.batch.micro, 16);
        fixture.window().showPage(QStringLiteral("live"));
        fixture.click("liveRecoverySkip");
        QCOMPARE(setup->experiment().run.numerics.nonfinite, NonfinitePolicy::SkipUpdate);
        QCOMPARE(setup->experiment().run.optimizer.lr, 1000.0);
        // Another study has nothing to do with it.
        train(fixture, oneRun(256));
        QVERIFY(!fixture.find<QWidget>("liveRecovery")->isVisible());
    }

    void whoLooksElsewhereIsToldOfFailuresAndOnDemandOfEnds() {
        WorkbenchFixture fixture;
        auto* notifier = fixture.window().findChild<EndNotifier*>();
        QVERIFY(notifier);
        const QSignalSpy told(notifier, &EndNotifier::notified);
        const ExperimentConfig diverges = divergingRun();
        fixture.window().activateWindow();
        QTRY_VERIFY(fixture.window().isActiveWindow());
        train(fixture, diverges);
        QCOMPARE(told.count(), 0); // the person sees it
        QWidget other;
        other.show();
        other.activateWindow();
        QTRY_VERIFY(!fixture.window().isActiveWindow());
        train(fixture, oneRun(256));
        QCOMPARE(told.count(), 0); // ends are told on demand only
        train(fixture, diverges);
        QCOMPARE(told.count(), 1);
        QVERIFY(told[0][1].toString().contains(QStringLiteral("not finite")));
        fixture.find<QAction>("actionNotifyEnds")->trigger();
        train(fixture, oneRun(256));
        QCOMPARE(told.count(), 2);
        QVERIFY(told[1][1].toString().contains(QStringLiteral("1 of 1 runs")));
        fixture.find<QAction>("actionNotifyFailures")->trigger();
        train(fixture, diverges);
        QCOMPARE(told.count(), 2);
        // The choice is remembered.
        fixture.reopen();
        QVERIFY(fixture.find<QAction>("actionNotifyEnds")->isChecked());
        QVERIFY(!fixture.find<QAction>("actionNotifyFailures")->isChecked());
    }

    void theStatusBarTellsTheMemory() {
        WorkbenchFixture fixture;
        auto* memory = fixture.find<QLabel>("statusMemory");
        QVERIFY(memory->isVisible());
        static const QRegularExpression pattern(
            QStringLiteral("^Memory [0-9.,]+\u00a0[kMGT]?B of [0-9.,]+\u00a0[kMGT]?B$"));
        QVERIFY2(pattern.match(memory->text()).hasMatch(), qPrintable(memory->text()));
        QVERIFY(!memory->toolTip().contains(QStringLiteral("Tensors")));
        train(fixture, oneRun(256));
        QTRY_VERIFY(memory->toolTip().contains(QStringLiteral("Tensors of this training: at most ")));
    }

    /// Of a run that computes on one, while it trains; told here in the driver's place.
    void theStatusBarTellsTheMemoryOfTheGpu() {
        WorkbenchFixture fixture;
        Application& workbench = fixture.workbench();
        std::atomic<bool> asked = false;
        StatusLine line({workbench.theme(), workbench.library(), workbench.runs(), workbench.session()},
                        [&asked](const DeviceConfig& device) -> std::optional<MemoryUse> {
                            asked = device.kind == "cpu";
                            return MemoryUse{12'000'000'000, 80'000'000'000};
                        });
        const auto* memory = line.findChild<QLabel*>(QStringLiteral("statusMemory"));
        QVERIFY(!memory->text().contains(QStringLiteral("GPU")));
        ExperimentConfig experiment = oneRun(256);
        experiment.run.train.length = {100'000, Extent::Unit::Updates};
        experiment.run.device.kind = "cpu";
        workbench.runs().start(experiment);
        QTRY_VERIFY(memory->text().endsWith(QStringLiteral(" · GPU 12.0\u00a0GB of 80.0\u00a0GB")));
        QVERIFY(asked); // about this run's device
        workbench.runs().stop();
        QTRY_VERIFY(!memory->text().contains(QStringLiteral("GPU")));
    }
};

QTEST_MAIN(TestWaysOut)
} // namespace test_ways_out
#include "test_ways_out.moc"
