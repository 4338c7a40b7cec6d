// SPDX-License-Identifier: GPL-3.0-or-later
// The planner page as a person uses it, with plans that the test makes up.
#include "tests/support/made_up_plans.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/models/micro_point_model.h"
#include "widgets/pages/planner/planner_page.h"
#include "widgets/plots/plot_view.h"

#include <QCheckBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <atomic>
#include <condition_variable>
#include <mutex>

namespace test_planner_page {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

namespace {

/// A planner that hands out madeUpPlan(), size by size as the test lets it.
class SlowPlanner {
public:
    [[nodiscard]] PlanSource source() {
        return {[this](const PlanRequest& request, const PlanProgress& progress, std::stop_token stop) {
                    return measure(request, progress, stop);
                },
                [this](const std::filesystem::path&, const PlanRequest& request, const MicroPlan& plan) -> Status {
                    const std::lock_guard lock(m_mutex);
                    kept = plan;
                    keptFor = request.config;
                    return {};
                },
                [this](const std::filesystem::path&, const PlanRequest& request) -> Result<std::optional<MicroPlan>> {
                    const std::lock_guard lock(m_mutex);
                    return keptFor == request.config ? kept : std::nullopt;
                }};
    }
    void allow(int sizes) {
        const std::lock_guard lock(m_mutex);
        m_allowed += sizes;
        m_changed.notify_all();
    }

    std::optional<MicroPlan> kept;
    std::optional<RunConfig> keptFor;
    std::optional<Error> error;
    PlanRequest asked;

private:
    Result<MicroPlan> measure(const PlanRequest& request, const PlanProgress& progress, const std::stop_token& stop) {
        asked = request;
        if (error)
            return failure(*error);
        const MicroPlan whole = madeUpPlan();
        MicroPlan soFar = whole;
        soFar.points.clear();
        soFar.recommended.reset();
        soFar.sentence = {};
        const std::stop_callback wake(stop, [this] { m_changed.notify_all(); });
        for (const MicroPoint& point : whole.points) {
            std::unique_lock lock(m_mutex);
            while (m_allowed == 0 && !stop.stop_requested())
                m_changed.wait_for(lock, std::chrono::milliseconds(10));
            if (stop.stop_requested()) {
                soFar.cancelled = true;
                return soFar;
            }
            --m_allowed;
            lock.unlock();
            soFar.points.push_back(point);
            progress(soFar);
        }
        return whole;
    }

    std::mutex m_mutex;
    std::condition_variable m_changed;
    int m_allowed = 0;
};

ExperimentConfig experimentOf(std::int64_t effective) {
    ExperimentConfig experiment;
    experiment.run.batch.effective = effective;
    experiment.run.batch.micro = 32;
    return experiment;
}

} // namespace

class TestPlannerPage : public QObject {
    Q_OBJECT
private:
    std::unique_ptr<PageFixture> m_fixture;
    std::unique_ptr<SlowPlanner> m_planner;
    std::unique_ptr<PlannerPage> m_page;

    template <class T>
    T* find(const char* name) {
        return child<T>(*m_page, name);
    }
    QString text(const char* name) { return find<QLabel>(name)->text(); }
    void click(const char* name) { QTest::mouseClick(find<QAbstractButton>(name), Qt::LeftButton); }
    QString summary(const char* plot) { return find<PlotView>(plot)->summaryText(); }
    int rows() { return find<QTableView>("plannerTable")->model()->rowCount(); }

private Q_SLOTS:
    void initTestCase() {
        QCoreApplication::setOrganizationName(QStringLiteral("Accumulus"));
        QCoreApplication::setApplicationName(QStringLiteral("test_planner_page"));
        QLocale::setDefault(QLocale::c());
    }

    void init() {
        m_fixture = std::make_unique<PageFixture>();
        m_planner = std::make_unique<SlowPlanner>();
        QVERIFY(m_fixture->open());
        m_page = std::make_unique<PlannerPage>(m_fixture->services(), nullptr, m_planner->source());
        m_page->resize(1084, 640);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        m_page->setExperiment(experimentOf(256));
    }

    void cleanup() {
        m_page.reset(); // before the planner that its thread calls
        m_planner.reset();
        m_fixture.reset();
    }

    void emptyItSaysWhatWillAppearAndOffersToPlan() {
        QVERIFY(find<QWidget>("plannerEmpty")->isVisible());
        QCOMPARE(text("plannerSubject"), QStringLiteral("LeNet-5 on MNIST, fp32, B = 256"));
        QVERIFY(!find<QPushButton>("plannerCancel")->isEnabled());
        auto* button = find<QWidget>("plannerEmpty")->findChild<QPushButton*>();
        QCOMPARE(button->text(), QStringLiteral("Plan"));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(m_page->busy());
        QCOMPARE(button->text(), QStringLiteral("Cancel"));
        takePicture(*m_page, QStringLiteral("planner-empty"));
    }

    void aBatchThatDoesNotComeOutIsMendedInSetUp() {
        m_page->setExperiment(experimentOf(250));
        QVERIFY(!find<QPushButton>("plannerStart")->isEnabled());
        const QSignalSpy wanted(m_page.get(), &PlannerPage::setupRequested);
        QTest::mouseClick(find<QWidget>("plannerEmpty")->findChild<QPushButton*>(), Qt::LeftButton);
        QCOMPARE(wanted.size(), 1);
        click("plannerChange");
        QCOMPARE(wanted.size(), 2);
    }

    void theMemoryLimitIsShownAndChangedInItsField() {
        auto* limit = find<QPushButton>("plannerLimit");
        QVERIFY2(limit->text().endsWith(QStringLiteral("none")), qPrintable(limit->text()));
        ExperimentConfig limited = experimentOf(256);
        limited.run.device.memoryLimit = "2 GiB";
        m_page->setExperiment(limited);
        QVERIFY2(limit->text().endsWith(QStringLiteral("2 GiB")), qPrintable(limit->text()));
        const QSignalSpy wanted(m_page.get(), &PlannerPage::settingRequested);
        click("plannerLimit");
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted[0][0].toString(), QStringLiteral("device.memory_limit"));
    }

    void bothPlotsAndTheTableFillWhileTheSweepGoesOn() {
        click("plannerStart");
        m_planner->allow(3);
        QTRY_COMPARE(rows(), 3);
        QCOMPARE(text("plannerSentence"), QStringLiteral("3 size(s) tried so far"));
        QVERIFY(summary("plannerMemoryPlot").contains(QStringLiteral("3 sizes measured")));
        QVERIFY(summary("plannerSpeedPlot").contains(QStringLiteral("m = 4")));
        QVERIFY(!find<QPushButton>("plannerUse")->isEnabled());
        QVERIFY(!find<QPushButton>("plannerStart")->isEnabled());
        m_planner->allow(100);
        QTRY_VERIFY(!m_page->busy());
        QCOMPARE(rows(), 9);
        takePicture(*m_page, QStringLiteral("planner-full"));
    }

    void theEndShowsCrossesKneeAndRecommendation() {
        click("plannerStart");
        m_planner->allow(100);
        QTRY_VERIFY(!m_page->busy());
        QCOMPARE(text("plannerSentence"),
                 QStringLiteral("m = 64, K = 4, 2 lanes: 100 % of top speed, 84.0 MB of 100 MB."));
        QVERIFY(text("plannerMeasured").contains(QStringLiteral("CPU: process memory")));
        QVERIFY(text("plannerMeasured").startsWith(QStringLiteral("measured ")));
        for (const char* plot : {"plannerMemoryPlot", "plannerSpeedPlot"})
            QVERIFY2(summary(plot).contains(QStringLiteral("m ≥ 128: does not fit")), qPrintable(summary(plot)));
        QVERIFY(summary("plannerMemoryPlot").contains(QStringLiteral("limit 100")));
        QVERIFY(summary("plannerSpeedPlot").contains(QStringLiteral("smallest m with 95 % of it: 64")));
        auto* memory = find<PlotView>("plannerMemoryPlot");
        memory->refreshNow();
        QCOMPARE(memory->curveCount(), 4U); // limit, fit, points, crosses
        QVERIFY(memory->logX());
        QVERIFY(memory->xMin() < 1.0 && memory->xMax() > 256.0);
        QCOMPARE(find<PlotView>("plannerSpeedPlot")->xMax(), memory->xMax());
        QVERIFY(m_planner->kept.has_value());
    }

    void useHandsOverMicroBatchAndSteps() {
        const QSignalSpy chosen(m_page.get(), &PlannerPage::microBatchChosen);
        click("plannerStart");
        m_planner->allow(100);
        QTRY_VERIFY(find<QPushButton>("plannerUse")->isEnabled());
        find<QPushButton>("plannerUse")->setFocus();
        QTest::keyClick(find<QPushButton>("plannerUse"), Qt::Key_Space);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toLongLong(), 64);
        QCOMPARE(chosen[0][1].toLongLong(), 4);
    }

    void cancelKeepsWhatWasMeasuredAndStoresNothing() {
        click("plannerStart");
        m_planner->allow(2);
        QTRY_COMPARE(rows(), 2);
        click("plannerCancel");
        QVERIFY(!find<QPushButton>("plannerCancel")->isEnabled());
        QTRY_VERIFY(!m_page->busy());
        QCOMPARE(rows(), 2);
        QVERIFY(text("plannerSentence").startsWith(QStringLiteral("Cancelled. ")));
        QVERIFY(!m_planner->kept.has_value());
        QVERIFY(find<QPushButton>("plannerStart")->isEnabled());
    }

    void anErrorStandsInThePageWithItsCure() {
        m_planner->error = Error{"config.memory",
                                 {{"needed", "2.0 GB"},
                                  {"source", "phrase.memory-fit"},
                                  {"room", "phrase.memory-free"},
                                  {"free", "1.0 GB"}}};
        click("plannerStart");
        auto* notice = find<QWidget>("plannerNotice");
        QTRY_VERIFY(notice->isVisible());
        QStringList words;
        for (const QLabel* label : notice->findChildren<QLabel*>())
            words << label->text();
        QVERIFY(words.join(' ').contains(QStringLiteral("Use a smaller micro-batch")));
        QVERIFY(!m_page->busy());
        m_planner->error.reset();
        click("plannerStart");
        QVERIFY(!notice->isVisible());
    }

    void whatWasMeasuredBeforeIsShownAtOnce() {
        m_planner->kept = madeUpPlan();
        m_planner->keptFor = experimentOf(512).run;
        m_page->setExperiment(experimentOf(512));
        QTRY_COMPARE(rows(), 9);
        QVERIFY(find<QPushButton>("plannerUse")->isEnabled());
        m_page->setExperiment(experimentOf(128)); // another one: nothing known
        QTRY_VERIFY(find<QWidget>("plannerEmpty")->isVisible());
    }

    void raggedSizesAreAskedFor() {
        click("plannerRagged");
        click("plannerStart");
        m_planner->allow(100);
        QTRY_VERIFY(!m_page->busy());
        QVERIFY(m_planner->asked.ragged);
        QCOMPARE(m_planner->asked.config, experimentOf(256).run);
    }

    /// Set up asks for a plan before anybody has looked up what is known of its network.
    void theNoiseScaleIsThatOfThePlannedNetwork() {
        const SyntheticRuns runs = m_fixture->add(studyOf(equivalentCase()));
        ExperimentConfig known;
        known.run = m_fixture->services().library.reader().run(runs.groupA.front()).value().config;
        const auto noiseScale = [this] {
            m_page->start();
            m_planner->allow(100);
            [this] { QTRY_VERIFY(!m_page->busy()); }();
            return m_planner->asked.noiseScale;
        };
        m_page->hide();
        m_page->setExperiment(known);
        m_page->show();
        const auto found = noiseScale();
        QVERIFY(found && *found > 0.0);
        ExperimentConfig other = known;
        other.run.model.name = "mlp";
        m_page->setExperiment(other);
        QVERIFY(!noiseScale());
        m_page->setExperiment(known);
        QVERIFY(noiseScale() == found);
    }

    void thePageOfAnotherLanguageTakesOverTheSweep() {
        click("plannerStart");
        m_planner->allow(2);
        QTRY_COMPARE(rows(), 2);
        auto next = std::make_unique<PlannerPage>(m_fixture->services(), nullptr, m_planner->source());
        next->setState(m_page->state());
        m_page = std::move(next);
        m_page->show();
        QVERIFY(m_page->busy());
        QCOMPARE(rows(), 2);
        m_planner->allow(100);
        QTRY_VERIFY(!m_page->busy());
        QCOMPARE(rows(), 9);
    }

    void leavingCancels() {
        click("plannerStart");
        m_planner->allow(1);
        QTRY_COMPARE(rows(), 1);
        m_page.reset(); // waits for the thread; without a cancel the test would not end
        QVERIFY(!m_planner->kept.has_value());
    }
};

QTEST_MAIN(TestPlannerPage)
} // namespace test_planner_page
#include "test_planner_page.moc"
