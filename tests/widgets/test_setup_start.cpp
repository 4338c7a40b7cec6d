// SPDX-License-Identifier: GPL-3.0-or-later
// What would keep a start from working stands on the set-up page before Start is pressed, and goes when it is mended.
// And the rule by which the learning rate follows another batch is chosen there and kept with the experiment.
#include "tests/support/numeric.h"
#include "tests/widgets/page_fixture.h"
#include "tests/widgets/setup_machine.h"
#include "widgets/pages/setup/setup_page.h"

#include <QComboBox>
#include <QPushButton>
#include <QThread>
#include <atomic>

namespace test_setup_start {
using namespace accumulus;
using namespace accumulus::test;
using namespace accumulus::ui;

namespace {

/// Answers that a test changes while the page asks on its own thread.
struct Place {
    std::atomic<bool> writable = true;
    std::atomic<bool> gpuAnswers = true;
    std::atomic<bool> askedByGui = false;

    [[nodiscard]] StartQueries queries() {
        return {[this](const std::filesystem::path&) -> Status {
                    note();
                    if (writable)
                        return {};
                    return failure("library.output", {{"folder", "/out"}, {"reason", "Permission denied"}});
                },
                [this](const DeviceConfig& device, const std::filesystem::path&) -> Status {
                    note();
                    if (gpuAnswers || device.kind == "cpu")
                        return {};
                    return failure("device.gone", {{"device", device.kind}, {"reason", "no answer"}});
                }};
    }

private:
    void note() { askedByGui = askedByGui || QThread::currentThread() == qApp->thread(); }
};

} // namespace

class TestSetupStart : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<Place> m_place;
    std::unique_ptr<SetupPage> m_page;

    [[nodiscard]] bool shows(const char* name) {
        const auto* found = m_page->findChild<QWidget*>(QLatin1String(name));
        return found && found->isVisibleTo(m_page.get());
    }
    [[nodiscard]] bool startEnabled() { return child<QPushButton>(*m_page, "setup.start")->isEnabled(); }
    void click(const char* name) {
        auto* button = child<QPushButton>(*m_page, name);
        QVERIFY(button);
        button->click();
    }
    void type(const char* name, const QString& text) {
        auto* box = child<QWidget>(*m_page, name);
        QVERIFY(box);
        box->setFocus();
        QTest::keyClick(box, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(box, text);
    }
    void choose(const char* name, const char* choice) {
        auto* combo = child<QComboBox>(*m_page, name);
        QVERIFY(combo);
        combo->setCurrentIndex(combo->findData(QLatin1String(choice)));
        Q_EMIT combo->activated(combo->currentIndex());
    }
    [[nodiscard]] OptimizerConfig optimizer() { return m_page->experiment().run.optimizer; }

private Q_SLOTS:
    void init() {
        QLocale::setDefault(QLocale::c());
        m_fixture = std::make_unique<PageFixture>();
        QVERIFY(m_fixture->open());
        m_place = std::make_unique<Place>();
        m_page = std::make_unique<SetupPage>(m_fixture->services(), nullptr, madeUpMachine(m_place->queries()));
        m_page->resize(1120, 700);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        m_page->activateWindow();
        QTRY_VERIFY(startEnabled());
    }
    void cleanup() {
        m_page.reset();
        m_place.reset();
        m_fixture.reset();
    }

    void aFolderThatCannotBeWrittenIsToldAtOnce() {
        m_place->writable = false;
        m_page->activated();
        QTRY_VERIFY(shows("setup.summary.P02"));
        QCOMPARE(child<QLabel>(*m_page, "setup.summary.P02")->text(),
                 QStringLiteral("The output folder /out is not writable."));
        QVERIFY(shows("setup.summary.P02.choose-library"));
        QVERIFY(!startEnabled());
        QVERIFY(!m_page->canStart());
        m_place->writable = true;
        m_page->activated();
        QTRY_VERIFY(!shows("setup.summary.P02"));
        QVERIFY(startEnabled());
        QVERIFY(!m_place->askedByGui);
    }

    /// Nobody has to leave the page and come back.
    void itIsAskedAgainWhileThePageIsSeen() {
        m_place->writable = false;
        QTRY_VERIFY_WITH_TIMEOUT(shows("setup.summary.P02"), 20000);
        m_place->writable = true;
        QTRY_VERIFY_WITH_TIMEOUT(!shows("setup.summary.P02"), 20000);
    }

    void aDeviceThatHasGoneHasTwoCures() {
        m_place->gpuAnswers = false;
        m_page->activated(); // "auto" is asked
        QTRY_VERIFY(shows("setup.finding.D01"));
        QVERIFY(!startEnabled());
        m_place->gpuAnswers = true; // plugged in again
        click("setup.finding.D01.refresh-device");
        QTRY_VERIFY(!shows("setup.finding.D01"));
        m_place->gpuAnswers = false;
        m_page->activated();
        QTRY_VERIFY(shows("setup.finding.D01"));
        click("setup.finding.D01.use-cpu");
        QCOMPARE(m_page->experiment().run.device.kind, std::string("cpu"));
        QVERIFY(!shows("setup.finding.D01")); // what was said of another device counts no more
        QTRY_VERIFY(startEnabled());
        QVERIFY(!m_place->askedByGui);
    }

    void theQueueHasAButtonOfItsOwn() {
        const auto* enqueue = child<QPushButton>(*m_page, "setup.enqueue");
        QVERIFY(shows("setup.enqueue") && enqueue->isEnabled());
        QSignalSpy queued(m_page.get(), &SetupPage::queueRequested);
        QSignalSpy started(m_page.get(), &SetupPage::startRequested);
        click("setup.enqueue");
        QCOMPARE(queued.count(), 1);
        QVERIFY(started.isEmpty());
        m_place->gpuAnswers = false; // the device may be free by then
        m_page->activated();
        QTRY_VERIFY(!startEnabled());
        QVERIFY(enqueue->isEnabled());
        type("setup.batch.effective", QStringLiteral("250")); // no whole number of micro-batches
        QVERIFY(!enqueue->isEnabled());
        QCOMPARE(enqueue->toolTip(), child<QLabel>(*m_page, "setup.summary.B01")->text());
    }

    /// While something trains, Start adds to the queue, and the device may be free by then.
    void aDeviceInUseDoesNotKeepFromTheQueue() {
        ExperimentConfig endless;
        endless.run.model.name = "mlp";
        endless.run.data.dataset = "digits-generated";
        endless.run.data.trainLimit = 64;
        endless.run.batch.effective = 32;
        endless.run.batch.micro = 16;
        endless.run.train.length = {100'000, Extent::Unit::Epochs};
        endless.run.evaluate.every = endless.run.checkpoint.every = {0, Extent::Unit::Epochs};
        endless.run.device.kind = "cpu";
        endless.run.device.lanes = endless.run.device.threads = 1;
        RunController& runs = m_fixture->services().runs;
        runs.start(endless);
        QTRY_VERIFY(runs.busy());
        m_place->gpuAnswers = false;
        m_page->activated();
        QTRY_VERIFY(shows("setup.finding.D01"));
        QCOMPARE(child<QPushButton>(*m_page, "setup.start")->text(), QString("Add to queue"));
        QVERIFY(!shows("setup.enqueue")); // one button of that meaning
        QVERIFY(startEnabled() && m_page->canStart());
        QSignalSpy asked(m_page.get(), &SetupPage::startRequested);
        m_page->start(); // F5
        QCOMPARE(asked.count(), 1);
        runs.stop();
        QTRY_VERIFY_WITH_TIMEOUT(!runs.busy(), 60'000);
        QTRY_VERIFY(!startEnabled());
    }

    void anotherWindowIsToldInTheChecks() {
        const std::filesystem::path shared = m_fixture->path(QStringLiteral("shared.sqlite")).toStdString();
        LibraryGateway& library = m_fixture->services().library;
        auto other = std::make_unique<LibraryGateway>();
        QVERIFY(other->open(shared) && library.open(shared));
        QVERIFY(shows("setup.summary.library"));
        const QString why = child<QLabel>(*m_page, "setup.summary.library")->text();
        QCOMPARE(why, QStringLiteral("Another window has this library open."));
        QVERIFY(!startEnabled() && !m_page->canStart());
        QCOMPARE(child<QPushButton>(*m_page, "setup.start")->toolTip(), why);
        QVERIFY(!shows("setup.summary.library.show-field")); // no setting is to blame
        other.reset();
        QVERIFY(library.open(shared));
        QVERIFY(!shows("setup.summary.library"));
        QTRY_VERIFY(startEnabled());
    }

    /// Of weights and of the network's file, each with the way to its field.
    void whatTheNetworkRefusesIsToldInTheChecks() {
        SetupQueries queries = madeUpMachine(m_place->queries());
        queries.model = [](const RunConfig& run) -> Result<ModelFacts> {
            if (run.model.name == "file" && run.model.path.empty())
                return failure("model.file-unset", {});
            if (!run.model.weights.empty())
                return failure("weights.mismatch", {{"file", run.model.weights}});
            return ModelFacts{};
        };
        m_page = std::make_unique<SetupPage>(m_fixture->services(), nullptr, queries);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        m_page->activateWindow();
        QTRY_VERIFY(startEnabled());
        for (const bool weights : {true, false}) {
            ExperimentConfig experiment;
            if (weights)
                experiment.run.model.weights = "/other.safetensors";
            else
                experiment.run.model.name = "file";
            m_page->setExperiment(experiment);
            QTRY_VERIFY(shows("setup.summary.D14"));
            QVERIFY(!startEnabled());
            click("setup.summary.D14.show-field");
            auto* field = child<QWidget>(*m_page, weights ? "setup.model.weights" : "setup.model.path");
            QTRY_VERIFY(field->hasFocus());
            m_page->setExperiment({});
            QTRY_VERIFY(startEnabled());
            QVERIFY(!shows("setup.summary.D14"));
        }
    }

    void theChosenRuleIsKeptWithTheExperiment() {
        QCOMPARE(optimizer().lrBatch, std::int64_t{0});
        type("setup.batch.effective", QStringLiteral("512"));
        QVERIFY(shows("setup.finding.O01"));
        click("setup.finding.O01.linear");
        QVERIFY(compareBits(optimizer().lr, 0.02));
        QVERIFY(optimizer().lrRule == LrRule::Linear);
        QCOMPARE(optimizer().lrBatch, std::int64_t{256});
        QVERIFY(!shows("setup.finding.O01"));
        QVERIFY(shows("setup.optimizer.lr_rule") && shows("setup.optimizer.lr_batch"));
        // Another rule in its field: scaled from what it was tuned for, not a second time.
        choose("setup.optimizer.lr_rule", "keep");
        QVERIFY(compareBits(optimizer().lr, 0.01));
        choose("setup.optimizer.lr_rule", "linear");
        QVERIFY(compareBits(optimizer().lr, 0.02));
        // Yet another batch: the rule has not led there.
        type("setup.batch.effective", QStringLiteral("1024"));
        QVERIFY(optimizer().lrRule == LrRule::Keep);
        QCOMPARE(optimizer().lrBatch, std::int64_t{512});
        QVERIFY(child<QLabel>(*m_page, "setup.finding.O01")->text().contains(QStringLiteral("tuned for batch 512")));
        click("setup.finding.O01.keep-lr");
        QVERIFY(!shows("setup.finding.O01"));
        QVERIFY(compareBits(optimizer().lr, 0.02));
        // A learning rate of one's own has no rule.
        type("setup.optimizer.lr", QStringLiteral("0.3"));
        QCOMPARE(optimizer().lrBatch, std::int64_t{0});
        QVERIFY(!shows("setup.optimizer.lr_rule"));
    }

    void keepingIsStoredAndCanBeUndone() {
        type("setup.batch.effective", QStringLiteral("512"));
        click("setup.finding.O01.keep-lr");
        QVERIFY(optimizer().lrRule == LrRule::Keep);
        QCOMPARE(optimizer().lrBatch, std::int64_t{256});
        QVERIFY(!shows("setup.finding.O01"));
        m_page->undo();
        QCOMPARE(optimizer().lrBatch, std::int64_t{0});
        QVERIFY(shows("setup.finding.O01"));
        m_page->redo();
        QVERIFY(!shows("setup.finding.O01"));
    }
};

QTEST_MAIN(TestSetupStart)
} // namespace test_setup_start
#include "test_setup_start.moc"
