// SPDX-License-Identifier: GPL-3.0-or-later
// Trap T10: dropout and augmentation draw by (seed, epoch, sample, layer), not by the order of calls, so every split of
// a window is the same function. Trap T9: BatchNorm is the one layer that is not; accumulation equals the large batch
// normalised in ghost groups, and not the plain one.
#include "core/base/keyed_draws.h"
#include "core/model/keyed_dropout.h"
#include "tests/support/numeric.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>

namespace test_keyed_draws {
using namespace accumulus;
using namespace accumulus::test;

namespace {

RunConfig drawingConfig(std::int64_t micro) {
    RunConfig config = smallConfig(96, 32, micro);
    config.data.dataset = "textures-generated";
    config.data.resize = 16;
    config.data.augment = "crop-flip";
    config.data.testLimit = 10;
    config.model.dropout = 0.5;
    return config;
}

std::vector<double> weightsAfter(const RunConfig& config, PlantedBug bug = PlantedBug::None, LanePlan lanes = {1, 1}) {
    QTemporaryDir folder;
    TrainerSetup setup = makeSetup(config, folder, lanes);
    setup.bug = bug;
    const auto trainer = Trainer::create(std::move(setup)).value();
    RecordingObserver observer;
    const TrainingEnd end = trainer->train(observer);
    return end.error ? std::vector<double>() : trainer->weights();
}

/// Two updates of 8 samples.
RunConfig batchNormConfig(std::int64_t micro, std::int64_t ghost, BatchNormMode mode = BatchNormMode::Micro) {
    RunConfig config = smallConfig(16, 8, micro);
    config.data.dataset = "textures-generated";
    config.data.resize = 16;
    config.data.testLimit = 10;
    config.model.name = "resnet18";
    config.model.stem = "cifar";
    config.numerics.batchNorm = mode;
    config.numerics.ghost = ghost;
    config.optimizer.lr = 1e-3;
    return config;
}

} // namespace

class TestKeyedDraws : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // The mask of a sample does not depend on which micro-batch it comes in.
    void masksAreTheSameBits() {
        std::vector<std::int64_t> ids(32), epochs(32, 3);
        for (std::size_t i = 0; i < ids.size(); ++i)
            ids[i] = static_cast<std::int64_t>(i * 37 % 101);
        const at::Tensor whole = keyedMask({7, ids, epochs}, 1000, 0.5, 2, at::kFloat);
        for (const std::size_t m : {std::size_t{1}, std::size_t{4}})
            for (std::size_t first = 0; first < ids.size(); first += m) {
                const at::Tensor part =
                    keyedMask({7, std::span(ids).subspan(first, m), std::span(epochs).subspan(first, m)}, 1000, 0.5, 2,
                              at::kFloat);
                QVERIFY(
                    at::equal(part, whole.narrow(0, static_cast<std::int64_t>(first), static_cast<std::int64_t>(m))));
            }
        // Half of 32 000 draws: standard deviation of the share 0.0028; five of them.
        QVERIFY(compareAbs(whole.ne(0).to(at::kDouble).mean().item<double>(), 0.5, 0.014));
        // Another layer, epoch or seed is another mask.
        QVERIFY(!at::equal(whole, keyedMask({7, ids, epochs}, 1000, 0.5, 3, at::kFloat)));
        QVERIFY(!at::equal(whole, keyedMask({8, ids, epochs}, 1000, 0.5, 2, at::kFloat)));
    }

    // BERT: 15 % of the positions are asked for, of which 80 % show the mask, 10 % any token, 10 % their own. Against
    // these shares the counts of 200 000 positions lie within 5 standard deviations sqrt(n p (1 - p)).
    void masksAreAsBertsAre() {
        constexpr std::int64_t vocabulary = 10, token = 3, samples = 1000, block = 200;
        const std::uint64_t epoch = epochKey(5, 2);
        double asked = 0, masked = 0, own = 0;
        std::array<double, vocabulary> shown{};
        std::array<double, 2> halves{}; // asked for among the first and the last positions
        for (std::int64_t id = 0; id < samples; ++id)
            for (std::int64_t position = 0; position < block; ++position) {
                const MaskedToken drawn = maskedToken(rowKey(epoch, id, purposeMask), position, token, vocabulary);
                if (drawn.target == ignoredTarget) {
                    QCOMPARE(drawn.shown, token);
                    continue;
                }
                QCOMPARE(drawn.target, token);
                QVERIFY(drawn.shown >= 0 && drawn.shown <= vocabulary);
                asked += 1;
                halves[position < block / 2 ? 0 : 1] += 1;
                drawn.shown == vocabulary ? masked += 1 : shown[static_cast<std::size_t>(drawn.shown)] += 1;
            }
        const auto isShare = [](double count, double n, double share) {
            return std::abs(count - n * share) < 5 * std::sqrt(n * share * (1 - share));
        };
        QVERIFY2(isShare(asked, samples * block, 0.15), qPrintable(QString::number(asked)));
        QVERIFY(isShare(halves[0], asked, 0.5));
        QVERIFY2(isShare(masked, asked, 0.8), qPrintable(QString::number(masked)));
        own = shown[token]; // 10 %, and one in ten of the 10 % that are any token
        QVERIFY2(isShare(own, asked, 0.11), qPrintable(QString::number(own)));
        // The other nine tokens alike: chi-square of 8 degrees of freedom, beyond 42.7 with probability 1e-6.
        const double each = (asked - masked - own) / (vocabulary - 1);
        double chiSquare = 0.0;
        for (std::size_t other = 0; other < shown.size(); ++other)
            if (other != token)
                chiSquare += (shown[other] - each) * (shown[other] - each) / each;
        QVERIFY2(chiSquare < 42.7, qPrintable(QString::number(chiSquare)));
    }

    // K = 1, 8 and 32 with dropout and crop-flip after 3 updates in fp64: sums in another order, 1e-10.
    void everySplitIsTheSameFunction() {
        const auto whole = weightsAfter(drawingConfig(32));
        QVERIFY(!whole.empty());
        for (const std::int64_t micro : {4, 1})
            QVERIFY(relativeL2(weightsAfter(drawingConfig(micro), PlantedBug::None, {2, 1}), whole) < 1e-10);
        // The draws matter: without them the weights are others.
        RunConfig plain = drawingConfig(32);
        plain.model.dropout = 0.0;
        QVERIFY(relativeL2(weightsAfter(plain), whole) > 1e-6);
    }

    // The mutant: a stream in the order of the calls.
    void aStreamOfDrawsShows() {
        QVERIFY(relativeL2(weightsAfter(drawingConfig(4), PlantedBug::DrawsByCallOrder),
                           weightsAfter(drawingConfig(32))) > 1e-6);
    }

    void accumulationIsTheGhostBatch_data() {
        QTest::addColumn<int>("mode");
        QTest::newRow("micro") << int(BatchNormMode::Micro);
        QTest::newRow("pooled") << int(BatchNormMode::Pooled);
    }
    // Two updates of ResNet-18 in fp64: the same arithmetic per group, sums in another order.
    void accumulationIsTheGhostBatch() {
        QFETCH(int, mode);
        const auto normMode = static_cast<BatchNormMode>(mode);
        const auto accumulated = weightsAfter(batchNormConfig(4, 0, normMode));
        QVERIFY(!accumulated.empty());
        QVERIFY(relativeL2(weightsAfter(batchNormConfig(8, 4, normMode)), accumulated) < 1e-10);
        QVERIFY(relativeL2(weightsAfter(batchNormConfig(8, 0, normMode)), accumulated) >
                1e-5); // the plain large batch is another method
    }

    void frozenStatisticsAreExact() {
        QVERIFY(relativeL2(weightsAfter(batchNormConfig(4, 0, BatchNormMode::Frozen)),
                           weightsAfter(batchNormConfig(8, 0, BatchNormMode::Frozen))) < 1e-10);
    }

    void groupNormIsExact() {
        RunConfig config = batchNormConfig(4, 0);
        config.model.norm = "group";
        RunConfig whole = batchNormConfig(8, 0);
        whole.model.norm = "group";
        QVERIFY(relativeL2(weightsAfter(config), weightsAfter(whole)) < 1e-10);
    }

    // A single value has no variance: said before the start, with a cure.
    void oneSampleIsRefused() {
        QTemporaryDir folder;
        RunConfig config = batchNormConfig(1, 0);
        config.model.stem = "imagenet"; // 16x16 pixels end in one
        const auto refused = Trainer::create(makeSetup(config, folder));
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().code, std::string("model.batch-norm-one"));
        config.model.norm = "group";
        QVERIFY(Trainer::create(makeSetup(config, folder)).has_value());
    }
};

QTEST_APPLESS_MAIN(TestKeyedDraws)
} // namespace test_keyed_draws
#include "test_keyed_draws.moc"
