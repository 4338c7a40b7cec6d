// SPDX-License-Identifier: GPL-3.0-or-later
// As test_rank_failure, where gradients lie on devices.
#include "tests/ranks/train/rank_failure.h"

#include <QTest>

namespace test_rank_device_failure {
using namespace accumulus;
using namespace accumulus::test;

class TestRankDeviceFailure : public QObject {
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

    void itEndsAllRanks() { oneRankEndsAll(*m_ranks, m_folder, true); }
};

QTEST_GUILESS_MAIN(TestRankDeviceFailure)
} // namespace test_rank_device_failure
#include "test_rank_device_failure.moc"
