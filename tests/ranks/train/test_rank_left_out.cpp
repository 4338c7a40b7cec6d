// SPDX-License-Identifier: GPL-3.0-or-later
// skip-micro in a window that is stopped in its middle and continued: the first micro-step that was left out is named,
// also where that was before the stop, and a later one was another rank's.
#include "core/model/model.h"
#include "tests/support/rank_test.h"
#include "tests/support/training.h"

#include <ATen/ATen.h>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>

namespace test_rank_left_out {
using namespace accumulus;
using namespace accumulus::test;

namespace {

/// Two layers; what the second one makes of some samples is infinite.
class Overflowing final : public Model {
public:
    explicit Overflowing(std::set<std::int64_t> samples)
        : Model({{"in.weight", {8, 784}, 784, false},
                 {"mid.weight", {8, 8}, 8, false, InitialValue::constant(1.0)},
                 {"out.weight", {10, 8}, 8, false}}),
          m_samples(std::move(samples)) {}
    [[nodiscard]] at::Tensor forward(std::span<const at::Tensor> p, const at::Tensor& input,
                                     ForwardContext& context) const override {
        at::Tensor factor = at::ones({input.size(0), 1}, input.scalar_type());
        for (std::size_t row = 0; context.training && row < context.keys.size(); ++row)
            if (m_samples.contains(context.keys.ids[row]))
                factor[static_cast<std::int64_t>(row)] = 1e308;
        const at::Tensor x = at::sigmoid(at::linear(input.flatten(1), p[0])) + (factor - 1.0);
        return at::linear(at::linear(x, p[1] * 40.0), p[2]); // beyond 1.8e308 for those samples
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

} // namespace

class TestRankLeftOut : public QObject {
    Q_OBJECT

    static constexpr std::int64_t micro = 8;
    std::unique_ptr<Communicator> m_ranks;
    QTemporaryDir m_folder;
    std::string m_shared; ///< the first rank's folder

    /// One window of three micro-steps a rank, of which those in `broken` (from 0) are left out.
    [[nodiscard]] TrainingEnd train(ParallelMode mode, bool lean, const std::set<std::int64_t>& broken, Told& observer,
                                    const std::string& bundle = {}) {
        const std::int64_t effective = 3 * micro * m_ranks->size();
        RunConfig config = smallConfig(effective, effective, micro);
        config.data.testLimit = 10;
        config.data.shuffle = false;
        config.batch.lean = lean;
        config.parallel.mode = mode;
        config.numerics.nonfinite = NonfinitePolicy::SkipMicro;
        TrainerSetup setup = makeSetup(config, m_folder);
        setup.folder = m_shared;
        setup.ranks = m_ranks.get();
        std::set<std::int64_t> samples;
        for (const std::int64_t microStep : broken)
            samples.insert(micro * microStep + 3);
        setup.model = std::make_shared<Overflowing>(std::move(samples));
        auto trainer = Trainer::create(std::move(setup)).value();
        if (!bundle.empty())
            if (const Status restored = trainer->restore(bundle); !restored)
                qFatal("%s", describe(restored.error()).c_str());
        return trainer->train(observer);
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

    void theFirstIsNamedAfterAStopInMidWindow_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<bool>("lean");
        QTest::addRow("ddp") << int(ParallelMode::Ddp) << false;
        QTest::addRow("ddp, lean") << int(ParallelMode::Ddp) << true;
        QTest::addRow("zero2") << int(ParallelMode::Zero2) << false;
    }
    void theFirstIsNamedAfterAStopInMidWindow() {
        QFETCH(const int, mode);
        QFETCH(const bool, lean);
        const std::int64_t ranks = m_ranks->size();
        // The first rank's in the first round, before the stop; the second rank's in the round after it.
        const std::set<std::int64_t> broken{0, ranks + 1};
        Told before;
        before.stopsNowAfter = 1; // asked at the window's begin, then before each micro-step; the first stretch is one
        const TrainingEnd stopped = train(static_cast<ParallelMode>(mode), lean, broken, before);
        QVERIFY(stopped.stopped);
        QVERIFY(before.windows.empty()); // in mid-window
        const std::string bundle = before.checkpoints.back().bundlePath;

        Told after;
        const TrainingEnd end = train(static_cast<ParallelMode>(mode), lean, broken, after, bundle);
        QVERIFY2(!end.error, end.error ? describe(*end.error).c_str() : "");
        QCOMPARE(after.windows.size(), std::size_t{1});
        QCOMPARE(after.windows.front().leftOut, std::int64_t{2});
        QVERIFY2(after.text.contains(QStringLiteral("micro-step 1 of %1, layer mid").arg(3 * ranks)),
                 qPrintable(after.text));
        const auto all = m_ranks->gather(after.text.toStdString());
        QVERIFY2(std::ranges::count(all, all.front()) == std::ssize(all), qPrintable(after.text));
        (void)m_ranks->gather({}); // before the bundle is written anew
    }

    // One that comes after the stop alone is named by its own number.
    void oneAfterTheStopHasItsNumber() {
        const std::int64_t ranks = m_ranks->size();
        const std::set<std::int64_t> broken{ranks + 1};
        Told before;
        before.stopsNowAfter = 1;
        QVERIFY(train(ParallelMode::Ddp, false, broken, before).stopped);
        QVERIFY(before.windows.empty());
        Told after;
        const TrainingEnd end = train(ParallelMode::Ddp, false, broken, after, before.checkpoints.back().bundlePath);
        QVERIFY(!end.error);
        QVERIFY2(after.text.contains(QStringLiteral("micro-step %1 of %2, layer mid").arg(ranks + 2).arg(3 * ranks)),
                 qPrintable(after.text));
        (void)m_ranks->gather({});
    }
};

QTEST_GUILESS_MAIN(TestRankLeftOut)
} // namespace test_rank_left_out
#include "test_rank_left_out.moc"
