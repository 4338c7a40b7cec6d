// SPDX-License-Identifier: GPL-3.0-or-later
// A rank that fails for good ends all of them at once, with its name. Nothing comes after that, so each number of ranks
// tries another mode.
#include "core/run/rank_team.h"
#include "tests/support/rank_test.h"
#include "tests/support/training.h"

#include <QTest>

#include <stdexcept>

using namespace accumulus;
using namespace accumulus::test;

class TestRankFailure : public QObject {
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

    // Versions of the program, settings and data sets are compared like this before anything begins.
    void whatDiffersIsNamed() {
        auto team = RankTeam::create(*m_ranks);
        QVERIFY(team);
        const int last = m_ranks->size() - 1;
        QVERIFY((*team)->compare("phrase.rank-version", "Accumulus 1.0"));
        const std::string own = m_ranks->rank() == last ? "Accumulus 2.0" : "Accumulus 1.0";
        const Status different = (*team)->compare("phrase.rank-version", own);
        QVERIFY(!different);
        QCOMPARE(different.error().code, std::string("ranks.differ"));
        QCOMPARE(different.error().argument("rank"), std::to_string(last));
        QCOMPARE(different.error().argument("first"), std::string("Accumulus 1.0"));
        QCOMPARE(different.error().argument("other"), std::string("Accumulus 2.0"));
        QVERIFY((*team)->compare("phrase.rank-version", "Accumulus 1.0")); // they are still in step
    }

    void itEndsAllRanks() {
        const int last = m_ranks->size() - 1;
        QVERIFY(last > 0);
        RunConfig config = smallConfig(200, 8 * (last + 1), 8);
        config.train.length = {3, Extent::Unit::Updates};
        constexpr ParallelMode modes[] = {ParallelMode::Ddp, ParallelMode::Zero1, ParallelMode::Zero2};
        config.parallel.mode = modes[last % 3];
        TrainerSetup setup = makeSetup(config, m_folder);
        setup.ranks = m_ranks.get();
        setup.fault = [&](FaultPoint at, std::int64_t window, std::int64_t) {
            if (m_ranks->rank() == last && at == FaultPoint::Backward && window == 2)
                throw std::runtime_error("a planted fault");
        };
        RecordingObserver observer;
        auto trainer = Trainer::create(std::move(setup)).value();
        const TrainingEnd end = trainer->train(observer);
        QVERIFY(end.error);
        QCOMPARE(end.summary.updates, 1);
        QVERIFY(trainer->ranksLeft());
        if (m_ranks->rank() == last) {
            QCOMPARE(end.error->code, std::string("training.engine"));
            return;
        }
        QCOMPARE(end.error->code, std::string("ranks.failed"));
        QCOMPARE(end.error->argument("rank"), std::to_string(last));
        QVERIFY2(end.error->argument("reason").find("planted fault") != std::string::npos,
                 describe(*end.error).c_str());
        // The first rank of a run whose ranks keep everything saves what it has.
        QCOMPARE(observer.checkpoints.size(),
                 std::size_t(m_ranks->rank() == 0 && config.parallel.mode == ParallelMode::Ddp ? 1 : 0));
    }
};

QTEST_GUILESS_MAIN(TestRankFailure)
#include "test_rank_failure.moc"
