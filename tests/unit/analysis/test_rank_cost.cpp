// SPDX-License-Identifier: GPL-3.0-or-later
// What several ranks cost, by numbers computed by hand.
#include "core/analysis/rank_cost.h"
#include "tests/support/numeric.h"

#include <QTest>

namespace test_rank_cost {
using namespace accumulus;
using accumulus::test::compareBits;
using accumulus::test::compareRel;

namespace {

RunConfig configOf(ParallelMode mode) {
    RunConfig config;
    config.parallel.mode = mode;
    return config;
}

RankTimes timesOf(std::int64_t rank, std::int64_t microSteps, double waiting, double reducing, std::int64_t bytes) {
    RankTimes times;
    times.rank = rank;
    times.microSteps = microSteps;
    times.waitingSeconds = waiting;
    times.reducingSeconds = reducing;
    times.sentBytes = bytes;
    return times;
}

/// 10 updates in 20 s on two ranks; the others wait for rank 0.
RankTotals twoRanks() { return {10, 10, 20.0, {timesOf(0, 30, 1.0, 2.0, 600), timesOf(1, 30, 3.0, 2.0, 1000)}}; }

WindowRecord windowOf(std::int64_t number, std::vector<RankTimes> ranks) {
    WindowRecord window;
    window.window = number;
    window.update = number;
    window.seconds = 0.5;
    window.ranks = std::move(ranks);
    for (RankTimes& rank : window.ranks)
        rank.window = number;
    return window;
}

} // namespace

class TestRankCost : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// f = 3 / 4, P = 1000, K = 3. All products are exact.
    void formulas() {
        const auto bytes = [](const RunConfig& config) { return expectedTraffic(config, 4, 1000, 3.0).bytes; };
        QVERIFY(compareBits(bytes(configOf(ParallelMode::Ddp)), 6000.0)); // 2 x 3/4 x 1000 x 4
        QVERIFY(compareBits(bytes(configOf(ParallelMode::Zero1)), 6000.0));
        QVERIFY(compareBits(bytes(configOf(ParallelMode::Zero2)), 12000.0)); // (3 + 1) x 3/4 x 1000 x 4
        for (const ParallelMode mode : {ParallelMode::Ddp, ParallelMode::Zero1, ParallelMode::Zero2}) {
            RunConfig config = configOf(mode);
            config.parallel.order = ReductionOrder::MicroSteps;
            QVERIFY(compareBits(bytes(config), 12000.0));
            config.numerics.precision = Precision::Fp64;
            QVERIFY(compareBits(bytes(config), 24000.0));
        }
        RunConfig config = configOf(ParallelMode::Ddp);
        config.numerics.precision = Precision::Fp64;
        QVERIFY(compareBits(bytes(config), 12000.0));
        config.numerics.accumulator = AccumulatorKind::Fp32;
        QVERIFY(compareBits(bytes(config), 9000.0)); // 3/4 x 1000 x (4 + 8)
        config.numerics.precision = Precision::Bf16; // weights in fp32
        config.numerics.accumulator = AccumulatorKind::Bf16;
        QVERIFY(compareBits(bytes(config), 4500.0)); // 3/4 x 1000 x (2 + 4)

        QCOMPARE(expectedTraffic(configOf(ParallelMode::Ddp), 4, 1000, 3.0).formula, std::string("2 f P S"));
        QCOMPARE(expectedTraffic(config, 4, 1000, 3.0).formula, std::string("f P (A + S)"));
        QCOMPARE(expectedTraffic(configOf(ParallelMode::Zero2), 4, 1000, 2.5).formula,
                 std::string("(K + 1) f P S, K = 2.5"));
    }

    void costOfARun() {
        const auto cost = rankCost(twoRanks(), configOf(ParallelMode::Ddp), 20);
        QVERIFY(cost && cost->expected);
        QVERIFY(compareBits(cost->microSteps, 3.0)); // 60 / (10 x 2)
        QVERIFY(compareBits(cost->bytes, 80.0));     // 1600 / (10 x 2)
        QVERIFY(compareBits(cost->expected->bytes, 80.0));
        QVERIFY(compareRel(cost->waiting, 0.1, 1e-15)); // 4 s of 2 x 20 s; one division rounds
        QVERIFY(compareRel(cost->reducing, 0.1, 1e-15));
        QCOMPARE(cost->slowest, 0);
        QCOMPARE(cost->ranks, 2);
        QCOMPARE(rankCostText(*cost),
                 std::string("2 ranks: sent 80 B per update and rank (2 f P S: 80 B), waiting 10.0 %, reducing 10.0 "
                             "%; slowest: rank 0"));
        // K is what the ranks computed, not what they were told to.
        const auto zero2 = rankCost(twoRanks(), configOf(ParallelMode::Zero2), 20);
        QVERIFY(compareBits(zero2->expected->bytes, 160.0)); // (3 + 1) x 1/2 x 20 x 4
    }

    void whatIsNotKnownIsLeftOut() {
        QVERIFY(!rankCost({}, {}, 20));
        RankTotals none = twoRanks();
        none.updates = 0;
        QVERIFY(!rankCost(none, {}, 20));
        RankTotals alone = twoRanks();
        alone.ranks.pop_back();
        QVERIFY(!rankCost(alone, {}, 20));
        const auto cost = rankCost(twoRanks(), {}, std::nullopt);
        QVERIFY(cost && !cost->expected);
        QVERIFY(rankCostText(*cost).starts_with("2 ranks: sent 80 B per update and rank, waiting"));
    }

    void totalsAreSums() {
        RankTotals totals;
        totals.add(windowOf(1, {})); // before, on one rank
        QVERIFY(totals == RankTotals());
        totals.add(windowOf(2, {timesOf(0, 4, 0.25, 0.5, 7), timesOf(1, 3, 0.0, 1.0, 9)}));
        WindowRecord left = windowOf(3, {timesOf(0, 1, 0.25, 0.5, 1), timesOf(1, 0, 0.5, 0.5, 2)});
        left.update.reset();
        totals.add(left);
        QVERIFY((totals == RankTotals{2, 1, 1.0, {timesOf(0, 5, 0.5, 1.0, 8), timesOf(1, 3, 0.5, 1.5, 11)}}));
        // On with three ranks: the windows of two are no part of it any more.
        const std::vector three{timesOf(0, 1, 0.5, 0.5, 1), timesOf(1, 1, 0.5, 0.5, 1), timesOf(2, 1, 0.5, 0.5, 1)};
        totals.add(windowOf(4, three));
        QVERIFY((totals == RankTotals{1, 1, 0.5, three}));
    }

    void aGroupIsTheMeanOfItsRunsOnRanks() {
        const auto costOf = [](std::int64_t ranks, double bytes, double waiting, double reducing,
                               std::int64_t slowest) {
            return RankCost{ranks, 1.0, bytes, std::nullopt, waiting, reducing, slowest};
        };
        const auto group = groupRankCost({costOf(2, 1000.0, 0.25, 0.5, 1), std::nullopt,
                                          costOf(4, 2000.0, 0.5, 0.25, 3), costOf(2, 6000.0, 0.75, 0.0, 1)});
        // The run on one rank waits for nobody; it is no part of the means. All sums and quotients are exact.
        QVERIFY(group && *group == (GroupRankCost{3, 4, 2, 4, 3000.0, 0.5, 0.25, 1, 2}));
        const auto pair = groupRankCost({costOf(2, 1.0, 0.0, 0.0, 1), costOf(2, 1.0, 0.0, 0.0, 0)});
        QVERIFY(pair && pair->slowest == 0 && pair->slowestIn == 1); // of equals the lowest
        QVERIFY(!groupRankCost({}) && !groupRankCost({std::nullopt}));

        const auto textOf = [](const std::vector<RankCostRow>& rows) {
            std::string text;
            for (const RankCostRow& row : rows)
                text += std::string(messageWords(row.title)) + " | " + messageText(row.a) + " | " + messageText(row.b) +
                        "\n";
            return text;
        };
        QCOMPARE(textOf(rankCostRows(group, std::nullopt)), std::string("Ranks | 2–4 (in 3 of 4 runs) | 1\n"
                                                                        "Sent per update and rank | 3 kB | –\n"
                                                                        "Waiting (share of time) | 50.0 % | –\n"
                                                                        "Reducing (share of time) | 25.0 % | –\n"
                                                                        "Slowest rank | 1 (in 2 of 3 runs) | –\n"));
        const auto alike = groupRankCost({costOf(2, 1e6, 0.03, 0.04, 0), costOf(2, 1e6, 0.03, 0.04, 0)});
        const auto rows = rankCostRows(std::nullopt, alike);
        QCOMPARE(messageText(rows.front().b), std::string("2"));
        QCOMPARE(messageText(rows.back().b), std::string("0"));
        QCOMPARE(messageText(rows.back().a), std::string("–"));
        QVERIFY(rankCostRows(std::nullopt, std::nullopt).empty());
    }

    void amounts() {
        QCOMPARE(trafficText(0.0), std::string("0 B"));
        QCOMPARE(trafficText(999.4), std::string("999 B"));
        QCOMPARE(trafficText(999.6), std::string("1 kB"));
        QCOMPARE(trafficText(1'977'600.0), std::string("1.98 MB"));
        QCOMPARE(trafficText(999'600.0), std::string("1 MB"));
        QCOMPARE(trafficText(2.5e15), std::string("2.5e+03 TB"));
    }
};

QTEST_APPLESS_MAIN(TestRankCost)
} // namespace test_rank_cost
#include "test_rank_cost.moc"
