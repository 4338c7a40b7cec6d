// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/made_up_plans.h"
#include "tests/support/numeric.h"
#include "widgets/models/micro_point_model.h"
#include "widgets/models/plan_facts.h"

#include <QAbstractItemModelTester>
#include <QtTest>

namespace test_plan_facts {
using namespace accumulus;
using namespace accumulus::ui;
using accumulus::test::compareRel;
using accumulus::test::madeUpPlan;

class TestPlanFacts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void memoryIsMeasuredOrFitted() {
        MicroPlan plan = madeUpPlan();
        QCOMPARE(memoryAt(plan, 32), (MemoryNeed{52'000'000, MemorySource::Measured}));
        QCOMPARE(memoryAt(plan, 48), (MemoryNeed{68'000'000, MemorySource::Fit}));
        QCOMPARE(memoryAt(plan, 128), (MemoryNeed{148'000'000, MemorySource::Fit})); // did not fit: not measured
        QVERIFY(!memoryAt(plan, 1000));                                              // too far away for a line
        plan.memory.reset();
        QVERIFY(!memoryAt(plan, 48));
        QVERIFY(!memoryAt({}, 1));
    }

    void whatLackedMemoryNeedsMoreThanThereWas() {
        MicroPlan plan = madeUpPlan();
        plan.memory = LineFit{19e6, 0.6e6, 0.0}; // 95.8 MB at m = 128, which did not fit into 100 MB
        QCOMPARE(memoryAt(plan, 128), (MemoryNeed{100'000'001, MemorySource::Fit}));
        QCOMPARE(memoryAt(plan, 120), (MemoryNeed{91'000'000, MemorySource::Fit}));
    }

    // The plan's sizes were on two lanes: 1 MB a sample is half a megabyte a sample and lane.
    void theLargeBatchIsOnOneLane() {
        MicroPlan plan = madeUpPlan();
        QCOMPARE(memoryOnOneLane(plan, 256, 5'000'000), (MemoryNeed{143'000'000, MemorySource::Fit}));
        QVERIFY(!memoryOnOneLane(plan, 256, {})); // what the second lane held is not known
        QVERIFY(!memoryOnOneLane(plan, 1000, 5'000'000));
        for (MicroPoint& point : plan.points)
            point.lanes = 1;
        QCOMPARE(memoryOnOneLane(plan, 256, {}), (MemoryNeed{276'000'000, MemorySource::Fit}));
        plan.memory = LineFit{19e6, 0.6e6, 0.0}; // 95.8 MB at m = 128, which did not fit into 100 MB on one lane
        for (MicroPoint& point : plan.points)
            if (point.peakBytes)
                point.peakBytes = 19'000'000 + 600'000 * point.micro;
        QCOMPARE(memoryOnOneLane(plan, 128, {}), (MemoryNeed{100'000'001, MemorySource::Fit}));
        plan.points.back().fits = true;
        plan.points.back().peakBytes = 150'000'000;
        QCOMPARE(memoryOnOneLane(plan, 256, {}), (MemoryNeed{150'000'000, MemorySource::Measured}));
        plan.points.back().lanes = 2;
        QCOMPARE(memoryOnOneLane(plan, 256, 5'000'000), (MemoryNeed{145'000'000, MemorySource::Fit}));
        QVERIFY(!memoryOnOneLane({}, 256, 5'000'000));
    }

    // 20 MB + 1 MB a sample: of the 20 MB the formula knows 17.
    void theWorkspaceIsWhatNothingElseTells() {
        const MicroPlan plan = madeUpPlan();
        MemoryEstimate formula{4'000'000, 5'000'000, 8'000'000, 99'000'000, false};
        QCOMPARE(lanesAt(plan, 32), std::optional<std::int64_t>(2));
        const auto parts = measuredParts(plan, 32, formula);
        QVERIFY(parts.has_value());
        QCOMPARE(parts->workspace, std::optional<std::int64_t>(3'000'000));
        QCOMPARE(parts->activations, 32'000'000);
        QCOMPARE(parts->gradients, 5'000'000);
        QVERIFY(parts->complete);
        QCOMPARE(parts->total(), memoryAt(plan, 32)->bytes);

        formula.gradients = 8'500'000; // half a megabyte of 52 is what a line is uncertain about
        QCOMPARE(measuredParts(plan, 32, formula)->workspace, std::optional<std::int64_t>(0));
        QCOMPARE(measuredParts(plan, 32, formula)->total(), memoryAt(plan, 32)->bytes);
        formula.gradients = 12'000'000;
        QVERIFY(!measuredParts(plan, 32, formula));
        formula.gradients = 5'000'000;
        QVERIFY(!measuredParts(plan, 48, formula));  // not tried
        QVERIFY(!measuredParts(plan, 128, formula)); // did not fit
        QVERIFY(!lanesAt(plan, 128));
    }

    void aStudyTakesTheTimeOfBothArms() {
        const MicroPlan plan = madeUpPlan();
        SetupPlan setup;
        setup.seeds = 5;
        setup.samples = 10'000;
        setup.batch = BatchPlan{.effective = 256, .micro = 8, .steps = 32, .devices = 1, .microSizes = {}};
        // 2 000 samples/s at m = 8; the large arm runs at m = 64, the largest that fits: 32 000 / 9 samples/s.
        QVERIFY(compareRel(studySeconds(setup, plan).value(), 5 * 10'000 / 2000.0, 1e-12));
        setup.arms = 2;
        QVERIFY(compareRel(studySeconds(setup, plan).value(), 5 * (10'000 / 2000.0 + 10'000 * 9 / 32'000.0), 1e-12));
        setup.batch->micro = 12; // not measured
        QVERIFY(!studySeconds(setup, plan));
        setup.batch->micro = 8;
        setup.samples = 0;
        QVERIFY(!studySeconds(setup, plan));
    }

    void theTableGrowsWhileTheSweepGoesOn() {
        MicroPointModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const MicroPlan whole = madeUpPlan();
        MicroPlan part = whole;
        part.points.resize(2);
        model.setPlan(part);
        QCOMPARE(model.rowCount(), 2);
        const QPersistentModelIndex first = model.index(0, 0);
        model.setPlan(whole);
        QCOMPARE(model.rowCount(), 9);
        QVERIFY(first.isValid());
        const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
        QCOMPARE(text(6, MicroPointModel::Micro), QStringLiteral("64"));
        QCOMPARE(text(6, MicroPointModel::Steps), QStringLiteral("4"));
        QCOMPARE(text(3, MicroPointModel::Overhead), QStringLiteral("+78 %"));
        QVERIFY(text(6, MicroPointModel::Result).contains(QStringLiteral("recommended")));
        QCOMPARE(text(7, MicroPointModel::Result), QStringLiteral("✕ It needs more than 100 MB."));
        QCOMPARE(text(7, MicroPointModel::Memory), QStringLiteral("–"));
        model.setPlan({});
        QCOMPARE(model.rowCount(), 0);
    }
};

QTEST_MAIN(TestPlanFacts)
} // namespace test_plan_facts
#include "test_plan_facts.moc"
