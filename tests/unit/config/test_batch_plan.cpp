// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/batch_plan.h"

#include <QtTest>
#include <limits>
#include <map>
#include <numeric>

namespace test_batch_plan {
using namespace accumulus;

namespace {

BatchConfig batchOf(std::int64_t effective, std::int64_t micro, std::int64_t steps = 0, std::int64_t devices = 1,
                    RaggedPolicy ragged = RaggedPolicy::Refuse) {
    return {effective, micro, steps, devices, ragged, TailPolicy::Apply, {}, false};
}

BatchPlan planOf(std::int64_t effective) { return {effective, 1, effective, 1, microSizes(effective, 1), {}}; }

BatchPlan planOf(std::int64_t effective, BatchRamp ramp) {
    BatchConfig config = batchOf(effective, 1);
    config.ramp = std::move(ramp);
    return resolveBatch(config).value();
}

/// T12: micro-batches of a window of `effective` samples: none exceeds m, none is empty, they sum to B, only the last
/// may be smaller.
bool isSplit(const std::vector<std::int64_t>& sizes, std::int64_t effective, std::int64_t micro) {
    return !sizes.empty() && std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}) == effective &&
           std::ranges::all_of(sizes, [micro](std::int64_t size) { return size >= 1 && size <= micro; }) &&
           std::all_of(sizes.begin(), sizes.end() - 1, [micro](std::int64_t size) { return size == micro; });
}

/// The training loop reduced to its counters, sample by sample: the slow reference of every formula under test.
struct Simulation {
    std::int64_t first;
    std::int64_t samplesPerEpoch;
    TailPolicy tail;
    BatchRamp ramp{};

    std::int64_t effectiveOf(std::size_t update) const {
        std::int64_t effective = first;
        for (const RampPoint& point : ramp)
            if (point.update <= static_cast<std::int64_t>(update))
                effective = point.effective;
        return effective;
    }

    /// (updates, samples seen) after each update of `epochs` epochs.
    std::vector<std::int64_t> samplesAtUpdates(std::int64_t epochs) const {
        std::vector<std::int64_t> seenAtUpdates;
        std::int64_t seen = 0;
        std::int64_t inWindow = 0;
        for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
            for (std::int64_t sample = 0; sample < samplesPerEpoch; ++sample) {
                const std::int64_t left = samplesPerEpoch - sample;
                const std::int64_t effective = effectiveOf(seenAtUpdates.size() + 1);
                if (tail == TailPolicy::Drop && inWindow == 0 && left < effective)
                    break;
                ++seen;
                if (++inWindow == effective) {
                    seenAtUpdates.push_back(seen);
                    inWindow = 0;
                }
            }
            if (tail == TailPolicy::Apply && inWindow > 0)
                seenAtUpdates.push_back(seen);
            if (tail != TailPolicy::Carry)
                inWindow = 0;
        }
        return seenAtUpdates;
    }

    std::int64_t updatesOfEpochs(std::int64_t epochs) const {
        return static_cast<std::int64_t>(samplesAtUpdates(epochs).size());
    }
    /// Number of the first update at or after `target` samples; there must be one within `epochs`.
    std::int64_t updatesOfSamples(std::int64_t target, std::int64_t epochs) const {
        const auto seen = samplesAtUpdates(epochs);
        return std::ranges::lower_bound(seen, target) - seen.begin() + 1;
    }
};

constexpr std::array tails = {TailPolicy::Apply, TailPolicy::Drop, TailPolicy::Carry, TailPolicy::Leak};

} // namespace

class TestBatchPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void changingTheMicroBatchNeverChangesTheEffectiveBatch() {
        for (std::int64_t effective = 1; effective <= 256; ++effective)
            for (std::int64_t micro = 1; micro <= effective; ++micro) {
                const auto plan = resolveBatch(batchOf(effective, micro, 0, 1, RaggedPolicy::Weight));
                QVERIFY(plan);
                QVERIFY(isSplit(plan->microSizes, effective, micro));
                QCOMPARE(plan->steps, static_cast<std::int64_t>(plan->microSizes.size()));
                QCOMPARE(plan->ragged(), effective % micro != 0);
                QCOMPARE(bool(resolveBatch(batchOf(effective, micro))), effective % micro == 0);
            }
    }

    // The ways in which such a splitter goes wrong, each for all 1 <= m <= B <= 256 that m does not divide.
    void theCheckOfASplitSeesPlantedMistakes() {
        for (std::int64_t effective = 1; effective <= 256; ++effective)
            for (std::int64_t micro = 1; micro <= effective; ++micro) {
                const auto good = microSizes(effective, micro);
                QVERIFY(isSplit(good, effective, micro));
                if (effective % micro == 0)
                    continue;
                const auto full = static_cast<std::size_t>(effective / micro);
                auto merged = std::vector<std::int64_t>(full, micro); // the rest joined to the last one
                merged.back() += effective % micro;
                QVERIFY(!isSplit(merged, effective, micro));
                QVERIFY(!isSplit(std::vector<std::int64_t>(full, micro), effective, micro));     // the rest lost
                QVERIFY(!isSplit(std::vector<std::int64_t>(full + 1, micro), effective, micro)); // B rounded up
                auto reversed = good;                                                            // the short one first
                std::ranges::reverse(reversed);
                QVERIFY(!isSplit(reversed, effective, micro));
            }
    }

    void derivesWhatIsZero() {
        QCOMPARE(resolveBatch(batchOf(256, 32))->steps, 8);
        QCOMPARE(resolveBatch(batchOf(0, 32, 8))->effective, 256);
        QCOMPARE(resolveBatch(batchOf(0, 32, 6, 8))->effective, 1536);
        QCOMPARE(resolveBatch(batchOf(256, 32, 8))->microSizes, std::vector<std::int64_t>(8, 32));
        QCOMPARE(resolveBatch(batchOf(250, 32, 8, 1, RaggedPolicy::Weight))->microSizes.back(), 26);
        QCOMPARE(resolveBatch(batchOf(250, 32, 0, 3, RaggedPolicy::Weight))->steps, 3); // ceil(250 / 96)
    }

    void namesTheNearestMultiples() {
        const auto plan = resolveBatch(batchOf(250, 32));
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, std::string("config.batch.multiple"));
        QCOMPARE(plan.error().argument("lower"), std::string("224"));
        QCOMPARE(plan.error().argument("upper"), std::string("256"));
        QCOMPARE(plan.error().argument("effective"), std::string("250"));
        QCOMPARE(plan.error().argument("micro"), std::string("32"));
        QCOMPARE(plan.error().argument("devices"), std::string("1"));
    }

    void refusesWhatCannotBe_data() {
        QTest::addColumn<qint64>("effective");
        QTest::addColumn<qint64>("micro");
        QTest::addColumn<qint64>("steps");
        QTest::addColumn<qint64>("devices");
        QTest::addColumn<QString>("code");
        const qint64 huge = std::numeric_limits<qint64>::max();
        QTest::newRow("steps disagree") << qint64(128) << qint64(32) << qint64(3) << qint64(1)
                                        << "config.batch.disagree";
        QTest::newRow("micro above effective")
            << qint64(16) << qint64(32) << qint64(0) << qint64(1) << "config.batch.micro-exceeds";
        QTest::newRow("devices above effective")
            << qint64(64) << qint64(32) << qint64(0) << qint64(4) << "config.batch.micro-exceeds";
        QTest::newRow("nothing to derive from") << qint64(0) << qint64(32) << qint64(0) << qint64(1) << "config.value";
        QTest::newRow("no micro-batch") << qint64(128) << qint64(0) << qint64(0) << qint64(1) << "config.value";
        QTest::newRow("negative") << qint64(128) << qint64(-32) << qint64(0) << qint64(1) << "config.value";
        QTest::newRow("no device") << qint64(128) << qint64(32) << qint64(0) << qint64(0) << "config.value";
        QTest::newRow("largest numbers") << huge << huge << huge << huge << "config.value";
        QTest::newRow("smallest number") << std::numeric_limits<qint64>::min() << qint64(32) << qint64(0) << qint64(1)
                                         << "config.value";
        QTest::newRow("product too large")
            << qint64(0) << qint64(1000000000) << qint64(1000000) << qint64(4096) << "config.value";
        QTest::newRow("a billion micro-batches")
            << qint64(1000000000) << qint64(1) << qint64(0) << qint64(1) << "config.value";
        QTest::newRow("over many devices")
            << qint64(1000000000) << qint64(1) << qint64(0) << qint64(1000) << "config.value";
    }
    void refusesWhatCannotBe() {
        QFETCH(qint64, effective);
        QFETCH(qint64, micro);
        QFETCH(qint64, steps);
        QFETCH(qint64, devices);
        QFETCH(QString, code);
        const auto plan = resolveBatch(batchOf(effective, micro, steps, devices));
        QVERIFY(!plan);
        QCOMPARE(QString::fromStdString(plan.error().code), code);
        QVERIFY(!describe(plan.error()).empty());
    }

    void anEpochBecomesWindows() {
        QCOMPARE(planEpoch(planOf(256), 60000, TailPolicy::Apply), (EpochPlan{60000, 234, 96, 235}));
        QCOMPARE(planEpoch(planOf(256), 60000, TailPolicy::Drop), (EpochPlan{60000, 234, 96, 234}));
        QCOMPARE(planEpoch(planOf(128), 256, TailPolicy::Apply), (EpochPlan{256, 2, 0, 2}));
        QCOMPARE(planEpoch(planOf(128), 100, TailPolicy::Apply), (EpochPlan{100, 0, 100, 1}));
        QCOMPARE(planEpoch(planOf(128), 0, TailPolicy::Apply), EpochPlan{});
        QCOMPARE(planEpoch(BatchPlan{}, 100, TailPolicy::Apply), EpochPlan{});
    }

    void everyLengthCountsTheUpdatesOfASimulatedRun() {
        for (const TailPolicy tail : tails)
            for (std::int64_t effective = 1; effective <= 9; ++effective)
                for (std::int64_t samples = 1; samples <= 20; ++samples) {
                    const Simulation simulation{effective, samples, tail};
                    const BatchPlan plan = planOf(effective);
                    for (std::int64_t epochs = 1; epochs <= 6; ++epochs)
                        QCOMPARE(totalUpdates(plan, samples, tail, {epochs, Extent::Unit::Epochs}),
                                 simulation.updatesOfEpochs(epochs));
                    if (simulation.updatesOfEpochs(30) == 0) {
                        QCOMPARE(totalUpdates(plan, samples, tail, {5, Extent::Unit::Samples}), 0);
                        QCOMPARE(totalUpdates(plan, samples, tail, {5, Extent::Unit::Updates}), 0);
                        continue;
                    }
                    // 30 epochs train on 30 samples at least, and under drop on more than half of the data.
                    for (std::int64_t target = 1; target <= 14; ++target)
                        QCOMPARE(totalUpdates(plan, samples, tail, {target, Extent::Unit::Samples}),
                                 simulation.updatesOfSamples(target, 30));
                    QCOMPARE(totalUpdates(plan, samples, tail, {7, Extent::Unit::Updates}), 7);
                }
    }

    void theSimulationTellsThePoliciesApart() {
        // 10 samples, B = 4, 3 epochs: 3 x ceil, 3 x floor, floor of all, 3 x floor.
        QCOMPARE((Simulation{4, 10, TailPolicy::Apply}.updatesOfEpochs(3)), 9);
        QCOMPARE((Simulation{4, 10, TailPolicy::Drop}.updatesOfEpochs(3)), 6);
        QCOMPARE((Simulation{4, 10, TailPolicy::Carry}.updatesOfEpochs(3)), 7);
        QCOMPARE((Simulation{4, 10, TailPolicy::Leak}.updatesOfEpochs(3)), 6);
        // The ninth sample: in the short third window, in the second epoch's first (8 + 4 seen), in the third, in the
        // second epoch's first.
        QCOMPARE((Simulation{4, 10, TailPolicy::Leak}.samplesAtUpdates(2)), (std::vector<std::int64_t>{4, 8, 14, 18}));
        QCOMPARE((Simulation{4, 10, TailPolicy::Drop}.samplesAtUpdates(2)), (std::vector<std::int64_t>{4, 8, 12, 16}));
        QCOMPARE((Simulation{4, 10, TailPolicy::Apply}.samplesAtUpdates(1)), (std::vector<std::int64_t>{4, 8, 10}));
    }

    void everyLengthOfARampCountsTheUpdatesOfASimulatedRun() {
        const std::vector<BatchRamp> ramps = {
            {},       {{1, 5}},         {{2, 5}},         {{3, 1}},         {{2, 2}, {3, 7}, {4, 1}},
            {{4, 8}}, {{2, 6}, {9, 3}}, {{5, 2}, {6, 4}}, {{1, 2}, {7, 8}}, {{2, 1}, {3, 2}, {5, 4}, {9, 8}}};
        for (const TailPolicy tail : tails)
            for (const BatchRamp& ramp : ramps)
                for (std::int64_t effective = 1; effective <= 6; ++effective)
                    for (std::int64_t samples = 8; samples <= 23; ++samples) { // at least the largest B
                        const Simulation simulation{effective, samples, tail, ramp};
                        const BatchPlan plan = planOf(effective, ramp);
                        const auto seen = simulation.samplesAtUpdates(40);
                        for (std::int64_t epochs = 1; epochs <= 6; ++epochs)
                            QCOMPARE(totalUpdates(plan, samples, tail, {epochs, Extent::Unit::Epochs}),
                                     simulation.updatesOfEpochs(epochs));
                        for (std::int64_t target = 1; target <= 60; ++target)
                            QCOMPARE(totalUpdates(plan, samples, tail, {target, Extent::Unit::Samples}),
                                     simulation.updatesOfSamples(target, 40));
                        for (std::int64_t update = 1; update <= 20; ++update)
                            QCOMPARE(samplesOfUpdates(plan, samples, tail, update),
                                     seen.at(static_cast<std::size_t>(update - 1)));
                        QCOMPARE(totalUpdates(plan, samples, tail, {11, Extent::Unit::Updates}), 11);
                    }
    }

    void theFirstEpochOfARamp() {
        // 2 x 4, then 8s: 4 4 8 8 1 of 25.
        const BatchPlan plan = planOf(4, {{3, 8}});
        QCOMPARE(planEpoch(plan, 25, TailPolicy::Apply), (EpochPlan{25, 4, 1, 5}));
        QCOMPARE(planEpoch(plan, 25, TailPolicy::Leak), (EpochPlan{25, 4, 1, 4}));
        QCOMPARE(planEpoch(plan, 24, TailPolicy::Apply), (EpochPlan{24, 4, 0, 4}));
        QCOMPARE(planEpoch(plan, 8, TailPolicy::Apply), (EpochPlan{8, 2, 0, 2})); // the point is reached as it ends
        QCOMPARE(planEpoch(planOf(8, {{2, 3}}), 16, TailPolicy::Drop), (EpochPlan{16, 3, 2, 3}));
    }

    void aRampFollowsFromThePoints() {
        const BatchPlan plan = planOf(32, {{1, 64}, {10, 64}, {20, 16}, {30, 128}});
        QCOMPARE(plan.effective, 64); // the first point replaces batch.effective
        QCOMPARE(plan.steps, 64);
        QCOMPARE(plan.ramp, (BatchRamp{{20, 16}, {30, 128}})); // without the point that changes nothing
        for (const auto& [update, effective] :
             std::map<std::int64_t, std::int64_t>{{1, 64}, {19, 64}, {20, 16}, {29, 16}, {30, 128}, {1000000, 128}})
            QCOMPARE(plan.effectiveAt(update), effective);
        QCOMPARE(plan.largestEffective(), 128);
        QCOMPARE(planOf(128, {{2, 4}}).largestEffective(), 128);
        QCOMPARE(planOf(7).effectiveAt(3), 7);
    }

    void everyValueOfARampMustComeOut() {
        BatchConfig batch = batchOf(128, 32);
        batch.ramp = {{100, 256}, {200, 250}};
        const auto plan = resolveBatch(batch);
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, std::string("config.batch.ramp-multiple"));
        QCOMPARE(plan.error().argument("effective"), std::string("250"));
        QCOMPARE(plan.error().argument("update"), std::string("200"));
        QCOMPARE(plan.error().argument("lower"), std::string("224"));
        QCOMPARE(plan.error().argument("upper"), std::string("256"));
        batch.ragged = RaggedPolicy::Weight;
        QCOMPARE(resolveBatch(batch)->largestSteps(), 8);
        batch.ragged = RaggedPolicy::Refuse;
        batch.ramp = {{100, 16}};
        QCOMPARE(resolveBatch(batch).error().code, std::string("config.batch.ramp-exceeds"));
        batch.ramp = {{1, 256}}; // batch.effective is never used, so it need not come out
        batch.effective = 100;
        QCOMPARE(resolveBatch(batch)->effective, 256);
        batch.steps = 4;
        QCOMPARE(resolveBatch(batch).error().code, std::string("config.batch.disagree"));
        batch.steps = 8;
        QVERIFY(resolveBatch(batch));
        batch.ramp = {{1, 250}};
        QCOMPARE(resolveBatch(batch).error().code, std::string("config.batch.ramp-multiple"));
        batch.ramp = {{2, 256}, {1, 512}}; // past the field table
        QCOMPARE(resolveBatch(batch).error().code, std::string("config.value"));
        batch = batchOf(128, 1);
        batch.ramp = {{9, 1000000000}};
        QCOMPARE(resolveBatch(batch).error().code, std::string("config.value")); // too many micro-batches
    }

    // The large batch beside a ramp: m is the largest B, and smaller windows are a single smaller micro-batch.
    void aMicroBatchMayHoldTheLargestWindowOfARamp() {
        BatchConfig batch = batchOf(128, 512, 0, 1, RaggedPolicy::Weight);
        QCOMPARE(resolveBatch(batch).error().code, std::string("config.batch.micro-exceeds"));
        batch.ramp = {{100, 512}};
        const auto plan = resolveBatch(batch);
        QVERIFY(plan);
        QCOMPARE(plan->steps, 1);
        QCOMPARE(plan->largestSteps(), 1);
        BatchPlan elsewhere; // of a run that tells no more
        elsewhere.steps = 5;
        QCOMPARE(elsewhere.largestSteps(), 5);
        QCOMPARE(plan->microSizes, std::vector<std::int64_t>{128});
        batch.micro = 513;
        QCOMPARE(resolveBatch(batch).error().code, std::string("config.batch.micro-exceeds"));
    }

    void droppingTheLastMicroBatchCutsTheEpoch() {
        DataConfig data;
        const BatchPlan plan = resolveBatch(batchOf(128, 32)).value();
        QCOMPARE(usedSamples(data, plan, 1000), 1000);
        data.dropLast = true;
        QCOMPARE(usedSamples(data, plan, 1000), 992);
        QCOMPARE(usedSamples(data, plan, 992), 992);
        QCOMPARE(usedSamples(data, plan, 31), 0);
        data.dropMultiple = 48; // the partner's
        QCOMPARE(usedSamples(data, plan, 1000), 960);
    }

    void aRampThatNoEpochCanFillEndsTheRun() {
        const BatchPlan plan = planOf(4, {{3, 11}});
        for (const TailPolicy tail : {TailPolicy::Drop, TailPolicy::Leak})
            for (const auto unit : {Extent::Unit::Updates, Extent::Unit::Samples, Extent::Unit::Epochs})
                QCOMPARE(totalUpdates(plan, 10, tail, {1000, unit}), 2);
        QCOMPARE(totalUpdates(plan, 10, TailPolicy::Apply, {3, Extent::Unit::Epochs}), 5); // 4 4 2, then 10, 10
    }

    void anIntervalIsAtLeastOneUpdate() {
        const BatchPlan plan = planOf(256);
        QCOMPARE(extentInUpdates({0, Extent::Unit::Epochs}, plan, 60000, TailPolicy::Apply), 0);
        QCOMPARE(extentInUpdates({1, Extent::Unit::Epochs}, plan, 60000, TailPolicy::Apply), 235);
        QCOMPARE(extentInUpdates({1, Extent::Unit::Samples}, plan, 60000, TailPolicy::Apply), 1);
        QCOMPARE(extentInUpdates({1, Extent::Unit::Epochs}, plan, 100, TailPolicy::Carry), 1);
        QCOMPARE(extentInUpdates({1, Extent::Unit::Epochs}, plan, 100, TailPolicy::Drop), 1);
    }

    void absurdLengthsSaturate() {
        const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
        for (const TailPolicy tail : tails)
            for (const auto unit : {Extent::Unit::Updates, Extent::Unit::Samples, Extent::Unit::Epochs}) {
                QVERIFY(totalUpdates(planOf(3), 1000, tail, {huge, unit}) > 0);
                QVERIFY(totalUpdates(planOf(3, {{2, 7}, {1000000000000, 2}}), 1000, tail, {huge, unit}) > 0);
                QCOMPARE(totalUpdates(planOf(3), 1000, tail, {-huge, unit}), 0);
            }
        QVERIFY(microSizes(-1, 4).empty());
        QVERIFY(microSizes(4, 0).empty());
    }
};

QTEST_APPLESS_MAIN(TestBatchPlan)
} // namespace test_batch_plan
#include "test_batch_plan.moc"
