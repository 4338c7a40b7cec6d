// SPDX-License-Identifier: GPL-3.0-or-later
// A window of several ranks that is not finite: every rank names the same micro-step and layer, whoever computed it.
#include "core/model/model.h"
#include "tests/support/rank_test.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>

#include <algorithm>
#include <memory>

namespace test_rank_nonfinite {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Two layers; what the second one makes of one sample is infinite.
class Overflowing final : public Model {
public:
    explicit Overflowing(std::int64_t sample)
        : Model({{"in.weight", {8, 784}, 784, false},
                 {"mid.weight", {8, 8}, 8, false, InitialValue::constant(1.0)},
                 {"out.weight", {10, 8}, 8, false}}),
          m_sample(sample) {}
    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        at::Tensor factor = at::ones({input.size(0), 1}, input.scalar_type());
        for (std::size_t row = 0; context.training && row < context.keys.size(); ++row)
            if (context.keys.ids[row] == m_sample)
                factor[static_cast<std::int64_t>(row)] = 1e308;
        const at::Tensor x = at::sigmoid(at::linear(input.flatten(1), p[0])) + (factor - 1.0);
        return at::linear(at::linear(x, p[1] * 40.0), p[2]); // beyond 1.8e308 for that sample
    }

private:
    std::int64_t m_sample;
};

struct Told final : RecordingObserver {
    void noted(const std::string&, const Message& message, std::int64_t) override {
        texts.push_back(messageText(message));
    }
    std::vector<std::string> texts;
};

} // namespace

class TestRankNonfinite : public QObject {
    Q_OBJECT

    std::unique_ptr<Communicator> m_ranks;
    QTemporaryDir m_folder;
    std::string m_shared; ///< the first rank's folder

    /// What this rank says of a run whose second window breaks at `microStep`, from 1.
    [[nodiscard]] QString train(ParallelMode mode, NonfinitePolicy policy, std::int64_t microStep) {
        RunConfig config = smallConfig(120, 40, 8); // five micro-steps: more for some ranks than for others
        config.data.testLimit = 10;
        config.data.shuffle = false;
        config.parallel.mode = mode;
        config.numerics.nonfinite = policy;
        TrainerSetup setup = makeSetup(config, m_folder);
        setup.folder = m_shared;
        setup.ranks = m_ranks.get();
        setup.model = std::make_shared<Overflowing>(40 + 8 * (microStep - 1) + 3);
        Told observer;
        const TrainingEnd end = Trainer::create(std::move(setup)).value()->train(observer);
        QString text = QString::fromStdString(end.error ? describe(*end.error) : std::string());
        for (const std::string& told : observer.texts)
            text += ' ' + QString::fromStdString(told);
        return text;
    }

private Q_SLOTS:
    void initTestCase() {
        m_ranks = joinTestRanks();
        QVERIFY(m_ranks);
        m_shared = m_ranks->gather(m_folder.path().toStdString()).front();
    }
    void cleanup() { endAllIfFailed(*m_ranks); }
    void cleanupTestCase() {
        (void)m_ranks->gather({});
        m_ranks.reset();
    }

    void everyRankNamesMicroStepAndLayer() {
        for (const auto mode : {ParallelMode::Ddp, ParallelMode::Zero2})
            for (const auto policy : {NonfinitePolicy::Stop, NonfinitePolicy::SkipUpdate, NonfinitePolicy::SkipMicro})
                for (const std::int64_t microStep : {1, 2, 5}) {
                    const QString text = train(mode, policy, microStep);
                    QVERIFY2(text.contains(QStringLiteral("micro-step %1 of 5, layer mid").arg(microStep)),
                             qPrintable(text));
                    const auto all = m_ranks->gather(text.toStdString());
                    QVERIFY2(std::ranges::count(all, all.front()) == std::ssize(all), qPrintable(text));
                }
    }
};

QTEST_GUILESS_MAIN(TestRankNonfinite)
} // namespace test_rank_nonfinite
#include "test_rank_nonfinite.moc"
