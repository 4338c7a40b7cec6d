// SPDX-License-Identifier: GPL-3.0-or-later
// The generator behind test_pairwise: does it really cover, and does it say what it cannot?
#include "tests/support/covering_array.h"

#include <QTest>
#include <algorithm>

namespace test_covering_array {
using namespace accumulus::test;

namespace {

std::vector<Factor> factorsOf(const std::vector<std::size_t>& sizes) {
    std::vector<Factor> factors;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        factors.push_back({"f" + std::to_string(i), {}});
        for (std::size_t v = 0; v < sizes[i]; ++v)
            factors.back().values.push_back(std::to_string(v));
    }
    return factors;
}

CoveredPairs everything() {
    return [](const FactorRow& row) { return allPairsOf(row); };
}

/// Counted anew, by nothing but the rows.
bool occurs(const std::vector<FactorRow>& rows, const SettingPair& pair) {
    return std::ranges::any_of(rows, [&](const FactorRow& row) {
        return row[pair.first.factor] == pair.first.value && row[pair.second.factor] == pair.second.value;
    });
}

} // namespace

class TestCoveringArray : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pairsAreCounted() {
        QCOMPARE(allPairsOf(factorsOf({2, 3, 4})).size(), std::size_t{6 + 8 + 12});
        QCOMPARE(allPairsOf(FactorRow{0, 2, 1}).size(), std::size_t{3});
    }

    void everyPairOccurs_data() {
        QTest::addColumn<std::vector<std::size_t>>("sizes");
        using Sizes = std::vector<std::size_t>;
        QTest::newRow("two factors") << Sizes{3, 4};
        QTest::newRow("thirteen of three") << Sizes(13, 3);
        QTest::newRow("uneven") << Sizes{5, 4, 3, 2, 3, 2, 3, 2, 2, 4, 2, 4, 2, 5, 3, 2, 2, 2, 2, 3};
    }
    void everyPairOccurs() {
        QFETCH(std::vector<std::size_t>, sizes);
        const auto factors = factorsOf(sizes);
        const CoveringArray array = coverPairs(factors, everything(), 1);
        QVERIFY(array.impossible.empty());
        for (const SettingPair& pair : allPairsOf(factors))
            QVERIFY(occurs(array.rows, pair));
        for (const FactorRow& row : array.rows)
            for (std::size_t i = 0; i < row.size(); ++i)
                QVERIFY(row[i] < sizes[i]);
        QCOMPARE(array.covered.size(), allPairsOf(factors).size());
        // Greedy rows: the two largest factors need their product, and not three times as many are made.
        std::ranges::sort(sizes, std::greater());
        QVERIFY(array.rows.size() >= sizes[0] * sizes[1]);
        QVERIFY2(array.rows.size() <= 3 * sizes[0] * sizes[1], qPrintable(QString::number(array.rows.size())));
    }

    void oneSeedOneArray() {
        const auto factors = factorsOf({3, 3, 2, 4, 2});
        QCOMPARE(coverPairs(factors, everything(), 5).rows, coverPairs(factors, everything(), 5).rows);
        QVERIFY(coverPairs(factors, everything(), 5).rows != coverPairs(factors, everything(), 6).rows);
    }

    // Factor 2 has no effect where factor 0 is 1; (0, 1) x factor 2 is then impossible and everything else is not.
    void whatHasNoEffectIsNotCovered() {
        const auto factors = factorsOf({2, 3, 4});
        const auto covers = [](const FactorRow& row) {
            std::vector<SettingPair> pairs = allPairsOf(row);
            if (row[0] == 1)
                std::erase_if(pairs, [](const SettingPair& pair) { return pair.second.factor == 2; });
            return pairs;
        };
        const CoveringArray array = coverPairs(factors, covers, 1);
        QCOMPARE(array.impossible.size(), std::size_t{4});
        for (const SettingPair& pair : array.impossible)
            QVERIFY(pair.first == (Setting{0, 1}) && pair.second.factor == 2);
        for (const SettingPair& pair : allPairsOf(factors))
            if (!(pair.first == Setting{0, 1} && pair.second.factor == 2))
                QVERIFY(std::ranges::any_of(array.rows, [&](const FactorRow& row) {
                    return (pair.second.factor != 2 || row[0] == 0) && occurs({row}, pair);
                }));
    }

    // A row that is refused covers its reason only: the other pairs of its settings need rows of their own.
    void aRefusedRowCoversItsRefusal() {
        const auto factors = factorsOf({2, 2, 3});
        const auto refused = [](const FactorRow& row) { return row[0] == 1 && row[1] == 1; };
        const auto covers = [&](const FactorRow& row) {
            return refused(row) ? std::vector<SettingPair>{{{0, 1}, {1, 1}}} : allPairsOf(row);
        };
        const CoveringArray array = coverPairs(factors, covers, 1);
        QVERIFY(array.impossible.empty());
        std::vector<FactorRow> accepted;
        std::ranges::copy_if(array.rows, std::back_inserter(accepted), [&](const FactorRow& r) { return !refused(r); });
        for (const SettingPair& pair : allPairsOf(factors))
            if (!(pair.first == Setting{0, 1} && pair.second == Setting{1, 1}))
                QVERIFY(occurs(accepted, pair));
    }
};

QTEST_APPLESS_MAIN(TestCoveringArray)
} // namespace test_covering_array
#include "test_covering_array.moc"
