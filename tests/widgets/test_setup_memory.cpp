// SPDX-License-Identifier: GPL-3.0-or-later
// The memory bar of Set up, with needs that the test makes up.
#include "tests/support/made_up_plans.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/pages/setup/memory_bar.h"
#include "widgets/pages/setup/setup_page.h"
#include "widgets/style/number_box.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <atomic>

namespace test_setup_memory {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

namespace {

/// A formula of 20 MB + 1 MB a sample on a machine with `free` bytes; a plan where the test says so.
struct MadeUpMachine {
    std::shared_ptr<std::atomic<std::int64_t>> free = std::make_shared<std::atomic<std::int64_t>>(1'000'000'000);
    std::shared_ptr<std::atomic<bool>> planned = std::make_shared<std::atomic<bool>>(false);

    std::shared_ptr<std::atomic<std::int64_t>> total = std::make_shared<std::atomic<std::int64_t>>(0);
    std::shared_ptr<std::atomic<bool>> gpu = std::make_shared<std::atomic<bool>>(false);

    [[nodiscard]] SetupQueries queries() const {
        SetupQueries queries{[](const DataConfig&, const std::string&) -> Result<DataSummary> {
                                 return DataSummary{6000, 1000, {}};
                             },
                             [](const RunConfig&) -> Result<std::int64_t> { return 61706; },
                             [] { return DeviceSummary{}; }};
        queries.memory.estimate = [](const RunConfig& run) -> Result<MemoryEstimate> {
            const std::int64_t gradients = run.device.lanes == 2 ? 5'000'000 : 8'000'000; // as the plan has them
            return MemoryEstimate{4'000'000, gradients, 8'000'000, run.batch.micro * 1'000'000};
        };
        queries.memory.room = [free = free, total = total, gpu = gpu](const DeviceConfig&) {
            return DeviceRoom{gpu->load(), free->load(), total->load(), 4'000'000'000};
        };
        queries.memory.plan = [planned = planned](const std::filesystem::path&, const PlanRequest&) {
            return Result<std::optional<MicroPlan>>(planned->load() ? std::optional(madeUpPlan()) : std::nullopt);
        };
        return queries;
    }
};

} // namespace

class TestSetupMemory : public QObject {
    Q_OBJECT
private:
    std::unique_ptr<PageFixture> m_fixture;
    MadeUpMachine m_machine;
    std::unique_ptr<SetupPage> m_page;

    QString text(const char* name) { return child<QLabel>(*m_page, name)->text(); }
    MemoryBar& bar() { return *child<MemoryBar>(*m_page, "setup.memory"); }
    bool startEnabled() { return child<QPushButton>(*m_page, "setup.start")->isEnabled(); }
    void click(const char* name) { QTest::mouseClick(child<QPushButton>(*m_page, name), Qt::LeftButton); }
    QPushButton* button(const char* name) { return m_page->findChild<QPushButton*>(QLatin1String(name)); }
    void open() {
        m_page = std::make_unique<SetupPage>(m_fixture->services(), nullptr, m_machine.queries());
        m_page->resize(1132, 900);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        QTRY_VERIFY(bar().level() != MemoryLevel::Unknown);
    }

private Q_SLOTS:
    void initTestCase() {
        QCoreApplication::setOrganizationName(QStringLiteral("Accumulus"));
        QCoreApplication::setApplicationName(QStringLiteral("test_setup_memory"));
        QLocale::setDefault(QLocale::c());
    }
    void init() {
        m_fixture = std::make_unique<PageFixture>();
        m_machine = {};
        QVERIFY(m_fixture->open());
    }
    void cleanup() {
        m_page.reset();
        m_fixture.reset();
    }

    void ofARefusedBatchNothingIsTold() {
        open();
        QVERIFY(text("setup.memory.amount").contains(QStringLiteral("MB")));
        auto* micro = child<NumberBox>(*m_page, "setup.batch.micro");
        micro->setFocus();
        micro->selectAll();
        QTest::keyClicks(micro, QStringLiteral("abc"));
        QCOMPARE(text("setup.memory.amount"), QStringLiteral("Memory: –"));
        QVERIFY(!child<QLabel>(*m_page, "setup.memory.peak")->isVisible());
        micro->selectAll();
        QTest::keyClicks(micro, QStringLiteral("16"));
        QTRY_VERIFY(text("setup.memory.amount").contains(QStringLiteral("MB")));
    }

    void theFormulaSaysThatItIsOne() {
        open(); // m = 32: 52 MB
        QCOMPARE(bar().level(), MemoryLevel::Fits);
        QCOMPARE(text("setup.memory.amount").replace(QChar(0x00A0), ' '),
                 QStringLiteral("Memory fits: 52.0 MB of 1.0 GB (formula, ± wide)"));
        QVERIFY(text("setup.memory.parts")
                    .replace(QChar(0x00A0), ' ')
                    .contains(
                        QStringLiteral("activations 32.0 MB, optimizer 8.0 MB, gradients 8.0 MB, parameters 4.0 MB")));
        QVERIFY(startEnabled());
        const QSignalSpy planning(m_page.get(), &SetupPage::planRequested);
        click("setup.summary.M02.probe");
        click("setup.plan");
        QCOMPARE(planning.size(), 2);
    }

    void whatWasMeasuredReplacesTheFormulaAndTellsTheTime() {
        *m_machine.planned = true;
        open();
        QTRY_VERIFY(text("setup.memory.amount").contains(QStringLiteral("(measured)")));
        QVERIFY(!button("setup.summary.M02.probe"));
        // 3 epochs of 6 000 samples by 5 seeds: m = 32 at 3 200 samples/s, the large arm at 32 000 / 9: 53 s.
        QTRY_VERIFY(text("setup.summary.runs").contains(QStringLiteral("10 run(s), about ")));
    }

    // The plan's 20 MB at no sample are 17 by the formula, on the plan's lanes.
    void aPlanTellsTheWorkspace() {
        const auto parts = [&] { return text("setup.memory.parts").replace(QChar(0x00A0), ' '); };
        open();
        QVERIFY(!parts().contains(QStringLiteral("workspace"))); // no formula tells it
        *m_machine.planned = true;
        m_page->activated();
        QTRY_COMPARE(parts(), QStringLiteral("activations 32.0 MB, workspace and the rest 3.0 MB, optimizer 8.0 MB, "
                                             "gradients 5.0 MB, parameters 4.0 MB"));
        auto experiment = m_page->experiment();
        experiment.run.batch.micro = 48; // by the fit only: the formula's parts
        experiment.run.batch.ragged = RaggedPolicy::Weight;
        m_page->setExperiment(experiment);
        QTRY_VERIFY2(parts().startsWith(QStringLiteral("formula 68.0 MB: activations 48.0 MB, optimizer")),
                     qPrintable(parts()));
    }

    // Without activations there is no verdict, and no Start is refused.
    void aNetworkFromAFileIsNotJudged() {
        SetupQueries queries = m_machine.queries();
        queries.memory.estimate = [](const RunConfig& run) -> Result<MemoryEstimate> {
            std::error_code none;
            const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(run.model.path, none));
            return MemoryEstimate{1'000'000 * bytes, 0, 0, 0, false};
        };
        const QString file = m_fixture->path(QStringLiteral("net.pt"));
        const auto write = [&](int bytes) {
            QFile net(file);
            QVERIFY(net.open(QIODevice::WriteOnly));
            net.write(QByteArray(bytes, 'x'));
        };
        write(20);
        m_page = std::make_unique<SetupPage>(m_fixture->services(), nullptr, queries);
        m_page->resize(1132, 900);
        m_page->show();
        ExperimentConfig experiment;
        experiment.run.model.name = "file";
        experiment.run.model.path = file.toStdString();
        m_page->setExperiment(experiment);
        QTRY_COMPARE(text("setup.memory.amount").replace(QChar(0x00A0), ' '),
                     QStringLiteral("Memory: 20.0 MB of 1.0 GB (without activations)"));
        QCOMPARE(bar().level(), MemoryLevel::Unknown);
        QVERIFY(text("setup.memory.parts").startsWith(QStringLiteral("activations not known")));
        QVERIFY(text("setup.summary.M02").contains(QStringLiteral("Plan micro-batch measures them")));
        QVERIFY(startEnabled());
        write(5000); // exported again under the same name, and far larger
        m_page->activated();
        QTRY_COMPARE(bar().level(), MemoryLevel::Exceeds);
        QVERIFY(button("setup.summary.M01.probe"));
        QVERIFY(startEnabled());
    }

    void whatOthersUseStandsBesideTheParts() {
        *m_machine.total = 4'000'000'000;
        open();
        QTRY_VERIFY(text("setup.memory.parts")
                        .replace(QChar(0x00A0), ' ')
                        .endsWith(QStringLiteral("parameters 4.0 MB; used by others 3.0 GB, device 4.0 GB")));
        QCOMPARE(bar().level(), MemoryLevel::Fits); // of what is free
        auto experiment = m_page->experiment();
        experiment.run.batch.devices = 2; // processes that share the machine
        m_page->setExperiment(experiment);
        QTRY_VERIFY(!text("setup.memory.parts").contains(QStringLiteral("used by others")));
    }

    // Each rank has a card of its own, and what one of them lacks another program has.
    void aGpuTellsWhatItHasAndWhatIsFree() {
        *m_machine.gpu = true;
        *m_machine.free = 6'000'000'000;
        *m_machine.total = 8'000'000'000;
        open();
        auto experiment = m_page->experiment();
        experiment.run.batch.devices = 2;
        m_page->setExperiment(experiment);
        QTRY_VERIFY(text("setup.memory.parts")
                        .replace(QChar(0x00A0), ' ')
                        .endsWith(QStringLiteral("used by others 2.0 GB, free 6.0 GB, GPU 8.0 GB")));
        QTRY_VERIFY2(
            text("setup.memory.amount").replace(QChar(0x00A0), ' ').contains(QStringLiteral(" of 6.0 GB (formula")),
            qPrintable(text("setup.memory.amount")));
    }

    void theLargeArmThatDoesNotFitHasWaysOut() {
        *m_machine.free = 160'000'000; // the large batch needs 276 MB
        open();
        QTRY_VERIFY(button("setup.summary.M05.smaller-batch"));
        QVERIFY(!button("setup.summary.M05.use-cpu"));
        const QSignalSpy audits(m_page.get(), &SetupPage::auditRequested);
        const ExperimentConfig before = m_page->experiment();
        click("setup.summary.M05.audit-only");
        QCOMPARE(audits.size(), 1);
        QVERIFY(m_page->experiment() == before);
        click("setup.summary.M05.smaller-batch");
        QCOMPARE(m_page->experiment().run.batch.effective, 128);
        QCOMPARE(m_page->experiment().run.batch.micro, 32);
        QTRY_VERIFY(!button("setup.summary.M05.no-large-batch"));
    }

    // "auto" on a computer with a GPU, and then with a limit that holds for the CPU as well.
    void theLargeArmMayGoToTheCpuWhereThatHasRoom() {
        *m_machine.gpu = true;
        *m_machine.free = 160'000'000;
        open();
        QTRY_VERIFY(button("setup.summary.M05.use-cpu"));
        auto experiment = m_page->experiment();
        experiment.run.device.memoryLimit = "150 MB";
        m_page->setExperiment(experiment);
        QTRY_VERIFY(!button("setup.summary.M05.use-cpu"));
        QVERIFY(button("setup.summary.M05.no-large-batch"));
    }

    void anAmberBarOnlyWarnsByItsColourAndWord() {
        *m_machine.free = 60'000'000; // 52 of 60: 87 %
        open();
        QCOMPARE(bar().level(), MemoryLevel::Tight);
        QVERIFY(text("setup.memory.amount").startsWith(QStringLiteral("Memory is tight")));
        QVERIFY(startEnabled());
    }

    // On two lanes 256 samples would take 276 MB; on its one lane the large batch takes 20 + 128.
    void theLargeBatchIsNotJudgedByTheLanesOfTheOtherArm() {
        *m_machine.planned = true;
        *m_machine.free = 160'000'000;
        open();
        QTRY_VERIFY(text("setup.memory.amount").contains(QStringLiteral("(measured)")));
        QTRY_VERIFY(!button("setup.summary.M05.no-large-batch"));
        *m_machine.free = 150'000'000; // 99 %
        m_page->activated();
        QTRY_VERIFY(button("setup.summary.M05.no-large-batch"));
        QVERIFY2(text("setup.summary.M05").contains(QStringLiteral("needs about 148 MB (measured fit)")),
                 qPrintable(text("setup.summary.M05")));
    }

    // What the planner has measured within the limit is what training takes of it.
    void aLimitOfOnesOwnMayBeUsedUp() {
        *m_machine.planned = true;
        *m_machine.total = 4'000'000'000;
        open();
        auto experiment = m_page->experiment();
        experiment.study.largeBatch = false;
        experiment.run.device.memoryLimit = "53 MB"; // 52 of 53: 98 %
        m_page->setExperiment(experiment);
        QTRY_COMPARE(text("setup.memory.amount").replace(QChar(0x00A0), ' '),
                     QStringLiteral("Memory is tight: 52.0 MB of the limit of 53.0 MB (measured)"));
        QVERIFY(!button("setup.summary.M01.halve-micro"));
        QTRY_VERIFY(startEnabled());
        experiment.run.device.memoryLimit = "51 MB";
        m_page->setExperiment(experiment);
        QTRY_COMPARE(bar().level(), MemoryLevel::Exceeds);
        QTRY_COMPARE(text("setup.summary.M01"),
                     QStringLiteral("Needs about 52.0 MB (measured), the memory limit is 51.0 MB."));
        QVERIFY(!startEnabled());
    }

    void redHoldsStartBackUntilTheFixOrAnyway() {
        *m_machine.free = 50'000'000;
        open();
        QCOMPARE(bar().level(), MemoryLevel::Exceeds);
        QVERIFY(!startEnabled());
        QCOMPARE(text("setup.summary.M01"), QStringLiteral("Needs about 52.0 MB (formula), 50.0 MB free."));
        const QSignalSpy started(m_page.get(), &SetupPage::startRequested);
        m_page->start();
        QCOMPARE(started.size(), 0);

        click("setup.summary.M01.halve-micro");
        QCOMPARE(m_page->experiment().run.batch.micro, 16);
        QCOMPARE(m_page->experiment().run.batch.effective, 256);
        QTRY_COMPARE(bar().level(), MemoryLevel::Fits); // 36 of 50
        QVERIFY(startEnabled());
        m_page->undo();
        QTRY_VERIFY(!startEnabled());

        click("setup.summary.M01.start-anyway");
        QCOMPARE(started.size(), 1);
        QVERIFY(startEnabled());
        QVERIFY(!button("setup.summary.M01.start-anyway"));
        QVERIFY(button("setup.summary.M01.halve-micro"));
    }

    void aChosenSizeKeepsTheEffectiveBatch() {
        open();
        m_page->useMicroBatch(64, 4);
        QCOMPARE(m_page->experiment().run.batch.micro, 64);
        QCOMPARE(child<NumberBox>(*m_page, "setup.batch.steps")->integer(), std::optional<std::int64_t>(4));
        m_page->useMicroBatch(48, 6); // 5 of 48 and one of 16
        QCOMPARE(m_page->experiment().run.batch.ragged, RaggedPolicy::Weight);
        QCOMPARE(resolveBatch(m_page->experiment().run.batch).value().steps, 6);
        QCOMPARE(m_page->experiment().run.batch.effective, 256);
        ExperimentConfig bySteps = m_page->experiment();
        bySteps.run.batch = {};
        bySteps.run.batch.micro = 32;
        bySteps.run.batch.steps = 8;
        bySteps.run.batch.effective = 0;
        m_page->setExperiment(bySteps);
        m_page->useMicroBatch(64, 4);
        QCOMPARE(resolveBatch(m_page->experiment().run.batch).value().effective, 256);
    }

    void theLastRunsPeakStandsBesideTheEstimate() {
        open();
        QVERIFY(!child<QLabel>(*m_page, "setup.memory.peak")->isVisible());
        SyntheticStudy study;
        study.seedsA = study.seedsB = firstSeeds(1);
        study.finalA = study.finalB = {0.98};
        study.windows = 60;
        const SyntheticRuns runs = m_fixture->add(study);
        QVERIFY(!runs.groupA.empty());
        const auto run = m_fixture->services().library.reader().run(runs.groupA.front());
        QVERIFY(run);
        m_page->setExperiment({run->config, {}});
        m_page->activated();
        QTRY_VERIFY(child<QLabel>(*m_page, "setup.memory.peak")->isVisible());
        QVERIFY(text("setup.memory.peak").contains(QStringLiteral("21.0")));
    }
};

QTEST_MAIN(TestSetupMemory)
} // namespace test_setup_memory
#include "test_setup_memory.moc"
