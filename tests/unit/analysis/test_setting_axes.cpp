// SPDX-License-Identifier: GPL-3.0-or-later
// Which settings become axes, their scales and words, places on them, means of the groups, and the table for programs.
#include "core/analysis/setting_axes.h"
#include "tests/support/numeric.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace test_setting_axes {
using namespace accumulus;
using accumulus::test::compareAbs;
using accumulus::test::compareBits;

namespace {

ComparedRun makeRun(Arm arm, std::int64_t seed, double accuracy) {
    ComparedRun run;
    run.arm = arm;
    run.seed = seed;
    run.id = armName(arm) + std::to_string(seed);
    run.name = "run " + run.id;
    run.complete = true;
    run.config.batch.effective = 100;
    run.config.batch.micro = arm == Arm::Accumulated ? 25 : 100;
    run.batch = resolveBatch(run.config.batch).value();
    run.ends.testAccuracy = accuracy;
    return run;
}

/// `seeds` runs of each arm.
ComparisonInput makeInput(std::int64_t seeds) {
    ComparisonInput input;
    for (std::int64_t seed = 0; seed < seeds; ++seed) {
        input.groupA.push_back(makeRun(Arm::Accumulated, seed, 0.90 + 0.01 * static_cast<double>(seed)));
        input.groupB.push_back(makeRun(Arm::LargeBatch, seed, 0.80 + 0.01 * static_cast<double>(seed)));
    }
    return input;
}

std::vector<std::string> keysOf(const SettingAxes& axes) {
    std::vector<std::string> keys;
    for (const SettingAxis& axis : axes.axes)
        keys.push_back(axis.subject == SettingAxis::Subject::Seed ? "seed" : axis.key);
    return keys;
}

const SettingAxis* axisNamed(const SettingAxes& axes, const std::string& key) {
    for (const SettingAxis& axis : axes.axes)
        if (axis.key == key)
            return &axis;
    return nullptr;
}

using Keys = std::vector<std::string>;

} // namespace

class TestSettingAxes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatDiffersBetweenTheGroupsComesFirst() {
        ComparisonInput input = makeInput(2);
        for (auto* group : {&input.groupA, &input.groupB})
            (*group)[1].config.optimizer.lr = 0.5; // in both groups alike
        const SettingAxes axes = settingAxes(input);
        // K was derived in every run: the batch as it came out counts.
        QCOMPARE(keysOf(axes), (Keys{"batch.micro", "batch.steps", "optimizer.lr", "seed"}));
        QVERIFY(axes.axes[0].betweenGroups && axes.axes[1].betweenGroups && !axes.axes[2].betweenGroups);
        const SettingAxis& steps = axes.axes[1];
        QVERIFY(steps.values == (std::vector<std::optional<double>>{4.0, 4.0, 1.0, 1.0}));
        QVERIFY(compareBits(steps.lower, 1.0) && compareBits(steps.upper, 4.0));
        QVERIFY(axes.settingsDiffer());
        QCOMPARE(axes.runs.size(), std::size_t{4});
        QCOMPARE(axes.runs[2].group, std::size_t{1});
        QVERIFY(compareBits(axes.metric.lower, 0.80) && axes.metric.scale == AxisScale::Linear);
    }

    void equalSettingsLeaveTheSeedAlone() {
        ComparisonInput input = makeInput(3);
        input.groupB = input.groupA;
        const SettingAxes axes = settingAxes(input);
        QCOMPARE(keysOf(axes), (Keys{"seed"}));
        QVERIFY(!axes.settingsDiffer());
        input.groupA.resize(1);
        input.groupB.clear();
        QVERIFY(settingAxes(input).axes.empty());
        QVERIFY(settingAxes(ComparisonInput()).runs.empty());
    }

    void onlyCompletedRunsWithAMetricCount() {
        ComparisonInput input = makeInput(3);
        input.groupA[0].complete = false;
        input.groupA[1].ends.testAccuracy = std::numeric_limits<double>::quiet_NaN();
        input.groupB[2].ends.testAccuracy.reset();
        const SettingAxes axes = settingAxes(input);
        QCOMPARE(axes.runs.size(), std::size_t{3});
        QCOMPARE(axes.unmeasured, std::size_t{2});
    }

    void wideRangesAreLogarithmic_data() {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<bool>("logarithmic");
        QTest::newRow("two decades") << 0.001 << 0.1 << true;
        QTest::newRow("a factor of 50") << 0.5 << 25.0 << false;
        QTest::newRow("a factor of 51") << 0.5 << 25.5 << true;
    }
    void wideRangesAreLogarithmic() {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(bool, logarithmic);
        ComparisonInput input = makeInput(2);
        for (auto* group : {&input.groupA, &input.groupB}) {
            (*group)[0].config.optimizer.lr = low;
            (*group)[1].config.optimizer.lr = high;
        }
        const SettingAxes axes = settingAxes(input);
        const SettingAxis* lr = axisNamed(axes, "optimizer.lr");
        QVERIFY(lr != nullptr);
        QCOMPARE(lr->scale == AxisScale::Logarithmic, logarithmic);
        QVERIFY(compareAbs(lr->placeOf(low), 0.0, 1e-12) && compareAbs(lr->placeOf(high), 1.0, 1e-12));
        const double middle = logarithmic ? std::sqrt(low * high) : (low + high) / 2.0;
        QVERIFY(compareAbs(lr->placeOf(middle), 0.5, 1e-12));
        QVERIFY(compareAbs(lr->valueAt(0.5), middle, 1e-12 * high));
    }

    void zeroKeepsAnAxisLinear() {
        ComparisonInput input = makeInput(2);
        input.groupA[0].config.data.trainLimit = 60'000;
        const SettingAxes axes = settingAxes(input);
        const SettingAxis* limit = axisNamed(axes, "data.train_limit");
        QVERIFY(limit != nullptr);
        QVERIFY(limit->scale == AxisScale::Linear);
        QVERIFY(compareBits(limit->placeOf(0.0), 0.0));
    }

    void wordsStandInTheOrderOfTheirTable() {
        ComparisonInput input = makeInput(3);
        input.groupA[0].config.optimizer.name = OptimizerKind::AdamW;
        input.groupB[1].config.optimizer.name = OptimizerKind::Adam;
        const SettingAxes axes = settingAxes(input);
        const SettingAxis* optimizer = axisNamed(axes, "optimizer.name");
        QVERIFY(optimizer != nullptr);
        QVERIFY(optimizer->scale == AxisScale::Words);
        // sgd, adam, adamw; runs 0 to 2 are those of A.
        QVERIFY(optimizer->values == (std::vector<std::optional<double>>{2.0, 0.0, 0.0, 0.0, 1.0, 0.0}));
        QCOMPARE(optimizer->examples, (std::vector<std::size_t>{1, 4, 0}));
        QVERIFY(compareBits(optimizer->placeOf(1.0), 0.5));
    }

    void whatDoesNotMatterHasNoPlace() {
        ComparisonInput input = makeInput(3);
        input.groupA[0].config.optimizer.momentum = 0.9;
        input.groupA[1].config.optimizer.momentum = 0.5;
        for (ComparedRun* run : {&input.groupA[2], &input.groupB[0], &input.groupB[1], &input.groupB[2]})
            run->config.optimizer.name = OptimizerKind::Adam; // it has no momentum
        const SettingAxes axes = settingAxes(input);
        const SettingAxis* momentum = axisNamed(axes, "optimizer.momentum");
        QVERIFY(momentum != nullptr);
        QVERIFY(momentum->values[0] && momentum->values[1] && !momentum->values[2] && !momentum->values[3]);
        // Where it matters it is the same: no axis.
        input.groupA[1].config.optimizer.momentum = 0.9;
        input.groupB[0].config.optimizer.momentum = 0.1;
        QVERIFY(axisNamed(settingAxes(input), "optimizer.momentum") == nullptr);
    }

    void extentsAreNumbersInOneUnit() {
        ComparisonInput input = makeInput(2);
        input.groupA[0].config.train.length = {2, Extent::Unit::Epochs};
        for (ComparedRun* run : {&input.groupA[1], &input.groupB[0], &input.groupB[1]})
            run->config.train.length = {3, Extent::Unit::Epochs};
        SettingAxes axes = settingAxes(input);
        const SettingAxis* length = axisNamed(axes, "train.length");
        QVERIFY(length != nullptr);
        QVERIFY(length->unit == Extent::Unit::Epochs && length->scale == AxisScale::Linear);
        QVERIFY(compareBits(length->upper, 3.0));
        input.groupB[0].config.train.length = {500, Extent::Unit::Updates};
        axes = settingAxes(input);
        length = axisNamed(axes, "train.length");
        QVERIFY(length != nullptr);
        QVERIFY(!length->unit && length->scale == AxisScale::Words);
        QCOMPARE(length->examples.size(), std::size_t{3});
    }

    void meansAreOfRunsThatShareAValue() {
        const SettingAxes axes = settingAxes(makeInput(2));
        const std::vector<GroupMean> means = groupMeans(axes, axes.axes[0]); // the micro-batch
        QCOMPARE(means.size(), std::size_t{2});
        QCOMPARE(means[0].group, std::size_t{0});
        QVERIFY(compareBits(means[0].value, 25.0) && compareAbs(means[0].metric, 0.905, 1e-15));
        QCOMPARE(means[0].runs, std::size_t{2});
        QVERIFY(compareBits(means[1].value, 100.0) && compareAbs(means[1].metric, 0.805, 1e-15));
        QVERIFY(groupMeans(axes, axes.axes.back()).empty()); // each seed is one run of its group
    }

    void theSeedKeepsItsPlaceAmongParallelAxes() {
        ComparisonInput input = makeInput(2);
        input.groupA[0].config.optimizer.lr = 0.5;
        const SettingAxes axes = settingAxes(input); // m, K, lr, seed
        QCOMPARE(axes.axes.size(), std::size_t{4});
        QCOMPARE(parallelAxes(axes), (std::vector<std::size_t>{0, 1, 2, 3}));
        QCOMPARE(parallelAxes(axes, 3), (std::vector<std::size_t>{0, 1, 3}));
        QCOMPARE(parallelAxes(axes, 1), (std::vector<std::size_t>{3}));
    }

    void oneValueLiesInTheMiddle() {
        ComparisonInput input = makeInput(1);
        input.groupB[0].ends.testAccuracy = input.groupA[0].ends.testAccuracy;
        const SettingAxes axes = settingAxes(input);
        QVERIFY(compareBits(axes.metric.placeOf(0.9), 0.5));
    }

    void programsReadEveryRun() {
        ComparisonInput input = makeInput(1);
        input.groupA[0].name = "a \"name\", with a comma";
        const std::string csv = settingsCsv(settingAxes(input));
        const std::string expected = "run,id,group,seed,batch.micro,batch.steps,test_accuracy\n"
                                     "\"a \"\"name\"\", with a comma\"," +
                                     input.groupA[0].id + ",A,0,25,4,0.9\nrun " + input.groupB[0].id + "," +
                                     input.groupB[0].id + ",B,0,100,1,0.8\n";
        QCOMPARE(csv, expected);
    }
};

QTEST_APPLESS_MAIN(TestSettingAxes)
} // namespace test_setting_axes
#include "test_setting_axes.moc"
