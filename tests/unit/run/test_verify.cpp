// SPDX-License-Identifier: GPL-3.0-or-later
// When a checkpoint agrees with what was recorded for it. Loading and evaluating: test_study_runner.
#include "core/run/verify.h"

#include <QTest>

#include <limits>

namespace test_verify {
using namespace accumulus;

class TestVerify : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void agreement_data() {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        constexpr double infinity = std::numeric_limits<double>::infinity();
        QTest::addColumn<double>("recorded");
        QTest::addColumn<double>("now");
        QTest::addColumn<bool>("agrees");
        QTest::newRow("equal") << 0.5 << 0.5 << true;
        QTest::newRow("rounded otherwise") << 0.5 << 0.5 * (1 + 1e-9) << true;
        QTest::newRow("another loss") << 0.5 << 0.5 * (1 + 1e-4) << false;
        QTest::newRow("both NaN") << nan << nan << true; // a run that diverged, verified unchanged
        QTest::newRow("recorded NaN") << nan << 0.5 << false;
        QTest::newRow("now NaN") << 0.5 << nan << false;
        QTest::newRow("both infinite") << infinity << infinity << true;
        QTest::newRow("infinities of two signs") << infinity << -infinity << false;
        QTest::newRow("recorded infinite") << infinity << 0.5 << false;
        QTest::newRow("now infinite") << 0.5 << infinity << false;
    }
    void agreement() {
        QFETCH(double, recorded);
        QFETCH(double, now);
        QFETCH(bool, agrees);
        VerifyOutcome outcome;
        outcome.now.accuracy = 0.25;
        outcome.now.loss = now;
        outcome.recorded = outcome.now;
        outcome.recorded->loss = recorded;
        QCOMPARE(outcome.agrees(), agrees);
        outcome.recorded->accuracy = 0.5;
        QVERIFY(!outcome.agrees());
    }
};

QTEST_APPLESS_MAIN(TestVerify)
} // namespace test_verify
#include "test_verify.moc"
