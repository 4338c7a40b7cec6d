// SPDX-License-Identifier: GPL-3.0-or-later
// skip-micro in fp16: a micro-step that overflows at every loss scale is left out and lowers the scale of the windows
// to come, also where the window is stopped behind it and continued from its bundle, or where it is a left-over
// sample's.
#include "core/model/model.h"
#include "core/train/checkpoint_info.h"
#include "core/window/loss_scale.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <atomic>
#include <map>
#include <memory>

namespace test_loss_scale_resume {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// One layer. The gradients of some samples are larger by a factor; no loss is.
class Overflowing final : public Model {
public:
    explicit Overflowing(std::map<std::int64_t, double> factors)
        : Model({{"only.weight", {10, 784}, 784, false}}), m_factors(std::move(factors)) {}
    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        const at::Tensor output = at::linear(input.flatten(1), p[0]).to(at::kFloat);
        at::Tensor factor = at::zeros({input.size(0), 1}, at::kFloat);
        for (std::size_t row = 0; context.training && row < context.keys.size(); ++row)
            if (const auto found = m_factors.find(context.keys.ids[row]); found != m_factors.end())
                factor[static_cast<std::int64_t>(row)] = found->second;
        return output * 1e-3 + (output - output.detach()) * factor;
    }

private:
    std::map<std::int64_t, double> m_factors;
};

constexpr double overflowsAlways = 1e5; // 256, the lowest of eight retries, x 0.9 x this is beyond 65504
constexpr double overflowsAtFirst = 10.0;

struct Stopping final : RecordingObserver {
    Wish proceed() override {
        if (stopsNowAfter > 0 && ++asked > stopsNowAfter)
            return Wish::StopNow;
        return stopAfterWindows > 0 && windows.size() >= stopAfterWindows ? Wish::Stop : Wish::GoOn;
    }
    int stopsNowAfter = 0; ///< questions
    std::size_t stopAfterWindows = 0;
    std::atomic<int> asked{0};
};

/// Loss scales of the windows, and how the last bundle goes on.
struct Scales {
    std::vector<double> windows;
    double next = 0.0;
    int sinceChange = 0;
};

} // namespace

class TestLossScaleResume : public QObject {
    Q_OBJECT

    static constexpr std::int64_t micro = 8;
    using Factors = std::map<std::int64_t, double>; ///< by micro-step of the first epoch, from 0

    /// Windows of six micro-steps.
    static RunConfig halfConfig(std::int64_t samples) {
        RunConfig config = smallConfig(samples, 6 * micro, micro);
        config.data.testLimit = 10;
        config.data.shuffle = false;
        config.numerics.precision = Precision::Fp16;
        config.numerics.nonfinite = NonfinitePolicy::SkipMicro;
        return config;
    }

    [[nodiscard]] static Scales train(const QTemporaryDir& folder, const RunConfig& config, const Factors& factors,
                                      Stopping& observer, const std::string& bundle = {}) {
        TrainerSetup setup = makeSetup(config, folder);
        std::map<std::int64_t, double> samples;
        for (const auto& [microStep, factor] : factors)
            samples[micro * microStep + 3] = factor;
        setup.model = std::make_shared<Overflowing>(std::move(samples));
        const auto trainer = Trainer::create(std::move(setup)).value();
        if (!bundle.empty())
            if (const Status restored = trainer->restore(bundle); !restored)
                qFatal("%s", describe(restored.error()).c_str());
        if (const TrainingEnd end = trainer->train(observer); end.error)
            qFatal("%s", describe(*end.error).c_str());
        Scales scales;
        for (const WindowRecord& window : observer.windows)
            scales.windows.push_back(window.lossScale);
        const auto metadata = readCheckpointMetadata(observer.checkpoints.back().bundlePath).value();
        const auto state = QJsonDocument::fromJson(QByteArray::fromStdString(metadata.at("accumulus.state"))).object();
        scales.next = state["loss_scale"].toDouble();
        scales.sinceChange = state["windows_at_loss_scale"].toInt(-1);
        return scales;
    }

    [[nodiscard]] static Scales undisturbed(const RunConfig& config, const Factors& factors) {
        const QTemporaryDir folder;
        Stopping never;
        return train(folder, config, factors, never);
    }

    /// Stopped as `first` says, then continued.
    [[nodiscard]] static Scales continued(const RunConfig& config, const Factors& factors, Stopping& first) {
        const QTemporaryDir folder;
        Scales all = train(folder, config, factors, first);
        Stopping never;
        const Scales rest = train(folder, config, factors, never, first.checkpoints.back().bundlePath);
        all.windows.insert(all.windows.end(), rest.windows.begin(), rest.windows.end());
        all.next = rest.next;
        all.sinceChange = rest.sinceChange;
        return all;
    }

private Q_SLOTS:
    void stoppedBehindAnOverflow_data() {
        QTest::addColumn<double>("second");
        QTest::addColumn<double>("fifth");
        QTest::addRow("alone") << 0.0 << 0.0;
        QTest::addRow("another one before the stop needs less") << overflowsAtFirst << 0.0;
        QTest::addRow("another one behind the stop needs less") << 0.0 << overflowsAtFirst;
        QTest::addRow("another one behind the stop overflows always") << 0.0 << overflowsAlways;
    }
    void stoppedBehindAnOverflow() {
        QFETCH(const double, second);
        QFETCH(const double, fifth);
        const RunConfig config = halfConfig(3 * 6 * micro);
        const Factors factors{{0, overflowsAlways}, {1, second}, {4, fifth}};
        const Scales whole = undisturbed(config, factors);
        QCOMPARE(whole.windows.size(), std::size_t{3});
        QCOMPARE(whole.windows[0], LossScaler::initialScale);
        QVERIFY(whole.windows[1] < LossScaler::initialScale);
        Stopping first;
        first.stopsNowAfter = 3; // asked at the window's begin and before each micro-step: two are done
        const Scales parts = continued(config, factors, first);
        QVERIFY(first.windows.empty());
        QCOMPARE(parts.windows, whole.windows);
        QCOMPARE(parts.next, whole.next);
        QCOMPARE(parts.sinceChange, whole.sinceChange);
    }

    // The scale of the next window is one that the others of this one needed.
    void oneThatOverflowsAlwaysHidesNoOther() {
        const RunConfig config = halfConfig(3 * 6 * micro);
        const Scales one = undisturbed(config, {{4, overflowsAtFirst}});
        QVERIFY(one.windows[1] < LossScaler::initialScale / 2);
        QCOMPARE(undisturbed(config, {{0, overflowsAlways}, {4, overflowsAtFirst}}).windows, one.windows);
    }

    // Two micro-steps more than a window holds leak into the next one, one of which overflows.
    void leftOverSamplesCount_data() {
        QTest::addColumn<bool>("lean");
        QTest::addRow("lanes") << false;
        QTest::addRow("lean") << true;
    }
    void leftOverSamplesCount() {
        QFETCH(const bool, lean);
        RunConfig config = halfConfig(8 * micro);
        config.batch.lean = lean;
        config.batch.tail = TailPolicy::Leak;
        config.train.length = {2, Extent::Unit::Epochs};
        const Factors factors{{6, overflowsAlways}};
        const Scales whole = undisturbed(config, factors);
        constexpr double scale = LossScaler::initialScale;
        QCOMPARE(whole.windows, (std::vector{scale, scale, scale, scale / 2}));
        Stopping first;
        first.stopAfterWindows = 2; // behind them
        const Scales parts = continued(config, factors, first);
        QCOMPARE(first.windows.size(), std::size_t{2});
        QCOMPARE(parts.windows, whole.windows);
        QCOMPARE(parts.next, whole.next);
        QCOMPARE(parts.sinceChange, whole.sinceChange);
    }
};

QTEST_GUILESS_MAIN(TestLossScaleResume)
} // namespace test_loss_scale_resume
#include "test_loss_scale_resume.moc"
