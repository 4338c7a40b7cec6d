// SPDX-License-Identifier: GPL-3.0-or-later
// A window that leaves micro-steps out is stopped in its middle and continued from its bundle: the note names the first
// one, whether it came before the stop or after it.
#include "core/model/model.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>

#include <atomic>
#include <cmath>
#include <memory>
#include <set>

namespace test_left_out_resume {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// One layer that makes nothing finite of some samples.
class Breaking final : public Model {
public:
    explicit Breaking(std::set<std::int64_t> samples)
        : Model({{"only.weight", {10, 784}, 784, false}}), m_samples(std::move(samples)) {}
    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        const at::Tensor output = at::linear(input.flatten(1), p[0]);
        at::Tensor factor = at::ones({input.size(0), 1}, input.scalar_type());
        for (std::size_t row = 0; context.training && row < context.keys.size(); ++row)
            if (m_samples.contains(context.keys.ids[row]))
                factor[static_cast<std::int64_t>(row)] = std::nan("");
        return output * factor;
    }

private:
    std::set<std::int64_t> m_samples;
};

struct Told final : RecordingObserver {
    Wish proceed() override { return stopsNowAfter > 0 && ++asked > stopsNowAfter ? Wish::StopNow : Wish::GoOn; }
    void noted(const std::string&, const Message& message, std::int64_t) override {
        text += ' ' + QString::fromStdString(messageText(message));
    }
    int stopsNowAfter = 0; ///< questions
    std::atomic<int> asked{0};
    QString text;
};

/// One window of six micro-steps of 8 samples, of which those in `broken` (from 0) are left out.
TrainingEnd train(const QTemporaryDir& folder, const std::set<std::int64_t>& broken, Told& observer,
                  const std::string& bundle = {}) {
    RunConfig config = smallConfig(48, 48, 8);
    config.data.testLimit = 10;
    config.data.shuffle = false;
    config.numerics.nonfinite = NonfinitePolicy::SkipMicro;
    TrainerSetup setup = makeSetup(config, folder);
    std::set<std::int64_t> samples;
    for (const std::int64_t microStep : broken)
        samples.insert(8 * microStep + 3);
    setup.model = std::make_shared<Breaking>(std::move(samples));
    const auto trainer = Trainer::create(std::move(setup)).value();
    if (!bundle.empty())
        if (const Status restored = trainer->restore(bundle); !restored)
            qFatal("%s", describe(restored.error()).c_str());
    return trainer->train(observer);
}

} // namespace

class TestLeftOutResume : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFirstIsNamed_data() {
        QTest::addColumn<int>("one");
        QTest::addColumn<int>("other");
        QTest::addRow("before the stop and after it") << 0 << 3;
        QTest::addRow("the last one before the stop") << 1 << 4;
        QTest::addRow("after the stop") << 2 << 5;
    }
    void theFirstIsNamed() {
        QFETCH(const int, one);
        QFETCH(const int, other);
        const QTemporaryDir folder;
        Told before;
        before.stopsNowAfter = 3; // asked at the window's begin and before each micro-step: two are done
        QVERIFY(train(folder, {one, other}, before).stopped);
        QVERIFY(before.windows.empty());

        Told after;
        const TrainingEnd end = train(folder, {one, other}, after, before.checkpoints.back().bundlePath);
        QVERIFY(!end.error);
        QCOMPARE(after.windows.size(), std::size_t{1});
        QCOMPARE(after.windows.front().leftOut, std::int64_t{2});
        QVERIFY2(after.text.contains(QStringLiteral("micro-step %1 of 6, layer only").arg(one + 1)),
                 qPrintable(after.text));
    }
};

QTEST_GUILESS_MAIN(TestLeftOutResume)
} // namespace test_left_out_resume
#include "test_left_out_resume.moc"
