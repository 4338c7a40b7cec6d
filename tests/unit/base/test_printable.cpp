// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/printable.h"

#include <QTest>
#include <string>

namespace test_printable {
using namespace accumulus;

class TestPrintable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingStaysThatMovesACursorOrTurnsText_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown");
        QTest::newRow("plain") << QByteArray("LeNet-5, B = 256 × 8 <b>&amp; \\n")
                               << QByteArray("LeNet-5, B = 256 × 8 <b>&amp; \\n");
        QTest::newRow("other scripts") << QByteArray("训练 тест e\u0301 👍🏽 שלום")
                                       << QByteArray("训练 тест e\u0301 👍🏽 שלום");
        QTest::newRow("lines") << QByteArray("a\nb\tc\r") << QByteArray("a\\nb\\tc\\r");
        QTest::newRow("colour") << QByteArray("\x1b[31mred") << QByteArray("\\u001b[31mred");
        QTest::newRow("zero byte") << QByteArray("a\0b", 3) << QByteArray("a\\u0000b");
        QTest::newRow("delete, C1") << QByteArray("\x7f\xc2\x9b") << QByteArray("\\u007f\\u009b");
        QTest::newRow("turned around") << QByteArray("exe.\u202Egnp") << QByteArray("exe.\\u202egnp");
        QTest::newRow("isolates") << QByteArray("\u2066x\u2069\u200F") << QByteArray("\\u2066x\\u2069\\u200f");
        QTest::newRow("separators") << QByteArray("a\u2028b\u2029") << QByteArray("a\\u2028b\\u2029");
        QTest::newRow("no UTF-8") << QByteArray("a\xff\xc3(") << QByteArray("a\uFFFD\uFFFD(");
        QTest::newRow("long form of a newline") << QByteArray("\xc0\x8a") << QByteArray("\uFFFD\uFFFD");
        QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << QByteArray("\uFFFD\uFFFD\uFFFD");
        QTest::newRow("cut off") << QByteArray("\xe2\x80") << QByteArray("\uFFFD\uFFFD");
    }
    void nothingStaysThatMovesACursorOrTurnsText() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, shown);
        const std::string once = printable(text.toStdString());
        QCOMPARE(QByteArray::fromStdString(once), shown);
        QCOMPARE(printable(once), once);
    }

    void notesKeepTheirLines() {
        QCOMPARE(printable("a\n\tb\r\x1b", LineBreaks::Keep), std::string("a\n\tb\\r\\u001b"));
    }

    void anErrorNamesAForeignThingWithoutObeyingIt() {
        const std::string said = describe({"cli.no-study", {{"text", "\x1b]0;title\x07\nfake line"}}});
        QVERIFY2(said.find('\x1b') == std::string::npos && said.find('\n') == std::string::npos, said.c_str());
        QVERIFY2(said.find("\\u001b]0;title\\u0007\\nfake line") != std::string::npos, said.c_str());
    }
};

QTEST_APPLESS_MAIN(TestPrintable)
} // namespace test_printable
#include "test_printable.moc"
