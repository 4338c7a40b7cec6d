// SPDX-License-Identifier: GPL-3.0-or-later
// What the plots, the table and the words of a plan say of limits that are far, of lanes, of sizes that fail for want
// of something else than memory, and of a sweep that is not over.
#include "tests/support/made_up_plans.h"
#include "tests/widgets/page_fixture.h"
#include "widgets/models/micro_point_model.h"
#include "widgets/pages/planner/plan_advice.h"
#include "widgets/plots/plan_plots.h"

#include <QLabel>
#include <QPushButton>
#include <QtTest>

namespace test_plan_plots {
using namespace accumulus;
using namespace accumulus::ui;
using namespace accumulus::test;

namespace {

/// Of a small network on a machine with much memory: a micro-step of 64 samples and more is computed on one lane.
MicroPlan smallNetwork() {
    MicroPlan plan = madeUpPlan();
    plan.memoryLimit = 24'100'000'000;
    for (MicroPoint& point : plan.points) {
        const std::int64_t lanes = point.micro < 64 ? 2 : 1;
        point.lanes = lanes;
        point.fits = true;
        point.problem.reset();
        point.peakBytes = 1'200'000 + 70'000 * point.micro * lanes;
        point.samplesPerSecond = 40'000.0 * static_cast<double>(point.micro) / (static_cast<double>(point.micro) + 8.0);
        point.updateSeconds = 256.0 / *point.samplesPerSecond;
    }
    conclude(plan);
    return plan;
}

/// BatchNorm has no statistics of one sample.
MicroPlan withoutOne() {
    MicroPlan plan = smallNetwork();
    MicroPoint& one = plan.points.front();
    one.fits = false;
    one.peakBytes.reset();
    one.samplesPerSecond.reset();
    one.updateSeconds.reset();
    one.problem = Message{"plan.crashed", {{"how", "signal 6"}, {"reason", "none"}}};
    conclude(plan);
    return plan;
}

} // namespace

class TestPlanPlots : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_theme = std::make_unique<Theme>(*qApp);
        m_plots = std::make_unique<PlanPlots>(*m_theme);
        m_plots->resize(1000, 250);
        m_plots->show();
    }
    void cleanup() {
        m_plots.reset();
        m_theme.reset();
    }

    void aLimitThatIsFarDoesNotPressThePointsDown() {
        PlotView* memory = shown(smallNetwork(), "plannerMemoryPlot");
        QVERIFY2(memory->yMax() < 40.0, qPrintable(QString::number(memory->yMax()))); // MB
        QVERIFY(memory->yMin() < 1.5);
        QVERIFY(memory->summaryText().contains(QStringLiteral("limit 24.1")));
        takePicture(*m_plots, QStringLiteral("plan-far-limit"));
        // One that is near is a line, and so is one that a size has met.
        QVERIFY(shown(madeUpPlan(), "plannerMemoryPlot")->yMax() >= 100.0);
        takePicture(*m_plots, QStringLiteral("plan-near-limit"));
    }

    void sizesOnOtherLanesAreACurveOfTheirOwn() {
        PlotView* memory = shown(smallNetwork(), "plannerMemoryPlot");
        QCOMPARE(memory->curveCount(), 4U); // fit, one lane, two lanes, crosses: the limit is far
        PlanAdvice advice(*m_theme);
        advice.showPlan(smallNetwork(), false);
        const QString notes = child<QLabel>(advice, "plannerNotes")->text();
        QVERIFY2(notes.contains(QStringLiteral("from m = 1 on, on 2 lane(s)")), qPrintable(notes));
        advice.showPlan(madeUpPlan(), false);
        QVERIFY(!child<QLabel>(advice, "plannerNotes")->text().contains(QStringLiteral("lane")));
        QCOMPARE(fittedLanes(smallNetwork().points), std::optional<std::int64_t>(2));
    }

    void whatCannotBeTrainedIsNotCalledTooLarge() {
        for (const char* plot : {"plannerMemoryPlot", "plannerSpeedPlot"}) {
            const QString words = shown(withoutOne(), plot)->summaryText();
            QVERIFY2(words.contains(QStringLiteral("m = 1: cannot be trained")), qPrintable(words));
            QVERIFY2(!words.contains(QStringLiteral("does not fit")), qPrintable(words));
        }
        PlotView* memory = shown(withoutOne(), "plannerMemoryPlot");
        QVERIFY(memory->yMax() < 40.0);                          // it has no place among the peaks
        QVERIFY(memory->xMin() < 1.0 && memory->xMax() > 256.0); // but one on the axis, with its marker whole
        takePicture(*m_plots, QStringLiteral("plan-without-one"));
    }

    void theKneeIsTheSmallestSizeThatIsNearlyAsFast() {
        const QString words = shown(smallNetwork(), "plannerSpeedPlot")->summaryText();
        QVERIFY2(words.contains(QStringLiteral("smallest m with 95 % of it: 128")), qPrintable(words));
        MicroPlan plan = smallNetwork();
        plan.recommended = plan.points.size() - 1; // where the knee itself is recommended, its row says so instead
        MicroPointModel model;
        model.setPlan(plan);
        int told = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            if (const QString result = resultOf(model, row); result.contains(QStringLiteral("95 %"))) {
                ++told;
                QVERIFY2(result.startsWith(QStringLiteral("smallest")), qPrintable(result));
            }
        QCOMPARE(told, 1);
    }

    void nothingIsRecommendedForGoodBeforeTheEnd() {
        MicroPointModel model;
        MicroPlan plan = madeUpPlan();
        const int row = static_cast<int>(*plan.recommended);
        model.setPlan(plan, false);
        QCOMPARE(resultOf(model, row), QStringLiteral("recommended so far"));
        model.setPlan(plan, true);
        QCOMPARE(resultOf(model, row), QStringLiteral("✓ recommended, verified"));
        plan.cancelled = true;
        PlanAdvice advice(*m_theme);
        advice.showPlan(plan, false);
        const QString sentence = child<QLabel>(advice, "plannerSentence")->text();
        QVERIFY2(sentence.startsWith(QStringLiteral("Cancelled. Best of the sizes tried: m = 64")),
                 qPrintable(sentence));
        QVERIFY(child<QPushButton>(advice, "plannerUse")->isEnabled());
    }

private:
    PlotView* shown(const MicroPlan& plan, const char* name) {
        m_plots->showPlan(plan);
        auto* plot = child<PlotView>(*m_plots, name);
        plot->refreshNow();
        return plot;
    }
    static QString resultOf(const MicroPointModel& model, int row) {
        return model.index(row, MicroPointModel::Result).data().toString();
    }

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<PlanPlots> m_plots;
};

QTEST_MAIN(TestPlanPlots)
} // namespace test_plan_plots
#include "test_plan_plots.moc"
