// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/clock.h"

#include <QtTest>

namespace test_clock {
using namespace accumulus;

class TestClock : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void timesAreWrittenInUtc() {
        QCOMPARE(isoTime(0.0), std::string("1970-01-01T00:00:00Z"));
        QCOMPARE(isoTime(951827696.9), std::string("2000-02-29T12:34:56Z"));
        QCOMPARE(isoTime(4102444800.0), std::string("2100-01-01T00:00:00Z"));
    }

    void nowIsNow() {
        QVERIFY(unixTime() > 1.7e9); // after 2023
        const double first = unixTime();
        QVERIFY(unixTime() - first < 3600.0);
    }

    void theStopwatchNeverRunsBackwards() {
        Stopwatch watch;
        double last = 0.0;
        for (int i = 0; i < 1000; ++i) {
            const double now = watch.seconds();
            QVERIFY(now >= last);
            last = now;
        }
        const double lap = watch.lap();
        QVERIFY(lap >= last); // the lap holds all that was measured before
        QVERIFY(watch.lap() >= 0.0);
    }
};

QTEST_APPLESS_MAIN(TestClock)
} // namespace test_clock
#include "test_clock.moc"
