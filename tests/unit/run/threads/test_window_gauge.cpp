// SPDX-License-Identifier: GPL-3.0-or-later
// Who reads while another thread writes sees one set() or another, never half of each.
#include "core/run/run_control.h"

#include <QTest>

#include <atomic>
#include <thread>

namespace test_window_gauge {
using namespace accumulus;

namespace {

WindowProgress progressOf(std::int64_t number) {
    const auto seconds = static_cast<double>(number);
    return {number, number, number, number, number, seconds, seconds, seconds, seconds, number % 2 == 1};
}

bool isWhole(const WindowProgress& progress) { return progress == progressOf(progress.window); }

} // namespace

class TestWindowGauge : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysWhatWasSetLast() {
        WindowGauge gauge;
        QVERIFY(gauge.read() == WindowProgress());
        gauge.set(progressOf(7));
        QVERIFY(gauge.read() == progressOf(7));
    }

    void everyReadIsOfOneWrite() {
        WindowGauge gauge;
        std::atomic<bool> done{false};
        std::thread writer([&] {
            for (std::int64_t number = 0; number <= 200'000; ++number)
                gauge.set(progressOf(number));
            done = true;
        });
        bool whole = true;
        std::int64_t newest = 0;
        bool inOrder = true;
        while (!done) {
            const WindowProgress seen = gauge.read();
            whole = whole && isWhole(seen);
            inOrder = inOrder && seen.window >= newest;
            newest = seen.window;
        }
        writer.join();
        QVERIFY(whole);
        QVERIFY(inOrder);
        QVERIFY(gauge.read() == progressOf(200'000));
        WindowProgress torn = progressOf(3); // a mistake that isWhole() sees
        torn.committed = 4;
        QVERIFY(!isWhole(torn));
    }

    void anotherStudyBeginsWithNothing() {
        RunControl control;
        control.openWindow().set(progressOf(3));
        control.reset();
        QVERIFY(control.openWindow().read() == WindowProgress());
    }
};

QTEST_APPLESS_MAIN(TestWindowGauge)
} // namespace test_window_gauge
#include "test_window_gauge.moc"
