// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong where two things meet: lean accumulation with overflows and with values that are not finite,
// BatchNorm with what is left out, ramps with memory, a stop with a resume. Each test failed once.
#include "core/engine/memory_counter.h"
#include "core/model/batch_norm.h"
#include "core/train/lane_calibration.h"
#include "core/train/reference.h"
#include "tests/support/numeric.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QFile>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <set>
#include <thread>

using namespace accumulus;
using namespace accumulus::test;

namespace {

struct Notes final : RecordingObserver {
    void noted(const std::string& level, const Message& message, std::int64_t update) override {
        RecordingObserver::noted(level, message, update);
        texts.push_back(messageText(message));
    }
    Status microStepProbed(const MicroStepRecord& record) override {
        probed.push_back(record);
        return {};
    }
    Wish proceed() override { return left-- <= 0 ? Wish::StopNow : Wish::GoOn; }
    std::atomic<int> left{1 << 30}; ///< micro-steps until it stops in mid-window
    std::vector<std::string> texts;
    std::vector<MicroStepRecord> probed;
};

struct Outcome {
    TrainingEnd end;
    Notes observer;
    std::vector<double> weights;
    bool sees(const std::string& code) const { return std::ranges::count(observer.notes, code) > 0; }
};

std::unique_ptr<Outcome> train(TrainerSetup setup, const std::string& bundle = {}, int stopAfter = 1 << 30) {
    auto outcome = std::make_unique<Outcome>();
    outcome->observer.left = stopAfter;
    auto trainer = Trainer::create(std::move(setup)).value();
    if (!bundle.empty() && !trainer->restore(bundle))
        qFatal("the bundle cannot be read");
    outcome->end = trainer->train(outcome->observer);
    outcome->weights = trainer->weights();
    return outcome;
}

bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(a, b, [](double x, double y) { return compareBits(x, y); });
}

/// Sample by sample, the factor of a micro-batch's rows.
at::Tensor rowsOf(const at::Tensor& input, const ForwardContext& context, std::int64_t id, double value) {
    at::Tensor factor = at::ones({input.size(0), 1}, input.scalar_type());
    for (std::size_t row = 0; context.training && row < context.keys.size(); ++row)
        if (context.keys.ids[row] == id)
            factor[static_cast<std::int64_t>(row)] = value;
    return factor;
}

/// A linear classifier; what befalls it is told in `trouble`.
class Linear : public Model {
public:
    using Trouble = std::function<void(const at::Tensor& input, ForwardContext& context)>;
    explicit Linear(Trouble trouble = {}, std::int64_t spoiled = -1)
        : Model({{"w", {10, 784}, 784, false}}), m_trouble(std::move(trouble)), m_spoiled(spoiled) {}
    at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input, ForwardContext& context) const override {
        if (m_trouble)
            m_trouble(input, context);
        return at::linear(input.flatten(1), p[0]) * rowsOf(input, context, m_spoiled, std::nan(""));
    }

private:
    Trouble m_trouble;
    std::int64_t m_spoiled;
};

/// BatchNorm of a single pixel, as in a fully connected network, then a linear classifier.
class NormedLinear final : public Model {
public:
    explicit NormedLinear(std::int64_t spoiled = -1, Linear::Trouble trouble = {})
        : Model({{"bn.weight", {784}, 784, true, InitialValue::constant(1.0)},
                 {"bn.bias", {784}, 784, true, InitialValue::constant(0.0)},
                 {"w", {10, 784}, 784, false}},
                {{"bn.running_mean", {784}, 1, false, InitialValue::constant(0.0)},
                 {"bn.running_var", {784}, 1, false, InitialValue::constant(1.0)}}),
          m_spoiled(spoiled), m_trouble(std::move(trouble)) {}
    [[nodiscard]] std::int64_t leastNormalisedArea() const override { return 1; }
    at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input, ForwardContext& context) const override {
        if (m_trouble)
            m_trouble(input, context);
        const at::Tensor spoiled = input.flatten(1) * rowsOf(input, context, m_spoiled, std::nan(""));
        return at::linear(batchNorm(spoiled.view({-1, 784, 1, 1}), p[0], p[1], 0, context).flatten(1), p[2]);
    }

private:
    std::int64_t m_spoiled;
    Linear::Trouble m_trouble;
};

/// Memory runs out for more than `rows` rows.
Linear::Trouble roomFor(std::int64_t rows) {
    return [rows](const at::Tensor& input, ForwardContext& context) {
        if (context.training && input.size(0) > rows)
            throw OutOfMemory(input.size(0), 0, rows);
    };
}

RunConfig config96() {
    RunConfig config = smallConfig(96, 32, 8); // three windows of four micro-steps
    config.data.testLimit = 10;
    config.data.shuffle = false;
    return config;
}

TrainerSetup setupOf(const RunConfig& config, const QTemporaryDir& folder, std::shared_ptr<const Model> model,
                     int lanes = 1) {
    TrainerSetup setup = makeSetup(config, folder, {lanes, 1});
    setup.model = std::move(model);
    return setup;
}

} // namespace

class TestEngineFaults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { MemoryCounter::setLimit(0); }

    // An overflow shows only when the window is closed: it is computed again at a lower scale, which then stays.
    void leanRetriesAnOverflow() {
        RunConfig config = config96();
        config.numerics.precision = Precision::Fp16;
        config.batch.lean = true;
        class Steep final : public Model {
        public:
            Steep() : Model({{"w", {10, 784}, 784, false}}) {}
            at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input, ForwardContext&) const override {
                return at::linear(input.flatten(1).to(at::kHalf), p[0].to(at::kHalf)).to(at::kFloat);
            }
        };
        const QTemporaryDir folder;
        const auto run = train(setupOf(config, folder, std::make_shared<Steep>()));
        QVERIFY2(!run->end.error, run->end.error ? describe(*run->end.error).c_str() : "");
        QCOMPARE(run->end.summary.updates, 3);
        QVERIFY(run->sees("training.overflow"));
        QVERIFY(run->observer.windows.back().lossScale < run->observer.windows.front().lossScale);
    }

    void whatIsLeftOutDoesNotMoveBatchNorm() {
        RunConfig config = config96();
        config.numerics.nonfinite = NonfinitePolicy::SkipMicro;
        const QTemporaryDir folder;
        for (const bool lean : {false, true}) {
            config.batch.lean = lean;
            const auto run = train(setupOf(config, folder, std::make_shared<NormedLinear>(/*spoiled=*/10)));
            QVERIFY(!run->end.error);
            QCOMPARE(run->observer.windows.front().leftOut, 1);
            QVERIFY(run->end.summary.testLoss && std::isfinite(*run->end.summary.testLoss));
        }
    }

    // Added in place, then found to be not finite: the window is computed again without it, as if lean were off.
    void leanLeavesOutOneMicroBatchToo() {
        RunConfig config = config96();
        config.numerics.nonfinite = NonfinitePolicy::SkipMicro;
        const QTemporaryDir folder;
        const auto usual = train(setupOf(config, folder, std::make_shared<Linear>(Linear::Trouble(), 10)));
        config.batch.lean = true;
        const auto lean = train(setupOf(config, folder, std::make_shared<Linear>(Linear::Trouble(), 10)));
        QCOMPARE(usual->observer.windows.front().leftOut, 1);
        QCOMPARE(lean->observer.windows.front().leftOut, 1);
        QCOMPARE(lean->end.summary.updates, 3);
        QVERIFY(sameBits(lean->weights, usual->weights));
    }

    // A masked text of four letters often has no target that bears loss: no micro-step, no loss, and nothing to learn
    // for the loss scale.
    void windowsWithoutUnitsSayNothing() {
        RunConfig config = smallConfig(40, 1, 1);
        const QTemporaryDir text;
        QFile file(text.filePath(QStringLiteral("text.txt")));
        QVERIFY(file.open(QIODevice::WriteOnly) &&
                file.write(QByteArray("to be, or not to be: that is the question\n").repeated(12)) > 0);
        file.close();
        config.data.dataset = "tinyshakespeare";
        config.data.path = file.fileName().toStdString();
        config.data.block = 4;
        config.data.testLimit = 4;
        config.model.name = "bert-mini";
        config.model.layers = 1;
        config.model.heads = 1;
        config.model.width = 8;
        config.loss.normalise = Normalise::Tokens;
        config.numerics.precision = Precision::Fp16;
        config.train.length = {30, Extent::Unit::Samples};
        const QTemporaryDir folder;
        const auto run = train(makeSetup(config, folder));
        QVERIFY2(!run->end.error, run->end.error ? describe(*run->end.error).c_str() : "");
        int empty = 0;
        for (const WindowRecord& window : run->observer.windows) {
            QVERIFY(window.lossScale >= 1024.0);
            if (window.units > 0)
                continue;
            ++empty;
            QVERIFY(std::isnan(window.loss));
            QVERIFY(!window.update);
        }
        QVERIFY(empty > 0);
    }

    void leakedSamplesHaveTheirOwnLoss() {
        RunConfig config = smallConfig(40, 32, 8);
        config.data.testLimit = 10;
        config.data.shuffle = false;
        config.batch.tail = TailPolicy::Leak;
        const QTemporaryDir folder;
        const auto run = train(setupOf(config, folder, std::make_shared<Linear>()));
        QCOMPARE(run->observer.windows.size(), std::size_t{2});
        const WindowRecord& tail = run->observer.windows.back();
        QVERIFY(!tail.update);
        const Linear model;
        at::Tensor flat = model.layout().allocate(at::kDouble);
        model.layout().view(flat, 0).copy_(at::tensor(run->weights, at::kDouble).view({10, 784}));
        const std::vector<std::int64_t> ids{32, 33, 34, 35, 36, 37, 38, 39};
        const auto data = loadDataset(config.data, {}).value();
        QVERIFY(compareRel(tail.loss, referenceGradient(model, flat, *data, ids).loss, 1e-12));
    }

    // A BatchNorm over one element would have no variance: at update 3 here, which training would have reached.
    void aRampToSingleSamplesIsRefusedBeforehand() {
        RunConfig config = config96();
        config.batch.ramp = {{3, 17}}; // 8, 8 and 1
        const QTemporaryDir folder;
        const auto refused = Trainer::create(setupOf(config, folder, std::make_shared<NormedLinear>()));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("model.batch-norm-one"));
        config.batch.ramp = {{3, 18}};
        QVERIFY(Trainer::create(setupOf(config, folder, std::make_shared<NormedLinear>())).has_value());
        config.batch.ramp = {{100, 17}}; // which the run never reaches
        QVERIFY(Trainer::create(setupOf(config, folder, std::make_shared<NormedLinear>())).has_value());
    }

    // Carried tails make full windows: one sample left over at the epoch's end is no window of one sample.
    void aCarriedTailIsNoSmallWindow() {
        RunConfig config = smallConfig(33, 8, 8);
        config.data.testLimit = 10;
        config.batch.tail = TailPolicy::Carry;
        config.train.length = {5, Extent::Unit::Updates};
        const QTemporaryDir folder;
        QVERIFY(Trainer::create(setupOf(config, folder, std::make_shared<NormedLinear>())).has_value());
        config.batch.tail = TailPolicy::Apply;
        QVERIFY(!Trainer::create(setupOf(config, folder, std::make_shared<NormedLinear>())).has_value());
    }

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

    // nonfinite = stop: the window that broke is taken again by the run that goes on.
    void aStopAtValuesThatAreNotFiniteKeepsTheWindow() {
        const RunConfig config = config96();
        const QTemporaryDir folder, other;
        const auto clean = train(setupOf(config, other, std::make_shared<Linear>()));
        const auto broken = train(setupOf(config, folder, std::make_shared<Linear>(Linear::Trouble(), /*spoiled=*/40)));
        QVERIFY(broken->end.error);
        QCOMPARE(broken->end.summary.updates, 1);
        QCOMPARE(broken->end.summary.samples, 32);
        QVERIFY(!broken->observer.checkpoints.empty());
        const auto mended =
            train(setupOf(config, folder, std::make_shared<Linear>()), broken->observer.checkpoints.back().bundlePath);
        QCOMPARE(mended->end.summary.updates, 3);
        QVERIFY(sameBits(mended->weights, clean->weights));
    }

    void theProbeSurvivesAStopInMidWindow() {
        RunConfig config = config96();
        config.probe.parameter = "w";
        const QTemporaryDir folder;
        const auto stopped = train(setupOf(config, folder, std::make_shared<Linear>()), {}, /*stopAfter=*/3);
        QVERIFY(stopped->end.stopped);
        const auto resumed =
            train(setupOf(config, folder, std::make_shared<Linear>()), stopped->observer.checkpoints.back().bundlePath);
        std::vector<std::int64_t> seen;
        for (const auto* run : {stopped.get(), resumed.get()})
            for (const MicroStepRecord& record : run->observer.probed)
                if (record.window == 1)
                    seen.push_back(record.microStep);
        QCOMPARE(seen, (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
    }

    void anEvaluationThatFailsDoesNotCostTheWeights() {
        const RunConfig config = config96();
        const QTemporaryDir folder;
        const auto trouble = [](const at::Tensor&, ForwardContext& context) {
            if (!context.training)
                throw std::runtime_error("planted");
        };
        const auto run = train(setupOf(config, folder, std::make_shared<Linear>(trouble)));
        QVERIFY(run->end.error);
        QCOMPARE(run->observer.checkpoints.size(), std::size_t{1});
        QCOMPARE(run->observer.checkpoints.back().kind, CheckpointKind::Last);
        QCOMPARE(run->observer.checkpoints.back().update, 3);
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

QTEST_GUILESS_MAIN(TestEngineFaults)
#include "test_engine_faults.moc"
