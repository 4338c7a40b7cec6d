// SPDX-License-Identifier: GPL-3.0-or-later
// A study on another machine, from the window: the place is named, the study started and followed; the window is closed
// and opened again, the connection cut, the study stopped and resumed. The machine is a real sshd on the loopback
// address, and to its owner it must be as if the window trained itself.
#include "tests/support/cli_program.h"
#include "tests/support/loopback_host.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/library/run_exports.h"
#include "widgets/pages/setup/setup_page.h"

#include <QComboBox>
#include <QDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

#include <algorithm>
#include <cmath>

namespace test_train_in_another_place {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

ExperimentConfig farExperiment(std::int64_t epochs) {
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.data.dataset = "digits-generated";
    experiment.run.model.hidden = {256, 256};
    experiment.run.train.length = {epochs, Extent::Unit::Epochs};
    experiment.run.evaluate.every = {50, Extent::Unit::Epochs};
    experiment.run.checkpoint.every = {0, Extent::Unit::Epochs};
    experiment.run.device.lanes = 1;
    experiment.run.device.threads = 1;
    experiment.study.name = "far";
    return experiment;
}

RunRecord newestRun(WorkbenchFixture& fixture) { return fixture.workbench().library().reader().runs().value().front(); }

} // namespace

class TestTrainInAnotherPlace : public QObject {
    Q_OBJECT

    std::unique_ptr<LoopbackHost> m_host;

private Q_SLOTS:
    void initTestCase() {
        m_host = std::make_unique<LoopbackHost>();
        if (!m_host->problem().isEmpty())
            QSKIP(qPrintable(m_host->problem()));
    }
    void cleanupTestCase() { m_host.reset(); }

    void aPlaceIsNamed();
    void aStudyOutlivesTheWindow();
};

void TestTrainInAnotherPlace::aPlaceIsNamed() {
    WorkbenchFixture fixture;
    fixture.window().showPage(QStringLiteral("setup"));
    fixture.window().findChild<SetupPage*>()->setExperiment(farExperiment(500));
    auto* place = fixture.find<QComboBox>("setup.place");
    QCOMPARE(place->currentIndex(), 0);
    QVERIFY(!fixture.find<QWidget>("setup.place.edit")->isVisible());

    // The last entry asks for one.
    QTest::keyClick(place, Qt::Key_End);
    auto* dialog = fixture.window().findChild<QDialog*>(QStringLiteral("placeDialog"));
    QVERIFY(dialog && dialog->isVisible());
    auto* save = dialog->findChild<QPushButton*>(QStringLiteral("place.save"));
    QVERIFY(!save->isEnabled()); // nothing is said yet
    auto* host = dialog->findChild<QLineEdit*>(QStringLiteral("place.host"));
    QTest::keyClicks(host, QStringLiteral("-oProxyCommand=x"));
    QVERIFY(!save->isEnabled());
    QVERIFY(dialog->findChild<QLabel*>(QStringLiteral("place.problem"))->isVisible());
    host->clear();
    QTest::keyClicks(host, QStringLiteral("far.example"));
    QVERIFY(save->isEnabled());
    QTest::mouseClick(save, Qt::LeftButton);
    QTRY_VERIFY(!fixture.window().findChild<QDialog*>(QStringLiteral("placeDialog")));
    QCOMPARE(place->currentText(), QStringLiteral("far.example"));
    QCOMPARE(fixture.find<QLabel>("setup.summary.device")->text(), QStringLiteral("far.example"));

    // What this machine lacks is no obstacle there.
    ExperimentConfig elsewhere = farExperiment(500);
    elsewhere.run.device.kind = "cuda:0";
    elsewhere.run.batch.devices = 2;
    fixture.window().findChild<SetupPage*>()->setExperiment(elsewhere);
    QTRY_VERIFY(fixture.window().findChild<SetupPage*>()->canStart());

    // It is there after a restart, and can be removed.
    fixture.reopen();
    fixture.window().showPage(QStringLiteral("setup"));
    QCOMPARE(fixture.find<QComboBox>("setup.place")->currentText(), QStringLiteral("far.example"));
    fixture.click("setup.place.edit");
    dialog = fixture.window().findChild<QDialog*>(QStringLiteral("placeDialog"));
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("place.remove")), Qt::LeftButton);
    QTRY_COMPARE(fixture.find<QComboBox>("setup.place")->currentIndex(), 0);
    QCOMPARE(fixture.find<QComboBox>("setup.place")->count(), 3); // this computer, a line, another place
}

void TestTrainInAnotherPlace::aStudyOutlivesTheWindow() {
    WorkbenchFixture fixture;
    RunController* runs = &fixture.workbench().runs();
    // As many epochs as take this machine eight seconds: it still trains after all that is done to it.
    runs->start(farExperiment(20));
    fixture.waitUntilIdle(runTimeout);
    const double samples = 8.0 * newestRun(fixture).summary.samplesPerSecond;
    const ExperimentConfig experiment = farExperiment(std::max<std::int64_t>(std::llround(samples / 1000.0), 20));
    runs->start(experiment);
    fixture.waitUntilIdle(runTimeout);
    const RunRecord alone = newestRun(fixture);
    QCOMPARE(alone.state, RunState::Completed);

    LaunchPlace place;
    place.host = LoopbackHost::name().toStdString();
    place.program = programPath(QStringLiteral("accumulus-cli")).toStdString();
    place.library = fixture.file(QStringLiteral("there.sqlite")).toStdString();
    runs->startElsewhere(experiment, place);
    QTRY_COMPARE_WITH_TIMEOUT(runs->state(), RunState::Running, runTimeout);
    fixture.window().showPage(QStringLiteral("live"));
    const auto updates = [&] { return fixture.find<QLabel>("liveUpdates")->text(); };
    const QString atFirst = updates();
    QTRY_VERIFY_WITH_TIMEOUT(updates() != atFirst, runTimeout);

    // The network goes away for a moment, and comes back.
    QVERIFY(m_host->control(QStringLiteral("cut")));
    const QString before = updates();
    QTRY_VERIFY_WITH_TIMEOUT(updates() != before, runTimeout);

    // The window is closed; the study goes on.
    QTest::keyClick(&fixture.window(), Qt::Key_F8);
    QTRY_COMPARE_WITH_TIMEOUT(runs->state(), RunState::Paused, runTimeout);
    fixture.window().close();
    QVERIFY(fixture.window().isVisible());
    fixture.click("closeLeave");
    QTRY_VERIFY_WITH_TIMEOUT(!fixture.window().isVisible(), runTimeout);
    fixture.reopen();
    runs = &fixture.workbench().runs();
    auto* notice = fixture.find<QWidget>("elsewhereNotice");
    QTRY_VERIFY(notice->isVisible());
    QVERIFY(!fixture.find<QWidget>("interruptedBar")->isVisible());
    QVERIFY(newestRun(fixture).summary.updates < alone.summary.updates);

    // Followed again, it is still paused; then it goes on, and is stopped.
    QTest::mouseClick(notice->findChild<QPushButton*>(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(runs->state(), RunState::Paused, runTimeout);
    QVERIFY(!notice->isVisible());
    QTest::keyClick(&fixture.window(), Qt::Key_F8);
    QTRY_COMPARE_WITH_TIMEOUT(runs->state(), RunState::Running, runTimeout);
    QTest::keyClick(&fixture.window(), Qt::Key_F5, Qt::ShiftModifier);
    fixture.waitUntilIdle(runTimeout);
    QCOMPARE(newestRun(fixture).state, RunState::Stopped);

    // Resumed, it goes on over there.
    runs->resumeRun(QString::fromStdString(newestRun(fixture).id));
    QTRY_VERIFY_WITH_TIMEOUT(runs->isElsewhere(), runTimeout);
    fixture.waitUntilIdle(runTimeout);
    const RunRecord far = newestRun(fixture);
    QVERIFY(far.id != alone.id);
    QCOMPARE(far.state, RunState::Completed);
    QCOMPARE(far.summary.weightsHash, alone.summary.weightsHash);
    QCOMPARE(fixture.workbench().library().reader().windowCount(far.id).value(), alone.summary.updates);

    // Its weights come when they are wanted.
    RunExports exports(fixture.workbench().library(), nullptr);
    QSignalSpy written(&exports, &RunExports::written), failed(&exports, &RunExports::failed);
    const QString file = fixture.file(QStringLiteral("far.safetensors"));
    exports.write({far}, ExportKind::WeightsLast, {file});
    QTRY_COMPARE_WITH_TIMEOUT(written.count() + failed.count(), 1, runTimeout);
    QCOMPARE(failed.count(), 0);
    QVERIFY(QFileInfo(file).size() > 0);
}

QTEST_MAIN(TestTrainInAnotherPlace)
} // namespace test_train_in_another_place
#include "test_train_in_another_place.moc"
