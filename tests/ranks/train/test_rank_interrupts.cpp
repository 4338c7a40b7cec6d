// SPDX-License-Identifier: GPL-3.0-or-later
// Windows of several ranks that do not go through: overflows that skip an update on all of them, faults of one rank,
// and runs that are stopped and continued on as many ranks or on one.
#include "core/base/message.h"
#include "core/config/config_fields.h"
#include "core/engine/engine.h"
#include "tests/ranks/train/rank_trainings.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <memory>

namespace test_rank_interrupts {
using namespace accumulus;
using namespace accumulus::test;

class TestRankInterrupts : public QObject, protected RankTrainings {
    Q_OBJECT

private:
    std::string m_bundle;

private Q_SLOTS:
    void initTestCase() { joinRanks(); }

    void cleanup() { endIfFailed(); }

    void cleanupTestCase() { leaveRanks(); }

    /// An overflow in every micro-step on every rank skips the same update on all (S5).
    void overflowsSkipTogether_data() {
        QTest::addColumn<bool>("lean");
        QTest::addColumn<int>("mode");
        QTest::addRow("ddp") << false << int(ParallelMode::Ddp);
        QTest::addRow("ddp, lean") << true << int(ParallelMode::Ddp);
        QTest::addRow("zero1, lean") << true << int(ParallelMode::Zero1);
        QTest::addRow("zero2") << false << int(ParallelMode::Zero2);
    }
    void overflowsSkipTogether() {
        QFETCH(bool, lean);
        QFETCH(int, mode);
        RunConfig config = rankConfig();
        config.batch.lean = lean;
        config.parallel.mode = static_cast<ParallelMode>(mode);
        config.numerics.precision = Precision::Fp16;
        config.numerics.lossScale = "1e30";
        config.numerics.nonfinite = NonfinitePolicy::SkipUpdate;
        config.train.length = {64, Extent::Unit::Samples};
        const Trained ranks = onRanks(config);
        QVERIFY2(!ranks.end.error, ranks.end.error ? describe(*ranks.end.error).c_str() : "");
        QCOMPARE(ranks.end.summary.updates, 0);
        QCOMPARE(ranks.windows.size(), std::size_t{2});
        for (const WindowRecord& window : ranks.windows)
            QVERIFY(window.nonfinite && !window.update);
        // At a dynamic scale it falls on all alike.
        config.numerics.lossScale = "dynamic";
        const Trained falls = onRanks(config);
        for (const std::string& told : m_ranks->gather(falls.hash))
            QCOMPARE(told, falls.hash);
        QCOMPARE(falls.end.summary.updates, alone(config).end.summary.updates);
    }

    /// A fault of one rank is computed again and leaves no trace.
    void faultsOfOneRank_data() {
        QTest::addColumn<int>("point");
        QTest::addColumn<int>("mode");
        QTest::addColumn<bool>("lean");
        for (const auto point : {FaultPoint::Forward, FaultPoint::Backward, FaultPoint::Commit, FaultPoint::Update}) {
            for (const auto mode : {ParallelMode::Ddp, ParallelMode::Zero1, ParallelMode::Zero2})
                QTest::addRow("mode %d, point %d", int(mode), int(point)) << int(point) << int(mode) << false;
            QTest::addRow("lean, point %d", int(point)) << int(point) << int(ParallelMode::Ddp) << true;
        }
    }
    void faultsOfOneRank() {
        QFETCH(int, point);
        QFETCH(int, mode);
        QFETCH(bool, lean);
        RunConfig config = rankConfig();
        config.batch.effective = 8 * 6;
        config.batch.lean = lean;
        config.parallel.mode = static_cast<ParallelMode>(mode);
        const Trained& good = onRanksOnce(config);
        const int faulty = size() - 1;
        // Of the first window, in which ranks agree after each micro-step, not the first micro-step.
        const auto isThere = [&](FaultPoint at, std::int64_t window, std::int64_t microStep) {
            return m_ranks->rank() == faulty && at == static_cast<FaultPoint>(point) && window == 1 &&
                   (at == FaultPoint::Update || microStep >= 3);
        };
        const auto failing = [&](int times) {
            return [&, left = std::make_shared<std::atomic<int>>(times)](TrainerSetup& setup, Observer&) {
                setup.fault = [&, left](FaultPoint at, std::int64_t window, std::int64_t microStep) {
                    if (isThere(at, window, microStep) && (*left)-- > 0)
                        throw std::runtime_error("a planted fault");
                };
            };
        };
        const Trained once = onRanks(config, failing(1));
        QVERIFY2(!once.end.error, once.end.error ? describe(*once.end.error).c_str() : "");
        QCOMPARE(once.hash, good.hash);
        const auto note = std::ranges::find(once.messages, "training.retried", &Message::code);
        QVERIFY(note != once.messages.end());
        QCOMPARE(note->argument("rank"), std::to_string(faulty)); // and no English word with it
        const std::string said = ": rank " + std::to_string(faulty) + ": a planted fault.";
        QVERIFY2(messageText(*note).ends_with(said), messageText(*note).c_str());

        const auto memory = [&](TrainerSetup& setup, Observer&) {
            setup.fault = [&, left = std::make_shared<std::atomic<int>>(1)](FaultPoint at, std::int64_t window,
                                                                            std::int64_t microStep) {
                if (isThere(at, window, microStep) && (*left)-- > 0)
                    throw std::bad_alloc();
            };
        };
        const Trained parts = onRanks(config, memory);
        QVERIFY2(!parts.end.error, parts.end.error ? describe(*parts.end.error).c_str() : "");
        QVERIFY(largestDifference(parts.weights, good.weights) <= tolerance);
    }

    /// Stopped between two micro-steps or two windows, and continued: on as many ranks with the same bits, alone (and
    /// from alone to many) within rounding.
    void stoppedRunsGoOn_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<bool>("inWindow");
        QTest::addColumn<int>("windows");
        QTest::addColumn<QString>("more");
        for (const auto mode : {ParallelMode::Ddp, ParallelMode::Zero1, ParallelMode::Zero2}) {
            for (const bool inWindow : {false, true}) {
                const int windows = inWindow ? 0 : 1;
                QTest::addRow("mode %d, %d", int(mode), inWindow) << int(mode) << inWindow << windows << QString();
                QTest::addRow("mode %d, %d, adamw", int(mode), inWindow)
                    << int(mode) << inWindow << windows << QString("optimizer.name=adamw");
                QTest::addRow("mode %d, %d, BatchNorm", int(mode), inWindow)
                    << int(mode) << inWindow << windows
                    << QString("model.name=resnet18; batch.effective=24; batch.micro=4; numerics.batch_norm=pooled");
            }
            // Three windows of 56, and 32 samples that the next one begins with.
            QTest::addRow("mode %d, behind left-over samples", int(mode))
                << int(mode) << false << 4
                << QString("batch.effective=56; batch.tail=leak; train.length=2 epochs; optimizer.momentum=0.9");
        }
    }
    void stoppedRunsGoOn() {
        QFETCH(int, mode);
        QFETCH(bool, inWindow);
        QFETCH(int, windows);
        QFETCH(QString, more);
        RunConfig config = rankConfig();
        config.parallel.mode = static_cast<ParallelMode>(mode);
        config.batch.effective = 8 * 6;
        setAll(config, more);
        const Trained& whole = onRanksOnce(config);
        const auto stops = [&](bool ranks) {
            return [inWindow, windows, ranks](TrainerSetup&, Observer& observer) {
                observer.stopsNowAfter = !inWindow ? 0 : ranks ? 1 : 4;
                observer.stopAfterWindows = static_cast<std::size_t>(windows);
            };
        };
        const Trained stopped = onRanks(config, stops(true));
        QVERIFY(stopped.end.stopped);
        QCOMPARE(stopped.windows.size(), std::size_t(windows));
        const std::string bundle = stopped.checkpoints.back().bundlePath;
        QCOMPARE(openMicroSteps(bundle), inWindow ? size() : 0);
        const Trained resumed = train(config, m_ranks.get(), {}, bundle);
        QCOMPARE(resumed.hash, whole.hash);
        compareGoingOn(resumed.windows, whole.windows);
        // The window that it goes on with is begun anew once more.
        const auto fails = [&](TrainerSetup& setup, Observer&) {
            setup.fault = [this, left = std::make_shared<std::atomic<int>>(1)](FaultPoint at, std::int64_t,
                                                                               std::int64_t) {
                if (m_ranks->rank() == size() - 1 && at == FaultPoint::Update && (*left)-- > 0)
                    throw std::runtime_error("a planted fault");
            };
        };
        const Trained anew = train(config, m_ranks.get(), fails, bundle);
        QCOMPARE(anew.hash, whole.hash);
        compareGoingOn(anew.windows, whole.windows);
        const Trained lonely = train(config, nullptr, {}, bundle);
        QVERIFY(largestDifference(lonely.weights, whole.weights) <= tolerance);
        compareGoingOn(lonely.windows, whole.windows);
        (void)m_ranks->gather({}); // before the file is written anew

        if (m_ranks->rank() == 0) {
            const Trained single = alone(config, stops(false));
            QVERIFY(single.end.stopped);
            QCOMPARE(single.windows.size(), std::size_t(windows));
            m_bundle = single.checkpoints.back().bundlePath;
            QCOMPARE(openMicroSteps(m_bundle), inWindow ? 3 : 0);
        }
        m_bundle = m_ranks->gather(m_bundle).front();
        const Trained many = train(config, m_ranks.get(), {}, m_bundle);
        QVERIFY(largestDifference(many.weights, whole.weights) <= tolerance);
        compareGoingOn(many.windows, whole.windows);
    }
};

QTEST_GUILESS_MAIN(TestRankInterrupts)
} // namespace test_rank_interrupts
#include "test_rank_interrupts.moc"
