// SPDX-License-Identifier: GPL-3.0-or-later
// Of a pair of groups that is judged together with others the report's numbers are those of its verdict.
#include "core/analysis/compare_family.h"
#include "core/analysis/number_text.h"
#include "core/report/comparison_report.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace test_corrected_numbers {
using namespace accumulus;

namespace {

constexpr const char* passes = "Smallest margin that would pass";
constexpr const char* passesAlone = "Smallest margin that would pass, if judged alone";
constexpr const char* correctedEquivalence = "p of the equivalence test, corrected by Holm's method";
constexpr const char* correctedDifference = "p of the difference test, corrected by Holm's method";

/// Five seeds whose accuracies lie `shift` above 0.9, spread by 0.0005.
std::vector<ComparedRun> makeGroup(Arm arm, const std::string& name, double shift) {
    std::vector<ComparedRun> group;
    for (std::int64_t seed = 0; seed < 5; ++seed) {
        ComparedRun& run = group.emplace_back();
        run.arm = arm;
        run.seed = seed;
        run.id = run.name = name + std::to_string(seed);
        run.complete = true;
        run.config.batch.effective = 100;
        run.config.batch.micro = arm == Arm::Accumulated ? 25 : 100;
        run.batch = resolveBatch(run.config.batch).value();
        run.ends.testAccuracy = 0.9 + shift + (arm == Arm::LargeBatch ? 0.0 : 0.0005 * static_cast<double>(seed - 2));
        run.samples = 200;
        run.updates = 2;
        run.trainLoss = {{100.0, 200.0}, {0.9, 0.45}};
        EvaluationRecord& test = run.tests.emplace_back();
        test.samples = 200;
        test.accuracy = run.ends.testAccuracy;
    }
    return group;
}

/// The table of numbers: value by name.
std::map<std::string, std::string> numbersOf(const ComparisonInput& input, const Comparison& comparison) {
    ComparisonReportInput report;
    report.input = input;
    report.comparison = comparison;
    const ReportDocument document = makeComparisonReport(report);
    for (const ReportBlock& block : document.blocks)
        if (const auto* table = std::get_if<ReportTable>(&block)) {
            std::map<std::string, std::string> numbers;
            for (const auto& row : table->rows)
                numbers[row.front()] = row.back();
            if (numbers.contains("95 % interval"))
                return numbers;
        }
    return {};
}

} // namespace

class TestCorrectedNumbers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// The mistake that this is to catch: p values and a margin by which the pair would pass beside a verdict by which
    /// it does not.
    void pairsJudgedTogetherNameTheCorrection() {
        ComparisonInput input;
        input.margin = 0.000866; // A alone passes with p between 0.025 and 0.05
        input.groupA = makeGroup(Arm::Accumulated, "a", 0.0);
        input.groupB = makeGroup(Arm::LargeBatch, "b", 0.0);
        input.further = {makeGroup(Arm::Accumulated, "c", 0.02)};
        const FamilyComparison family = compareFamily(input);
        const Comparison& pair = family.members.front().comparison;
        QVERIFY(pair.test.verdict == Verdict::Inconclusive && pair.test.pEquivalence < 0.05);
        const auto numbers = numbersOf(pairInput(input, 0), pair);
        QVERIFY(!numbers.empty());
        QVERIFY(numbers.contains(passesAlone) && !numbers.contains(passes));
        QCOMPARE(numbers.at("p of the equivalence test"), shortText(pair.test.pEquivalence));
        QCOMPARE(numbers.at(correctedEquivalence), shortText(pair.family->pEquivalence));
        QCOMPARE(numbers.at(correctedDifference), shortText(pair.family->pDifference));
        QVERIFY(numbers.at(correctedEquivalence) != numbers.at("p of the equivalence test"));
        QCOMPARE(numbers.count("Significance level"), std::size_t{1});
    }

    void theSmallestMarginShownWouldPass() {
        for (const double shift : {0.0, 3e-7, 0.0023003}) { // 0.07537, 0.07540, 0.30540 points
            ComparisonInput input;
            input.margin = 0.01;
            input.groupA = makeGroup(Arm::Accumulated, "a", shift);
            input.groupB = makeGroup(Arm::LargeBatch, "b", 0.0);
            const auto numbers = numbersOf(input, compareGroups(input));
            input.margin = std::stod(numbers.at(passes)) / 100.0; // "0.21 points"
            QVERIFY2(compareGroups(input).test.pEquivalence < 0.05, numbers.at(passes).c_str());
        }
    }

    void aSeedThatDivergedLeavesNoMargin() {
        ComparisonInput input;
        input.margin = 0.01;
        input.groupA = makeGroup(Arm::Accumulated, "a", 0.0);
        input.groupB = makeGroup(Arm::LargeBatch, "b", 0.0);
        input.groupA[0].complete = false;
        input.groupA[0].failed = true;
        QVERIFY(!numbersOf(input, compareGroups(input)).contains(passes));
    }

    void onePairHasNothingToCorrect() {
        ComparisonInput input;
        input.margin = 0.01;
        input.groupA = makeGroup(Arm::Accumulated, "a", 0.0);
        input.groupB = makeGroup(Arm::LargeBatch, "b", 0.0);
        const auto numbers = numbersOf(input, compareGroups(input));
        QVERIFY(numbers.contains(passes) && !numbers.contains(passesAlone));
        QVERIFY(!numbers.contains(correctedEquivalence) && !numbers.contains(correctedDifference));
    }
};

QTEST_APPLESS_MAIN(TestCorrectedNumbers)
} // namespace test_corrected_numbers
#include "test_corrected_numbers.moc"
