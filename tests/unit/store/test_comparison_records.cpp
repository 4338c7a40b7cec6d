// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons that a person keeps: every value, order, renaming, removal.
#include "core/store/comparison_records.h"

#include "core/store/connection.h"
#include "tests/unit/store/store_fixture.h"

#include <fstream>
#include <iterator>

namespace test_comparison_records {
using namespace accumulus;
using namespace accumulus::test;

namespace {

ComparisonRecord makeComparison(int number = 1) {
    ComparisonRecord comparison;
    comparison.id = fmt::format("{:08x}-7777-4000-8000-000000000000", number);
    comparison.name = fmt::format("comparison {} \"größer\" ' ; 批", number);
    comparison.createdAt = 1700000300.5 + number;
    comparison.groupA = {uuid(1), uuid(2)};
    comparison.groupB = {uuid(3)};
    comparison.metric = "test_loss";
    comparison.together = {"test_accuracy", "train_loss"};
    comparison.margin = 0.1 + 0.2; // not a short decimal
    comparison.ownMargin = true;
    comparison.marginSetAt = 1700000200.25;
    comparison.marginAfterResults = true;
    comparison.axis = "wall-time";
    comparison.band = "se";
    comparison.smoothing = "mean 5";
    return comparison;
}

Result<std::vector<ComparisonRecord>> savedOf(const LibraryFolder& library) {
    auto reader = library.reader();
    return savedComparisons(reader);
}

} // namespace

class TestComparisonRecords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theyComeBackNewestFirst() {
        const LibraryFolder library;
        auto store = library.store();
        auto reader = library.reader();
        QVERIFY(savedComparisons(reader).value().empty());
        const ComparisonRecord first = makeComparison(1);
        ComparisonRecord second = makeComparison(2);
        second.ownMargin = second.marginAfterResults = false;
        second.marginSetAt = 0.0; // nobody fixed it
        second.together.clear();
        REQUIRE(putComparison(store, first));
        REQUIRE(putComparison(store, second));
        QVERIFY(savedComparisons(reader).value() == (std::vector{second, first}));
    }

    void onePutsItselfInThePlaceOfAnother() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(putComparison(store, makeComparison()));
        ComparisonRecord renamed = makeComparison();
        renamed.name = "renamed";
        REQUIRE(putComparison(store, renamed));
        QVERIFY(savedOf(library).value() == std::vector{renamed});
    }

    void theyOutliveTheirRuns() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(store.addRun(makeRun(1)));
        REQUIRE(store.setState(uuid(1), RunState::Completed));
        REQUIRE(putComparison(store, makeComparison()));
        REQUIRE(store.moveToTrash(std::vector{uuid(1)}, 5.0));
        QCOMPARE(store.emptyTrash().value().removed, std::int64_t{1});
        QVERIFY(savedOf(library).value() == std::vector{makeComparison()});
    }

    void removedOnesAreGone() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(putComparison(store, makeComparison(1)));
        REQUIRE(putComparison(store, makeComparison(2)));
        REQUIRE(removeComparison(store, makeComparison(1).id));
        REQUIRE(removeComparison(store, "no such comparison"));
        QVERIFY(savedOf(library).value() == std::vector{makeComparison(2)});
    }

    void moreThanTwoGroupsComeBack() {
        const LibraryFolder library;
        auto store = library.store();
        ComparisonRecord many = makeComparison();
        many.further = {{uuid(4), uuid(5)}, {}, {uuid(6)}};
        many.reference = 2;
        REQUIRE(putComparison(store, many));
        QVERIFY(savedOf(library).value() == std::vector{many});
    }

    /// Version 9 knows two groups, of which B is the reference.
    void thoseOfVersion9Open() {
        const LibraryFolder library;
        const auto dump = std::filesystem::path(qEnvironmentVariable("ACCUMULUS_SOURCE").toStdString()) /
                          "tests/unit/store/library_v9.sql";
        std::ifstream stream(dump);
        const std::string script((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
        QVERIFY2(!script.empty(), "ACCUMULUS_SOURCE must name the source folder");
        {
            SQLite::Database old(library.file().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            old.exec(script);
            old.exec(
                "INSERT INTO comparisons VALUES ('1', 'old', 5.0, '[\"a\"]', '[\"b\"]', 'test_loss', '[]', 0.1, 0, "
                "NULL, 0, 'samples', 'se')");
        }
        REQUIRE(Library::open(library.file(), Library::Mode::Write));
        const auto saved = savedOf(library);
        QVERIFY(saved.has_value());
        QCOMPARE(saved->size(), std::size_t{1});
        QCOMPARE(saved->front().groupA, std::vector<std::string>{"a"});
        QVERIFY(saved->front().further.empty());
        QCOMPARE(saved->front().reference, std::int64_t{1});
    }

    void whatIsNoListOfTextsIsLeftOut() {
        const LibraryFolder library;
        auto store = library.store();
        REQUIRE(putComparison(store, makeComparison()));
        store.library().connection().database.exec("UPDATE comparisons SET group_a = 'no JSON', "
                                                   "group_b = '[1, \"y\"]', together = '{}', "
                                                   "further_groups = '[3, [\"z\", 4]]'");
        const ComparisonRecord damaged = savedOf(library).value().front();
        QVERIFY(damaged.groupA.empty());
        QCOMPARE(damaged.groupB, std::vector<std::string>{"y"});
        QVERIFY(damaged.together.empty());
        QVERIFY(damaged.further == (std::vector<std::vector<std::string>>{{}, {"z"}}));
    }
};

QTEST_APPLESS_MAIN(TestComparisonRecords)
} // namespace test_comparison_records
#include "test_comparison_records.moc"
