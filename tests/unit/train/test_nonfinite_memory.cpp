// SPDX-License-Identifier: GPL-3.0-or-later
// The search for the layer whose gradient is not finite needs the memory of one gradient, not of all of them: under
// lean accumulation nothing else would fit.
#include "core/engine/memory_counter.h"
#include "core/model/model.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>

#include <memory>
#include <string>
#include <vector>

namespace test_nonfinite_memory {
using namespace accumulus;
using namespace accumulus::test;

namespace {

constexpr std::int64_t width = 256, layers = 24, inputs = 64;
constexpr std::int64_t layerBytes = width * width * 8;
constexpr std::int64_t troubled = 2; ///< of the layers, from 0

std::vector<ParameterSpec> specs() {
    std::vector<ParameterSpec> specs{{"in.weight", {width, inputs}, inputs, false}};
    for (std::int64_t i = 0; i < layers; ++i)
        specs.push_back({"deep" + std::to_string(i) + ".weight", {width, width}, width, false});
    specs.push_back({"out.weight", {10, width}, width, false});
    return specs;
}

/// Many layers of one size. Each pass begins to measure anew; what one of them gives for one sample has a root whose
/// slope is infinite.
class Deep final : public Model {
public:
    explicit Deep(std::int64_t sample) : Model(specs()), m_sample(sample) {}
    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        if (context.training) {
            MemoryCounter::resetPeak();
            before = MemoryCounter::current();
        }
        at::Tensor factor = at::ones({input.size(0), 1}, input.scalar_type());
        for (std::size_t row = 0; context.training && row < context.keys.size(); ++row)
            if (context.keys.ids[row] == m_sample)
                factor[static_cast<std::int64_t>(row)] = 0.0;
        at::Tensor x = at::linear(input.flatten(1).narrow(1, 0, inputs), p[0]);
        for (std::int64_t i = 0; i < layers; ++i) {
            x = at::linear(x, p[static_cast<std::size_t>(i + 1)]);
            x = i == troubled ? at::sqrt(at::square(x * factor)) : at::sigmoid(x);
        }
        return at::linear(x, p[layers + 1]);
    }
    mutable std::int64_t before = 0; ///< bytes in use when the last pass began

private:
    std::int64_t m_sample;
};

struct Told final : RecordingObserver {
    explicit Told(const Deep& measured) : model(measured) {}
    void noted(const std::string&, const Message& message, std::int64_t) override {
        if (message.code != "training.skipped")
            return;
        text = QString::fromStdString(messageText(message));
        bytes = MemoryCounter::peak() - model.before;
    }
    const Deep& model;
    QString text;
    std::int64_t bytes = 0; ///< that the search has taken at most
};

} // namespace

class TestNonfiniteMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { MemoryCounter::install(); }

    void theSearchHoldsOneGradientAtATime_data() {
        QTest::addColumn<bool>("lean");
        QTest::addRow("lean") << true;
        QTest::addRow("lanes") << false;
    }
    void theSearchHoldsOneGradientAtATime() {
        QFETCH(const bool, lean);
        RunConfig config = smallConfig(16, 16, 8);
        config.data.testLimit = 10;
        config.data.shuffle = false;
        config.batch.lean = lean;
        config.numerics.nonfinite = NonfinitePolicy::SkipUpdate;
        const QTemporaryDir folder;
        TrainerSetup setup = makeSetup(config, folder);
        const auto model = std::make_shared<Deep>(3); // in the first micro-step: the search is the last pass
        setup.model = model;
        Told observer(*model);
        const TrainingEnd end = Trainer::create(std::move(setup)).value()->train(observer);
        QVERIFY2(!end.error, end.error ? describe(*end.error).c_str() : "");
        // Backward from the trouble: the layers up to it have no finite gradient, the last of them is named.
        QVERIFY2(observer.text.contains(QStringLiteral("micro-step 1 of 2, gradient of layer deep%1").arg(troubled)),
                 qPrintable(observer.text));
        // One gradient, its square and a copy that autograd may make, beside the activations (8 rows for each layer).
        QVERIFY2(observer.bytes < 8 * layerBytes, qPrintable(QString::number(observer.bytes)));
    }

    // The next windows are computed as if nothing had been looked for.
    void theSearchLeavesNothingBehind() {
        RunConfig config = smallConfig(48, 16, 8);
        config.data.testLimit = 10;
        config.data.shuffle = false;
        config.numerics.nonfinite = NonfinitePolicy::SkipUpdate;
        std::string hashes[2];
        for (const bool lean : {false, true}) {
            config.batch.lean = lean;
            const QTemporaryDir folder;
            TrainerSetup setup = makeSetup(config, folder);
            setup.model = std::make_shared<Deep>(3);
            RecordingObserver observer;
            const TrainingEnd end = Trainer::create(std::move(setup)).value()->train(observer);
            QVERIFY2(!end.error, end.error ? describe(*end.error).c_str() : "");
            QCOMPARE(end.summary.updates, std::int64_t{2});
            hashes[lean ? 1 : 0] = end.summary.weightsHash;
        }
        QCOMPARE(hashes[1], hashes[0]);
    }
};

QTEST_GUILESS_MAIN(TestNonfiniteMemory)
} // namespace test_nonfinite_memory
#include "test_nonfinite_memory.moc"
