// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/real_number.h"

#include "tests/support/comma_locale.h"

#include <QTest>
#include <cstdlib>

namespace test_real_number {
using namespace accumulus;

class TestRealNumber : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aNumberIsReadAsFarAsItGoes() {
        QCOMPARE(realNumber("0.5"), 0.5);
        QCOMPARE(realNumber("-1.5e-05 s"), -1.5e-5);
        QCOMPARE(realNumber("1,5"), 1.0);
        QCOMPARE(realNumber(""), 0.0);
        QCOMPARE(realNumber("none"), 0.0);
    }

    void digitsAreThoseThatAreTyped() {
        QCOMPARE(roundedTo(0.123456, 3), 0.123);
        QCOMPARE(roundedTo(1.0 / 3.0, 6), 0.333333);
        QCOMPARE(roundedTo(1234567.0, 3), 1230000.0);
        QCOMPARE(roundedTo(-9.99e-9, 2), -1e-8);
        QCOMPARE(roundedTo(0.0, 3), 0.0);
    }

    /// Under a desktop of that locale the learning rates offered lost all behind the comma.
    void commasOfTheDesktopChangeNothing() {
        const test::CommaLocale locale;
        if (!test::CommaLocale::isActive())
            QSKIP("localedef cannot make a locale with decimal commas");
        QCOMPARE(std::strtod("0.5", nullptr), 0.0); // what is guarded against
        QCOMPARE(realNumber("0.5"), 0.5);
        QCOMPARE(roundedTo(0.123456, 3), 0.123);
    }
};

QTEST_APPLESS_MAIN(TestRealNumber)
} // namespace test_real_number
#include "test_real_number.moc"
