// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers, durations and errors as the window writes them.
#include "widgets/style/format.h"

#include <QTest>
#include <cmath>

namespace test_format {
using namespace accumulus;
using namespace accumulus::ui;

namespace {

QString spaced(QString text) {
    return text.replace(QChar(0x00A0), QLatin1Char(' ')).replace(QChar(0x202F), QLatin1Char(' '));
}

} // namespace

class TestFormat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void numbersFollowTheLocale() {
        QCOMPARE(spaced(format::count(60000)), QStringLiteral("60,000"));
        QCOMPARE(spaced(format::accuracy(0.9871)), QStringLiteral("98.71 %"));
        QCOMPARE(spaced(format::accuracy({})), QStringLiteral("–"));
        QCOMPARE(spaced(format::points(0.0031)), QStringLiteral("+0.31 points"));
        QCOMPARE(spaced(format::points(-0.0031)), QStringLiteral("−0.31 points"));
        QCOMPARE(spaced(format::points(-0.00001)), QStringLiteral("0.00 points"));
        QCOMPARE(format::loss(0.231), QStringLiteral("0.2310"));
        QCOMPARE(format::loss(std::nan("")), QStringLiteral("NaN"));
        QCOMPARE(format::number(0.01), QStringLiteral("0.01"));
        QCOMPARE(format::number(0.0000123456), QStringLiteral("1.235·10⁻⁵"));
        QCOMPARE(format::number(0.000099999), QStringLiteral("10⁻⁴"));
        QCOMPARE(format::power(-0.002), QStringLiteral("-2·10⁻³"));
        QCOMPARE(spaced(format::rate(28437.0)), QStringLiteral("28,400 samples/s"));
        QCOMPARE(spaced(format::duration(0.42)), QStringLiteral("0.4 s"));
        QCOMPARE(spaced(format::duration(72.0)), QStringLiteral("1 min 12 s"));
        QCOMPARE(spaced(format::duration(7500.0)), QStringLiteral("2 h 5 min"));
        QCOMPARE(spaced(format::duration(59.7)), QStringLiteral("1 min 0 s"));
        QCOMPARE(spaced(format::estimate(0.42)), QStringLiteral("1 s"));
        QCOMPARE(spaced(format::estimate(59.7)), QStringLiteral("1 min"));
        QCOMPARE(spaced(format::estimate(170.0)), QStringLiteral("3 min"));
        QCOMPARE(spaced(format::estimate(7510.0)), QStringLiteral("2 h 5 min"));
        QCOMPARE(spaced(format::bytes(9'600'000)), QStringLiteral("9.6 MB"));
        QCOMPARE(spaced(format::bytes(999)), QStringLiteral("999 B"));
        BatchConfig batch;
        batch.effective = 256;
        QCOMPARE(format::batchSummary(resolveBatch(batch).value()),
                 QStringLiteral("micro-batch 32 × accumulation 8 × 1 device = 256 samples per update"));
        batch.ramp = {{100, 512}};
        QCOMPARE(
            format::batchSummary(resolveBatch(batch).value()),
            QStringLiteral("micro-batch 32 × accumulation 8 × 1 device = 256 samples per update, from update 100 on "
                           "32 × 16 = 512"));
        batch.micro = 512; // the large arm of the same ramp
        batch.ragged = RaggedPolicy::Weight;
        QCOMPARE(format::batchEquation(resolveBatch(batch).value()), QStringLiteral("256 × 1 = 256 → 512"));
        QCOMPARE(
            format::batchSummary(resolveBatch(batch).value()),
            QStringLiteral("micro-batch 256 × accumulation 1 × 1 device = 256 samples per update, from update 100 on "
                           "512 × 1 = 512"));

        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        QCOMPARE(spaced(format::count(60000)), QStringLiteral("60.000"));
        QCOMPARE(spaced(format::accuracy(0.9871)), QStringLiteral("98,71 %"));
        QCOMPARE(format::loss(0.231), QStringLiteral("0,2310"));
        QCOMPARE(format::number(0.01), QStringLiteral("0,01"));

        QLocale::setDefault(QLocale(QLocale::Chinese, QLocale::China));
        QCOMPARE(spaced(format::count(60000)), QStringLiteral("60,000"));
        QCOMPARE(spaced(format::bytes(9'600'000)), QStringLiteral("9.6 MB"));
    }

    void errorsReadAsSentences() {
        const QString text = format::error(Error{"no.such.code", {}});
        QVERIFY(!text.isEmpty());
        QVERIFY(!text.contains(QLatin1Char('{')));
    }
};

QTEST_MAIN(TestFormat)
} // namespace test_format
#include "test_format.moc"
