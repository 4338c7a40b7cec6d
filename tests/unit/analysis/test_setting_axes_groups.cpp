// SPDX-License-Identifier: GPL-3.0-or-later
// Settings and metric of more than two groups: whose run each is, what differs between any two groups, means, letters.
#include "core/analysis/setting_axes.h"
#include "tests/support/numeric.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

namespace test_setting_axes_groups {
using namespace accumulus;
using accumulus::test::compareAbs;

namespace {

std::vector<ComparedRun> groupOf(const std::string& name, std::int64_t micro, double rate, double accuracy) {
    std::vector<ComparedRun> runs;
    for (std::int64_t seed = 0; seed < 2; ++seed) {
        ComparedRun& run = runs.emplace_back();
        run.seed = seed;
        run.id = run.name = name + std::to_string(seed);
        run.complete = true;
        run.config.batch.effective = 100;
        run.config.batch.micro = micro;
        run.batch = resolveBatch(run.config.batch).value();
        run.config.optimizer.lr = rate;
        run.ends.testAccuracy = accuracy + 0.01 * static_cast<double>(seed);
    }
    return runs;
}

/// A and B differ in the split only; C has the split of A and a rate of its own; D waits for runs; E is like B.
ComparisonInput fiveGroups() {
    ComparisonInput input;
    input.groupA = groupOf("a", 25, 0.1, 0.90);
    input.groupB = groupOf("b", 100, 0.1, 0.80);
    input.further = {groupOf("c", 25, 0.2, 0.70), {}, groupOf("e", 100, 0.1, 0.60)};
    return input;
}

const SettingAxis* axisNamed(const SettingAxes& axes, const std::string& key) {
    const auto found = std::ranges::find(axes.axes, key, &SettingAxis::key);
    return found == axes.axes.end() ? nullptr : &*found;
}

} // namespace

class TestSettingAxesGroups : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void runsOfAllGroupsAreThere() {
        const SettingAxes axes = settingAxes(fiveGroups());
        std::vector<std::size_t> groups;
        for (const MeasuredRun& run : axes.runs)
            groups.push_back(run.group);
        QVERIFY(groups == (std::vector<std::size_t>{0, 0, 1, 1, 2, 2, 4, 4}));
    }

    void whatDiffersBetweenAnyTwoGroupsComesFirst() {
        ComparisonInput input = fiveGroups();
        for (auto* group : {&input.groupA, &input.groupB, &input.further[0], &input.further[2]})
            (*group)[1].config.optimizer.weightDecay = 0.5; // inside each group alike
        const SettingAxes axes = settingAxes(input);
        const SettingAxis* rate = axisNamed(axes, "optimizer.lr");
        const SettingAxis* decay = axisNamed(axes, "optimizer.weight_decay");
        QVERIFY(rate != nullptr && decay != nullptr);
        QVERIFY(rate->betweenGroups); // A and B have the same; only C has another
        QVERIFY(!decay->betweenGroups);
        QVERIFY(rate < decay);
    }

    void eachGroupHasItsMean() {
        const SettingAxes axes = settingAxes(fiveGroups());
        const SettingAxis* micro = axisNamed(axes, "batch.micro");
        QVERIFY(micro != nullptr);
        const std::vector<GroupMean> means = groupMeans(axes, *micro);
        QCOMPARE(means.size(), std::size_t{4});
        const double expected[] = {0.905, 0.805, 0.705, 0.605};
        for (std::size_t i = 0; i < means.size(); ++i)
            QVERIFY(compareAbs(means[i].metric, expected[i], 1e-12)); // a sum of two numbers below 1, halved
        QCOMPARE(means[3].group, std::size_t{4});
    }

    void theTableForProgramsHasTheLetters() {
        const std::string csv = settingsCsv(settingAxes(fiveGroups()));
        for (const char* cells : {"\na0,a0,A,0,", "\nb1,b1,B,1,", "\nc0,c0,C,0,", "\ne1,e1,E,1,"})
            QVERIFY2(csv.find(cells) != std::string::npos, csv.c_str());
    }
};

QTEST_APPLESS_MAIN(TestSettingAxesGroups)
} // namespace test_setting_axes_groups
#include "test_setting_axes_groups.moc"
