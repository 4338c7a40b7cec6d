// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong where two things meet: lean accumulation with overflows and with values that are not finite,
// BatchNorm with what is left out and with ramps, a stop with a resume. Each test failed once.
#include "core/train/reference.h"
#include "tests/support/numeric.h"
#include "tests/unit/train/engine_faults_fixture.h"

#include <QFile>
#include <QTest>

namespace test_engine_faults {
using namespace accumulus;
using namespace accumulus::test;

namespace {

bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(a, b, [](double x, double y) { return compareBits(x, y); });
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

    /// 25 samples are 16, an update, and a leaked 9: 4, 4 and 1. A run of one update ends before them.
    void aLeakedSingleSampleIsRefusedBeforehand() {
        RunConfig config = smallConfig(25, 16, 4);
        config.batch.tail = TailPolicy::Leak;
        config.train.length = {1, Extent::Unit::Epochs};
        const QTemporaryDir folder;
        const auto refused = Trainer::create(setupOf(config, folder, std::make_shared<NormedLinear>()));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("model.batch-norm-one"));
        config.train.length = {1, Extent::Unit::Updates};
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
};

QTEST_GUILESS_MAIN(TestEngineFaults)
} // namespace test_engine_faults
#include "test_engine_faults.moc"
