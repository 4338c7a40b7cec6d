// SPDX-License-Identifier: GPL-3.0-or-later
// The report of more than two groups: one table over all of them with numbers worked out by hand, then the chapters.
#include "core/report/comparison_report.h"
#include "core/report/family_report.h"
#include "core/report/report_words.h"

#include <QTest>

#include <string>
#include <utility>
#include <vector>

namespace test_groups_report {
using namespace accumulus;

namespace {

using Row = std::vector<std::string>;

std::vector<ComparedRun> groupOf(const std::string& name, Arm arm, std::int64_t micro,
                                 const std::vector<double>& accuracies) {
    std::vector<ComparedRun> runs;
    for (const double accuracy : accuracies) {
        ComparedRun& run = runs.emplace_back();
        run.seed = static_cast<std::int64_t>(runs.size()) - 1;
        run.id = name + std::to_string(run.seed);
        run.arm = arm;
        run.complete = true;
        run.samples = 768;
        run.updates = 3;
        run.config.batch = {.effective = 256, .micro = micro};
        run.batch = resolveBatch(run.config.batch).value();
        run.ends.testAccuracy = accuracy;
    }
    return runs;
}

/// A is as good as B in each of four seeds; C lies 5 points higher, up to 0.1 points of noise.
ComparisonInput threeGroups() {
    ComparisonInput input;
    input.margin = 0.005;
    input.groupA = groupOf("a", Arm::Accumulated, 32, {0.9003, 0.9097, 0.9203, 0.9297});
    input.groupB = groupOf("b", Arm::LargeBatch, 256, {0.90, 0.91, 0.92, 0.93});
    input.further = {groupOf("c", Arm::Accumulated, 64, {0.951, 0.959, 0.971, 0.979})};
    return input;
}

ReportDocument reportOf(const ComparisonInput& input) {
    const FamilyComparison family = compareFamily(input);
    std::vector<ReportDocument> chapters;
    for (const FamilyMember& member : family.members) {
        ComparisonReportInput chapter;
        chapter.input = pairInput(input, member.group);
        chapter.comparison = member.comparison;
        chapters.push_back(makeComparisonReport(chapter));
    }
    return makeFamilyReport(input, family, std::move(chapters));
}

/// Marks what it is asked for.
const Language& marking() {
    static const Language language{[](std::string_view words) { return "«" + std::string(words) + "»"; },
                                   [](std::int64_t number) { return std::to_string(number); }};
    return language;
}

} // namespace

class TestGroupsReport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theTableHasEveryGroup() {
        const ComparisonInput input = threeGroups();
        const FamilyComparison family = compareFamily(input);
        const auto table = groupsTable(input, family);
        QVERIFY(table.has_value());
        QCOMPARE(table->rows.size(), std::size_t{3});
        QCOMPARE(table->numeric.size(), table->header.size());
        for (const Row& row : table->rows)
            QCOMPARE(row.size(), table->header.size());
        QCOMPARE(table->header[4], std::string("Difference from B"));
        const Row& a = table->rows[0];
        const Row& b = table->rows[1];
        const Row& c = table->rows[2];
        QCOMPARE(a[0], std::string("A: accumulated 32 × 8"));
        QCOMPARE(b[0], std::string("B: large batch 256 × 1"));
        QCOMPARE(c[0], std::string("C: accumulated 64 × 4"));
        // Of B: 90, 91, 92, 93; the sum of squares about 91.5 is 5, its SD is sqrt(5 / 3) = 1.29.
        QVERIFY2(b[1] == "4" && b[2] == "91.50" && b[3] == "1.29", (b[1] + ' ' + b[2] + ' ' + b[3]).c_str());
        QCOMPARE(b[4], std::string("reference"));
        QCOMPARE(c[2], std::string("96.50"));
        // C - B: 5.1, 4.9, 5.1, 4.9: mean 5, SD 0.115, standard error 0.0577; t(0.95, 3) = 2.353 makes 5 ± 0.136.
        QVERIFY2(c[4].starts_with("+5.0"), c[4].c_str());
        QVERIFY2(c[5].starts_with("+4.86") && c[5].find("to +5.13") != std::string::npos, c[5].c_str());
        QCOMPARE(c[6], std::string("Different"));
        QVERIFY2(a[6].starts_with("Equivalent within"), a[6].c_str());
    }

    void itsPValuesAreTheCorrectedOnes() {
        const ComparisonInput input = threeGroups();
        FamilyComparison family = compareFamily(input);
        QVERIFY(family.members[0].comparison.family.has_value());
        family.members[0].comparison.family->pEquivalence = 0.034; // a number that the test alone cannot have
        family.members[0].comparison.family->pDifference = 0.56;
        const auto table = groupsTable(input, family);
        QVERIFY(table.has_value());
        QCOMPARE(table->rows[0][7], std::string("0.034"));
        QCOMPARE(table->rows[0][8], std::string("0.56"));
    }

    void runsThatAreNotCompleteDoNotCount() {
        ComparisonInput input = threeGroups();
        input.further[0][3].complete = false;
        input.further.emplace_back(); // to be filled
        const auto table = groupsTable(input, compareFamily(input));
        QVERIFY(table.has_value());
        QCOMPARE(table->rows.size(), std::size_t{3});
        QCOMPARE(table->rows[2][1], std::string("3"));
        QCOMPARE(table->rows[2][2], std::string("96.03")); // of 95.1, 95.9, 97.1
    }

    void theReferenceCanBeAnother() {
        ComparisonInput input = threeGroups();
        input.reference = 2;
        const auto table = groupsTable(input, compareFamily(input));
        QVERIFY(table.has_value());
        QCOMPARE(table->header[4], std::string("Difference from C"));
        QCOMPARE(table->rows[2][4], std::string("reference"));
        QVERIFY2(table->rows[1][4].starts_with("−5.0"), table->rows[1][4].c_str());
    }

    void theTableStandsBeforeTheChapters() {
        const ReportDocument report = reportOf(threeGroups());
        QCOMPARE(report.title, std::string("3 groups of runs compared"));
        QCOMPARE(std::get<ReportHeading>(report.blocks.at(0)).text, std::string("All groups against B"));
        QCOMPARE(std::get<ReportTable>(report.blocks.at(1)).rows.size(), std::size_t{3});
        QVERIFY(std::get<ReportParagraph>(report.blocks.at(2)).text.find("Holm") != std::string::npos);
        std::vector<std::string> chapters;
        for (const ReportBlock& block : report.blocks)
            if (const auto* heading = std::get_if<ReportHeading>(&block);
                heading && heading->text.find(" against ") != std::string::npos)
                chapters.push_back(heading->text);
        QCOMPARE(chapters.size(), std::size_t{3});
        QCOMPARE(chapters[1], std::string("A against B: Accumulated 32 × 8 and large batch 256 × 1"));
        QVERIFY2(chapters[2].starts_with("C against B: "), chapters[2].c_str());
        std::vector<std::pair<std::string, std::string>> files;
        for (const std::string& text : {reportHtml(report), reportMarkdown(report, "figures", files)})
            QVERIFY(text.find("A: accumulated 32 × 8") < text.find("C against B"));
    }

    void twoGroupsHaveTheReportThatTheyHad() {
        ComparisonInput input = threeGroups();
        input.further.clear();
        QVERIFY(!groupsTable(input, compareFamily(input)).has_value());
        const ReportDocument report = reportOf(input);
        QCOMPARE(report.title, std::string("Accumulated 32 × 8 and large batch 256 × 1"));
        QVERIFY(std::holds_alternative<ReportVerdict>(report.blocks.at(0)));
    }

    void itIsSaidInTheReportsLanguage() {
        const ReportLanguage scope(marking(), "xx");
        const ReportDocument report = reportOf(threeGroups());
        QCOMPARE(report.language, std::string("xx"));
        QCOMPARE(report.title, std::string("«3 groups of runs compared»"));
        const auto& table = std::get<ReportTable>(report.blocks.at(1));
        for (const std::string& header : table.header)
            QVERIFY2(header.starts_with("«"), header.c_str());
        QCOMPARE(table.rows[1][4], std::string("«reference»"));
        QVERIFY2(table.rows[1][0].find("«large batch»") != std::string::npos, table.rows[1][0].c_str());
    }
};

QTEST_APPLESS_MAIN(TestGroupsReport)
} // namespace test_groups_report
#include "test_groups_report.moc"
