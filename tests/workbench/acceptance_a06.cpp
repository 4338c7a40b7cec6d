// SPDX-License-Identifier: GPL-3.0-or-later
// A set-up that needs more memory than there is: red bar, Start held back, M01 with its fix; after the run the measured
// peak stands beside the estimate. The real window over the real engine.
#include "core/run/micro_planner.h"
#include "tests/workbench/workbench_fixture.h"
#include "widgets/pages/setup/memory_bar.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/style/format.h"
#include "widgets/style/number_box.h"

#include <QLabel>
#include <QPushButton>

namespace acceptance_a06 {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

/// LeNet-5: its memory grows with the micro-batch, so that half of it is felt. One lane of one thread, so that nothing
/// is calibrated.
ExperimentConfig lenet(std::int64_t micro, const std::string& limit) {
    ExperimentConfig experiment = tinyExperiment();
    experiment.run.model.name = "lenet5";
    experiment.run.batch.micro = micro;
    experiment.run.train.length = {4, Extent::Unit::Updates};
    experiment.run.device.lanes = 1;
    experiment.run.device.threads = 1;
    experiment.run.device.memoryLimit = limit;
    return experiment;
}

std::string megabytes(double bytes) { return std::to_string(bytes / 1e6) + " MB"; }

/// Peak memory by tensors of the only completed run.
std::int64_t measuredPeak(WorkbenchFixture& fixture) {
    const auto runs = fixture.workbench().library().reader().runs();
    return runs && !runs->empty() ? runs->front().summary.peakBytes : 0;
}

} // namespace

class AcceptanceA06 : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Of LeNet-5 at m = 128 activations are about 90 %, so that m = 64 needs about 0.55 of it: 0.7 lies between.
    void aSetUpThatNeedsTooMuchIsHeldBackUntilItIsMended() {
        WorkbenchFixture fixture;
        fixture.window().showPage(QStringLiteral("setup"));
        auto* page = fixture.window().findChild<SetupPage*>();
        const auto need = estimateMemory(lenet(128, "").run);
        QVERIFY(need);
        const std::string limit = megabytes(0.7 * static_cast<double>(need->total()));
        page->setExperiment(lenet(128, limit));
        auto* bar = fixture.window().findChild<MemoryBar*>();
        QTRY_COMPARE_WITH_TIMEOUT(bar->level(), MemoryLevel::Exceeds, 20'000);
        auto* start = fixture.find<QPushButton>("setup.start");
        QVERIFY(!start->isEnabled());
        const QString sentence = fixture.find<QLabel>("setup.summary.M01")->text();
        QVERIFY2(sentence.startsWith(QStringLiteral("Needs about ")) &&
                     sentence.contains(QStringLiteral(", the memory limit is ")),
                 qPrintable(sentence));
        QTest::mouseClick(start, Qt::LeftButton); // disabled: nothing happens
        QVERIFY(!fixture.workbench().runs().busy());

        QCOMPARE(fixture.find<QPushButton>("setup.summary.M01.halve-micro")->text(),
                 QStringLiteral("Micro-batch 64, K 4 (same B)"));
        fixture.click("setup.summary.M01.halve-micro");
        QCOMPARE(page->experiment().run.batch.micro, 64);
        QCOMPARE(page->experiment().run.batch.effective, 256);
        QCOMPARE(fixture.find<NumberBox>("setup.batch.steps")->integer(), std::optional<std::int64_t>(4));
        QTRY_VERIFY_WITH_TIMEOUT(bar->level() == MemoryLevel::Fits || bar->level() == MemoryLevel::Tight, 20'000);
        QTRY_VERIFY(start->isEnabled());
        QVERIFY(!fixture.find<QLabel>("setup.memory.peak")->isVisible());

        fixture.click("setup.start");
        QVERIFY(fixture.workbench().runs().busy());
        fixture.waitUntilIdle(runTimeout);
        const std::int64_t peak = measuredPeak(fixture);
        QVERIFY(peak > 0);
        fixture.window().showPage(QStringLiteral("setup"));
        auto* beside = fixture.find<QLabel>("setup.memory.peak");
        QTRY_VERIFY_WITH_TIMEOUT(beside->isVisible(), 10'000);
        QVERIFY2(beside->text().contains(format::bytes(peak)), qPrintable(beside->text()));
    }

    void startAnywayStarts() {
        WorkbenchFixture fixture;
        fixture.window().showPage(QStringLiteral("setup"));
        fixture.window().findChild<SetupPage*>()->setExperiment(lenet(64, "1 MB"));
        auto* start = fixture.find<QPushButton>("setup.start");
        QTRY_VERIFY_WITH_TIMEOUT(!start->isEnabled(), 20'000);
        QTRY_VERIFY(fixture.window().findChild<QPushButton*>(QStringLiteral("setup.summary.M01.start-anyway")));
        fixture.click("setup.summary.M01.start-anyway");
        QVERIFY(fixture.workbench().runs().busy());
        fixture.waitUntilIdle(runTimeout);
        fixture.window().showPage(QStringLiteral("setup"));
        QVERIFY(start->isEnabled()); // accepted for this set-up
    }
};

QTEST_MAIN(AcceptanceA06)
} // namespace acceptance_a06
#include "acceptance_a06.moc"
