// SPDX-License-Identifier: GPL-3.0-or-later
// How the dynamic loss scale of fp16 follows its windows.
#include "core/window/loss_scale.h"

#include <QTest>

namespace test_loss_scale {
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

    // The numbers of torch.amp.GradScaler, written out.
    void doublesAfter2000WindowsWithoutAnOverflow() {
        LossScaler scaler(Precision::Fp16, "dynamic");
        QCOMPARE(scaler.scale(), 65536.0);
        pass(scaler, 1999);
        QCOMPARE(scaler.scale(), 65536.0);
        pass(scaler, 1);
        QCOMPARE(scaler.scale(), 131072.0);
        QCOMPARE(scaler.sinceChange(), 0);
        pass(scaler, 1999); // and counts from there
        QCOMPARE(scaler.scale(), 131072.0);
        pass(scaler, 1);
        QCOMPARE(scaler.scale(), 262144.0);
    }

    void anOverflowBeginsTheCountAnew_data() {
        QTest::addColumn<bool>("skipped");
        QTest::newRow("half of it was enough") << false;
        QTest::newRow("the window was skipped") << true;
    }
    void anOverflowBeginsTheCountAnew() {
        QFETCH(const bool, skipped);
        LossScaler scaler(Precision::Fp16, "dynamic");
        pass(scaler, 1999);
        scaler.windowClosed(skipped ? 65536.0 : 32768.0, skipped);
        QCOMPARE(scaler.scale(), 32768.0);
        QCOMPARE(scaler.sinceChange(), 0);
        pass(scaler, 1999);
        QCOMPARE(scaler.scale(), 32768.0);
        pass(scaler, 1);
        QCOMPARE(scaler.scale(), 65536.0);
    }

    void staysBetween1And16777216() {
        LossScaler scaler(Precision::Fp16, "dynamic");
        scaler.restore(8388608.0, 0);
        pass(scaler, 2000);
        QCOMPARE(scaler.scale(), 16777216.0);
        pass(scaler, 2000);
        QCOMPARE(scaler.scale(), 16777216.0);
        scaler.restore(2.0, 0);
        for (int window = 0; window < 3; ++window) {
            scaler.windowClosed(scaler.scale(), /*skipped=*/true);
            QCOMPARE(scaler.scale(), 1.0);
        }
        scaler.windowClosed(0.25, /*skipped=*/false);
        QCOMPARE(scaler.scale(), 1.0);
    }

    // One that is restored in the middle of the count doubles when the other one does.
    void theCountIsRestored() {
        LossScaler whole(Precision::Fp16, "dynamic");
        whole.windowClosed(2048.0, false);
        pass(whole, 1500);
        LossScaler restored(Precision::Fp16, "dynamic");
        restored.restore(whole.scale(), whole.sinceChange());
        for (int window = 0; window < 499; ++window) {
            pass(whole, 1);
            pass(restored, 1);
            QCOMPARE(restored.scale(), 2048.0);
            QCOMPARE(restored.sinceChange(), whole.sinceChange());
        }
        pass(whole, 1);
        pass(restored, 1);
        QCOMPARE(whole.scale(), 4096.0);
        QCOMPARE(restored.scale(), 4096.0);
    }

    void aFixedScaleStays_data() {
        QTest::addColumn<int>("precision");
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("scale");
        QTest::newRow("a number") << int(Precision::Fp16) << QStringLiteral("1024") << 1024.0;
        QTest::newRow("bf16 has none") << int(Precision::Bf16) << QStringLiteral("dynamic") << 1.0;
    }
    void aFixedScaleStays() {
        QFETCH(const int, precision);
        QFETCH(const QString, text);
        QFETCH(const double, scale);
        LossScaler scaler(static_cast<Precision>(precision), text.toStdString());
        pass(scaler, 2000);
        scaler.windowClosed(scale, /*skipped=*/true);
        scaler.restore(4096.0, 3);
        QCOMPARE(scaler.scale(), scale);
    }

private:
    /// Windows without an overflow.
    static void pass(LossScaler& scaler, int windows) {
        for (int window = 0; window < windows; ++window)
            scaler.windowClosed(scaler.scale(), false);
    }
};

QTEST_APPLESS_MAIN(TestLossScale)
} // namespace test_loss_scale
#include "test_loss_scale.moc"
