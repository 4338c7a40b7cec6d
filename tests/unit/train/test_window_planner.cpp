// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/window_planner.h"

#include "core/data/sampler.h"

#include <QTest>
#include <algorithm>
#include <numeric>
#include <set>

using namespace accumulus;

namespace {

BatchPlan plan(std::int64_t effective, std::int64_t micro) {
    BatchConfig config;
    config.effective = effective;
    config.micro = micro;
    config.ragged = RaggedPolicy::Weight;
    return resolveBatch(config).value();
}

std::vector<WindowPlan> windows(std::int64_t samples, std::int64_t effective, std::int64_t micro, TailPolicy tail, std::int64_t epochs,
                                Mistake mistake = Mistake::None) {
    WindowPlanner planner(plan(effective, micro), tail, samples, true, 7, epochs, mistake);
    std::vector<WindowPlan> all;
    while (auto next = planner.next())
        all.push_back(*next);
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

    // T5: every window but the last of an epoch has exactly K micro-steps. The planted mistake closes it one early.
    void fullWindowsHaveExactlyKMicroSteps() {
        const auto fullWindowsAreFull = [](Mistake mistake) {
            const auto all = windows(97, 32, 8, TailPolicy::Apply, 2, mistake);
            return std::all_of(all.begin(), all.end(), [&](const WindowPlan& window) {
                const bool tail = window.epochPosition == static_cast<double>(window.epochsCompleted);
                return tail || window.microSizes.size() == 4;
            });
        };
        QVERIFY(fullWindowsAreFull(Mistake::None));
        QVERIFY(!fullWindowsAreFull(Mistake::BoundaryOffByOne));
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

    // T15: a new micro-batch changes K from the next window on and B never. The planted mistake keeps the old K.
    void aNewMicroBatchKeepsTheEffectiveBatch() {
        for (const Mistake mistake : {Mistake::None, Mistake::NewMicroOldSteps}) {
            WindowPlanner planner(plan(12, 3), TailPolicy::Apply, 60, true, 1, 1, mistake);
            QCOMPARE(planner.next()->ids.size(), std::size_t{12});
            planner.setMicro(2);
            const auto next = planner.next();
            QCOMPARE(next->ids.size() == 12, mistake == Mistake::None);
            if (mistake == Mistake::None)
                QCOMPARE(next->microSizes, (std::vector<std::int64_t>(6, 2)));
        }
    }
};

QTEST_APPLESS_MAIN(TestWindowPlanner)
#include "test_window_planner.moc"
