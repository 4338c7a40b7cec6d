// SPDX-License-Identifier: GPL-3.0-or-later
// The noise scale parameter by parameter: against gradients of single samples from the fp64 reference, and against what
// training itself records of the same windows.
#include "core/data/sampler.h"
#include "core/engine/engine_trial.h"
#include "core/train/checkpoint.h"
#include "core/train/layer_noise.h"
#include "core/train/reference.h"
#include "tests/support/numeric.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>
#include <cmath>
#include <numeric>

namespace test_layer_noise {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// S and G2 of each parameter in one window, by the definition: from the gradient of every single sample.
struct Oracle {
    std::vector<double> s, g2;
};

Oracle fromSingleSamples(const EngineTrial& at, const Dataset& data, std::span<const std::int64_t> ids,
                         std::int64_t micro) {
    const ModelState& state = at.state();
    const std::size_t parameters = state.model->layout().size();
    std::vector<std::vector<at::Tensor>> each;
    for (const std::int64_t id : ids)
        each.push_back(referenceGradient(*state.model, state.parameters, data, {&id, 1}).gradients);
    const auto squaredMean = [&](std::size_t parameter, std::size_t from, std::size_t count) {
        at::Tensor sum = each[from][parameter].clone();
        for (std::size_t i = 1; i < count; ++i)
            sum += each[from + i][parameter];
        return (sum / static_cast<double>(count)).square().sum().item<double>();
    };
    const auto n = static_cast<double>(ids.size());
    Oracle oracle;
    for (std::size_t p = 0; p < parameters; ++p) {
        double a = 0.0;
        double steps = 0.0;
        std::size_t from = 0;
        for (const std::int64_t size : microSizes(std::ssize(ids), micro)) {
            const auto count = static_cast<std::size_t>(size);
            a += static_cast<double>(size) / n * squaredMean(p, from, count);
            from += count;
            steps += 1.0;
        }
        const double q = squaredMean(p, 0, ids.size());
        oracle.s.push_back(n * (a - q) / (steps - 1.0));
        oracle.g2.push_back((steps * q - a) / (steps - 1.0));
    }
    return oracle;
}

RunConfig textConfig(const std::string& model) {
    RunConfig config = smallConfig(96, 12, 5);
    config.data.dataset = "tinyshakespeare";
    config.data.block = 16;
    config.data.testLimit = 8;
    config.model.name = model;
    config.model.layers = 1;
    config.model.heads = 2;
    config.model.width = 16;
    config.loss.normalise = Normalise::Tokens;
    return config;
}

/// Largest distance of the parameters' sum from the whole, relative to the whole, over S and G2 of all windows.
double worstSum(const LayerNoise& noise) {
    double worst = 0.0;
    for (std::size_t w = 0; w < noise.whole.s.size(); ++w) {
        double s = 0.0;
        double g2 = 0.0;
        for (const ParameterNoise& parameter : noise.parameters) {
            s += parameter.s[w];
            g2 += parameter.g2[w];
        }
        worst = std::max(worst, std::abs(s - noise.whole.s[w]) / noise.whole.s[w]);
        worst = std::max(worst, std::abs(g2 - noise.whole.g2[w]) / noise.whole.s[w]);
    }
    return worst;
}

} // namespace

class TestLayerNoise : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void singleSamplesGiveTheSameTerms_data() {
        QTest::addColumn<int>("micro");
        QTest::newRow("one sample each") << 1; // S is then the unbiased variance of the samples' gradients
        QTest::newRow("ragged") << 5;
        QTest::newRow("halves") << 6;
    }
    // fp64: a gradient of 12 samples has a relative error of a few times 1e-15; A - Q loses a digit at most.
    void singleSamplesGiveTheSameTerms() {
        QFETCH(int, micro);
        const QTemporaryDir folder;
        RunConfig config = smallConfig(48, 12, micro);
        config.train.clipNorm = 1e-3; // is not to be felt: terms are of the gradient before clipping
        const TrainerSetup setup = makeSetup(config, folder);
        const LayerNoise noise = layerNoise(setup, {.windows = 3}).value();
        QCOMPARE(noise.micro, micro);
        QCOMPARE(std::ssize(noise.whole.s), 3);
        const auto trial = EngineTrial::create(setup, {.lanes = {1, 1}}).value();
        const auto order = epochOrder(48, config.data.shuffle, setup.seed, 0);
        for (std::size_t w = 0; w < 3; ++w) {
            const Oracle oracle = fromSingleSamples(*trial, *setup.data, std::span(order).subspan(12 * w, 12), micro);
            for (std::size_t p = 0; p < noise.parameters.size(); ++p) {
                QVERIFY(compareRel(noise.parameters[p].s[w], oracle.s[p], 1e-12));
                QVERIFY(std::abs(noise.parameters[p].g2[w] - oracle.g2[p]) <= 1e-12 * oracle.s[p]);
            }
        }
    }

    void parametersAddUpToTheModel_data() {
        QTest::addColumn<QString>("model");
        for (const char* model : {"mlp", "lenet5", "char-gpt", "bert-mini"}) // the last one has uneven units
            QTest::newRow(model) << QString(model);
    }
    // Both are sums of the same squares; S of the model is n times a difference of two of them, so with |G|^2 up to 10
    // times tr Sigma / n the rounding of some thousand terms, 1e-15 each at worst, may grow to 1e-11.
    void parametersAddUpToTheModel() {
        QFETCH(QString, model);
        const QTemporaryDir folder;
        const bool text = model == "char-gpt" || model == "bert-mini";
        RunConfig config = text ? textConfig(model.toStdString()) : smallConfig(48, 12, 5);
        config.model.name = model.toStdString();
        TrainerSetup setup = makeSetup(config, folder);
        const LayerNoise noise = layerNoise(setup, {.windows = 3}).value();
        QCOMPARE(std::ssize(noise.whole.s), 3);
        QVERIFY2(worstSum(noise) < 1e-11, qPrintable(QString::number(worstSum(noise))));
        QVERIFY(text ? noise.unitsPerSample > 1.0 && noise.unitsPerSample <= 16.0 : noise.unitsPerSample == 1.0);
        // The planted bug: micro-batches of 5, 5 and 2 samples count alike in what training records.
        setup.bug = PlantedBug::NoiseUnweighted;
        QVERIFY(worstSum(layerNoise(setup, {.windows = 3}).value()) > 1e-3);
    }

    void aCheckpointsWeightsAreTaken() {
        const QTemporaryDir folder;
        const TrainerSetup setup = makeSetup(smallConfig(48, 12, 4), folder);
        const auto trial = EngineTrial::create(setup, {.lanes = {1, 1}}).value();
        const ModelState& state = trial->state();
        const std::filesystem::path file = setup.folder / "w.safetensors";
        QVERIFY(saveWeights(file, state.model->layout(), state.parameters * 2.0, {}).has_value());
        QVERIFY(trial->loadWeights(file).has_value());
        const auto order = epochOrder(48, true, setup.seed, 1); // the epoch that is asked for
        const Oracle oracle = fromSingleSamples(*trial, *setup.data, std::span(order).first(12), 4);
        const LayerNoise noise = layerNoise(setup, {.windows = 2, .weights = file, .epoch = 1}).value();
        QVERIFY(compareRel(noise.parameters.front().s.front(), oracle.s.front(), 1e-12));
        QCOMPARE(layerNoise(setup, {.weights = setup.folder / "none"}).error().code, std::string("checkpoint.open"));
    }

    void aWindowOfOneMicroBatchIsSplit() {
        const QTemporaryDir folder;
        const LayerNoise noise = layerNoise(makeSetup(smallConfig(48, 12, 12), folder), {.windows = 2}).value();
        QCOMPARE(noise.micro, 3);
        QCOMPARE(noise.steps, 4);
        QVERIFY(worstSum(noise) < 1e-11);
        QCOMPARE(layerNoise(makeSetup(smallConfig(48, 1, 1), folder), {}).error().code,
                 std::string("noise.one-sample"));
    }

    /// ResNet-18's last feature map of such images is one pixel.
    void noPartIsASingleValueForBatchNorm() {
        const QTemporaryDir folder;
        const auto noiseOf = [&](std::int64_t effective) {
            RunConfig config = smallConfig(24, effective, effective);
            config.model.name = "resnet18";
            return layerNoise(makeSetup(config, folder), {.windows = 1});
        };
        const auto six = noiseOf(6), five = noiseOf(5);
        QVERIFY(six && six->micro == 2 && six->steps == 3);
        QVERIFY(five && five->micro == 3 && five->steps == 2);
        QCOMPARE(noiseOf(3).error().code, std::string("model.batch-norm-cut"));
    }

    void aStopIsHeard() {
        const QTemporaryDir folder;
        std::stop_source stop;
        stop.request_stop();
        const auto noise = layerNoise(makeSetup(smallConfig(48, 12, 4), folder), {}, stop.get_token());
        QCOMPARE(noise.error().code, std::string("noise.cancelled"));
    }
};

QTEST_GUILESS_MAIN(TestLayerNoise)
} // namespace test_layer_noise
#include "test_layer_noise.moc"
