// SPDX-License-Identifier: GPL-3.0-or-later
// More than two groups from a library: A and B are judged as they are without the others, and seeds that came late are
// told of the pair that has them.
#include "core/analysis/compare_family.h"
#include "tests/support/numeric.h"
#include "tests/unit/run/library_views_fixture.h"

#include <QtTest>
#include <algorithm>

using namespace accumulus;
using namespace accumulus::test;

namespace {

bool warnsOfSeeds(const FamilyMember& member) {
    return std::ranges::any_of(member.comparison.warnings,
                               [](const Message& warning) { return warning.code == "warning.seeds-late"; });
}

} // namespace

class TestLibraryViewsGroups : public QObject, protected LibraryViewsFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { useNewLibrary(); }

    void metricAndMarginAreThoseOfAAndB() {
        SyntheticStudy first = studyOf(equivalentCase());
        first.metric = "best_test_accuracy";
        const SyntheticRuns a = add(first);
        SyntheticStudy other = studyOf(differentCase());
        other.name = "other";
        other.margin = 0.02;
        other.createdAt += 1000.0;
        const SyntheticRuns c = add(other);
        RunReader library = reader();
        const auto alone = loadComparedGroups(library, {a.groupA, a.groupB}, "", std::nullopt);
        const auto three = loadComparedGroups(library, {a.groupA, a.groupB, c.groupA}, "", std::nullopt);
        QVERIFY(alone.has_value() && three.has_value());
        QVERIFY(three->metric == CompareMetric::BestTestAccuracy && alone->metric == three->metric);
        QVERIFY(compareBits(three->margin, 0.01));
        QVERIFY(compareBits(three->marginSetAt, first.createdAt));
        QVERIFY(!three->marginSetAfterResults && !three->metricChosenAfterResults);
    }

    /// Results of another group count: who fixed the margin may have seen them.
    void olderResultsOfAnotherGroupCount() {
        const SyntheticRuns a = add(studyOf(equivalentCase()));
        SyntheticStudy older = studyOf(differentCase());
        older.name = "older";
        older.createdAt -= 86'400.0;
        const SyntheticRuns c = add(older);
        RunReader library = reader();
        const auto three = loadComparedGroups(library, {a.groupA, a.groupB, c.groupA}, "", std::nullopt);
        QVERIFY(three.has_value());
        QVERIFY(compareBits(three->margin, 0.01));
        QVERIFY(three->marginSetAfterResults);
    }

    /// The mistakes that this is to catch: one flag for all pairs, and results of C that make seeds of A and B late.
    void lateSeedsAreToldOfTheirPair() {
        const SyntheticRuns a = add(studyOf(equivalentCase()));
        SyntheticStudy older = studyOf(differentCase());
        older.name = "older";
        older.createdAt -= 86'400.0;
        older.seedsA = older.seedsB = {0, 1};
        older.finalA.resize(2);
        older.finalB.resize(2);
        const SyntheticRuns c = add(older);
        RunReader library = reader();
        const auto input = loadComparedGroups(library, {a.groupA, a.groupB, c.groupA}, "", std::nullopt);
        QVERIFY(input.has_value());
        QVERIFY(input->seedsAddedAfterResults);
        QVERIFY(input->lateGroups == std::vector<std::size_t>{2}); // seeds 2 to 4 of B came after C's results
        const FamilyComparison family = compareFamily(*input);
        QCOMPARE(family.members.size(), std::size_t{2});
        QVERIFY(!warnsOfSeeds(family.members[0]));
        QVERIFY(warnsOfSeeds(family.members[1]));
    }
};

QTEST_APPLESS_MAIN(TestLibraryViewsGroups)
#include "test_library_views_groups.moc"
