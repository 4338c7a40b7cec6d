// SPDX-License-Identifier: GPL-3.0-or-later
// A window breaks down on all ranks, and the first one fails alone while the last checkpoint is made: none waits for
// another. Nothing comes after that in this process.
#include "tests/support/rank_test.h"
#include "tests/support/small_nets.h"
#include "tests/support/training.h"

#include <QTest>

#include <memory>

namespace test_rank_last_checkpoint {
using namespace accumulus;
using namespace accumulus::test;

namespace {

struct Refusing final : RecordingObserver {
    Status checkpointBegins() override { return refuses ? failure("run.taken-over", {{"run", "1"}}) : Status(); }
    bool refuses = false;
};

} // namespace

class TestRankLastCheckpoint : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Communicator> m_ranks;
    QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase() {
        m_ranks = joinTestRanks();
        QVERIFY(m_ranks);
    }
    void cleanup() { endAllIfFailed(*m_ranks); }

    void allRanksEnd() {
        RunConfig config = smallConfig(36, 12, 2);
        config.data.shuffle = false;
        config.numerics.nonfinite = NonfinitePolicy::Stop;
        config.parallel.mode = ParallelMode::Zero1;
        TrainerSetup setup = makeSetup(config, m_folder);
        setup.ranks = m_ranks.get();
        setup.data = smallImages(36);
        setup.model = std::make_shared<WithSpoiltSample>(std::make_shared<SmallConvNet>(false, 0.0), 12 + 5);
        Refusing observer;
        observer.refuses = m_ranks->rank() == 0;
        const auto trainer = Trainer::create(std::move(setup)).value();
        const TrainingEnd end = trainer->train(observer);
        QVERIFY(end.error);
        QCOMPARE(end.error->code, std::string("training.nonfinite"));
        QCOMPARE(observer.windows.size(), std::size_t{2});
        QVERIFY(observer.checkpoints.empty());
        QVERIFY(trainer->ranksLeft());
    }
};

QTEST_GUILESS_MAIN(TestRankLastCheckpoint)
} // namespace test_rank_last_checkpoint
#include "test_rank_last_checkpoint.moc"
