// SPDX-License-Identifier: GPL-3.0-or-later
// What each rank says of a window: the same rows on all ranks, bytes that are the formulas' to the byte, times that are
// there.
#include "core/analysis/rank_cost.h"
#include "core/engine/engine.h"
#include "core/window/flat_kernels.h"
#include "core/window/shards.h"
#include "tests/support/numeric.h"
#include "tests/support/rank_test.h"
#include "tests/support/training.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace test_rank_times {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Three updates of windows of 12 micro-steps: as many for each of 1, 2, 3 and 4 ranks. Evaluations and checkpoints in
/// between.
RunConfig rankConfig(ParallelMode mode, ReductionOrder order) {
    RunConfig config = smallConfig(400, 8 * 12, 8);
    config.model.hidden = {64}; // what is counted follows from its size, whatever that is
    config.train.length = {3, Extent::Unit::Updates};
    config.evaluate.every = {1, Extent::Unit::Updates};
    config.checkpoint.every = {1, Extent::Unit::Updates};
    config.parallel = {mode, order};
    return config;
}

/// All but the times.
bool sameCounts(const RankTimes& a, const RankTimes& b) {
    return a.window == b.window && a.rank == b.rank && a.microSteps == b.microSteps && a.sentBytes == b.sentBytes &&
           a.exchanges == b.exchanges;
}

} // namespace

class TestRankTimes : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Communicator> m_ranks;
    QTemporaryDir m_folder;
    std::string m_shared; ///< the first rank's folder

    [[nodiscard]] int size() const { return m_ranks->size(); }

    [[nodiscard]] std::vector<WindowRecord> train(const RunConfig& config,
                                                  const std::function<void(TrainerSetup&)>& change = {}) {
        TrainerSetup setup = makeSetup(config, m_folder);
        setup.folder = m_shared;
        setup.ranks = m_ranks.get();
        if (change)
            change(setup);
        auto trainer = Trainer::create(std::move(setup));
        if (!trainer)
            qFatal("%s", describe(trainer.error()).c_str());
        RecordingObserver observer;
        const TrainingEnd end = (*trainer)->train(observer);
        if (end.error)
            qFatal("%s", describe(*end.error).c_str());
        return observer.windows;
    }
    [[nodiscard]] std::int64_t arenaSize(const RunConfig& config) {
        return modelOf(makeSetup(config, m_folder), at::kCPU).value()->layout().flatSize();
    }

private Q_SLOTS:
    void initTestCase() {
        m_ranks = joinTestRanks();
        QVERIFY(m_ranks);
        m_shared = m_ranks->gather(m_folder.path().toStdString()).front();
    }
    void cleanup() { endAllIfFailed(*m_ranks); }
    void cleanupTestCase() {
        (void)m_ranks->gather({});
        m_ranks.reset();
    }

    void bytesAreTheFormulas_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<int>("order");
        for (const auto order : {ReductionOrder::Ranks, ReductionOrder::MicroSteps})
            for (const auto mode : {ParallelMode::Ddp, ParallelMode::Zero1, ParallelMode::Zero2})
                QTest::addRow("mode %d, order %d", int(mode), int(order)) << int(mode) << int(order);
    }
    void bytesAreTheFormulas() {
        QFETCH(int, mode);
        QFETCH(int, order);
        const RunConfig config = rankConfig(ParallelMode(mode), ReductionOrder(order));
        const auto windows = train(config);
        QCOMPARE(windows.size(), std::size_t{3});
        RankTotals totals;
        for (const WindowRecord& window : windows) {
            QCOMPARE(window.ranks.size(), std::size_t(size()));
            // R ranks, each on average 2 f P S or (K + 1) f P S, f = (R - 1) / R; evaluations and checkpoints between
            // the windows count nowhere.
            const bool scatters =
                ParallelMode(mode) == ParallelMode::Zero2 || ReductionOrder(order) == ReductionOrder::MicroSteps;
            const std::int64_t times = scatters ? 12 / size() + 1 : 2;
            std::int64_t bytes = 0, microSteps = 0;
            for (std::size_t rank = 0; rank < window.ranks.size(); ++rank) {
                const RankTimes& told = window.ranks[rank];
                QCOMPARE(told.window, window.window);
                QCOMPARE(told.rank, std::int64_t(rank));
                QCOMPARE(told.microSteps, 12 / size());
                QCOMPARE(told.exchanges, scatters ? 12 / size() + 1 : 2);
                QVERIFY(told.forwardSeconds > 0.0 && told.backwardSeconds > 0.0);
                QVERIFY(told.dataSeconds >= 0.0 && told.commitSeconds >= 0.0);
                QVERIFY(told.waitingSeconds >= 0.0 && told.reducingSeconds > 0.0);
                bytes += told.sentBytes;
                microSteps += told.microSteps;
            }
            QCOMPARE(bytes, times * (size() - 1) * arenaSize(config) * 8); // fp64
            QCOMPARE(microSteps, window.microSteps);
            const RankTimes& own = window.ranks[std::size_t(m_ranks->rank())];
            QVERIFY(compareBits(own.forwardSeconds, window.forwardSeconds));
            QVERIFY(compareBits(own.commitSeconds, window.commitSeconds));
            totals.add(window);
        }
        const auto cost = rankCost(totals, config, arenaSize(config));
        QVERIFY(cost && cost->expected);
        QVERIFY(compareRel(cost->bytes, cost->expected->bytes, 1e-14)); // a handful of products and one division
    }

    /// Micro-steps that cannot be shared out evenly: who computes more is told, and all are told the same.
    void allRanksSeeTheSameRows() {
        RunConfig config = rankConfig(ParallelMode::Ddp, ReductionOrder::Ranks);
        config.batch.effective = 8 * 5;
        const auto windows = train(config);
        std::string own;
        for (const WindowRecord& window : windows)
            for (const RankTimes& rank : window.ranks)
                own.append(reinterpret_cast<const char*>(&rank), sizeof rank);
        for (const std::string& told : m_ranks->gather(own))
            QVERIFY(told == own);
        for (const WindowRecord& window : windows) {
            std::int64_t microSteps = 0;
            for (const RankTimes& rank : window.ranks) {
                QCOMPARE(rank.microSteps, (5 - rank.rank + size() - 1) / size());
                microSteps += rank.microSteps;
            }
            QCOMPARE(microSteps, 5);
        }
        const auto again = train(config);
        for (std::size_t i = 0; i < windows.size(); ++i)
            for (std::size_t rank = 0; rank < windows[i].ranks.size(); ++rank)
                QVERIFY(sameCounts(windows[i].ranks[rank], again[i].ranks[rank]));
    }

    /// On one lane no second is counted twice: not even where ranks wait for one that is late with its new weights.
    void thePartsAreNoMoreThanTheWindow() {
        for (const ParallelMode mode : {ParallelMode::Ddp, ParallelMode::Zero1, ParallelMode::Zero2}) {
            RunConfig config = rankConfig(mode, ReductionOrder::Ranks);
            config.device.lanes = 1;
            const auto windows = train(config, [&](TrainerSetup& setup) {
                const bool late = m_ranks->rank() == size() - 1;
                setup.gradientProbe = [late](const WindowRecord&, const std::vector<double>&) {
                    if (late)
                        std::this_thread::sleep_for(std::chrono::milliseconds(50));
                };
            });
            for (const WindowRecord& window : windows) {
                const RankTimes& own = window.ranks[std::size_t(m_ranks->rank())];
                const double parts = window.dataSeconds + window.forwardSeconds + window.backwardSeconds +
                                     window.commitSeconds + window.updateSeconds + own.waitingSeconds +
                                     own.reducingSeconds;
                QVERIFY(window.updateSeconds > 0.0);
                // Differences of one clock: a rounding of some 1e-16 for each of ten.
                QVERIFY2(parts <= window.seconds + 1e-9,
                         qPrintable(QString("%1 s of %2 s").arg(parts).arg(window.seconds)));
            }
        }
    }

    /// One rank takes its time over every micro-step; the others wait, and it does not.
    void whoIsSlowIsFound() {
        const int slow = size() - 1;
        for (const ParallelMode mode : {ParallelMode::Ddp, ParallelMode::Zero2}) {
            const RunConfig config = rankConfig(mode, ReductionOrder::Ranks);
            const auto windows = train(config, [&](TrainerSetup& setup) {
                if (m_ranks->rank() == slow)
                    setup.afterCommit = [](std::int64_t) {
                        std::this_thread::sleep_for(std::chrono::milliseconds(50));
                    };
            });
            RankTotals totals;
            for (const WindowRecord& window : windows)
                totals.add(window);
            const auto cost = rankCost(totals, config, std::nullopt);
            QVERIFY(cost);
            QCOMPARE(cost->slowest, slow);
            QVERIFY(cost->waiting > 0.0);
        }
    }
};

QTEST_GUILESS_MAIN(TestRankTimes)
} // namespace test_rank_times
#include "test_rank_times.moc"
