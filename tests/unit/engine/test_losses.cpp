// SPDX-License-Identifier: GPL-3.0-or-later
// Each loss against torch.nn.functional's operators, for every shape, weight, ignored target and unit. fp64 1e-14: the
// sums have a few dozen terms.
#include "core/engine/losses.h"
#include "tests/support/numeric.h"

#include <ATen/ATen.h>
#include <QTest>

namespace test_losses {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr double exact = 1e-14;

Batch batchOf(const at::Tensor& targets, std::int64_t samples) {
    Batch batch;
    batch.targets = targets;
    batch.samples = samples;
    if (targets.scalar_type() == at::kLong) {
        const at::Tensor asked = targets.reshape({samples, -1}).ne(ignoredTarget);
        batch.bearing = {asked.sum().item<std::int64_t>(), asked.any(1).sum().item<std::int64_t>()};
    }
    return batch;
}

LossConfig crossEntropy(std::vector<double> weights, double smoothing, Normalise normalise = Normalise::Tokens) {
    LossConfig config;
    config.classWeights = std::move(weights);
    config.labelSmoothing = smoothing;
    config.normalise = normalise;
    return config;
}

/// Numbers that no seed of another test has.
at::Tensor numbers(at::IntArrayRef shape, double scale = 1.0) {
    std::int64_t count = 1;
    for (const std::int64_t side : shape)
        count *= side;
    return (at::arange(count, at::kDouble) * 0.7371 + 0.3).sin().mul(scale).reshape(shape);
}

bool close(const at::Tensor& got, double wanted) { return compareRel(got.item<double>(), wanted, exact); }

} // namespace

class TestLosses : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Sum and mean of cross entropy as PyTorch has them: its mean divides by the sum of the targets' weights.
    void crossEntropyIsPyTorchs_data() {
        QTest::addColumn<bool>("weighted");
        QTest::addColumn<double>("smoothing");
        QTest::addColumn<bool>("ignored");
        QTest::addColumn<bool>("planes");
        for (const bool weighted : {false, true})
            for (const double smoothing : {0.0, 0.1})
                for (const bool ignored : {false, true})
                    for (const bool planes : {false, true})
                        QTest::addRow("%s%s%s%s", weighted ? "weights " : "", smoothing > 0.0 ? "smoothing " : "",
                                      ignored ? "ignored " : "", planes ? "[n, C, d]" : "[n, C]")
                            << weighted << smoothing << ignored << planes;
    }
    void crossEntropyIsPyTorchs() {
        QFETCH(bool, weighted);
        QFETCH(double, smoothing);
        QFETCH(bool, ignored);
        QFETCH(bool, planes);
        const at::Tensor output = planes ? numbers({6, 4, 3}, 3.0) : numbers({6, 4}, 3.0);
        at::Tensor targets = planes ? at::arange(18).remainder(4).reshape({6, 3}) : at::arange(6).remainder(4);
        if (ignored)
            targets.view(-1).slice(0, 1, 5, 2).fill_(ignoredTarget);
        const std::vector<double> weights{0.25, 1.0, 3.5, 0.5};
        const at::Tensor weight = weighted ? at::tensor(weights, at::kDouble) : at::Tensor();
        const LossSettings settings = lossSettings(crossEntropy(weighted ? weights : std::vector<double>(), smoothing));
        const BatchLoss loss = batchLoss(output, batchOf(targets, 6), settings);
        const auto torch = [&](at::Reduction::Reduction reduction) {
            return at::cross_entropy_loss(output, targets, weight, reduction, ignoredTarget, smoothing).item<double>();
        };
        QVERIFY(close(loss.sum, torch(at::Reduction::Sum)));
        QVERIFY(compareRel(loss.sum.item<double>() / loss.units, torch(at::Reduction::Mean), exact));
    }

    // A sample of several targets is one unit: the mean over those that bear loss, with its targets' mean weight.
    void aColumnOfClassesIsAList() {
        const at::Tensor output = numbers({6, 3}), targets = at::tensor({0, 2, 1, -100, 1, 0}, at::kLong);
        const LossSettings settings = lossSettings(crossEntropy({1.0, 2.0, 3.0}, 0.1));
        const BatchLoss list = batchLoss(output, batchOf(targets, 6), settings);
        const BatchLoss column = batchLoss(output, batchOf(targets.unsqueeze(1), 6), settings);
        QVERIFY(column.sum.equal(list.sum));
        QCOMPARE(column.units, list.units);
    }

    void aSampleIsTheMeanOfItsTargets() {
        const at::Tensor output = numbers({6, 4}, 2.0); // two samples of three
        const at::Tensor targets = at::tensor({0L, ignoredTarget, 2L, 1L, 3L, 3L});
        const std::vector<double> weights{0.25, 1.0, 3.5, 0.5};
        const at::Tensor each = at::cross_entropy_loss(output, targets, at::tensor(weights, at::kDouble),
                                                       at::Reduction::None, ignoredTarget, 0.0);
        const auto loss =
            batchLoss(output, batchOf(targets, 2), lossSettings(crossEntropy(weights, 0.0, Normalise::Samples)));
        QVERIFY(close(loss.sum,
                      each.slice(0, 0, 3).sum().item<double>() / 2.0 + each.slice(0, 3, 6).sum().item<double>() / 3.0));
        QVERIFY(compareRel(loss.units, (0.25 + 3.5) / 2.0 + (1.0 + 0.5 + 0.5) / 3.0, exact));
    }

    void distancesArePyTorchs_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("ofSamples");
        for (const LossKind kind : {LossKind::Mse, LossKind::L1, LossKind::Huber, LossKind::BceWithLogits})
            for (const bool ofSamples : {false, true})
                QTest::addRow("%d %s", int(kind), ofSamples ? "samples" : "tokens") << int(kind) << ofSamples;
    }
    void distancesArePyTorchs() {
        QFETCH(int, kind);
        QFETCH(bool, ofSamples);
        LossConfig config;
        config.kind = static_cast<LossKind>(kind);
        config.delta = 0.7;
        config.normalise = ofSamples ? Normalise::Samples : Normalise::Tokens;
        const at::Tensor output = numbers({5, 2, 3}, 2.0);
        const at::Tensor targets =
            config.kind == LossKind::BceWithLogits ? numbers({5, 6}).gt(0.0).to(at::kDouble) : numbers({5, 6}, 1.3);
        const at::Tensor like = targets.reshape(output.sizes());
        constexpr auto mean = at::Reduction::Mean;
        const double wanted =
            (config.kind == LossKind::Mse     ? at::mse_loss(output, like, mean)
             : config.kind == LossKind::L1    ? at::l1_loss(output, like, mean)
             : config.kind == LossKind::Huber ? at::huber_loss(output, like, mean, 0.7)
                                              : at::binary_cross_entropy_with_logits(output, like, {}, {}, mean))
                .item<double>();
        const BatchLoss loss = batchLoss(output, batchOf(targets, 5), lossSettings(config));
        QVERIFY(compareBits(loss.units, ofSamples ? 5.0 : 30.0));
        QVERIFY(close(loss.sum, wanted * loss.units)); // equal numbers for each sample: one mean
    }

    // [n, 1] against [n] would broadcast to [n, n].
    void nothingIsBroadcast() {
        LossConfig config;
        config.kind = LossKind::Mse;
        const at::Tensor targets = numbers({4});
        const BatchLoss loss = batchLoss(numbers({4, 1}, 2.0), batchOf(targets, 4), lossSettings(config));
        QVERIFY(close(loss.sum, (numbers({4}, 2.0) - targets).square().sum().item<double>()));
        QVERIFY_EXCEPTION_THROWN((void)batchLoss(numbers({4, 4}), batchOf(targets, 4), lossSettings(config)),
                                 ErrorThrown);
        // Whole targets are numbers here.
        const BatchLoss whole = batchLoss(numbers({4, 1}), batchOf(at::arange(4), 4), lossSettings(config));
        QVERIFY(close(whole.sum, (numbers({4}) - at::arange(4)).square().sum().item<double>()));
    }

    void nothingBearsLoss() {
        const at::Tensor targets = at::full({4}, ignoredTarget, at::kLong);
        for (const std::vector<double>& weights : {std::vector<double>(), std::vector<double>{1.0, 2.0}}) {
            const BatchLoss loss =
                batchLoss(numbers({4, 2}), batchOf(targets, 4), lossSettings(crossEntropy(weights, 0.1)));
            QVERIFY(compareBits(loss.units, 0.0));
            QVERIFY(!loss.sum.defined());
        }
    }

    void aModelsOwnLoss() {
        LossConfig config;
        config.kind = LossKind::Model;
        const Batch batch = batchOf(numbers({3}), 3);
        const BatchLoss each = batchLoss(at::tensor({1.0, 2.0, 4.0}), batch, lossSettings(config));
        QVERIFY(close(each.sum, 7.0) && compareBits(each.units, 3.0));
        const at::Tensor ofTokens = at::tensor({1.0, 2.0, 3.0, 4.0, 5.0, 9.0}).reshape({3, 2});
        const BatchLoss samples = batchLoss(ofTokens, batch, lossSettings(config));
        QVERIFY(close(samples.sum, 12.0) && compareBits(samples.units, 3.0));
        config.normalise = Normalise::Tokens;
        const BatchLoss tokens = batchLoss(ofTokens, batch, lossSettings(config));
        QVERIFY(close(tokens.sum, 24.0) && compareBits(tokens.units, 6.0));
        const BatchLoss counted = batchLoss(at::tensor(10.0), batch, lossSettings(config), 2.5);
        QVERIFY(close(counted.sum, 10.0) && compareBits(counted.units, 2.5));
        const BatchLoss inARow = batchLoss(ofTokens.flatten(), batch, lossSettings(config)); // targets of text
        QVERIFY(close(inARow.sum, 24.0) && compareBits(inARow.units, 6.0));
        QVERIFY_EXCEPTION_THROWN((void)batchLoss(at::tensor(10.0), batch, lossSettings(config)), ErrorThrown);
        QVERIFY_EXCEPTION_THROWN((void)batchLoss(at::ones({4}), batch, lossSettings(config)), ErrorThrown);
    }

    void outputsThatDoNotFitAreNamed() {
        const Batch labels = batchOf(at::arange(4), 4);
        const auto code = [](const Status& status) { return status ? std::string() : status.error().code; };
        const LossSettings classes = lossSettings(crossEntropy({}, 0.0));
        QCOMPARE(code(checkOutputs(numbers({4, 4}), labels, classes, 4)), std::string());
        QCOMPARE(code(checkOutputs(numbers({4, 3}), labels, classes, 4)), std::string("loss.classes"));
        QCOMPARE(code(checkOutputs(numbers({4}), labels, classes, 4)), std::string("loss.outputs"));
        QCOMPARE(code(checkOutputs(numbers({4, 4}), labels, lossSettings(crossEntropy({1.0, 2.0}, 0.0)), 4)),
                 std::string("loss.class-weights"));
        LossConfig config;
        config.kind = LossKind::L1;
        QCOMPARE(code(checkOutputs(numbers({4, 1}), labels, lossSettings(config), 0)), std::string());
        QCOMPARE(code(checkOutputs(numbers({4, 2}), labels, lossSettings(config), 0)), std::string("loss.outputs"));
        const Status wrong = checkClassWeights(crossEntropy({1.0, 2.0}, 0.0), 10);
        QVERIFY(!wrong && wrong.error().argument("weights") == "2" && wrong.error().argument("classes") == "10");
    }
};

QTEST_APPLESS_MAIN(TestLosses)
} // namespace test_losses
#include "test_losses.moc"
