// SPDX-License-Identifier: GPL-3.0-or-later
// Where memory that runs out meets BatchNorm, lanes, sums of means and the end of a micro-step, and how lanes are tried
// without running out of it. Each test failed once.
#include "core/train/lane_calibration.h"
#include "tests/support/numeric.h"
#include "tests/unit/train/engine_faults_fixture.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <torch/csrc/autograd/custom_function.h>

namespace test_engine_memory_faults {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Memory runs out for more than `rows` rows.
Linear::Trouble roomFor(std::int64_t rows) {
    return [rows](const at::Tensor& input, ForwardContext& context) {
        if (context.training && input.size(0) > rows)
            throw OutOfMemory(input.size(0), 0, rows);
    };
}

/// Hands gradients on, and leaves no memory for what comes behind it as long as `armed`.
struct TakesMemory final : torch::autograd::Function<TakesMemory> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& weight,
                              std::atomic<bool>* armed) {
        context->saved_data["armed"] = reinterpret_cast<std::int64_t>(armed); // NOLINT: a test's own
        return weight.clone();
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   const torch::autograd::variable_list& gradients) {
        auto* armed = reinterpret_cast<std::atomic<bool>*>(context->saved_data["armed"].toInt()); // NOLINT
        at::Tensor gradient = gradients[0].clone(); // nobody else's, so that the leaf takes it as it is
        if (armed->exchange(false))
            MemoryCounter::setLimit(MemoryCounter::current());
        return {gradient, at::Tensor()};
    }
};

/// A linear classifier; `armed`: memory runs out when its weight's gradient is complete.
class LinearWithoutRoom final : public Model {
public:
    explicit LinearWithoutRoom(std::atomic<bool>& armed)
        : Model(withAutocast({{"w", {10, 784}, 784, false}})), m_armed(&armed) {}
    at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input, ForwardContext& context) const override {
        if (context.training)
            MemoryCounter::setLimit(0);
        return at::linear(input.flatten(1), TakesMemory::apply(p[0], m_armed));
    }

private:
    std::atomic<bool>* m_armed;
};

/// Autograd hands one tensor to the two weights as their gradients, and to the scale one number spread over ten.
class SummedWeights final : public Model {
public:
    explicit SummedWeights(Linear::Trouble trouble = {})
        : Model({{"a", {10, 784}, 784, false}, {"b", {10, 784}, 784, false}, {"scale", {10}, 10, false}}),
          m_trouble(std::move(trouble)) {}
    at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input, ForwardContext& context) const override {
        if (m_trouble)
            m_trouble(input, context);
        return at::linear(input.flatten(1), p[0] + p[1]) * (1.0 + p[2].sum());
    }

private:
    Linear::Trouble m_trouble;
};

} // namespace

class TestEngineMemoryFaults : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { MemoryCounter::setLimit(0); }

    // Parts of one sample have no variance either.
    void aResplitLeavesBatchNormTwoSamples() {
        RunConfig config = smallConfig(36, 9, 9);
        config.data.testLimit = 10;
        const QTemporaryDir folder;
        std::atomic<std::int64_t> smallest{100};
        const auto trouble = [&](const at::Tensor& input, ForwardContext& context) {
            roomFor(3)(input, context);
            if (context.training)
                smallest = std::min(smallest.load(), input.size(0));
        };
        for (const bool lean : {false, true}) {
            config.batch.lean = lean;
            const auto run = train(setupOf(config, folder, std::make_shared<NormedLinear>(-1, trouble)));
            QVERIFY2(!run->end.error, run->end.error ? describe(*run->end.error).c_str() : "");
            QCOMPARE(run->end.summary.updates, 4);
            QVERIFY(smallest >= 2);
            // That the gradient is another one is said.
            QVERIFY(std::ranges::any_of(run->observer.texts, [](const std::string& text) {
                return text.find("BatchNorm") != std::string::npos;
            }));
        }
    }

    // The lane that ran out of memory tries again while no other lane holds activations.
    void whatRanOutOfMemoryIsComputedAlone() {
        RunConfig config = smallConfig(256, 256, 8);
        config.data.testLimit = 10;
        std::atomic<int> inside{0};
        std::atomic<bool> failed{false}, disturbed{false};
        static thread_local bool retrying = false;
        const auto trouble = [&](const at::Tensor& input, ForwardContext& context) {
            if (!context.training)
                return;
            ++inside;
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
            if (retrying) {
                disturbed = disturbed || inside > 1;
                retrying = false;
            }
            --inside;
            if (input.size(0) == 8 && !failed.exchange(true)) {
                retrying = true;
                throw OutOfMemory(8, 0, 4);
            }
        };
        const QTemporaryDir folder;
        for (int attempt = 0; attempt < 10; ++attempt) {
            failed = false;
            const auto run = train(setupOf(config, folder, std::make_shared<Linear>(trouble), 3));
            QVERIFY(!run->end.error);
        }
        QVERIFY(!disturbed);
    }

    // Two parts of a micro-batch are one term of a sum of means.
    void leanPartsAreOneMicroBatch() {
        for (const Normalise normalise : {Normalise::SumOfMeans, Normalise::MeanOfMeans, Normalise::Samples}) {
            RunConfig config = config96();
            config.loss.normalise = normalise;
            config.batch.lean = true;
            const QTemporaryDir folder;
            const auto whole = train(setupOf(config, folder, std::make_shared<Linear>()));
            const auto parts = train(setupOf(config, folder, std::make_shared<Linear>(roomFor(3))));
            QVERIFY(parts->sees("memory.resplit"));
            QCOMPARE(parts->observer.windows.front().microSteps, 4);
            QVERIFY(relativeL2(parts->weights, whole->weights) < 1e-12);
        }
    }

    // What autograd returns for one parameter may be another's gradient, too.
    void partsAreAddedToNobodyElsesGradient() {
        for (const bool lean : {false, true}) {
            RunConfig config = config96();
            config.batch.lean = lean;
            const QTemporaryDir folder;
            const auto whole = train(setupOf(config, folder, std::make_shared<SummedWeights>()));
            const auto parts = train(setupOf(config, folder, std::make_shared<SummedWeights>(roomFor(3))));
            QVERIFY2(!parts->end.error, parts->end.error ? describe(*parts->end.error).c_str() : "");
            QVERIFY(parts->sees("memory.resplit"));
            QVERIFY2(relativeL2(parts->weights, whole->weights) < 1e-12,
                     qPrintable(QString::number(relativeL2(parts->weights, whole->weights))));
        }
    }

    // A sum in 16 bits is added to by floats, which take memory: where there is none, the gradient stays with nobody.
    void aLeafKeepsNoGradientThatCouldNotBeAdded() {
        RunConfig config = config96();
        config.numerics.precision = Precision::Bf16;
        config.numerics.accumulator = AccumulatorKind::Bf16;
        config.batch.lean = true;
        std::atomic<bool> armed{false};
        const QTemporaryDir folder;
        const auto whole = train(setupOf(config, folder, std::make_shared<LinearWithoutRoom>(armed)));
        QVERIFY(!whole->end.error && !whole->sees("memory.resplit"));
        armed = true;
        const std::int64_t before = MemoryCounter::refusals();
        const auto parts = train(setupOf(config, folder, std::make_shared<LinearWithoutRoom>(armed)));
        QVERIFY2(!parts->end.error, parts->end.error ? describe(*parts->end.error).c_str() : "");
        QVERIFY(!armed && MemoryCounter::refusals() > before);
        // Parts are rounded to bf16 otherwise: eight bits. Twice the first micro-step of four would be a quarter more.
        const double expected = whole->observer.windows.front().gradNorm;
        QVERIFY(std::abs(parts->observer.windows.front().gradNorm / expected - 1.0) < 0.02);
    }

    // Memory that runs out while a micro-step is added: each attempt is smaller, and the last one is soon there.
    void memoryThatRunsOutInCommitShrinksTheParts() {
        RunConfig config = config96();
        const QTemporaryDir folder;
        TrainerSetup setup = setupOf(config, folder, std::make_shared<Linear>());
        std::atomic<int> attempts{0};
        setup.fault = [&](FaultPoint point, std::int64_t, std::int64_t) {
            if (point == FaultPoint::Commit) {
                ++attempts;
                throw std::bad_alloc();
            }
        };
        const auto run = train(std::move(setup));
        QVERIFY(run->end.error);
        QCOMPARE(run->end.error->code, std::string("training.memory"));
        QCOMPARE(attempts.load(), 4); // of 8, 4, 2 and 1 samples
    }

    // Calibration starts with what needs least memory: one lane.
    void calibrationBeginsWithOneLane() {
        const QTemporaryDir folder;
        TrainerSetup setup = setupOf(config96(), folder, std::make_shared<Linear>());
        setup.config.device.lanes = 0;
        std::mutex mutex;
        std::vector<std::thread::id> threads;
        setup.fault = [&](FaultPoint point, std::int64_t, std::int64_t) {
            const std::lock_guard lock(mutex);
            if (point == FaultPoint::Forward)
                threads.push_back(std::this_thread::get_id());
        };
        QVERIFY(calibrateLanes(setup, 4).has_value());
        QVERIFY(threads.size() > 2);
        QVERIFY(threads[0] == std::this_thread::get_id() && threads[1] == std::this_thread::get_id());
        QVERIFY(std::set<std::thread::id>(threads.begin(), threads.end()).size() > 1);
    }

    // A ramp's first window may have one micro-step and its last one many.
    void calibrationUnderARampLooksAtItsLargestWindow() {
        const QTemporaryDir folder;
        TrainerSetup setup = setupOf(config96(), folder, std::make_shared<Linear>());
        setup.config.device.lanes = 0;
        setup.config.batch.effective = 8;
        setup.config.batch.ramp = {{3, 32}};
        std::mutex mutex;
        std::set<std::thread::id> threads;
        setup.fault = [&](FaultPoint, std::int64_t, std::int64_t) {
            const std::lock_guard lock(mutex);
            threads.insert(std::this_thread::get_id());
        };
        QVERIFY(calibrateLanes(setup, 4).has_value());
        QVERIFY(threads.size() > 1);
    }
};

QTEST_GUILESS_MAIN(TestEngineMemoryFaults)
} // namespace test_engine_memory_faults
#include "test_engine_memory_faults.moc"
