// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between ranks is named before anything begins; a rank that fails for good ends all of them.
#include "core/run/rank_team.h"
#include "tests/ranks/train/rank_failure.h"

#include <QTest>

namespace test_rank_failure {
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

    void itEndsAllRanks() { oneRankEndsAll(*m_ranks, m_folder, false); }
};

QTEST_GUILESS_MAIN(TestRankFailure)
} // namespace test_rank_failure
#include "test_rank_failure.moc"
