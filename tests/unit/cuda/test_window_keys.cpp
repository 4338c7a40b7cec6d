// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of a window that are made before it comes: used when it comes, dropped when another one does.
#include "core/engine/engine.h"
#include "core/engine/window_keys.h"
#include "tests/support/numeric.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>
#include <algorithm>
#include <functional>
#include <stdexcept>

namespace test_window_keys {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// 3 + 3 + 2 samples, the last one of the next epoch.
WindowPlan eight() {
    WindowPlan plan;
    plan.ids = {4, 0, 7, 1, 5, 2, 6, 3};
    plan.epochs = {0, 0, 0, 0, 0, 0, 0, 1};
    plan.microSizes = {3, 3, 2};
    return plan;
}

/// What a micro-step reads.
struct Selected {
    at::Tensor keys, weight;
};
Selected select(const WindowKeys& keys, std::int64_t micro, std::int64_t samples) {
    at::Tensor row = at::full({1}, micro, at::kLong);
    Selected selected{at::zeros({samples, 2}, at::kLong), at::zeros({1}, at::kDouble)};
    keys.select(row, selected.keys, selected.weight);
    return selected;
}

using Foresees = std::function<std::optional<WindowPlan>(WindowPlanner&, std::int64_t)>;

struct Trained {
    at::Tensor weights;
    int asked = 0;
};

/// Six windows of an engine that records its micro-steps, told what comes next by `next`.
Trained train(const Foresees& next) {
    const QTemporaryDir folder;
    RunConfig config = smallConfig(150, 32, 8);
    config.model.hidden = {24};
    config.model.dropout = 0.2; // keys decide what is dropped
    config.device.capture = CapturePolicy::On;
    TrainerSetup setup = makeSetup(config, folder);
    setup.deferred = true;
    const BatchPlan batch = resolveBatch(config.batch).value();
    Engine engine(setup, batch, modelOf(setup, at::kCPU).value(), at::kCPU);
    WindowPlanner planner(batch, config.batch.tail, setup.data->trainCount(), config.data.shuffle, setup.seed, 0);
    Trained trained;
    for (std::int64_t window = 1; window <= 6; ++window) {
        const WindowPlan plan = planner.next(window - 1).value();
        WindowHooks hooks;
        if (next)
            hooks.next = [&] {
                ++trained.asked;
                return next(planner, window);
            };
        const WindowOutcome outcome = engine.compute(plan, window, 0, 0.05, hooks);
        engine.update(0.05);
        engine.endWindow(plan, outcome);
    }
    trained.weights = engine.state().parameters.clone();
    return trained;
}

} // namespace

class TestWindowKeys : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachMicroStepReadsItsOwn() {
        WindowKeys keys(at::kCPU, 8, [](const SampleKeys& samples) { return static_cast<double>(samples.size()); });
        const WindowPlan plan = eight();
        QVERIFY(keys.fits(plan));
        keys.upload(plan, 5, [](double units) { return 0.5 * units; });
        const at::Tensor all = deviceKeysOf({5, plan.ids, plan.epochs}, at::kCPU);
        std::int64_t first = 0;
        for (std::size_t k = 0; k < plan.microSizes.size(); ++k) {
            const auto selected = select(keys, static_cast<std::int64_t>(k), plan.microSizes[k]);
            QVERIFY(at::equal(selected.keys, all.narrow(0, first, plan.microSizes[k])));
            QVERIFY(compareBits(selected.weight.item<double>(), 0.5 * static_cast<double>(plan.microSizes[k])));
            QVERIFY(compareBits(keys.units()[k], static_cast<double>(plan.microSizes[k])));
            first += plan.microSizes[k];
        }
        WindowPlan larger = plan;
        larger.ids.push_back(8);
        larger.epochs.push_back(1);
        larger.microSizes.back() = 3;
        QVERIFY(!keys.fits(larger));
    }

    // What was foreseen is not made again, once; anything that differs is made anew.
    void onlyTheSameWindowIsTaken() {
        int asked = 0;
        WindowKeys keys(at::kCPU, 8, [&](const SampleKeys& samples) {
            ++asked;
            return static_cast<double>(samples.ids.front());
        });
        const auto weight = [](double units) { return units; };
        const WindowPlan plan = eight();
        keys.foresee(plan, 5, weight);
        QCOMPARE(asked, 3);
        keys.upload(plan, 5, weight);
        QCOMPARE(asked, 3);
        keys.upload(plan, 5, weight);
        QCOMPARE(asked, 6);

        WindowPlan otherIds = plan, otherEpochs = plan, otherSizes = plan;
        std::swap(otherIds.ids[0], otherIds.ids[3]);
        otherEpochs.epochs[6] = 1;
        otherSizes.microSizes = {4, 4};
        for (const WindowPlan& other : {otherIds, otherEpochs, otherSizes}) {
            keys.foresee(other, 5, weight);
            asked = 0;
            keys.upload(plan, 5, weight);
            QCOMPARE(asked, 3);
            const at::Tensor all = deviceKeysOf({5, plan.ids, plan.epochs}, at::kCPU);
            QVERIFY(at::equal(select(keys, 1, 3).keys, all.narrow(0, 3, 3)));
            QVERIFY(compareBits(keys.units()[1], 1.0));
        }
        keys.foresee(plan, 6, weight); // another run's draws
        keys.upload(plan, 5, weight);
        QVERIFY(at::equal(select(keys, 0, 3).keys, deviceKeysOf({5, plan.ids, plan.epochs}, at::kCPU).narrow(0, 0, 3)));
    }

    // What is foreseen lies ready; another loss scale changes its weights, and nothing is read of what did not come.
    void whatIsForeseenLiesReady() {
        WindowKeys keys(at::kCPU, 8, [](const SampleKeys&) { return 3.0; });
        const WindowPlan plan = eight();
        keys.upload(plan, 5, [](double units) { return units; });
        WindowPlan next = plan;
        std::ranges::reverse(next.ids);
        const at::Tensor ofNext = deviceKeysOf({5, next.ids, next.epochs}, at::kCPU);
        const auto reads = [&](std::int64_t sample) {
            return at::equal(select(keys, 2, 2).keys, ofNext.narrow(0, sample, 2));
        };
        QVERIFY(!reads(6));
        keys.foresee(next, 5, [](double units) { return units; });
        QVERIFY(reads(6));
        QVERIFY(compareBits(select(keys, 2, 2).weight.item<double>(), 3.0));
        keys.upload(next, 5, [](double units) { return units / 2.0; });
        QVERIFY(reads(6));
        QVERIFY(compareBits(select(keys, 2, 2).weight.item<double>(), 1.5));
        keys.foresee(next, 5, [](double units) { return units; });
        keys.upload(plan, 5, [](double units) { return units; });
        QVERIFY(at::equal(select(keys, 2, 2).keys, deviceKeysOf({5, plan.ids, plan.epochs}, at::kCPU).narrow(0, 6, 2)));
    }

    // Right or wrong, what an engine is told of the next window does not show in what it computes.
    void foresightChangesNothing() {
        const Trained without = train({});
        QCOMPARE(without.asked, 0);
        const auto truly = [](WindowPlanner& planner, std::int64_t window) { return planner.foresee(window); };
        const auto shuffled = [](WindowPlanner& planner, std::int64_t window) {
            auto plan = planner.foresee(window);
            std::ranges::reverse(plan->ids);
            return plan;
        };
        const auto ofAnotherEpoch = [](WindowPlanner& planner, std::int64_t window) {
            auto plan = planner.foresee(window);
            for (std::int64_t& epoch : plan->epochs)
                ++epoch;
            return plan;
        };
        const auto nothing = [](WindowPlanner&, std::int64_t) { return std::optional<WindowPlan>(); };
        const auto fails = [](WindowPlanner&, std::int64_t) -> std::optional<WindowPlan> {
            throw std::runtime_error("planted");
        };
        for (const Foresees& next :
             {Foresees(truly), Foresees(shuffled), Foresees(ofAnotherEpoch), Foresees(nothing), Foresees(fails)}) {
            const Trained got = train(next);
            QCOMPARE(got.asked, 6); // once for each window
            QVERIFY(at::equal(got.weights, without.weights));
        }
    }

    // The planner's foresight is what it then plans, and leaves it where it was.
    void thePlannerForesees_data() {
        QTest::addColumn<int>("tail");
        for (const TailPolicy tail : {TailPolicy::Apply, TailPolicy::Drop, TailPolicy::Carry, TailPolicy::Leak})
            QTest::addRow("%d", int(tail)) << int(tail);
    }

    void thePlannerForesees() {
        QFETCH(int, tail);
        const auto policy = static_cast<TailPolicy>(tail);
        BatchConfig batch;
        batch.effective = 32;
        batch.micro = 8;
        WindowPlanner planner(resolveBatch(batch).value(), policy, 150, true, 3, 3);
        int foreseen = 0;
        for (std::int64_t updates = 0;; ++updates) {
            const PlannerPosition before = planner.position();
            const auto guess = planner.foresee(updates);
            QVERIFY(planner.position() == before);
            const auto plan = planner.next(updates);
            if (guess) {
                ++foreseen;
                QVERIFY(plan);
                QVERIFY(guess->ids == plan->ids && guess->epochs == plan->epochs &&
                        guess->microSizes == plan->microSizes && guess->makesUpdate == plan->makesUpdate);
            } else if (plan) { // only what goes on into the next epoch is not foreseen
                QCOMPARE(policy, TailPolicy::Carry);
                QVERIFY(plan->epochs.front() != plan->epochs.back());
            }
            if (!plan)
                break;
        }
        QVERIFY(foreseen >= 12);
    }
};

QTEST_APPLESS_MAIN(TestWindowKeys)
} // namespace test_window_keys
#include "test_window_keys.moc"
