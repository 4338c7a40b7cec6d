// SPDX-License-Identifier: GPL-3.0-or-later
// How the dynamic loss scale of fp16 follows its windows.
#include "core/window/loss_scale.h"

#include <QTest>

using namespace accumulus;

class TestLossScale : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // One micro-step overflows at every scale; what another one needs counts all the same.
    void aSkippedMicroStepHidesNoOther_data() {
        QTest::addColumn<double>("smallest");
        QTest::addColumn<bool>("skipped");
        QTest::addColumn<double>("next");
        const double scale = LossScaler::initialScale;
        QTest::newRow("nothing overflowed") << scale << false << scale;
        QTest::newRow("one needed less") << 2048.0 << false << 2048.0;
        QTest::newRow("one overflowed at every scale") << scale << true << scale / 2;
        QTest::newRow("and another one needed less") << 2048.0 << true << 2048.0;
        QTest::newRow("and another one needed half") << scale / 2 << true << scale / 2;
        QTest::newRow("and of the others nothing is known") << 0.0 << true << scale / 2;
        QTest::newRow("no micro-steps") << 0.0 << false << scale;
    }
    void aSkippedMicroStepHidesNoOther() {
        QFETCH(const double, smallest);
        QFETCH(const bool, skipped);
        QFETCH(const double, next);
        LossScaler scaler(Precision::Fp16, "dynamic");
        scaler.windowClosed(smallest, skipped);
        QCOMPARE(scaler.scale(), next);
        QCOMPARE(scaler.sinceChange(), std::int64_t(smallest == LossScaler::initialScale && !skipped));
    }
};

QTEST_APPLESS_MAIN(TestLossScale)
#include "test_loss_scale.moc"
