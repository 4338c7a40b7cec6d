// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as people read them.
#include "core/analysis/number_text.h"

#include <QTest>

#include <cmath>

namespace test_number_text {
using namespace accumulus;

class TestNumberText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersReadWell() {
        QCOMPARE(QString::fromStdString(numberText(-0.0001, 2)), QStringLiteral("0.00"));
        QCOMPARE(QString::fromStdString(numberText(-1.25, 2)), QStringLiteral("−1.25"));
        QCOMPARE(QString::fromStdString(signedText(0.5, 1)), QStringLiteral("+0.5"));
        QCOMPARE(QString::fromStdString(signedText(0.0, 1)), QStringLiteral("0.0"));
        QCOMPARE(QString::fromStdString(numberText(1.24e-12, 13)), QStringLiteral("1.2e−12"));
        QCOMPARE(QString::fromStdString(numberText(std::nan(""), 2)), QStringLiteral("not finite"));
        QCOMPARE(QString::fromStdString(countText(1234567)), QStringLiteral("1\u00a0234\u00a0567"));
        QCOMPARE(QString::fromStdString(countText(-100)), QStringLiteral("−100"));
        QCOMPARE(decimalsFor(0.12), 2);
        QCOMPARE(decimalsFor(0.1), 2);
        QCOMPARE(decimalsFor(12.0), 0);
        QCOMPARE(decimalsFor(0.001, 1), 3);
    }
};

QTEST_APPLESS_MAIN(TestNumberText)
} // namespace test_number_text
#include "test_number_text.moc"
