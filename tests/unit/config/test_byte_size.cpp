// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/byte_size.h"

#include <QTest>

namespace test_byte_size {
using namespace accumulus;

class TestByteSize : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void amountsReadAsWritten_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("bytes");
        const auto row = [](const char* text, qint64 bytes) {
            QTest::newRow(text) << QString::fromUtf8(text) << bytes;
        };
        row("", 0);
        row("   ", 0);
        row("0", 0);
        row("65536", 65536);
        row("17 B", 17);
        row("2 GiB", qint64{2} << 30);
        row("512MiB", qint64{512} << 20);
        row("  3 KiB ", 3072);
        row("1.5 GB", 1500000000);
        row("0.5 MB", 500000);
        row("2 kB", 2000);
        row("4G", qint64{4} << 30);
        row("1e3 MB", 1000000000);
        row("0.4", 0);
    }
    void amountsReadAsWritten() {
        QFETCH(QString, text);
        QFETCH(qint64, bytes);
        const auto parsed = parseBytes(text.toStdString());
        QVERIFY2(parsed, parsed ? "" : describe(parsed.error()).c_str());
        QCOMPARE(qint64{*parsed}, bytes);
    }

    void whatIsNoAmountSaysWhy_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* text, const char* reason) {
            QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(reason);
        };
        row("much", "begin with a number");
        row("GiB", "begin with a number");
        row("-1 GiB", "begin with a number");
        row("nan", "begin with a number");
        row("inf", "too large");
        row("1e30", "too large");
        row("1e400", "begin with a number");
        row("9e9 GiB", "too large");
        row("2 TiB", "unit is none of");
        row("2 gib", "unit is none of");
        row("2 GiB or so", "unit is none of");
        row("0x10", "unit is none of");
    }
    void whatIsNoAmountSaysWhy() {
        QFETCH(QString, text);
        QFETCH(QString, reason);
        const auto parsed = parseBytes(text.toStdString());
        QVERIFY(!parsed);
        QCOMPARE(parsed.error().code, std::string("config.value"));
        QCOMPARE(parsed.error().argument("key"), std::string("device.memory_limit"));
        QCOMPARE(exitCode(parsed.error()), 2);
        const QString words = QString::fromStdString(describe(parsed.error()));
        QVERIFY2(words.contains(reason), qPrintable(words));
    }
};

QTEST_APPLESS_MAIN(TestByteSize)
} // namespace test_byte_size
#include "test_byte_size.moc"
