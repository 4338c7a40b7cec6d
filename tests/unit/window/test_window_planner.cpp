// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/window/window_planner.h"

#include "core/data/sampler.h"

#include <QTest>
#include <algorithm>
#include <array>
#include <numeric>
#include <set>

namespace test_window_planner {
using namespace accumulus;

namespace {

BatchPlan plan(std::int64_t effective, std::int64_t micro) {
    BatchConfig config;
    config.effective = effective;
    config.micro = micro;
    config.ragged = RaggedPolicy::Weight;
    return resolveBatch(config).value();
}

BatchPlan plan(std::int64_t effective, std::int64_t micro, BatchRamp ramp) {
    BatchConfig config;
    config.effective = effective;
    config.micro = micro;
    config.ragged = RaggedPolicy::Weight;
    config.ramp = std::move(ramp);
    return resolveBatch(config).value();
}

std::vector<WindowPlan> windows(std::int64_t samples, std::int64_t effective, std::int64_t micro, TailPolicy tail,
                                std::int64_t epochs, PlantedBug bug = PlantedBug::None) {
    WindowPlanner planner(plan(effective, micro), tail, samples, true, 7, epochs, bug);
    std::vector<WindowPlan> all;
    while (auto next = planner.next())
        all.push_back(*next);
    return all;
}

constexpr std::array tails = {TailPolicy::Apply, TailPolicy::Drop, TailPolicy::Carry, TailPolicy::Leak};

const std::vector<BatchRamp> ramps = {{{2, 9}},          {{1, 3}, {4, 12}},         {{3, 2}},
                                      {{2, 12}, {5, 4}}, {{2, 4}, {3, 8}, {5, 12}}, {{7, 1}}};

/// A run by the planner as the trainer drives it: each window is told the updates made before.
std::vector<WindowPlan> run(WindowPlanner& planner, std::int64_t updatesDone = 0) {
    std::vector<WindowPlan> all;
    while (auto next = planner.next(updatesDone)) {
        updatesDone += next->makesUpdate ? 1 : 0;
        all.push_back(*next);
    }
    return all;
}

std::int64_t updates(const std::vector<WindowPlan>& all) {
    return std::count_if(all.begin(), all.end(), [](const WindowPlan& window) { return window.makesUpdate; });
}

} // namespace

class TestWindowPlanner : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everySplitSeesTheSameSamples() {
        const auto reference = windows(97, 32, 32, TailPolicy::Apply, 2);
        for (const std::int64_t micro : {1, 3, 5, 8, 13}) {
            const auto other = windows(97, 32, micro, TailPolicy::Apply, 2);
            QCOMPARE(other.size(), reference.size());
            for (std::size_t i = 0; i < other.size(); ++i) {
                QCOMPARE(other[i].ids, reference[i].ids);
                QCOMPARE(std::accumulate(other[i].microSizes.begin(), other[i].microSizes.end(), std::int64_t{0}),
                         static_cast<std::int64_t>(other[i].ids.size()));
            }
        }
    }

    void anEpochIsAPermutation() {
        const auto all = windows(97, 32, 8, TailPolicy::Apply, 1);
        std::set<std::int64_t> seen;
        for (const WindowPlan& window : all)
            seen.insert(window.ids.begin(), window.ids.end());
        QCOMPARE(seen.size(), std::size_t{97});
        QVERIFY(epochOrder(97, true, 7, 0) != epochOrder(97, true, 7, 1));
        QVERIFY(epochOrder(97, true, 7, 0) != epochOrder(97, true, 8, 0));
    }

    // T5: every window but the last of an epoch has exactly K micro-steps. The planted bug closes it one early.
    void fullWindowsHaveExactlyKMicroSteps() {
        const auto fullWindowsAreFull = [](PlantedBug bug) {
            const auto all = windows(97, 32, 8, TailPolicy::Apply, 2, bug);
            return std::all_of(all.begin(), all.end(), [&](const WindowPlan& window) {
                const bool tail = window.epochPosition == static_cast<double>(window.epochsCompleted);
                return tail || window.microSizes.size() == 4;
            });
        };
        QVERIFY(fullWindowsAreFull(PlantedBug::None));
        QVERIFY(!fullWindowsAreFull(PlantedBug::BoundaryOffByOne));
    }

    void tailPolicies_data() {
        QTest::addColumn<int>("tail");
        QTest::addColumn<std::vector<std::int64_t>>("sizes"); // of two epochs of 10 samples, B = 4
        QTest::addColumn<std::int64_t>("updateCount");
        using Sizes = std::vector<std::int64_t>;
        QTest::newRow("apply") << int(TailPolicy::Apply) << Sizes{4, 4, 2, 4, 4, 2} << std::int64_t{6};
        QTest::newRow("drop") << int(TailPolicy::Drop) << Sizes{4, 4, 4, 4} << std::int64_t{4};
        QTest::newRow("carry") << int(TailPolicy::Carry) << Sizes{4, 4, 4, 4, 4} << std::int64_t{5};
        QTest::newRow("leak") << int(TailPolicy::Leak) << Sizes{4, 4, 2, 4, 4, 2} << std::int64_t{4};
    }
    void tailPolicies() {
        QFETCH(int, tail);
        QFETCH(std::vector<std::int64_t>, sizes);
        QFETCH(std::int64_t, updateCount);
        const auto all = windows(10, 4, 2, static_cast<TailPolicy>(tail), 2);
        std::vector<std::int64_t> got;
        for (const WindowPlan& window : all)
            got.push_back(static_cast<std::int64_t>(window.ids.size()));
        QCOMPARE(got, sizes);
        QCOMPARE(updates(all), updateCount);
        // T16: the arithmetic that schedules use agrees with what the planner does.
        QCOMPARE(totalUpdates(plan(4, 2), 10, static_cast<TailPolicy>(tail), {2, Extent::Unit::Epochs}), updateCount);
    }

    void totalUpdatesAgreesWithThePlannerEverywhere() {
        for (const TailPolicy tail : {TailPolicy::Apply, TailPolicy::Drop, TailPolicy::Carry, TailPolicy::Leak})
            for (std::int64_t samples = 5; samples <= 40; samples += 7)
                for (std::int64_t effective = 1; effective <= samples; effective += 3)
                    for (std::int64_t epochs = 1; epochs <= 4; ++epochs)
                        QCOMPARE(totalUpdates(plan(effective, 1), samples, tail, {epochs, Extent::Unit::Epochs}),
                                 updates(windows(samples, effective, 1, tail, epochs)));
    }

    // Every sample of an epoch lies in exactly one window, in the epoch's order; under drop the last ones may be
    // missing, under carry those of the run's end.
    void theWindowsOfARampPartitionEachEpoch() {
        constexpr std::int64_t epochs = 3;
        for (const TailPolicy tail : tails)
            for (const BatchRamp& ramp : ramps)
                for (std::int64_t samples = 12; samples <= 40; ++samples) {
                    const BatchPlan batch = plan(6, 4, ramp);
                    WindowPlanner planner(batch, tail, samples, true, 7, epochs);
                    const auto all = run(planner);
                    std::vector<std::vector<std::int64_t>> drawn(epochs);
                    std::int64_t update = 0;
                    for (const WindowPlan& window : all) {
                        for (std::size_t i = 0; i < window.ids.size(); ++i)
                            drawn[static_cast<std::size_t>(window.epochs[i])].push_back(window.ids[i]);
                        const std::int64_t effective = batch.effectiveAt(update + 1);
                        const auto held = static_cast<std::int64_t>(window.ids.size());
                        const bool endsEpoch = window.epochPosition == static_cast<double>(window.epochsCompleted);
                        QCOMPARE(window.nominal, effective);
                        QCOMPARE(window.microSizes, microSizes(held, 4));
                        QVERIFY(held == effective || (held < effective && endsEpoch));
                        QVERIFY(held == effective || tail == TailPolicy::Apply || !window.makesUpdate);
                        update += window.makesUpdate ? 1 : 0;
                    }
                    QCOMPARE(totalUpdates(batch, samples, tail, {epochs, Extent::Unit::Epochs}), update);
                    for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
                        const auto order = epochOrder(samples, true, 7, epoch);
                        const auto& got = drawn[static_cast<std::size_t>(epoch)];
                        QVERIFY(std::equal(got.begin(), got.end(), order.begin(), order.begin() + std::ssize(got)));
                        const bool cut = tail == TailPolicy::Drop || (tail == TailPolicy::Carry && epoch + 1 == epochs);
                        QVERIFY(std::ssize(got) == samples ||
                                (cut && samples - std::ssize(got) < batch.largestEffective()));
                    }
                    QVERIFY(tail == TailPolicy::Carry || all.back().epochsCompleted == epochs);
                }
    }

    void aRampPointInMidEpoch() {
        const auto sizesOf = [](TailPolicy tail) {
            WindowPlanner planner(plan(4, 4, {{3, 8}, {5, 5}}), tail, 22, true, 7, 2);
            std::vector<std::size_t> sizes;
            for (const WindowPlan& window : run(planner))
                sizes.push_back(window.ids.size());
            return sizes;
        };
        using Sizes = std::vector<std::size_t>;
        QCOMPARE(sizesOf(TailPolicy::Apply), (Sizes{4, 4, 8, 6, 5, 5, 5, 5, 2})); // 6: the rest, asked for 8
        QCOMPARE(sizesOf(TailPolicy::Drop), (Sizes{4, 4, 8, 8, 5, 5}));           // 6 dropped, later 4
        QCOMPARE(sizesOf(TailPolicy::Carry), (Sizes{4, 4, 8, 8, 5, 5, 5, 5}));
        QCOMPARE(sizesOf(TailPolicy::Leak), (Sizes{4, 4, 8, 6, 8, 5, 5, 4}));
    }

    // A skipped window makes no update: the next one has the same B again.
    void aRampGoesByUpdatesNotByWindows() {
        WindowPlanner planner(plan(4, 4, {{2, 8}}), TailPolicy::Apply, 60, true, 7, 1);
        QCOMPARE(planner.next(0)->ids.size(), std::size_t{4});
        QCOMPARE(planner.next(0)->ids.size(), std::size_t{4});
        QCOMPARE(planner.next(1)->ids.size(), std::size_t{8});
    }

    void aRampIsTakenUpAgainAnywhere() {
        for (const TailPolicy tail : tails)
            for (const BatchRamp& ramp : ramps) {
                const BatchPlan batch = plan(6, 4, ramp);
                WindowPlanner unbroken(batch, tail, 29, true, 7, 4);
                const auto all = run(unbroken);
                WindowPlanner first(batch, tail, 29, true, 7, 4);
                std::int64_t done = 0;
                for (std::size_t stop = 0; stop < all.size(); ++stop) {
                    WindowPlanner second(batch, tail, 29, true, 7, 4);
                    second.seek(first.position());
                    const auto rest = run(second, done);
                    QCOMPARE(rest.size(), all.size() - stop);
                    for (std::size_t i = 0; i < rest.size(); ++i) {
                        QCOMPARE(rest[i].ids, all[stop + i].ids);
                        QCOMPARE(rest[i].epochs, all[stop + i].epochs);
                        QCOMPARE(rest[i].makesUpdate, all[stop + i].makesUpdate);
                    }
                    done += first.next(done)->makesUpdate ? 1 : 0;
                }
            }
    }

    // data.drop_last: the first floor(D / m) m samples of the epoch's order, the same for both arms.
    void theLastMicroBatchOfAnEpochIsLeftOut() {
        for (std::int64_t samples = 12; samples <= 40; ++samples) {
            const std::int64_t used = samples / 4 * 4;
            const auto order = epochOrder(samples, true, 7, 0);
            for (const std::int64_t micro : {4, 12}) { // accumulated, large batch
                WindowPlanner planner(plan(12, micro), TailPolicy::Apply, samples, true, 7, 1, PlantedBug::None, used);
                std::vector<std::int64_t> ids;
                for (const WindowPlan& window : run(planner)) {
                    ids.insert(ids.end(), window.ids.begin(), window.ids.end());
                    QVERIFY(micro != 4 || window.microSizes.back() == 4); // no short micro-batch is left
                }
                QVERIFY(std::equal(ids.begin(), ids.end(), order.begin(), order.begin() + used));
            }
        }
    }

    void seekingContinuesWhereItWas() {
        for (const TailPolicy tail : {TailPolicy::Apply, TailPolicy::Drop, TailPolicy::Carry, TailPolicy::Leak}) {
            const auto all = windows(23, 5, 2, tail, 3);
            WindowPlanner first(plan(5, 2), tail, 23, true, 7, 3);
            for (std::size_t stop = 0; stop < all.size(); ++stop) {
                WindowPlanner second(plan(5, 2), tail, 23, true, 7, 3);
                second.seek(first.position());
                QCOMPARE(second.next()->ids, all[stop].ids);
                (void)first.next();
            }
        }
    }

    // T15: a new B of a ramp changes K from the next window on. The planted bug keeps the old K.
    void aNewBatchTakesItsOwnSteps() {
        for (const PlantedBug bug : {PlantedBug::None, PlantedBug::NewBatchOldSteps}) {
            WindowPlanner planner(plan(12, 3, {{2, 24}}), TailPolicy::Apply, 60, true, 1, 1, bug);
            QCOMPARE(planner.next(0)->ids.size(), std::size_t{12});
            QCOMPARE(planner.next(1)->microSizes == std::vector<std::int64_t>(8, 3), bug == PlantedBug::None);
        }
    }

    // T12: the sizes of a window sum to its samples. The planted bug leaves the short last micro-batch out.
    void theSizesOfAWindowHoldAllOfIt() {
        for (const PlantedBug bug : {PlantedBug::None, PlantedBug::RestLeftOut})
            for (const WindowPlan& window : windows(97, 32, 5, TailPolicy::Apply, 1, bug)) {
                const auto sum = std::accumulate(window.microSizes.begin(), window.microSizes.end(), std::int64_t{0});
                const bool whole = sum == static_cast<std::int64_t>(window.ids.size());
                QCOMPARE(whole,
                         bug == PlantedBug::None || window.ids.size() == 1); // a window of one sample has no rest
            }
    }

    // What microSizesOfRun() says by arithmetic is what a planner meets, over 600 settings; the mutant that leaves the
    // ramp out is seen.
    void theSizesOfARunAreThoseItMeets() {
        int seen = 0;
        for (std::uint64_t draw = 0; draw < 600; ++draw) {
            std::uint64_t state = draw * 7919 + 17;
            const auto pick = [&state](std::int64_t from, std::int64_t to) {
                state = state * 6364136223846793005ULL + 1442695040888963407ULL;
                return from + static_cast<std::int64_t>((state >> 33) % static_cast<std::uint64_t>(to - from + 1));
            };
            const std::int64_t samples = pick(20, 60);
            const std::int64_t effective = pick(2, 12);
            BatchPlan batch = plan(effective, pick(1, effective));
            for (std::int64_t at = pick(2, 9); at < 30 && pick(0, 2) > 0; at += pick(1, 12))
                batch.ramp.push_back({at, pick(2, 19)});
            const TailPolicy tail = std::array{TailPolicy::Apply, TailPolicy::Drop, TailPolicy::Carry,
                                               TailPolicy::Leak}[static_cast<std::size_t>(pick(0, 3))];
            const std::int64_t updates = pick(1, 40);
            WindowPlanner planner(batch, tail, samples, true, 7, 0);
            std::set<std::int64_t> met;
            std::int64_t made = 0;
            while (made < updates) {
                const auto next = planner.next(made);
                met.insert(next->microSizes.begin(), next->microSizes.end());
                made += next->makesUpdate ? 1 : 0;
            }
            // A tail that ends the last epoch may come behind the last update; refusing it is no harm.
            const std::set<std::int64_t> said = microSizesOfRun(batch, tail, samples, updates, false);
            QVERIFY2(std::ranges::includes(said, met), qPrintable(QString::number(draw)));
            if (tail == TailPolicy::Carry || tail == TailPolicy::Drop)
                QVERIFY2(said.size() <= met.size() + (tail == TailPolicy::Carry ? 2 * batch.ramp.size() : 0),
                         qPrintable(QString::number(draw)));
            BatchPlan without = batch;
            without.ramp.clear();
            seen += !std::ranges::includes(microSizesOfRun(without, tail, samples, updates, false), met);
        }
        QVERIFY(seen > 100);
    }

    /// A run of whole epochs ends behind the leaked tail of the last one, which makes no update.
    void theSizesOfWholeEpochsHoldALeakedTail() {
        for (std::int64_t samples = 16; samples < 40; ++samples)
            for (const std::int64_t epochs : {1, 2, 3}) {
                const BatchPlan batch = plan(16, 4);
                WindowPlanner planner(batch, TailPolicy::Leak, samples, true, 7, epochs);
                std::set<std::int64_t> met;
                std::int64_t made = 0;
                while (const auto next = planner.next(made)) {
                    met.insert(next->microSizes.begin(), next->microSizes.end());
                    made += next->makesUpdate ? 1 : 0;
                }
                QVERIFY2(microSizesOfRun(batch, TailPolicy::Leak, samples, made, true) == met,
                         qPrintable(QString::number(samples)));
            }
    }
};

QTEST_APPLESS_MAIN(TestWindowPlanner)
} // namespace test_window_planner
#include "test_window_planner.moc"
